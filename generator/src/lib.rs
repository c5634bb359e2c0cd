//! The generator: from a [`Snapshot`](directory::api::Snapshot) to a folder that any host of static files
//! can serve.
//!
//! The walls of this crate:
//!
//! - [`plan()`] says which questions have their answer published as a file, and where. JSON is never made
//!   here: each file is the body of `Snapshot::answer`, so a file and live cannot disagree.
//! - `pages` makes the HTML that people read, by Tera, from those same answers, and the files beside it that
//!   programs read; `site` holds its templates.
//! - `openapi` describes the API from the same operations and types.
//! - `edge` writes the host's rules from the operations, typed, so that no value can break a line.
//! - `write` renders on all threads, writes what differs, and shows the new tree in one atomic step. It is
//!   the only room that writes. `manifest` lists what is published, `changes` tells in words what differs, and
//!   `retire` tells whom content has to remember.
//! - [`build()`] puts them together, and [`build_folder`] is a whole command: it does nothing where `inputs`, all of
//!   them as one hash, are those of the tree that is published.
//!
//! What the crate does not do: open a socket, read a clock, or know live. No output holds a path of the
//! machine, a time or anything else that is not in the content or the site.

mod build;
mod changes;
mod compress;
mod edge;
mod examples;
mod folder;
mod inputs;
mod manifest;
mod openapi;
mod options;
mod pages;
mod path;
mod plan;
mod read;
mod retire;
mod site;
mod summary;
mod write;

#[cfg(test)]
mod fixture;

pub use build::{BuildError, Progress, build, preview};
pub use edge::{EdgeError, Target};
pub use folder::build_folder;
pub use manifest::{MANIFEST_PATH, Manifest, ManifestEntry, Sha256Digest};
pub use options::BuildOptions;
pub use pages::PageError;
pub use path::{PathError, TreePath};
pub use plan::{Plan, PlanEntry, PlanError, file, plan};
pub use read::ReadError;
pub use site::{SiteError, embedded as embedded_site};
pub use summary::Summary;
pub use write::WriteError;
