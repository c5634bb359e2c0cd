//! What replicas share: content as releases in an object store (here the *store*), and a feed in a NATS bucket. Only
//! this crate depends on the clients of both.

pub mod nats;
pub mod push;
pub mod releases;
mod signature;

pub use signature::{PublicKey, Seed};
