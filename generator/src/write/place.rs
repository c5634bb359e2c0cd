//! The output folder, what is published in it, and what the build keeps beside it.
#![expect(clippy::disallowed_methods, reason = "this is the room that writes the tree")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, DirEntry, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rayon::prelude::*;

use super::error::WriteError;
use super::folder::{self, Folder, remove};
use crate::manifest::{MANIFEST_PATH, Manifest, ManifestEntry, Sha256Digest};
use crate::path::TreePath;

/// Where a build works: the output, and two names beside it that belong to the build.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) out: PathBuf,
    pub(super) parent: PathBuf,
    /// The new tree grows here, on the output's own file system.
    pub(super) stage: PathBuf,
    lock: PathBuf,
}

impl Place {
    /// Names everything, and makes sure that there is a folder around the output.
    pub(super) fn new(out: &Path) -> Result<Self, WriteError> {
        let place = Self::of(out)?;
        fs::create_dir_all(&place.parent).map_err(WriteError::io("create the folder", &place.parent))?;
        Ok(place)
    }

    /// Names everything.
    pub(super) fn of(out: &Path) -> Result<Self, WriteError> {
        let no_name = || WriteError::NoName(out.to_path_buf());
        let name = out.file_name().and_then(OsStr::to_str).ok_or_else(no_name)?;
        let parent = match out.parent() {
            Some(parent) if parent != Path::new("") => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        Ok(Self {
            out: parent.join(name),
            stage: parent.join(format!(".{name}.nameplate-stage")),
            lock: parent.join(format!(".{name}.nameplate-lock")),
            parent,
        })
    }

    /// Whether something like a tree is published.
    pub(super) fn has_manifest(&self) -> bool {
        fs::symlink_metadata(self.out.join(MANIFEST_PATH)).is_ok()
    }

    /// Removes the stage that a killed build has left. Only the holder of the lock may.
    pub(super) fn sweep(&self) -> Result<(), WriteError> {
        match remove(&self.stage) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(WriteError::Leftovers { path: self.stage.clone(), source: error })
            }
            _ => Ok(()),
        }
    }
}

/// Held while a build is at work; the system lets go of it when the process ends, however it ends. What the last build
/// remembers is in the file.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// Takes the lock, or says that somebody else has it. The file stays: removing it would let two
    /// builds hold locks on two files of one name.
    pub(super) fn take(place: &Place) -> Result<Self, WriteError> {
        let opened = open_lock(&place.lock, true);
        let is_other = fs::symlink_metadata(&place.lock).is_ok_and(|found| !is_own_file(&found));
        if is_other {
            return Err(WriteError::OtherLock(place.lock.clone()));
        }
        let file = opened.map_err(WriteError::io("create the lock file", &place.lock))?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(WriteError::Busy(place.out.clone())),
            Err(TryLockError::Error(error)) => Err(WriteError::io("lock", &place.lock)(error)),
        }
    }

    /// Takes the lock if its file is there and nobody else has it.
    pub(super) fn find(place: &Place) -> Option<Self> {
        let file = open_lock(&place.lock, false).ok()?;
        let is_own = file.metadata().is_ok_and(|found| is_own_file(&found));
        (is_own && file.try_lock().is_ok()).then_some(Self(file))
    }

    pub(super) fn file(&self) -> &File {
        &self.0
    }
}

/// Opens the lock file itself: what a build remembers is written into it, and into nothing that a link leads to.
fn open_lock(path: &Path, create: bool) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(create).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(path)
}

/// Whether it is a plain file, and known by this name alone.
fn is_own_file(found: &fs::Metadata) -> bool {
    #[cfg(unix)]
    let is_single = std::os::unix::fs::MetadataExt::nlink(found) == 1;
    #[cfg(not(unix))]
    let is_single = true;
    found.is_file() && is_single
}

/// What the output holds before the build.
#[derive(Debug)]
pub(super) struct Published {
    out: PathBuf,
    /// Whether the output is there, empty or ours.
    pub(super) exists: bool,
    /// The manifest, and its own entry.
    manifest: Option<(Manifest, ManifestEntry)>,
    /// The folders that are listed and can be opened.
    folders: BTreeMap<String, Folder>,
}

