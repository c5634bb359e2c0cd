//! What has to be done while a store is served, though nobody asks: time passes, and feeds grow old.

use std::sync::Arc;
use std::time::Duration;

use directory::calendar::Instant;
use tokio::time::{MissedTickBehavior, interval};

use crate::clock::Clock;
use crate::feed::Feeds;
use crate::store::Store;

/// How often a feed's age is judged.
const JUDGE: Duration = Duration::from_secs(1);
/// After how many judgements the calendar follows the time: days of margin forgive more than a minute.
const ROLL_AFTER: u32 = 60;

/// Keeps a store true until it is dropped. Must be run inside a tokio runtime.
pub async fn keep_true(store: Arc<Store>, clock: Clock, feeds: Feeds) {
    let mut ticks = interval(JUDGE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for tick in (0..ROLL_AFTER).cycle() {
        ticks.tick().await;
        let (store, feeds) = (Arc::clone(&store), feeds.clone());
        let now = Instant::ceil(clock.now());
        // A large clinic's new day is worked out beside the answers, not among them.
        let upkeep = tokio::task::spawn_blocking(move || {
            feeds.judge(&store);
            if tick == 0 {
                store.roll(now);
            }
        });
        if upkeep.await.is_err() {
            tracing::error!("the calendar could not follow the time; it is tried again in a moment");
        }
    }
}
