//! From what a source tells to what answers are made of: whole, validated, and only what changed.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use directory::calendar::{FeedError, FeedFile, FeedMode, FeedRules, FeedSet, Instant, ProviderFeed};
use directory::model::Slug;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use super::apply::Target;
use super::file::FileSource;
use super::options::{FeedKind, FeedOptions};
use super::smart::SmartSource;
use super::source::{Event, Late, Source, SourceError};
use super::status::{Accepted, FeedStatus, Good, Judgement, People};

/// Orders that may wait while a set is being made.
const ORDERS: usize = 8;

/// A feed that is being listened to. Cheap to clone; listening ends with the last of the clones.
#[derive(Debug, Clone)]
pub struct Feed {
    status: watch::Receiver<FeedStatus>,
    orders: mpsc::Sender<Order>,
    _task: Arc<Ending>,
}

/// What an operator, or new content, asks of a feed.
#[derive(Debug)]
enum Order {
    AcceptHeld(oneshot::Sender<Accepted>),
    ApplyAgain,
}

/// Ends the task when nobody wants it any more.
#[derive(Debug)]
struct Ending(JoinHandle<()>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Feed {
    /// Begins to listen. Must be called inside a tokio runtime.
    ///
    /// # Errors
    /// The machine has no way to speak HTTPS: no root certificates, mostly.
    pub fn start(options: FeedOptions, target: Arc<impl Target>) -> Result<Self, SourceError> {
        let FeedOptions { kind, rules, poll, freshness, max_shrink } = options;
        let status = FeedStatus::new(freshness);
        let driver = Driver::new(rules, max_shrink, target);
        Ok(match kind {
            FeedKind::File(path) => {
                let limits = driver.rules.limits;
                Self::of(FileSource::new(path, poll, limits), driver, status)
            }
            FeedKind::Smart(url, limits) => Self::of(SmartSource::new(url, poll, limits)?, driver, status),
        })
    }

    /// Listens to a source of the caller's own.
    #[cfg(test)]
    pub(super) fn around(source: impl Source, options: FeedOptions, target: Arc<impl Target>) -> Self {
        let FeedOptions { rules, freshness, max_shrink, .. } = options;
        Self::of(source, Driver::new(rules, max_shrink, target), FeedStatus::new(freshness))
    }

    fn of<T: Target>(source: impl Source, driver: Driver<T>, status: FeedStatus) -> Self {
        let (telling, status) = watch::channel(status);
        let (orders, ordered) = mpsc::channel(ORDERS);
        let task = tokio::spawn(driver.listen(source, telling, ordered));
        Self { status, orders, _task: Arc::new(Ending(task)) }
    }

    /// How true the feed's data is now, and whose own part is too old to be told. Without one good reading it is
    /// expired.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        self.status.borrow().judgement()
    }

    /// What is known about the feed.
    #[must_use]
    pub fn status(&self) -> FeedStatus {
        self.status.borrow().clone()
    }

    /// Waits until the source has been read, or could not be, for the first time: a service that starts to listen
    /// after this does not refuse its first questions for want of a feed that is there.
    pub async fn first_look(&self) {
        let is_over = |status: &FeedStatus| status.applied + status.failures > 0;
        // An error means that listening is over, and there is nothing to wait for.
        _ = self.status.clone().wait_for(is_over).await;
    }

    /// Applies what is held back for having shrunk: an operator says that it is right. Returns when that is done.
    pub async fn accept_held(&self) -> Accepted {
        let (telling, told) = oneshot::channel();
        _ = self.orders.send(Order::AcceptHeld(telling)).await;
        // Whoever listens no longer has dropped the order, wherever it was.
        told.await.unwrap_or_else(|_| Accepted::Refused("nobody listens to the feed any more".to_owned()))
    }

    /// Hands everything to the target again: its directory is a new one.
    pub async fn apply_again(&self) {
        _ = self.orders.send(Order::ApplyAgain).await;
    }
}

/// The one that listens.
struct Driver<T> {
    rules: Arc<FeedRules>,
    max_shrink: f64,
    target: Arc<T>,
    /// What the source has told, good or not.
    told: Parts,
    /// When each of these parts was last known to be true.
    confirmed: BTreeMap<Arc<str>, Good>,
    /// The last parts that were applied.
    applied: Option<Parts>,
    /// What each provider has by them.
    sets: BTreeMap<Slug, ProviderFeed>,
    people: Arc<People>,
}

/// The parts of a feed by their names, and when the source says that they were true.
#[derive(Debug, Clone, Default)]
struct Parts {
    files: BTreeMap<Arc<str>, Arc<FeedFile>>,
    as_of: Option<Instant>,
}

