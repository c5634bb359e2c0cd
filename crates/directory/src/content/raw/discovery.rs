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

/// How the clinic is listed in the stores of assistants.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct ListingTable {
    /// The text that proves that the host is yours, as a store of assistants asks for it.
    pub(in super::super) openai_challenge: Text,
}

/// What robots.txt says besides that everything may be read.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct RobotsTable {
    /// Whether AI models may be trained with the pages.
    pub(in super::super) ai_train: Option<Located<bool>>,
}
