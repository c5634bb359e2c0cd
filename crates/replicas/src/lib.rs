//! What replicas share: content as releases in an object store (here the *store*), and a feed in a bucket of NATS. The
//! clients of both are dependencies of this crate alone.

pub mod nats;
pub mod push;
pub mod releases;
mod signature;

pub use signature::{PublicKey, Seed};
