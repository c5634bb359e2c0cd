//! What the person at the terminal wants to see.

use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

static QUIET: AtomicBool = AtomicBool::new(false);

pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Standard output for what was done and what to do next. `--quiet` turns it off.
pub(crate) fn notes() -> Box<dyn Write> {
    notes_or_results(false)
}

/// The same for what is a result in some cases, such as what a dry run would do.
pub(crate) fn notes_or_results(are_results: bool) -> Box<dyn Write> {
    if is_quiet() && !are_results { Box::new(io::sink()) } else { Box::new(io::stdout().lock()) }
}

/// Whether to write colors to an output (<https://no-color.org>).
pub(crate) fn has_colors(to: &impl IsTerminal) -> bool {
    allows_colors(std::env::var_os("NO_COLOR").as_deref()) && can_move(to)
}

fn allows_colors(no_color: Option<&OsStr>) -> bool {
    no_color.is_none_or(OsStr::is_empty)
}

pub(crate) fn can_move(to: &impl IsTerminal) -> bool {
    to.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cases of <https://no-color.org>: any value but an empty one.
    #[test]
    fn no_color_counts_unless_it_is_empty() {
        for (value, allows) in [(None, true), (Some(""), true), (Some("1"), false), (Some("0"), false)] {
            assert_eq!(allows_colors(value.map(OsStr::new)), allows, "{value:?}");
        }
    }
}
