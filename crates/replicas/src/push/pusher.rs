//! Writes a site's keys and its beat. Each write names the revision that it replaces, so that one of two writers notices the
//! other. A put without an answer may have been made: before it is made again, the keys are read.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::nats::{Beat, FeedBucket, OwnKeys, PutError, Sum, beat_key, hash_of};
use bytes::Bytes;
use directory::calendar::{Event, FeedMode, Instant};
use directory::told::count;
use directory::visible;
use feed::{Clock, SourceError};
use tokio::task::JoinSet;
use tokio::time::Instant as Tick;

use super::calendars::Calendars;
use super::plan::{Due, Writing, now};
use super::reading::{Confirmed, Readings};

const IN_FLIGHT: usize = 64;
const PUT: Duration = Duration::from_secs(2);
/// The timeout of reading the keys: longer than an election of the servers, which takes up to nine seconds.
const CATCH_UP: Duration = Duration::from_secs(20);
/// How often the keys are compared and rewritten when an answer is missing or another writer writes.
const TRIES: usize = 10;
/// The most bytes of late keys in a beat, because servers take messages of a MiB; and the bytes of a key's time.
const MAX_LATE: usize = 512 << 10;
const LATE_TIME: usize = 26;
/// A standby writer takes over after this number of missing beats.
const BEATS: u32 = 3;
/// The longest time between two beats that is believed: that of `--every`.
const LONGEST: Duration = Duration::from_hours(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pushed {
    /// This number of keys was written, and the site was confirmed.
    Written { keys: usize },
    /// Another writer confirms the site.
    StandsBy { age: Duration },
}

impl fmt::Display for Pushed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Written { keys } => {
                write!(formatter, "{} written, and the site is confirmed", count(*keys, "key"))
            }
            Self::StandsBy { age } => {
                write!(formatter, "another writer confirmed the site {} s ago", age.as_secs())
            }
        }
    }
}

pub struct Pusher {
    bucket: FeedBucket,
    own: OwnKeys,
    site: String,
    mode: FeedMode,
    every: Option<Duration>,
    source: Reader,
    /// Why keys were late last, as it was reported.
    told_late: String,
    /// The revision of the last beat that this writer made.
    beat: Option<u64>,
    attempted: Option<Beat>,
    /// The last beat of another writer, and when it was first seen.
    other: Option<(u64, Tick)>,
    is_standing_by: bool,
}

enum Reader {
    Files(Readings),
    Calendars(Calendars),
}

impl Pusher {
    /// Without a mode, the source is calendars, which are late one by one. `every` is the time between two readings, which each
    /// beat names; `None`: once. A change that loses more than `max_shrink` is held; 1 holds none.
    pub fn new(
        bucket: FeedBucket,
        site: &str,
        mode: Option<FeedMode>,
        every: Option<Duration>,
        max_shrink: f64,
    ) -> Self {
        Self {
            own: OwnKeys::new(bucket.clone(), site),
            bucket,
            site: site.to_owned(),
            mode: mode.unwrap_or(FeedMode::Busy),
            every,
            source: match mode {
                Some(mode) => Reader::Files(Readings::new(site, mode, max_shrink)),
                None => Reader::Calendars(Calendars::new(site, max_shrink)),
            },
            told_late: String::new(),
            beat: None,
            attempted: None,
            other: None,
            is_standing_by: false,
        }
    }

    pub fn is_once(&self) -> bool {
        self.every.is_none()
    }

    /// If it is to write once, another writer that is at work is an error.
    pub async fn push(&mut self, look: Result<Vec<Event>, SourceError>) -> Result<Pushed, String> {
        let events = look.map_err(|error| error.to_string())?;
        let confirmed = match &mut self.source {
            Reader::Files(files) => files.take(events)?,
            Reader::Calendars(calendars) => calendars.take(events, now())?,
        };
        match self.write_and_confirm(&confirmed).await? {
            by @ Pushed::StandsBy { .. } if self.is_once() => {
                Err(format!("{by}, and nothing was written: stop that one first"))
            }
            pushed => {
                self.bucket.flush().await;
                Ok(pushed)
            }
        }
    }

    async fn write_and_confirm(&mut self, confirmed: &Confirmed) -> Result<Pushed, String> {
        let mut keys = 0;
        let mut last = String::new();
        for _ in 0..TRIES {
            self.own.catch_up(CATCH_UP).await?;
            if let Some(age) = self.other_writers_age() {
                if !std::mem::replace(&mut self.is_standing_by, true) {
                    tracing::info!(site = self.site, "another writer confirms this site; standing by");
                }
                return Ok(Pushed::StandsBy { age });
            }
            if std::mem::take(&mut self.is_standing_by) {
                tracing::warn!(site = self.site, "the other writer stopped confirming; taking over");
            }
            let Due { writings, late, why_late } = match &mut self.source {
                Reader::Files(files) => files.due(confirmed, &self.own.keys)?,
                Reader::Calendars(calendars) => {
                    let beat = self.own.beat.as_ref().and_then(|beat| beat.value.as_ref());
                    calendars.due(confirmed.as_of, &self.own.keys, beat)
                }
            };
            self.tell_late(late.len(), why_late);
            let (written, failed) = self.write(writings).await?;
            keys += written;
            if written > 0 {
                tracing::debug!(site = self.site, written, "wrote keys");
            }
            if let Some(why) = failed {
                last = why;
                continue;
            }
            if late.keys().map(|key| key.len() + LATE_TIME).sum::<usize>() > MAX_LATE {
                return Err(format!("too many keys are late to list: {}", self.told_late));
            }
            match self.confirm(confirmed.as_of, late).await {
                Ok(()) => return Ok(Pushed::Written { keys }),
                Err(PutError::Refused(why)) => return Err(refused(&why)),
                Err(PutError::Unknown(why)) => last = why,
                Err(PutError::OtherRevision) => {
                    // Or an operator has purged the beat, which sends no message.
                    self.own.forget();
                    "another writer confirmed the site in the meantime".clone_into(&mut last);
                }
            }
        }
        Err(last)
    }

