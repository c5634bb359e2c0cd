//! The parsed question of a request.

use std::str::FromStr;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::fault::Fault;
use super::operation::{OPERATIONS, Operation, OperationId, parameter};
use super::search_text::SearchText;
use super::value::RawParameters;
use crate::calendar::Instant;
use crate::model::{Gender, ProviderType, StateCode};

/// An operation with its parsed parameters. Counts are within their bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    States,
    Insurances {
        state: Option<StateCode>,
    },
    Providers(ProviderSearch),
    Provider {
        /// As sent; it may be unknown.
        slug: String,
    },
    AppointmentTypes {
        state: Option<StateCode>,
    },
    Availability(SlotSearch),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderSearch {
    pub view: View,
    /// Where the clinician is licensed.
    pub state: Option<StateCode>,
    /// A plan that the clinician accepts, as sent; it may be unknown.
    pub insurance: Option<String>,
    pub provider_type: Option<ProviderType>,
    pub gender: Option<Gender>,
    pub limit: i64,
    pub offset: i64,
    pub text: Option<SearchText>,
    /// A language that the clinician speaks, as sent; it may be unknown.
    pub language: Option<String>,
    /// Whether the answer says why it is empty.
    pub explain: bool,
}

/// How much of each clinician a search lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum View {
    #[default]
    Profile,
    Summary,
}

impl FromStr for View {
    type Err = &'static [&'static str];

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is = |word: &str| text.eq_ignore_ascii_case(word);
        if is("profile") {
            Ok(Self::Profile)
        } else if is("summary") {
            Ok(Self::Summary)
        } else {
            Err(&["profile", "summary"])
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotSearch {
    /// Where the patient will be.
    pub state: StateCode,
    /// Only this visit type; it may be unknown.
    pub appointment_type: Option<i64>,
    /// Only this provider's slug, as sent; it may be unknown.
    pub provider: Option<String>,
    pub horizon_days: i64,
    pub limit: i64,
    /// Parameters that the specification does not have.
    pub extra: ExtraFilters,
}

/// The filters of a search for slots that the specification does not have. With none of them the body is the
/// specification's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExtraFilters {
    /// A plan that the clinician accepts in the state, as sent; it may be unknown.
    pub insurance: Option<String>,
    pub gender: Option<Gender>,
    pub provider_type: Option<ProviderType>,
    /// A language that the clinician speaks, as sent; it may be unknown.
    pub language: Option<String>,
    pub from: Option<Instant>,
    /// Whether each clinician's first slot alone is listed.
    pub one_per_provider: bool,
    /// Whether only visit types for new patients count.
    pub new_patients: bool,
    /// Whether the answer says why it is empty.
    pub explain: bool,
}

/// The only word of `onePer`.
struct OnePerProvider;

impl FromStr for OnePerProvider {
    type Err = &'static [&'static str];

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.eq_ignore_ascii_case("provider") { Ok(Self) } else { Err(&["provider"]) }
    }
}

impl Default for ProviderSearch {
    fn default() -> Self {
        let operation = Operation::get(OperationId::Providers);
        Self {
            view: View::Profile,
            state: None,
            insurance: None,
            provider_type: None,
            gender: None,
            limit: operation.default_count(parameter::LIMIT),
            offset: operation.default_count(parameter::OFFSET),
            text: None,
            language: None,
            explain: false,
        }
    }
}

impl ProviderSearch {
    /// The first page of a state, or of all clinicians, with the default limit.
    #[must_use]
    pub fn first_page(view: View, state: Option<StateCode>) -> Self {
        Self { view, state, ..Self::default() }
    }
}

impl SlotSearch {
    /// The slots of a state, with the default horizon and limit.
    #[must_use]
    pub fn of(state: StateCode) -> Self {
        let operation = Operation::get(OperationId::Availability);
        Self {
            state,
            appointment_type: None,
            provider: None,
            horizon_days: operation.default_count(parameter::HORIZON_DAYS),
            limit: operation.default_count(parameter::LIMIT),
            extra: ExtraFilters::default(),
        }
    }
}

