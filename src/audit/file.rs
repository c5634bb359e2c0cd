//! Parses `audit.toml`: the sources to compare with the content, and the meaning of their columns and words.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::outcome::Refusal;
use directory::content::read_linked;

const MAX_BYTES: u64 = 1 << 20;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AuditFile {
    #[serde(default)]
    source: Vec<Spanned<SourceTable>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SourceTableKind {
    Registry,
    Board,
    Roster,
    Exclusions,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SourceTable {
    pub(super) kind: SourceTableKind,
    pub(super) file: String,
    pub(super) as_of: toml::value::Datetime,
    #[serde(default)]
    pub(super) columns: BTreeMap<String, Columns>,
    pub(super) state: Option<String>,
    #[serde(default)]
    pub(super) types: Vec<String>,
    pub(super) plan: Option<String>,
    pub(super) states: Option<Vec<String>>,
    #[serde(default)]
    pub(super) complete: bool,
    #[serde(default)]
    pub(super) good: Vec<String>,
    #[serde(default)]
    pub(super) bad: Vec<String>,
}

/// One column, or several whose values belong together, such as the first and last name.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Columns {
    One(String),
    Several(Vec<String>),
}

pub(super) fn read(path: &Path) -> Result<(String, Vec<Spanned<SourceTable>>), Refusal> {
    let refused = |why: &dyn Display| Refusal::new(format!("{} cannot be used: {why}", path.display()));
    let bytes = read_linked(path, MAX_BYTES).map_err(|error| refused(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| refused(&error))?;
    let file: AuditFile = toml::from_str(&text).map_err(|error| refused(&error))?;
    Ok((text, file.source))
}
