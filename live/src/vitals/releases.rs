use std::sync::atomic::Ordering::Relaxed;

use serde_json::{Value, json};

use super::page::Page;
use super::{Refused, Vitals, rfc3339};
use feed::real_now;

impl Vitals {
    pub fn follows_releases(&self) {
        self.releases().get_or_insert_default();
    }

    /// `is_from_cache`: the object store has not confirmed it yet.
    pub fn release_served(&self, number: u64, is_from_cache: bool) {
        let mut releases = self.releases();
        let releases = releases.get_or_insert_default();
        (releases.release, releases.is_from_cache) = (Some(number), is_from_cache);
    }

    pub fn releases_answered(&self) {
        let mut releases = self.releases();
        let releases = releases.get_or_insert_default();
        (releases.answered_at, releases.failed) = (Some(real_now()), None);
    }

    pub fn releases_failed(&self, why: String) {
        self.release_failures.fetch_add(1, Relaxed);
        let failed = Refused { at: real_now(), why: why.into() };
        self.releases().get_or_insert_default().failed = Some(failed);
    }

    pub(super) fn content_source(&self) -> &'static str {
        match &*self.releases() {
            None => "folder",
            Some(releases) if releases.is_from_cache => "cache",
            Some(_) => "store",
        }
    }

    pub(super) fn releases_state(&self) -> Option<Value> {
        let releases = self.releases().clone()?;
        Some(json!({
            "release": releases.release,
            "answeredAt": releases.answered_at.map(rfc3339),
            "lastError": releases.failed.as_ref().map(Refused::shown),
        }))
    }

    pub(super) fn write_releases(&self, page: &mut Page) {
        let Some(releases) = self.releases().clone() else { return };
        if let Some(release) = releases.release {
            page.one("nameplate_content_release", release);
        }
        page.one("nameplate_content_from_cache", i32::from(releases.is_from_cache));
        page.one("nameplate_content_store_failing", i32::from(releases.failed.is_some()));
        page.one("nameplate_content_store_failures_total", self.release_failures.load(Relaxed));
        if let Some(at) = releases.answered_at {
            page.one("nameplate_content_store_answered_timestamp_seconds", at.timestamp());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_of_the_content_is_shown() {
        let vitals = Vitals::new();
        let shown = |vitals: &Vitals| {
            let (_, state) = vitals.readiness();
            (state["content"]["source"].clone(), state["store"].clone(), vitals.metrics())
        };
        let (source, store, metrics) = shown(&vitals);
        assert_eq!((source, store), ("folder".into(), Value::Null));
        assert!(!metrics.contains("nameplate_content_store"));

        vitals.follows_releases();
        vitals.releases_failed("no answer".to_owned());
        vitals.release_served(7, true);
        let (source, store, metrics) = shown(&vitals);
        assert_eq!((source, &store["release"]), ("cache".into(), &7.into()));
        assert_eq!(store["lastError"]["what"], "no answer");
        for line in ["_release 7", "_from_cache 1", "_store_failing 1", "_store_failures_total 1"] {
            assert!(metrics.contains(&format!("nameplate_content{line}\n")), "{line}");
        }

        vitals.releases_answered();
        vitals.release_served(7, false);
        let (source, store, metrics) = shown(&vitals);
        assert_eq!((source, &store["lastError"]), ("store".into(), &Value::Null));
        assert!(metrics.contains("nameplate_content_store_failing 0\n"));
    }
}
