//! Follows the releases of a running service: asks for the next number, fetches and checks ahead, and serves it at its
//! time.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use directory::visible;
use live::{Clock, Vitals};

use super::bucket::Bucket;
use super::cache::Cache;
use super::fetch::{Found, Prepared, fetch, find};
use super::release::Release;
use super::schedule::Schedule;
use crate::reload::{INTERNAL_ERROR, Replaced, Replacer};
use crate::signature::PublicKey;

/// The number of polls between two listings of all releases. A poll asks for the next number only, which
/// `publish --keep` may have removed.
const LIST_EVERY: u32 = 60;
/// The most releases that one look finds by asking for one number after the other.
const STEPS: u64 = 1_000;
/// The most releases that are kept ready.
const READY: usize = 2;
/// The most releases that may fail before the store is left alone until the next poll.
const TRIED: usize = 5;
/// How long before a release is due nothing is asked, so that a slow answer does not delay it.
const QUIET: Duration = Duration::from_secs(15);
/// The longest pause before a release that failed is fetched again.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

pub(super) struct Follower {
    pub(super) bucket: Bucket,
    pub(super) cache: Option<Cache>,
    pub(super) replacer: Replacer,
    /// The time between two polls; `None`: the store is asked only when an operator requests it.
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
pub(super) struct State {
    schedule: Schedule,
    asks: u32,
    /// Releases that are checked, by their numbers.
    ready: BTreeMap<u64, Prepared>,
    /// Releases that cannot be served, by their numbers.
    failures: BTreeMap<u64, Failure>,
    /// A release that is held back until an operator accepts it.
    held: Option<(Release, Bytes)>,
    /// Why the releases of the store are older than the one that is served.
    behind: Option<String>,
    /// The last reason that was logged.
    logged: Option<String>,
}

impl State {
    pub(super) fn after(served: u64) -> Self {
        Self {
            schedule: Schedule::after(served),
            asks: 0,
            ready: BTreeMap::new(),
            failures: BTreeMap::new(),
            held: None,
            behind: None,
            logged: None,
        }
    }

    /// The next release to serve of those that are ready, and the time until then.
    fn next(&self) -> Option<(&Prepared, Duration)> {
        let now = now();
        let next = self.schedule.plan(now).into_iter().find_map(|release| self.ready.get(&release.number))?;
        Some((next, (next.release.from - now).to_std().unwrap_or_default()))
    }
}

/// Why the store is asked before the next poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// An operator asks for it.
    Operator,
    /// The release with this number is announced.
    #[cfg_attr(not(feature = "nats"), expect(dead_code, reason = "without NATS nothing is announced"))]
    Announced(u64),
}

