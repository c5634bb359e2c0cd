//! What is known of each site: its last confirmation, whether its keys agree, and which of them are late.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use directory::calendar::{AsOf, Event, FeedMode, Instant, Late};

use super::beat::Beat;
use super::keys::Sum;
use feed::{SiteRead, moment};

#[derive(Debug, Clone, Default)]
pub(super) struct Site {
    pub(super) read: SiteRead,
    /// Whether the last beat was passed to the engine.
    is_told: bool,
    /// Whether everything was read again since the site last agreed.
    was_read_anew: bool,
    named_late: BTreeMap<Arc<str>, Instant>,
    /// The keys whose values are refused, with the reasons.
    pub(super) refused: BTreeMap<Arc<str>, Arc<str>>,
    bad_beat: Option<Arc<str>>,
    pub(super) sum: Sum,
}

impl Site {
    /// `is_exact`: the keys are those of the stream at this point, so their sum can be compared. True if they differ from the
    /// writer's: everything is to be read again, once.
    pub(super) fn take_beat(
        &mut self,
        site: &str,
        value: &[u8],
        stored_at: DateTime<Utc>,
        mode: FeedMode,
        is_exact: bool,
    ) -> bool {
        let beat = match Beat::read(value) {
            Ok(beat) => beat,
            Err(why) => {
                self.bad_beat = Some(why.into());
                return false;
            }
        };
        self.bad_beat = None;
        self.read.is_of_another_mode = !beat.is_of(mode);
        self.is_told = false;
        if is_exact {
            self.read.is_diverged = !beat.agrees_with(self.sum);
            if self.read.is_diverged {
                return !std::mem::replace(&mut self.was_read_anew, true);
            }
            self.was_read_anew = false;
        } else if self.read.is_diverged {
            return false;
        }
        self.read.confirmed = Some(AsOf::stored(Some(beat.as_of), stored_at, moment()));
        self.named_late = beat.late.iter().map(|(key, at)| (format!("{site}.{key}").into(), *at)).collect();
        false
    }

    /// The beat was deleted. The last confirmation ages, and the keys that it called late stay late.
    pub(super) fn lose_beat(&mut self) {
        self.bad_beat = None;
        self.read.is_diverged &= self.read.confirmed.is_some();
    }

    /// Whether nothing is known about it. A site without keys is known while its writer confirms other keys, or
    /// writes a beat that cannot be read: what is missing may be taken time.
    pub(super) fn is_empty(&self) -> bool {
        let has_beat = self.read.confirmed.is_some() || self.read.is_diverged || self.bad_beat.is_some();
        self.sum == Sum::default() && !has_beat
    }

    pub(super) fn refused<'a>(&'a self, site: &'a str) -> impl Iterator<Item = (String, Arc<str>)> + 'a {
        let keys = self.refused.iter().map(|(key, why)| (key.to_string(), Arc::clone(why)));
        let beat = self.bad_beat.iter().map(move |why| (super::keys::beat_key(site), Arc::clone(why)));
        beat.chain(keys)
    }

