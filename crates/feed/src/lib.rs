//! Feeds: open slots and busy time from outside. A [`Source`] says what has changed. A driver gives its news to
//! [`directory::calendar::Engine`], which judges everything, and the result to a [`Target`]. Nothing here judges.
//! - The data and its age change together: `Target::apply_feed` takes both.
//! - Ages are measured with the real clocks, also under `--now`.
//! - With a memory file (`memory`), a restart counts as a pause of the same feed.
//! - New content never offers busy time: providers that are new to the store are withheld until the feed was looked at
//!   again ([`Target::release_unapplied`]).

mod blocking;
mod bounds;
mod clock;
mod driver;
mod fetch;
mod file;
mod found;
mod handle;
mod ics;
mod memory;
mod nats_health;
mod nats_options;
mod options;
mod pace;
mod polled;
mod smart;
mod source;
mod status;

#[cfg(test)]
mod tests;

pub use blocking::blocking;
pub use bounds::{OptionsError, between, parse_duration, time_from};
pub use clock::{Clock, moment, real_now};
pub use found::{Ended, Feeds};
pub use handle::Feed;
pub use ics::{
    CALENDARS_VARIABLE, CalendarList, CalendarRead, IcsOptions, Zones, inspect, is_list_of_calendars,
};
pub use memory::remembered;
pub use nats_health::{BOUNDS, NatsHealth, NatsView, Phase, SiteCounts, SiteRead};
pub use nats_options::{BUCKET, NatsOptions, Unlisted, is_bucket};
pub use options::{FeedKind, FeedOptions, FileOptions, SharedOptions};
pub use pace::chance;
pub use polled::{Polled, Reading, read_once};
pub use source::{Source, SourceError, Target};
pub use status::{Accepted, FeedStatus};

/// The error of a build without `replicas` for everything that needs it.
pub const NO_REPLICAS: &str =
    "this build has no replicas support: install with `--features replicas`, or use a release";

/// Makes ring what all clients of the process encrypt with. Each client needs this before it is built.
pub fn install_tls() {
    // An error means that it is installed already.
    _ = rustls::crypto::ring::default_provider().install_default();
}
