//! The reasons to hold a first reading.

use std::sync::Arc;

use directory::calendar::{FeedFile, FeedMode, FeedSet};

/// The warning about a first reading all of whose entries have passed.
pub(super) const PAST: &str =
    "all entries of the feed have passed: look whether the program that writes it still runs";

/// Advice: how to use a reading that is held.
pub(super) const ACCEPT: &str =
    "if it is right as it is, accept it with POST /feed/accept on the admin address";

/// Why a first reading is held, and what to do: it lists no provider, or no entry that its mode counts. An empty feed does
/// not mean an empty calendar, and a feed that is read in the wrong mode means the opposite.
pub(super) fn hold_of_first(
    parts: &[Arc<FeedFile>],
    set: &FeedSet,
    mode: FeedMode,
) -> Option<(&'static str, &'static str)> {
    if !set.lists_any() {
        return Some((
            "no line of the feed is about a provider of this content, so nothing is known of their time",
            "correct the slugs, or the Schedules' practitioners and NPIs (nameplate check --feed tells which)",
        ));
    }
    if parts.iter().any(|part| part.starts(mode).next().is_some()) {
        return None;
    }
    Some(match mode {
        FeedMode::Open => (
            "the mode is open, where only free slots count, and none of the entries is free",
            "if the feed lists taken time, set its mode to busy (a file in the content folder: name it busy.ndjson)",
        ),
        FeedMode::Busy => (
            "the mode is busy, where only taken time counts, and all entries are free",
            "if the feed lists the times that can be booked, set its mode to open (a file in the content folder: name it \
             open.ndjson); if nothing is taken, list one taken time that has passed",
        ),
    })
}
