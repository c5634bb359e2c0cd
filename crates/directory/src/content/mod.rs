//! Reads a content folder: TOML files in, a checked [`Directory`](crate::Directory) or a report out.
//!
//! `load` reads the files, `parse` turns their text into the types of `raw`, and `check` validates them. One run
//! reports all problems: `mistakes` explains mistakes of notation in plain language, and `report` formats the list.
//!
//! A new key of a file goes into `raw` and the module in `check` that reads that file.

mod bounds;
mod check;
mod entries;
mod generation;
mod key;
mod lines;
mod load;
mod locate;
mod mistakes;
mod offer;
mod open;
mod parse;
mod passed_over;
mod photo;
mod picture;
mod problem;
mod problems;
mod raw;
mod repair;
mod report;
mod schema;
mod shape;
mod sources;
mod statement;
mod texts;

use std::path::Path;

use chrono::NaiveDate;

pub use check::{Checked, FolderFeed, is_of_example, usual_zone, zone_of_state};
pub use entries::{Entries, EntryError};
pub use key::KeyStep;
pub use load::LoadError;
pub use locate::{Located, locate};
pub use offer::{Class, Edit, Move, Repair};
pub use open::{Folder, OpenError, open_linked, read_file, read_linked, replace_file};
pub use parse::site_url_of;
pub use photo::{MOST_PIXELS, Photo, PhotoError, PhotoFormat};
pub use problem::{Kind, Problem, Severity};
pub use repair::{Mended, choose, mend};
pub use report::{Excerpt, Position, Replacement, Report};
pub use schema::schemas;
pub use sources::LARGEST_PORTRAIT;
pub use texts::built_in_texts;

use crate::calendar::FeedMode;
use sources::FeedIs;

/// Why a content folder gave no directory.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("the content has {} errors", .0.errors())]
    Invalid(Box<Report>),
}

impl ContentError {
    /// What is wrong, for a person: the report with its excerpts, if there is one.
    #[must_use]
    pub fn drawn(&self) -> String {
        match self {
            Self::Load(error) => error.to_string(),
            Self::Invalid(report) => report.drawn(false),
        }
    }
}

/// The path in a content folder of a feed of this mode.
#[must_use]
pub fn feed_path(mode: FeedMode) -> &'static str {
    match mode {
        FeedMode::Open => sources::OPEN_PATH,
        FeedMode::Busy => sources::BUSY_PATH,
    }
}

/// Loads and checks a content folder. `today` affects warnings, such as that of a past exception, and refuses confirmations
/// of the future.
pub fn load_and_check(folder: &Path, today: NaiveDate) -> Result<Checked, ContentError> {
    load_with(folder, today, FeedIs::Judged)
}

/// As [`load_and_check`], for a service that listens to the folder's feed itself. The feed is not read here, so its
/// errors do not hold back an edit of the content. [`Checked::feed`] is `None`.
pub fn load_and_check_beside_feed(folder: &Path, today: NaiveDate) -> Result<Checked, ContentError> {
    load_with(folder, today, FeedIs::ListenedTo)
}

/// As [`load_and_check`], for files in memory: the same checks, the same generation and the same report.
pub fn load_and_check_entries(entries: Entries, today: NaiveDate) -> Result<Checked, ContentError> {
    let (sources, problems) = load::load_entries(entries, FeedIs::Judged);
    check::check(sources, problems, today, repair::repairs).map_err(ContentError::Invalid)
}

/// As [`load_and_check_entries`], without reading a feed file. That there is one still counts, for example in place of
/// hours. [`Checked::feed`] is `None`.
pub fn load_and_check_entries_beside_feed(
    entries: Entries,
    today: NaiveDate,
) -> Result<Checked, ContentError> {
    let (sources, problems) = load::load_entries(entries, FeedIs::ListenedTo);
    check::check(sources, problems, today, repair::repairs).map_err(ContentError::Invalid)
}

/// The files of a content folder that its generation covers: all that another machine needs to serve the same content.
/// A file that cannot be read is left out, so the generation of the result shows whether it is whole.
pub fn published_files(folder: &Path) -> Result<Entries, LoadError> {
    let (sources, _) = load::load(folder, FeedIs::ListenedTo)?;
    Ok(sources.published())
}

fn load_with(folder: &Path, today: NaiveDate, feed: FeedIs) -> Result<Checked, ContentError> {
    let (sources, problems) = load::load(folder, feed)?;
    check::check(sources, problems, today, repair::repairs).map_err(ContentError::Invalid)
}
