//! What a site's keys should be, and what has to be written so that they are.

use std::collections::BTreeMap;
use std::io::Write;

use crate::nats::{MAX_VALUE, text_of};
use bytes::Bytes;
use directory::calendar::{FeedFile, FeedLimits, FeedMode, Instant};
use feed::Clock;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Shorter values are not gzipped.
const SHORT: usize = 512;
/// What begins later is not compared: a feed may list more or less of the far future.
const AHEAD_DAYS: u32 = 30;
/// A loss of up to this number of entries or keys is never held.
const ALWAYS: usize = 4;

pub(super) fn now() -> Instant {
    Instant::floor(Clock::system().now())
}

pub(super) type Wanted = BTreeMap<String, Bytes>;

/// A key to write: its value, or `None` to delete it.
pub(super) type Writing = (String, Option<Bytes>);

#[derive(Debug)]
pub(super) struct Due {
    pub(super) writings: Vec<Writing>,
    /// The keys whose data is older, named without the site.
    pub(super) late: BTreeMap<String, Instant>,
    /// Why they are late; empty if none is.
    pub(super) why_late: String,
}

pub(super) fn wanted(texts: BTreeMap<String, String>, site: &str) -> Result<Wanted, String> {
    let packed = |(key, text): (String, String)| Ok((format!("{site}.{key}"), value(&key, text)?));
    texts.into_iter().map(packed).collect()
}

/// What differs from the keys in the bucket. The key of a provider whose lines have `ended` gets this value; a Schedule that
/// is gone is deleted, so that its provider is withheld.
pub(super) fn differing<'a>(
    wanted: &Wanted,
    site: &str,
    bucket: impl Iterator<Item = (&'a str, Option<&'a Bytes>)>,
    ended: Option<&Bytes>,
) -> Vec<Writing> {
    let mut missing = wanted.clone();
    let mut writings = Vec::new();
    let schedules = format!("{site}.s.");
    for (key, there) in bucket {
        match (missing.remove(key), there) {
            (Some(value), Some(there)) if value == *there => {}
            (Some(value), _) => writings.push((key.to_owned(), Some(value))),
            (None, None) => {}
            (None, Some(_)) if key.starts_with(&schedules) => writings.push((key.to_owned(), None)),
            (None, Some(there)) if Some(there) == ended => {}
            (None, Some(_)) => writings.push((key.to_owned(), ended.cloned())),
        }
    }
    writings.extend(missing.into_iter().map(|(key, value)| (key, Some(value))));
    writings
}

pub(super) fn value(key: &str, text: String) -> Result<Bytes, String> {
    if text.len() > MAX_VALUE {
        return Err(format!("{key} has more than {MAX_VALUE} bytes of lines: list fewer months"));
    }
    if text.len() <= SHORT {
        return Ok(text.into());
    }
    // The same text always gives the same bytes: gzip's time stamp is left out.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    packed.map(Bytes::from).map_err(|error| error.to_string())
}

/// The keys with an entry, and the entries, of some keys: those that count in the mode and begin in the next 30 days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct KeyCount {
    keys: usize,
    entries: usize,
}

impl KeyCount {
    /// The size of one value. A value that cannot be read has none: another writer made it.
    pub(super) fn measure(value: &[u8], mode: FeedMode, now: Instant) -> Self {
        let text = text_of(value).unwrap_or_default();
        let Ok(file) = FeedFile::read("key", &text, &FeedLimits::default()) else { return Self::default() };
        let until = now.plus_minutes(AHEAD_DAYS * 24 * 60);
        let entries = file.starts(mode).filter(|start| (now..until).contains(start)).count();
        Self { keys: usize::from(entries > 0), entries }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.keys += other.keys;
        self.entries += other.entries;
    }

