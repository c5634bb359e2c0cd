//! Availability: weekly hours become instants, and instants become the open slots of a query.
//! A [`Schedule`] holds an author's hours; its starts follow from the [time rule](first_instant). A feed's entries
//! ([`ProviderFeed`]) replace those starts or are subtracted from them. A [`Calendar`] indexes the open starts of a month,
//! so a query costs about a microsecond; passing time and new entries change it without a rebuild.

mod boundary;
mod change;
mod feed;
mod hours;
mod index;
mod instant;
mod leave;
mod listing;
mod next;
mod open;
mod overlap;
mod page;

#[cfg(test)]
mod filter_tests;
#[cfg(test)]
mod hours_oracle;
#[cfg(test)]
mod hours_tests;
#[cfg(test)]
mod hours_traps;
#[cfg(test)]
mod open_tests;
#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod rotation_tests;
#[cfg(test)]
pub(crate) mod slot_oracle;
#[cfg(test)]
pub(crate) mod test_clinics;
#[cfg(test)]
mod walk_tests;

/// The farthest horizon of a request, in days.
pub(crate) const MAX_HORIZON_DAYS: i64 = 30;

pub use crate::model::{
    Class, ClassError, ClockTime, ClockTimeError, DEFAULT_NOTICE, Dated, Hours, Off, Schedule, ScheduleError,
    ScheduleParts, Weekly, Window, WindowError,
};
pub use boundary::first_instant;
pub use chrono_tz::Tz;
pub use feed::{
    Ages, AsOf, BadLine, BadText, Change, Engine, Event, ExportManifest, FeedEntries, FeedError, FeedFile,
    FeedLimits, FeedMode, FeedRules, FeedSet, Freshness, FreshnessRule, IcsError, IcsReading, Judgment, Late,
    Memory, Moment, ORDER, OpenSlot, PartId, ProviderFeed, Report, ScheduleMeaning, SkipReason, Skipped,
    SkippedLine, is_site, not_a_site, owned_texts, read_calendar, some_of,
};
pub use hours::{Busy, Start};
pub use index::filters::ProviderFilter;
pub use instant::{Instant, InstantError};
pub(crate) use leave::period as leave_period;
pub use next::next_starts;
pub use open::{Calendar, SlotFilter};
pub use overlap::{Overlap, Written, overlapping};
pub(crate) use page::{Cursor, StartOrder};
