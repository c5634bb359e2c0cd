#![expect(clippy::disallowed_methods, reason = "this module writes the tree")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, DirEntry, File, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use directory::changes::Sha256Digest;
use rayon::prelude::*;

use super::error::WriteError;
use super::folder::{self, OpenFolder};
use crate::path::TreePath;
use crate::publish::manifest::{MANIFEST_PATH, Manifest, ManifestEntry};

/// Beside outputs. It tells git to ignore it.
const WORK_FOLDER: &str = ".nameplate";

#[derive(Debug)]
pub(super) struct OutputPaths {
    pub(super) out: PathBuf,
    pub(super) parent: PathBuf,
    /// On the same file system as the output.
    pub(super) work: PathBuf,
    pub(super) stage: PathBuf,
    lock: PathBuf,
}

impl OutputPaths {
    /// Also creates the folders.
    pub(super) fn new(out: &Path) -> Result<Self, WriteError> {
        let no_name = || WriteError::NoName(out.to_path_buf());
        let name = out.file_name().and_then(OsStr::to_str).ok_or_else(no_name)?;
        let parent = match out.parent() {
            Some(parent) if parent != Path::new("") => parent.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let all = parent.join(WORK_FOLDER);
        let work = all.join(name);
        fs::create_dir_all(&work).map_err(WriteError::io("create the folder", out))?;
        // A link could lead to another file system, or to files that are not ours to remove.
        if let Some(linked) = [&all, &work].into_iter().find(|folder| folder.is_symlink()) {
            return Err(WriteError::NotAFolder(linked.clone()));
        }
        let ignored = all.join(".gitignore");
        if !ignored.exists() {
            fs::write(&ignored, "*\n").map_err(WriteError::io("write", &ignored))?;
        }
        Ok(Self { out: parent.join(name), stage: work.join("stage"), lock: work.join("lock"), work, parent })
    }
}

/// The system releases the lock when the process ends.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "closing the file releases the lock")] File);

impl Lock {
    /// The file is never removed: otherwise, two builds could lock different files with the same name.
    pub(super) fn take(paths: &OutputPaths) -> Result<Self, WriteError> {
        let opened = open_lock(&paths.lock);
        if fs::symlink_metadata(&paths.lock).is_ok_and(|found| !is_single_file(&found)) {
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

/// Held by a program that publishes to an output again and again.
#[derive(Debug)]
pub struct Watching(#[expect(dead_code, reason = "dropping the lock releases it")] Lock);

impl Watching {
    /// Fails if another process does so.
    pub fn start(out: &Path) -> Result<Self, WriteError> {
        let mut paths = OutputPaths::new(out)?;
        paths.lock = paths.work.join("watched");
        Lock::take(&paths).map(Self)
    }
}

/// Follows no link.
fn open_lock(path: &Path) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false).custom_flags(flags.bits().cast_signed());
    options.open(path)
}

/// A regular file without further hard links.
fn is_single_file(found: &fs::Metadata) -> bool {
    found.is_file() && found.nlink() == 1
}

#[derive(Debug)]
pub(super) struct PublishedTree {
    out: PathBuf,
    pub(super) exists: bool,
    /// With an entry for the manifest's own file.
    manifest: Option<(Manifest, ManifestEntry)>,
    /// By path.
    folders: BTreeMap<String, OpenFolder>,
}

impl PublishedTree {
    /// Refuses an output that has files but no manifest, unless `force` is set.
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
        if metadata.is_symlink() {
            return Err(WriteError::Symlink(out.clone()));
        }
        if !metadata.is_dir() {
            return Err(WriteError::NotAFolder(out.clone()));
        }
        let bytes = read_manifest(&out.join(MANIFEST_PATH))?;
        if let Some(manifest) = Manifest::parse(&bytes) {
            let entry = ManifestEntry::new(manifest_path, &bytes);
            let folders = open_folders(out, &manifest, manifest_path);
            return Ok(Self { folders, ..found(Some((manifest, entry))) });
        }
        let mut entries = fs::read_dir(out).map_err(WriteError::io("look into", out))?;
        if entries.next().is_some() && !force {
            return Err(WriteError::Foreign(out.clone()));
        }
        Ok(found(None))
    }

    /// The entry is probably at the position `at`.
    pub(super) fn listed(&self, at: usize, path: &TreePath) -> Option<&ManifestEntry> {
        let (manifest, _) = self.manifest.as_ref()?;
        let probable = manifest.files().get(at).filter(|listed| &*listed.path == path.as_str());
        probable.or_else(|| manifest.get(path.as_str()))
    }

    pub(super) fn manifest(&self) -> Option<&(Manifest, ManifestEntry)> {
        self.manifest.as_ref()
    }

    /// `files` must be sorted by path.
    pub(super) fn missing_from(&self, files: &[&ManifestEntry]) -> Vec<&ManifestEntry> {
        let mut files = files.iter().map(|file| &*file.path).peekable();
        let is_missing = |listed: &&ManifestEntry| {
            while files.next_if(|path| *path < &*listed.path).is_some() {}
            files.peek() != Some(&&*listed.path)
        };
        self.manifest.iter().flat_map(|(manifest, _)| manifest.files()).filter(is_missing).collect()
    }

    /// Those that are not in the manifest, sorted by path. Skips folders that cannot be read.
    pub(super) fn foreign(&self, manifest_path: &TreePath) -> Vec<String> {
        let mut names = if self.exists { self.foreign_in(&self.out, "", manifest_path) } else { Vec::new() };
        names.sort_unstable();
        names
    }

    /// `prefix` is the folder's path in the tree: empty, or ending in `/`.
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

    pub(super) fn body(&self, listed: &ManifestEntry) -> Option<Vec<u8>> {
        // The manifest may have been edited, so its paths are validated.
        let path: TreePath = listed.path.parse().ok()?;
        fs::read(path.under(&self.out)).ok()
    }

    pub(super) fn is_on_disk(&self, path: &TreePath, listed: &ManifestEntry) -> bool {
        let modified = since_1970(listed.sha256);
        self.folders.get(path.folder()).is_some_and(|folder| folder.has(path.name(), listed.bytes, modified))
    }
}

/// Empty if the file does not exist.
fn read_manifest(path: &Path) -> Result<Vec<u8>, WriteError> {
    let bytes = match fs::symlink_metadata(path) {
        // Reading a pipe would block.
        Ok(found) if !found.is_file() => return Ok(Vec::new()),
        Ok(_) => fs::read(path),
        Err(error) => Err(error),
    };
    match bytes {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(Vec::new())
        }
        bytes => bytes.map_err(WriteError::io("read", path)),
    }
}

/// Skips invalid paths, and folders that cannot be opened.
fn open_folders(out: &Path, manifest: &Manifest, manifest_path: &TreePath) -> BTreeMap<String, OpenFolder> {
    let listed =
        manifest.files().iter().map(|file| file.path.rsplit_once('/').map_or("", |(folder, _)| folder));
    // Otherwise, there would be thousands of equal names to sort.
    let mut names: Vec<&str> = listed.chain([manifest_path.folder()]).collect();
    names.dedup();
    names.sort_unstable();
    names.dedup();
    let open = |name: &str| {
        let folder = match name {
            "" => out.to_path_buf(),
            name => name.parse::<TreePath>().ok()?.under(out),
        };
        // A link in the path could lead out of the tree.
        let mut parts = folder.ancestors().take_while(|part| *part != out);
        let is_within = parts.all(|part| fs::symlink_metadata(part).is_ok_and(|found| found.is_dir()));
        Some((name.to_owned(), OpenFolder::open(&folder).ok().filter(|_| is_within)?))
    };
    names.into_iter().filter_map(open).collect()
}

/// Depends only on the bytes. Some servers derive an entity tag from size and time: with a fixed time, clients would not get
/// an edit that keeps the size, and with the build's time, each computer would publish a different tag.
pub(super) fn modification_time(digest: Sha256Digest) -> SystemTime {
    SystemTime::UNIX_EPOCH + since_1970(digest)
}

fn since_1970(digest: Sha256Digest) -> Duration {
    /// 2000-01-01T00:00:00Z.
    const EARLIEST: u64 = 946_684_800;
    // 28 bits of seconds are eight and a half years, so every time is in the past.
    let [first, second, third, fourth, ..] = digest.0;
    let bits = u32::from_be_bytes([first, second, third, fourth]) >> 4;
    Duration::from_secs(EARLIEST + u64::from(bits))
}
