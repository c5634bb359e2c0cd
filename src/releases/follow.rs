//! Follows the releases of a running service: asks for the next number, fetches and checks ahead, and serves it at its time.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use bytes::Bytes;
use directory::visible;
use live::Clock;

use super::bucket::Bucket;
use super::cache::Cache;
use super::fetch::{Prepared, fetch, find};
use super::release::Release;
use crate::reload::{INTERNAL_ERROR, Replaced, Replacer};
use crate::signature::PublicKey;

/// Every so many questions all releases are listed: numbers before the newest may have been removed.
const LIST_EVERY: u32 = 60;
/// The maximum of releases that are found by asking for one number after the other.
const STEPS: u64 = 1_000;
/// The maximum of releases that are ready for later.
const READY: usize = 2;
/// How long before a release is due nothing is asked, so that a slow answer does not delay it.
const QUIET: Duration = Duration::from_secs(15);
/// The longest pause before a release that failed is fetched again.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

pub(super) struct Follower {
    pub(super) bucket: Bucket,
    pub(super) cache: Option<Cache>,
    pub(super) replacer: Replacer,
    /// `None`: only an operator's request asks.
    pub(super) poll: Option<Duration>,
    pub(super) max_bytes: u64,
    /// The keys of which one must have signed a release.
    pub(super) keys: Vec<PublicKey>,
    /// The number of the release that is served.
    pub(super) served: u64,
    pub(super) is_from_cache: bool,
    pub(super) state: State,
}

/// What the follower knows between two questions.
#[derive(Default)]
pub(super) struct State {
    /// The newest number that was found after the one that is served.
    seen: u64,
    asks: u32,
    /// Releases that are checked, in the order of their numbers.
    ready: VecDeque<Prepared>,
    failure: Option<Failure>,
    /// A release that is held back until an operator accepts it.
    held: Option<(Release, Bytes)>,
    /// Why the releases of the store are older than the one that is served.
    behind: Option<String>,
    /// The last reason that was logged.
    logged: Option<String>,
}

/// Why the store is asked before the next poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// An operator asks for it.
    Operator,
    /// A release is announced.
    #[cfg_attr(not(feature = "nats"), expect(dead_code, reason = "without NATS nothing is announced"))]
    Announced,
}

/// A release that cannot be served.
struct Failure {
    number: u64,
    why: String,
    pause: Duration,
    again: Instant,
}

impl Follower {
    /// Asks without end, and at once when a signal comes.
    pub(super) fn run(mut self, signals: &Receiver<Signal>) {
        let mut next = Instant::now();
        let mut is_announced = false;
        loop {
            let until_swap = self.state.ready.front().map(until_due);
            let until_ask = self.poll.map(|_| next.saturating_duration_since(Instant::now()));
            let wait = until_swap.into_iter().chain(until_ask).min().unwrap_or(Duration::from_hours(1));
            // What was announced while nothing is asked is asked for as soon as that is over.
            let wait = if is_announced && !self.is_quiet() { Duration::ZERO } else { wait };
            let mut is_requested = false;
            for signal in signals.recv_timeout(wait).into_iter().chain(signals.try_iter()) {
                match signal {
                    Signal::Operator => is_requested = true,
                    Signal::Announced => is_announced = true,
                }
            }
            let is_time = self.poll.is_some() && Instant::now() >= next;
            let asks = ((is_time || is_announced) && !self.is_quiet()) || is_requested;
            is_announced &= !asks;
            if is_time || asks {
                next = Instant::now() + self.poll.map(with_jitter).unwrap_or_default();
            }
            // A panic over one release must not prevent the next one from being served.
            if catch_unwind(AssertUnwindSafe(|| self.step(asks))).is_err() {
                self.replacer.refuse(INTERNAL_ERROR.to_owned());
            }
        }
    }

    /// Whether a release is due so soon that nothing is asked.
    fn is_quiet(&self) -> bool {
        self.state.ready.front().is_some_and(|first| until_due(first) < QUIET)
    }

    fn step(&mut self, asks: bool) {
        self.serve_due();
        self.note_accepted();
        if asks {
            self.ask();
            self.serve_due();
        }
    }

    /// Asks the store for newer releases, and prepares the newest.
    fn ask(&mut self) {
        self.state.seen = self.state.seen.max(self.served);
        let newest = match self.newest() {
            Ok(newest) => newest,
            Err(why) => return self.unreachable(why),
        };
        match self.state.behind.clone() {
            Some(why) => self.unreachable(why),
            None => self.reachable(newest.is_none()),
        }
        if let Some((number, file)) = newest {
            (self.state.seen, self.state.failure) = (number, None);
            self.prepare(number, &file);
        } else if let Some(failure) =
            self.state.failure.as_ref().filter(|failure| failure.again <= Instant::now())
        {
            let number = failure.number;
            match find(&self.bucket, number) {
                Ok(Some(file)) => self.prepare(number, &file),
                // It was removed, and the next release may have its number.
                Ok(None) => (self.state.failure, self.state.seen) = (None, number - 1),
                Err(why) => self.unreachable(why),
            }
        }
    }

