//! Feeds: open slots and busy time from outside, and how old they are.
//!
//! A feed of keys is another kind: its source reports the keys that have changed ([`Event::Keys`]), and its parts are
//! sites. This page describes feeds of parts; `keyed` describes the differences.
//!
//! A [`Source`] is looked at again and again. The first look and each look after a change reports all of its parts (the
//! files of a publisher, or one file); every other look reports that nothing has changed. Two are here ([`Polled`]): a
//! file, looked at every second, and a SMART Scheduling Links publisher, polled over HTTP. A bucket of NATS, which is
//! followed and reports keys, is in `replicas`. A feed ([`Feed::start`]) reads one source, resolves its lines in the present
//! directory, and applies the sets of the providers that have changed to its [`Target`].
//!
//! The terms: a *reading* is what a source reported last. A reading is *held* until an operator accepts it. A part that
//! could not be read is *late* and grows old. A provider is *withheld* while none of its times are offered.
//!
//! Invariants:
//! - A reading is used whole or not at all. A failed look changes nothing: the reason is in the log and in
//!   [`FeedStatus`], and the data that was used before grows old.
//! - A reading that has lost more than `feed.max-shrink` of its providers or of its future entries is held (`loss`),
//!   because the source is probably broken. It is used when it has grown back or when an operator accepts it
//!   ([`Feed::accept_held`]). Meanwhile the data that was used before grows old, as if the source had failed.
//! - A first reading that lists no provider is held, and the feed is expired: an empty file is not an empty calendar.
//! - A file that leaves the manifest of a busy feed stays and grows old if more than `feed.max-shrink` of its future
//!   busy time is in no other file (`parts`). If it left during a restart, the first reading is held.
//! - The data and its age change together: `Target::apply` takes both.
//! - Ages are measured with the real clocks, also under `--now`. The monotonic clock stands still while a machine
//!   sleeps, and the system's clock can be set back: the greater of the two ages counts.
//! - A feed that was never read successfully is expired. With a memory file (`memory`), a restart counts as a pause of
//!   the same feed.
//! - Each part has its own age. When a part expires, its providers are withheld. In a busy feed, providers that no part
//!   lists are withheld, too, because the present version of the expired part may list them.
//! - New content never offers busy time: providers that are new to the store are withheld until the feed is applied to
//!   them ([`Target::release_unapplied`]). A reading that was held or refused is then judged again.
//! - Accepting a loss leaves withheld providers withheld.

mod apply;
mod blocking;
mod bounds;
mod clock;
mod driver;
mod effect;
mod event;
mod fetch;
mod file;
mod first;
mod found;
mod handle;
mod judgement;
mod keyed;
mod loss;
mod memory;
mod nats_health;
mod nats_options;
mod once;
mod options;
mod orders;
mod pace;
mod parts;
mod polled;
mod providers;
mod skip_log;
mod smart;
mod source;
mod status;

#[cfg(test)]
mod tests;

pub use apply::Target;
pub use blocking::blocking;
pub use bounds::{OptionsError, between, parse_duration, time_from};
pub use clock::Clock;
pub use event::{Confirmation, Event, Late, LateKey, SiteRead, SourceError, real_now};
pub use found::{Ended, Feeds};
pub use handle::Feed;
pub use judgement::Judgement;
pub use memory::remembered;
pub use nats_health::{BOUNDS, NatsHealth, NatsView, Phase, SiteCounts};
pub use nats_options::{BUCKET, NatsOptions, is_bucket};
pub use once::{Reading, read_once};
pub use options::{FeedKind, FeedOptions, FileOptions, SharedOptions};
pub use pace::chance;
pub use polled::Polled;
pub use source::Source;
pub use status::{Accepted, FeedStatus};

/// What a build without `replicas` says to whoever asks for what is in it.
pub const NO_REPLICAS: &str =
    "this build has no replicas support: install with `--features replicas`, or use a release";

/// Makes ring what all clients of the process encrypt with. Each client needs this before it is built.
pub fn install_tls() {
    // An error means that it is installed already.
    _ = rustls::crypto::ring::default_provider().install_default();
}
