//! Notes in the feed's status and in the log what became of a reading.

use std::sync::Arc;

use directory::calendar::Skipped;
use directory::visible;

use super::{Driver, Outcome, Trigger};
use crate::apply::Target;
use crate::providers::FeedProviders;
use crate::skip_log;
use crate::status::FeedStatus;

impl<T: Target> Driver<T> {
    pub(super) fn note(&self, outcome: Outcome) {
        match outcome {
            Outcome::Applied => {}
            Outcome::Held(why) => self.status.send_modify(|status| {
                if status.held.as_ref() != Some(&why) {
                    tracing::error!(feed = self.name, "{why}");
                }
                status.failures += 1;
                (status.held, status.token) = (Some(why), self.token.clone());
                // The source could be read. What is late is reported after this.
                status.last_error = None;
            }),
            Outcome::Bad(error) => self.failed(&error.to_string()),
        }
    }

    pub(super) fn note_applied(
        &self,
        status: &mut FeedStatus,
        providers: Arc<FeedProviders>,
        skipped: Skipped,
        trigger: Trigger,
    ) {
        skip_log::write(&self.name, &status.skipped, &skipped);
        status.listed = providers.listed().len();
        status.providers = providers;
        status.skipped = Arc::new(skipped);
        if trigger == Trigger::NewDirectory {
            return;
        }
        status.parts = Arc::new(self.confirmed.clone());
        status.applied += 1;
        status.token = None;
        // The error stays while a part is late.
        let was_held = status.held.take().is_some();
        if was_held | (self.late.is_empty() && status.last_error.take().is_some()) {
            tracing::info!(feed = self.name, "the feed is applied again");
        }
    }

    pub(super) fn report_late(&self) {
        if !self.late.is_empty() {
            let why: Vec<_> = self.late.iter().map(|late| late.why.as_str()).collect();
            self.failed(&why.join("; "));
        }
    }

    pub(super) fn failed(&self, why: &str) {
        // A reason may quote a publisher, which must not write lines of its own into the log.
        let why = visible::line(why).into_owned();
        self.status.send_modify(|status| {
            status.failures += 1;
            // The same reason is a warning once; the counter shows that it goes on.
            if status.last_error.as_ref() == Some(&why) {
                tracing::debug!(feed = self.name, "{why}");
            } else {
                tracing::warn!(feed = self.name, "{why}");
            }
            (status.last_error, status.token) = (Some(why), self.token.clone());
        });
    }
}
