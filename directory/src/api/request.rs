//! Parses REST requests and tool calls into a [`Request`].
//!
//! A path with a query, or a tool with arguments, becomes the raw values of an operation's parameters; a parser for each
//! kind of parameter makes the [`Question`]. Whether a plan or a slug exists is decided by `answer`.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::fault::Fault;
use super::operation::{OPERATIONS, Operation, OperationId, ParameterKind, parameter};
use super::query;
use super::value::{RawParameters, RawValue};
use crate::model::{Gender, ProviderType, Slug, StateCode};

/// A question, and the unknown parameter names of its query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    question: Question,
    ignored: Vec<String>,
}

/// An operation with its parsed parameters. Counts are within their bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// The states where care can be booked.
    States,
    /// The accepted plans.
    Insurances {
        /// Only in this state.
        state: Option<StateCode>,
    },
    /// The clinicians who match.
    Providers(ProviderSearch),
    /// One clinician.
    Provider {
        /// As sent; it may be unknown.
        slug: String,
    },
    /// The offered visit types.
    AppointmentTypes {
        /// Only in this state.
        state: Option<StateCode>,
    },
    /// The open slots.
    Availability(SlotSearch),
}

/// The filters of a search for clinicians, all of which must match.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProviderSearch {
    /// Where the clinician is licensed.
    pub state: Option<StateCode>,
    /// A plan that the clinician accepts, as sent; it may be unknown.
    pub insurance: Option<String>,
    /// The kind of clinician.
    pub provider_type: Option<ProviderType>,
    /// The clinician's stated gender.
    pub gender: Option<Gender>,
    /// The size of the page.
    pub limit: i64,
    /// The start of the page.
    pub offset: i64,
}

/// The filters of a search for slots.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SlotSearch {
    /// Where the patient will be.
    pub state: StateCode,
    /// Only this visit type; it may be unknown.
    pub appointment_type: Option<i64>,
    /// Only this provider's slug, as sent; it may be unknown.
    pub provider: Option<String>,
    /// How many days ahead to look.
    pub horizon_days: i64,
    /// The maximum number of slots.
    pub limit: i64,
}

impl Default for ProviderSearch {
    fn default() -> Self {
        let defaults = RawParameters::none(Operation::get(OperationId::Providers));
        Self {
            state: None,
            insurance: None,
            provider_type: None,
            gender: None,
            limit: defaults.default_count(parameter::LIMIT),
            offset: defaults.default_count(parameter::OFFSET),
        }
    }
}

impl ProviderSearch {
    pub(super) fn first_page(state: Option<StateCode>) -> Self {
        Self { state, ..Self::default() }
    }
}

impl SlotSearch {
    /// The slots of a state, with the default horizon and limit.
    #[must_use]
    pub fn of(state: StateCode) -> Self {
        let defaults = RawParameters::none(Operation::get(OperationId::Availability));
        Self {
            state,
            appointment_type: None,
            provider: None,
            horizon_days: defaults.default_count(parameter::HORIZON_DAYS),
            limit: defaults.default_count(parameter::LIMIT),
        }
    }
}

impl From<Question> for Request {
    fn from(question: Question) -> Self {
        Self { question, ignored: Vec::new() }
    }
}

/// The maximum of unknown names that are told. Without it, the work would be quadratic in the query's length.
pub const MAX_IGNORED: usize = 10;

fn add_ignored(ignored: &mut Vec<String>, name: String) {
    // One more shows that there are others.
    if ignored.len() <= MAX_IGNORED && !ignored.contains(&name) {
        ignored.push(name);
    }
}

/// Splits `path?query`.
#[must_use]
pub fn split_target(target: &str) -> (&str, Option<&str>) {
    target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)))
}

impl Request {
    /// Parses `path?query` of a REST request, as [`Request::path_and_query`] writes it.
    ///
    /// # Errors
    /// Those of [`Request::from_path_and_query`].
    pub fn from_target(target: &str) -> Result<Self, Fault> {
        let (path, query) = split_target(target);
        Self::from_path_and_query(path, query)
    }

    /// Parses a REST request. `path` and `query` are percent-encoded; `query` has no `?`.
    ///
    /// # Errors
    /// An unknown path, or a missing or invalid parameter.
    pub fn from_path_and_query(path: &str, query: Option<&str>) -> Result<Self, Fault> {
        let (operation, slug) = Operation::for_path(path).ok_or_else(Fault::not_found)?;
        if let (None, None, Some(question)) = (query, slug, Question::without_parameters(operation)) {
            return Ok(question.clone().into());
        }
        let mut given = RawParameters::none(operation);
        let mut ignored = Vec::new();
        for (name, value) in query::pairs(query.unwrap_or_default()) {
            let Some(name) = name else {
                return Err(Fault::invalid_query());
            };
            if given.accepts_in_query(&name) {
                given.set(&name, value);
            } else {
                add_ignored(&mut ignored, name);
            }
        }
        if let Some(slug) = slug {
            given.set(parameter::SLUG, query::decode(slug, false));
        }
        Ok(Self { question: Question::from_parameters(&given)?, ignored })
    }

