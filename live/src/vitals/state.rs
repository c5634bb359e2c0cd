//! Why the served content cannot be saved for the next start.

use std::collections::BTreeMap;
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::time::{Instant, interval_at};

use super::page::Page;
use super::{Refused, Vitals};
use feed::real_now;

const FOLDERS: [&str; 2] = ["state", "cache"];
const REMINDER: Duration = Duration::from_hours(1);

/// Why nothing can be kept in a folder.
pub(super) type Failing = BTreeMap<&'static str, Refused>;

impl Vitals {
    /// `folder` is `state` or `cache`; `failed` says why what is served was not kept.
    pub fn state_kept(&self, folder: &'static str, failed: Option<String>) {
        let mut failing = self.failing();
        let before = failing.remove(folder);
        if let Some(why) = failed {
            let is_known = before.is_some_and(|before| *before.why == *why);
            if !is_known {
                log(folder, &why);
            }
            failing.insert(folder, Refused { at: real_now(), why: why.into() });
        } else if before.is_some() {
            tracing::info!(folder, "the served content is saved for the next start again");
        }
    }

    /// Without end.
    pub async fn remind(&self) {
        let mut hours = interval_at(Instant::now() + REMINDER, REMINDER);
        loop {
            hours.tick().await;
            self.failing().iter().for_each(|(folder, failed)| log(folder, &failed.why));
        }
    }

    pub(super) fn state_errors(&self) -> Value {
        self.failing().iter().map(|(folder, failed)| (*folder, failed.shown())).collect()
    }

    pub(super) fn write_state(&self, page: &mut Page) {
        let failing = self.failing();
        for folder in FOLDERS {
            let is_failing = i32::from(failing.contains_key(folder));
            page.line("nameplate_state_failing", &[("folder", folder)], is_failing);
        }
    }

    fn failing(&self) -> MutexGuard<'_, Failing> {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn log(folder: &str, why: &str) {
    tracing::error!(folder, "the served content can't be saved for the next start: {why}");
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_folder_that_fails_is_shown_until_it_is_written() {
        let vitals = Vitals::new();
        let shown = || (vitals.readiness().1["stateErrors"].clone(), vitals.metrics());
        let line =
            |folder: &str, value: u8| format!("nameplate_state_failing{{folder=\"{folder}\"}} {value}\n");
        vitals.state_kept("state", Some("no space".to_owned()));
        let (errors, metrics) = shown();
        assert_eq!((&errors["state"]["what"], &errors["cache"]), (&"no space".into(), &Value::Null));
        assert!(metrics.contains(&line("state", 1)) && metrics.contains(&line("cache", 0)), "{metrics}");
        vitals.state_kept("cache", None);
        assert_eq!(shown().0["state"]["what"], "no space", "another folder");
        vitals.state_kept("state", None);
        let (errors, metrics) = shown();
        assert_eq!(errors, json!({}));
        assert!(metrics.contains(&line("state", 0)), "{metrics}");
    }
}
