//! When: weekly hours become instants, and instants become the open slots of a question.

mod boundary;
mod class;
mod feed;
mod hours;
mod instant;
mod open;
mod overlap;
mod schedule;
mod window;

#[cfg(test)]
mod hours_cases;
#[cfg(test)]
mod hours_oracle;
#[cfg(test)]
mod hours_traps;

pub use boundary::first_instant;
pub use feed::{
    BadLine, FeedEntries, FeedError, FeedFile, FeedLimits, FeedMode, FeedRules, FeedSet, Freshness,
    FreshnessRule, Manifest, ManifestError, ManifestFile, OpenSlot, ProviderFeed, ScheduleMeaning, Skipped,
    UnknownProvider,
};
pub use hours::{Busy, Start};
pub use instant::{Instant, InstantError};
pub use open::{Calendar, SlotFilter};
pub use schedule::{
    Class, ClassError, ClockTime, ClockTimeError, Dated, Hours, Off, Overlap, Schedule, ScheduleError,
    ScheduleParts, Weekly, Window, WindowError, Written, overlapping,
};
