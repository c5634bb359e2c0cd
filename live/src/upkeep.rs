use std::sync::Arc;
use std::time::Duration;

use directory::calendar::Instant;
use tokio::time::{MissedTickBehavior, interval};

use crate::store::Store;
use feed::{Clock, Feeds};

const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Checks for one roll of the calendar, which covers days beyond the longest search, so a minute's delay is harmless.
const CHECKS_PER_ROLL: u32 = 60;

/// Runs until the future is dropped. Must run inside a tokio runtime.
pub async fn keep_true(store: Arc<Store>, clock: Clock, feeds: Feeds) {
    let mut ticks = interval(CHECK_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for tick in (0..CHECKS_PER_ROLL).cycle() {
        ticks.tick().await;
        let (store, feeds) = (Arc::clone(&store), feeds.clone());
        let now = Instant::ceil(clock.now());
        if tick == 0
            && let Some(fault) = clock.fault()
        {
            tracing::error!("{fault}");
        }
        // In a large clinic, rolling takes long enough to delay requests on a runtime thread.
        let upkeep = tokio::task::spawn_blocking(move || {
            feeds.judge(&store);
            if tick == 0 {
                store.roll(now);
            }
        });
        if upkeep.await.is_err() {
            tracing::error!("the calendar couldn't be updated; trying again soon");
        }
    }
}
