//! The snapshot that is being served: the last good one, whole.
//!
//! Whoever answers takes the snapshot once and keeps it to the end of the answer. A replacement is seen by
//! the next request, so no answer mixes two generations, and nobody waits for anybody. Whoever changes it
//! (new content, a feed, passing time) waits for the one before, so that no change is lost.

use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use directory::api::Snapshot;
use directory::calendar::{Calendar, FeedEntries, FeedMode, Freshness, Instant, ProviderFeed};

use crate::feed::Judgement;
use crate::mcp::{Hosts, Said};
use crate::reply::Openings;

/// A snapshot that is served, with what is prepared for its answers.
#[derive(Debug)]
pub struct Served {
    snapshot: Snapshot,
    prepared: Arc<Prepared>,
}

/// What belongs to a directory, however often its calendar changes.
#[derive(Debug)]
struct Prepared {
    openings: Openings,
    hosts: Hosts,
    said: Said,
}

impl Served {
    fn new(snapshot: Snapshot) -> Self {
        let directory = snapshot.directory();
        let prepared = Prepared {
            openings: Openings::new(directory.generation()),
            hosts: Hosts::of(directory.organisation()),
            said: Said::default(),
        };
        Self { snapshot, prepared: Arc::new(prepared) }
    }

    fn with_calendar(&self, calendar: Calendar) -> Self {
        Self { snapshot: self.snapshot.with_calendar(calendar), prepared: Arc::clone(&self.prepared) }
    }

    /// What the heads of its answers begin with.
    pub(crate) fn openings(&self) -> &Openings {
        &self.prepared.openings
    }

    /// The hosts that its content names as its own.
    pub(crate) fn hosts(&self) -> &Hosts {
        &self.prepared.hosts
    }

    /// What was said of its bodies.
    pub(crate) fn said(&self) -> &Said {
        &self.prepared.said
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
    /// What is known of the feed's age, for the next directory.
    judged: Mutex<Option<Judgement>>,
    /// New content that is served once an operator accepts it.
    held: Mutex<Option<Snapshot>>,
}

impl Store {
    /// Starts with a snapshot; there is never none.
    #[must_use]
    pub fn new(snapshot: Snapshot) -> Self {
        let current = ArcSwap::from_pointee(Served::new(snapshot));
        Self { current, changing: Mutex::new(()), judged: Mutex::default(), held: Mutex::default() }
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

    /// Serves another directory from the next request on, around now. What the feed has said so far stays said.
    pub fn replace(&self, snapshot: &Snapshot, now: Instant) {
        let directory = snapshot.directory();
        self.change(|current| {
            let calendar = current.calendar().for_directory(directory, now);
            let judged = self.judged();
            Served::new(snapshot.with_calendar(match &*judged {
                Some(judged) => calendar.with_freshness(directory, judged.freshness, &judged.expired),
                None => calendar,
            }))
        });
    }

    /// Takes what a feed says of these providers in place of what it said before. The first word of a feed that
    /// appeared while hours alone were served makes them hours with a feed.
    pub(crate) fn apply_feed(&self, changed: &[ProviderFeed]) {
        let Some(mode) = changed.first().map(|feed| match feed.entries {
            FeedEntries::Open(_) => FeedMode::Open,
            FeedEntries::Busy(_) => FeedMode::Busy,
        }) else {
            return;
        };
        self.with_calendar(|calendar, current| {
            let directory = current.directory();
            if calendar.feed_mode() == Some(mode) {
                return calendar.apply(directory, changed);
            }
            let first = calendar.listening(directory, mode).apply(directory, changed);
            first.with_freshness(directory, Freshness::Fresh, &[])
        });
        let generation = self.current().directory().generation().clone();
        tracing::info!(providers = changed.len(), %generation, "the feed has changed");
    }

    /// Serves the feed's data as being as true as this.
    pub(crate) fn judge_feed(&self, judgement: &Judgement) {
        // A feed that was found and could not be read yet changes nothing.
        if self.judged().as_ref() == Some(judgement) || self.current().calendar().feed_mode().is_none() {
            return;
        }
        let Judgement { freshness, expired } = judgement;
        self.with_calendar(|calendar, current| {
            *self.judged() = Some(judgement.clone());
            calendar.with_freshness(current.directory(), *freshness, expired)
        });
        tracing::info!(?freshness, expired_providers = expired.len(), "the feed's data is judged anew");
    }

    fn judged(&self) -> MutexGuard<'_, Option<Judgement>> {
        self.judged.lock().unwrap_or_else(PoisonError::into_inner)
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
