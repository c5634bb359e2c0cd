//! Follows a writer's own keys: what the bucket has of its site.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use tokio::time::{Instant as Tick, sleep};

use super::backoff::{Backoff, random_suffix};
use super::beat::Beat;
use super::bucket::{FeedBucket, StreamState};
use super::keys::{beat_key, site_of};
use super::mirror::Message;
use super::watch::{SILENCE, Watch};

/// How long a stored message may take to arrive.
const SOON: Duration = Duration::from_millis(100);

pub struct OwnKeys {
    bucket: FeedBucket,
    site: String,
    watch: Option<Watch>,
    backoff: Backoff,
    /// The stream when the keys were last read; `None` before that.
    known: Option<StreamState>,
    /// The keys without the beat; deleted ones are among them, without a value.
    pub keys: BTreeMap<String, OwnKey>,
    pub beat: Option<OwnBeat>,
    /// The revision that the next beat follows: that of the beat or of its marker.
    pub beat_revision: u64,
    heard: Tick,
}

/// A key: its revision and its value; `None` is a deleted one, whose marker has a revision, too.
pub type OwnKey = (u64, Option<Bytes>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnBeat {
    pub revision: u64,
    pub stored_at: DateTime<Utc>,
    /// Its value; `None` if it cannot be read.
    pub value: Option<Beat>,
}

impl OwnKeys {
    pub fn new(bucket: FeedBucket, site: &str) -> Self {
        Self {
            bucket,
            site: site.to_owned(),
            watch: None,
            backoff: Backoff::default(),
            known: None,
            keys: BTreeMap::new(),
            beat: None,
            beat_revision: 0,
            heard: Tick::now(),
        }
    }

    /// Records a beat that this writer has made itself.
    pub fn confirmed(&mut self, revision: u64) {
        (self.beat, self.beat_revision) = (None, self.beat_revision.max(revision));
    }

    pub fn wrote(&mut self, key: &str, revision: u64, value: Option<Bytes>) {
        if self.keys.get(key).is_none_or(|(known, _)| *known < revision) {
            self.keys.insert(key.to_owned(), (revision, value));
        }
    }

    /// Follows the keys until they are those of the bucket now.
    pub async fn catch_up(&mut self, within: Duration) -> Result<(), String> {
        let until = Tick::now() + within;
        loop {
            match self.follow().await {
                Ok(()) => {
                    self.backoff.succeeded();
                    return Ok(());
                }
                Err(why) => {
                    self.watch = None;
                    if Tick::now() >= until {
                        return Err(why);
                    }
                    if self.backoff.failed() {
                        self.bucket.leave_server().await;
                    }
                    sleep(self.backoff.wait()).await;
                }
            }
        }
    }

    async fn follow(&mut self) -> Result<(), String> {
        let within = self.backoff.request();
        let state = self.bucket.state(within).await?;
        if self.known.as_ref().is_some_and(|known| state.has_lost_since(known)) {
            self.forget();
        }
        if self.watch.is_none() {
            // All that there is: a marker or a value for each key.
            self.forget();
            let (consumer, keys) = (format!("{}-{}", self.site, random_suffix()), format!("{}.>", self.site));
            let mut watch = self.bucket.watch(&consumer, &keys, None, within).await?;
            let mut left = watch.pending;
            while left > 0 {
                let Some(message) = watch.next().await? else { continue };
                left = message.at.pending;
                self.take(message);
            }
            (self.watch, self.known, self.heard) = (Some(watch), Some(state), Tick::now());
            return Ok(());
        }
        let has_heard = self.take_until_quiet(Duration::ZERO).await?;
        if !has_heard && self.heard.elapsed() > SILENCE {
            return Err("the consumer sends no heartbeat".to_owned());
        }
        self.heard = if has_heard { Tick::now() } else { self.heard };
        // `state.last` counts the messages of all sites, so this consumer may never receive it. The keys count as
        // current after `SOON` without a message.
        if self.known.as_ref().is_none_or(|known| state.last > known.last) {
            self.take_until_quiet(SOON).await?;
        }
        self.known = Some(state);
        Ok(())
    }

    /// Forgets what is known of the bucket: the next [`Self::catch_up`] reads all of the site's keys.
    pub fn forget(&mut self) {
        self.keys.clear();
        (self.beat, self.beat_revision) = (None, 0);
        (self.known, self.watch) = (None, None);
    }

    /// Takes messages until none comes for a while; true if one came.
    async fn take_until_quiet(&mut self, quiet: Duration) -> Result<bool, String> {
        let Some(mut watch) = self.watch.take() else { return Err("there is no consumer".to_owned()) };
        let mut has_heard = false;
        while let Some(heard) = watch.next_until(Tick::now() + quiet).await {
            has_heard = true;
            if let Some(message) = heard? {
                self.take(message);
            }
        }
        self.watch = Some(watch);
        Ok(has_heard)
    }

    fn take(&mut self, message: Message) {
        let Message { key, at, value } = message;
        if key != beat_key(&self.site) {
            if site_of(&key) == Some(self.site.as_str()) {
                self.wrote(&key, at.stream, value);
            }
        } else if at.stream > self.beat_revision {
            self.beat_revision = at.stream;
            let beat = |value: Bytes| OwnBeat {
                revision: at.stream,
                stored_at: at.stored_at,
                value: Beat::read(&value).ok(),
            };
            self.beat = value.map(beat);
        }
    }
}
