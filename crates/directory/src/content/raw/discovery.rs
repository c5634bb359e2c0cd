//! What helps programs outside find the clinic.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{DateValue, Located, Text};

/// Where to report a vulnerability. It is published as security.txt.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct SecurityTable {
    /// An address, such as "mailto:security@example.org" or an https address.
    #[schemars(required)]
    pub(in super::super) contact: Text,
    /// The last day on which it is valid.
    #[schemars(required)]
    pub(in super::super) expires: Option<Located<DateValue>>,
}

/// Pages that every page links to. App directories require the first three.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct NoticesTable {
    /// The https address of the privacy policy.
    pub(in super::super) privacy: Text,
    /// The https address of the terms of use.
    pub(in super::super) terms: Text,
    /// Where people get help: an address that begins with https:, mailto: or tel:.
    pub(in super::super) support: Text,
    /// The https address of the notice of nondiscrimination.
    pub(in super::super) nondiscrimination: Text,
    /// The https address of the notice of help in other languages.
    pub(in super::super) languages: Text,
    /// The https address of the accessibility statement.
    pub(in super::super) accessibility: Text,
}

/// How the clinic is listed in the assistants' app directories.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct ListingTable {
    /// The text that proves that the host is yours, as an assistant store asks for it.
    pub(in super::super) openai_challenge: Text,
    /// The name in lists, of at most 30 characters.
    pub(in super::super) display_name: Text,
    /// What it is for, in at most 30 characters.
    pub(in super::super) subtitle: Text,
    /// One of ChatGPT's categories, in capitals.
    pub(in super::super) category: Text,
    /// Three to five questions that people may begin with.
    pub(in super::super) prompts: Option<Located<Vec<Located<String>>>>,
}

/// What robots.txt says besides allowing everything.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct RobotsTable {
    /// Whether AI models may be trained on the pages.
    pub(in super::super) ai_train: Option<Located<bool>>,
}
