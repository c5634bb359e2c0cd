//! A clinic whose feed arrives as events, and what it offers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::super::super::super::test_clinics::{clinic, provider};
use super::super::super::{FeedLimits, FeedRules, ProviderFeed};
use super::super::entries::Said;
use super::super::{AsOf, Change, Engine, Event, Moment, PartId, Report};
use crate::calendar::Instant;
use crate::model::{Directory, Slug};

/// Four providers, of whom each may have keys.
pub(super) struct Clinic {
    pub(super) directory: Directory,
    pub(super) engine: Engine,
    pub(super) now: Moment,
    pub(super) sets: BTreeMap<Slug, ProviderFeed>,
    pub(super) withheld: Vec<String>,
}

impl Clinic {
    pub(super) fn new(rules: FeedRules) -> Self {
        Self {
            directory: clinic((0..4).map(|number| (provider(number), None)).collect()),
            engine: Engine::new(Arc::new(rules)),
            now: Moment { tick: Duration::from_hours(90_000), wall: "2026-11-30T12:00:00Z".parse().unwrap() },
            sets: BTreeMap::new(),
            withheld: Vec::new(),
        }
    }

    /// Puts and deletes keys, whose writers confirm them.
    pub(super) fn change(&mut self, keys: &[(&str, Option<&str>)]) -> Change {
        let mut writers = BTreeSet::new();
        let mut events = Vec::new();
        for (name, text) in keys {
            let part = PartId::key(name).unwrap();
            writers.insert(Arc::clone(part.writer()));
            events.push(match text {
                Some(text) => {
                    let text = part.read(text, &FeedLimits::default());
                    Event::PartChanged { part, text }
                }
                None => Event::PartGone { part },
            });
        }
        events.extend(writers.into_iter().map(|writer| self.beat(writer)));
        self.take(events)
    }

    /// Reads the files that there are now.
    pub(super) fn read(&mut self, files: &[(&str, String)]) -> Change {
        let writer: Arc<str> = "feed".into();
        let (mut events, mut parts) = (Vec::new(), BTreeSet::new());
        for (name, text) in files {
            let part = PartId::file(&writer, (*name).into());
            parts.insert(Arc::clone(part.name()));
            let text = part.read(text, &FeedLimits::default());
            events.push(Event::PartChanged { part, text });
        }
        events.push(Event::Complete { writer: Arc::clone(&writer), parts });
        events.push(self.beat(writer));
        self.take(events)
    }

    /// Looks at the calendars of these lines: each of a clinician, with its text, if its server answers.
    pub(super) fn look(&mut self, lines: &[(&str, Option<String>)]) -> Change {
        let part =
            |slug: &str| PartId::calendar(&slug.parse().unwrap(), format!("{slug}, calendar 1").into());
        let all = lines.iter().map(|(slug, _)| Arc::clone(part(slug).writer())).collect();
        let mut events = vec![Event::Writers { all }];
        for (slug, text) in lines {
            let part = part(slug);
            let writer = Arc::clone(part.writer());
            let beat = text.as_ref().map(|_| self.beat(writer));
            let read = |text: &String| part.read(text, &FeedLimits::default());
            let text = text.as_ref().map_or_else(|| Err("it answers 500".to_owned().into()), read);
            events.push(Event::PartChanged { part, text });
            events.extend(beat);
        }
        self.take(events)
    }

    pub(super) fn beat(&self, writer: Arc<str>) -> Event {
        Event::Beat { writer, as_of: AsOf::read(None, self.now), late: Vec::new() }
    }

    pub(super) fn take(&mut self, events: Vec<Event>) -> Change {
        let change = self.engine.take(events, self.directory.generation(), &self.directory, self.instant());
        self.note(&change);
        change
    }

    pub(super) fn instant(&self) -> Instant {
        Instant::floor(self.now.wall)
    }

    pub(super) fn accept(&mut self) {
        let change = self.engine.accept(&self.directory, self.instant());
        self.note(&change);
    }

    pub(super) fn restart(&mut self) {
        let memory = serde_json::to_vec(&self.engine.memory(&self.directory, self.now)).unwrap();
        let memory = serde_json::from_slice(&memory).unwrap();
        self.engine = Engine::new(Arc::clone(&self.engine.rules));
        let change = self.engine.restore(memory, &self.directory, (self.now, self.instant()));
        self.note(&change);
    }

