//! The folder in which a replica keeps the releases that it served, for a start while the object store is down.
//!
//! Each release is two files: the release, and its bundle. Both are written beside and renamed, the release last, so a
//! release in the folder has its whole bundle. The newest two are kept.
#![expect(clippy::disallowed_methods, reason = "this module keeps files of its own")]

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::release::Release;
use crate::outcome::Refusal;
use crate::signature::PublicKey;

const KEPT: usize = 2;
/// The end of the name of a file that is being written.
const NEW: &str = ".new";

/// The releases that were served.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    /// The keys of which one must have signed a release.
    keys: Vec<PublicKey>,
}

impl Cache {
    /// Creates the folder if it is missing.
    pub(crate) fn open(folder: &Path, keys: &[PublicKey]) -> Result<Self, Refusal> {
        let cache = Self { folder: folder.to_owned(), keys: keys.to_vec() };
        let opened = fs::create_dir_all(folder).and_then(|()| {
            cache.replace(".writable", b"")?;
            fs::remove_file(folder.join(".writable"))
        });
        opened.map_err(|error| {
            Refusal::new(format!(
                "cannot write into the cache folder {}: {error}; name another with --content-cache DIR",
                folder.display()
            ))
        })?;
        Ok(cache)
    }

    /// The numbers of the releases that are kept, the newest first.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().filter_map(Result::ok);
        let named = entries.filter_map(|entry| Release::number_in(entry.file_name().to_str()?));
        let mut numbers: Vec<u64> = named.collect();
        numbers.sort_unstable_by(|one, other| other.cmp(one));
        numbers
    }

    /// Reads a release and its bundle.
    ///
    /// # Errors
    /// A file cannot be read, or is not a release or not signed as it must be. The bundle is not checked.
    pub(crate) fn read(&self, number: u64) -> Result<(Release, Bytes), String> {
        let read = |name: &str| {
            let path = self.folder.join(name);
            fs::read(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
        };
        let release = Release::read(number, &read(&file(number))?)?.trusted(&self.keys)?;
        let bundle = read(&bundle(&release))?;
        Ok((release, bundle.into()))
    }

    /// Keeps a release and its bundle, and removes all but the newest two.
    ///
    /// # Errors
    /// They could not be written.
    pub(crate) fn keep(&self, release: &Release, packed: &[u8]) -> io::Result<()> {
        self.replace(&bundle(release), packed)?;
        self.replace(&file(release.number), release.to_text().as_bytes())?;
        let numbers = self.numbers();
        let kept: Vec<String> = numbers
            .iter()
            .take(KEPT)
            .filter_map(|&number| {
                let bytes = fs::read(self.folder.join(file(number))).ok()?;
                Some(bundle(&Release::read(number, &bytes).ok()?))
            })
            .collect();
        for number in numbers.into_iter().skip(KEPT) {
            fs::remove_file(self.folder.join(file(number)))?;
        }
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            let Some(name) = name.to_str() else { continue };
            // A file `.new` was left by a process that ended while it wrote.
            let is_old = name.ends_with(".tar.gz") && !kept.iter().any(|kept| kept == name);
            if is_old || name.ends_with(NEW) {
                fs::remove_file(self.folder.join(name))?;
            }
        }
        Ok(())
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let new = self.folder.join(format!("{name}{NEW}"));
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, self.folder.join(name))
    }
}

fn file(number: u64) -> String {
    format!("{number:020}.json")
}

fn bundle(release: &Release) -> String {
    format!("{}.tar.gz", release.sha256)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(number: u64, sha256: &str) -> Release {
        Release {
            number,
            generation: "0123456789abcdef".to_owned(),
            sha256: sha256.repeat(32),
            bytes: 1,
            unpacked: 1,
            from: "2026-11-26T09:00:00Z".parse().unwrap(),
            previous: None,
            by: "ann".to_owned(),
            at: "2026-11-26T09:00:00Z".parse().unwrap(),
            signed: None,
        }
    }

    #[test]
    fn the_newest_two_releases_are_kept_with_their_bundles() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("cache"), &[]).unwrap();
        assert_eq!(cache.numbers(), [0; 0]);
        fs::write(folder.path().join("cache/dd.tar.gz.new"), "half").unwrap();
        // The third is a rollback to the bundle of the first.
        for (number, sha256) in [(1, "aa"), (2, "bb"), (3, "aa"), (4, "cc")] {
            cache.keep(&release(number, sha256), sha256.as_bytes()).unwrap();
            assert_eq!(cache.read(number).unwrap(), (release(number, sha256), sha256.into()));
        }
        assert_eq!(cache.numbers(), [4, 3]);
        assert_eq!(cache.read(3).unwrap().1, "aa");
        assert!(cache.read(2).is_err());
        let bundles = fs::read_dir(folder.path().join("cache")).unwrap().count();
        assert_eq!(bundles, 4, "two releases and two bundles");
    }
}
