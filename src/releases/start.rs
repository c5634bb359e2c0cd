//! Starts a service with the newest release of the store, or with that of the cache while the store is down.

use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use directory::model::Baseline;
use directory::visible;
use tokio::signal::unix::Signal;

use super::cache::Cache;
use super::fetch::{Prepared, Upstream};
use super::follow::{Follower, with_jitter};
use super::past::Past;
use crate::content::Now;
use crate::outcome::{Outcome, Refusal};
use crate::reload::{Logged, on_hangup};
use crate::serve::ServiceRunner;
use crate::state::{Lock, feed_memory, opened};
use replicas::releases::{Bucket, Patience};

pub(crate) fn run(mut runner: ServiceRunner, hangup: Signal, now: &Now) -> Result<Outcome, Refusal> {
    let settings = &runner.settings;
    let address = settings.content.to_string_lossy();
    let bucket = Bucket::open(&address, Patience::Service, runner.threads.clone()).map_err(Refusal::new)?;
    let open = |folder: &Path| Cache::open(folder, &bucket.address, &settings.content_key);
    let cache = opened("cache", settings.content_cache.as_deref().map(open), &runner.vitals)?;
    let folder = runner.settings.state.as_deref();
    let lock = folder.map(|folder| Lock::acquire(folder, runner.settings.reuse_port));
    let lock = opened("state", lock, &runner.vitals)?;
    if let Some(lock) = &lock {
        // Writing a folder that is read-only fails later and is reported then.
        _ = lock.ensure();
        runner.settings.feed.remember_in(&feed_memory(&lock.folder));
    }
    runner.vitals.follows_releases();
    let (max_bytes, keys) = (runner.settings.content_max_bytes as u64, runner.settings.content_key.clone());
    let source = Upstream { bucket, cache, keys, max_bytes, clock: runner.clock };
    let (prepared, refused) = wait_for_content(&source, &runner, runner.settings.content_poll);
    let Prepared { release, snapshot, warnings, packed } = prepared;
    let mut logged = Logged::default();
    logged.log(&warnings);
    drop(warnings);
    let served = runner.fill_with(&snapshot)?;
    let is_from_cache = refused.is_some();
    runner.vitals.release_served(release.number, is_from_cache);
    match refused {
        Some(why) => {
            tracing::error!(release = release.number, "the newest release in the cache is served: {why}");
            runner.vitals.content_refused(why);
            runner.vitals.last_good_served(release.at);
        }
        None => source.keep(&release, &packed, &runner.vitals),
    }
    let by = visible::line(&release.by);
    tracing::info!(release = release.number, generation = release.generation, %by, "following releases");
    let poll = runner.settings.reload.then_some(runner.settings.content_poll);
    let follower = Follower {
        source,
        replacer: runner.replacer(&served, None, logged),
        past: Past::new(&served.store),
        poll,
        served: release.number,
        is_from_cache,
        last: release.number,
        newest: release.number,
        polls: 0,
        failure: None,
        held: None,
        unreachable: None,
    };
    let (requests, asked) = mpsc::channel();
    runner.threads.spawn(on_hangup(hangup, requests, ()));
    thread::spawn(move || follower.run(&asked));
    let options = runner.options();
    runner.serve(&served, options, now)
}

/// Returns the first content, and if it is from the cache, the reason. It asks until there is one; operators see that.
fn wait_for_content(source: &Upstream, runner: &ServiceRunner, poll: Duration) -> (Prepared, Option<String>) {
    let mut logged = None;
    loop {
        let why = match newest_release(source) {
            Ok(prepared) => {
                runner.vitals.releases_answered();
                let kept = if runner.settings.strict { None } else { held_since(source, runner, &prepared) };
                return kept.map_or((prepared, None), |(kept, why)| (kept, Some(why)));
            }
            Err(why) => why,
        };
        runner.vitals.releases_failed(why.clone());
        if !runner.settings.strict
            && let Some(prepared) = source.newest_in_cache()
        {
            return (prepared, Some(why));
        }
        if logged.as_ref() != Some(&why) {
            tracing::error!("there is no content to serve yet; asking the content store again: {why}");
            logged = Some(why);
        }
        thread::sleep(with_jitter(poll.min(Duration::from_mins(1))));
    }
}

/// The release that was served before the restart, if a newer one has lost too much since. The follower holds that one.
fn held_since(source: &Upstream, runner: &ServiceRunner, newer: &Prepared) -> Option<(Prepared, String)> {
    let number = newer.release.number;
    source.cache.as_ref()?.numbers().first().filter(|&&cached| cached != number)?;
    let kept = source.newest_in_cache()?;
    let before = Baseline::new(kept.snapshot.directory());
    let shrunk = runner.settings.content_max_shrink.compare(&before, newer.snapshot.directory()).err()?;
    Some((kept, format!("release {number} is held: {shrunk} since this service last ran")))
}

fn newest_release(source: &Upstream) -> Result<Prepared, String> {
    let numbers = source.bucket.numbers()?;
    let address = &source.bucket.address;
    let Some(&newest) = numbers.last() else {
        return Err(format!(
            "{address} has no release: publish one with `nameplate publish CONTENT {address}`"
        ));
    };
    let cached = source.cache.as_ref().and_then(|cache| cache.numbers().first().copied());
    if let Some(cached) = cached.filter(|&cached| cached > newest) {
        return Err(format!(
            "the newest release in {address} is {newest}, and the cache has release {cached}: the mirror lags, or the \
             store was recreated. To serve what is there now, empty the cache folder"
        ));
    }
    match source.newest(&numbers) {
        (Some(prepared), Ok(())) => Ok(prepared),
        (Some(prepared), Err(why)) => {
            tracing::error!("a release was skipped at startup: {why}");
            Ok(prepared)
        }
        (None, refused) => Err(refused.err().unwrap_or_default()),
    }
}
