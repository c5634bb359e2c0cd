//! A clinic that changes, a feed that says anything at any time, and what was ever said to be taken.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::super::super::super::super::test_clinics::{clinic_of, provider};
use super::super::super::super::{FeedEntries, FeedLimits, FeedMode, FeedRules, Freshness, ProviderFeed};
use super::super::super::{AsOf, BadText, Change, Engine, Event, Judgment, Late, Moment, PartId};
use super::super::support::{schedule, slot};
use crate::calendar::Instant;
use crate::model::{Directory, Slug};

/// A small generator of numbers: the same for each seed, whatever the version of any crate.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(most.max(1)).unwrap()).unwrap()
    }

    pub(super) fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

pub(super) const PEOPLE: usize = 6;

/// Providers come, leave and are renamed.
pub(super) fn content(number: usize) -> Directory {
    let mut people: Vec<_> = (0..PEOPLE).map(provider).collect();
    match number {
        0 => {}
        1 => _ = people.remove(2),
        2 => {
            let former = people[1].slug.clone();
            people[1].former_slugs.push(former);
            people[1].slug = "new-name".parse().unwrap();
        }
        _ => people.truncate(4),
    }
    let people = people.into_iter().map(|one| (one, None)).collect();
    clinic_of(people, &[101], BTreeSet::new(), &format!("content {number}"))
}

/// An entry: whose it is, when it begins, and whether it is free.
pub(super) type Line = (String, DateTime<Utc>, bool);

/// What is believed of a part by the ledger of this test: each busy time of its newest readable text, and of earlier ones
/// until a reading without doubt has left it out.
#[derive(Default, Clone)]
pub(super) struct Ledger {
    pub(super) taken: BTreeSet<(String, DateTime<Utc>)>,
    pub(super) newest: BTreeSet<(String, DateTime<Utc>)>,
}

