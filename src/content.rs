//! The content folder, as every command starts with it.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use chrono::{DateTime, Utc};
use directory::Snapshot;
use directory::calendar::{Calendar, Freshness, Instant};
use directory::content::{
    Checked, ContentError, FolderFeed, Report, load_and_check, load_and_check_beside_feed,
};
use live::Clock;

use crate::log;
use crate::outcome::Refusal;

/// The clock of a command: stopped where `--now` says so.
pub(crate) fn clock(now: Option<DateTime<Utc>>) -> Clock {
    now.map_or_else(Clock::system, Clock::frozen)
}

/// Loads and checks; `None` when there are errors, which have been told on standard error.
pub(crate) fn load(folder: &Path, clock: Clock) -> Result<Option<Checked>, Refusal> {
    match load_and_check(folder, clock.now().date_naive()) {
        Ok(checked) => Ok(Some(checked)),
        Err(error) => told(error),
    }
}

/// What comes of content that cannot be taken.
fn told<T>(error: ContentError) -> Result<Option<T>, Refusal> {
    match error {
        ContentError::Load(error) => {
            Err(Refusal::new(format!("{error}; name the content folder with --content DIR")))
        }
        ContentError::Invalid(report) => {
            tell_errors(&report)?;
            Ok(None)
        }
    }
}

/// Content from which a service can answer.
pub(crate) enum Readable {
    /// All of it is good.
    Whole(Checked),
    /// All but the folder's feed is: the report says what is wrong in that.
    BesideFeed(Checked, Box<Report>),
}

impl Readable {
    pub(crate) fn checked(&self) -> &Checked {
        match self {
            Self::Whole(checked) | Self::BesideFeed(checked, _) => checked,
        }
    }

    pub(crate) fn into_checked(self) -> Checked {
        match self {
            Self::Whole(checked) | Self::BesideFeed(checked, _) => checked,
        }
    }
}

/// Loads and checks for a service. It listens to the folder's feed, which changes by the minute: a broken one is no
/// reason to answer nothing at all.
pub(crate) fn load_to_serve(folder: &Path, clock: Clock) -> Result<Option<Readable>, Refusal> {
    let today = clock.now().date_naive();
    match load_and_check(folder, today) {
        Ok(checked) => Ok(Some(Readable::Whole(checked))),
        Err(ContentError::Invalid(report)) => match load_and_check_beside_feed(folder, today) {
            Ok(checked) => Ok(Some(Readable::BesideFeed(checked, report))),
            Err(_) => told(ContentError::Invalid(report)),
        },
        Err(error) => told(error),
    }
}

/// What is answered from: the directory, and what the folder's feed says of it. Where that is not read here, nobody
/// knows what is open.
pub(crate) fn snapshot(checked: Checked, now: DateTime<Utc>) -> Snapshot {
    let snapshot = Snapshot::new(checked.directory);
    let (directory, now) = (snapshot.directory(), Instant::ceil(now));
    let calendar = match checked.feed {
        None => Calendar::of(directory, now),
        Some(FolderFeed::Linked(mode)) => Calendar::with_feed(directory, mode, now),
        Some(FolderFeed::Read { mode, providers, withheld }) => {
            let calendar = Calendar::with_feed(directory, mode, now).apply(directory, &providers);
            // It was read a moment ago; whoever goes on listening judges its age from now on.
            calendar.with_freshness(directory, Freshness::Fresh, &withheld)
        }
    };
    snapshot.with_calendar(calendar)
}

/// "1 error", "2 errors".
pub(crate) fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// Tells of content that cannot be taken: as a service logs it, or else on standard error.
pub(crate) fn tell_errors(report: &Report) -> Result<(), Refusal> {
    let errors = count(report.errors(), "error");
    if log::took_error(|| format!("the content has {errors} and is not served\n{}", report.drawn(false))) {
        return Ok(());
    }
    tell(&mut io::stderr().lock(), report)
}

/// Tells a report's problems, and how many there are.
pub(crate) fn tell(to: &mut (impl Write + IsTerminal), report: &Report) -> Result<(), Refusal> {
    let drawn = report.drawn(to.is_terminal());
    write!(to, "{drawn}")?;
    if !report.problems().is_empty() {
        writeln!(to, "{}, {}", count(report.errors(), "error"), count(report.warnings(), "warning"))?;
    }
    Ok(())
}
