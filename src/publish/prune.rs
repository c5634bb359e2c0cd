//! Removes old releases, and bundles that no release names.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use directory::visible;

use super::LARGEST;
use super::list::Releases;
use crate::outcome::Refusal;
use crate::releases::{Bucket, Found, Object, Release, find};

/// The releases that always stay.
const LEAST: usize = 3;
/// Releases and bundles that are younger stay: a service may be about to fetch them, and a publisher to name them.
const YOUNG: TimeDelta = TimeDelta::days(1);

/// Keeps the newest releases, and removes the others.
///
/// # Errors
/// The store does not answer, or refuses.
pub(super) fn prune(bucket: &Bucket, keep: u32, now: DateTime<Utc>) -> Result<(), Refusal> {
    let keep = usize::try_from(keep).unwrap_or(usize::MAX).max(LEAST);
    let (mut removed, mut bundles) = (0, 0);
    for number in removable(&all(bucket)?, keep, now) {
        bucket.delete(&Release::file(number)).map_err(Refusal::new)?;
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
    let releases = all(bucket)?;
    let newest = releases.first().map_or(0, |release| release.number);
    let named: BTreeSet<String> = releases.iter().map(Release::bundle).collect();
    for name in old.iter().filter(|name| !named.contains(*name)) {
        bundles += usize::from(remove_bundle(bucket, name, newest).map_err(Refusal::new)?);
    }
    writeln!(io::stdout().lock(), "removed {removed} old releases and {bundles} bundles")?;
    Ok(())
}

/// Removes a bundle that no release up to `newest` names; returns whether it is removed. A rollback may name it at the
/// same moment: it finds the bundle gone and puts it again, or its release is there by now and this puts it back. It is
/// also put back if the store no longer answers.
fn remove_bundle(bucket: &Bucket, name: &str, newest: u64) -> Result<bool, String> {
    let Object::Bytes(bundle) = bucket.get(name, LARGEST)? else { return Ok(false) };
    bucket.delete(name)?;
    let is_named = is_named_after(bucket, name, newest);
    if is_named == Ok(false) {
        return Ok(true);
    }
    bucket.put(name, bundle)?;
    is_named.map(|_| false)
}

/// Whether a release after `newest` may name a bundle.
fn is_named_after(bucket: &Bucket, name: &str, newest: u64) -> Result<bool, String> {
    for number in bucket.numbers(newest)? {
        let may_name_it = match find(bucket, number)? {
            Found::Release(release) => release.bundle() == name,
            Found::Refused(_) => true,
            Found::None => false,
        };
        if may_name_it {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes from a store that is a folder what killed publishers have left there, once it is old. `object_store` writes an
/// object as `NAME#1` beside its place, and neither lists nor removes such a file.
#[expect(clippy::disallowed_methods, reason = "the store's library cannot remove them")]
pub(super) fn sweep(store: &Path, now: DateTime<Utc>) {
    for folder in ["bundles", "releases", "probes"] {
        for entry in std::fs::read_dir(store.join(folder)).into_iter().flatten().flatten() {
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

/// All releases, the newest first.
///
/// # Errors
/// The store does not answer, or a file is not that of a release: it may have named a bundle.
fn all(bucket: &Bucket) -> Result<Vec<Release>, Refusal> {
    let Releases { read, refused } = Releases::of(bucket)?;
    match refused.first() {
        None => Ok(read),
        Some(why) => Err(Refusal::new(format!(
            "{}; nothing more is removed while it is there: remove that file, and use --keep again",
            visible::line(why)
        ))),
    }
}

/// The numbers of the releases in `all`, the newest first, that may be removed. The release that is served now and the
/// scheduled ones stay.
fn removable(all: &[Release], keep: usize, now: DateTime<Utc>) -> Vec<u64> {
    let Some(served) = all.iter().position(|release| release.from <= now) else { return Vec::new() };
    let old = all.iter().skip(keep.max(served + 1)).filter(|release| release.at < now - YOUNG);
    old.map(|release| release.number).collect()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::releases::Patience;

    fn old_release(now: DateTime<Utc>) -> Release {
        Release {
            number: 1,
            generation: "0123456789abcdef".to_owned(),
            sha256: "ab".repeat(32),
            bytes: 1,
            unpacked: 1,
            from: now - TimeDelta::days(9),
            previous: None,
            by: "ann".to_owned(),
            at: now - TimeDelta::days(2),
            signed: None,
        }
    }

    #[test]
    fn the_release_that_is_served_stays_though_all_newer_ones_are_scheduled() {
        let now = "2026-11-26T09:00:00Z".parse().unwrap();
        let from = |number| if number > 3 { now + TimeDelta::days(9) } else { now - TimeDelta::days(9) };
        let release = |number| Release { number, from: from(number), ..old_release(now) };
        let all: Vec<Release> = [7, 6, 5, 4, 3, 2, 1].map(release).into();
        assert_eq!(removable(&all, 3, now), [2, 1]);
        assert_eq!(removable(&all, 6, now), [1]);
        assert_eq!(removable(&all[..4], 3, now), [0; 0], "none is due");
    }

    #[test]
    fn the_bundle_of_a_release_that_is_published_meanwhile_stays() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let address = format!("file://{}", folder.path().display());
        let bucket = Bucket::open(&address, Patience::Command, runtime.handle().clone()).unwrap();
        let rollback = Release { number: 8, ..old_release("2026-11-26T09:00:00Z".parse().unwrap()) };
        let (name, bytes) = (rollback.bundle(), Bytes::from_static(b"a bundle"));
        assert_eq!(bucket.create(&name, bytes.clone()), Ok(true));
        let text = rollback.to_text().into_bytes();
        assert_eq!(bucket.create(&Release::file(rollback.number), text.into()), Ok(true));
        assert_eq!(remove_bundle(&bucket, &name, 7), Ok(false));
        assert_eq!(bucket.get(&name, LARGEST), Ok(Object::Bytes(bytes)));
        // Release 8 was looked at before, and does not count.
        assert_eq!(remove_bundle(&bucket, &name, 8), Ok(true));
        assert_eq!(bucket.get(&name, LARGEST), Ok(Object::None));
        assert_eq!(remove_bundle(&bucket, &name, 8), Ok(false));
    }

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

    #[test]
    fn two_that_remove_at_once_remove_the_same_and_neither_fails() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let address = format!("file://{}", folder.path().display());
        let bucket = Bucket::open(&address, Patience::Command, runtime.handle().clone()).unwrap();
        let now: DateTime<Utc> = "2026-11-26T09:00:00Z".parse().unwrap();
        for number in 1..=60 {
            let release = Release { number, ..old_release(now) };
            assert_eq!(
                bucket.create(&Release::file(number), release.to_text().into_bytes().into()),
                Ok(true)
            );
        }
        let run = || prune(&bucket, 5, now).map_err(|refusal| refusal.to_string());
        std::thread::scope(|scope| {
            let running = [scope.spawn(run), scope.spawn(run), scope.spawn(run)];
            for done in running {
                assert_eq!(done.join().unwrap(), Ok(()));
            }
        });
        assert_eq!(bucket.numbers(0), Ok((56..=60).collect()));
    }
}