/// What came of something that a source told.
enum Outcome {
    Applied,
    Held(String),
    Bad(FeedError),
}

impl<T: Target> Driver<T> {
    fn new(rules: FeedRules, max_shrink: f64, target: Arc<T>) -> Self {
        Self {
            rules: Arc::new(rules),
            max_shrink,
            target,
            told: Parts::default(),
            confirmed: BTreeMap::new(),
            applied: None,
            sets: BTreeMap::new(),
            people: Arc::default(),
        }
    }

    async fn listen(
        mut self,
        mut source: impl Source,
        status: watch::Sender<FeedStatus>,
        mut orders: mpsc::Receiver<Order>,
    ) {
        let name = source.name();
        // A source is never interrupted while it reads: it tells from a task of its own.
        let (telling, mut told) = mpsc::channel(1);
        let reading =
            Ending(tokio::spawn(async move { while telling.send(source.next().await).await.is_ok() {} }));
        loop {
            tokio::select! {
                event = told.recv() => match event {
                    Some(event) => self = self.hear(event, &name, &status).await,
                    None => break,
                },
                order = orders.recv() => match order {
                    Some(order) => self = self.obey(order, &name, &status).await,
                    None => break,
                },
            }
        }
        drop(reading);
    }

    async fn hear(
        mut self,
        event: Result<Event, SourceError>,
        name: &str,
        status: &watch::Sender<FeedStatus>,
    ) -> Self {
        match event {
            Err(error) => {
                failed(status, name, &error.to_string());
                self
            }
            Ok(Event::Snapshot { parts, as_of, late }) => {
                let files = parts.into_iter().map(|part| (part.shared_name(), part)).collect();
                self.told = Parts { files, as_of };
                self.confirm(as_of, &late);
                let driver = self.take(name, status, false).await;
                tell_late(status, name, &late);
                driver
            }
            Ok(Event::Part(part)) => {
                self.confirmed.insert(part.shared_name(), Good::now(None));
                self.told.files.insert(part.shared_name(), part);
                self.take(name, status, false).await
            }
            Ok(Event::Unchanged { as_of, late }) => {
                self.told.as_of = as_of;
                // What is held, or was refused, is not made true by not changing.
                let is_applied =
                    self.applied.as_ref().is_some_and(|applied| applied.is_the_same_as(&self.told));
                if is_applied {
                    self.confirm(as_of, &late);
                    status.send_modify(|status| {
                        status.good = Some(Good::now(as_of));
                        status.parts = Arc::new(self.confirmed.clone());
                        if late.is_empty() && status.last_error.take().is_some() {
                            tracing::info!(feed = name, "the feed can be read again");
                        }
                    });
                }
                tell_late(status, name, &late);
                self
            }
        }
    }

    /// Notes that the source was just there, and had everything but what is late.
    fn confirm(&mut self, as_of: Option<Instant>, late: &[Late]) {
        let files = &self.told.files;
        self.confirmed.retain(|name, _| files.contains_key(name));
        for name in files.keys().filter(|name| late.iter().all(|late| late.part != **name)) {
            self.confirmed.insert(Arc::clone(name), Good::now(as_of));
        }
    }

    async fn obey(mut self, order: Order, name: &str, status: &watch::Sender<FeedStatus>) -> Self {
        match order {
            Order::AcceptHeld(telling) => {
                let (mut driver, mut accepted) = (self, Accepted::NothingHeld);
                if status.borrow().held.is_some() {
                    driver = driver.take(name, status, true).await;
                    accepted = status.borrow().after_accepting();
                    tracing::warn!(feed = name, ?accepted, "an operator accepts what is held");
                }
                // An operator who has gone away need not be told.
                _ = telling.send(accepted);
                driver
            }
            Order::ApplyAgain => {
                let Some(applied) = self.applied.clone() else { return self };
                // The target has new people and no data: everything is a change to it.
                self.sets.clear();
                let told = std::mem::replace(&mut self.told, applied);
                let (mut driver, outcome) = self.swap(true).await;
                driver.told = told;
                match outcome {
                    Outcome::Bad(error) => failed(status, name, &error.to_string()),
                    Outcome::Applied | Outcome::Held(_) => status.send_modify(|status| {
                        status.people = Arc::clone(&driver.people);
                        status.listed = driver.people.listed.len();
                    }),
                }
                driver
            }
        }
    }

