//! Publishes a [`Snapshot`](directory::api::Snapshot) as a folder that any static file host can serve.
//!
//! - [`plan()`] lists the requests whose answers are published as files, and the path of each file. Each file is the
//!   body of `Snapshot::answer`, so files and the live service cannot disagree.
//! - `pages` makes HTML with Tera, and files for programs such as llms.txt; `site` holds the templates.
//! - `portraits` makes the sizes of portraits that pages show.
//! - `openapi` describes the API.
//! - `mistakes` is the page that takes the site's place while the content has errors.
//! - `edge` writes the host's routing and header rules.
//! - `publish` is the published tree: `write` renders on all threads, writes the files that differ, and publishes the new
//!   tree in one atomic step; no other module writes files. `manifest` lists the published files, `changes` and `summary`
//!   describe what differs, and `retire` lists the slugs that content must keep reserved.
//! - [`build()`] combines these.
//!
//! This crate opens no socket and does not use the live service. Output depends on the content and the site alone: it
//! contains no time and no path of the machine. The clock is read only to name replaced trees and to remove old ones
//! (`publish/write/aside`).

mod build;
mod compress;
mod edge;
mod error;
mod examples;
mod json;
mod mistakes;
mod openapi;
mod options;
mod pages;
mod path;
mod plan;
mod portraits;
mod publish;
mod read;
mod site;

#[cfg(test)]
mod test_fixture;

pub use build::{Progress, build, build_with_progress, preview};
pub use edge::{EdgeError, Target};
pub use error::BuildError;
pub use mistakes::{Mistake, MistakesPage, mistakes_page};
pub use options::BuildOptions;
pub use pages::{PageError, TextError};
pub use path::{PathError, TreePath};
pub use plan::{Plan, file, plan};
pub use publish::{MANIFEST_PATH, Manifest, ManifestEntry, Sha256Digest, Summary, WriteError};
pub use read::ReadError;
pub use site::{SiteError, embedded as embedded_site};
