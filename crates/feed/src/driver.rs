//! Applies the readings of a source to the store: whole, validated, and only what changed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use directory::calendar::{FeedError, FeedMode, FeedRules, Instant, LedTo, ProviderFeed};
use directory::model::{Generation, Slug};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant as Tick;

use crate::apply::Target;
use crate::blocking::blocking;
use crate::clock::Clock;
use crate::effect::{Standing, effect};
use crate::event::{Event, Late, SourceError};
use crate::keyed::feed::{KeyedFeed, KeysEvent};
use crate::keyed::loss::SiteLoss;
use crate::loss::Shrink;
use crate::memory::InUse;
use crate::options::FeedOptions;
use crate::orders::{AbortOnDrop, Order, token_of};
use crate::parts::Parts;
use crate::source::Source;
use crate::status::{Accepted, FeedStatus, LastRead};

/// Runs a feed: takes the events of its source and the orders of its handle, one at a time.
pub(crate) struct Driver<T> {
    rules: Arc<FeedRules>,
    max_shrink: f64,
    target: Arc<T>,
    clock: Clock,
    name: String,
    status: watch::Sender<FeedStatus>,
    /// The last reading, whether or not it is used.
    latest: Parts,
    /// Files that the manifest no longer lists and that are kept.
    unlisted_files: Vec<Late>,
    /// The parts that the last look could not read, and `unlisted_files`.
    late: Vec<Late>,
    /// [`FeedStatus::token`], which changes together with its reason.
    token: Option<String>,
    /// The last successful look at each part of `latest`.
    confirmed: BTreeMap<Arc<str>, LastRead>,
    /// The reading that is used.
    applied: Option<Parts>,
    /// The generation of the directory that `applied` was resolved in.
    applied_to: Option<Generation>,
    /// The providers to which each slug and Schedule of the last accepted reading resolved.
    led_to: LedTo,
    shrink: Shrink,
    /// The memory file, and when it was last written.
    memory: Option<(PathBuf, Option<Tick>)>,
    /// Whether `shrink` was restored after a restart.
    is_restored: bool,
    /// What was in use before a restart with other content, until a reading is applied. It is only compared with.
    before_restart: Option<InUse>,
    /// The sets that the target has, by provider.
    sets: BTreeMap<Slug, ProviderFeed>,
    /// The state of a feed of keys; `None` for a feed of parts. A feed of keys does not use `latest`, `applied`,
    /// `sets` and `shrink`.
    keys: Option<Box<KeyedFeed>>,
    /// The sizes of the sites before a restart, until there are keys.
    restored_sites: BTreeMap<Arc<str>, SiteLoss>,
}

/// Why a reading is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trigger {
    NewReading,
    /// An operator accepts it although it has shrunk.
    Accepted,
    /// The content has changed; the reading was applied to the former directory.
    NewDirectory,
}

enum Outcome {
    Applied,
    Held(String),
    Bad(FeedError),
}

mod keys;
mod notes;
mod remember;
mod swap;

impl<T: Target> Driver<T> {
    pub(crate) fn new(
        options: FeedOptions,
        target: Arc<T>,
        clock: Clock,
        name: String,
        status: watch::Sender<FeedStatus>,
    ) -> Self {
        Self {
            max_shrink: options.rules.max_shrink,
            rules: Arc::new(options.rules),
            target,
            clock,
            name,
            status,
            latest: Parts::default(),
            unlisted_files: Vec::new(),
            late: Vec::new(),
            token: None,
            confirmed: BTreeMap::new(),
            applied: None,
            applied_to: None,
            led_to: LedTo::default(),
            shrink: Shrink::default(),
            memory: options.memory.map(|file| (file, None)),
            is_restored: false,
            before_restart: None,
            sets: BTreeMap::new(),
            keys: None,
            restored_sites: BTreeMap::new(),
        }
    }

