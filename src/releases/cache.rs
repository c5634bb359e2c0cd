//! The folder in which a replica keeps the newest two releases that it served, for a start while the object store is down. A
//! release is written after its bundle, so a release in the folder has its whole bundle.
#![expect(clippy::disallowed_methods, reason = "this module keeps files of its own")]

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use directory::content::{read_file, replace_file};

use crate::state::Closed;
use replicas::PublicKey;
use replicas::releases::Release;

const KEPT: usize = 2;
/// The end of the name of a file that is being written.
const NEW: &str = ".new";
const ADDRESS: &str = "store";
/// The most bytes of a file that are read. A bundle is checked before it is used.
const LARGEST: u64 = 1 << 32;

pub(crate) struct Cache {
    folder: PathBuf,
    address: String,
    /// The keys of which one must have signed a release.
    keys: Vec<PublicKey>,
}

impl Cache {
    pub(crate) fn open(folder: &Path, address: &str, keys: &[PublicKey]) -> Result<Self, Closed> {
        fs::create_dir_all(folder)
            .map_err(|error| Closed::failed("cache", folder, "--content-cache", error))?;
        // Earlier versions did not write it.
        let theirs = read_file(&folder.join(ADDRESS), 1 << 16).ok();
        if let Some(theirs) = theirs.filter(|theirs| theirs != address.as_bytes()) {
            return Err(Closed::Unusable(format!(
                "the cache folder {} has releases of {}, and the content is {address}: it is neither used nor changed; \
                 name another with --content-cache DIR, or empty it if both are yours, and restart",
                folder.display(),
                String::from_utf8_lossy(&theirs)
            )));
        }
        Ok(Self { folder: folder.to_owned(), address: address.to_owned(), keys: keys.to_vec() })
    }

    /// The numbers of the releases that are kept, the newest first.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().filter_map(Result::ok);
        let named = entries.filter_map(|entry| Release::number_in(entry.file_name().to_str()?));
        let mut numbers: Vec<u64> = named.collect();
        numbers.sort_unstable_by(|one, other| other.cmp(one));
        numbers
    }

    /// Reads a release and its bundle, which is not checked.
    pub(crate) fn read(&self, number: u64) -> Result<(Release, Bytes), String> {
        let read = |name: &str| {
            let path = self.folder.join(name);
            read_file(&path, LARGEST).map_err(|error| format!("{} can't be read: {error}", path.display()))
        };
        let release = Release::read(number, &read(&file(number))?)?.trusted(&self.keys)?;
        let bundle = read(&bundle(&release))?;
        Ok((release, bundle.into()))
    }

    pub(crate) fn keep(&self, release: &Release, packed: &[u8]) -> io::Result<()> {
        // Replicas of one machine may share the folder.
        let alone = File::open(&self.folder)?;
        alone.lock()?;
        self.replace(ADDRESS, self.address.as_bytes())?;
        self.replace(&bundle(release), packed)?;
        self.replace(&file(release.number), release.to_text().as_bytes())?;
        let numbers = self.numbers();
        let kept: Vec<String> = numbers
            .iter()
            .take(KEPT)
            .filter_map(|&number| {
                let bytes = read_file(&self.folder.join(file(number)), LARGEST).ok()?;
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
        replace_file(&self.folder.join(name), bytes)
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
            by: "ann".to_owned(),
            at: "2026-11-26T09:00:00Z".parse().unwrap(),
            signed: None,
        }
    }

    #[test]
    fn the_newest_two_releases_are_kept_with_their_bundles() {
        let folder = tempfile::tempdir().unwrap();
        let open = |address| Cache::open(&folder.path().join("cache"), address, &[]);
        let cache = open("s3://ours").unwrap();
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
        assert_eq!(bundles, 5, "two releases and two bundles, and whose they are");

        let Err(Closed::Unusable(why)) = open("s3://theirs") else {
            panic!("the cache of another store is used")
        };
        assert!(why.contains("has releases of s3://ours, and the content is s3://theirs"), "{why}");
        assert_eq!(open("s3://ours").unwrap().numbers(), [4, 3]);
    }
}
