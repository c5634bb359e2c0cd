//! What the keys of calendars should be: for each clinician the busy time of all of her calendars. While one of them is in
//! doubt or unread, or much has gone from them, her key has what it had before and what is new, and the beat names it as
//! late. The bucket itself is the memory: after a restart, new readings are compared with its keys and its last beat.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use directory::calendar::{Event, FeedFile, FeedLimits, FeedMode, Instant, owned_texts, some_of};

use super::plan::{Due, KeyCount, Wanted, differing, value};
use super::reading::Confirmed;
use crate::nats::{Beat, OwnKey, text_of};

pub(super) struct Calendars {
    site: String,
    max_shrink: f64,
    /// By their names in messages, which have no address.
    all: BTreeMap<Arc<str>, Calendar>,
    clinicians: BTreeMap<String, Clinician>,
}

#[derive(Debug, Default)]
struct Calendar {
    slug: String,
    /// `None`: this process has not read it.
    text: Option<Arc<FeedFile>>,
    /// Why what its text leaves free may be taken.
    doubt: Option<String>,
    failed: Option<String>,
    /// When it was last read without doubt.
    true_at: Option<Instant>,
}

/// What a clinician's key had when it was last without doubt, and when that was true.
struct Clinician {
    text: String,
    true_at: Option<Instant>,
}

impl Calendars {
    pub(super) fn new(site: &str, max_shrink: f64) -> Self {
        Self { site: site.to_owned(), max_shrink, all: BTreeMap::new(), clinicians: BTreeMap::new() }
    }

    /// It is an error if no calendar could be read, so that another writer, who may reach them, can take over.
    pub(super) fn take(&mut self, events: Vec<Event>, as_of: Instant) -> Result<Confirmed, String> {
        let mut heard = BTreeSet::new();
        for event in events {
            match event {
                Event::Writers { all } => self.all.retain(|name, _| all.contains(name)),
                Event::PartChanged { part, text } => {
                    let Some(slug) = part.calendar_of() else { continue };
                    let new = || Calendar { slug: slug.to_owned(), ..Calendar::default() };
                    let calendar = self.all.entry(Arc::clone(part.name())).or_insert_with(new);
                    match text {
                        Ok(text) => (calendar.text, calendar.doubt) = (Some(text), None),
                        Err(why) => calendar.doubt = Some(why.to_string()),
                    }
                }
                Event::Beat { writer, .. } => {
                    if let Some(calendar) = self.all.get_mut(&writer) {
                        calendar.failed = None;
                        if calendar.doubt.is_none() {
                            calendar.true_at = Some(as_of);
                        }
                        heard.insert(writer);
                    }
                }
                Event::Failed { writer, why } | Event::Unusable { writer, why } => {
                    if let Some(calendar) = self.all.get_mut(&writer) {
                        calendar.failed = Some(why);
                    }
                }
                Event::PartGone { .. } | Event::Complete { .. } => {}
            }
        }
        if heard.is_empty() && !self.all.is_empty() {
            let whys = self.all.iter().flat_map(|(name, calendar)| calendar.whys(name));
            return Err(format!("no calendar can be read: {}", some_of(whys).unwrap_or_default()));
        }
        Ok(Confirmed { as_of, late: BTreeMap::new(), why_late: String::new() })
    }

