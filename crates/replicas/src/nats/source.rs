//! Follows a bucket: reads all of its keys, then their changes, and starts over when something is missing.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use directory::calendar::{Event, FeedLimits, PartId};
use directory::visible;
use rayon::prelude::*;
use tokio::time::{Instant as Tick, sleep};

use super::backoff::{Backoff, random_suffix};
use super::bucket::{FeedBucket, StreamState};
use super::keys;
use super::mirror::{Message, Mirror, Parsed};
use super::watch::Watch;
use feed::{FeedOptions, NatsHealth, NatsOptions, Phase, Source, SourceError, blocking};

/// Messages within this time are applied as one change, up to `MAX_BATCH` keys.
const BATCH: Duration = Duration::from_millis(5);
const MAX_BATCH: usize = 512;
/// After this time without a message the stream's last number is requested: a stalled consumer may still send heartbeats.
const LOOK: Duration = Duration::from_secs(5);
/// How long the first reading may take before it is reported as an error, and how often after that.
const REPORT: Duration = Duration::from_secs(5);
/// The keys and bytes above which values are parsed on several threads.
const MANY_KEYS: usize = 16;
const MANY_BYTES: usize = 64 << 10;
/// Servers before this version have known faults.
const OLDEST_SERVER: [u64; 3] = [2, 12, 8];
/// The inbox that the rights of replicas name.
const INBOX: &str = "live";

pub struct NatsSource {
    options: NatsOptions,
    limits: FeedLimits,
    health: Arc<NatsHealth>,
    mirror: Mirror,
    bucket: Option<FeedBucket>,
    watch: Option<Watch>,
    backoff: Backoff,
    /// When the bucket was made whose keys are in the mirror.
    created: Option<String>,
    /// The number of the stream's last message when it was last asked for.
    stream_last: u64,
    /// Whether the next consumer reads all keys and not only the changes.
    is_anew: bool,
    was_read: bool,
    /// When the first reading began, or was last reported as an error.
    reported: Tick,
    /// When a message last came, or the stream's last number was last requested.
    looked: Tick,
    warned_of: Option<String>,
}

impl NatsSource {
    pub fn from_options(options: &FeedOptions) -> Option<Self> {
        let bucket = options.bucket()?.clone();
        Some(Self {
            mirror: Mirror::new(options.mode(), bucket.sites.clone()),
            options: bucket,
            limits: options.rules.limits,
            health: Arc::default(),
            bucket: None,
            watch: None,
            backoff: Backoff::default(),
            created: None,
            stream_last: 0,
            is_anew: true,
            was_read: false,
            reported: Tick::now(),
            looked: Tick::now(),
            warned_of: None,
        })
    }

    /// Creates a consumer. With `is_anew`, reads all keys and returns what they say.
    async fn open(&mut self) -> Result<Vec<Event>, String> {
        let bucket = match &self.bucket {
            Some(bucket) => bucket.clone(),
            None => self.bucket.insert(FeedBucket::connect(&self.options, INBOX).await?).clone(),
        };
        let consumer = format!("{INBOX}-{}", random_suffix());
        let within = self.backoff.request();
        let from = (!self.is_anew).then(|| self.mirror.last + 1);
        let watch = bucket.watch(&consumer, ">", from, within).await?;
        let StreamState { created, last, .. } = bucket.state(within).await?;
        self.note_server(&bucket);
        let is_another = self.created.as_ref().is_some_and(|known| *known != created);
        if !self.is_anew && (is_another || last < self.mirror.reached) {
            tracing::warn!(
                bucket = self.options.name(),
                "the bucket was recreated or lost messages; reading all keys again"
            );
            self.health.note(|view| {
                view.phase = Phase::Reset;
                view.resets += 1;
            });
            (self.is_anew, self.stream_last) = (true, 0);
            return Ok(Vec::new());
        }
        // When the new consumer has sent all pending messages, each one up to `known_last` was delivered or replaced, unless
        // the consumer's server lags ([`Mirror::is_at`]).
        let known_last = if is_another { 0 } else { self.stream_last };
        (self.created, self.stream_last) = (Some(created), last);
        if !self.is_anew {
            if watch.pending == 0 {
                self.mirror.is_at(known_last);
            }
            self.resume(watch);
            return Ok(Vec::new());
        }
        self.health.note(|view| view.phase = Phase::Snapshot);
        self.mirror.start_over();
        self.read_all(watch, known_last).await
    }

