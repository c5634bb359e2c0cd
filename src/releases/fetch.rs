//! Fetches a release and checks it, before anything of it is served.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use directory::Snapshot;
use directory::changes::Contents;
use directory::content::{Report, load_and_check_entries_beside_feed};
use feed::Clock;
use live::Vitals;

use super::cache::Cache;
use replicas::PublicKey;
use replicas::releases::{Bucket, LARGEST_RELEASE, Object, Release, sha256, unpack};

/// The most releases that are tried, from the newest down.
const TRIED: usize = 5;

pub(super) struct Upstream {
    pub(super) bucket: Bucket,
    pub(super) cache: Option<Cache>,
    pub(super) keys: Vec<PublicKey>,
    pub(super) max_bytes: u64,
    pub(super) clock: Clock,
}

pub(crate) struct Prepared {
    pub(crate) release: Release,
    pub(crate) snapshot: Snapshot,
    pub(crate) warnings: Report,
    pub(crate) packed: Bytes,
}

pub(crate) enum Found {
    None,
    Release(Release),
    Refused(String),
}

pub(crate) fn find(bucket: &Bucket, number: u64) -> Result<Found, String> {
    let read = match bucket.get(&Release::file(number), LARGEST_RELEASE)? {
        Object::None => return Ok(Found::None),
        Object::Bytes(file) => Release::read(number, &file),
        Object::TooLarge => {
            Err(Release::refused(number, &format!("it is larger than {LARGEST_RELEASE} bytes")))
        }
    };
    Ok(read.map_or_else(Found::Refused, Found::Release))
}

impl Upstream {
    /// The newest of these releases that can be served. `Err`: why the newest of all cannot.
    pub(super) fn newest(&self, numbers: &[u64]) -> (Option<Prepared>, Result<(), String>) {
        let mut refused = Ok(());
        for &number in numbers.iter().rev().take(TRIED) {
            match self.prepare(number) {
                Ok(Ok(prepared)) => return (Some(prepared), refused),
                Ok(Err(why)) | Err(why) => refused = refused.and(Err(why)),
            }
        }
        (None, refused)
    }

    /// What a release has; `None` if it cannot be served. `Err`: the store does not answer.
    pub(super) fn contents(&self, number: u64) -> Result<Option<Contents>, String> {
        Ok(self.prepare(number)?.ok().map(|prepared| Contents::of(&prepared.snapshot)))
    }

    /// The outer error: the store does not answer.
    fn prepare(&self, number: u64) -> Result<Result<Prepared, String>, String> {
        Ok(match find(&self.bucket, number)? {
            Found::Release(release) => match release.trusted(&self.keys) {
                Ok(release) => self.prepare_trusted(release)?,
                Err(why) => Err(why),
            },
            Found::Refused(why) => Err(why),
            Found::None => Err(format!("release {number} was removed in the meantime")),
        })
    }

    fn prepare_trusted(&self, release: Release) -> Result<Result<Prepared, String>, String> {
        let number = release.number;
        let now = self.clock.now();
        let cached = self.cache.as_ref().and_then(|cache| cache.read(number).ok());
        if let Some((_, packed)) = cached.filter(|(cached, _)| *cached == release)
            && let Ok(prepared) = check(release.clone(), packed, now)
        {
            return Ok(Ok(prepared));
        }
        if release.unpacked.max(release.bytes) > self.max_bytes {
            return Ok(Err(format!(
                "release {number} expands to {} bytes, more than content-max-bytes allows: {}; raise it, and the memory of \
                 the service by twice as much",
                release.unpacked, self.max_bytes
            )));
        }
        let name = release.bundle();
        Ok(match self.bucket.get(&name, self.max_bytes)? {
            Object::Bytes(packed) => check(release, packed, now),
            Object::None => Err(format!("release {number} names {name}, which isn't in the store")),
            Object::TooLarge => Err(is_another(&release)),
        })
    }

    pub(super) fn newest_in_cache(&self) -> Option<Prepared> {
        let cache = self.cache.as_ref()?;
        cache.numbers().into_iter().find_map(|number| {
            let read = cache.read(number);
            let checked = read.and_then(|(release, packed)| check(release, packed, self.clock.now()));
            checked.map_err(|why| tracing::error!("a release in the cache isn't served: {why}")).ok()
        })
    }

    pub(super) fn keep(&self, release: &Release, packed: &[u8], vitals: &Vitals) {
        if let Some(kept) = self.cache.as_ref().map(|cache| cache.keep(release, packed)) {
            let failed = kept
                .err()
                .map(|error| format!("release {} isn't kept in the cache: {error}", release.number));
            vitals.state_kept("cache", failed);
        }
    }
}

fn is_another(release: &Release) -> String {
    let (number, name) = (release.number, release.bundle());
    format!(
        "release {number}: {name} isn't the bundle that was published: its size or SHA-256 differs; publish the \
         content again"
    )
}

pub(crate) fn check(release: Release, packed: Bytes, now: DateTime<Utc>) -> Result<Prepared, String> {
    let (number, name) = (release.number, release.bundle());
    let is_whole = packed.len() as u64 == release.bytes && sha256(&packed) == release.sha256;
    if !is_whole {
        return Err(is_another(&release));
    }
    let entries =
        unpack(&packed, release.unpacked).map_err(|why| format!("release {number}: {name}: {why}"))?;
    let checked = load_and_check_entries_beside_feed(entries, now.date_naive())
        .map_err(|error| format!("release {number} has errors\n{}", error.drawn()))?;
    let generation = checked.directory.generation();
    if generation.as_str() != release.generation {
        return Err(format!(
            "release {number} says that its generation is {}, and its bundle has {generation}: publish the content again \
             with the version of nameplate that the replicas run",
            release.generation
        ));
    }
    Ok(Prepared { release, snapshot: Snapshot::new(checked.directory), warnings: checked.warnings, packed })
}
