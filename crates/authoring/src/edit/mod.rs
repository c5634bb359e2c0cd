//! Edits content files. `text` edits a value in the text of one file. `folder` edits several files at once.

mod folder;
mod journal;
pub(crate) mod list;
pub mod text;

pub use folder::{Edits, finish_interrupted_edit, read_between_edits, refuse_unfinished_edit};
pub use text::NewValue;
