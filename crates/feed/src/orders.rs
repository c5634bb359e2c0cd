//! Orders to a running feed, and the end of its tasks.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::status::Accepted;

/// How an operator accepts what is held. The token tells that what is accepted is what was seen.
pub(crate) const ORDER: &str = "POST /feed/accept on the admin address (--admin) and the header If-Match: TOKEN, where TOKEN \
     is feed.heldToken of /readyz";

/// A name for what waits, which is the same on each replica that has read the same.
pub(crate) fn token_of(what: &impl Hash) -> String {
    format!("{:016x}", hash_of(what))
}

pub(crate) fn hash_of(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

#[derive(Debug)]
pub(crate) enum Order {
    /// Accepts what is held, if it has this token.
    AcceptHeld(Option<String>, oneshot::Sender<Accepted>),
    ApplyAgain,
    /// Stops reading and applying.
    End(oneshot::Sender<()>),
}

/// Ends the task when it is dropped.
#[derive(Debug)]
pub(crate) struct AbortOnDrop(pub(crate) JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
