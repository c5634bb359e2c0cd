//! The tables about the truth of the content.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{DateValue, Located, Text};

/// How entries are confirmed.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct AccuracyTable {
    /// The law whose defaults apply.
    #[schemars(required, extend("enum" = crate::model::LawProfile::WORDS))]
    pub(in super::super) profile: Text,
    /// How long a confirmation is valid, such as "90d"; by default, as long as the law says.
    pub(in super::super) confirm_within: Text,
    /// When a clinician is asked again, such as "60d".
    pub(in super::super) ask_after: Text,
    /// What is proposed for an entry that was not confirmed in time; default "ask".
    #[schemars(extend("enum" = crate::model::WhenLapsed::WORDS))]
    pub(in super::super) when_lapsed: Text,
    /// Private: where a clinician's answer goes: mailto or https, with {code}.
    pub(in super::super) confirm_url: Text,
    /// Where patients report a mistake: https, perhaps with {slug}.
    pub(in super::super) report_url: Text,
    /// Results of asking about a random sample.
    #[serde(default)]
    pub(in super::super) sample: Vec<Located<SampleTable>>,
}

/// The result of asking about a random sample.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct SampleTable {
    /// The day when it was finished.
    #[schemars(required)]
    pub(in super::super) on: Option<Located<DateValue>>,
    /// How many clinicians you asked about.
    #[schemars(required)]
    pub(in super::super) asked: Option<Located<i64>>,
    /// For how many of them every fact was right.
    #[schemars(required)]
    pub(in super::super) right: Option<Located<i64>>,
}

/// A license in one state.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct LicenseTable {
    /// The state's code.
    #[schemars(required, extend("x-editor" = {"as": "states"}))]
    pub(in super::super) state: Text,
    /// The number, as the board writes it.
    #[schemars(required)]
    pub(in super::super) number: Text,
    /// What it is; default "license". "licence" means the same.
    #[schemars(extend("enum" = ["license", "telehealth-registration", "compact", "licence"], "x-editor" = {"labels": ["License", "Telehealth registration", "Compact"]}))]
    pub(in super::super) kind: Text,
    /// The last day on which it is valid.
    #[schemars(extend("x-editor" = {"label": "Valid until"}))]
    pub(in super::super) expires: Option<Located<DateValue>>,
}

/// Who confirmed the facts of this file, and when.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct ConfirmedTable {
    /// The day.
    #[schemars(required)]
    pub(in super::super) on: Option<Located<DateValue>>,
    /// Who confirmed.
    #[schemars(required, extend("enum" = crate::model::Attester::WORDS))]
    pub(in super::super) by: Text,
    /// Hashes of the facts that were confirmed; `nameplate attest` writes them.
    pub(in super::super) facts: Text,
    /// How the answer came.
    pub(in super::super) how: Text,
}

/// A finding of `nameplate audit` that is accepted.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct AllowedFindingTable {
    /// The finding's name, as the audit shows it.
    #[schemars(required)]
    pub(in super::super) finding: Text,
    /// Why it is accepted.
    #[schemars(required)]
    pub(in super::super) reason: Text,
    /// The last day on which it is accepted.
    #[schemars(required)]
    pub(in super::super) until: Option<Located<DateValue>>,
}
