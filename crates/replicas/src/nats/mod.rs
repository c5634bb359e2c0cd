//! A feed in a NATS `JetStream` bucket: one key for each provider or Schedule, written by one site each. `mirror`, `sites`,
//! `keys` and `beat` are free of sockets, so that tests can lose any message without a server.
//! - A missing message is always detected: by a gap in the consumer's numbers, by a higher number in a heartbeat, by
//!   the stream's last number, or by the sum in the site's next beat.
//! - Messages are taken in stream order, so a beat is taken after all keys that it confirms.
//! - Sums are compared only where the keys are exactly those of the stream at that message. A bucket keeps the last
//!   value of a key, so in a replica that is behind, keys may be missing that come later.
//! - A value that cannot be read is refused: the key keeps its last good value and is late.

mod backoff;
mod beat;
mod bucket;
mod keys;
mod mirror;
mod own;
mod sites;
mod source;
mod watch;

#[cfg(test)]
mod tests;

pub use beat::Beat;
pub use bucket::{FeedBucket, PutError};
pub use keys::{MAX_VALUE, Sum, beat_key, hash_of, text_of};
pub use own::{OwnBeat, OwnKey, OwnKeys};
pub use source::NatsSource;
