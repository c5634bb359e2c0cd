//! How old the parts of a feed are, whom they list, and whose times are unknown for that.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::super::{FeedMode, Freshness, FreshnessRule};
use crate::calendar::Instant;
use crate::model::Slug;

/// A moment by both clocks: one of them stands still while a machine sleeps, and the other can be set back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moment {
    /// By the clock that is never set, since a moment long before this process.
    pub tick: Duration,
    pub wall: DateTime<Utc>,
}

/// When data was true. Its age is the greatest of three: since the source's own time, since it was read or stored, and
/// since this process heard of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "SavedAsOf", into = "SavedAsOf")]
pub struct AsOf {
    /// The source's own time of the data.
    pub told: Option<Instant>,
    /// When it was read; from a bucket, when it was stored.
    pub at: DateTime<Utc>,
    /// When it was true, by the clock that is never set. A clock that is set back later makes it no younger.
    pub heard: Duration,
}

/// The source's own time in seconds, and when it was read in milliseconds.
type SavedAsOf = (Option<i64>, i64);

impl From<AsOf> for SavedAsOf {
    fn from(AsOf { told, at, .. }: AsOf) -> Self {
        (told.map(Instant::unix), at.timestamp_millis())
    }
}

impl From<SavedAsOf> for AsOf {
    fn from((told, at): SavedAsOf) -> Self {
        let at = DateTime::from_timestamp_millis(at).unwrap_or(DateTime::<Utc>::MAX_UTC);
        Self { told: told.map(Instant::from_unix), at, heard: Duration::ZERO }
    }
}

impl AsOf {
    pub fn read(told: Option<Instant>, now: Moment) -> Self {
        Self::stored(told, now.wall, now)
    }

    pub fn stored(told: Option<Instant>, at: DateTime<Utc>, now: Moment) -> Self {
        let age = Self { told, at, heard: now.tick }.age(now);
        Self { told, at, heard: now.tick.saturating_sub(age) }
    }

    pub fn instant(self) -> Instant {
        let at = Instant::floor(self.at);
        self.told.map_or(at, |told| told.min(at))
    }

    pub fn age(self, now: Moment) -> Duration {
        let since = |then: DateTime<Utc>| (now.wall - then).to_std().unwrap_or_default();
        let read = now.tick.saturating_sub(self.heard).max(since(self.at));
        self.told.map_or(read, |told| read.max(since(told.into())))
    }

    /// The same data after a restart. What was read in the future was read by a wrong clock: its age is unknown.
    pub(super) fn restored(self, now: Moment) -> Option<Self> {
        (self.at <= now.wall).then(|| Self::stored(self.told, self.at, now))
    }

    /// The same data as a restart is to find it, which knows no ticks: a clock that was set back makes it no younger.
    pub(super) fn saved(self, now: Moment) -> Self {
        let age = TimeDelta::from_std(self.age(now)).ok();
        let at = age.and_then(|age| now.wall.checked_sub_signed(age));
        Self { at: at.map_or(self.at, |at| at.min(self.at)), ..self }
    }

    /// The same data, if it is really older.
    pub(super) fn told_at_most(self, told: Instant) -> Self {
        let known = self.told.map_or(self.at, |own| self.at.min(own.into()));
        let older = (known - DateTime::from(told)).to_std().unwrap_or_default();
        let told = self.told.map_or(told, |own| own.min(told));
        Self { told: Some(told), heard: self.heard.saturating_sub(older), ..self }
    }
}

/// What has an age of its own: a writer, for its parts that are as old as its last beat, or a part that is older.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// `None`: it was never read, or cannot be used.
    pub(super) as_of: Option<AsOf>,
    pub(super) is_listing: bool,
    /// Whether it is about one clinician only. Then it says nothing about clinicians without a part.
    pub(super) is_alone: bool,
    pub(super) concerns: Concerns,
}

/// Whose times are unknown when a unit has expired.
#[derive(Debug, Clone)]
pub(super) enum Concerns {
    Writer(Arc<str>),
    Providers(BTreeSet<Slug>),
    Everybody,
}

#[derive(Debug, Clone, Default)]
pub struct Ages {
    pub(super) rule: FreshnessRule,
    pub(super) units: Arc<Vec<Unit>>,
    /// Whether each part says whose time alone it has, so that it says nothing of the others even when all have expired.
    pub(super) is_of_calendars: bool,
    pub(super) providers: Arc<FeedProviders>,
    /// The parts that operators see, with the times of their data.
    pub(super) shown: Arc<Vec<(Arc<str>, Option<AsOf>)>>,
}

