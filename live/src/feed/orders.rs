//! Orders to a running feed, and the end of its tasks.

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::status::Accepted;

#[derive(Debug)]
pub(super) enum Order {
    /// Accepts what is held, if it has this token.
    AcceptHeld(Option<String>, oneshot::Sender<Accepted>),
    ApplyAgain,
    /// Stops reading and applying.
    End(oneshot::Sender<()>),
}

/// Ends the task when it is dropped.
#[derive(Debug)]
pub(super) struct AbortOnDrop(pub(super) JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