/// A release that cannot be served.
struct Failure {
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
            let until_swap = self.state.next().map(|(_, until)| until);
            let until_ask = self.poll.map(|_| next.saturating_duration_since(Instant::now()));
            let wait = until_swap.into_iter().chain(until_ask).min().unwrap_or(Duration::from_hours(1));
            // An announcement that arrives in the quiet time is handled when the quiet time ends.
            let wait = if is_announced && !self.is_quiet() { Duration::ZERO } else { wait };
            let mut is_requested = false;
            for signal in signals.recv_timeout(wait).into_iter().chain(signals.try_iter()) {
                match signal {
                    Signal::Operator => is_requested = true,
                    Signal::Announced(release) if self.state.schedule.is_news(release) => {
                        tracing::info!(release, "a release is announced: the content store is asked for it");
                        is_announced = true;
                    }
                    Signal::Announced(_) => {}
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
        self.state.next().is_some_and(|(_, until)| until < QUIET)
    }

    fn step(&mut self, asks: bool) {
        self.serve_due();
        self.note_accepted();
        if asks {
            self.ask();
            self.serve_due();
        }
    }

    /// Asks the store for newer releases, and prepares the next ones.
    fn ask(&mut self) {
        if let Err(why) = self.look() {
            return self.unreachable(why);
        }
        match self.state.behind.clone() {
            Some(why) => self.unreachable(why),
            None => self.reachable(),
        }
        if let Err(why) = self.prepare() {
            self.unreachable(why);
        }
        let planned: Vec<u64> =
            self.state.schedule.plan(now()).iter().take(READY).map(|release| release.number).collect();
        self.state.ready.retain(|number, _| planned.contains(number));
        self.show_next();
    }

    /// Finds the releases after those that are known.
    fn look(&mut self) -> Result<(), String> {
        if self.state.behind.is_some() || self.state.asks.is_multiple_of(LIST_EVERY) {
            let numbers = self.bucket.numbers(0)?;
            let newest = numbers.last().copied().unwrap_or_default();
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
            self.state.schedule.list(&numbers, self.served);
            let is_there = |number: &u64| numbers.binary_search(number).is_ok();
            self.state.failures.retain(|number, _| is_there(number));
        }
        self.state.asks = self.state.asks.wrapping_add(1);
        for _ in 0..STEPS {
            let Some(number) = self.state.schedule.next_number() else { break };
            if !self.read(number)? {
                break;
            }
        }
        let mut failures = self.state.failures.iter().rev();
        if let Some((&number, _)) = failures.find(|(_, failure)| failure.again <= Instant::now()) {
            self.state.schedule.read_again(number);
        }
        Ok(())
    }

    /// Reads the file of a release; `false` if there is none.
    ///
    /// # Errors
    /// The store does not answer.
    fn read(&mut self, number: u64) -> Result<bool, String> {
        let release = match find(&self.bucket, number)? {
            Found::None => return Ok(false),
            Found::Release(release) => release.trusted(&self.keys),
            Found::Refused(why) => Err(why),
        };
        match release {
            Ok(release) => self.state.schedule.has_read(release),
            Err(why) => self.fail(number, why),
        }
        Ok(true)
    }

    /// Fetches and checks the releases to serve next, and serves what is due. If a release fails, a lower number is
    /// tried.
    fn prepare(&mut self) -> Result<(), String> {
        let mut tried = 0;
        while tried < TRIED {
            while let Some(number) = self.state.schedule.unread(now()) {
                if !self.read(number)? {
                    // It was removed, and the next release may have its number.
                    self.state.schedule.is_removed(number);
                    self.state.failures.remove(&number);
                }
            }
            let plan = self.state.schedule.plan(now());
            let mut planned = plan.into_iter().take(READY);
            let Some(release) = planned.find(|release| !self.state.ready.contains_key(&release.number))
            else {
                break;
            };
            let (number, release) = (release.number, release.clone());
            match fetch(&self.bucket, release, self.max_bytes, self.replacer.clock.now()) {
                Ok(prepared) => {
                    let (generation, from) = (&prepared.release.generation, prepared.release.from);
                    tracing::info!(release = number, %generation, %from, "a new release is ready");
                    self.state.failures.remove(&number);
                    self.state.ready.insert(number, prepared);
                    self.serve_due();
                }
                Err(why) => {
                    self.fail(number, why);
                    tried += 1;
                }
            }
        }
        Ok(())
    }

    /// Notes that a release cannot be served. It is read again after a pause.
    fn fail(&mut self, number: u64, why: String) {
        let before = self.state.failures.remove(&number);
        let pause = before.as_ref().map_or(self.poll.unwrap_or_default(), |before| before.pause * 2);
        let pause = pause.min(LONGEST_PAUSE);
        if before.is_none_or(|before| before.why != why) {
            self.replacer.refuse(why.clone());
        }
        self.state.schedule.has_failed(number);
        self.state.failures.insert(number, Failure { why, pause, again: Instant::now() + pause });
    }

    /// Serves the newest release whose time has come.
    fn serve_due(&mut self) {
        let due = self.state.next().filter(|(_, until)| until.is_zero()).map(|(due, _)| due.release.number);
        let Some(number) = due else { return };
        let Some(Prepared { release, snapshot, warnings, packed }) = self.state.ready.remove(&number) else {
            return;
        };
        self.state.schedule.has_served(number);
        self.state.ready.retain(|&ready, _| ready > number);
        self.state.failures.retain(|&failed, _| failed > number);
        let what = format!("release {number} of {} is served", visible::line(&release.by));
        match self.replacer.take(snapshot, &warnings, &what, "publish a corrected release") {
            Ok(Replaced::Served) => self.serves(&release, &packed),
            Ok(Replaced::Held) => self.state.held = Some((release, packed)),
            Err(why) => self.replacer.refuse(why),
        }
        // A newer release may have failed before.
        if let Some((_, failure)) = self.state.failures.last_key_value() {
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
        keep(self.cache.as_ref(), &self.replacer.vitals, release, packed);
    }

    fn show_next(&self) {
        let next = self.state.next().map(|(next, _)| (next.release.number, next.release.from));
        self.replacer.vitals.release_ready(next);
    }

    fn reachable(&mut self) {
        if self.state.logged.take().is_some() {
            tracing::info!("the content store answers again");
        }
        self.replacer.vitals.store_answered();
        // What came from the cache is the newest release of the store, too.
        if self.is_from_cache && self.state.schedule.is_empty() && self.state.held.is_none() {
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
pub(super) fn keep(cache: Option<&Cache>, vitals: &Vitals, release: &Release, packed: &[u8]) {
    if let Some(kept) = cache.map(|cache| cache.keep(release, packed)) {
        let failed =
            kept.err().map(|error| format!("release {} is not kept in the cache: {error}", release.number));
        vitals.state_kept("cache", failed);
    }
}

/// The time that decides what is due: that of the machine, also where `--now` stops the service's.
fn now() -> DateTime<Utc> {
    Clock::system().now()
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
