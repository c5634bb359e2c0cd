//! A running feed: its state, and the orders that it takes.

use std::sync::Arc;

use directory::calendar::{FeedMode, Judgment};
use tokio::sync::{mpsc, oneshot, watch};

use crate::clock::Clock;
use crate::driver::{AbortOnDrop, Driver, Order};
use crate::nats_health::{NatsHealth, NatsView, SiteCounts};
use crate::options::FeedOptions;
use crate::source::{Source, Target};
use crate::status::{Accepted, FeedStatus};

/// Orders that may wait while a set is built.
const ORDERS: usize = 8;
const ENDED: &str = "an internal error, shown in the log, has ended this feed: restart nameplate";

/// A running feed. Cheap to clone; it ends with its last clone.
#[derive(Debug, Clone)]
pub struct Feed {
    pub(crate) options: FeedOptions,
    status: watch::Receiver<FeedStatus>,
    orders: mpsc::Sender<Order>,
    nats: Option<Arc<NatsHealth>>,
    task: Arc<AbortOnDrop>,
}

impl Feed {
    /// Starts a feed. Must be called inside a tokio runtime.
    pub fn start(source: impl Source, options: FeedOptions, target: Arc<impl Target>, clock: Clock) -> Self {
        let (status, seen) = watch::channel(FeedStatus::default());
        let nats = source.nats_health();
        let driver = Driver::new(options.clone(), target, clock, &source, status);
        let (orders, ordered) = mpsc::channel(ORDERS);
        let task = tokio::spawn(driver.listen(source, ordered));
        Self { options, status: seen, orders, nats, task: Arc::new(AbortOnDrop(task)) }
    }

    pub fn mode(&self) -> FeedMode {
        self.options.mode()
    }

    pub fn nats(&self) -> Option<(NatsView, SiteCounts)> {
        let view = self.nats.as_ref()?.view();
        let counts = view.sites_by(self.options.rules.freshness);
        Some((view, counts))
    }

    /// The freshness now, and the providers without open times. A feed that was never read is expired.
    pub fn judgment(&self) -> Judgment {
        self.status.borrow().judgment()
    }

    /// The state of the feed. After a panic of its source or of its driver, the error says so.
    pub fn status(&self) -> FeedStatus {
        let mut status = self.status.borrow().clone();
        if self.task.0.is_finished() {
            status.last_error = Some(ENDED.to_owned());
        }
        status
    }

    /// Waits for the end of the first look, so that a starting service does not answer 503 while it reads its feed.
    pub async fn first_look(&self) {
        let is_over = |status: &FeedStatus| status.applied + status.failures > 0;
        // An error means that the feed has ended.
        _ = self.status.clone().wait_for(is_over).await;
    }

    /// Applies the last reading although it has shrunk, if it has this token ([`FeedStatus::token`]). Returns after that.
    pub async fn accept_held(&self, named: Option<String>) -> Accepted {
        let (sender, answer) = oneshot::channel();
        _ = self.orders.send(Order::AcceptHeld(named, sender)).await;
        // The sender is dropped if the feed ends before the order is carried out.
        answer.await.unwrap_or_else(|_| Accepted::Refused("the feed is no longer listened to".to_owned()))
    }

    /// Ends the feed: it reads, applies and remembers nothing after this.
    pub(crate) async fn end(&self) {
        let (sender, ended) = oneshot::channel();
        _ = self.orders.send(Order::End(sender)).await;
        // An error means that it has ended.
        _ = ended.await;
    }

    pub async fn apply_again(&self) {
        _ = self.orders.send(Order::ApplyAgain).await;
    }
}
