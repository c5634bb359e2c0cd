//! A publisher of SMART Scheduling Links: a manifest and the files that it lists, polled over HTTP with conditional requests.
//! A file that fails after it was once read is late: it stays as it was and grows old. If a file fails that was never read,
//! or if all files fail, the look fails; files that were read are kept for the next one. Deadlines keep a slow publisher from
//! delaying the next look by more than seconds. No publisher is trusted: [`fetch`] bounds what it may send and name.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hasher};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use directory::calendar::{
    AsOf, Event, ExportManifest, FeedFile, FeedLimits, FeedMode, FeedRules, Late, PartId,
};
use futures_util::{StreamExt, stream};
use reqwest::{Client, Url};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use tokio::time::Instant;

use crate::bounds::time_from;
use crate::clock::{moment, real_now};
use crate::fetch::{self, Fetched, NoText, Reach, TextBudget, Validators};
use crate::source::SourceError;

/// The number of concurrent requests for files. Their texts share one [`TextBudget`].
pub(super) const AT_ONCE: usize = 4;

/// The limits of time and memory. The memory in use is at most twice `total_bytes`, and `wire_bytes` for each
/// concurrent request; deploy/nameplate.service and the RUNBOOK rely on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SmartLimits {
    pub(crate) connect: Duration,
    /// The time between two reads.
    pub(crate) quiet: Duration,
    /// The times for the manifest and for one file, from the request to the last byte.
    pub(crate) manifest: Duration,
    pub(crate) whole: Duration,
    /// How far ahead of this machine's clock the publisher's may be.
    pub(crate) ahead: Duration,
    /// Bytes of one file on the wire.
    pub(crate) wire_bytes: usize,
    /// Bytes of the manifest when expanded.
    pub(crate) manifest_bytes: usize,
    /// Bytes of all files when expanded: those that are kept, and as many that are being read.
    pub(crate) total_bytes: usize,
    pub(crate) file: FeedLimits,
}