    /// Applies what was told, unless it is wrong or has shrunk too much.
    async fn take(self, name: &str, status: &watch::Sender<FeedStatus>, accept: bool) -> Self {
        let (driver, outcome) = self.swap(accept).await;
        match outcome {
            Outcome::Applied => status.send_modify(|status| {
                status.good = Some(Good::now(driver.told.as_of));
                status.parts = Arc::new(driver.confirmed.clone());
                status.people = Arc::clone(&driver.people);
                status.applied += 1;
                status.listed = driver.people.listed.len();
                if status.held.take().is_some() || status.last_error.take().is_some() {
                    tracing::info!(feed = name, "the feed is applied again");
                }
                status.last_error = None;
            }),
            Outcome::Held(why) => status.send_modify(|status| {
                if status.held.as_ref() != Some(&why) {
                    tracing::error!(feed = name, "{why}");
                }
                status.failures += 1;
                status.held = Some(why);
            }),
            Outcome::Bad(error) => failed(status, name, &error.to_string()),
        }
        driver
    }

    /// Makes the set and swaps it in, off the threads that answer.
    async fn swap(mut self, accept: bool) -> (Self, Outcome) {
        let work = move || {
            let outcome = self.swap_now(accept);
            (self, outcome)
        };
        match tokio::task::spawn_blocking(work).await {
            Ok(done) => done,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime is ending, and this task with it.
                Err(_) => std::future::pending().await,
            },
        }
    }

    fn swap_now(&mut self, accept: bool) -> Outcome {
        let parts: Vec<_> = self.told.files.values().cloned().collect();
        let (rules, told) = (Arc::clone(&self.rules), self.told.clone());
        let set = match Arc::clone(&self.target)
            .with_directory(|directory| FeedSet::of(&parts, &rules, directory))
        {
            Ok(set) => set,
            Err(error) => return Outcome::Bad(error),
        };
        let lost = self.lost(&set);
        if let Some(why) = lost.filter(|_| !accept) {
            return Outcome::Held(why);
        }
        if set.skipped.unknown_provider + set.skipped.unknown_types > 0 {
            let (of_strangers, of_types) = (set.skipped.unknown_provider, set.skipped.unknown_types);
            tracing::debug!(of_strangers, of_types, "entries of the feed were skipped");
        }
        let changed: Vec<_> =
            set.providers.into_iter().filter(|feed| self.sets.get(&feed.provider) != Some(feed)).collect();
        if !changed.is_empty() {
            self.target.apply(&changed);
        }
        self.sets.extend(changed.into_iter().map(|feed| (feed.provider.clone(), feed)));
        let is_unlisted = |slug: &&Slug| !set.listed.contains_key(*slug);
        let unlisted = match self.rules.mode {
            FeedMode::Busy => self.sets.keys().filter(is_unlisted).cloned().collect(),
            FeedMode::Open => Vec::new(),
        };
        self.people = Arc::new(People { listed: set.listed, unlisted });
        self.applied = Some(told);
        Outcome::Applied
    }

    /// Why a set has lost too many of the providers that were listed and still are in the directory.
    fn lost(&self, set: &FeedSet) -> Option<String> {
        let here: HashSet<&Slug> = set.providers.iter().map(|feed| &feed.provider).collect();
        let before: Vec<_> = self.people.listed.keys().filter(|slug| here.contains(slug)).collect();
        let lost = before.iter().filter(|slug| !set.listed.contains_key(**slug)).count();
        #[expect(clippy::cast_precision_loss, reason = "counts of people are far below 2^52")]
        let is_too_much = lost as f64 > self.max_shrink * before.len() as f64;
        is_too_much.then(|| {
            format!(
                "the feed has lost {lost} of its {} providers at once and is held: the last good data stays, \
                 until it has grown back or is accepted with POST /feed/accept on the admin address",
                before.len()
            )
        })
    }
}

impl Parts {
    fn is_the_same_as(&self, other: &Self) -> bool {
        let pairs = || self.files.values().zip(other.files.values());
        self.files.len() == other.files.len() && pairs().all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

/// A late part is a failure of its own: the others are applied and stay as they are.
fn tell_late(status: &watch::Sender<FeedStatus>, name: &str, late: &[Late]) {
    if !late.is_empty() {
        let why: Vec<_> = late.iter().map(|late| late.why.as_str()).collect();
        failed(status, name, &why.join("; "));
    }
}

fn failed(status: &watch::Sender<FeedStatus>, name: &str, why: &str) {
    status.send_modify(|status| {
        status.failures += 1;
        // A publisher that is away for a night is told once, and then in the counters.
        if status.last_error.as_deref() == Some(why) {
            tracing::debug!(feed = name, "{why}");
        } else {
            tracing::warn!(feed = name, "{why}");
        }
        status.last_error = Some(why.to_owned());
    });
}
