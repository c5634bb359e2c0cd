//! Starts a service that follows releases: with the newest of the store, or with that of the cache while the store is
//! down.

use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use directory::visible;
use live::Clock;
use tokio::signal::unix::Signal as SystemSignal;

use super::bucket::{Bucket, Patience};
use super::cache::Cache;
use super::fetch::{Found, Prepared, check, fetch, find};
use super::follow::{Follower, Signal, State, keep, with_jitter};
use super::release::Release;
use crate::args::Now;
use crate::outcome::{Outcome, Refusal};
use crate::reload::{log_warnings, on_hangup};
use crate::serve::ServiceRunner;
use crate::settings::ContentStore;
use crate::state::{Lock, feed_memory, opened};

/// The most releases that are tried at a start, from the newest down.
const TRIED: usize = 5;
/// The shortest time between two announcements that are handled. Of those between them, only the last one counts.
#[cfg(feature = "nats")]
const ANNOUNCED: Duration = Duration::from_secs(1);

/// Serves the releases of a store.
///
/// # Errors
/// A setting is wrong.
pub(crate) fn run(
    mut runner: ServiceRunner,
    settings: &ContentStore,
    hangup: SystemSignal,
    now: &Now,
) -> Result<Outcome, Refusal> {
    let bucket = Bucket::open(&settings.address, Patience::Service, runner.threads.clone())?;
    let open = |folder: &Path| Cache::open(folder, bucket.address(), &settings.keys);
    let cache = opened("cache", settings.cache.as_deref().map(open), &runner.vitals)?;
    let folder = runner.settings.state.as_deref();
    let lock = folder.map(|folder| Lock::of(folder, runner.settings.reuse_port));
    let lock = opened("state", lock, &runner.vitals)?;
    if let Some(lock) = &lock {
        runner.settings.feed.remember_in(&feed_memory(&lock.folder));
    }
    runner.vitals.follows_releases();
    let start = Start { bucket: &bucket, cache: cache.as_ref(), settings, clock: runner.clock };
    let (prepared, refused) = start.wait_for_content(&runner);
    let Prepared { release, snapshot, warnings, packed } = prepared;
    log_warnings(&warnings);
    drop(warnings);
    let served = runner.fill_with(&snapshot)?;
    let is_from_cache = refused.is_some();
    runner.vitals.release_served(release.number, is_from_cache);
    match refused {
        Some(why) => {
            tracing::error!(
                release = release.number,
                "the content store gives no content; the newest release in the cache is served: {why}"
            );
            runner.vitals.last_good_served(why, release.at);
        }
        None => keep(cache.as_ref(), &runner.vitals, &release, &packed),
    }
    let by = visible::line(&release.by);
    tracing::info!(release = release.number, generation = release.generation, %by, "following releases");
    let follower = Follower {
        bucket,
        cache,
        replacer: runner.replacer(&served, None),
        poll: runner.settings.reload.then_some(settings.poll),
        max_bytes: settings.max_bytes,
        keys: settings.keys.clone(),
        served: release.number,
        is_from_cache,
        state: State::after(release.number),
    };
    let (requests, signals) = mpsc::channel();
    #[cfg(feature = "nats")]
    if let Some(announced) = served.announced_content().filter(|_| runner.settings.reload) {
        runner.threads.spawn(on_announcement(announced, requests.clone()));
    }
    runner.threads.spawn(on_hangup(hangup, requests, Signal::Operator));
    thread::spawn(move || follower.run(&signals));
    let mut options = runner.options();
    if let Some(site) = &runner.settings.site {
        options = options.with_site(site.clone());
    }
    runner.serve(&served, options, now)
}

/// Asks the store whenever a release is announced in the bucket of the feed.
#[cfg(feature = "nats")]
async fn on_announcement(
    mut announced: tokio::sync::watch::Receiver<Option<u64>>,
    requests: mpsc::Sender<Signal>,
) {
    // One that came while the service started may be newer than what was read at the start.
    announced.mark_changed();
    // An error means that the feed has ended.
    while announced.changed().await.is_ok() {
        let Some(release) = *announced.borrow_and_update() else { continue };
        if requests.send(Signal::Announced(release)).is_err() {
            break;
        }
        tokio::time::sleep(ANNOUNCED).await;
    }
}

/// What a start needs to find content.
struct Start<'a> {
    bucket: &'a Bucket,
    cache: Option<&'a Cache>,
    settings: &'a ContentStore,
    clock: Clock,
}