    pub(crate) async fn listen(mut self, mut source: impl Source, mut orders: mpsc::Receiver<Order>) {
        self = self.in_background(Self::restore).await.0;
        // The source reads in a task of its own, so that an order does not interrupt it.
        let (sender, mut events) = mpsc::channel(1);
        let reading =
            AbortOnDrop(tokio::spawn(async move { while sender.send(source.next().await).await.is_ok() {} }));
        loop {
            tokio::select! {
                event = events.recv() => match event {
                    Some(event) => self = self.on_event(event).await,
                    // The source has panicked.
                    None => break,
                },
                order = orders.recv() => match order {
                    Some(Order::AcceptHeld(named, answer)) => {
                        let accepted;
                        (self, accepted) = self.accept(named.as_deref()).await;
                        // The client may have closed the connection.
                        _ = answer.send(accepted);
                    }
                    Some(Order::ApplyAgain) => self = self.apply_again().await,
                    Some(Order::End(ended)) => {
                        _ = ended.send(());
                        break;
                    }
                    None => break,
                },
            }
        }
        drop(reading);
    }

    async fn on_event(mut self, event: Result<Event, SourceError>) -> Self {
        match event {
            Err(error) => {
                // After an error the source reports everything again, so what was held can no longer be accepted.
                self.status.send_modify(|status| status.held = None);
                self.token = None;
                self.unlisted_files.clear();
                if let Some(keys) = &mut self.keys {
                    keys.forget_held();
                }
                self.failed(&error.to_string());
                self
            }
            Ok(Event::Snapshot { parts, as_of, mut late }) => {
                let files = parts.into_iter().map(|part| (part.shared_name(), part)).collect();
                self.latest = Parts { files, as_of };
                if let (Some(applied), FeedMode::Busy) = (&self.applied, self.rules.mode) {
                    self.unlisted_files = self.latest.keep_unlisted(applied, self.max_shrink, self.now());
                }
                late.extend(self.unlisted_files.iter().cloned());
                self.late = late;
                self.confirm();
                let driver = self.apply(Trigger::NewReading).await;
                driver.release();
                driver.report_late();
                driver
            }
            Ok(Event::Keys { is_whole, changed, sites }) => {
                self.on_keys(KeysEvent { is_whole, changed, sites }).await
            }
            Ok(Event::Unchanged { as_of, mut late }) => {
                self.latest.as_of = as_of;
                late.extend(self.unlisted_files.iter().cloned());
                self.late = late;
                // A reading that is held or refused stays so while nothing changes.
                if self.is_applied() {
                    self.confirm();
                    self.status.send_modify(|status| {
                        status.parts = Arc::new(self.confirmed.clone());
                        if self.late.is_empty() && status.last_error.take().is_some() {
                            tracing::info!(feed = self.name, "the feed can be read again");
                        }
                    });
                }
                self.release();
                self.report_late();
                if self.is_memory_old() {
                    self = self.in_background(Self::save).await.0;
                }
                self
            }
        }
    }

    /// Stops withholding the providers that are new in the content, once every part of the source was read after the
    /// content changed: a part that could not be read may list busy time of theirs.
    fn release(&self) {
        if self.late.is_empty() && self.is_applied() {
            self.target.release_unapplied(self.applied_to.as_ref(), || self.status.borrow().judgement());
        }
    }

    /// Whether the last reading is used, with the present directory.
    fn is_applied(&self) -> bool {
        self.target.with_directory(|directory| self.applied_to.as_ref() == Some(directory.generation()))
            && self.applied.as_ref().is_some_and(|applied| applied.is_the_same_as(&self.latest))
    }

    fn standing(&self) -> Standing {
        let status = self.status.borrow();
        let entries = self.sets.iter().map(|(slug, feed)| (slug.clone(), feed.entries.len())).collect();
        Standing { providers: Arc::clone(&status.providers), judgement: status.judgement(), entries }
    }

    fn now(&self) -> Instant {
        Instant::floor(self.clock.now())
    }

    /// Records a successful look at every part that is not late.
    fn confirm(&mut self) {
        let (files, late) = (&self.latest.files, &self.late);
        self.confirmed.retain(|name, _| files.contains_key(name));
        for name in files.keys().filter(|name| late.iter().all(|late| late.part != **name)) {
            self.confirmed.insert(Arc::clone(name), LastRead::now(self.latest.as_of));
        }
    }

