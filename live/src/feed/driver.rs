//! From what a source tells to what answers are made of: whole, validated, and only what changed.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use directory::calendar::{
    FeedError, FeedFile, FeedMode, FeedRules, FeedSet, Instant, LedTo, ProviderFeed, Skipped,
};
use directory::model::Slug;
use tokio::sync::{mpsc, watch};

use super::apply::Target;
use super::options::FeedOptions;
use super::orders::{Ending, Order};
use super::parts::Parts;
use super::shrink::{Shrink, Size};
use super::source::{Event, Late, Source, SourceError};
use super::status::{Accepted, FeedStatus, Good, People};
use crate::clock::Clock;

/// Listens to a source.
pub(super) struct Driver<T> {
    rules: Arc<FeedRules>,
    max_shrink: f64,
    target: Arc<T>,
    clock: Clock,
    name: String,
    status: watch::Sender<FeedStatus>,
    /// What the source has told, good or not.
    told: Parts,
    /// Parts that the source lists no longer, and that are kept.
    gone: Vec<Late>,
    /// When each of these parts was last known to be true.
    confirmed: BTreeMap<Arc<str>, Good>,
    /// The last parts that were applied.
    applied: Option<Parts>,
    led_to: LedTo,
    shrink: Shrink,
    /// What each provider has by them.
    sets: BTreeMap<Slug, ProviderFeed>,
}

/// Why parts are applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// The source has told them.
    Told,
    /// An operator accepts them, whatever was before.
    Accepted,
    /// They are applied already, to another directory.
    NewDirectory,
}

/// What came of parts that a source told.
enum Outcome {
    Applied,
    Held(String),
    Bad(FeedError),
}

impl<T: Target> Driver<T> {
    pub(super) fn new(
        options: FeedOptions,
        target: Arc<T>,
        clock: Clock,
        name: String,
        status: watch::Sender<FeedStatus>,
    ) -> Self {
        Self {
            rules: Arc::new(options.rules),
            max_shrink: options.max_shrink,
            target,
            clock,
            name,
            status,
            told: Parts::default(),
            gone: Vec::new(),
            confirmed: BTreeMap::new(),
            applied: None,
            led_to: LedTo::default(),
            shrink: Shrink::default(),
            sets: BTreeMap::new(),
        }
    }

    pub(super) async fn listen(mut self, mut source: impl Source, mut orders: mpsc::Receiver<Order>) {
        // A source is never interrupted while it reads: it tells from a task of its own.
        let (telling, mut told) = mpsc::channel(1);
        let reading =
            Ending(tokio::spawn(async move { while telling.send(source.next().await).await.is_ok() {} }));
        loop {
            tokio::select! {
                event = told.recv() => match event {
                    Some(event) => self = self.hear(event).await,
                    None => break,
                },
                order = orders.recv() => match order {
                    Some(order) => self = self.obey(order).await,
                    None => break,
                },
            }
        }
        drop(reading);
    }

    async fn hear(mut self, event: Result<Event, SourceError>) -> Self {
        match event {
            Err(error) => {
                // What was held is there no longer; a source that is there again tells everything anew.
                self.status.send_modify(|status| status.held = None);
                self.failed(&error.to_string());
                self
            }
            Ok(Event::Snapshot { parts, as_of, mut late }) => {
                let files = parts.into_iter().map(|part| (part.shared_name(), part)).collect();
                self.told = Parts { files, as_of };
                if let (Some(applied), FeedMode::Busy) = (&self.applied, self.rules.mode) {
                    self.gone = self.told.keep_gone(applied, self.max_shrink, self.now());
                }
                late.extend(self.gone.iter().cloned());
                self.confirm(as_of, &late);
                let driver = self.take(Why::Told).await;
                driver.tell_late(&late);
                driver
            }
            Ok(Event::Part(part)) => {
                self.confirmed.insert(part.shared_name(), Good::now(None));
                self.told.files.insert(part.shared_name(), part);
                self.take(Why::Told).await
            }
            Ok(Event::Unchanged { as_of, mut late }) => {
                self.told.as_of = as_of;
                late.extend(self.gone.iter().cloned());
                // What is held, or was refused, is not made true by not changing.
                let is_applied =
                    self.applied.as_ref().is_some_and(|applied| applied.is_the_same_as(&self.told));
                if is_applied {
                    self.confirm(as_of, &late);
                    self.status.send_modify(|status| {
                        status.good = Some(Good::now(as_of));
                        status.parts = Arc::new(self.confirmed.clone());
                        if late.is_empty() && status.last_error.take().is_some() {
                            tracing::info!(feed = self.name, "the feed can be read again");
                        }
                    });
                }
                self.tell_late(&late);
                self
            }
        }
    }

    fn now(&self) -> Instant {
        Instant::floor(self.clock.now())
    }

