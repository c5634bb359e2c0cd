//! The state folder. It has the feed's memory, and copies of the last good content, so that a service that restarts
//! with broken content serves what it served before.
//!
//! There are two copies. New content is written into the one that is not current; once that is checked, the file
//! `current.json` is replaced, which makes it the current one. So a whole copy exists at any moment. Files that did not
//! change are linked from the other copy. Feeds are left out, because their times grow old, and so are hidden files,
//! which are not content.
#![expect(clippy::disallowed_methods, reason = "this module keeps files of its own")]

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, SecondsFormat, Utc};
use directory::calendar::FeedMode;
use directory::content::{Checked, Folder, feed_path, load_and_check_beside_feed};
use directory::model::Generation;
use live::Clock;
use serde_json::{Value, json};
use walkdir::{DirEntry, WalkDir};

use crate::outcome::Refusal;

const CURRENT: &str = "current.json";
const COPIES: [&str; 2] = ["content-0", "content-1"];

/// A folder that belongs to this service.
#[derive(Debug)]
pub(crate) struct StateFolder {
    folder: PathBuf,
    /// One copy is made at a time.
    copying: Mutex<()>,
}

/// The copy of the last good content.
pub(crate) struct LastGood {
    pub(crate) checked: Checked,
    /// When it was kept.
    pub(crate) at: DateTime<Utc>,
}

/// Which copy is current.
struct Current {
    copy: usize,
    generation: String,
    at: DateTime<Utc>,
    feed: Option<FeedMode>,
}

impl StateFolder {
    /// Creates the folder if it is missing.
    pub(crate) fn open(folder: &Path) -> Result<Self, Refusal> {
        let opened = fs::create_dir_all(folder).and_then(|()| {
            let probe = folder.join(".writable");
            File::create(&probe)?;
            fs::remove_file(&probe)
        });
        opened.map_err(|error| {
            let folder = folder.display();
            Refusal::new(format!(
                "cannot write into the state folder {folder}: {error}; name another with --state DIR"
            ))
        })?;
        Ok(Self { folder: folder.to_owned(), copying: Mutex::default() })
    }

    /// Refuses a folder inside the content folder, where each copy would be content.
    pub(crate) fn outside(self, content: &Path) -> Result<Self, Refusal> {
        if let (Ok(inner), Ok(outer)) = (self.folder.canonicalize(), content.canonicalize())
            && inner.starts_with(&outer)
        {
            return Err(Refusal::new(format!(
                "the state folder {} is inside the content folder {}: name one outside of it with --state DIR",
                self.folder.display(),
                content.display()
            )));
        }
        Ok(self)
    }

    /// The file in which the feed remembers what it knows.
    pub(crate) fn feed_memory(&self) -> PathBuf {
        self.folder.join("feed.json")
    }

    /// The mode of the feed that the content folder had when its copy was kept.
    pub(crate) fn feed(&self) -> Option<FeedMode> {
        self.current().ok()??.feed
    }

    /// The last good content; `None` if none was kept.
    ///
    /// # Errors
    /// Why the copy is not served: it is damaged, or this version of the program refuses it.
    pub(crate) fn last_good(&self, clock: Clock) -> Result<Option<LastGood>, String> {
        let Some(current) = self.current()? else { return Ok(None) };
        let folder = self.folder.join(COPIES[current.copy]);
        let refused = |why: &str| format!("{}: {why}", folder.display());
        let checked = load_and_check_beside_feed(&folder, clock.now().date_naive())
            .map_err(|error| refused(&error.to_string()))?;
        if checked.directory.generation().as_str() != current.generation {
            return Err(refused("it is not what was kept: a file of it was changed"));
        }
        Ok(Some(LastGood { checked, at: current.at }))
    }

    /// Keeps a copy of the content folder, which has this generation. Does nothing if the current copy has it, too.
    /// `missed` is the mode of the folder's feed if its file has vanished while the service ran.
    ///
    /// # Errors
    /// The copy could not be written, or the content folder has changed meanwhile.
    pub(crate) fn keep(
        &self,
        content: &Path,
        generation: &Generation,
        missed: Option<FeedMode>,
        now: DateTime<Utc>,
    ) -> Result<(), io::Error> {
        let _alone = self.copying.lock().unwrap_or_else(PoisonError::into_inner);
        // A damaged file is replaced.
        let current = self.current().unwrap_or_default();
        let feed = [FeedMode::Busy, FeedMode::Open]
            .into_iter()
            .find(|mode| content.join(feed_path(*mode)).symlink_metadata().is_ok())
            .or(missed);
        if current.as_ref().is_some_and(|kept| kept.generation == generation.as_str() && kept.feed == feed) {
            return Ok(());
        }
        let copy = current.map_or(0, |current| 1 - current.copy);
        let (to, other) = (self.folder.join(COPIES[copy]), self.folder.join(COPIES[1 - copy]));
        let load = || load_and_check_beside_feed(&to, now.date_naive());
        copy_folder(content, &to, Some(&other))?;
        let mut copied = load();
        if !copied.as_ref().is_ok_and(|checked| checked.directory.generation() == generation) {
            // A file may have changed and have the size and the time that it had before, for example in a Nix store, where
            // all files have one time. So every file is copied.
            fs::remove_dir_all(&to)?;
            copy_folder(content, &to, None)?;
            copied = load();
        }
        if copied.map_err(io::Error::other)?.directory.generation() != generation {
            return Err(io::Error::other("the content folder has been changed since this content was read"));
        }
        let at = now.to_rfc3339_opts(SecondsFormat::Secs, true);
        let feed = feed.map(FeedMode::word);
        let current = json!({"copy": copy, "generation": generation.as_str(), "at": at, "feed": feed});
        rustix::fs::syncfs(File::open(&to)?)?;
        replace_file(&self.folder.join(CURRENT), &current)
    }