impl Ages {
    /// The freshness at a moment, and the providers without openings. A feed that was never read is expired.
    pub fn judge(&self, now: Moment) -> Judgment {
        let judge = |unit: &Unit| match unit.as_of {
            None => Freshness::Expired,
            Some(as_of) => self.rule.judge(as_of.instant(), as_of.age(now)),
        };
        let is_one_listing = self.units.iter().any(|unit| unit.is_listing);
        let (mut oldest, mut is_all_expired) = (None, true);
        let mut expired: Vec<&Unit> = Vec::new();
        for unit in &*self.units {
            let freshness = judge(unit);
            if freshness == Freshness::Expired {
                expired.push(unit);
            } else {
                // A part of Schedules alone must not keep a feed fresh.
                is_all_expired &= is_one_listing && !unit.is_listing;
            }
            if let Freshness::Stale { as_of } = freshness {
                oldest = Some(oldest.map_or(as_of, |oldest: Instant| oldest.min(as_of)));
            }
        }
        let is_everybodys = expired.iter().any(|unit| matches!(unit.concerns, Concerns::Everybody));
        let unknown = self.unknown(&expired);
        let is_no_one_offered = unknown.len() >= self.providers.writers.len();
        if is_all_expired && (!self.is_of_calendars || is_no_one_offered) || is_everybodys {
            let freshness = Freshness::Expired;
            return Judgment { freshness, unknown: Arc::default(), withheld: Arc::default() };
        }
        let freshness = oldest.map_or(Freshness::Fresh, |as_of| Freshness::Stale { as_of });
        Judgment { freshness, unknown, withheld: Arc::clone(&self.providers.withheld) }
    }

    fn unknown(&self, expired: &[&Unit]) -> Arc<[Slug]> {
        if expired.is_empty() {
            return Arc::clone(&self.providers.withheld);
        }
        let providers = &self.providers;
        let mut unknown: BTreeSet<&Slug> = providers.withheld.iter().collect();
        // With a calendar for each clinician, there are as many writers as providers: these are looked at once.
        let mut writers = BTreeSet::new();
        for unit in expired {
            match &unit.concerns {
                Concerns::Writer(name) => _ = writers.insert(name),
                Concerns::Providers(slugs) => unknown.extend(slugs),
                Concerns::Everybody => {}
            }
        }
        let listed = providers.listed().filter(|(_, by)| by.iter().any(|name| writers.contains(name)));
        unknown.extend(listed.map(|(slug, _)| slug));
        if expired.iter().any(|unit| !unit.is_alone) {
            unknown.extend(providers.unlisted());
        }
        unknown.into_iter().cloned().collect()
    }

    pub fn oldest(&self, now: Moment) -> Option<Duration> {
        self.parts(now).into_iter().map(|(_, age)| age).max()
    }

    pub fn as_of(&self) -> Option<Instant> {
        self.shown.iter().filter_map(|(_, as_of)| as_of.map(AsOf::instant)).min()
    }

    pub fn parts(&self, now: Moment) -> Vec<(Arc<str>, Duration)> {
        let ages =
            self.shown.iter().filter_map(|(name, as_of)| Some((Arc::clone(name), as_of.as_ref()?.age(now))));
        ages.collect()
    }

    pub fn listed(&self) -> usize {
        self.providers.listed().count()
    }

    pub fn unlisted(&self) -> BTreeSet<Slug> {
        self.providers.unlisted().cloned().collect()
    }
}

/// The providers of the data in use, by how it lists them.
#[derive(Debug, Clone, Default)]
pub(super) struct FeedProviders {
    /// The writers that list each provider. In a busy feed there may be none: then all hours of the provider are offered,
    /// unless the provider is withheld.
    writers: BTreeMap<Slug, Vec<Arc<str>>>,
    /// The providers whose busy time may be among the lines that resolve to no provider, sorted.
    pub(super) withheld: Arc<[Slug]>,
}

impl FeedProviders {
    pub(super) fn listed(&self) -> impl Iterator<Item = (&Slug, &Vec<Arc<str>>)> {
        self.writers.iter().filter(|(_, writers)| !writers.is_empty())
    }

    pub(super) fn unlisted(&self) -> impl Iterator<Item = &Slug> {
        self.writers.iter().filter(|(_, writers)| writers.is_empty()).map(|(slug, _)| slug)
    }

    /// The writers that list anyone.
    pub(super) fn listing(&self) -> BTreeSet<&Arc<str>> {
        self.writers.values().flatten().collect()
    }

    pub(super) fn list(&mut self, slug: &Slug, writers: Vec<Arc<str>>, mode: FeedMode) {
        // Whom an open feed does not list has no openings in it, whatever its age.
        if writers.is_empty() && mode == FeedMode::Open {
            self.writers.remove(slug);
        } else {
            self.writers.insert(slug.clone(), writers);
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgment {
    /// The freshness of the oldest data that is shown.
    pub freshness: Freshness,
    /// The providers without openings, sorted: the expired and the withheld ones.
    pub unknown: Arc<[Slug]>,
    /// The withheld providers, sorted. Their busy time may be in lines that resolve to no provider, or in an empty
    /// file; or they are new in the content.
    pub withheld: Arc<[Slug]>,
}

impl Judgment {
    #[must_use]
    pub fn withholding(mut self, more: &[Slug]) -> Self {
        if more.is_empty() {
            return self;
        }
        for slugs in [&mut self.unknown, &mut self.withheld] {
            let mut all = [slugs, more].concat();
            all.sort_unstable();
            all.dedup();
            *slugs = all.into();
        }
        self
    }

    pub fn expired(&self) -> Vec<&Slug> {
        self.unknown.iter().filter(|slug| self.withheld.binary_search(slug).is_err()).collect()
    }

    /// Its word in `/readyz`, metrics and the log.
    pub fn freshness_word(&self) -> &'static str {
        match self.freshness {
            Freshness::Fresh => "fresh",
            Freshness::Stale { .. } => "stale",
            Freshness::Expired => "expired",
        }
    }
}
