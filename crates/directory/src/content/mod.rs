//! Reads a content folder: TOML files in, a checked [`Directory`](crate::Directory) or a report of all problems out.
//! `load` reads the files, `parse` turns their text into the types of `raw`, `check` validates them, and `mistakes` says
//! what is wrong in plain language. A new key goes into `raw` and the module in `check` that reads its file.

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

pub use check::{Checked, FolderFeed, PATH_OF_SUMMARIES, is_of_example, usual_zone, zone_of_state};
pub use entries::{Entries, EntryError};
pub use key::KeyStep;
pub use load::LoadError;
pub use locate::{Located, locate};
pub use mistakes::{dates_meant, meaning_of_syntax_error, slug_like, span_meant};
pub use offer::{Class, Edit, Move, Repair};
pub use open::{Folder, OpenError, open_linked, read_file, read_linked, replace_file};
pub use parse::site_url_of;
pub use photo::{MOST_PIXELS, Photo, PhotoError, PhotoFormat};
pub use problem::{Kind, Problem, Severity};
pub use repair::{Mended, choose, mend, toml_text, words_meant};
pub use report::{Excerpt, Position, Replacement, Report};
pub use schema::schemas;
pub use sources::LARGEST_PORTRAIT;
pub use texts::built_in_texts;

use crate::calendar::FeedMode;
use problems::Problems;
use sources::{FeedIs, Sources};

#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("the content has {} error{}", .0.errors(), if .0.errors() == 1 { "" } else { "s" })]
    Invalid(Box<Report>),
}

impl ContentError {
    /// Only the errors: warnings would scroll them off the screen.
    pub fn drawn(&self) -> String {
        match self {
            Self::Load(error) => error.to_string(),
            Self::Invalid(report) => report.drawn_down_to(Severity::Error, false).trim_end().to_owned(),
        }
    }
}

pub fn feed_path(mode: FeedMode) -> &'static str {
    match mode {
        FeedMode::Open => sources::OPEN_PATH,
        FeedMode::Busy => sources::BUSY_PATH,
    }
}

/// `today` affects warnings, such as that of a past exception, and refuses confirmations of the future.
pub fn load_and_check(folder: &Path, today: NaiveDate) -> Result<Checked, ContentError> {
    checked(load::load(folder, FeedIs::Judged)?, today)
}

/// For a service that starts. A security contact that has expired since the content was checked is a warning.
pub fn load_and_check_to_serve(folder: &Path, today: NaiveDate) -> Result<Checked, ContentError> {
    checked(load::load(folder, FeedIs::Started)?, today)
}

/// For a service that listens to the folder's feed: its errors don't hold back an edit. [`Checked::feed`] is `None`.
pub fn load_and_check_beside_feed(folder: &Path, today: NaiveDate) -> Result<Checked, ContentError> {
    checked(load::load(folder, FeedIs::ListenedTo)?, today)
}

pub fn load_and_check_entries(entries: Entries, today: NaiveDate) -> Result<Checked, ContentError> {
    checked(load::load_entries(entries, FeedIs::Judged), today)
}

/// Reads no feed file. That there is one still counts, for example in place of hours.
pub fn load_and_check_entries_beside_feed(
    entries: Entries,
    today: NaiveDate,
) -> Result<Checked, ContentError> {
    checked(load::load_entries(entries, FeedIs::ListenedTo), today)
}

/// All that another machine needs to serve the same content. A file that can't be read is missing from its generation.
pub fn published_files(folder: &Path) -> Result<Entries, LoadError> {
    let (sources, _) = load::load(folder, FeedIs::ListenedTo)?;
    Ok(sources.published())
}

fn checked((sources, problems): (Sources, Problems), today: NaiveDate) -> Result<Checked, ContentError> {
    check::check(sources, problems, today, repair::repairs).map_err(ContentError::Invalid)
}
