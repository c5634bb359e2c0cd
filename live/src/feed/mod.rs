//! Feeds: open slots and busy time from outside, and how old they are.
//!
//! A [`Source`] reports a whole snapshot at first and after each change, and in between that nothing has changed. There are
//! two: a file that is looked at every second, and a SMART Scheduling Links publisher that is polled over HTTP. A feed
//! ([`Feed::start`]) listens to one source, resolves its lines in the present directory, and gives each provider's set that
//! has changed to its [`Target`].
//!
//! Invariants:
//! - A reading is used whole or not at all. What cannot be read changes nothing: the reason is in the log and in
//!   [`FeedStatus`], and the data that was used before grows old.
//! - A reading that has lost more than `feed.max-shrink` of its providers or of its future entries is held (`loss`), because
//!   the source is probably broken. It is used when it has grown back or when an operator accepts it
//!   ([`Feed::accept_held`]). Meanwhile the data that was used before grows old, as if the source had failed.
//! - A first reading that lists no provider is held, and the feed is expired: an empty file is not an empty calendar.
//! - A file that leaves the manifest of a busy feed stays and grows old if more than `feed.max-shrink` of its taken time ahead
//!   is in no other file (`parts`).
//! - The data and its age change at once: [`Target::apply`] takes both.
//! - Ages are measured with the real clocks, also under `--now`. Of the monotonic and the system's clock the one that gives the
//!   greater age counts: the first stands still while a machine sleeps, the second can be set back.
//! - A feed that was never read successfully is expired. With a file to remember by (`memory`), a restart counts as a pause
//!   of the same feed.
//! - Each part has its own age. When a part expires, its providers are withheld. In a busy feed so are providers that no part
//!   lists, because the part may list them by now.
//! - New content never offers time that the feed has as taken: providers who are new to the store are withheld until the feed
//!   is applied to them ([`Store::replace`](crate::Store::replace)). A reading that was held or refused is judged again then.
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
mod memory;
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