    /// Notes that the source was just there, and had everything but what is late.
    fn confirm(&mut self, as_of: Option<Instant>, late: &[Late]) {
        let files = &self.told.files;
        self.confirmed.retain(|name, _| files.contains_key(name));
        for name in files.keys().filter(|name| late.iter().all(|late| late.part != **name)) {
            self.confirmed.insert(Arc::clone(name), Good::now(as_of));
        }
    }

    async fn obey(mut self, order: Order) -> Self {
        match order {
            Order::AcceptHeld(telling) => {
                let (is_held, people) = {
                    let status = self.status.borrow();
                    (status.held.is_some() || !self.gone.is_empty(), Arc::clone(&status.people))
                };
                let (mut driver, mut accepted) = (self, Accepted::NothingHeld);
                if is_held || !people.withheld.is_empty() {
                    for gone in std::mem::take(&mut driver.gone) {
                        driver.told.files.remove(&gone.part);
                        driver.confirmed.remove(&gone.part);
                    }
                    driver = driver.take(Why::Accepted).await;
                    let is_unchanged = driver.status.borrow().people.withheld == people.withheld;
                    // Providers whom an unknown Schedule may mean stay withheld, whatever an operator accepts.
                    if is_held || !is_unchanged {
                        accepted = driver.status.borrow().after_accepting();
                    }
                    tracing::warn!(
                        feed = driver.name,
                        accepted = accepted.word(),
                        "an operator accepts what is held"
                    );
                }
                // An operator who has gone away need not be told.
                _ = telling.send(accepted);
                driver
            }
            Order::ApplyAgain => {
                let Some(applied) = self.applied.clone() else { return self };
                let told = std::mem::replace(&mut self.told, applied);
                let (mut driver, outcome) = self.swap(Why::NewDirectory).await;
                driver.told = told;
                if let Outcome::Bad(error) = outcome {
                    driver.failed(&error.to_string());
                }
                driver
            }
        }
    }

    /// Applies what was told, unless it is wrong or has shrunk too much.
    async fn take(self, why: Why) -> Self {
        let (driver, outcome) = self.swap(why).await;
        match outcome {
            Outcome::Applied => {}
            Outcome::Held(why) => driver.status.send_modify(|status| {
                if status.held.as_ref() != Some(&why) {
                    tracing::error!(feed = driver.name, "{why}");
                }
                status.failures += 1;
                status.held = Some(why);
            }),
            Outcome::Bad(error) => driver.failed(&error.to_string()),
        }
        driver
    }

