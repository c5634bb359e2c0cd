//! The content folder, as every command starts with it.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use chrono::{DateTime, Utc};
use directory::content::{Checked, ContentError, Report, load_and_check};
use live::Clock;

use crate::outcome::Refusal;

/// The clock of a command: stopped where `--now` says so.
pub(crate) fn clock(now: Option<DateTime<Utc>>) -> Clock {
    now.map_or_else(Clock::system, Clock::frozen)
}

/// Loads and checks; `None` when there are errors, which have been told on standard error.
pub(crate) fn load(folder: &Path, clock: Clock) -> Result<Option<Checked>, Refusal> {
    match load_and_check(folder, clock.now().date_naive()) {
        Ok(checked) => Ok(Some(checked)),
        Err(ContentError::Load(error)) => {
            Err(Refusal::new(format!("{error}; name the content folder with --content DIR")))
        }
        Err(ContentError::Invalid(report)) => {
            tell(&mut io::stderr().lock(), &report)?;
            Ok(None)
        }
    }
}

/// "1 error", "2 errors".
pub(crate) fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// Tells a report's problems, and how many there are.
pub(crate) fn tell(to: &mut (impl Write + IsTerminal), report: &Report) -> Result<(), Refusal> {
    let drawn = report.drawn(to.is_terminal());
    write!(to, "{drawn}")?;
    if !report.problems().is_empty() {
        let count =
            |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
        writeln!(to, "{}, {}", count(report.errors(), "error"), count(report.warnings(), "warning"))?;
    }
    Ok(())
}
