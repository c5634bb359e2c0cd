//! Saves the served content for the next start, in its own thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use feed::{Clock, Feeds};
use live::{Store, Vitals};

use crate::recently_served::SharedRecent;
use crate::reload::INTERNAL_ERROR;
use crate::state::StateFolder;

const PAUSE: Duration = Duration::from_mins(5);

pub(crate) struct Keeper {
    pub(crate) state: StateFolder,
    pub(crate) store: Arc<Store>,
    pub(crate) feeds: Feeds,
    pub(crate) vitals: Arc<Vitals>,
    pub(crate) clock: Clock,
    pub(crate) recent: SharedRecent,
}

impl Keeper {
    pub(crate) fn run(self, asked: &Receiver<()>) {
        let mut is_kept = true;
        loop {
            let wait = if is_kept { Duration::MAX } else { PAUSE };
            if asked.recv_timeout(wait) == Err(RecvTimeoutError::Disconnected) {
                return;
            }
            // One copy is enough for several edits.
            asked.try_iter().for_each(drop);
            let kept = catch_unwind(AssertUnwindSafe(|| self.keep()));
            let failed = kept.unwrap_or_else(|_| Err(INTERNAL_ERROR.to_owned())).err();
            is_kept = failed.is_none();
            self.vitals.state_kept("state", failed);
        }
    }

    fn keep(&self) -> Result<(), String> {
        let served = self.store.current();
        self.state.keep(served.directory(), self.feeds.mode_of_content(), self.clock.now())?;
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        self.state.keep_served(recent.as_ref(), served.history())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    #[expect(clippy::disallowed_methods, reason = "the test reads its log")]
    async fn a_failure_is_logged_at_once_and_each_hour_until_it_is_over() {
        let log = tempfile::NamedTempFile::new().unwrap();
        let subscriber = tracing_subscriber::fmt().with_writer(Arc::new(log.reopen().unwrap())).finish();
        let _logged_here = tracing::subscriber::set_default(subscriber);
        let lines = || {
            let log = std::fs::read_to_string(log.path()).unwrap();
            log.matches("the served content can't be saved for the next start: no space").count()
        };
        let vitals = Arc::new(Vitals::new());
        let reminding = Arc::clone(&vitals);
        let reminder = tokio::spawn(async move { reminding.remind().await });
        tokio::task::yield_now().await;
        for _ in 0..2 {
            vitals.state_kept("state", Some("no space".to_owned()));
            assert_eq!(lines(), 1);
        }
        tokio::time::sleep(Duration::from_mins(121)).await;
        assert_eq!(lines(), 3);
        vitals.state_kept("state", None);
        tokio::time::sleep(Duration::from_mins(121)).await;
        assert_eq!(lines(), 3);
        reminder.abort();
    }
}
