//! The parameters, and the questions made of them. A question is a struct with a field for each of its parameters: from
//! that one list follow the rows of its operation, its parser, and what it writes of itself.

use super::super::search_text::SearchText;
use super::parameter::{Parameter, ParameterKind};
use super::time::When;
use super::value::{Argument, Field, Given, RawValue, Wrong, WrongParameter, word_arguments};
use crate::calendar::{Cursor, MAX_HORIZON_DAYS, Tz};
use crate::model::{Gender, ProviderType, StateCode, words};

/// Defines a question: the parameter that it requires, if there is one, and those that may be absent.
macro_rules! question {
    (
        $(#[$doc:meta])*
        $name:ident($($(#[$required_doc:meta])* $required:ident: $required_type:ty = $required_parameter:expr)?)
        { $($(#[$field_doc:meta])* $field:ident: $type:ty = $parameter:expr;)+ }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name {
            $($(#[$required_doc])* pub $required: $required_type,)?
            $($(#[$field_doc])* pub $field: $type),+
        }

        impl $name {
            pub(crate) const PARAMETERS: &'static [Parameter] = &[$($required_parameter,)? $($parameter),+];

            pub fn with_defaults($($required: $required_type)?) -> Self {
                Self { $($required,)? $($field: Field::absent(&$parameter)),+ }
            }

            pub(crate) fn read(given: &Given) -> Result<Self, WrongParameter> {
                Ok(Self {
                    $($required: given.required(&$required_parameter)?,)?
                    $($field: given.field(&$parameter)?),+
                })
            }

            pub(crate) fn values(&self) -> Vec<(&'static str, serde_json::Value)> {
                let mut values = Vec::new();
                $(values.push(($required_parameter.name, Argument::write(&self.$required)));)?
                $(if self.$field.is_given(&$parameter) {
                    values.push(($parameter.name, Argument::write(&self.$field)));
                })+
                values
            }

            /// For each given parameter that may be absent, the question without it.
            pub(crate) fn without(&self) -> Vec<(&'static str, Self)> {
                let mut others = Vec::new();
                $(if self.$field.is_given(&$parameter) {
                    others.push(($parameter.name, Self { $field: Field::absent(&$parameter), ..self.clone() }));
                })+
                others
            }
        }
    };
}

question! {
    ProviderSearch() {
        /// Where the clinician is licensed.
        state: Option<StateCode> = STATE_OF_LICENSE;
        /// A plan that the clinician accepts, as sent; it may be unknown.
        insurance: Option<String> = INSURANCE;
        provider_type: Option<ProviderType> = PROVIDER_TYPE;
        gender: Option<Gender> = GENDER;
        limit: i64 = PROVIDERS_LIMIT;
        offset: i64 = OFFSET;
        text: Option<SearchText> = SEARCH_TEXT;
        /// A language that the clinician speaks, as sent; it may be unknown.
        language: Option<String> = LANGUAGE;
        explain: bool = EXPLAIN;
        view: View = VIEW;
    }
}

question! {
    SlotSearch(
        /// Where the patient will be.
        state: StateCode = STATE_OF_PATIENT
    ) {
        /// It may be unknown.
        appointment_type: Option<i64> = APPOINTMENT_TYPE;
        /// A slug, as sent; it may be unknown.
        provider: Option<String> = PROVIDER;
        /// Counts from now.
        horizon_days: Option<i64> = HORIZON_DAYS;
        limit: i64 = SLOTS_LIMIT;
        // From here on: parameters that the specification does not have.
        insurance: Option<String> = INSURANCE;
        gender: Option<Gender> = GENDER;
        provider_type: Option<ProviderType> = PROVIDER_TYPE;
        language: Option<String> = LANGUAGE;
        from: Option<When> = FROM;
        one_per: Option<OnePer> = ONE_PER;
        new_patients: bool = NEW_PATIENTS;
        explain: bool = EXPLAIN_SLOTS;
        until: Option<When> = UNTIL;
        time_zone: Option<Tz> = TIME_ZONE;
        part: Option<Part> = PART;
        /// The last slot of the page before.
        after: Option<Cursor> = AFTER;
    }
}

words! {
    /// How much of each clinician a search lists.
    View {
        Profile = "profile",
        Summary = "summary",
    }
}

words! {
    /// Of what a list of slots has the first alone.
    OnePer {
        Provider = "provider",
    }
}

words! {
    /// A part of the day, by the clock of the time zone asked for.
    Part {
        Morning = "morning",
        Afternoon = "afternoon",
        Evening = "evening",
    }
}

word_arguments!(View, OnePer, Part);

impl Field for View {
    fn absent(_: &Parameter) -> Self {
        Self::Profile
    }
}

impl Default for ProviderSearch {
    fn default() -> Self {
        Self::with_defaults()
    }
}

impl ProviderSearch {
    pub fn first_page(view: View, state: Option<StateCode>) -> Self {
        Self { state, view, ..Self::with_defaults() }
    }
}

impl SlotSearch {
    /// Whether it has the specification's parameters alone: then the body is the specification's.
    pub(crate) fn is_specified(&self) -> bool {
        let Self { state, appointment_type, horizon_days, limit, .. } = *self;
        let provider = self.provider.clone();
        *self == Self { appointment_type, provider, horizon_days, limit, ..Self::with_defaults(state) }
    }
}

const ASK_STATE: &str = "Please give a US state name or two-letter code.";

const fn optional(name: &'static str, kind: ParameterKind) -> Parameter {
    Parameter { name, kind, required: false, doc: "", label: "", ask: "", example: "" }
}

const fn state(doc: &'static str) -> Parameter {
    Parameter {
        doc,
        label: "state",
        ask: ASK_STATE,
        example: "CA",
        ..optional("state", ParameterKind::State)
    }
}

pub(crate) const STATE_OF_PLANS: Parameter =
    state("US state, by its two-letter code or its name. Scopes the list to one state.");

const STATE_OF_LICENSE: Parameter =
    state("US state, by its two-letter code or its name. Matches licensure, not acceptance of new patients.");

pub(crate) const STATE_OF_VISIT_TYPES: Parameter =
    state("US state, by its two-letter code or its name. Omit it for the full catalog across all states.");

const STATE_OF_PATIENT: Parameter = Parameter {
    required: true,
    ask: "Which US state will you be in at the time of the visit? Please give its name or two-letter code.",
    ..state("US state, by its two-letter code or its name.")
};

const INSURANCE: Parameter = Parameter {
    doc: "An insurance plan from the insurances list. With a state, it must be accepted there.",
    label: "insurance plan",
    ask: "Please give the name of one insurance plan.",
    example: "Goldenrod PPO",
    ..optional("insurance", ParameterKind::Plan)
};

pub(crate) const PROVIDER_TYPE: Parameter = Parameter {
    doc: "The kind of clinician, in any case.",
    label: "clinician type",
    ask: "Please choose {words}.",
    example: "physician",
    ..optional("providerType", ParameterKind::Profession)
};

const GENDER: Parameter = Parameter {
    doc: "The clinician's stated gender, in any case.",
    label: "gender",
    ask: "Please choose the clinician's gender: female, male, non-binary, other, or prefer not to say.",
    example: "female",
    ..optional("gender", ParameterKind::Word(Gender::WORDS))
};

const PROVIDERS_LIMIT: Parameter = Parameter {
    doc: "At most this many clinicians: 1 to 100, default 10.",
    ask: "Please give the number of clinicians to show as a whole number, such as 10.",
    example: "5",
    ..optional("limit", ParameterKind::Count { default: 10, least: 1, most: 100 })
};

const OFFSET: Parameter = Parameter {
    doc: "How many matches to skip, default 0.",
    ask: "Please give the number of clinicians to skip as a whole number, such as 10.",
    example: "0",
    ..optional("offset", ParameterKind::Count { default: 0, least: 0, most: i64::MAX })
};

pub(crate) const SLUG: Parameter = Parameter {
    required: true,
    doc: "The clinician's slug: from a search result, or a slot's providerSlug.",
    label: "clinician",
    ask: "Which clinician do you mean? Search for one by state first.",
    example: "jane-doe",
    ..optional("slug", ParameterKind::PathSlug)
};

const APPOINTMENT_TYPE: Parameter = Parameter {
    doc: "A visit type's id, from the list of appointment types.",
    label: "visit type",
    ask: "Please choose a visit type from the list of visit types.",
    example: "101",
    ..optional("appointmentType", ParameterKind::VisitType)
};

const PROVIDER: Parameter = Parameter {
    doc: "A clinician's slug, to list only that clinician's slots.",
    label: "clinician",
    ask: "Please choose one clinician from a search.",
    example: "jane-doe",
    ..optional("provider", ParameterKind::Slug)
};

pub(crate) const HORIZON_DAYS: Parameter = Parameter {
    doc: "How many days ahead to look, from now: 1 to 30. Without it 14, from `from` if given.",
    ask: "Please give the number of days to look ahead as a whole number, such as 14.",
    example: "14",
    ..optional("horizonDays", ParameterKind::Count { default: 14, least: 1, most: MAX_HORIZON_DAYS })
};

const SLOTS_LIMIT: Parameter = Parameter {
    doc: "At most this many slots: 1 to 200, default 50.",
    ask: "Please give the number of times to show as a whole number, such as 50.",
    example: "50",
    ..optional("limit", ParameterKind::Count { default: 50, least: 1, most: 200 })
};

// From here on: parameters that the specification does not have.

const SEARCH_TEXT: Parameter = Parameter {
    doc: "Words to find in names, credentials, certifications, interests, and languages; typos are forgiven. \
        At most 64 characters and 8 words; all must match.",
    label: "name or interest",
    ask: "Please give a name or an interest to search for, in at most eight words and 64 letters.",
    example: "menopause",
    ..optional("q", ParameterKind::SearchText)
};

const LANGUAGE: Parameter = Parameter {
    doc: "A language of the clinician: its English name or two-letter code.",
    label: "language",
    ask: "Please name one language in English, such as Spanish.",
    example: "Spanish",
    ..optional("language", ParameterKind::Language)
};

const EXPLAIN: Parameter = Parameter {
    doc: "With true, the last field, reason, says why the list is empty.",
    ask: "Something went wrong with that request. Please ask again.",
    example: "true",
    ..optional("explain", ParameterKind::Flag)
};

const EXPLAIN_SLOTS: Parameter =
    Parameter { doc: "With true: names, visit types, how to book, or why the list is empty.", ..EXPLAIN };

pub(crate) const FROM: Parameter = Parameter {
    doc: "Only slots at this time or later: UTC (2026-12-01T22:00:00Z), or with timeZone a local date or \
        time (2026-12-01, 2026-12-01T15:00).",
    label: "start time",
    ask: "Please give a date, such as November 24 (2026-11-24).",
    example: "2026-11-24T17:00:00Z",
    ..optional("from", ParameterKind::Time)
};

pub(crate) const UNTIL: Parameter = Parameter {
    doc: "Only slots before this time, written like from; a date counts in full. At most 30 days from now.",
    label: "end time",
    ask: "Please give a date, such as November 30 (2026-11-30).",
    example: "2026-12-15T00:00:00Z",
    ..optional("until", ParameterKind::Time)
};

const TIME_ZONE: Parameter = Parameter {
    doc: "The patient's time zone (IANA, as in America/Phoenix): from and until may be local, and each slot gets a \
        localTime.",
    label: "time zone",
    ask: "Which time zone are you in? Please name it by a large city, such as America/Los_Angeles.",
    example: "America/Phoenix",
    ..optional("timeZone", ParameterKind::TimeZone)
};

pub(crate) const PART: Parameter = Parameter {
    doc: "Part of the day; needs timeZone: morning (before noon), afternoon (noon to 5 PM) or evening \
        (from 5 PM).",
    label: "part of the day",
    ask: "Please choose morning, afternoon, or evening, and say which time zone you are in.",
    example: "evening",
    ..optional("part", ParameterKind::Word(Part::WORDS))
};

const AFTER: Parameter = Parameter {
    doc: "The `next` of a truncated list; keep the other arguments.",
    ask: "Please start over from the beginning of the list.",
    example: "AQAAAABrBcKQHzpcfpCy1PYvOlx-kLLU9o86XH6QstT2PzpcfpCy1PY",
    ..optional("after", ParameterKind::Cursor)
};

const ONE_PER: Parameter = Parameter {
    doc: "With provider, only each clinician's first slot is listed.",
    ask: "Please leave it out, or use the word provider.",
    example: "provider",
    ..optional("onePer", ParameterKind::Word(OnePer::WORDS))
};

const NEW_PATIENTS: Parameter = Parameter {
    doc: "With true, only slots of visit types open to new patients.",
    ask: "I couldn't tell whether this is a first visit. Are you a new patient?",
    example: "true",
    ..optional("newPatients", ParameterKind::Flag)
};

/// An argument of a tool alone: over REST the summaries have a path of their own.
pub(crate) const VIEW: Parameter = Parameter {
    doc: "summary leaves out biography, education, certifications, plans, and visit types, so that 100 clinicians fit.",
    ask: "Please choose profile or summary.",
    example: "summary",
    ..optional("view", ParameterKind::Word(View::WORDS))
};