    fn current(&self) -> Result<Option<Current>, String> {
        let file = self.folder.join(CURRENT);
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{} cannot be read: {error}", file.display())),
        };
        let current = Current::of(&bytes);
        current.map(Some).ok_or_else(|| format!("{} is damaged", file.display()))
    }
}

impl Current {
    fn of(bytes: &[u8]) -> Option<Self> {
        let current: Value = serde_json::from_slice(bytes).ok()?;
        let copy = usize::try_from(current["copy"].as_u64()?).ok().filter(|copy| *copy < COPIES.len())?;
        let feed = current["feed"].as_str().and_then(FeedMode::of_word);
        let (generation, at) = (current["generation"].as_str()?.to_owned(), current["at"].as_str()?);
        Some(Self { copy, generation, at: at.parse().ok()?, feed })
    }
}

/// Makes `to` equal to `from`. A file of `to` with the same size and time stays; one of `other` is linked and not copied.
fn copy_folder(from: &Path, to: &Path, other: Option<&Path>) -> Result<(), io::Error> {
    let opened = Folder::open(from)?;
    fs::create_dir_all(to)?;
    // First, removes entries that the content folder no longer has or has as another kind.
    for entry in WalkDir::new(to).min_depth(1).contents_first(true) {
        let entry = entry?;
        let path = entry.path().strip_prefix(to).unwrap_or(entry.path());
        let is_kept =
            fs::symlink_metadata(from.join(path)).is_ok_and(|found| found.file_type() == entry.file_type());
        if entry.file_type().is_dir() {
            if !is_kept {
                fs::remove_dir(entry.path())?;
            }
        } else if !is_kept || is_feed(path) {
            fs::remove_file(entry.path())?;
        }
    }
    let is_visible = |entry: &DirEntry| !entry.file_name().as_encoded_bytes().starts_with(b".");
    for entry in WalkDir::new(from).min_depth(1).into_iter().filter_entry(is_visible) {
        let entry = entry?;
        let path = entry.path().strip_prefix(from).unwrap_or(entry.path());
        let (target, before) = (to.join(path), other.map(|other| other.join(path)));
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target)?;
        } else if entry.file_type().is_file() && !is_feed(path) {
            let found = entry.metadata()?;
            if is_same(&found, &target) {
                continue;
            }
            if target.symlink_metadata().is_ok() {
                fs::remove_file(&target)?;
            }
            if let Some(before) = before
                && is_same(&found, &before)
                && fs::hard_link(&before, &target).is_ok()
            {
                continue;
            }
            copy_file(&opened, path, &target)?;
        }
    }
    Ok(())
}

/// Copies a file with its time, and no link or pipe that took its place since it was seen.
fn copy_file(content: &Folder, path: &Path, target: &Path) -> Result<(), io::Error> {
    let mut file = content.file(path).map_err(io::Error::other)?;
    let mut copy = File::create_new(target)?;
    io::copy(&mut file, &mut copy)?;
    copy.set_modified(file.metadata()?.modified()?)
}

fn is_feed(path: &Path) -> bool {
    [FeedMode::Busy, FeedMode::Open].into_iter().any(|mode| path == Path::new(feed_path(mode)))
}

fn is_same(found: &Metadata, copied: &Path) -> bool {
    fs::symlink_metadata(copied).is_ok_and(|copied| {
        copied.is_file() && copied.len() == found.len() && copied.modified().ok() == found.modified().ok()
    })
}