impl Default for SmartLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            quiet: Duration::from_secs(20),
            manifest: Duration::from_secs(10),
            whole: Duration::from_mins(1),
            ahead: Duration::from_mins(5),
            wire_bytes: 64 << 20,
            manifest_bytes: 1 << 20,
            total_bytes: 256 << 20,
            file: FeedLimits::default(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmartOptions {
    #[serde(deserialize_with = "manifest")]
    pub(crate) url: Url,
    #[serde(default = "smart_poll", deserialize_with = "time_from::<5_000, _>")]
    pub poll: Duration,
    #[serde(skip)]
    pub(crate) limits: SmartLimits,
}

pub(super) struct SmartSource {
    client: Client,
    reach: Arc<Reach>,
    url: Url,
    limits: SmartLimits,
    mode: FeedMode,
    max_stale: Duration,
    listing: Option<Arc<Listing>>,
    files: BTreeMap<Url, Kept>,
    /// Whether `files` were reported since they last changed.
    is_reported: bool,
    /// How long the publisher asked not to be contacted, at the last look.
    pub(super) pause: Option<Duration>,
}

struct Listing {
    validators: Validators,
    manifest: ExportManifest,
    urls: Vec<Url>,
}

struct Kept {
    validators: Validators,
    file: Arc<FeedFile>,
    bytes: usize,
    hash: u64,
}

impl SmartSource {
    pub(super) fn new(publisher: &SmartOptions, rules: &FeedRules) -> Result<Self, SourceError> {
        let (url, limits, reach) = (publisher.url.clone(), publisher.limits, Reach::of(&publisher.url));
        Ok(Self {
            client: fetch::client(limits.connect, limits.quiet, &reach).map_err(SourceError::Unreadable)?,
            reach,
            url,
            limits,
            mode: rules.mode,
            max_stale: rules.freshness.max_stale,
            listing: None,
            files: BTreeMap::new(),
            is_reported: false,
            pause: None,
        })
    }

    pub(super) fn name(&self) -> String {
        fetch::shown(&self.url)
    }

    pub(super) async fn look(&mut self, within: Duration) -> Result<Vec<Event>, SourceError> {
        self.pause = None;
        let seen = self.look_until(Instant::now() + within).await;
        self.is_reported = seen.is_ok();
        seen
    }

    async fn look_until(&mut self, end: Instant) -> Result<Vec<Event>, SourceError> {
        let began = moment();
        let listing = self.look_at_manifest().await?;
        let mut late = self.judge_manifest(&listing.manifest)?;
        let as_of = Some(listing.manifest.transaction_time);
        // Done before new files are named, so that a file whose address has a new signature keeps its name.
        let before = self.files.len();
        self.files.retain(|url, _| listing.urls.contains(url));
        self.is_reported &= before == self.files.len();
        let mut late_files = 0;
        let limits = self.limits;
        let budget = TextBudget::new(limits.file.bytes, limits.total_bytes);
        let get = |url: &Url| {
            let known = self.files.get(url).map(|kept| kept.validators.clone()).unwrap_or_default();
            let (client, budget, url) = (self.client.clone(), Arc::clone(&budget), url.clone());
            async move {
                let until = end.min(Instant::now() + limits.whole);
                fetch::get(&client, &url, known, limits.wire_bytes, &budget, until).await
            }
        };
        let gets: Vec<_> = listing.urls.iter().map(get).collect();
        // In the manifest's order, whatever the order of the answers.
        let mut answers = pin!(stream::iter(gets).buffered(AT_ONCE));
        for url in &listing.urls {
            let Some(got) = answers.next().await else { break };
            let taken = match got {
                Ok(Some(fetched)) => self.take(url, fetched).await,
                Ok(None) => Ok(()),
                Err(no_text) => Err(self.unread(url, no_text)),
            };
            let Err(error) = taken else { continue };
            // A file that was never read may list any provider.
            let Some(kept) = self.files.get(url) else { return Err(error) };
            late.push(Late { part: kept.file.name.clone(), as_of: None, why: error.to_string() });
            late_files += 1;
            if late_files == listing.urls.len() {
                return Err(error);
            }
        }
        let writer: Arc<str> = self.name().into();
        let mut events = Vec::new();
        if !self.is_reported {
            let files = || self.files.values().map(|kept| &kept.file);
            events.extend(files().map(|file| {
                let part = PartId::file(&writer, file.name.clone());
                Event::PartChanged { part, text: Ok(Arc::clone(file)) }
            }));
            let parts = files().map(|file| file.name.clone()).collect();
            events.push(Event::Complete { writer: Arc::clone(&writer), parts });
        }
        events.push(Event::Beat { writer, as_of: AsOf::read(as_of, began), late });
        Ok(events)
    }

    /// Data that is too old, and errors in the export of an open feed, are reported as late. No message contains the time of
    /// the look, so that a message that repeats is logged once.
    fn judge_manifest(&self, manifest: &ExportManifest) -> Result<Vec<Late>, SourceError> {
        let shown = self.name();
        let age = real_now() - DateTime::<Utc>::from(manifest.transaction_time);
        if (-age).to_std().is_ok_and(|ahead| ahead > self.limits.ahead) {
            return Err(SourceError::Unreadable(format!(
                "{shown}: its transactionTime is more than {} minutes ahead of this machine's clock, so the age of the \
                 slots is unknown; set the publisher's clock, or this machine's",
                self.limits.ahead.as_secs() / 60
            )));
        }
        let late = |why| Late { part: "manifest".into(), as_of: None, why };
        let mut all = Vec::new();
        if age.to_std().is_ok_and(|age| age > self.max_stale) {
            all.push(late(format!(
                "{shown}: its transactionTime, {}, is older than max-stale, {:?}, so none of it is shown: the \
                 publisher must export again",
                manifest.transaction_time, self.max_stale
            )));
        }
        if manifest.errors > 0 {
            let why = format!(
                "{shown}: its error list has {} messages: the publisher couldn't export everything. Read them and \
                 fix the export",
                manifest.errors
            );
            match self.mode {
                // The missing part may be taken time.
                FeedMode::Busy => return Err(SourceError::Unreadable(why)),
                FeedMode::Open => all.push(late(why)),
            }
        }
        Ok(all)
    }

    /// Names are addresses without secrets. They identify parts, so files with the same name are numbered.
    fn name_of(&self, url: &Url) -> String {
        let shown = fetch::shown(url);
        let others = self.files.iter().filter(|(other, _)| *other != url);
        let others: HashSet<_> = others.map(|(_, kept)| &*kept.file.name).collect();
        let numbered = (2..).map(|number| format!("{shown} ({number})"));
        let mut names = std::iter::once(shown.clone()).chain(numbered);
        names.find(|name| !others.contains(name.as_str())).unwrap_or(shown)
    }

    async fn look_at_manifest(&mut self) -> Result<Arc<Listing>, SourceError> {
        let known = self.listing.as_ref().map(|listing| listing.validators.clone()).unwrap_or_default();
        let most = self.limits.manifest_bytes;
        let wire_bytes = self.limits.wire_bytes.min(most);
        let (budget, until) = (TextBudget::new(most, most), Instant::now() + self.limits.manifest);
        let got = fetch::get(&self.client, &self.url, known, wire_bytes, &budget, until).await;
        let got = got.map_err(|no_text| self.unread(&self.url.clone(), no_text))?;
        let refused = |error| SourceError::Unreadable(format!("{}: {error}", self.name()));
        let listing = match (got, &self.listing) {
            (None, Some(listing)) => return Ok(Arc::clone(listing)),
            (None, None) => return Err(refused("it reports no change before it was first read".to_owned())),
            (Some(Fetched { text, url, validators }), _) => {
                let manifest = ExportManifest::read(&text.text).map_err(refused)?;
                // Relative to the manifest's address after redirects, as links in a page are.
                let files = manifest.files.iter().map(|file| fetch::join(&self.reach, &url, file));
                let urls = files.collect::<Result<_, _>>().map_err(refused)?;
                Listing { validators, manifest, urls }
            }
        };
        Ok(Arc::clone(self.listing.insert(Arc::new(listing))))
    }

    fn unread(&mut self, url: &Url, NoText { why, pause }: NoText) -> SourceError {
        self.pause = self.pause.max(pause);
        SourceError::Unreadable(format!("{}: {why}", fetch::shown(url)))
    }

    fn of_others(&self, url: &Url, count: impl Fn(&Kept) -> usize) -> usize {
        self.files.iter().filter(|(other, _)| *other != url).map(|(_, kept)| count(kept)).sum()
    }

    async fn take(&mut self, url: &Url, fetched: Fetched) -> Result<(), SourceError> {
        let Fetched { text, validators, .. } = fetched;
        let bytes = text.text.len();
        let total = self.limits.total_bytes;
        if bytes > total.saturating_sub(self.of_others(url, |kept| kept.bytes)) {
            let why = format!("{}: all files together expand to more than {total} bytes", fetch::shown(url));
            return Err(SourceError::Unreadable(why));
        }
        let mut hasher = DefaultHasher::new();
        hasher.write(text.text.as_bytes());
        let hash = hasher.finish();
        if let Some(kept) = self.files.get_mut(url)
            && (kept.bytes, kept.hash) == (bytes, hash)
        {
            // The publisher does not support 304.
            kept.validators = validators;
            return Ok(());
        }
        let (name, limits) = (self.name_of(url), self.limits.file);
        let read = tokio::task::spawn_blocking(move || FeedFile::read(&name, &text.text, &limits)).await;
        let file = read.map_err(|error| SourceError::Unreadable(error.to_string()))??;
        if file.named > limits.owners.saturating_sub(self.of_others(url, |kept| kept.file.named)) {
            let (shown, most) = (fetch::shown(url), limits.owners);
            let why = format!("{shown}: all files together name more than {most} clinicians and Schedules");
            return Err(SourceError::Unreadable(why));
        }
        self.files.insert(url.clone(), Kept { validators, file: Arc::new(file), bytes, hash });
        self.is_reported = false;
        Ok(())
    }
}

pub(super) fn smart_poll() -> Duration {
    Duration::from_mins(1)
}

fn manifest<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Url, D::Error> {
    manifest_url(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

pub(super) fn manifest_url(text: &str) -> Result<Url, String> {
    let url: Url = text.parse().map_err(|_| "write the complete address: https://…")?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("only http and https are supported".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("an address with a user name or password isn't supported".to_owned());
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_has_room_for_the_largest_feed_and_for_the_service() {
        /// What `live` holds for its clients by default, and the service without it.
        const HELD: usize = 128 << 20;
        const SERVICE: usize = 256 << 20;
        let SmartLimits { total_bytes, wire_bytes, .. } = SmartLimits::default();
        let feed = 2 * total_bytes + AT_ONCE * wire_bytes;
        let unit = include_str!("../../../deploy/nameplate.service");
        let megabytes =
            |name| unit.lines().find_map(|line| line.strip_prefix(name)?.strip_suffix('M')).unwrap();
        let [slow, most] =
            ["MemoryHigh=", "MemoryMax="].map(|name| megabytes(name).parse::<usize>().unwrap());
        // The service's own bounds do not make it slow, and it is slowed down before it is killed.
        assert!(feed + HELD + SERVICE <= slow << 20 && slow < most, "{feed} bytes");
        assert!(unit.contains(&format!("({} MiB by default)", feed >> 20)));
        let runbook = include_str!("../../../docs/RUNBOOK.md");
        assert!(runbook.contains(&format!("{} MiB by default", feed >> 20)));
    }
}
