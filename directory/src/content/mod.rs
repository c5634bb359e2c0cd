//! Reads a content folder: TOML files in, a checked [`Directory`](crate::Directory) or a report out.
//!
//! `load` reads the files, `parse` turns their text into the types of `raw`, and `check` judges them. Problems are
//! collected, so that one run reports all of them.

mod check;
mod fingerprint;
mod generation;
mod lines;
mod load;
mod open;
mod parse;
mod passed_over;
mod picture;
mod problem;
mod problems;
mod raw;
mod report;
mod schema;
mod words;

use std::path::Path;

use chrono::NaiveDate;

pub use check::{Checked, FolderFeed};
pub use fingerprint::Fingerprint;
pub use load::{LARGEST_PORTRAIT, LoadError};
pub use open::{Folder, OpenError, open_linked};
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

/// The path in a content folder of a feed of this mode.
#[must_use]
pub fn feed_path(mode: FeedMode) -> &'static str {
    match mode {
        FeedMode::Open => load::OPEN_PATH,
        FeedMode::Busy => load::BUSY_PATH,
    }
}

/// Loads a content folder and checks all of it. `today` decides about warnings alone, such as that of a past exception.
///
/// # Errors
/// The folder cannot be read, or the content has errors: then the report lists every problem.
pub fn load_and_check(folder: &Path, today: NaiveDate) -> Result<Checked, ContentError> {
    load_with(folder, today, FeedIs::Judged)
}

/// The same for a service that listens to the folder's feed itself. Errors in the feed's lines are reported there and
/// do not hold back an edit of the content. [`Checked::feed`] is `None`.
///
/// # Errors
/// As for [`load_and_check`], without the errors of the feed.
pub fn load_and_check_beside_feed(folder: &Path, today: NaiveDate) -> Result<Checked, ContentError> {
    load_with(folder, today, FeedIs::ListenedTo)
}

fn load_with(folder: &Path, today: NaiveDate, feed: FeedIs) -> Result<Checked, ContentError> {
    let (sources, problems) = load::load(folder, feed)?;
    check::check(sources, problems, today).map_err(ContentError::Invalid)
}
