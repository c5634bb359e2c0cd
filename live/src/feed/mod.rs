//! Feeds: where open slots and busy time come from when it is not weekly hours, and how true they are now.
//!
//! A [`Source`] tells what it has: everything at first, then everything again or one part anew, and in between
//! that nothing has changed. There are two: a file that is looked at every second, and a
//! SMART Scheduling Links publisher that is polled over HTTP. A feed ([`Feed::start`]) listens to one
//! source, finds out what its lines mean in the directory of the moment, and hands each provider's set that
//! became another to its [`Target`].
//!
//! Invariants:
//! - A source's word is taken whole or not at all. What cannot be read changes nothing; the reason is in the log
//!   and in [`FeedStatus`], and what was true before grows old.
//! - A source that loses more than `max-shrink` of its providers or of its future entries is held (`shrink`): most
//!   probably it is broken. It is applied when it has grown back, or when an operator says so ([`Feed::accept_held`],
//!   at `/feed/accept` of [`Admin`](crate::Admin)). While it is held, the last good data grows old as if the source had
//!   failed: nothing has confirmed it.
//! - A first reading that lists no provider is held, too, and the feed is expired: an empty file is no empty calendar.
//! - A part that a busy feed lists no longer, with taken time ahead, stays and grows old (`parts`).
//! - What a source says and how true it is are seen at once: [`Target::apply`] takes both.
//! - Ages are of the real clocks and never of `--now`. Of the two clocks, the monotonic and the system's, the one
//!   that says "older" is believed: the first stands still while a machine sleeps, the second can be set back.
//! - A feed without a single good reading is expired, and not "nothing busy".
//! - Each part has an age of its own. Whoever an expired part lists drops out, and with busy time also whoever no
//!   part lists: that they are free is what all parts together say. The others go on being told.
//!
//! A replicated key-value source, which there is not yet, fits here: each key is a part of its own, so a watch on the bucket gives
//! [`Event::Part`] for an update and [`Event::Unchanged`] for its heartbeat.

mod any_source;
mod apply;
mod driver;
mod file;
mod found;
mod handle;
mod once;
mod options;
mod orders;
mod pace;
mod parts;
mod shrink;
mod smart;
mod source;
mod status;

#[cfg(test)]
mod tests;

pub use apply::Target;
pub use found::Feeds;
pub use handle::Feed;
pub use once::{Reading, read_once};
pub use options::{FeedOptions, FeedTable, OptionsError, ScheduleTable, duration_of};
pub use source::{Event, Late, Source, SourceError};
pub use status::{Accepted, FeedStatus, Judgement};

pub(crate) use source::real_now;