pub(super) struct World {
    pub(super) seed: u64,
    pub(super) chance: Chance,
    pub(super) mode: FeedMode,
    pub(super) rules: Arc<FeedRules>,
    pub(super) content: usize,
    pub(super) directory: Directory,
    pub(super) engine: Engine,
    pub(super) now: Moment,
    pub(super) is_bucket: bool,
    pub(super) texts: BTreeMap<String, Vec<Line>>,
    pub(super) ledger: BTreeMap<String, Ledger>,
    pub(super) sets: BTreeMap<Slug, ProviderFeed>,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut chance = Chance(seed);
        let mode = if chance.is(70) { FeedMode::Busy } else { FeedMode::Open };
        let is_bucket = chance.is(50);
        let unlisted_is_open = !is_bucket || chance.is(50);
        let rules = Arc::new(FeedRules { unlisted_is_open, ..FeedRules::new(mode) });
        Self {
            seed,
            chance,
            mode,
            engine: Engine::new(Arc::clone(&rules)),
            rules,
            content: 0,
            directory: content(0),
            now: Moment { tick: Duration::from_hours(90_000), wall: "2026-03-02T12:00:00Z".parse().unwrap() },
            is_bucket,
            texts: BTreeMap::new(),
            ledger: BTreeMap::new(),
            sets: BTreeMap::new(),
        }
    }

    pub(super) fn part(&self, name: &str) -> PartId {
        if self.is_bucket { PartId::key(name).unwrap() } else { PartId::file(&"feed".into(), name.into()) }
    }

    pub(super) fn writers(&self) -> Vec<Arc<str>> {
        let names: &[&str] = if self.is_bucket { &["a", "b"] } else { &["feed"] };
        names.iter().map(|name| Arc::from(*name)).collect()
    }

    /// Whose time a line may be.
    pub(super) fn owner(&mut self, part: &str) -> String {
        if self.is_bucket {
            let rest = part.split_once('.').unwrap().1;
            let (kind, id) = rest.split_once('.').unwrap();
            return if kind == "p" { id.to_owned() } else { format!("Schedule/{id}") };
        }
        match self.chance.below(10) {
            0..=6 => format!("p-{}", self.chance.below(PEOPLE)),
            7 => "stranger".to_owned(),
            _ => format!("Schedule/{}", self.chance.below(3)),
        }
    }

    pub(super) fn names(&self) -> Vec<String> {
        if !self.is_bucket {
            return (0..3).map(|number| format!("{number}.ndjson")).collect();
        }
        let of = |site: &str| {
            let people = (0..PEOPLE).map(move |number| format!("p.p-{number}"));
            let others = ["p.stranger".to_owned(), "s.0".to_owned(), "s.1".to_owned()];
            let site = site.to_owned();
            people.chain(others).map(move |rest| format!("{site}.{rest}")).collect::<Vec<_>>()
        };
        [of("a"), of("b")].concat()
    }

    /// Some lines for a part, mostly like its last ones.
    pub(super) fn lines(&mut self, part: &str) -> Vec<Line> {
        let mut lines = self.texts.get(part).cloned().unwrap_or_default();
        let kept = [100, 90, 40, 0][self.chance.below(4)];
        lines.retain(|_| self.chance.is(kept));
        for _ in 0..self.chance.below(12) {
            let owner = self.owner(part);
            let hours = i64::try_from(self.chance.below(24 * 40)).unwrap();
            let is_free = self.chance.is(if self.mode == FeedMode::Open { 80 } else { 5 });
            // Two Schedules never take the same time, so their entries never begin together.
            let minutes = if owner.starts_with("Schedule/") { 7 } else { 0 };
            let at = self.now.wall + TimeDelta::hours(hours) + TimeDelta::minutes(minutes);
            lines.push((owner, at, is_free));
        }
        lines
    }

    pub(super) fn text(&mut self, part: &str, lines: &[Line]) -> String {
        let mut text: String = lines
            .iter()
            .map(|(owner, at, is_free)| slot(owner, *at, if *is_free { "free" } else { "busy" }) + "\n")
            .collect();
        let of_key = part.split(".s.").nth(1);
        for id in 0..3 {
            let is_of_part = of_key.map_or(!self.is_bucket, |own| own == id.to_string());
            if is_of_part && self.chance.is(70) {
                let person = ["id-0", "id-1", "x-9"][(id + self.chance.below(2)) % 3];
                text.push_str(&(schedule(&id.to_string(), person) + "\n"));
            }
        }
        text
    }

    pub(super) fn beat(&mut self, writer: &Arc<str>) -> Event {
        let names = self.names();
        let late = if self.chance.is(15) {
            let part = names[self.chance.below(names.len())].as_str().into();
            let ago = TimeDelta::minutes(i64::try_from(self.chance.below(40)).unwrap());
            let as_of = self.chance.is(50).then(|| Instant::floor(self.now.wall - ago));
            vec![Late { part, as_of, why: "late".to_owned() }]
        } else {
            Vec::new()
        };
        Event::Beat { writer: Arc::clone(writer), as_of: AsOf::read(None, self.now), late }
    }

    /// Something happens.
    pub(super) fn step(&mut self) {
        match self.chance.below(20) {
            0..=9 => {
                let mut events = Vec::new();
                for _ in 0..=self.chance.below(3) {
                    events.push(self.change());
                }
                if !self.is_bucket || self.chance.is(60) {
                    for writer in self.writers() {
                        events.push(self.beat(&writer));
                    }
                }
                self.take(events);
            }
            10..=12 => {
                let writers = self.writers();
                let writer = writers[self.chance.below(writers.len())].clone();
                let beat = self.beat(&writer);
                self.take(vec![beat]);
            }
            13..=15 => {
                let minutes = [1, 4, 11, 29, 700][self.chance.below(5)];
                self.pass(minutes);
            }
            16 => {
                self.content = self.chance.below(4);
                self.directory = content(self.content);
                self.take(Vec::new());
            }
            17 => {
                for (name, ledger) in &mut self.ledger {
                    if self.engine.is_held_by_name(name) {
                        ledger.taken.clear();
                    }
                }
                let change = self.engine.accept(&self.directory, self.instant());
                self.note(&change);
            }
            18 => {
                let writers = self.writers();
                let writer = writers[self.chance.below(writers.len())].clone();
                let why = "away".to_owned();
                let event = if self.chance.is(50) {
                    Event::Failed { writer, why }
                } else {
                    Event::Unusable { writer, why }
                };
                self.take(vec![event]);
            }
            _ => self.restart(),
        }
    }

    pub(super) fn change(&mut self) -> Event {
        let names = self.names();
        let name = names[self.chance.below(names.len())].clone();
        let part = self.part(&name);
        if self.chance.is(8) {
            return Event::PartChanged { part, text: Err(BadText::Other("bad".to_owned())) };
        }
        if self.chance.is(12) {
            self.texts.remove(&name);
            if let Some(ledger) = self.ledger.get_mut(&name) {
                ledger.newest.clear();
            }
            return Event::PartGone { part };
        }
        let lines = self.lines(&name);
        let text = self.text(&name, &lines);
        let taken =
            lines.iter().filter(|(_, _, is_free)| !is_free).map(|(owner, at, _)| (owner.clone(), *at));
        let ledger = self.ledger.entry(name.clone()).or_default();
        ledger.newest = taken.collect();
        self.texts.insert(name, lines);
        Event::PartChanged { text: part.read(&text, &FeedLimits::default()), part }
    }

    pub(super) fn instant(&self) -> Instant {
        Instant::floor(self.now.wall)
    }

    pub(super) fn pass(&mut self, minutes: u64) {
        let by = Duration::from_mins(minutes);
        self.now =
            Moment { tick: self.now.tick + by, wall: self.now.wall + TimeDelta::from_std(by).unwrap() };
    }

    pub(super) fn take(&mut self, events: Vec<Event>) {
        let change = self.engine.take(events, self.directory.generation(), &self.directory, self.instant());
        self.note(&change);
    }

    pub(super) fn note(&mut self, change: &Change) {
        if change.is_complete {
            self.sets.clear();
        }
        self.sets.extend(change.providers.iter().map(|set| (set.provider.clone(), set.clone())));
        for (name, ledger) in &mut self.ledger {
            ledger.taken.extend(ledger.newest.iter().cloned());
            if !self.engine.is_in_doubt_by_name(name) {
                ledger.taken.clone_from(&ledger.newest);
            }
        }
    }

    pub(super) fn judge(&self) -> Judgment {
        self.engine.ages().judge(self.now)
    }

    /// Whether a provider may be offered at all, and the times at which it is taken in a busy feed.
    pub(super) fn is_shown(judgment: &Judgment, slug: &Slug) -> bool {
        judgment.freshness != Freshness::Expired && !judgment.unknown.contains(slug)
    }

    /// No busy time of the ledger is offered.
    pub(super) fn check(&self, seed: u64) {
        let judgment = self.judge();
        for (name, ledger) in &self.ledger {
            for (owner, at) in &ledger.taken {
                // Whose it is, as far as a line says it plainly.
                let Some(found) = self.directory.find(owner) else { continue };
                let slug = &self.directory.provider(found.provider()).slug;
                if !World::is_shown(&judgment, slug) {
                    continue;
                }
                let start = Instant::floor(*at);
                let is_offered = match self.sets.get(slug).map(|set| &set.entries) {
                    Some(FeedEntries::Busy(busy)) => {
                        !busy.iter().any(|it| it.start <= start && start < it.end)
                    }
                    Some(FeedEntries::Open(slots)) => slots.iter().any(|it| it.start == start),
                    None => self.mode == FeedMode::Busy,
                };
                // What has ended long ago is not kept of a part in doubt.
                let is_past = *at < self.now.wall - TimeDelta::hours(23);
                assert!(is_past || !is_offered, "SEED={seed}: {slug} is offered at {at}, which {name} takes");
            }
        }
    }

    /// A restart can only make a judgment stricter.
    pub(super) fn restart(&mut self) {
        let memory = serde_json::to_vec(&self.engine.memory(&self.directory, self.now)).unwrap();
        let before = self.judge();
        let sets = self.sets.clone();
        self.engine = Engine::new(Arc::clone(&self.rules));
        self.pass(1);
        let memory = serde_json::from_slice(&memory).unwrap();
        let at = self.instant();
        let change = self.engine.restore(memory, &self.directory, (self.now, at));
        self.sets.clear();
        self.note(&change);
        let after = self.judge();
        for slug in self.directory.providers().iter().map(|provider| &provider.slug) {
            let (was_shown, is_shown) = (World::is_shown(&before, slug), World::is_shown(&after, slug));
            assert!(
                was_shown || !is_shown,
                "SEED={}: after a restart {slug} is shown: {before:?} {after:?}",
                self.seed
            );
            if is_shown {
                assert_eq!(self.sets.get(slug), sets.get(slug), "after a restart {slug} has other times");
            }
        }
    }
}