    fn note(&mut self, change: &Change) {
        if change.is_complete {
            self.sets.clear();
        }
        self.sets.extend(change.providers.iter().map(|set| (set.provider.clone(), set.clone())));
        self.withheld = self.engine.ages().providers.withheld.iter().map(ToString::to_string).collect();
    }

    pub(super) fn pass(&mut self, minutes: u64) {
        self.now = later(self.now, minutes);
    }

    pub(super) fn report(&self) -> Report {
        self.engine.report(&self.directory)
    }

    /// Who has no openings after these minutes without news.
    pub(super) fn unknown_after(&self, minutes: u64) -> Vec<String> {
        let judgment = self.engine.ages().judge(later(self.now, minutes));
        if judgment.freshness == super::super::super::Freshness::Expired {
            return self.directory.providers().iter().map(|provider| provider.slug.to_string()).collect();
        }
        judgment.unknown.iter().map(ToString::to_string).collect()
    }
}

impl Engine {
    /// Asserts that the changes, step by step, add up to the current state.
    pub(super) fn assert_whole(&self, here: &Directory) {
        if self.owners.generation.is_none() {
            return;
        }
        let suspicion = self.owners.suspicion();
        let numbers = here.provider_numbers().filter(|number| self.owners.is_withheld(*number, suspicion));
        let withheld: BTreeSet<_> = numbers.map(|number| here.provider(number).slug.clone()).collect();
        assert_eq!(self.owners.withheld, withheld, "the withheld ones");
        assert!(self.owners.list.withheld.iter().eq(&withheld), "the withheld clinicians in the list");
    }

    pub(super) fn is_in_doubt_by_name(&self, name: &str) -> bool {
        let part = self.parts().find(|part| **part.id.name() == *name);
        part.is_some_and(|part| part.doubt.is_some())
    }

    /// The most owners that are kept: of a part's texts, and of those that name parts.
    pub(super) fn most_owners(&self) -> usize {
        let of = |said: &Said| said.owners().count();
        let parts = self.parts().map(|part| of(&part.good).max(of(part.newest())).max(of(part.believed())));
        let naming = self.writers.values().map(|writer| writer.naming.len());
        parts.max().unwrap_or_default().max(naming.max().unwrap_or_default())
    }

    /// Whether an operator can accept what has vanished from a part.
    pub(super) fn is_held_by_name(&self, name: &str) -> bool {
        let part = self.parts().find(|part| **part.id.name() == *name);
        part.is_some_and(|part| {
            let is_lossy = self.writers.get(part.id.writer()).is_some_and(|writer| writer.lost.is_some());
            part.doubt.as_ref().is_some_and(|doubt| doubt.lost.is_some() || is_lossy)
        })
    }
}

fn later(now: Moment, minutes: u64) -> Moment {
    let by = Duration::from_mins(minutes);
    Moment { tick: now.tick + by, wall: now.wall + TimeDelta::from_std(by).unwrap() }
}

/// Busy time at this hour of the first of December.
pub(super) fn busy(whose: &str, hour: u32) -> String {
    busy_at(
        whose,
        "2026-12-01T00:00:00Z".parse::<DateTime<Utc>>().unwrap() + TimeDelta::hours(i64::from(hour)),
    )
}

/// Half an hour of busy time.
pub(super) fn busy_at(whose: &str, start: DateTime<Utc>) -> String {
    slot(whose, start, "busy")
}

pub(super) fn slot(whose: &str, start: DateTime<Utc>, status: &str) -> String {
    let whose = match whose.strip_prefix("Schedule/") {
        Some(_) => format!(r#""resourceType":"Slot","schedule":{{"reference":"{whose}"}}"#),
        None => format!(r#""provider":"{whose}""#),
    };
    let at = |moment: DateTime<Utc>| moment.format("%Y-%m-%dT%H:%M:%SZ");
    let (start, end) = (at(start), at(start + TimeDelta::minutes(30)));
    format!(r#"{{{whose},"start":"{start}","end":"{end}","status":"{status}"}}"#)
}

pub(super) fn schedule(id: &str, person: &str) -> String {
    format!(r#"{{"resourceType":"Schedule","id":"{id}","actor":[{{"reference":"Practitioner/{person}"}}]}}"#)
}
