//! Turns the events of the source into the values that the site's keys should have, and the keys that are late.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use directory::calendar::{Event, FeedFile, FeedMode, Instant, Late, owned_texts};

use super::plan::{Due, KeyCount, Wanted, Writing, differing, now, wanted};
use crate::nats::OwnKey;

#[derive(Default)]
pub(super) struct Readings {
    site: String,
    mode: FeedMode,
    /// The share of the bucket's entries and keys that may be lost.
    max_shrink: f64,
    wanted: Wanted,
    parts: BTreeMap<Arc<str>, Part>,
    /// Why the last reading is refused: then the one before must not be confirmed in its place.
    refused: Option<String>,
}

struct Part {
    file: Arc<FeedFile>,
    as_of: Instant,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Confirmed {
    /// The time of the data, except for the keys that are late.
    pub(super) as_of: Instant,
    /// The keys of parts that could not be read this time, named without the site, and the times of their data.
    pub(super) late: BTreeMap<String, Instant>,
    pub(super) why_late: String,
}

impl Readings {
    pub(super) fn new(site: &str, mode: FeedMode, max_shrink: f64) -> Self {
        Self { site: site.to_owned(), mode, max_shrink, ..Self::default() }
    }

    pub(super) fn take(&mut self, events: Vec<Event>) -> Result<Confirmed, String> {
        // The parts that were read newly, and whether the source has other lines than before.
        let (mut read, mut has_changed, mut bad, mut beat) = (BTreeSet::new(), false, None, None);
        for event in events {
            match event {
                Event::PartChanged { part, text: Ok(file) } => {
                    has_changed = true;
                    let is_known = |known: &Part| known.file == file;
                    if !self.parts.get(part.name()).is_some_and(is_known) {
                        read.insert(Arc::clone(part.name()));
                        self.parts.insert(Arc::clone(part.name()), Part { file, as_of: now() });
                    }
                }
                Event::PartChanged { text: Err(why), .. } => bad = Some(why.to_string()),
                Event::Complete { parts, .. } => self.parts.retain(|name, _| parts.contains(name)),
                Event::Beat { as_of, late, .. } => beat = Some((as_of, late)),
                Event::Failed { why, .. } | Event::Unusable { why, .. } => bad = Some(why),
                Event::PartGone { .. } | Event::Writers { .. } => {}
            }
        }
        if bad.is_some() || has_changed {
            self.refused = bad;
        }
        if let Some(why) = &self.refused {
            return Err(why.clone());
        }
        if has_changed {
            let files: Vec<_> = self.parts.values().map(|part| Arc::clone(&part.file)).collect();
            let texts = owned_texts(&files, self.mode).map_err(|error| error.to_string());
            match texts.and_then(|texts| wanted(texts, &self.site)) {
                Ok(wanted) => self.wanted = wanted,
                Err(why) => {
                    self.refused = Some(why.clone());
                    return Err(why);
                }
            }
        }
        let Some((as_of, late)) = beat.filter(|_| !self.parts.is_empty()) else {
            return Err("the source reports no change before it was first read".to_owned());
        };
        let as_of = as_of.told.map_or_else(now, |told| told.min(now()));
        self.confirm(as_of, &read, &late)
    }

    /// What is to be written, since the bucket has these keys. It is an error if too much would be lost.
    pub(super) fn due(
        &mut self,
        confirmed: &Confirmed,
        there: &BTreeMap<String, OwnKey>,
    ) -> Result<Due, String> {
        let bucket = there.iter().map(|(key, (_, value))| (key.as_str(), value.as_ref()));
        let writings = differing(&self.wanted, &self.site, bucket, Some(&Bytes::new()));
        if let Some(lost) = self.loss(&writings, there) {
            return Err(format!(
                "the source {lost}, so nothing is written: if the loss is intended, run it once with --once --accept-shrink"
            ));
        }
        let mut late = confirmed.late.clone();
        // A busy part that cannot be read may list a provider again whose lines had ended.
        if let Some(oldest) = late.values().min().copied().filter(|_| self.mode == FeedMode::Busy) {
            let ended =
                there.iter().filter(|(key, (_, value))| value.is_some() && !self.wanted.contains_key(*key));
            let ended = ended.filter_map(|(key, _)| key.strip_prefix(&self.site)?.strip_prefix('.'));
            let of_providers = ended.filter(|key| !key.starts_with("s."));
            late.extend(of_providers.map(|key| (key.to_owned(), oldest)));
        }
        Ok(Due { writings, late, why_late: confirmed.why_late.clone() })
    }

    fn loss(&self, writings: &[Writing], there: &BTreeMap<String, OwnKey>) -> Option<String> {
        let now = now();
        let size = |value: &Bytes| KeyCount::measure(value, self.mode, now);
        let (mut before, mut after) = (KeyCount::default(), KeyCount::default());
        for (key, value) in writings {
            let known = there.get(key).and_then(|(_, value)| value.as_ref());
            before.add(known.map(size).unwrap_or_default());
            after.add(value.as_ref().map(size).unwrap_or_default());
        }
        // So few may be lost that the sizes of all keys, which take long, don't matter.
        before.loss(after, 0.0)?;
        let written: BTreeSet<&String> = writings.iter().map(|(key, _)| key).collect();
        let others = there.iter().filter(|(key, _)| !written.contains(key));
        for value in others.filter_map(|(_, (_, value))| value.as_ref()) {
            let same = size(value);
            before.add(same);
            after.add(same);
        }
        before.loss(after, self.max_shrink)
    }

