//! What only the exports for FHIR clients have.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Located, Text};

/// The exports for FHIR clients.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in super::super) struct StandardsTable {
    /// Whether the exports include the clinicians' NPIs; by default, they don't.
    pub(in super::super) publish_npis: Option<Located<bool>>,
    /// The organization's own NPI.
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
