//! The snapshot that is served. A request takes it once, so no answer mixes two generations and none waits. Changes (new
//! content, a feed, passing time) are made one after another, so that none is lost.

use std::collections::{BTreeMap, HashSet};
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use arc_swap::ArcSwap;
use bytes::Bytes;
use directory::Directory;
use directory::api::Snapshot;
use directory::calendar::{Calendar, FeedEntries, FeedMode, Instant, Judgment, ProviderFeed};
use directory::changes::{Contents, History};
use directory::model::{Generation, Provider, ProviderId, Slug};
use directory::web::ServerIdentity;
use serde_json::{Value, json};

use crate::hosts::published_hosts;
use crate::judgment_log::log_judgment;
use crate::reply::HeaderTemplates;
use feed::Target;

#[derive(Debug)]
pub struct Served {
    snapshot: Snapshot,
    pub(crate) prepared: Arc<Prepared>,
    pub(crate) told: Arc<Told>,
    judged: Option<Arc<Judgment>>,
    /// New in the content, and the feed was not applied to them yet. They are withheld, because the feed may list busy time
    /// of theirs.
    unapplied: Arc<[Slug]>,
    pub(crate) number: u64,
}

/// What `/v1/changes` says.
#[derive(Debug)]
pub(crate) struct Told {
    history: History,
    pub(crate) body: Bytes,
}

/// Depends on the directory and not on the calendar.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) header_templates: HeaderTemplates,
    pub(crate) hosts: Vec<String>,
    pub(crate) server_info: ServerInfo,
    make_documents: MakeDocuments,
    documents: OnceLock<Documents>,
}

#[derive(Debug)]
pub(crate) struct ServerInfo {
    pub(crate) whole: Value,
    /// The members that the modern revision adds to a result.
    pub(crate) of_results: Vec<u8>,
    /// Those that it adds to the result of `server/discover`.
    pub(crate) of_discovery: Vec<u8>,
}

impl ServerInfo {
    fn new(identity: &ServerIdentity) -> Self {
        let members = |info: &Value| {
            let meta = json!({ "io.modelcontextprotocol/serverInfo": info });
            json!({ "resultType": "complete", "_meta": meta }).to_string().into_bytes()
        };
        let whole = identity.info();
        Self { of_results: members(&identity.brief()), of_discovery: members(&whole), whole }
    }
}

/// Files that describe the content and that no operation answers, by path.
pub type Documents = BTreeMap<String, Bytes>;
pub type MakeDocuments = fn(&Snapshot) -> Documents;

fn next_number() -> u64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(0);
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

impl Served {
    fn new(snapshot: Snapshot, make_documents: MakeDocuments, history: History) -> Self {
        let directory = snapshot.directory();
        let prepared = Prepared {
            header_templates: HeaderTemplates::new(directory),
            hosts: published_hosts(directory.organization()),
            server_info: ServerInfo::new(&ServerIdentity::new(directory.organization())),
            make_documents,
            documents: OnceLock::new(),
        };
        let (prepared, unapplied) = (Arc::new(prepared), Arc::default());
        let told = Arc::new(Told::new(history));
        Self { snapshot, prepared, told, judged: None, unapplied, number: next_number() }
    }

    fn with_calendar(&self, calendar: Calendar) -> Self {
        let snapshot = self.snapshot.with_calendar(calendar);
        let (judged, unapplied) = (self.judged.clone(), Arc::clone(&self.unapplied));
        let (prepared, told) = (Arc::clone(&self.prepared), Arc::clone(&self.told));
        Self { snapshot, prepared, told, judged, unapplied, number: next_number() }
    }

