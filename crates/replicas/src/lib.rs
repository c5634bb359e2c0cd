//! What replicas share: a feed in a bucket of NATS.

pub mod nats;
