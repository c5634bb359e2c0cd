//! The request parameters: their names, and each definition once.

use super::{Parameter, ParameterKind};
use crate::calendar::MAX_HORIZON_DAYS;
use crate::model::{Gender, ProviderType};

/// The names. `state` and `limit` have a definition for each operation that describes them differently.
pub(crate) mod parameter {
    pub(crate) const STATE: &str = "state";
    pub(crate) const INSURANCE: &str = "insurance";
    pub(crate) const PROVIDER_TYPE: &str = "providerType";
    pub(crate) const GENDER: &str = "gender";
    pub(crate) const LIMIT: &str = "limit";
    pub(crate) const OFFSET: &str = "offset";
    pub(crate) const SLUG: &str = "slug";
    pub(crate) const APPOINTMENT_TYPE: &str = "appointmentType";
    pub(crate) const PROVIDER: &str = "provider";
    pub(crate) const HORIZON_DAYS: &str = "horizonDays";
    pub(crate) const SEARCH_TEXT: &str = "q";
    pub(crate) const LANGUAGE: &str = "language";
    pub(crate) const EXPLAIN: &str = "explain";
    pub(crate) const FROM: &str = "from";
    pub(crate) const ONE_PER: &str = "onePer";
    pub(crate) const NEW_PATIENTS: &str = "newPatients";
    pub(crate) const VIEW: &str = "view";
}

const ASK_STATE: &str = "Please give a US state name or two-letter code.";

const fn optional(name: &'static str, kind: ParameterKind) -> Parameter {
    Parameter { name, kind, required: false, doc: "", label: "", ask: "", example: "" }
}

/// A state that narrows a list; each operation describes how.
const fn state(doc: &'static str) -> Parameter {
    Parameter {
        doc,
        label: "US state",
        ask: ASK_STATE,
        example: "CA",
        ..optional(parameter::STATE, ParameterKind::State)
    }
}

pub(super) const STATE_OF_PLANS: Parameter =
    state("US state: a two-letter code or the full name, in any case. Scopes the list to one state.");

pub(super) const STATE_OF_LICENCE: Parameter = state(
    "US state: a two-letter code or the full name, in any case. Matches licensure, not acceptance of new patients.",
);

pub(super) const STATE_OF_VISIT_TYPES: Parameter = state(
    "US state: a two-letter code or the full name, in any case. Omit it for the full catalogue across all states.",
);

pub(super) const STATE_OF_PATIENT: Parameter = Parameter {
    required: true,
    ask: "Which US state will you be in at the time of the visit? Please give its name or two-letter code.",
    ..state("US state: a two-letter code or the full name, in any case.")
};

pub(super) const INSURANCE: Parameter = Parameter {
    doc: "An insurance plan, as the insurances list names it, in any case. With a state, the plan must be accepted \
        there.",
    label: "insurance plan",
    ask: "Please give the name of one insurance plan.",
    example: "Goldenrod PPO",
    ..optional(parameter::INSURANCE, ParameterKind::Plan)
};

pub(super) const PROVIDER_TYPE: Parameter = Parameter {
    doc: "The kind of clinician, in any case: physician or nursePractitioner.",
    label: "kind of clinician",
    ask: "Please choose a kind of clinician: physician or nurse practitioner.",
    example: "physician",
    ..optional(parameter::PROVIDER_TYPE, ParameterKind::Word(ProviderType::WORDS))
};

pub(super) const GENDER: Parameter = Parameter {
    doc: "The clinician's stated gender, in any case: female, male, nonBinary, other or preferNotToSay.",
    label: "gender",
    ask: "Please choose the clinician's gender: female, male, non-binary, other or prefer not to say.",
    example: "female",
    ..optional(parameter::GENDER, ParameterKind::Word(Gender::WORDS))
};

pub(super) const PROVIDERS_LIMIT: Parameter = Parameter {
    doc: "How many clinicians to return at most: 1 to 100, 10 when not given.",
    label: "how many clinicians to show",
    ask: "Please give the number of clinicians to show as a whole number, such as 10.",
    example: "5",
    ..optional(parameter::LIMIT, ParameterKind::Count { default: 10, least: 1, most: 100 })
};

pub(super) const OFFSET: Parameter = Parameter {
    doc: "How many matching clinicians to skip: 0 when not given.",
    label: "how many clinicians to skip",
    ask: "Please give the number of clinicians to skip as a whole number, such as 10.",
    example: "0",
    ..optional(parameter::OFFSET, ParameterKind::Count { default: 0, least: 0, most: i64::MAX })
};