    fn tell_late(&mut self, keys: usize, why_late: String) {
        if !why_late.is_empty() && why_late != self.told_late {
            let (site, why) = (&self.site, visible::line(&why_late));
            tracing::error!(site, keys, "a part is late, and its keys are aging: {why}");
        }
        self.told_late = why_late;
    }

    /// The age of another writer's last beat, while that writer may be at work.
    fn other_writers_age(&mut self) -> Option<Duration> {
        let beat = self.own.beat.as_ref().filter(|beat| Some(beat.revision) != self.beat)?;
        if beat.value.is_some() && beat.value == self.attempted {
            self.beat = Some(beat.revision);
            return None;
        }
        // A beat without `every` is from `feed push --once`: no further beat follows, so this writer does not wait.
        let every = Duration::from_secs(beat.value.as_ref()?.every?);
        let seen = match self.other {
            Some((revision, seen)) if revision == beat.revision => seen,
            _ => self.other.insert((beat.revision, Tick::now())).1,
        };
        let since = (Clock::system().now() - beat.stored_at).to_std();
        let age = since.unwrap_or_default().max(seen.elapsed());
        is_at_work(every, age).then_some(age)
    }

    /// Writes keys, and returns how many were written and, if not all were, the reason.
    async fn write(&mut self, writings: Vec<Writing>) -> Result<(usize, Option<String>), String> {
        let (mut written, mut failed) = (0, None);
        let mut flying = JoinSet::new();
        let mut writings = writings.into_iter();
        loop {
            while flying.len() < IN_FLIGHT
                && failed.is_none()
                && let Some((key, value)) = writings.next()
            {
                let revision = self.own.keys.get(&key).map_or(0, |(revision, _)| *revision);
                let bucket = self.bucket.clone();
                flying.spawn(async move {
                    let put = bucket.put(&key, value.clone(), revision, PUT).await;
                    (key, value, put)
                });
            }
            let Some(landed) = flying.join_next().await else { return Ok((written, failed)) };
            let (key, value, put): (String, Option<Bytes>, _) = landed.map_err(|error| error.to_string())?;
            match put {
                Ok(revision) => {
                    self.own.wrote(&key, revision, value);
                    written += 1;
                }
                Err(PutError::Refused(why)) => return Err(refused(&why)),
                Err(PutError::Unknown(why)) => failed = Some(why),
                Err(PutError::OtherRevision) => {
                    self.own.forget();
                    failed = Some(format!("{key}: another writer wrote it too"));
                }
            }
        }
    }

    async fn confirm(&mut self, as_of: Instant, late: BTreeMap<String, Instant>) -> Result<(), PutError> {
        let mut sum = Sum::default();
        for (key, (_, value)) in &self.own.keys {
            sum.change(None, value.as_ref().map(|value| hash_of(key, value)));
        }
        let beat = Beat {
            as_of,
            mode: self.mode.word().to_owned(),
            every: self.every.map(|every| every.as_secs()),
            keys: Some(sum.keys),
            sum: Some(sum.hex()),
            late,
        };
        let (key, value) = (beat_key(&self.site), Some(beat.text().into()));
        // If the answer is lost, the beat may be stored anyway. `other_writers_age` recognizes it by `attempted`.
        self.attempted = Some(beat);
        let revision = self.bucket.put(&key, value, self.own.beat_revision, PUT).await?;
        self.beat = Some(revision);
        self.own.confirmed(revision);
        Ok(())
    }
}

fn is_at_work(every: Duration, age: Duration) -> bool {
    age < every.min(LONGEST) * BEATS
}

fn refused(why: &str) -> String {
    format!("{why}; check that the bucket exists and has room, and that the value is within its limit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standby_writer_waits_for_three_beats_and_at_most_three_hours() {
        let seconds = Duration::from_secs;
        assert!(is_at_work(seconds(10), seconds(29)));
        assert!(!is_at_work(seconds(10), seconds(30)));
        // Another writer's beat may name any number.
        assert!(is_at_work(seconds(u64::MAX), seconds(3 * 3_600 - 1)));
        assert!(!is_at_work(seconds(u64::MAX), seconds(3 * 3_600)));
    }
}
