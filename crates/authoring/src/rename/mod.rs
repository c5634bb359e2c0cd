//! Gives a clinician's file or a plan another name, wherever it is mentioned.
//!
//! Either every file is changed or none. The content is checked as it will be, and is not worse afterwards. What was
//! confirmed and accepted stays so: the hashes in `[confirmed]` and the names of accepted findings in `allow.toml` are
//! those of the new name.

mod carried;
mod plan;
mod provider;

use directory::told::Refusal;

use crate::edit::Edits;

pub use carried::carry;
pub use plan::rename as rename_plan;
pub use provider::rename as rename_provider;

/// What is renamed, and the lines that say what changes.
pub struct Renaming<'a> {
    pub old: &'a str,
    pub new: &'a str,
    pub edits: Edits,
    pub told: Vec<String>,
}

impl Renaming<'_> {
    /// Edits one; true if changed.
    fn edit(
        &mut self,
        path: &str,
        edit: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<bool, Refusal> {
        let Some(before) = self.edits.planned(path)? else { return Ok(false) };
        let (mark, body) = match before.strip_prefix('\u{feff}') {
            Some(body) => ("\u{feff}", body),
            None => ("", before.as_str()),
        };
        let after = edit(body)
            .map_err(|why| Refusal::new(format!("{path} was not edited, and no other file: {why}")))?;
        let after = format!("{mark}{after}");
        let changes = after != before;
        self.edits.plan(path, Some(after))?;
        Ok(changes)
    }
}
