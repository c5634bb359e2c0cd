//! The reasons to hold a first reading.

use std::sync::Arc;

use directory::calendar::{FeedFile, FeedMode, FeedSet};

/// The warning about a first reading all of whose entries have passed.
pub(crate) const PAST: &str =
    "all entries of the feed have passed: look whether the program that writes it still runs";

/// Why a first reading is held, and what to do: it has no lines, lists no provider, or has no entry that its mode
/// counts. An empty feed does not mean an empty calendar, and a feed that is read in the wrong mode means the opposite.
pub(crate) fn hold_of_first(
    parts: &[Arc<FeedFile>],
    set: &FeedSet,
    mode: FeedMode,
) -> Option<(&'static str, &'static str)> {
    if parts.iter().all(|part| part.is_blank()) {
        return Some(NO_LINES);
    }
    if !set.lists_any() {
        return Some(LISTS_NONE);
    }
    if parts.iter().any(|part| part.starts(mode).next().is_some()) {
        return None;
    }
    Some(counts_none(mode))
}

const NO_LINES: (&str, &str) = (
    "the feed has no lines, so it says nothing about anyone's time",
    "look whether the program that writes it still runs; if nothing is taken, list one taken time that has passed for \
     each clinician",
);

/// Why a first reading that lists no provider is held, and what to do.
pub(crate) const LISTS_NONE: (&str, &str) = (
    "no line of the feed is about a provider of this content, so nothing is known of their time",
    "correct the slugs, or the Schedules' practitioners and NPIs (nameplate check --feed tells which)",
);

/// Why a first reading without an entry that its mode counts is held, and what to do.
pub(crate) fn counts_none(mode: FeedMode) -> (&'static str, &'static str) {
    match mode {
        FeedMode::Open => (
            "the mode is open, where only free slots count, and none of the entries is free",
            "if the feed lists taken time, set its mode to busy (a file in the content folder: name it busy.ndjson)",
        ),
        FeedMode::Busy => (
            "the mode is busy, where only taken time counts, and all entries are free",
            "if the feed lists the times that can be booked, set its mode to open (a file in the content folder: name it \
             open.ndjson); if nothing is taken, list one taken time that has passed for each clinician",
        ),
    }
}