    async fn read_all(&mut self, mut watch: Watch, known_last: u64) -> Result<Vec<Event>, String> {
        let (mut left, mut is_anew) = (watch.pending, false);
        while left > 0 {
            let Some(message) = watch.next().await? else { continue };
            left = message.at.pending;
            is_anew |= self.mirror.take(message);
        }
        self.mirror.is_at(known_last);
        let events = self.events().await;
        (self.was_read, self.is_anew) = (true, false);
        self.resume(watch);
        if is_anew {
            self.start_over();
        }
        Ok(events)
    }

    fn resume(&mut self, watch: Watch) {
        self.watch = Some(watch);
        self.looked = Tick::now();
        self.backoff.succeeded();
        let (created, bucket_at, ours_at) =
            (self.created.clone(), self.stream_last.max(self.mirror.reached), self.mirror.reached);
        self.health.note(|view| {
            view.phase = Phase::Following;
            (view.created, view.bucket_at, view.ours_at, view.last_error) =
                (created, bucket_at, ours_at, None);
        });
    }

    async fn follow(&mut self, mut watch: Watch) -> Vec<Event> {
        // Whether everything must be read again.
        let mut heard = match watch.next().await {
            Ok(None) => match self.look().await {
                Ok(()) => {
                    self.watch = Some(watch);
                    return Vec::new();
                }
                Err(why) => Err(why),
            },
            heard => heard.map(|heard| self.take(heard)),
        };
        let until = Tick::now() + BATCH;
        while heard == Ok(false)
            && self.mirror.waiting() < MAX_BATCH
            && let Some(next) = watch.next_until(until).await
        {
            heard = next.map(|heard| self.take(heard));
        }
        self.looked = Tick::now();
        let events = self.events().await;
        match heard {
            Ok(false) => self.watch = Some(watch),
            Ok(true) => self.start_over(),
            Err(why) => self.begin_again(why),
        }
        events
    }

    /// Takes what was heard; true if everything must be read again.
    fn take(&mut self, heard: Option<Message>) -> bool {
        heard.is_some_and(|message| self.mirror.take(message))
    }

    /// Compares with the stream's last message. One that is still on its way is waited for until the next look.
    async fn look(&mut self) -> Result<(), String> {
        if self.looked.elapsed() < LOOK {
            return Ok(());
        }
        let Some(bucket) = self.bucket.clone() else { return Ok(()) };
        let before = self.stream_last;
        let state = bucket.state(self.backoff.request()).await?;
        (self.looked, self.stream_last) = (Tick::now(), state.last);
        self.note_server(&bucket);
        self.health.note(|view| view.bucket_at = state.last);
        let ours = self.mirror.reached;
        if self.created.as_ref() != Some(&state.created) || state.last < ours {
            return Err("the bucket was recreated or lost messages".to_owned());
        }
        if before > ours {
            return Err(format!(
                "the bucket is at {before} and this replica at {ours}, and no messages arrive"
            ));
        }
        Ok(())
    }

    async fn events(&mut self) -> Vec<Event> {
        let (waiting, stored_at) = self.mirror.take_waiting();
        let bytes: usize = waiting.values().flatten().map(Bytes::len).sum();
        let limits = self.limits;
        let parsed = if waiting.len() > MANY_KEYS || bytes > MANY_BYTES {
            let parse = move || waiting.into_par_iter().map(|key| parsed(key, &limits)).collect();
            blocking(parse).await
        } else {
            waiting.into_iter().map(|key| parsed(key, &limits)).collect()
        };
        let events = self.mirror.events(parsed);
        let (ours_at, refused, sites) = (self.mirror.reached, self.mirror.refused(), self.mirror.sites());
        self.log_refused(&refused);
        self.health.note(|view| {
            (view.ours_at, view.bucket_at) = (ours_at, view.bucket_at.max(ours_at));
            (view.refused, view.sites) = (Arc::new(refused), Arc::new(sites));
        });
        let is_whole = events.iter().any(|event| matches!(event, Event::Complete { .. }));
        if let (Some(stored_at), false, false) = (stored_at, is_whole, events.is_empty()) {
            self.health.handed_over(stored_at);
        }
        events
    }

