//! A feed in a bucket of NATS' `JetStream`: one key for each provider or Schedule, written by one site each.
//!
//! A replica follows the bucket with a consumer of its own (`source`). What it knows of the keys is in `mirror`, and of
//! the sites in `sites`; both, and `names`, `value`, `beat`, `sum` and `position`, know nothing of sockets, so
//! that any loss of messages is tested without a server. `bucket` and `watch` speak to the servers.
//!
//! Invariants:
//! - A message that is missing is always found: by the consumer's own numbers, by a heartbeat that counts more, by the
//!   stream's last number, or by the sum in the site's next beat.
//! - A beat confirms a site only if it comes after all that it confirms: messages are taken in the order of the stream.
//! - Sums are compared only where the keys are exactly those of the stream at that message. A bucket keeps the last value of
//!   a key, so in a replica that is behind, keys may be missing that come later.
//! - What cannot be read changes nothing: the key keeps what was read of it, and is late.

mod beat;
mod bucket;
mod health;
mod mirror;
mod names;
mod own;
mod patience;
mod position;
mod sites;
mod source;
mod sum;
mod value;
mod version;
mod watch;

#[cfg(test)]
mod tests;

pub use beat::Beat;
pub use bucket::{Bucket, PutError};
pub(crate) use health::{BOUNDS, NatsHealth, NatsView, Phase, SiteCounts};
pub use names::{beat_key, provider_key, schedule_key};
pub use own::{OwnBeat, OwnKey, OwnKeys};
pub(super) use source::NatsSource;
pub use sum::{Sum, hash_of};
pub use value::{MAX_VALUE, text_of};