    /// Also withholds the providers in `unapplied`.
    fn with_judged_calendar(&self, calendar: &Calendar, judgment: Judgment) -> Self {
        let judgment = judgment.withholding(&self.unapplied);
        let Judgment { freshness, unknown, .. } = &judgment;
        if calendar.feed_mode() == self.calendar().feed_mode() && self.judged.as_deref() == Some(&judgment) {
            // The verdict is unchanged, and the calendar carries it already.
            return self.with_calendar(calendar.clone());
        }
        let judged = self.with_calendar(calendar.with_freshness(self.directory(), *freshness, unknown));
        Self { judged: Some(Arc::new(judgment)), ..judged }
    }

    pub(crate) fn judgment(&self) -> Option<&Judgment> {
        self.judged.as_deref()
    }

    /// Those that are new, and those that have another id or NPI, because other lines of the feed may now be theirs. Empty
    /// without a feed.
    fn unapplied_in(&self, directory: &Directory) -> Arc<[Slug]> {
        fn key(provider: &Provider) -> (&Slug, &ProviderId, Option<&str>) {
            (&provider.slug, &provider.id, provider.npi.as_deref())
        }
        if self.calendar().feed_mode().is_none() {
            return Arc::default();
        }
        let waiting: HashSet<_> = self.unapplied.iter().collect();
        let before = self.directory().providers().iter().filter(|provider| !waiting.contains(&provider.slug));
        let applied: HashSet<_> = before.map(key).collect();
        let new = directory.providers().iter().filter(|provider| !applied.contains(&key(provider)));
        new.map(|provider| provider.slug.clone()).collect()
    }

    pub(crate) fn document(&self, path: &str) -> Option<&Bytes> {
        let Prepared { make_documents, documents, .. } = &*self.prepared;
        documents.get_or_init(|| make_documents(&self.snapshot)).get(path)
    }

    /// As far as it is known.
    pub fn history(&self) -> &History {
        &self.told.history
    }
}

impl Told {
    fn new(history: History) -> Self {
        Self { body: history.body().into(), history }
    }
}

impl Deref for Served {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        &self.snapshot
    }
}

#[derive(Debug)]
pub struct Store {
    current: ArcSwap<Served>,
    changing: Mutex<()>,
    /// Served once an operator accepts it.
    held: Mutex<Option<Snapshot>>,
}

impl Store {
    pub fn new(snapshot: Snapshot) -> Self {
        Self::with_documents(snapshot, |_| Documents::new())
    }

    /// Documents are made on first use, once for each content.
    pub fn with_documents(snapshot: Snapshot, make: MakeDocuments) -> Self {
        let history = History::new(Contents::of(&snapshot));
        let current = ArcSwap::from_pointee(Served::new(snapshot, make, history));
        Self { current, changing: Mutex::new(()), held: Mutex::default() }
    }

    pub fn current(&self) -> Arc<Served> {
        self.current.load_full()
    }

    /// In place of what was held before.
    pub fn hold(&self, snapshot: Option<Snapshot>) {
        *self.held() = snapshot;
    }

    /// Only the generation that the operator names. The error is the generation that is held, if any.
    pub(crate) fn accept_held(&self, named: Option<&str>, now: Instant) -> Result<(), Option<Generation>> {
        // Locked until it is served, so that newer content, which is held or clears this, comes after it.
        let mut held = self.held();
        let snapshot = held.as_ref().ok_or(None)?;
        let generation = snapshot.directory().generation();
        if named != Some(generation.as_str()) {
            return Err(Some(generation.clone()));
        }
        self.replace(snapshot, now);
        *held = None;
        Ok(())
    }

    fn held(&self) -> MutexGuard<'_, Option<Snapshot>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The feed's data is kept, and new providers are withheld until the feed has been applied to them.
    pub fn replace(&self, snapshot: &Snapshot, now: Instant) {
        let (directory, contents) = (snapshot.directory(), Contents::of(snapshot));
        self.change(|current| {
            let calendar = current.calendar().for_directory(directory, now);
            let unapplied = current.unapplied_in(directory);
            let history = current.history().followed_by(contents);
            let make_documents = current.prepared.make_documents;
            let next = Served {
                unapplied,
                ..Served::new(snapshot.with_calendar(calendar), make_documents, history)
            };
            Some(match &current.judged {
                Some(judged) => next.with_judged_calendar(next.calendar(), Judgment::clone(judged)),
                None => next,
            })
        });
    }

