//! Edits content files: `text` one value of one file, in place; `folder` several files at once.

mod folder;
mod journal;
mod list;
pub mod text;

pub use folder::{Edits, finish_begun, refuse_unfinished, unedited};
pub use text::NewValue;