    /// Makes the set and swaps it in, off the threads that answer.
    async fn swap(mut self, why: Why) -> (Self, Outcome) {
        let work = move || {
            let outcome = self.swap_now(why);
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

    fn swap_now(&mut self, why: Why) -> Outcome {
        let parts: Vec<_> = self.told.files.values().cloned().collect();
        let (rules, now) = (Arc::clone(&self.rules), self.now());
        let before = if why == Why::Accepted { LedTo::default() } else { self.led_to.clone() };
        let made = Arc::clone(&self.target)
            .with_directory(|directory| FeedSet::of(&parts, &rules, directory, &before));
        let set = match made {
            Ok(set) => set,
            Err(error) => return Outcome::Bad(error),
        };
        let size = Size::of(&set, &parts, rules.mode);
        let here: HashSet<&Slug> = set.providers.iter().map(|feed| &feed.provider).collect();
        let is_first = self.applied.is_none();
        if why == Why::Told
            && let Some((what, help)) = hold_of_first(&parts, &set, rules.mode)
            // Later, an open feed without a free slot is mostly a clinic that is fully booked; too much gone at once is
            // found below. Of a busy feed all hours would be offered.
            && (is_first || (rules.mode == FeedMode::Busy && set.lists_any()))
        {
            return Outcome::Held(format!("{what}: {help}; {ACCEPT}"));
        }
        match why {
            Why::Told if is_first => {
                if set.is_past(now) {
                    tracing::warn!(feed = self.name, "{PAST}");
                }
                self.shrink.begin_with(size, now);
            }
            Why::Told => match self.shrink.judge(&size, &here, self.max_shrink, now) {
                Some(why) => return Outcome::Held(why),
                None => self.shrink.accept(size, &here, now),
            },
            Why::Accepted => self.shrink.begin_with(size, now),
            // Providers who came or went make every size another one.
            Why::NewDirectory if here != self.sets.keys().collect() => self.shrink.begin_with(size, now),
            Why::NewDirectory => self.shrink.accept(size, &here, now),
        }
        if why == Why::NewDirectory {
            // The target has new people and no data: everything is a change to it.
            self.sets.clear();
        }
        self.led_to = set.led_to;
        let changed: Vec<_> =
            set.providers.into_iter().filter(|feed| self.sets.get(&feed.provider) != Some(feed)).collect();
        let is_unlisted = |slug: &&Slug| !set.listed.contains_key(*slug);
        let mut unlisted = Vec::new();
        if self.rules.mode == FeedMode::Busy {
            let all: std::collections::BTreeSet<_> =
                self.sets.keys().chain(changed.iter().map(|feed| &feed.provider)).collect();
            unlisted = all.into_iter().filter(is_unlisted).cloned().collect();
        }
        let listed = set.listed.into_iter().map(|(slug, listed)| (slug, listed.files)).collect();
        let people = Arc::new(People { listed, unlisted, withheld: set.withheld });
        self.target.apply(&changed, || {
            self.status.send_modify(|status| self.note_applied(status, people, set.skipped, why));
            self.status.borrow().judgement()
        });
        self.sets.extend(changed.into_iter().map(|feed| (feed.provider.clone(), feed)));
        if why != Why::NewDirectory {
            self.applied = Some(self.told.clone());
        }
        Outcome::Applied
    }

    fn note_applied(&self, status: &mut FeedStatus, people: Arc<People>, skipped: Skipped, why: Why) {
        self.log_skipped(&status.skipped, &skipped);
        status.listed = people.listed.len();
        status.people = people;
        status.skipped = Arc::new(skipped);
        if why == Why::NewDirectory {
            return;
        }
        status.good = Some(Good::now(self.told.as_of));
        status.parts = Arc::new(self.confirmed.clone());
        status.applied += 1;
        if status.held.take().is_some() | status.last_error.take().is_some() {
            tracing::info!(feed = self.name, "the feed is applied again");
        }
    }

    /// One line for each change of what is left out: a warning where it is for another reason or of others, and for
    /// the eager where there is only more or less of it.
    fn log_skipped(&self, before: &Skipped, now: &Skipped) {
        if before == now {
            return;
        }
        let counts: Vec<_> =
            now.counts().map(|(reason, count)| format!("{count} {}", reason.word())).collect();
        let (skipped, first) = (counts.join(", "), now.lines().first());
        let what = first.map(|line| format!("{}:{}: {}; {}", line.file, line.line, line.what, line.help));
        let reasons = |skipped: &Skipped| skipped.counts().map(|(reason, _)| reason).collect::<Vec<_>>();
        if skipped.is_empty() {
            tracing::info!(feed = self.name, "no entry of the feed is skipped any more");
        } else if reasons(before) == reasons(now) && before.count_named() == now.count_named() {
            tracing::debug!(feed = self.name, skipped, what, "entries of the feed are skipped");
        } else {
            tracing::warn!(feed = self.name, skipped, what, "entries of the feed are skipped");
        }
    }

    /// A late part is a failure of its own: the others are applied and stay as they are.
    fn tell_late(&self, late: &[Late]) {
        if !late.is_empty() {
            let why: Vec<_> = late.iter().map(|late| late.why.as_str()).collect();
            self.failed(&why.join("; "));
        }
    }

    fn failed(&self, why: &str) {
        self.status.send_modify(|status| {
            status.failures += 1;
            // A reason that repeats is warned of once; the counter shows that it goes on.
            if status.last_error.as_deref() == Some(why) {
                tracing::debug!(feed = self.name, "{why}");
            } else {
                tracing::warn!(feed = self.name, "{why}");
            }
            status.last_error = Some(why.to_owned());
        });
    }
}

/// What a first reading is told that says nothing of the time ahead.
pub(super) const PAST: &str =
    "all entries of the feed have passed: look whether the program that writes it still runs";

/// How a reading that is held is used all the same.
const ACCEPT: &str = "if it is right as it is, accept it with POST /feed/accept on the admin address";

/// Why a first reading is not used, and what to do: an empty feed is no empty calendar, and a feed that is read in the
/// wrong mode says the opposite of what it means.
pub(super) fn hold_of_first(
    parts: &[Arc<FeedFile>],
    set: &FeedSet,
    mode: FeedMode,
) -> Option<(&'static str, &'static str)> {
    if !set.lists_any() {
        return Some((
            "no line of the feed is about a provider of this content, so nothing is known of their time",
            "correct the slugs, or the Schedules' practitioners and NPIs (nameplate check --feed tells which)",
        ));
    }
    if parts.iter().any(|part| part.starts(mode).next().is_some()) {
        return None;
    }
    Some(match mode {
        FeedMode::Open => (
            "the mode is open, where only free slots count, and none of the entries is free",
            "if the feed lists taken time, set its mode to busy (a file in the content folder: name it busy.ndjson)",
        ),
        FeedMode::Busy => (
            "the mode is busy, where only taken time counts, and all entries are free",
            "if the feed lists the times that can be booked, set its mode to open (a file in the content folder: name it \
             open.ndjson); if nothing is taken, list one taken time that has passed",
        ),
    })
}
