//! Follows the releases of a running service: asks for the next number, and serves the newest release that can be served.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use directory::visible;
use feed::chance;

use super::fetch::{Found, Prepared, Upstream, find};
use super::past::Past;
use crate::reload::{INTERNAL_ERROR, Replaced, Replacer};
use replicas::releases::Release;

/// Polls between two listings of all releases: a poll asks for the next number only, which `publish --keep` may have removed.
const LIST_EVERY: u32 = 60;
/// The longest pause before a release that failed is fetched again.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

pub(super) struct Follower {
    pub(super) source: Upstream,
    pub(super) replacer: Replacer,
    pub(super) past: Past,
    /// The time between two polls; `None`: the store is asked only when an operator requests it.
    pub(super) poll: Option<Duration>,
    pub(super) served: u64,
    pub(super) is_from_cache: bool,
    /// The number that was served or held last. It and lower ones are not fetched again.
    pub(super) last: u64,
    /// The highest number in the store, as far as it is known.
    pub(super) newest: u64,
    pub(super) polls: u32,
    /// The newest release cannot be served.
    pub(super) failure: Option<Failure>,
    pub(super) held: Option<(Release, Bytes)>,
    /// Why the store gives no releases.
    pub(super) unreachable: Option<String>,
}

pub(super) struct Failure {
    why: String,
    pause: Duration,
    again: Instant,
}

impl Follower {
    pub(super) fn run(mut self, requests: &Receiver<()>) {
        let hour = Duration::from_hours(1);
        let mut wait = Duration::ZERO;
        loop {
            let asks = match requests.recv_timeout(wait) {
                Ok(()) => true,
                Err(RecvTimeoutError::Timeout) => self.poll.is_some(),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            wait = self.poll.map_or(hour, with_jitter);
            // A panic over one release must not prevent the next one from being served.
            if catch_unwind(AssertUnwindSafe(|| self.step(asks))).is_err() {
                self.replacer.refuse(INTERNAL_ERROR.to_owned());
            }
        }
    }

    fn step(&mut self, asks: bool) {
        self.note_accepted();
        if asks && let Err(why) = self.ask() {
            if self.unreachable.as_ref() != Some(&why) {
                tracing::error!(
                    "the content store gives no new releases; the current release is still served: {why}"
                );
                self.unreachable = Some(why.clone());
            }
            self.replacer.vitals.releases_failed(why);
        }
        self.past.read_back(&self.source, &self.replacer.store, self.served);
    }

    fn ask(&mut self) -> Result<(), String> {
        let is_time = |failure: &Failure| failure.again <= Instant::now();
        let lists = self.unreachable.is_some()
            || self.polls.is_multiple_of(LIST_EVERY)
            || self.failure.as_ref().is_some_and(is_time)
            || self.has_next()?;
        if lists {
            self.list()?;
        }
        self.polls = self.polls.wrapping_add(1);
        if self.unreachable.take().is_some() {
            tracing::info!("the content store answers again");
        }
        self.replacer.vitals.releases_answered();
        Ok(())
    }

    fn has_next(&self) -> Result<bool, String> {
        let Some(next) = self.newest.checked_add(1) else { return Ok(false) };
        Ok(!matches!(find(&self.source.bucket, next)?, Found::None))
    }

    fn list(&mut self) -> Result<(), String> {
        let numbers = self.source.bucket.numbers()?;
        self.newest = numbers.last().copied().unwrap_or_default();
        if self.newest < self.served {
            let (address, served) = (&self.source.bucket.address, self.served);
            let found = match self.newest {
                0 => format!("{address} has no release"),
                newest => format!("the newest release in {address} is {newest}"),
            };
            return Err(format!(
                "{found}, and release {served} is served: the mirror lags, or the store was recreated. To serve what \
                 is there now, start again with an empty cache folder"
            ));
        }
        // A release that is held and was removed may be replaced by another with its number.
        self.last = self.last.min(self.newest).max(self.served);
        let newer = &numbers[numbers.partition_point(|number| *number <= self.last)..];
        let (prepared, refused) = self.source.newest(newer);
        // What came from the cache is the newest release of the store, too, or the one that failed was removed.
        let is_confirmed = self.newest == self.served && (self.is_from_cache || self.failure.is_some());
        if is_confirmed {
            self.is_from_cache = false;
            self.replacer.vitals.release_served(self.served, false);
            self.replacer.vitals.content_taken();
        }
        if let Some(prepared) = prepared {
            self.serve(prepared);
        }
        self.failure = refused.err().map(|why| self.fail(why));
        Ok(())
    }

    fn fail(&mut self, why: String) -> Failure {
        let before = self.failure.take().filter(|before| before.why == why);
        let pause = before.as_ref().map_or(self.poll.unwrap_or_default(), |before| before.pause * 2);
        let pause = pause.min(LONGEST_PAUSE);
        if before.is_none() {
            self.replacer.refuse(why.clone());
        }
        Failure { why, pause, again: Instant::now() + pause }
    }

    fn serve(&mut self, prepared: Prepared) {
        let Prepared { release, snapshot, warnings, packed } = prepared;
        self.last = release.number;
        let what = format!("release {} of {} is served", release.number, visible::line(&release.by));
        match self.replacer.take(snapshot, &warnings, &what, "publish a corrected release") {
            Ok(Replaced::Served) => self.serves(&release, &packed),
            Ok(Replaced::Held) => self.held = Some((release, packed)),
            Err(why) => self.replacer.refuse(why),
        }
        // A newer one that failed before is reported again, because this one has cleared it.
        self.failure = None;
    }

    /// Notes that an operator has accepted the release that was held.
    fn note_accepted(&mut self) {
        let generation = self.replacer.store.current().directory().generation().clone();
        let is_served = |held: &mut (Release, Bytes)| held.0.generation == generation.as_str();
        if let Some((release, packed)) = self.held.take_if(is_served) {
            self.serves(&release, &packed);
        }
    }

    fn serves(&mut self, release: &Release, packed: &[u8]) {
        self.past.follow(&self.replacer.store, self.served.checked_add(1) == Some(release.number));
        (self.served, self.is_from_cache, self.held) = (release.number, false, None);
        self.replacer.vitals.release_served(release.number, false);
        self.source.keep(release, packed, &self.replacer.vitals);
    }
}

/// A tenth more or less, so that replicas that were started together do not ask together.
pub(super) fn with_jitter(poll: Duration) -> Duration {
    poll.mul_f64(0.9 + 0.2 * chance())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_differs_by_a_tenth() {
        let poll = Duration::from_secs(5);
        let pauses: Vec<_> = (0..200).map(|_| with_jitter(poll)).collect();
        assert!(pauses.iter().all(|pause| (4_500..=5_500).contains(&pause.as_millis())), "{pauses:?}");
        assert!(pauses.iter().max().unwrap().as_millis() - pauses.iter().min().unwrap().as_millis() > 500);
    }
}
