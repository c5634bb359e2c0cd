//! Fetches a release and checks it, before anything of it is served.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use directory::Snapshot;
use directory::content::{Report, load_and_check_entries};

use super::bucket::{Bucket, LARGEST_RELEASE, Object};
use super::bundle::{sha256, unpack};
use super::release::Release;
use crate::content::drawn;

/// A release that is ready to be served.
pub(crate) struct Prepared {
    pub(crate) release: Release,
    pub(crate) snapshot: Snapshot,
    pub(crate) warnings: Report,
    /// The bundle.
    pub(crate) packed: Bytes,
}

/// What the store has as the release with a number.
pub(crate) enum Found {
    None,
    Release(Release),
    /// Its file is not that of a release: why.
    Refused(String),
}

/// Reads the file of a release.
///
/// # Errors
/// The store does not answer.
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

/// Fetches the bundle of a release and checks it.
///
/// # Errors
/// Why the release cannot be served.
pub(super) fn fetch(
    bucket: &Bucket,
    release: Release,
    max_bytes: u64,
    now: DateTime<Utc>,
) -> Result<Prepared, String> {
    let number = release.number;
    if release.unpacked.max(release.bytes) > max_bytes {
        return Err(format!(
            "release {number} expands to {} bytes, more than content-max-bytes allows: {max_bytes}; raise it, and the \
             memory of the service by twice as much",
            release.unpacked
        ));
    }
    let name = release.bundle();
    match bucket.get(&name, max_bytes)? {
        Object::Bytes(packed) => check(release, packed, now),
        Object::None => Err(format!("release {number} names {name}, which is not in the store")),
        Object::TooLarge => Err(is_another(&release)),
    }
}

fn is_another(release: &Release) -> String {
    let (number, name) = (release.number, release.bundle());
    format!(
        "release {number}: {name} is not the bundle that was published: its size or its SHA-256 differs; publish the \
         content again"
    )
}

/// Checks a release and its bundle: the hash, the content, and that the content's generation is the release's.
///
/// # Errors
/// Why the release cannot be served.
pub(crate) fn check(release: Release, packed: Bytes, now: DateTime<Utc>) -> Result<Prepared, String> {
    let (number, name) = (release.number, release.bundle());
    let is_whole = packed.len() as u64 == release.bytes && sha256(&packed) == release.sha256;
    if !is_whole {
        return Err(is_another(&release));
    }
    let entries =
        unpack(&packed, release.unpacked).map_err(|why| format!("release {number}: {name}: {why}"))?;
    let checked = load_and_check_entries(entries, now.date_naive())
        .map_err(|error| format!("release {number} has errors\n{}", drawn(&error)))?;
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
