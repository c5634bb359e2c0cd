//! What is only in the exports to healthcare's own readers.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Located, Text};

/// The exports to healthcare's own readers.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct StandardsTable {
    /// Whether the exports have the clinicians' NPIs; without it, they do not.
    pub(in super::super) publish_npis: Option<Located<bool>>,
    /// The organisation's own NPI.
    pub(in super::super) npi: Text,
}

/// A specialty of the NUCC's taxonomy.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct SpecialtyTable {
    /// Its code, such as "207V00000X".
    #[schemars(required)]
    pub(in super::super) code: Text,
    /// Its name, such as "Obstetrics & Gynecology".
    #[schemars(required)]
    pub(in super::super) name: Text,
}
