//! Renames a clinician's file or an insurance plan wherever the name is used: in every file, or in none if the new content
//! has errors. `carry_over` keeps confirmations and accepted findings valid.

mod carry_over;
mod plan;
mod provider;

use directory::told::Refusal;

use crate::edit::Edits;
use crate::edit::text::split_byte_order_mark;

pub use carry_over::carry_over;
pub use plan::rename as rename_plan;
pub use provider::rename as rename_provider;

pub struct Renaming<'a> {
    pub old: &'a str,
    pub new: &'a str,
    /// Whether these are the slugs of a clinician, and not the names of a plan.
    pub renames_clinician: bool,
    pub edits: Edits,
    pub messages: Vec<String>,
}

impl Renaming<'_> {
    fn edit(
        &mut self,
        path: &str,
        edit: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<bool, Refusal> {
        let Some(before) = self.edits.edited_text(path)? else { return Ok(false) };
        let (mark, body) = split_byte_order_mark(&before);
        let after = edit(body)
            .map_err(|why| Refusal::new(format!("{path} can't be edited, so nothing was changed: {why}")))?;
        let after = format!("{mark}{after}");
        let is_changed = after != before;
        self.edits.set_text(path, Some(after))?;
        Ok(is_changed)
    }
}
