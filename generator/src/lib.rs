//! Publishes a [`Snapshot`](directory::api::Snapshot) as a folder that any static file host can serve.
//!
//! Each of [`answer_files()`] is the body of `Snapshot::answer`, so files and the live service cannot disagree. `pages`
//! makes HTML, `openapi` and `documents` what programs read, `edge` the host's rules. `publish` exchanges the trees in one
//! atomic step; only its module `write` writes files. The output depends only on the content, the site, the previous tree
//! and the time that the options name.

mod answers;
mod build;
mod compress;
mod documents;
mod edge;
mod error;
mod examples;
mod json;
mod mistakes;
mod openapi;
mod options;
mod pages;
mod path;
mod portraits;
mod publish;
mod read;
mod site;
mod webmcp;

#[cfg(test)]
mod test_fixture;

pub use answers::{AnswerFiles, answer_files, answer_path};
pub use build::{Progress, build, build_with_progress, preview};
pub use documents::documents;
pub use edge::{EdgeError, Target};
pub use error::BuildError;
pub use mistakes::{Mistake, MistakesPage, mistakes_page};
pub use options::BuildOptions;
pub use pages::{PageError, TextError};
pub use path::{PathError, TreePath};
pub use publish::{MANIFEST_PATH, Manifest, ManifestEntry, Summary, Watching, WriteError};
pub use read::ReadError;
pub use site::{SiteError, embedded as embedded_site};