fn replace_file(path: &Path, value: &Value) -> Result<(), io::Error> {
    let new = path.with_extension("new");
    let mut file = File::create(&new)?;
    writeln!(file, "{value}")?;
    file.sync_all()?;
    fs::rename(&new, path)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    fn copy_of_demo(to: &Path) {
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
        copy_folder(&demo, to, None).unwrap();
    }

    fn generation(content: &Path) -> Generation {
        let today = Clock::system().now().date_naive();
        load_and_check_beside_feed(content, today).unwrap().directory.generation().clone()
    }

    #[test]
    fn the_last_good_content_is_the_newest_that_was_kept_whole() {
        let folder = tempfile::tempdir().unwrap();
        let (content, state) = (folder.path().join("content"), folder.path().join("state"));
        copy_of_demo(&content);
        let (clock, state) = (Clock::system(), StateFolder::open(&state).unwrap());
        assert!(state.last_good(clock).unwrap().is_none());
        let good = || state.last_good(clock).unwrap().unwrap();
        let first = generation(&content);
        state.keep(&content, &first, None, clock.now()).unwrap();
        assert_eq!(good().checked.directory.generation(), &first);

        let plans = content.join("insurances.toml");
        let more = fs::read_to_string(&plans).unwrap() + "\n[[plan]]\nname = \"Another Plan\"\n";
        fs::write(&plans, more).unwrap();
        fs::write(content.join(feed_path(FeedMode::Busy)), "").unwrap();
        let wrong = state.keep(&content, &first, None, clock.now());
        assert!(wrong.is_err(), "the folder does not have this generation");
        assert_eq!(good().checked.directory.generation(), &first);

        let second = generation(&content);
        state.keep(&content, &second, None, clock.now()).unwrap();
        assert_eq!((good().checked.directory.generation(), state.feed()), (&second, Some(FeedMode::Busy)));
        for copy in COPIES {
            assert!(!state.folder.join(copy).join(feed_path(FeedMode::Busy)).exists(), "a feed is not kept");
        }

        fs::write(state.folder.join(COPIES[1]).join("insurances.toml"), "").unwrap();
        let refused = state.last_good(clock).err().unwrap();
        assert!(refused.contains("content-1"), "a damaged copy is not served, and named: {refused}");
        let plans = state.folder.join(COPIES[1]).join("insurances.toml");
        fs::write(&plans, fs::read_to_string(content.join("insurances.toml")).unwrap() + "# more\n").unwrap();
        let refused = state.last_good(clock).err().unwrap();
        assert!(refused.contains("a file of it was changed"), "{refused}");
        fs::write(state.folder.join(CURRENT), "{\"copy\":").unwrap();
        let refused = state.last_good(clock).err().unwrap();
        assert!(refused.contains("current.json is damaged"), "{refused}");
        state.keep(&content, &second, Some(FeedMode::Open), clock.now()).unwrap();
        assert_eq!(good().checked.directory.generation(), &second);
    }

    #[test]
    fn a_file_that_changes_and_keeps_its_size_and_time_is_kept_as_it_is_now() {
        let folder = tempfile::tempdir().unwrap();
        let (content, state) = (folder.path().join("content"), folder.path().join("state"));
        copy_of_demo(&content);
        let (clock, state) = (Clock::system(), StateFolder::open(&state).unwrap());
        let plans = content.join("insurances.toml");
        let text = fs::read_to_string(&plans).unwrap();
        // The time of all files in a Nix store.
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(1);
        // The third one replaces the first copy.
        for end in ["a", "b", "c"] {
            fs::write(&plans, format!("{text}# {end}\n")).unwrap();
            File::options().write(true).open(&plans).unwrap().set_modified(at).unwrap();
            let generation = generation(&content);
            state.keep(&content, &generation, None, clock.now()).unwrap();
            let good = state.last_good(clock).unwrap().unwrap();
            assert_eq!(good.checked.directory.generation(), &generation, "{end}");
        }
    }

    #[test]
    fn a_file_behind_a_link_is_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to, other] = ["from", "to", "other"].map(|name| folder.path().join(name));
        fs::create_dir_all(from.join("a")).unwrap();
        fs::write(folder.path().join("secret"), "secret").unwrap();
        std::os::unix::fs::symlink("../secret", from.join("link")).unwrap();
        copy_folder(&from, &to, Some(&other)).unwrap();
        assert!(to.join("link").symlink_metadata().is_err());
        // The walk saw a file, and it is a link when it is opened.
        let opened = Folder::open(&from).unwrap();
        assert!(copy_file(&opened, Path::new("link"), &to.join("copied")).is_err());
        assert!(to.join("copied").symlink_metadata().is_err());
    }

    #[test]
    fn a_copy_follows_deleted_and_changed_files() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to, other] = ["from", "to", "other"].map(|name| folder.path().join(name));
        fs::create_dir_all(from.join("a")).unwrap();
        fs::write(from.join("a/one"), "1").unwrap();
        fs::write(from.join("two"), "2").unwrap();
        fs::create_dir_all(from.join(".git")).unwrap();
        fs::write(from.join(".git/index"), "3").unwrap();
        copy_folder(&from, &to, Some(&other)).unwrap();
        fs::remove_dir_all(from.join("a")).unwrap();
        fs::write(from.join("a"), "now a file").unwrap();
        fs::write(from.join("two"), "22").unwrap();
        copy_folder(&from, &to, Some(&other)).unwrap();
        assert_eq!(fs::read_to_string(to.join("a")).unwrap(), "now a file");
        assert_eq!(fs::read_to_string(to.join("two")).unwrap(), "22");
        assert_eq!(fs::read_dir(&to).unwrap().count(), 2);
    }
}
