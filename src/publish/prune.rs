//! Removes old releases, and bundles that no release names.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use directory::visible;

use super::list::Releases;
use crate::outcome::Refusal;
use crate::terminal::notes;
use replicas::releases::{Bucket, Release};

/// The releases that always stay.
const LEAST: usize = 3;
/// Releases and bundles that are younger stay: a service may be about to fetch them, and a publisher to name them.
const YOUNG: TimeDelta = TimeDelta::days(1);

pub(super) fn prune(bucket: &Bucket, keep: u32, now: DateTime<Utc>) -> Result<(), Refusal> {
    let keep = usize::try_from(keep).unwrap_or(usize::MAX).max(LEAST);
    let (mut removed, mut bundles) = (0, 0);
    for release in all(bucket)?.iter().skip(keep).filter(|release| release.at < now - YOUNG) {
        bucket.delete(&Release::file(release.number)).map_err(Refusal::new)?;
        removed += 1;
    }
    // Listed first: a release that is published in the meantime names a bundle that is young.
    let old = bucket.names("bundles").map_err(Refusal::new)?.into_iter();
    let old = old.filter(|(_, written)| *written < now - YOUNG);
    let old: Vec<String> = old.map(|(name, _)| format!("bundles/{name}")).collect();
    let named: BTreeSet<String> = all(bucket)?.iter().map(Release::bundle).collect();
    for name in old.iter().filter(|name| !named.contains(*name)) {
        bucket.delete(name).map_err(Refusal::new)?;
        bundles += 1;
    }
    writeln!(notes(), "removed {removed} old releases and {bundles} bundles")?;
    Ok(())
}

/// Removes from a bucket that is a folder what killed publishers have left there, once it is old. `object_store` writes an
/// object as `NAME#1` next to its place, and neither lists nor removes such a file.
#[expect(clippy::disallowed_methods, reason = "the store's library cannot remove them")]
pub(super) fn sweep(bucket: &Path, now: DateTime<Utc>) {
    for folder in ["bundles", "releases", "probes"] {
        for entry in std::fs::read_dir(bucket.join(folder)).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.rsplit_once('#')).map(|(_, number)| number);
            let is_left = number.is_some_and(|number| number.parse::<u64>().is_ok());
            let written = entry.metadata().and_then(|found| found.modified());
            if is_left && written.is_ok_and(|written| DateTime::<Utc>::from(written) < now - YOUNG) {
                // One that stays is tried again by the next publisher.
                _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

fn all(bucket: &Bucket) -> Result<Vec<Release>, Refusal> {
    let Releases { read, refused } = Releases::read_all(bucket)?;
    match refused.first() {
        None => Ok(read),
        Some(why) => Err(Refusal::new(format!(
            "{}; nothing more is removed while it is there: remove that file, and use --keep again",
            visible::line(why)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use replicas::releases::Patience;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test leaves files as a killed publisher does")]
    fn what_killed_publishers_have_left_in_a_folder_is_removed_once_it_is_old() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let address = format!("file://{}/a store", folder.path().display());
        let bucket = Bucket::open(&address, Patience::Command, runtime.handle().clone()).unwrap();
        assert_eq!(bucket.create("bundles/ab.tar.gz", Bytes::from_static(b"whole")), Ok(true));
        let bundles = bucket.folder.as_deref().unwrap().join("bundles");
        let now = Utc::now();
        for (name, days) in
            [("ab.tar.gz#1", 2), ("cd.tar.gz#12", 2), ("ef.tar.gz#1", 0), ("mine#x", 2), ("ab.tar.gz", 2)]
        {
            let file =
                std::fs::OpenOptions::new().create(true).append(true).open(bundles.join(name)).unwrap();
            file.set_modified((now - TimeDelta::days(days)).into()).unwrap();
        }
        sweep(bucket.folder.as_deref().unwrap(), now);
        let mut left: Vec<_> =
            std::fs::read_dir(&bundles).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["ab.tar.gz", "ef.tar.gz#1", "mine#x"]);
    }
}
