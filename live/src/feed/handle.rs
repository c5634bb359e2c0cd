//! A feed that is being listened to, for those who ask about it and give it orders.

use std::sync::Arc;

use directory::calendar::FeedMode;
use tokio::sync::{mpsc, oneshot, watch};

use super::any_source::AnySource;
use super::apply::Target;
use super::driver::Driver;
use super::options::FeedOptions;
use super::orders::{AbortOnDrop, Order};
use super::source::{Source, SourceError};
use super::status::{Accepted, FeedStatus, Judgement};
use crate::clock::Clock;

/// Orders that may wait while a set is being made.
const ORDERS: usize = 8;

/// A feed that is being listened to. Cheap to clone; listening ends with the last of the clones.
#[derive(Debug, Clone)]
pub struct Feed {
    mode: FeedMode,
    status: watch::Receiver<FeedStatus>,
    orders: mpsc::Sender<Order>,
    _task: Arc<AbortOnDrop>,
}

impl Feed {
    /// Begins to listen. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// The machine has no way to speak HTTPS: no root certificates, mostly.
    pub fn start(options: FeedOptions, target: Arc<impl Target>, clock: Clock) -> Result<Self, SourceError> {
        let source = AnySource::of(&options)?;
        Ok(Self::around(source, options, target, clock))
    }

    /// Listens to a source of the caller's own.
    pub(super) fn around(
        source: impl Source,
        options: FeedOptions,
        target: Arc<impl Target>,
        clock: Clock,
    ) -> Self {
        let (status, seen) = watch::channel(FeedStatus::new(options.freshness));
        let mode = options.mode();
        let driver = Driver::new(options, target, clock, source.name(), status);
        let (orders, ordered) = mpsc::channel(ORDERS);
        let task = tokio::spawn(driver.listen(source, ordered));
        Self { mode, status: seen, orders, _task: Arc::new(AbortOnDrop(task)) }
    }

    /// What its entries mean.
    #[must_use]
    pub fn mode(&self) -> FeedMode {
        self.mode
    }

    /// How true the feed's data is now, and whose own part is too old to be told. Without one good reading it is
    /// expired.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        self.status.borrow().judgement()
    }

    /// What is known about the feed.
    #[must_use]
    pub fn status(&self) -> FeedStatus {
        self.status.borrow().clone()
    }

    /// Waits until the source has been read, or could not be, for the first time: a service that starts to listen
    /// after this does not refuse its first questions for want of a feed that is there.
    pub async fn first_look(&self) {
        let is_over = |status: &FeedStatus| status.applied + status.failures > 0;
        // An error means that listening is over, and there is nothing to wait for.
        _ = self.status.clone().wait_for(is_over).await;
    }

    /// Applies the last reading, however much it has lost: an operator says that it is right. Returns when that is
    /// done.
    pub async fn accept_held(&self) -> Accepted {
        let (telling, told) = oneshot::channel();
        _ = self.orders.send(Order::AcceptHeld(telling)).await;
        // The sender is dropped when listening ends before the order is carried out.
        told.await.unwrap_or_else(|_| Accepted::Refused("the feed is no longer listened to".to_owned()))
    }

    /// Hands everything to the target again: its directory is a new one.
    pub async fn apply_again(&self) {
        _ = self.orders.send(Order::ApplyAgain).await;
    }
}
