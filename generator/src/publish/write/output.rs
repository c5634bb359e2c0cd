//! The output folder: its paths, its lock, and the tree published in it.
#![expect(clippy::disallowed_methods, reason = "this module writes the tree")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, DirEntry, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rayon::prelude::*;

use super::error::WriteError;
use super::folder::{self, Folder};
use crate::path::TreePath;
use crate::publish::manifest::{MANIFEST_PATH, Manifest, ManifestEntry, Sha256Digest};

/// The output, and the build's stage and lock file beside it.
#[derive(Debug)]
pub(super) struct OutputPaths {
    pub(super) out: PathBuf,
    pub(super) parent: PathBuf,
    /// The new tree, on the output's file system.
    pub(super) stage: PathBuf,
    /// How the names of replaced trees begin.
    pub(super) aside: String,
    lock: PathBuf,
}

impl OutputPaths {
    /// Creates the parent folder, too.
    pub(super) fn new(out: &Path) -> Result<Self, WriteError> {
        let no_name = || WriteError::NoName(out.to_path_buf());
        let name = out.file_name().and_then(OsStr::to_str).ok_or_else(no_name)?;
        let parent = match out.parent() {
            Some(parent) if parent != Path::new("") => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        fs::create_dir_all(&parent).map_err(WriteError::io("create the folder", &parent))?;
        Ok(Self {
            out: parent.join(name),
            stage: parent.join(format!(".{name}.nameplate-stage")),
            aside: format!(".{name}.nameplate-before-"),
            lock: parent.join(format!(".{name}.nameplate-lock")),
            parent,
        })
    }
}

/// Held during a build; the system releases it when the process ends.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "it is held")] File);

impl Lock {
    /// Takes the lock; fails if another build holds it. The file is never removed: otherwise two builds could lock two
    /// files of one name.
    pub(super) fn take(paths: &OutputPaths) -> Result<Self, WriteError> {
        let opened = open_lock(&paths.lock);
        let is_other = fs::symlink_metadata(&paths.lock).is_ok_and(|found| !is_plain_file(&found));
        if is_other {
            return Err(WriteError::OtherLock(paths.lock.clone()));
        }
        let file = opened.map_err(WriteError::io("create the lock file", &paths.lock))?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(WriteError::Busy(paths.out.clone())),
            Err(TryLockError::Error(error)) => Err(WriteError::io("lock", &paths.lock)(error)),
        }
    }
}

/// Opens the lock file without following a link.
fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(path)
}

/// Whether it is a plain file without further hard links.
fn is_plain_file(found: &fs::Metadata) -> bool {
    #[cfg(unix)]
    let is_single = std::os::unix::fs::MetadataExt::nlink(found) == 1;
    #[cfg(not(unix))]
    let is_single = true;
    found.is_file() && is_single
}

/// The tree that is published before the build.
#[derive(Debug)]
pub(super) struct Published {
    out: PathBuf,
    pub(super) exists: bool,
    /// The manifest, and the entry that describes it.
    manifest: Option<(Manifest, ManifestEntry)>,
    folders: BTreeMap<String, Folder>,
}

