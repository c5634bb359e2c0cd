//! Parses `audit.toml`: the sources to compare with the content, and the meaning of their columns and words.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

use crate::outcome::Refusal;
use authoring::near::reword_serde_error;
use directory::content::{meaning_of_syntax_error, read_linked};

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
#[serde(untagged, expecting = "invalid column, expected columns")]
pub(super) enum Columns {
    One(String),
    Several(Vec<String>),
}

pub(super) fn read(path: &Path) -> Result<(String, Vec<Spanned<SourceTable>>), Refusal> {
    let refused = |why: &dyn Display| Refusal::new(format!("{} can't be used: {why}", path.display()));
    let bytes = read_linked(path, MAX_BYTES).map_err(|error| refused(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| refused(&error))?;
    let at = |error: &toml::de::Error, what: &str| {
        let line = error.span().map_or(0, |span| text[..span.start].matches('\n').count()) + 1;
        Refusal::new(format!("{}:{line}: {what}", path.display()))
    };
    let parsed = DeTable::parse(&text).map_err(|error| {
        let (what, help) = meaning_of_syntax_error(error.message());
        at(&error, &format!("{what} {help}"))
    })?;
    let file = AuditFile::deserialize(Deserializer::from(parsed)).map_err(|error| {
        let (what, help) = reword_serde_error(error.message());
        at(&error, &help.map_or(what.clone(), |help| format!("{what}: {help}")))
    })?;
    Ok((text, file.source))
}
