//! Orders to a running feed, and the end of its tasks.

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::status::Accepted;

#[derive(Debug)]
pub(crate) enum Order {
    /// Accepts the held reading if it has this token.
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