    pub(super) fn loss(self, after: Self, max_shrink: f64) -> Option<String> {
        for (what, before, after) in
            [("keys with entries", self.keys, after.keys), ("entries", self.entries, after.entries)]
        {
            let lost = before.saturating_sub(after);
            #[expect(clippy::cast_precision_loss, reason = "counts of entries are far below 2^52")]
            if lost > ALWAYS && lost as f64 > max_shrink * before as f64 {
                return Some(format!(
                    "has lost {lost} of the bucket's {before} {what} of the next {AHEAD_DAYS} days"
                ));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use directory::calendar::owned_texts;

    use super::*;

    fn wanted(text: &str) -> Wanted {
        let file = FeedFile::read("feed", text, &FeedLimits::default()).unwrap();
        let texts = owned_texts(&[Arc::new(file)], FeedMode::Busy).unwrap();
        super::wanted(texts, "ehr").unwrap()
    }

    fn busy(slug: &str, day: u32) -> String {
        format!(
            "{{\"provider\": \"{slug}\", \"start\": \"2026-12-{day:02}T16:00:00Z\", \"end\": \"2026-12-{day:02}T16:30:00Z\", \
             \"status\": \"busy\"}}\n"
        )
    }

    #[test]
    fn only_what_differs_is_written() {
        let wanted = wanted(&(busy("ann", 1) + &busy("bob", 1)));
        let all = differing(&wanted, "ehr", std::iter::empty(), None);
        assert_eq!(all.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["ehr.p.ann", "ehr.p.bob"]);
        let old = Bytes::from_static(b"old");
        let ann = wanted["ehr.p.ann"].clone();
        let (empty, marker) = (Bytes::new(), None);
        let bucket = [
            ("ehr.p.ann", Some(&ann)),
            ("ehr.p.bob", Some(&old)),
            ("ehr.p.cem", Some(&old)),
            ("ehr.p.dan", Some(&empty)),
            ("ehr.p.eva", marker),
            ("ehr.s.17", Some(&old)),
            ("ehr.s.18", marker),
        ];
        let bob = wanted["ehr.p.bob"].clone();
        let expected = [("ehr.p.bob", Some(bob)), ("ehr.p.cem", Some(Bytes::new())), ("ehr.s.17", None)];
        let expected: Vec<_> = expected.map(|(key, value)| (key.to_owned(), value)).into();
        assert_eq!(differing(&wanted, "ehr", bucket.into_iter(), Some(&empty)), expected);
    }

    #[test]
    fn long_values_are_gzipped_and_always_alike() {
        let long: String = (1..25).map(|day| busy("ann", day)).collect();
        let value = wanted(&long)["ehr.p.ann"].clone();
        assert!(value.starts_with(&[0x1f, 0x8b]) && value.len() < 400, "{}", value.len());
        assert_eq!(wanted(&long)["ehr.p.ann"], value);
        let now: Instant = "2026-12-02T00:00:00Z".parse().unwrap();
        assert_eq!(KeyCount::measure(&value, FeedMode::Busy, now), KeyCount { keys: 1, entries: 23 });
        assert_eq!(KeyCount::measure(b"nonsense", FeedMode::Busy, now), KeyCount::default());
    }

    #[test]
    fn the_size_of_an_unchanged_value_follows_the_time() {
        let value = wanted(&(busy("ann", 1) + &busy("ann", 5)))["ehr.p.ann"].clone();
        let size = |now: &str| KeyCount::measure(&value, FeedMode::Busy, now.parse().unwrap());
        assert_eq!(size("2026-11-03T00:00:00Z"), KeyCount { keys: 1, entries: 1 });
        assert_eq!(size("2026-11-20T00:00:00Z"), KeyCount { keys: 1, entries: 2 });
        assert_eq!(size("2026-12-02T00:00:00Z"), KeyCount { keys: 1, entries: 1 });
        assert_eq!(size("2026-12-06T00:00:00Z"), KeyCount::default());
    }

    #[test]
    fn a_large_loss_is_held_and_a_small_one_is_not() {
        let size = |keys, entries| KeyCount { keys, entries };
        assert_eq!(size(10, 100).loss(size(10, 50), 0.5), None);
        assert_eq!(size(4, 4).loss(size(0, 0), 0.0), None);
        let why = size(10, 100).loss(size(10, 49), 0.5).unwrap();
        assert_eq!(why, "has lost 51 of the bucket's 100 entries of the next 30 days");
        let why = size(10, 100).loss(size(4, 100), 0.5).unwrap();
        assert!(why.contains("6 of the bucket's 10 keys with entries"), "{why}");
        assert_eq!(size(10, 100).loss(size(0, 0), 1.0), None);
    }
}
