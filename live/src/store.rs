//! The snapshot that is being served: the last good one, whole.
//!
//! Whoever answers takes the snapshot once and keeps it to the end of the answer. A replacement is seen by
//! the next request, so no answer mixes two generations, and nobody waits for anybody. Whoever changes it
//! (new content, a feed, passing time) waits for the one before, so that no change is lost.

use std::collections::HashSet;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use directory::Directory;
use directory::api::Snapshot;
use directory::calendar::{Calendar, FeedEntries, FeedMode, Freshness, Instant, ProviderFeed};
use directory::model::{Generation, Provider, ProviderId, Slug};

use crate::feed::Judgement;
use crate::hosts::Hosts;
use crate::reply::Openings;

/// A snapshot that is served, with what is prepared for its answers.
#[derive(Debug)]
pub struct Served {
    snapshot: Snapshot,
    prepared: Arc<Prepared>,
    /// How true the feed is by which it answers, once that was judged.
    judged: Option<Arc<Judgement>>,
    /// Providers whom the feed has not been applied to since new content brought them. They are withheld: the feed may
    /// list time of theirs as taken.
    unapplied: Arc<[Slug]>,
}

/// What belongs to a directory, however often its calendar changes.
#[derive(Debug)]
struct Prepared {
    openings: Openings,
    hosts: Hosts,
}

impl Served {
    fn new(snapshot: Snapshot) -> Self {
        let directory = snapshot.directory();
        let prepared = Prepared {
            openings: Openings::new(directory.generation()),
            hosts: Hosts::of(directory.organisation()),
        };
        Self { snapshot, prepared: Arc::new(prepared), judged: None, unapplied: Arc::default() }
    }

    fn with_calendar(&self, calendar: Calendar) -> Self {
        let snapshot = self.snapshot.with_calendar(calendar);
        let (judged, unapplied) = (self.judged.clone(), Arc::clone(&self.unapplied));
        Self { snapshot, prepared: Arc::clone(&self.prepared), judged, unapplied }
    }

    /// The same with another calendar, judged; those whom the feed is not applied to yet are withheld.
    fn with_judged_calendar(&self, calendar: &Calendar, judgement: Judgement) -> Self {
        let judgement = judgement.withholding(&self.unapplied);
        let Judgement { freshness, unknown, .. } = &judgement;
        let judged = self.with_calendar(calendar.with_freshness(self.directory(), *freshness, unknown));
        Self { judged: Some(Arc::new(judgement)), ..judged }
    }

    /// How true the feed is by which it answers; nothing while it answers without a feed.
    pub(crate) fn judgement(&self) -> Option<&Judgement> {
        self.judged.as_deref()
    }

    /// The providers of another directory whom its feed is not applied to: those who are new or have another id or
    /// NPI, by which lines of the feed may be theirs. Without a feed there are none.
    fn unapplied_in(&self, directory: &Directory) -> Arc<[Slug]> {
        fn key(provider: &Provider) -> (&Slug, &ProviderId, Option<&str>) {
            (provider.slug(), provider.id(), provider.npi())
        }
        if self.calendar().feed_mode().is_none() {
            return Arc::default();
        }
        let waiting: HashSet<_> = self.unapplied.iter().collect();
        let before =
            self.directory().providers().iter().filter(|provider| !waiting.contains(provider.slug()));
        let applied: HashSet<_> = before.map(key).collect();
        let new = directory.providers().iter().filter(|provider| !applied.contains(&key(provider)));
        new.map(|provider| provider.slug().clone()).collect()
    }

    /// What the heads of its answers begin with.
    pub(crate) fn openings(&self) -> &Openings {
        &self.prepared.openings
    }

    /// The hosts that its content names as its own.
    pub(crate) fn hosts(&self) -> &Hosts {
        &self.prepared.hosts
    }
}

impl Deref for Served {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        &self.snapshot
    }
}

/// Holds the current snapshot.
#[derive(Debug)]
pub struct Store {
    current: ArcSwap<Served>,
    changing: Mutex<()>,
    /// New content that is served once an operator accepts it.
    held: Mutex<Option<Snapshot>>,
}

/// Tells that the feed is another by now: in fields, and as loud as it is bad.
fn log_judgement(before: Option<&Judgement>, now: &Judgement) {
    if before == Some(now) {
        return;
    }
    let (status, unknown) = (now.freshness_word(), now.unknown.len());
    match now.freshness {
        Freshness::Expired => {
            tracing::error!(
                status,
                "the feed has expired, and no open times are given: feed.held or feed.lastError of /readyz says why"
            );
        }
        Freshness::Stale { as_of } => {
            tracing::warn!(status, %as_of, providers_unknown = unknown, "the feed is stale: its last good data is shown");
        }
        Freshness::Fresh if unknown > 0 => {
            tracing::warn!(status, providers_unknown = unknown, "no open times are given of some providers");
        }
        Freshness::Fresh => tracing::info!(status, "the feed is fresh"),
    }
}

