//! Publishes a [`Snapshot`](directory::api::Snapshot) as a folder that any static file host can serve.
//!
//! - [`answer_files()`] lists the requests whose answers are published as files, and the path of each file. Each file is the
//!   body of `Snapshot::answer`, so files and the live service cannot disagree.
//! - `pages` makes HTML with Tera, and files for programs such as llms.txt. `site` has the templates.
//! - `portraits` makes the two sizes of photographs that pages show.
//! - `openapi` describes the API, and `documents` makes that and the other documents by which programs find it.
//! - `mistakes` makes the page that replaces the site while the content has errors.
//! - `edge` writes the host's routing and header rules.
//! - `publish` publishes the tree. Its module `write` renders on all threads, writes the files that differ, and exchanges the
//!   trees in one atomic step. No other module writes files. `manifest` lists the published files, `changes` and `summary`
//!   describe the differences, and `retire` tells editors which slugs to reserve.
//! - [`build()`] combines these.
//!
//! This crate opens no socket. Its output depends only on the content and the site, and its list of changes on the previous tree
//! and the time that the options name: it contains no path of this computer. Only `publish/write/aside` reads the clock, to name and remove replaced trees.

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