impl Published {
    /// Looks at the output and refuses one that is not ours to replace.
    pub(super) fn look(place: &Place, manifest_path: &TreePath, force: bool) -> Result<Self, WriteError> {
        let out = &place.out;
        let found = |manifest| Self { out: out.clone(), exists: true, manifest, folders: BTreeMap::new() };
        let metadata = match fs::symlink_metadata(out) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self { exists: false, ..found(None) });
            }
            Err(error) => return Err(WriteError::io("look at", out)(error)),
        };
        if !metadata.is_dir() {
            return Err(WriteError::NotAFolder(out.clone()));
        }
        let manifest = out.join(MANIFEST_PATH);
        // What is no file there is none of ours, and reading a pipe would wait for ever.
        let read = match fs::symlink_metadata(&manifest) {
            Ok(found) if !found.is_file() => Ok(Vec::new()),
            Ok(_) => fs::read(&manifest),
            Err(error) => Err(error),
        };
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Vec::new()
            }
            Err(error) => return Err(WriteError::io("read", &manifest)(error)),
        };
        if let Some(manifest) = Manifest::parse(&bytes) {
            let own = ManifestEntry::of(manifest_path, &bytes);
            let folders = open_folders(out, &manifest, manifest_path);
            return Ok(Self { folders, ..found(Some((manifest, own))) });
        }
        let mut entries = fs::read_dir(out).map_err(WriteError::io("look into", out))?;
        if entries.next().is_some() && !force {
            return Err(WriteError::Foreign(out.clone()));
        }
        Ok(found(None))
    }

    /// What is listed under this path. `at` is where it probably stands: where the path stands among the new ones.
    pub(super) fn listed(&self, at: usize, path: &TreePath) -> Option<&ManifestEntry> {
        let (manifest, _) = self.manifest.as_ref()?;
        let guessed = manifest.files().get(at).filter(|listed| listed.path() == path.as_str());
        guessed.or_else(|| manifest.get(path.as_str()))
    }

    /// The manifest, and its own entry.
    pub(super) fn manifest(&self) -> Option<&(Manifest, ManifestEntry)> {
        self.manifest.as_ref()
    }

    /// Whether a tree of ours is published.
    pub(super) fn is_a_tree(&self) -> bool {
        self.manifest.is_some()
    }

    /// The published files that are no longer among these, which are sorted by their paths.
    pub(super) fn missing_from(&self, files: &[&ManifestEntry]) -> Vec<&ManifestEntry> {
        let mut files = files.iter().map(|file| file.path()).peekable();
        let is_missing = |listed: &&ManifestEntry| {
            while files.next_if(|path| *path < listed.path()).is_some() {}
            files.peek() != Some(&listed.path())
        };
        self.manifest.iter().flat_map(|(manifest, _)| manifest.files()).filter(is_missing).collect()
    }

    /// The files in the output that no build has put there, sorted. A folder that cannot be read holds none:
    /// this is for telling, and never for deciding.
    pub(super) fn foreign(&self, manifest_path: &TreePath) -> Vec<String> {
        let mut names = if self.exists { self.foreign_in(&self.out, "", manifest_path) } else { Vec::new() };
        names.sort_unstable();
        names
    }

    /// Those below one folder, which stands in the tree as `inside`: empty, or with a `/` at its end.
    fn foreign_in(&self, folder: &Path, inside: &str, manifest_path: &TreePath) -> Vec<String> {
        let (folders, files) = folder::entries(folder);
        let path_of = |entry: &DirEntry| format!("{inside}{}", entry.file_name().to_string_lossy());
        let is_ours = |path: &str| match &self.manifest {
            Some((manifest, _)) => path == manifest_path.as_str() || manifest.get(path).is_some(),
            None => false,
        };
        let mut foreign: Vec<String> = files.iter().map(path_of).filter(|path| !is_ours(path)).collect();
        foreign.par_extend(folders.par_iter().flat_map_iter(|entry| {
            self.foreign_in(&entry.path(), &format!("{}/", path_of(entry)), manifest_path)
        }));
        foreign
    }

    /// The bytes of a published file; `None` too when they cannot be read.
    pub(super) fn body(&self, listed: &ManifestEntry) -> Option<Vec<u8>> {
        // A manifest is only a file: what it lists may be no path of a tree.
        let path: TreePath = listed.path().parse().ok()?;
        fs::read(path.under(&self.out)).ok()
    }

    /// Whether a listed file is on the disk with the size and time that its entry implies.
    pub(super) fn is_on_disk(&self, path: &TreePath, listed: &ManifestEntry) -> bool {
        let modified = since_1970(listed.sha256());
        self.folders
            .get(path.folder())
            .is_some_and(|folder| folder.has(path.name(), listed.bytes(), modified))
    }

    /// The same for a file that is known by its entry alone. A manifest is only a file: what it lists may be no path of
    /// a tree.
    pub(super) fn is_listed_on_disk(&self, listed: &ManifestEntry) -> bool {
        listed.path().parse().is_ok_and(|path| self.is_on_disk(&path, listed))
    }
}

/// Opens the folders of listed files. A manifest is only a file: what it lists may be no path of a tree.
fn open_folders(out: &Path, manifest: &Manifest, manifest_path: &TreePath) -> BTreeMap<String, Folder> {
    let listed =
        manifest.files().iter().map(|file| file.path().rsplit_once('/').map_or("", |(folder, _)| folder));
    // Thousands of files share a folder.
    let mut names: Vec<&str> = listed.chain([manifest_path.folder()]).collect();
    names.dedup();
    names.sort_unstable();
    names.dedup();
    let open = |name: &str| {
        let folder = match name {
            "" => out.to_path_buf(),
            name => name.parse::<TreePath>().ok()?.under(out),
        };
        // A link on the way leads to files of somebody else.
        let mut way = folder.ancestors().take_while(|way| *way != out);
        let is_within = way.all(|way| fs::symlink_metadata(way).is_ok_and(|found| found.is_dir()));
        Some((name.to_owned(), Folder::open(&folder).ok().filter(|_| is_within)?))
    };
    names.into_iter().filter_map(open).collect()
}

/// The modification time of a file: a function of its bytes.
///
/// Some servers make an entity tag from size and time. With one fixed time, an edit that keeps the size
/// would be answered 304; with the time of the build, every machine would publish another tag.
pub(super) fn modification_time(digest: Sha256Digest) -> SystemTime {
    SystemTime::UNIX_EPOCH + since_1970(digest)
}

fn since_1970(digest: Sha256Digest) -> Duration {
    /// 2000-01-01T00:00:00Z: early enough for every result to be past.
    const EPOCH: u64 = 946_684_800;
    // 28 bits of the hash: eight and a half years of seconds.
    let [first, second, third, fourth, ..] = *digest.as_bytes();
    let bits = u32::from_be_bytes([first, second, third, fourth]) >> 4;
    Duration::from_secs(EPOCH + u64::from(bits))
}