impl Question {
    /// The question of a path without a query, if it needs no parameter. Parsed once, since most requests are these.
    pub(super) fn without_parameters(operation: &Operation) -> Option<&'static Self> {
        static QUESTIONS: LazyLock<Vec<Option<Question>>> = LazyLock::new(|| {
            OPERATIONS
                .iter()
                .map(|operation| Question::from_parameters(&RawParameters::none(operation)).ok())
                .collect()
        });
        QUESTIONS.get(operation.id as usize)?.as_ref()
    }

    pub(super) fn from_parameters(given: &RawParameters) -> Result<Self, Fault> {
        Ok(match given.operation().id {
            OperationId::States => Self::States,
            OperationId::Insurances => Self::Insurances { state: given.state(parameter::STATE)? },
            OperationId::Providers => {
                let search = provider_search(given, View::Profile)?;
                let view = given.word(parameter::VIEW)?.unwrap_or_default();
                Self::Providers(ProviderSearch { view, ..search })
            }
            OperationId::ProviderSummaries => Self::Providers(provider_search(given, View::Summary)?),
            OperationId::Provider => Self::Provider {
                slug: given
                    .exact_text(parameter::SLUG)?
                    .ok_or_else(|| missing(parameter::SLUG, given.operation()))?,
            },
            OperationId::AppointmentTypes => Self::AppointmentTypes { state: given.state(parameter::STATE)? },
            OperationId::Availability => Self::Availability(SlotSearch {
                state: given
                    .state(parameter::STATE)?
                    .ok_or_else(|| missing(parameter::STATE, given.operation()))?,
                appointment_type: given.integer(parameter::APPOINTMENT_TYPE)?,
                provider: given.text(parameter::PROVIDER)?,
                horizon_days: given.count(parameter::HORIZON_DAYS)?,
                limit: given.count(parameter::LIMIT)?,
                extra: ExtraFilters {
                    insurance: given.text(parameter::INSURANCE)?,
                    gender: given.word(parameter::GENDER)?,
                    provider_type: given.word(parameter::PROVIDER_TYPE)?,
                    language: given.text(parameter::LANGUAGE)?,
                    from: given.time(parameter::FROM)?,
                    one_per_provider: given.word::<OnePerProvider>(parameter::ONE_PER)?.is_some(),
                    new_patients: given.flag(parameter::NEW_PATIENTS)?,
                    explain: given.flag(parameter::EXPLAIN)?,
                },
            }),
        })
    }

    pub(super) fn operation(&self) -> &'static Operation {
        Operation::get(match self {
            Self::States => OperationId::States,
            Self::Insurances { .. } => OperationId::Insurances,
            Self::Providers(ProviderSearch { view: View::Profile, .. }) => OperationId::Providers,
            Self::Providers(ProviderSearch { view: View::Summary, .. }) => OperationId::ProviderSummaries,
            Self::Provider { .. } => OperationId::Provider,
            Self::AppointmentTypes { .. } => OperationId::AppointmentTypes,
            Self::Availability(_) => OperationId::Availability,
        })
    }

    pub(super) fn tool(&self) -> &'static Operation {
        match self {
            Self::Providers(_) => Operation::get(OperationId::Providers),
            other => other.operation(),
        }
    }

    /// The values of REST's parameters, without those that equal a default.
    pub(super) fn parameters(&self) -> impl Iterator<Item = (&'static str, Value)> {
        let code = |state: Option<StateCode>| state.map(|state| state.code().into());
        let flag = |given: bool| given.then_some(Value::Bool(true));
        let named: Vec<(&'static str, Option<Value>)> = match self {
            Self::States => Vec::new(),
            Self::Insurances { state } | Self::AppointmentTypes { state } => {
                vec![(parameter::STATE, code(*state))]
            }
            Self::Provider { slug } => vec![(parameter::SLUG, Some(slug.as_str().into()))],
            Self::Providers(search) => {
                let default = ProviderSearch::default();
                vec![
                    (parameter::STATE, code(search.state)),
                    (parameter::INSURANCE, search.insurance.as_deref().map(Value::from)),
                    (parameter::PROVIDER_TYPE, search.provider_type.map(|word| word.word().into())),
                    (parameter::GENDER, search.gender.map(|word| word.word().into())),
                    (parameter::LIMIT, (search.limit != default.limit).then(|| search.limit.into())),
                    (parameter::OFFSET, (search.offset != default.offset).then(|| search.offset.into())),
                    (parameter::SEARCH_TEXT, search.text.as_ref().map(|text| text.as_str().into())),
                    (parameter::LANGUAGE, search.language.as_deref().map(Value::from)),
                    (parameter::EXPLAIN, flag(search.explain)),
                ]
            }
            Self::Availability(search) => {
                let default = SlotSearch::of(search.state);
                let extra = &search.extra;
                vec![
                    (parameter::STATE, code(Some(search.state))),
                    (parameter::APPOINTMENT_TYPE, search.appointment_type.map(Value::from)),
                    (parameter::PROVIDER, search.provider.as_deref().map(Value::from)),
                    (
                        parameter::HORIZON_DAYS,
                        (search.horizon_days != default.horizon_days).then(|| search.horizon_days.into()),
                    ),
                    (parameter::LIMIT, (search.limit != default.limit).then(|| search.limit.into())),
                    (parameter::INSURANCE, extra.insurance.as_deref().map(Value::from)),
                    (parameter::GENDER, extra.gender.map(|word| word.word().into())),
                    (parameter::PROVIDER_TYPE, extra.provider_type.map(|word| word.word().into())),
                    (parameter::LANGUAGE, extra.language.as_deref().map(Value::from)),
                    (parameter::FROM, extra.from.map(|from| from.to_string().into())),
                    (parameter::ONE_PER, extra.one_per_provider.then(|| "provider".into())),
                    (parameter::NEW_PATIENTS, flag(extra.new_patients)),
                    (parameter::EXPLAIN, flag(extra.explain)),
                ]
            }
        };
        named.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }

    /// The tool's arguments, without those that equal a default.
    pub(super) fn arguments(&self) -> Map<String, Value> {
        let mut arguments: Map<_, _> =
            self.parameters().map(|(name, value)| (name.to_owned(), value)).collect();
        if let Self::Providers(ProviderSearch { view: View::Summary, .. }) = self {
            arguments.insert(parameter::VIEW.to_owned(), "summary".into());
        }
        arguments
    }
}

fn provider_search(given: &RawParameters, view: View) -> Result<ProviderSearch, Fault> {
    Ok(ProviderSearch {
        view,
        state: given.state(parameter::STATE)?,
        insurance: given.text(parameter::INSURANCE)?,
        provider_type: given.word(parameter::PROVIDER_TYPE)?,
        gender: given.word(parameter::GENDER)?,
        limit: given.count(parameter::LIMIT)?,
        offset: given.count(parameter::OFFSET)?,
        text: given.search_text(parameter::SEARCH_TEXT)?,
        language: given.text(parameter::LANGUAGE)?,
        explain: given.flag(parameter::EXPLAIN)?,
    })
}

fn missing(name: &str, operation: &Operation) -> Fault {
    Fault::missing(name, operation.ask(name))
}
