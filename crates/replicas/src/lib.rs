//! What replicas share: content as releases in an object store (here the *store*), and a feed in a NATS bucket. Only
//! this crate depends on the clients of both.

pub mod nats;
pub mod push;
pub mod releases;
mod signature;

pub use signature::{PublicKey, Seed};

#[expect(clippy::disallowed_methods, reason = "secrets and certificates are not content: they are read here")]
fn read_secret(file: &std::path::Path) -> Result<String, String> {
    std::fs::read_to_string(file)
        .map_err(|error| format!("{}: it can't be read: {error}; name a file that exists", file.display()))
}
