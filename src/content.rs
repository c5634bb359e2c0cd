//! Loads the content folder and reports its mistakes.

use std::io::{self, IsTerminal, Read as _, Write};
use std::path::Path;

use chrono::{DateTime, Utc};
use directory::Snapshot;
use directory::calendar::{Calendar, Freshness, Instant};
use directory::content::{
    Checked, ContentError, FolderFeed, OpenError, Report, load_and_check, load_and_check_beside_feed,
    open_linked,
};
use live::Clock;

use crate::edit::unedited;
use crate::log;
use crate::outcome::Refusal;
use crate::state::LastGood;

/// The system's clock, or one stopped by `--now`.
pub(crate) fn clock(now: Option<DateTime<Utc>>) -> Clock {
    now.map_or_else(Clock::system, Clock::frozen)
}

/// Loads and checks content. `None`: it has errors, which were reported.
pub(crate) fn load(folder: &Path, clock: Clock) -> Result<Option<Checked>, Refusal> {
    let today = clock.now().date_naive();
    match unedited(folder, || load_and_check(folder, today))? {
        Ok(checked) => Ok(Some(checked)),
        Err(error) => report_error(error),
    }
}

pub(crate) fn report_error<T>(error: ContentError) -> Result<Option<T>, Refusal> {
    match error {
        ContentError::Load(error) => {
            Err(Refusal::new(format!("{error}; name the content folder with --content DIR")))
        }
        ContentError::Invalid(report) => {
            report_errors(&report)?;
            Ok(None)
        }
    }
}

/// Reads a file beside the content that its user names, which may be a link.
pub(crate) fn read_linked(path: &Path, largest: u64) -> Result<Vec<u8>, OpenError> {
    let mut bytes = Vec::new();
    // One byte more shows that the file is too large.
    open_linked(path)?.take(largest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > largest { Err(OpenError::TooLarge(largest)) } else { Ok(bytes) }
}

pub(crate) enum LoadedContent {
    Whole(Checked),
    /// With errors in the folder's feed only, which the report lists.
    BesideFeed(Checked, Box<Report>),
    /// The folder has errors. This is the last good content.
    LastGood(LastGood),
}

impl LoadedContent {
    pub(crate) fn checked(&self) -> &Checked {
        match self {
            Self::Whole(checked) | Self::BesideFeed(checked, _) => checked,
            Self::LastGood(kept) => &kept.checked,
        }
    }

    pub(crate) fn into_checked(self) -> Checked {
        match self {
            Self::Whole(checked) | Self::BesideFeed(checked, _) => checked,
            Self::LastGood(kept) => kept.checked,
        }
    }
}

/// Why a service does not serve what is in its folder.
pub(crate) enum NotServed {
    Content(ContentError),
    Unfinished(Refusal),
}

impl NotServed {
    pub(crate) fn drawn(&self) -> String {
        match self {
            Self::Content(error) => drawn(error),
            Self::Unfinished(refusal) => refusal.to_string(),
        }
    }

    /// Reports it as the end of a command.
    pub(crate) fn report<T>(self) -> Result<Option<T>, Refusal> {
        match self {
            // A folder may be mounted later.
            Self::Content(error) => report_error(error).map_err(Refusal::passing),
            Self::Unfinished(refusal) => Err(refusal.passing()),
        }
    }
}

/// Loads and checks content for a service. A service polls the folder's feed, so errors in the feed do not prevent its
/// start.
pub(crate) fn load_to_serve(folder: &Path, clock: Clock) -> Result<LoadedContent, NotServed> {
    let today = clock.now().date_naive();
    let load = || match load_and_check(folder, today) {
        Ok(checked) => Ok(LoadedContent::Whole(checked)),
        Err(ContentError::Invalid(report)) => match load_and_check_beside_feed(folder, today) {
            Ok(checked) => Ok(LoadedContent::BesideFeed(checked, report)),
            Err(_) => Err(NotServed::Content(ContentError::Invalid(report))),
        },
        Err(error) => Err(NotServed::Content(error)),
    };
    unedited(folder, load).map_err(NotServed::Unfinished)?
}

pub(crate) fn drawn(error: &ContentError) -> String {
    match error {
        ContentError::Load(error) => error.to_string(),
        ContentError::Invalid(report) => report.drawn(false),
    }
}

/// The snapshot of a directory and the folder's feed. A linked feed is not read here: open times are unknown then.
pub(crate) fn snapshot(checked: Checked, now: DateTime<Utc>) -> Snapshot {
    let snapshot = Snapshot::new(checked.directory);
    let (directory, now) = (snapshot.directory(), Instant::ceil(now));
    let calendar = match checked.feed {
        None => Calendar::of(directory, now),
        Some(FolderFeed::Linked(mode)) => Calendar::with_feed(directory, mode, now),
        Some(FolderFeed::Read { mode, providers, withheld }) => {
            let calendar = Calendar::with_feed(directory, mode, now).apply(directory, &providers);
            // It was just read. A service checks its age from now on.
            calendar.with_freshness(directory, Freshness::Fresh, &withheld)
        }
    };
    snapshot.with_calendar(calendar)
}

/// "1 error", "2 errors".
pub(crate) fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// Reports invalid content: in a JSON log, else on standard error.
pub(crate) fn report_errors(report: &Report) -> Result<(), Refusal> {
    let errors = count(report.errors(), "error");
    if log::json_error(|| format!("the content has {errors} and is not served\n{}", report.drawn(false))) {
        return Ok(());
    }
    print_report(&mut io::stderr().lock(), report)
}

pub(crate) fn print_report(to: &mut (impl Write + IsTerminal), report: &Report) -> Result<(), Refusal> {
    let drawn = report.drawn(to.is_terminal());
    write!(to, "{drawn}")?;
    if !report.problems().is_empty() {
        writeln!(to, "{}, {}", count(report.errors(), "error"), count(report.warnings(), "warning"))?;
    }
    Ok(())
}
