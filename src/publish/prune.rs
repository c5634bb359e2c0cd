//! Removes old releases, and bundles that no release names.

use std::collections::BTreeSet;
use std::io::{self, Write as _};

use chrono::{DateTime, TimeDelta, Utc};

use super::list::releases;
use crate::outcome::Refusal;
use crate::releases::{Bucket, Release};

/// The releases that always stay.
const LEAST: usize = 3;
/// What is younger stays: a service may be about to fetch it, and a publisher to name it.
const YOUNG: TimeDelta = TimeDelta::days(1);

/// Keeps the newest releases, and removes the others.
///
/// # Errors
/// The store does not answer, or refuses.
pub(super) fn prune(bucket: &Bucket, keep: u32, now: DateTime<Utc>) -> Result<(), Refusal> {
    let keep = usize::try_from(keep).unwrap_or(usize::MAX).max(LEAST);
    let (mut removed, mut bundles) = (0, 0);
    let all = releases(bucket)?;
    if all.len() != bucket.numbers(0).map_err(Refusal::new)?.len() {
        let what = "a file below releases/ cannot be read as a release, so nothing is removed: remove that file first";
        return Err(Refusal::new(what));
    }
    for release in all.iter().skip(keep).filter(|release| release.at < now - YOUNG) {
        bucket.delete(&Release::file(release.number)).map_err(Refusal::new)?;
        removed += 1;
    }
    // Listed first: a release that is published meanwhile names a bundle that is young.
    let old: Vec<String> = bucket
        .names("bundles")
        .map_err(Refusal::new)?
        .into_iter()
        .filter(|(_, written)| *written < now - YOUNG)
        .map(|(name, _)| format!("bundles/{name}"))
        .collect();
    let named: BTreeSet<String> = releases(bucket)?.iter().map(Release::bundle).collect();
    for name in old.iter().filter(|name| !named.contains(*name)) {
        bucket.delete(name).map_err(Refusal::new)?;
        bundles += 1;
    }
    writeln!(io::stdout().lock(), "removed {removed} old releases and {bundles} bundles")?;
    Ok(())
}
