//! Reads and writes `history.ndjson`, which has one line for each audit. It is not in the content folder.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use audit::AuditSource;
use directory::content::{OpenError, read_linked};
use directory::statements::Strength;
use directory::told::reason;
use serde_json::{Value, json};

use super::report::Report;
use crate::outcome::Refusal;

/// Enough for one line a week for centuries.
const MAX_BYTES: u64 = 16 << 20;

pub(super) fn read(path: &Path) -> Result<Vec<Value>, Refusal> {
    let shown = path.display();
    let refused = |why: &dyn Display| Refusal::new(format!("{shown} can't be read: {why}"));
    let bytes = match read_linked(path, MAX_BYTES) {
        Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|error| refused(&error))?,
    };
    let text = String::from_utf8(bytes).map_err(|error| refused(&error))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parsed = lines.map(|(at, line)| {
        serde_json::from_str(line).map_err(|error| {
            Refusal::new(format!("{shown}:{}:{}: {error}; delete this line", at + 1, error.column()))
        })
    });
    parsed.collect()
}

/// Returns the row count of each source from the last line that has it.
pub(super) fn last_row_counts(history: &[Value]) -> BTreeMap<String, u64> {
    let rows = history.iter().filter_map(|line| line["sources"].as_object()).flatten();
    rows.filter_map(|(file, rows)| Some((file.clone(), rows.as_u64()?))).collect()
}

pub(super) fn line(report: &Report<'_>, sources: &[AuditSource]) -> Value {
    let number = |strength| report.audit.with_strength(strength).count();
    let rejected = &report.audit.rejected;
    // The next audit must compare with the last count that was plausible.
    let is_rejected = |source: &AuditSource| rejected.iter().any(|(file, _)| *file == source.file);
    let row_count = |source: &AuditSource| {
        if is_rejected(source) { source.previous_row_count } else { Some(source.row_count) }
    };
    let counts = sources.iter().filter_map(|source| Some((source.file.clone(), json!(row_count(source)?))));
    let sources: serde_json::Map<_, _> = counts.collect();
    json!({
        "on": report.today.to_string(),
        "certain": number(Strength::Certain),
        "likely": number(Strength::Likely),
        "held": rejected.len(),
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
        // In one write, so that a killed process does not leave half a line.
        file.write_all(format!("{line}\n").as_bytes())
    };
    write().map_err(|error| Refusal::new(format!("{} can't be written: {}", path.display(), reason(&error))))
}
