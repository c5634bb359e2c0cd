//! The content folder: TOML files in, a checked [`Directory`](crate::Directory) or a report out.
//!
//! `load` is the only file reading; `raw` is the files as they are written; `parse` gets from the one to the
//! other with every mistake; `check` decides. Problems are collected, never thrown: one run tells them all.

mod check;
mod fingerprint;
mod generation;
mod lines;
mod load;
mod parse;
mod passed_over;
mod picture;
mod problem;
mod raw;
mod report;
mod schema;
mod words;

use std::path::Path;

use chrono::NaiveDate;

pub use check::{Checked, FolderFeed};
pub use fingerprint::Fingerprint;
pub use load::{LARGEST_PORTRAIT, LoadError};
pub use problem::{Problem, Severity};
pub use report::{Position, Replacement, Report};
pub use schema::schemas;

use crate::calendar::FeedMode;
use load::FeedIs;

/// Why a content folder gave no directory.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    /// The folder cannot be read at all.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Something in it is wrong.
    #[error("the content has {} errors", .0.errors())]
    Invalid(Box<Report>),
}

/// Where in a content folder a feed of this mode is found, if it is there.
#[must_use]
pub fn feed_path(mode: FeedMode) -> &'static str {
    match mode {
        FeedMode::Open => load::OPEN_PATH,
        FeedMode::Busy => load::BUSY_PATH,
    }
}

/// Loads a content folder and checks it whole. `today` tells which exceptions are past; it decides about
/// warnings alone.
///
/// # Errors
/// The folder cannot be read, or something in it is wrong: then the report has everything that is.
pub fn load_and_check(folder: &Path, today: NaiveDate) -> Result<Checked, ContentError> {
    load_with(folder, today, FeedIs::Judged)
}

/// The same for whoever listens to the folder's feed already: what is wrong in its lines is told there, keeps what
/// was last good, and must not hold back an edit of the content. [`Checked::feed`] is `None`.
///
/// # Errors
/// As of [`load_and_check`], without what is wrong in the feed.
pub fn load_and_check_beside_feed(folder: &Path, today: NaiveDate) -> Result<Checked, ContentError> {
    load_with(folder, today, FeedIs::ListenedTo)
}

fn load_with(folder: &Path, today: NaiveDate, feed: FeedIs) -> Result<Checked, ContentError> {
    let (sources, problems) = load::load(folder, feed)?;
    check::check(sources, problems, today).map_err(|report| ContentError::Invalid(Box::new(report)))
}