    fn confirm(
        &mut self,
        as_of: Instant,
        read: &BTreeSet<Arc<str>>,
        late: &[Late],
    ) -> Result<Confirmed, String> {
        let is_late = |name: &Arc<str>| late.iter().any(|late| late.part == *name);
        for (name, part) in &mut self.parts {
            // What is late is as old as it was.
            if !is_late(name) || read.contains(name) {
                part.as_of = as_of;
            }
        }
        let why: Vec<&str> = late.iter().map(|late| late.why.as_str()).collect();
        let why_late = why.join("; ");
        let mut late_keys = BTreeMap::new();
        for Late { part, .. } in late {
            // It is about the source as a whole, or about a part of which nothing was read.
            let Some(part) = self.parts.get(part) else { return Err(why_late) };
            let texts = owned_texts(std::slice::from_ref(&part.file), self.mode);
            for key in texts.map_err(|error| error.to_string())?.into_keys() {
                let at = late_keys.entry(key).or_insert(part.as_of);
                *at = part.as_of.min(*at);
            }
        }
        if !late.is_empty() && late.len() == self.parts.len() {
            return Err(why_late);
        }
        Ok(Confirmed { as_of, late: late_keys, why_late })
    }
}

#[cfg(test)]
mod tests {
    use directory::calendar::{AsOf, FeedLimits, PartId};
    use feed::moment;

    use super::*;

    fn part(name: &str, slugs: &[&str]) -> Arc<FeedFile> {
        let line = |slug: &&str| {
            format!(
                "{{\"provider\": \"{slug}\", \"start\": \"2026-12-01T16:00:00Z\", \"end\": \"2026-12-01T16:30:00Z\", \
                 \"status\": \"busy\"}}\n"
            )
        };
        let text: String = slugs.iter().map(line).collect();
        Arc::new(FeedFile::read(name, &text, &FeedLimits::default()).unwrap())
    }

    /// What a source of these files says at a look.
    fn look(parts: Option<Vec<Arc<FeedFile>>>, minute: Option<i64>, late: Vec<Late>) -> Vec<Event> {
        let writer: Arc<str> = "source".into();
        let names = parts.as_ref().map(|parts| parts.iter().map(|file| file.name.clone()).collect());
        let text = |file: Arc<FeedFile>| Event::PartChanged {
            part: PartId::file(&writer, file.name.clone()),
            text: Ok(file),
        };
        let mut events: Vec<_> = parts.into_iter().flatten().map(text).collect();
        events.extend(names.map(|parts| Event::Complete { writer: Arc::clone(&writer), parts }));
        events.push(Event::Beat { writer, as_of: AsOf::read(minute.map(at), moment()), late });
        events
    }

    fn at(minute: i64) -> Instant {
        Instant::from_unix(1_790_000_000 / 60 * 60 + minute * 60)
    }

    fn late(part: &str) -> Vec<Late> {
        vec![Late { part: part.into(), as_of: None, why: format!("{part} doesn't answer") }]
    }

    #[test]
    fn the_keys_of_a_part_that_cannot_be_read_are_as_old_as_it_is() {
        let mut source = Readings::new("ehr", FeedMode::Busy, 0.5);
        let both = || vec![part("one", &["ann", "bob"]), part("two", &["bob", "cem"])];
        let first = look(Some(both()), Some(0), Vec::new());
        let reading = source.take(first).unwrap();
        assert_eq!((reading.as_of, reading.late.len(), source.wanted.len()), (at(0), 0, 3));
        // Of both parts with bob, one is not read newly.
        for minute in [1, 2] {
            let unchanged = look(None, Some(minute), late("two"));
            let reading = source.take(unchanged).unwrap();
            let expected = [("p.bob".to_owned(), at(0)), ("p.cem".to_owned(), at(0))];
            assert_eq!((reading.as_of, reading.late), (at(minute), expected.into()));
            assert_eq!(reading.why_late, "two doesn't answer");
        }
        let parts = vec![part("one", &["ann"]), part("two", &["bob", "cem"])];
        let changed = look(Some(parts), Some(3), late("two"));
        assert_eq!(source.take(changed).unwrap().late["p.cem"], at(0));
        // The other one is as old as when it was read last.
        let other = look(None, Some(4), late("one"));
        assert_eq!(source.take(other).unwrap().late, [("p.ann".to_owned(), at(3))].into());
        let good = look(None, Some(5), Vec::new());
        assert!(source.take(good).unwrap().late.is_empty());
    }

    #[test]
    fn nothing_is_confirmed_when_the_whole_source_is_late_or_was_never_read() {
        let mut source = Readings::new("ehr", FeedMode::Busy, 0.5);
        assert!(source.take(look(None, None, Vec::new())).is_err());
        let parts = vec![part("one", &["ann"]), part("two", &["bob"])];
        source.take(look(Some(parts), Some(0), Vec::new())).unwrap();
        for late in [late("manifest"), [late("one"), late("two")].concat()] {
            let why = source.take(look(None, Some(1), late)).unwrap_err();
            assert!(why.ends_with("doesn't answer"), "{why}");
        }
        // A reading with a mistake takes the place of what was read before.
        let schedule = |name: &str, person: &str| {
            let actor = format!("{{\"reference\": \"Practitioner/{person}\"}}");
            let line = format!("{{\"resourceType\": \"Schedule\", \"id\": \"17\", \"actor\": [{actor}]}}");
            Arc::new(FeedFile::read(name, &line, &FeedLimits::default()).unwrap())
        };
        let parts = vec![schedule("one", "1"), schedule("two", "2")];
        let why = source.take(look(Some(parts), None, Vec::new())).unwrap_err();
        assert!(why.contains("the Schedule 17 is described differently"), "{why}");
        assert!(source.take(look(None, Some(2), Vec::new())).is_err());
    }
}