impl Store {
    /// Starts with a snapshot; there is never none.
    #[must_use]
    pub fn new(snapshot: Snapshot) -> Self {
        let current = ArcSwap::from_pointee(Served::new(snapshot));
        Self { current, changing: Mutex::new(()), held: Mutex::default() }
    }

    /// The snapshot to answer from.
    #[must_use]
    pub fn current(&self) -> Arc<Served> {
        self.current.load_full()
    }

    /// Keeps new content until an operator accepts it, in place of what was held before; `None` holds nothing.
    pub fn hold(&self, snapshot: Option<Snapshot>) {
        *self.held() = snapshot;
    }

    /// Serves the content that is held; `false` if there is none.
    pub(crate) fn accept_held(&self, now: Instant) -> bool {
        let held = self.held().take();
        if let Some(snapshot) = &held {
            self.replace(snapshot, now);
        }
        held.is_some()
    }

    fn held(&self) -> MutexGuard<'_, Option<Snapshot>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves another directory from the next request on, around now. What the feed has said so far stays said, and
    /// providers who are new are withheld until the feed has been read again.
    pub fn replace(&self, snapshot: &Snapshot, now: Instant) {
        let directory = snapshot.directory();
        self.change(|current| {
            let calendar = current.calendar().for_directory(directory, now);
            let unapplied = current.unapplied_in(directory);
            let next = Served { unapplied, ..Served::new(snapshot.with_calendar(calendar)) };
            match &current.judged {
                Some(judged) => next.with_judged_calendar(next.calendar(), Judgement::clone(judged)),
                None => next,
            }
        });
    }

    /// Takes what a feed says of these providers in place of what it said before, and judges it. The first word of a
    /// feed that appeared while hours alone were served makes them hours with a feed.
    pub(crate) fn apply_feed(&self, changed: &[ProviderFeed], judge: impl FnOnce() -> Judgement) {
        let mode = changed.first().map(|feed| match feed.entries {
            FeedEntries::Open(_) => FeedMode::Open,
            FeedEntries::Busy(_) => FeedMode::Busy,
        });
        self.change(|current| {
            let (directory, calendar) = (current.directory(), current.calendar());
            let judgement = judge();
            log_judgement(current.judgement(), &judgement);
            let calendar = match mode {
                None => calendar.clone(),
                Some(mode) if calendar.feed_mode() == Some(mode) => calendar.apply(directory, changed),
                Some(mode) => calendar.listening(directory, mode).apply(directory, changed),
            };
            current.with_judged_calendar(&calendar, judgement)
        });
        if !changed.is_empty() {
            let generation = self.current().directory().generation().clone();
            tracing::info!(providers_changed = changed.len(), %generation, "the feed has changed the times of providers");
        }
    }

    /// Shows the providers who are new in the content of a generation, unless another one is served by now.
    pub(crate) fn release_unapplied(&self, of: Option<&Generation>, judge: impl FnOnce() -> Judgement) {
        if self.current().unapplied.is_empty() {
            return;
        }
        self.change(|current| {
            let calendar = current.calendar();
            if of != Some(current.directory().generation()) {
                return current.with_calendar(calendar.clone());
            }
            let current = Served { unapplied: Arc::default(), ..current.with_calendar(calendar.clone()) };
            let judgement = judge();
            log_judgement(current.judgement(), &judgement);
            current.with_judged_calendar(calendar, judgement)
        });
    }

    /// Serves the feed's data as being as true as it is now. A feed that appeared while hours alone were served, and
    /// cannot be used, makes them unknown.
    pub(crate) fn judge_feed(&self, mode: FeedMode, judge: impl Fn() -> Judgement) {
        let is_known = |served: &Served| {
            let judgement = judge().withholding(&served.unapplied);
            served.judgement() == Some(&judgement)
        };
        if is_known(&self.current()) {
            return;
        }
        // The feed may have been applied meanwhile: what counts is how true it is when it is this one's turn.
        self.change(|current| {
            let judgement = judge();
            log_judgement(current.judgement(), &judgement);
            if current.calendar().feed_mode().is_some() {
                return current.with_judged_calendar(current.calendar(), judgement);
            }
            let calendar = current.calendar().listening(current.directory(), mode);
            current.with_judged_calendar(&calendar, judgement)
        });
    }

    /// Lets the calendar follow the time; mostly there is nothing to do.
    pub(crate) fn roll(&self, now: Instant) {
        // Another calendar forgets what was answered from this one.
        if self.current().calendar().is_around(now) {
            return;
        }
        self.with_calendar(|calendar, current| calendar.roll(current.directory(), now));
    }

    fn with_calendar(&self, change: impl FnOnce(&Calendar, &Snapshot) -> Calendar) {
        self.change(|current| current.with_calendar(change(current.calendar(), current)));
    }

    fn change(&self, change: impl FnOnce(&Served) -> Served) {
        // A change that panicked has changed nothing, so the next one may go on.
        let _alone = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = change(&self.current.load());
        self.current.store(Arc::new(changed));
    }
}