    pub(super) fn news(&mut self, name: &Arc<str>) -> Option<Event> {
        let writer = Arc::clone(name);
        if self.read.is_of_another_mode {
            let why = format!("the site {name} writes for another mode: correct its writer or feed.mode");
            return Some(Event::Unusable { writer, why });
        }
        if self.read.is_diverged {
            let why = format!("the site {name} has keys other than those its writer confirmed");
            return Some(Event::Failed { writer, why });
        }
        let Some(as_of) = self.read.confirmed else {
            let why = format!("the writer of the site {name} hasn't confirmed its keys");
            return Some(Event::Failed { writer, why });
        };
        if std::mem::replace(&mut self.is_told, true) {
            return None;
        }
        let late = self.named_late.iter().map(|(key, at)| Late {
            part: Arc::clone(key),
            as_of: Some(*at),
            why: format!("{key} is late: its data is of {at}"),
        });
        Some(Event::Beat { writer, as_of, late: late.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beat(sum: Sum, mode: &str) -> Vec<u8> {
        let (keys, hex) = (sum.keys, sum.hex());
        format!("{{\"asOf\": \"2026-11-22T12:00:00Z\", \"mode\": \"{mode}\", \"keys\": {keys}, \"sum\": \"{hex}\"}}").into_bytes()
    }

    fn take(site: &mut Site, value: &[u8], is_exact: bool) -> bool {
        site.take_beat(
            "ehr",
            value,
            DateTime::from_timestamp(1_795_000_000, 0).unwrap(),
            FeedMode::Busy,
            is_exact,
        )
    }

    #[tokio::test]
    async fn other_keys_are_read_again_once_and_then_the_site_ages() {
        let (ours, theirs) = (Sum { keys: 1, xor: 5 }, Sum { keys: 1, xor: 6 });
        let mut site = Site { sum: ours, ..Site::default() };
        assert!(!take(&mut site, &beat(ours, "busy"), true));
        let confirmed = site.read.confirmed.unwrap();
        assert!(take(&mut site, &beat(theirs, "busy"), true));
        assert!(!take(&mut site, &beat(theirs, "busy"), true));
        // A beat that cannot be compared does not hide the difference.
        assert!(!take(&mut site, &beat(theirs, "busy"), false));
        assert!(site.read.is_diverged);
        assert_eq!(site.read.confirmed, Some(confirmed), "a beat of other keys confirms nothing");
        site.sum = theirs;
        assert!(!take(&mut site, &beat(theirs, "busy"), true));
        assert!(!site.read.is_diverged && site.read.confirmed != Some(confirmed));
        site.sum = ours;
        assert!(take(&mut site, &beat(theirs, "busy"), true), "once for each time");
    }

    #[tokio::test]
    async fn another_mode_and_a_bad_beat_are_seen() {
        let mut site = Site::default();
        take(&mut site, &beat(Sum::default(), "open"), true);
        assert!(site.read.is_of_another_mode);
        take(&mut site, b"nonsense", true);
        let refused: Vec<_> = site.refused("ehr").collect();
        assert_eq!(refused[0].0, "ehr.beat");
        take(&mut site, &beat(Sum::default(), "busy"), true);
        assert_eq!((site.read.is_of_another_mode, site.refused("ehr").count()), (false, 0));
    }

    #[tokio::test]
    async fn a_beat_is_reported_once_with_its_late_keys_and_a_deleted_one_changes_nothing() {
        let mut site = Site::default();
        let value =
            br#"{"asOf": "2026-11-22T12:00:00Z", "mode": "busy", "late": {"p.ann": "2026-11-22T11:00:00Z"}}"#;
        take(&mut site, value, true);
        let before = site.read;
        let Some(Event::Beat { as_of, late, .. }) = site.news(&"ehr".into()) else { panic!("no beat") };
        assert_eq!(as_of.told, Some("2026-11-22T12:00:00Z".parse().unwrap()));
        let late: Vec<_> = late.iter().map(|late| (&*late.part, late.as_of)).collect();
        assert_eq!(late, [("ehr.p.ann", Some("2026-11-22T11:00:00Z".parse().unwrap()))]);
        site.lose_beat();
        assert_eq!((site.read, site.news(&"ehr".into()).is_none()), (before, true));
    }

    #[tokio::test]
    async fn a_site_without_a_beat_of_its_keys_fails() {
        let mut site = Site::default();
        let news = |site: &mut Site| format!("{:?}", site.news(&"ehr".into()).unwrap());
        assert!(news(&mut site).contains("hasn't confirmed its keys"));
        take(&mut site, &beat(Sum::default(), "open"), true);
        assert!(news(&mut site).starts_with("Unusable"));
        take(&mut site, &beat(Sum { keys: 1, xor: 5 }, "busy"), true);
        assert!(news(&mut site).contains("has keys other than those its writer confirmed"));
        take(&mut site, &beat(Sum::default(), "busy"), true);
        assert!(news(&mut site).starts_with("Beat"));
    }
}