    /// Applies the last reading although it has shrunk. Withheld providers stay withheld: the lines that resolve to
    /// no provider may still be theirs.
    async fn accept(mut self, named: Option<&str>) -> (Self, Accepted) {
        let waiting = {
            let FeedStatus { token, held, last_error, .. } = &*self.status.borrow();
            token.clone().map(|token| (token, held.as_ref().or(last_error.as_ref()).cloned()))
        };
        let Some((token, what)) = waiting else { return (self, Accepted::NothingHeld) };
        if named != Some(&token) {
            return (self, Accepted::Other { token, what: what.unwrap_or_default() });
        }
        if self.keys.is_some() {
            return self.in_background(Self::accept_keys).await;
        }
        let standing = self.standing();
        let before = (self.latest.clone(), self.confirmed.clone(), self.late.clone());
        let unlisted = std::mem::take(&mut self.unlisted_files);
        for Late { part, .. } in &unlisted {
            self.latest.files.remove(part);
            self.confirmed.remove(part);
            self.late.retain(|late| late.part != *part);
        }
        let (mut driver, outcome) = self.swap_in_background(Trigger::Accepted).await;
        let accepted = match &outcome {
            Outcome::Applied => Accepted::Applied(effect(driver.rules.mode, &standing, &driver.standing())),
            Outcome::Held(why) => Accepted::Refused(why.clone()),
            Outcome::Bad(error) => Accepted::Refused(error.to_string()),
        };
        if !matches!(accepted, Accepted::Applied(_)) {
            (driver.latest, driver.confirmed, driver.late) = before;
            driver.unlisted_files = unlisted;
        }
        driver.note(outcome);
        tracing::warn!(feed = driver.name, accepted = accepted.word(), "an operator accepts what is held");
        (driver, accepted)
    }

    /// Applies the reading that is used to a new directory. A later reading that was held or refused is then judged
    /// again, because the former content may have been the cause.
    async fn apply_again(mut self) -> Self {
        if self.keys.is_some() {
            return self.in_background(Self::apply_keys_again).await.0;
        }
        let mut driver = match self.applied.clone() {
            None => self,
            Some(applied) => {
                let latest = std::mem::replace(&mut self.latest, applied);
                let (mut driver, outcome) = self.swap_in_background(Trigger::NewDirectory).await;
                driver.latest = latest;
                driver.note(outcome);
                driver
            }
        };
        if !driver.latest.files.is_empty() && !driver.is_applied() {
            driver = driver.apply(Trigger::NewReading).await;
            driver.release();
        }
        driver
    }

    /// Applies the last reading unless it is bad or held.
    async fn apply(self, trigger: Trigger) -> Self {
        let (driver, outcome) = self.swap_in_background(trigger).await;
        driver.note(outcome);
        driver
    }

    /// Builds the set and applies it on a thread that answers no requests.
    async fn swap_in_background(self, trigger: Trigger) -> (Self, Outcome) {
        self.in_background(move |driver| {
            let outcome = driver.swap(trigger);
            // Otherwise what waits stays as it was.
            if trigger == Trigger::NewReading
                || matches!((trigger, &outcome), (Trigger::Accepted, Outcome::Applied))
            {
                let is_held = matches!(outcome, Outcome::Held(_)) || driver.status.borrow().held.is_some();
                let is_waiting = is_held || !driver.unlisted_files.is_empty();
                // `files` still has those that the manifest lists no more.
                let unlisted: Vec<_> = driver.unlisted_files.iter().map(|file| &file.part).collect();
                driver.token = is_waiting.then(|| token_of(&(&driver.latest.files, unlisted)));
            }
            outcome
        })
        .await
    }

    /// Runs blocking work on a thread of its own, and returns the driver with the result.
    async fn in_background<R: Send + 'static>(
        mut self,
        work: impl FnOnce(&mut Self) -> R + Send + 'static,
    ) -> (Self, R) {
        blocking(move || {
            let result = work(&mut self);
            (self, result)
        })
        .await
    }
}