impl Published {
    /// Reads the manifest. Refuses an output that has files but no manifest, unless `force` is set.
    pub(super) fn read(
        paths: &OutputPaths,
        manifest_path: &TreePath,
        force: bool,
    ) -> Result<Self, WriteError> {
        let out = &paths.out;
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
        // Reading a pipe would block.
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

    /// The manifest's entry of a path. `at` is its probable position: that of the path among the new files.
    pub(super) fn listed(&self, at: usize, path: &TreePath) -> Option<&ManifestEntry> {
        let (manifest, _) = self.manifest.as_ref()?;
        let guessed = manifest.files().get(at).filter(|listed| &*listed.path == path.as_str());
        guessed.or_else(|| manifest.get(path.as_str()))
    }

    /// The manifest, and the entry that describes it.
    pub(super) fn manifest(&self) -> Option<&(Manifest, ManifestEntry)> {
        self.manifest.as_ref()
    }

    /// The published files that are not among `files`, which are sorted by path.
    pub(super) fn missing_from(&self, files: &[&ManifestEntry]) -> Vec<&ManifestEntry> {
        let mut files = files.iter().map(|file| &*file.path).peekable();
        let is_missing = |listed: &&ManifestEntry| {
            while files.next_if(|path| *path < &*listed.path).is_some() {}
            files.peek() != Some(&&*listed.path)
        };
        self.manifest.iter().flat_map(|(manifest, _)| manifest.files()).filter(is_missing).collect()
    }

    /// The files in the output that are not in the manifest, sorted. Skips folders that cannot be read: this is for a
    /// note alone.
    pub(super) fn foreign(&self, manifest_path: &TreePath) -> Vec<String> {
        let mut names = if self.exists { self.foreign_in(&self.out, "", manifest_path) } else { Vec::new() };
        names.sort_unstable();
        names
    }

    /// Those below one folder. `prefix` is its path in the tree: empty, or ending in `/`.
    fn foreign_in(&self, folder: &Path, prefix: &str, manifest_path: &TreePath) -> Vec<String> {
        let (folders, files) = folder::entries(folder);
        let path_of = |entry: &DirEntry| format!("{prefix}{}", entry.file_name().to_string_lossy());
        let is_listed = |path: &str| match &self.manifest {
            Some((manifest, _)) => path == manifest_path.as_str() || manifest.get(path).is_some(),
            None => false,
        };
        let mut foreign: Vec<String> = files.iter().map(path_of).filter(|path| !is_listed(path)).collect();
        foreign.par_extend(folders.par_iter().flat_map_iter(|entry| {
            self.foreign_in(&entry.path(), &format!("{}/", path_of(entry)), manifest_path)
        }));
        foreign
    }

    /// The bytes of a published file; `None` if they cannot be read.
    pub(super) fn body(&self, listed: &ManifestEntry) -> Option<Vec<u8>> {
        // The manifest may have been edited, so its paths are validated.
        let path: TreePath = listed.path.parse().ok()?;
        fs::read(path.under(&self.out)).ok()
    }

    /// Whether a listed file is on the disk with the size and time of its entry.
    pub(super) fn is_on_disk(&self, path: &TreePath, listed: &ManifestEntry) -> bool {
        let modified = since_1970(listed.sha256);
        self.folders.get(path.folder()).is_some_and(|folder| folder.has(path.name(), listed.bytes, modified))
    }
}

/// Opens the folders of the listed files. Skips invalid paths and folders that cannot be opened.
fn open_folders(out: &Path, manifest: &Manifest, manifest_path: &TreePath) -> BTreeMap<String, Folder> {
    let listed =
        manifest.files().iter().map(|file| file.path.rsplit_once('/').map_or("", |(folder, _)| folder));
    // The first `dedup` leaves little to sort: thousands of neighbours share a folder.
    let mut names: Vec<&str> = listed.chain([manifest_path.folder()]).collect();
    names.dedup();
    names.sort_unstable();
    names.dedup();
    let open = |name: &str| {
        let folder = match name {
            "" => out.to_path_buf(),
            name => name.parse::<TreePath>().ok()?.under(out),
        };
        // A link in the path leads out of the tree.
        let mut parts = folder.ancestors().take_while(|part| *part != out);
        let is_within = parts.all(|part| fs::symlink_metadata(part).is_ok_and(|found| found.is_dir()));
        Some((name.to_owned(), Folder::open(&folder).ok().filter(|_| is_within)?))
    };
    names.into_iter().filter_map(open).collect()
}

/// The modification time of a file: a function of its bytes.
///
/// Some servers derive an entity tag from size and time. With one fixed time, an edit that keeps the size would be
/// answered 304; with the time of the build, each machine would publish another tag.
pub(super) fn modification_time(digest: Sha256Digest) -> SystemTime {
    SystemTime::UNIX_EPOCH + since_1970(digest)
}

fn since_1970(digest: Sha256Digest) -> Duration {
    /// 2000-01-01T00:00:00Z: every result is in the past.
    const EPOCH: u64 = 946_684_800;
    // 28 bits of the hash are eight and a half years of seconds.
    let [first, second, third, fourth, ..] = *digest.as_bytes();
    let bits = u32::from_be_bytes([first, second, third, fourth]) >> 4;
    Duration::from_secs(EPOCH + u64::from(bits))
}