    /// The first unknown parameter names of a query, each once, in order, even if the request is invalid: at most one
    /// more than [`MAX_IGNORED`].
    #[must_use]
    pub fn ignored_of(path: &str, query: &str) -> Vec<String> {
        let Some((operation, _)) = Operation::for_path(path) else { return Vec::new() };
        let given = RawParameters::none(operation);
        let mut ignored = Vec::new();
        for name in query::pairs(query).filter_map(|(name, _)| name) {
            if !given.accepts_in_query(&name) {
                add_ignored(&mut ignored, name);
            }
        }
        ignored
    }

    /// Parses the arguments of a tool call.
    ///
    /// # Errors
    /// An unknown, missing or invalid argument.
    pub fn from_tool(operation: &'static Operation, arguments: &Map<String, Value>) -> Result<Self, Fault> {
        let mut given = RawParameters::none(operation);
        for (name, value) in arguments {
            let Some(parameter) = operation.parameter(name) else {
                return Err(Fault::unknown_argument(name, operation));
            };
            let value = RawValue::from_json(value);
            // A slug is trimmed in arguments, but not in a path.
            let is_path = parameter.kind == ParameterKind::PathSlug;
            given.set(name, if is_path { value.trimmed() } else { value });
        }
        Question::from_parameters(&given).map(Self::from)
    }

    /// The question.
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The operation.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        Operation::get(match self.question {
            Question::States => OperationId::States,
            Question::Insurances { .. } => OperationId::Insurances,
            Question::Providers(_) => OperationId::Providers,
            Question::Provider { .. } => OperationId::Provider,
            Question::AppointmentTypes { .. } => OperationId::AppointmentTypes,
            Question::Availability(_) => OperationId::Availability,
        })
    }

    /// The first unknown parameter names of the query, each once, in order: at most one more than [`MAX_IGNORED`].
    #[must_use]
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// The REST path and query of this request.
    #[must_use]
    pub fn path_and_query(&self) -> String {
        let mut path = self.operation().path.to_owned();
        let mut pairs = Vec::new();
        for (name, value) in self.arguments() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let text = query::encode(&text);
            let placeholder = format!("{{{name}}}");
            if path.contains(&placeholder) {
                path = path.replace(&placeholder, &text);
            } else {
                pairs.push(format!("{name}={text}"));
            }
        }
        if pairs.is_empty() { path } else { format!("{path}?{}", pairs.join("&")) }
    }

    /// The tool arguments of this request, without those that equal a default.
    #[must_use]
    pub fn arguments(&self) -> Map<String, Value> {
        let code = |state: Option<StateCode>| state.map(|state| state.code().into());
        let named: Vec<(&str, Option<Value>)> = match &self.question {
            Question::States => Vec::new(),
            Question::Insurances { state } | Question::AppointmentTypes { state } => {
                vec![(parameter::STATE, code(*state))]
            }
            Question::Provider { slug } => vec![(parameter::SLUG, Some(slug.as_str().into()))],
            Question::Providers(search) => {
                let default = ProviderSearch::default();
                vec![
                    (parameter::STATE, code(search.state)),
                    (parameter::INSURANCE, search.insurance.as_deref().map(Value::from)),
                    (parameter::PROVIDER_TYPE, search.provider_type.map(|word| word.word().into())),
                    (parameter::GENDER, search.gender.map(|word| word.word().into())),
                    (parameter::LIMIT, (search.limit != default.limit).then(|| search.limit.into())),
                    (parameter::OFFSET, (search.offset != default.offset).then(|| search.offset.into())),
                ]
            }
            Question::Availability(search) => {
                let default = SlotSearch::of(search.state);
                vec![
                    (parameter::STATE, code(Some(search.state))),
                    (parameter::APPOINTMENT_TYPE, search.appointment_type.map(Value::from)),
                    (parameter::PROVIDER, search.provider.as_deref().map(Value::from)),
                    (
                        parameter::HORIZON_DAYS,
                        (search.horizon_days != default.horizon_days).then(|| search.horizon_days.into()),
                    ),
                    (parameter::LIMIT, (search.limit != default.limit).then(|| search.limit.into())),
                ]
            }
        };
        named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// The request for a provider's profile.
    #[must_use]
    pub fn profile(slug: &Slug) -> Self {
        Question::Provider { slug: slug.as_str().to_owned() }.into()
    }
}

impl Question {
    /// The question of a path without a query, if it needs no parameter. Parsed once, since most requests are these.
    fn without_parameters(operation: &Operation) -> Option<&'static Self> {
        static QUESTIONS: LazyLock<Vec<Option<Question>>> = LazyLock::new(|| {
            OPERATIONS
                .iter()
                .map(|operation| Question::from_parameters(&RawParameters::none(operation)).ok())
                .collect()
        });
        QUESTIONS.get(operation.id as usize)?.as_ref()
    }

    fn from_parameters(given: &RawParameters) -> Result<Self, Fault> {
        Ok(match given.operation().id {
            OperationId::States => Self::States,
            OperationId::Insurances => Self::Insurances { state: given.state(parameter::STATE)? },
            OperationId::Providers => Self::Providers(ProviderSearch {
                state: given.state(parameter::STATE)?,
                insurance: given.text(parameter::INSURANCE)?,
                provider_type: given.word(parameter::PROVIDER_TYPE)?,
                gender: given.word(parameter::GENDER)?,
                limit: given.count(parameter::LIMIT)?,
                offset: given.count(parameter::OFFSET)?,
            }),
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
            }),
        })
    }
}

fn missing(name: &str, operation: &Operation) -> Fault {
    Fault::missing(name, operation.ask(name))
}