    /// Unless the served content has changed in the meantime.
    pub fn tell(&self, history: History) {
        self.change(|current| {
            let is_its = history.contents() == current.history().contents();
            let same = || current.with_calendar(current.calendar().clone());
            is_its.then(|| Served { told: Arc::new(Told::new(history)), ..same() })
        });
    }

    pub(crate) fn roll(&self, now: Instant) {
        if self.current().calendar().is_around(now) {
            return;
        }
        self.change(|current| Some(current.with_calendar(current.calendar().roll(current.directory(), now))));
    }

    fn change(&self, change: impl FnOnce(&Served) -> Option<Served>) {
        // A change that panicked has changed nothing, so a poisoned lock is fine.
        let _alone = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(changed) = change(&self.current.load()) {
            self.current.store(Arc::new(changed));
        }
    }
}

impl Target for Store {
    fn with_directory<T>(&self, work: impl FnOnce(&Directory) -> T) -> T {
        work(self.current().directory())
    }

    /// Gives no open times until this feed is applied. Does nothing if a feed is known.
    fn await_feed(&self, mode: FeedMode) {
        self.change(|current| {
            let calendar = current.calendar();
            let is_new = calendar.feed_mode().is_none();
            is_new.then(|| current.with_calendar(calendar.awaiting_feed(current.directory(), mode)))
        });
    }

    /// If the calendar does not use a feed of this mode yet, it begins to.
    fn apply_feed(&self, changed: &[ProviderFeed], judge: impl FnOnce() -> Judgment) {
        let mode = changed.first().map(|feed| match feed.entries {
            FeedEntries::Open(_) => FeedMode::Open,
            FeedEntries::Busy(_) => FeedMode::Busy,
        });
        self.change(|current| {
            let (directory, calendar) = (current.directory(), current.calendar());
            let judgment = judge().withholding(&current.unapplied);
            log_judgment(current.judgment(), &judgment);
            let calendar = match mode {
                None => calendar.clone(),
                Some(mode) if calendar.feed_mode() == Some(mode) => calendar.apply(directory, changed),
                Some(mode) => calendar.awaiting_feed(directory, mode).apply(directory, changed),
            };
            Some(current.with_judged_calendar(&calendar, judgment))
        });
    }

    /// Unless another generation is served by now.
    fn release_unapplied(&self, of: Option<&Generation>, judge: impl FnOnce() -> Judgment) {
        if self.current().unapplied.is_empty() {
            return;
        }
        self.change(|current| {
            if of != Some(current.directory().generation()) {
                return None;
            }
            let calendar = current.calendar();
            let current = Served { unapplied: Arc::default(), ..current.with_calendar(calendar.clone()) };
            let judgment = judge();
            log_judgment(current.judgment(), &judgment);
            Some(current.with_judged_calendar(calendar, judgment))
        });
    }

    fn end_feed(&self, now: Instant) {
        self.change(|current| {
            let calendar = Calendar::from_hours(current.directory(), now);
            Some(Served { judged: None, unapplied: Arc::default(), ..current.with_calendar(calendar) })
        });
    }

    fn judge_feed(&self, judge: impl Fn() -> Judgment) {
        let now_in = |served: &Served| judge().withholding(&served.unapplied);
        let current = self.current();
        if current.judgment() == Some(&now_in(&current)) {
            return;
        }
        // Judged again, because the feed may have been applied in the meantime.
        self.change(|current| {
            let judgment = now_in(current);
            log_judgment(current.judgment(), &judgment);
            Some(current.with_judged_calendar(current.calendar(), judgment))
        });
    }
}
