//! Feeds: where open slots and busy time come from when it is not weekly hours, and how true they are now.
//!
//! A [`Source`] tells what it has: everything at first, then everything again after a change, and in between that
//! nothing has changed. There are two: a file that is looked at every second, and a
//! SMART Scheduling Links publisher that is polled over HTTP. A feed ([`Feed::start`]) listens to one
//! source, finds out what its lines mean in the directory of the moment, and hands each provider's set that
//! became another to its [`Target`].
//!
//! Invariants:
//! - A source's word is taken whole or not at all. What cannot be read changes nothing; the reason is in the log
//!   and in [`FeedStatus`], and what was true before grows old.
//! - A source that loses more than `max-shrink` of its providers or of its future entries is held (`loss`): most
//!   probably it is broken. It is applied when it has grown back, or when an operator says so ([`Feed::accept_held`],
//!   at `/feed/accept` of [`Admin`](crate::Admin)). While it is held, the last good data grows old as if the source had
//!   failed: nothing has confirmed it.
//! - A first reading that lists no provider is held, too, and the feed is expired: an empty file is no empty calendar.
//! - A file that leaves the manifest of a busy feed stays and grows old if more than `max-shrink` of its taken time ahead
//!   is in no other file (`parts`).
//! - What a source says and how true it is are seen at once: [`Target::apply`] takes both.
//! - Ages are of the real clocks and never of `--now`. Of the two clocks, the monotonic and the system's, the one
//!   that says "older" is believed: the first stands still while a machine sleeps, the second can be set back.
//! - A feed without a single good reading is expired, and not "nothing busy".
//! - Each part has an age of its own. When a part expires, its providers are withheld. In a busy feed so are providers
//!   that no part lists, because the expired part may have listed them.
//! - New content never opens time that the feed has as taken: providers who are new to the store are withheld until the
//!   feed is applied to them ([`Store::replace`](crate::Store::replace)). What was held or refused is then judged again.
//! - Accepting a loss leaves withheld providers withheld.

mod any_source;
mod apply;
mod driver;
mod duration;
mod effect;
mod file;
mod first;
mod found;
mod handle;
mod loss;
mod once;
mod options;
mod orders;
mod pace;
mod parts;
mod skip_log;
mod smart;
mod source;
mod status;

#[cfg(test)]
mod tests;

pub use apply::Target;
pub use duration::duration_of;
pub use found::Feeds;
pub use handle::Feed;
pub use once::{Reading, read_once};
pub use options::{FeedOptions, FeedTable, OptionsError, ScheduleTable};
pub use source::{Event, Late, Source, SourceError};
pub use status::{Accepted, FeedStatus, Judgement};

pub(crate) use source::real_now;