pub(super) const SLUG: Parameter = Parameter {
    required: true,
    doc: "The clinician's slug: from a search result, or a slot's providerSlug.",
    label: "clinician",
    ask: "Which clinician do you mean? Search for one by state first.",
    example: "jane-doe",
    ..optional(parameter::SLUG, ParameterKind::PathSlug)
};

pub(super) const APPOINTMENT_TYPE: Parameter = Parameter {
    doc: "A visit type's id, from the list of appointment types. An unknown id finds no slots.",
    label: "visit type",
    ask: "Please choose a visit type from the list of visit types.",
    example: "101",
    ..optional(parameter::APPOINTMENT_TYPE, ParameterKind::VisitType)
};

pub(super) const PROVIDER: Parameter = Parameter {
    doc: "A clinician's slug. Restricts the slots to that clinician.",
    label: "clinician",
    ask: "Please choose one clinician from a search.",
    example: "jane-doe",
    ..optional(parameter::PROVIDER, ParameterKind::Slug)
};

pub(super) const HORIZON_DAYS: Parameter = Parameter {
    doc: "How many days ahead to look: 1 to 30, 14 when not given.",
    label: "how many days ahead to look",
    ask: "Please give the number of days to look ahead as a whole number, such as 14.",
    example: "14",
    ..optional(
        parameter::HORIZON_DAYS,
        ParameterKind::Count { default: 14, least: 1, most: MAX_HORIZON_DAYS },
    )
};

pub(super) const SLOTS_LIMIT: Parameter = Parameter {
    doc: "How many slots to return at most: 1 to 200, 50 when not given.",
    label: "how many times to show",
    ask: "Please give the number of times to show as a whole number, such as 50.",
    example: "50",
    ..optional(parameter::LIMIT, ParameterKind::Count { default: 50, least: 1, most: 200 })
};

// From here on: parameters that the specification does not have.

pub(super) const SEARCH_TEXT: Parameter = Parameter {
    doc: "Words to find in names, credentials, clinical interests and languages; typing mistakes are forgiven. \
        At most 64 characters and 8 words; all must match.",
    label: "words to search for",
    ask: "Please give a name or an interest to search for, in at most eight words.",
    example: "menopause",
    ..optional(parameter::SEARCH_TEXT, ParameterKind::SearchText)
};

pub(super) const LANGUAGE: Parameter = Parameter {
    doc: "A language that the clinician speaks: its English name or two-letter code.",
    label: "language",
    ask: "Please name one language in English, such as Spanish.",
    example: "Spanish",
    ..optional(parameter::LANGUAGE, ParameterKind::Language)
};

pub(super) const EXPLAIN: Parameter = Parameter {
    doc: "With true, a last field named reason says why the list is empty.",
    label: "whether to explain an empty list",
    ask: "Please say true or false.",
    example: "true",
    ..optional(parameter::EXPLAIN, ParameterKind::Flag)
};

pub(super) const FROM: Parameter = Parameter {
    doc: "Only slots that start at this time or later: UTC, as in 2026-12-01T22:00:00Z. horizonDays counts from \
        now.",
    label: "earliest time",
    ask: "Please give the earliest time in UTC, such as 2026-12-01T22:00:00Z.",
    example: "2026-11-24T17:00:00Z",
    ..optional(parameter::FROM, ParameterKind::Time)
};

pub(super) const ONE_PER: Parameter = Parameter {
    doc: "With provider, only each clinician's first slot is listed.",
    label: "one time for each clinician",
    ask: "Please leave it out, or give the word provider.",
    example: "provider",
    ..optional(parameter::ONE_PER, ParameterKind::Word(&["provider"]))
};

pub(super) const NEW_PATIENTS: Parameter = Parameter {
    doc: "With true, only slots of visit types that new patients may book.",
    label: "whether the patient is new",
    ask: "Please say true or false.",
    example: "true",
    ..optional(parameter::NEW_PATIENTS, ParameterKind::Flag)
};

/// An argument of a tool alone: over REST the summaries have a path of their own.
pub(super) const VIEW: Parameter = Parameter {
    doc: "summary leaves out biography, education, certifications, plans and visit types, so that 100 clinicians fit. \
        profile is the default.",
    label: "summary or whole profile",
    ask: "Please choose profile or summary.",
    example: "summary",
    ..optional(parameter::VIEW, ParameterKind::Word(&["profile", "summary"]))
};
