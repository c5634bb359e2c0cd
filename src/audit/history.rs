//! `history.ndjson`: a line for each audit, outside the content. A source is compared with the last line that has it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use audit::Source;
use directory::content::{OpenError, read_linked};
use serde_json::{Value, json};

use super::report::Report;
use crate::outcome::Refusal;

/// The largest history, in bytes: a weekly line for some centuries.
const LARGEST: u64 = 16 << 20;

/// Reads the lines; none if there is no file yet.
pub(super) fn read(path: &Path) -> Result<Vec<Value>, Refusal> {
    let shown = path.display();
    let refused = |why: &dyn Display| Refusal::new(format!("{shown} cannot be read: {why}"));
    let bytes = match read_linked(path, LARGEST) {
        Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|error| refused(&error))?,
    };
    let text = String::from_utf8(bytes).map_err(|error| refused(&error))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parsed = lines.map(|(at, line)| {
        serde_json::from_str(line).map_err(|error| {
            Refusal::new(format!("{shown}:{}:{}: {error}: delete this line", at + 1, error.column()))
        })
    });
    parsed.collect()
}

/// The rows of each source the last time that it was read.
pub(super) fn rows_before(history: &[Value]) -> BTreeMap<String, u64> {
    let rows = history.iter().filter_map(|line| line["sources"].as_object()).flatten();
    rows.filter_map(|(file, rows)| Some((file.clone(), rows.as_u64()?))).collect()
}

pub(super) fn line(report: &Report<'_>, sources: &[Source]) -> Value {
    let number = |strength| report.audit.of(strength).count();
    // A source that was held back keeps the number of rows with which it is compared.
    let is_held = |source: &&Source| report.audit.held.iter().any(|(file, _)| *file == source.file);
    let rows = |source: &Source| if is_held(&source) { source.rows_before } else { Some(source.rows) };
    let sources: serde_json::Map<_, _> =
        sources.iter().filter_map(|source| Some((source.file.clone(), json!(rows(source)?)))).collect();
    json!({
        "on": report.today.to_string(),
        "certain": number(directory::statements::Strength::Certain),
        "likely": number(directory::statements::Strength::Likely),
        "held": report.audit.held.len(),
        "confirmations": report.confirmations(),
        "sources": sources,
    })
}

#[expect(clippy::disallowed_methods, reason = "the history is a file of this command")]
pub(super) fn append(path: &Path, line: &Value) -> Result<(), Refusal> {
    let write = || -> io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        // One write, so that a kill leaves no half of a line.
        file.write_all(format!("{line}\n").as_bytes())
    };
    write().map_err(|error| Refusal::new(format!("{} cannot be written: {error}", path.display())))
}