    /// What is to be written, since the bucket has these keys. `beat` is another writer's, or this one's before a restart.
    pub(super) fn due(
        &mut self,
        as_of: Instant,
        keys: &BTreeMap<String, OwnKey>,
        beat: Option<&Beat>,
    ) -> Due {
        let mut of: BTreeMap<&str, Vec<(&Arc<str>, &Calendar)>> = BTreeMap::new();
        for (name, calendar) in &self.all {
            of.entry(&calendar.slug).or_default().push((name, calendar));
        }
        self.clinicians.retain(|slug, _| of.contains_key(slug.as_str()));
        let (mut wanted, mut late, mut whys) = (Wanted::new(), BTreeMap::new(), Vec::new());
        for (slug, calendars) in of {
            let within = key_of(slug);
            let key = format!("{}.{within}", self.site);
            let there = keys.get(&key).and_then(|(_, value)| value.as_ref());
            let before = || Clinician::before(slug, &within, there, beat);
            let known = self.clinicians.entry(slug.to_owned()).or_insert_with(before);
            let (text, mut hers) = known.settle(slug, &calendars, self.max_shrink, as_of);
            let mut true_at = known.true_at;
            match value(slug, text) {
                Ok(value) => _ = wanted.insert(key.clone(), value),
                Err(why) => {
                    hers.push(why);
                    true_at = None;
                    wanted.extend(there.map(|there| (key.clone(), there.clone())));
                }
            }
            if !hers.is_empty() {
                // No replica uses what is as old as 1970.
                late.insert(within.clone(), true_at.unwrap_or(Instant::from_unix(0)));
            }
            whys.extend(hers);
        }
        let bucket = keys.iter().map(|(key, (_, value))| (key.as_str(), value.as_ref()));
        // Nothing is published about a clinician without a line, not even that she is free.
        let writings = differing(&wanted, &self.site, bucket, None);
        Due { writings, late, why_late: some_of(whys.into_iter()).unwrap_or_default() }
    }
}

impl Calendar {
    fn whys<'a>(&'a self, name: &'a str) -> impl Iterator<Item = String> + 'a {
        // A failed look already names the calendar.
        let doubt = self.doubt.iter().map(move |why| format!("{name}: {why}"));
        doubt.chain(self.failed.iter().cloned())
    }
}

impl Clinician {
    fn before(slug: &str, within: &str, there: Option<&Bytes>, beat: Option<&Beat>) -> Self {
        let text = there.and_then(|value| text_of(value).ok());
        let file = text.as_deref().and_then(read);
        let beat = beat.filter(|_| file.is_some());
        let true_at = beat.map(|beat| beat.late.get(within).copied().unwrap_or(beat.as_of));
        Self { text: merged(slug, file.as_slice()), true_at }
    }

    fn settle(
        &mut self,
        slug: &str,
        calendars: &[(&Arc<str>, &Calendar)],
        max_shrink: f64,
        now: Instant,
    ) -> (String, Vec<String>) {
        let mut whys: Vec<_> = calendars.iter().flat_map(|(name, calendar)| calendar.whys(name)).collect();
        let texts: Vec<_> = calendars.iter().filter_map(|(_, calendar)| calendar.text.clone()).collect();
        let is_clear = |calendar: &Calendar| calendar.text.is_some() && calendar.doubt.is_none();
        let text = merged(slug, &texts);
        if calendars.iter().all(|(_, calendar)| is_clear(calendar)) {
            let Some(lost) = self.loss(&text, max_shrink, now) else {
                let oldest = calendars.iter().map(|(_, calendar)| calendar.true_at).min();
                (self.text, self.true_at) = (text.clone(), oldest.flatten());
                return (text, whys);
            };
            whys.push(format!(
                "{slug} {lost}, so the earlier times stay taken: if the loss is intended, stop this push and run it once with --once \
                 --accept-shrink"
            ));
        }
        (merged(slug, &[texts, read(&self.text).into_iter().collect()].concat()), whys)
    }

    fn loss(&self, text: &str, max_shrink: f64, now: Instant) -> Option<String> {
        let count = |text: &str| KeyCount::measure(text.as_bytes(), FeedMode::Busy, now);
        if self.text == text { None } else { count(&self.text).loss(count(text), max_shrink) }
    }
}

fn read(text: &str) -> Option<Arc<FeedFile>> {
    FeedFile::read("key", text, &FeedLimits::default()).ok().map(Arc::new)
}

fn merged(slug: &str, texts: &[Arc<FeedFile>]) -> String {
    // No Schedule is in them that could be described in two ways.
    let mut texts = owned_texts(texts, FeedMode::Busy).unwrap_or_default();
    texts.remove(&key_of(slug)).unwrap_or_default()
}

fn key_of(slug: &str) -> String {
    format!("p.{slug}")
}