    /// The newest release after those that were seen.
    fn newest(&mut self) -> Result<Option<(u64, Bytes)>, String> {
        let mut number = self.state.seen;
        if self.state.behind.is_some() || self.state.asks.is_multiple_of(LIST_EVERY) {
            let newest = self.bucket.numbers(0)?.last().copied().unwrap_or_default();
            self.state.behind = (newest < self.served).then(|| {
                let (address, served) = (self.bucket.address(), self.served);
                let found = match newest {
                    0 => format!("{address} has no release"),
                    newest => format!("the newest release in {address} is {newest}"),
                };
                format!(
                    "{found}, and release {served} is served: a mirror that lags, or a store that was made anew; to serve \
                     what is there now, start again with an empty cache folder"
                )
            });
            number = number.max(newest.saturating_sub(1));
        }
        self.state.asks = self.state.asks.wrapping_add(1);
        let mut newest = None;
        for number in number + 1..=number + STEPS {
            let Some(file) = find(&self.bucket, number)? else { break };
            newest = Some((number, file));
        }
        Ok(newest)
    }

    fn prepare(&mut self, number: u64, file: &[u8]) {
        let now = self.replacer.clock.now();
        let release = Release::read(number, file).and_then(|release| release.trusted(&self.keys));
        let prepared = release.and_then(|release| fetch(&self.bucket, release, self.max_bytes, now));
        match prepared {
            Ok(prepared) => {
                let (generation, from) = (&prepared.release.generation, prepared.release.from);
                tracing::info!(release = number, %generation, %from, "a new release is ready");
                self.state.failure = None;
                self.state.ready.truncate(READY - 1);
                self.state.ready.push_back(prepared);
                self.show_next();
            }
            Err(why) => {
                let before = self.state.failure.take();
                let pause = before.as_ref().map_or(self.poll.unwrap_or_default(), |before| before.pause * 2);
                let pause = pause.min(LONGEST_PAUSE);
                if before.is_none_or(|before| before.why != why) {
                    self.replacer.refuse(why.clone());
                }
                let again = Instant::now() + pause;
                self.state.failure = Some(Failure { number, why, pause, again });
            }
        }
    }

    /// Serves the newest release whose time has come.
    fn serve_due(&mut self) {
        let mut due = None;
        while let Some(first) = self.state.ready.pop_front_if(|first| until_due(first).is_zero()) {
            due = Some(first);
        }
        let Some(Prepared { release, snapshot, warnings, packed }) = due else { return };
        let what = format!("release {} of {} is served", release.number, visible::line(&release.by));
        match self.replacer.take(snapshot, &warnings, &what, "publish a corrected release") {
            Ok(Replaced::Served) => self.serves(&release, &packed),
            Ok(Replaced::Held) => self.state.held = Some((release, packed)),
            Err(why) => self.replacer.refuse(why),
        }
        // A newer release may have failed before.
        if let Some(failure) = &self.state.failure {
            self.replacer.vitals.content_refused(failure.why.clone());
        }
        self.show_next();
    }

    /// Notes that an operator has accepted the release that was held.
    fn note_accepted(&mut self) {
        let generation = self.replacer.store.current().directory().generation().clone();
        let is_served = |held: &mut (Release, Bytes)| held.0.generation == generation.as_str();
        if let Some((release, packed)) = self.state.held.take_if(is_served) {
            self.serves(&release, &packed);
        }
    }

    fn serves(&mut self, release: &Release, packed: &[u8]) {
        (self.served, self.is_from_cache, self.state.held) = (release.number, false, None);
        self.replacer.vitals.release_served(release.number, false);
        keep(self.cache.as_ref(), release, packed);
    }

    fn show_next(&self) {
        let next = self.state.ready.front().map(|first| (first.release.number, first.release.from));
        self.replacer.vitals.release_ready(next);
    }

    fn reachable(&mut self, is_newest: bool) {
        if self.state.logged.take().is_some() {
            tracing::info!("the content store answers again");
        }
        self.replacer.vitals.store_answered();
        // What came from the cache is the newest release of the store, too.
        if is_newest && self.is_from_cache && self.state.failure.is_none() && self.state.ready.is_empty() {
            self.is_from_cache = false;
            self.replacer.vitals.release_served(self.served, false);
            self.replacer.vitals.content_taken();
        }
    }

    fn unreachable(&mut self, why: String) {
        if self.state.logged.as_ref() != Some(&why) {
            tracing::error!("the content store gives no new releases, and what is served goes on: {why}");
            self.state.logged = Some(why.clone());
        }
        self.replacer.vitals.store_failed(why);
    }
}

/// Keeps a release for the next start; a failure is logged, and the service goes on.
pub(super) fn keep(cache: Option<&Cache>, release: &Release, packed: &[u8]) {
    if let Some(Err(error)) = cache.map(|cache| cache.keep(release, packed)) {
        tracing::error!("release {} is not kept in the cache: {error}", release.number);
    }
}

/// The time until a release is served. The machine's clock counts, also where `--now` stops the service's.
fn until_due(prepared: &Prepared) -> Duration {
    (prepared.release.from - Clock::system().now()).to_std().unwrap_or_default()
}

/// A tenth more or less, so that replicas that were started together do not ask together.
pub(super) fn with_jitter(poll: Duration) -> Duration {
    let random = RandomState::new().hash_one(0) % 2_001;
    poll.mul_f64(0.9 + f64::from(u32::try_from(random).unwrap_or_default()) / 10_000.0)
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