    fn log_refused(&self, refused: &BTreeMap<String, Arc<str>>) {
        let before = self.health.view().refused;
        for (key, why) in refused.iter().filter(|(key, why)| before.get(*key) != Some(*why)) {
            tracing::warn!(bucket = self.options.name(), key, "a value is refused: {}", visible::line(why));
        }
    }

    /// The next consumer goes on where the last one ended.
    fn begin_again(&mut self, why: String) {
        tracing::info!(bucket = self.options.name(), "starting over: {why}");
        self.health.note(|view| {
            view.phase = Phase::Connecting;
            view.rewatches += 1;
            view.last_error = Some(why);
        });
    }

    /// The next consumer reads all keys again.
    fn start_over(&mut self) {
        tracing::warn!(
            bucket = self.options.name(),
            "a site's keys differ from its writer's; reading all keys again"
        );
        (self.watch, self.is_anew) = (None, true);
        self.health.note(|view| view.rewatches += 1);
    }

    async fn failed(&mut self, why: String) {
        tracing::debug!(bucket = self.options.name(), "{why}");
        self.health.note(|view| {
            (view.phase, view.server) = (Phase::Connecting, None);
            view.last_error = Some(why);
        });
        if self.backoff.failed()
            && let Some(bucket) = &self.bucket
        {
            bucket.leave_server().await;
        }
        sleep(self.backoff.wait()).await;
    }

    fn note_server(&mut self, bucket: &FeedBucket) {
        let server = bucket.server();
        self.health.note(|view| view.server = server.as_ref().map(|(name, _)| name.clone()));
        let Some((name, version)) = server else { return };
        if is_old(&version) && self.warned_of.as_ref() != Some(&version) {
            let what = "this version of nats-server has known bugs: use 2.12.8 or later, preferably 2.15";
            tracing::warn!(server = name, version, "{what}");
            self.warned_of = Some(version);
        }
    }
}

impl Source for NatsSource {
    fn name(&self) -> String {
        self.options.name()
    }

    fn nats_health(&self) -> Option<Arc<NatsHealth>> {
        Some(Arc::clone(&self.health))
    }

    async fn next(&mut self) -> Result<Vec<Event>, SourceError> {
        loop {
            let events = match self.watch.take() {
                Some(watch) => self.follow(watch).await,
                None => match self.open().await {
                    Ok(events) => events,
                    Err(why) => {
                        self.failed(why.clone()).await;
                        if !self.was_read && self.reported.elapsed() >= REPORT {
                            self.reported = Tick::now();
                            return Err(SourceError::Unreadable(format!("{}: {why}", self.options.name())));
                        }
                        Vec::new()
                    }
                },
            };
            if !events.is_empty() {
                return Ok(events);
            }
        }
    }
}

fn parsed((key, value): (PartId, Option<Bytes>), limits: &FeedLimits) -> Parsed {
    let read = value.map(|value| keys::read(&key, &value, limits));
    (key, read)
}

/// A version that cannot be read is not called old.
fn is_old(version: &str) -> bool {
    let numbers: Vec<u64> = version.split(['.', '-']).map_while(|part| part.parse().ok()).take(3).collect();
    numbers.len() == 3 && numbers < OLDEST_SERVER.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_with_known_faults_are_warned_of() {
        for old in ["2.9.10", "2.12.7", "2.11.16-RC.1"] {
            assert!(is_old(old), "{old}");
        }
        for new in ["2.12.8", "2.15.1", "3.0.0", "2.14.0-preview", "unknown"] {
            assert!(!is_old(new), "{new}");
        }
    }
}