impl Start<'_> {
    /// Returns the first content, and if it is from the cache, the reason. Without any content it keeps asking;
    /// meanwhile operators see that the service is not ready.
    fn wait_for_content(&self, runner: &ServiceRunner) -> (Prepared, Option<String>) {
        let mut logged = None;
        loop {
            let why = match self.newest_in_store() {
                Ok(prepared) => {
                    runner.vitals.store_answered();
                    return (prepared, None);
                }
                Err(why) => why,
            };
            runner.vitals.store_failed(why.clone());
            if let Some(prepared) =
                self.cache.filter(|_| !runner.settings.strict).and_then(|cache| self.newest_in_cache(cache))
            {
                return (prepared, Some(why));
            }
            if logged.as_ref() != Some(&why) {
                tracing::error!(
                    "there is no content to serve yet, and the content store is asked again: {why}"
                );
                logged = Some(why);
            }
            thread::sleep(with_jitter(self.settings.poll.min(Duration::from_mins(1))));
        }
    }

    /// The newest release of the store whose time has come and that can be served.
    fn newest_in_store(&self) -> Result<Prepared, String> {
        let numbers = self.bucket.numbers(0)?;
        let address = self.bucket.address();
        let Some(&newest) = numbers.last() else {
            return Err(format!(
                "{address} has no release: publish one with nameplate publish CONTENT {address}"
            ));
        };
        if let Some(cached) =
            self.cache.and_then(|cache| cache.numbers().first().copied()).filter(|&cached| cached > newest)
        {
            return Err(format!(
                "the newest release in {address} is {newest}, and the cache has release {cached}: a mirror that lags, or a \
                 store that was made anew; to serve what is there now, empty the cache folder"
            ));
        }
        let (mut refused, mut failed) = (None, 0);
        for number in numbers.into_iter().rev() {
            let release = self.release(number);
            if let Ok(Release { from, .. }) = &release
                && *from > Clock::system().now()
            {
                refused.get_or_insert_with(|| format!("release {number} is served from {from} on"));
                continue;
            }
            match release.and_then(|release| self.prepare(release)) {
                Ok(prepared) => return Ok(prepared),
                Err(why) => {
                    tracing::error!("a release is passed over at the start: {why}");
                    refused.get_or_insert(why);
                    failed += 1;
                }
            }
            if failed == TRIED {
                break;
            }
        }
        Err(refused.unwrap_or_default())
    }

    fn release(&self, number: u64) -> Result<Release, String> {
        match find(self.bucket, number)? {
            Found::Release(release) => release.trusted(&self.settings.keys),
            Found::Refused(why) => Err(why),
            Found::None => Err(format!("release {number} was removed meanwhile")),
        }
    }

    /// Takes the bundle from the cache if it has it.
    fn prepare(&self, release: Release) -> Result<Prepared, String> {
        let now = self.clock.now();
        let cached = self.cache.and_then(|cache| cache.read(release.number).ok());
        if let Some((_, packed)) = cached.filter(|(cached, _)| *cached == release)
            && let Ok(prepared) = check(release.clone(), packed, now)
        {
            return Ok(prepared);
        }
        fetch(self.bucket, release, self.settings.max_bytes, now)
    }

    /// The newest release of the cache.
    fn newest_in_cache(&self, cache: &Cache) -> Option<Prepared> {
        cache.numbers().into_iter().find_map(|number| {
            let read = cache.read(number);
            let checked = read.and_then(|(release, packed)| check(release, packed, self.clock.now()));
            checked.map_err(|why| tracing::error!("a release in the cache is not served: {why}")).ok()
        })
    }
}

#[cfg(all(test, feature = "nats"))]
mod tests {
    use tokio::sync::watch;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn of_many_announcements_one_is_heard_each_second_and_the_last_one_always() {
        let (announce, announced) = watch::channel(Some(1));
        let (requests, signals) = mpsc::channel();
        let task = tokio::spawn(on_announcement(announced, requests));
        for number in 2..=250 {
            tokio::time::sleep(Duration::from_millis(10)).await;
            announce.send_replace(Some(number));
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
        let heard: Vec<_> = signals.try_iter().collect();
        assert_eq!(heard.first(), Some(&Signal::Announced(1)), "the one that came while the service started");
        assert_eq!(heard.last(), Some(&Signal::Announced(250)));
        assert_eq!(heard.len(), 4, "2.5 seconds: {heard:?}");
        announce.send_replace(None);
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert!(signals.try_recv().is_err(), "no release is announced");
        drop(announce);
        task.await.unwrap();
    }
}
