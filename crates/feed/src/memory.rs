//! The memory file of a feed, which a restart must not forget: what the engine remembers, or that an operator has ended the
//! feed, or that the content folder has a feed of which nothing was ever used.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use directory::calendar::{FeedMode, Memory};
use directory::content::{OpenError, read_file, replace_file};
use serde::{Deserialize, Serialize};
use tokio::time::Instant as Tick;

use crate::options::FeedOptions;

const LARGEST: u64 = 1 << 30;
/// The format of what the engine remembers. Of former formats, only whose feed it was is read: a comparison with what they remember
/// would find that much has gone.
const FORMAT: u32 = 3;

/// The shortest time between two writings of the file.
const WRITE_EVERY: Duration = Duration::from_secs(10);
/// The same after new times: a restart after a crash that finds no feed offers a booking that the file doesn't have.
const WRITE_SOON: Duration = Duration::from_secs(1);
/// No more than a twentieth of the time is spent on writing new times.
const REST: u32 = 20;
/// The file has ages, so it is written after this time even if only beats arrived. A bucket's is large: never sooner.
const REWRITE_EVERY: Duration = Duration::from_mins(5);

/// When the file is to be written.
pub(crate) struct MemoryFile {
    pub(crate) path: PathBuf,
    is_of_bucket: bool,
    written: Option<Tick>,
    took: Duration,
    /// Whether something has changed since, and whether that is some provider's time.
    is_old: bool,
    has_new_times: bool,
}

impl MemoryFile {
    pub(crate) fn new(path: PathBuf, is_of_bucket: bool) -> Self {
        let (took, is_old, has_new_times) = (Duration::ZERO, false, false);
        Self { path, is_of_bucket, written: None, took, is_old, has_new_times }
    }

    pub(crate) fn note(&mut self, has_new_times: bool) {
        self.is_old = true;
        self.has_new_times |= has_new_times;
    }

    pub(crate) fn wrote(&mut self, began: Tick, ended: Tick) {
        (self.written, self.took) = (Some(ended), ended - began);
        (self.is_old, self.has_new_times) = (false, false);
    }

    pub(crate) fn is_due(&self, now: Tick) -> bool {
        let Some(since) = self.written.map(|written| now - written) else { return self.is_old };
        let every = match (self.is_of_bucket, self.has_new_times) {
            (true, _) => REWRITE_EVERY,
            (false, true) => (self.took * REST).clamp(WRITE_SOON, WRITE_EVERY),
            (false, false) => WRITE_EVERY,
        };
        since >= REWRITE_EVERY || self.is_old && since >= every
    }
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Saved {
    /// The name of a feed that an operator has ended.
    ended: Option<String>,
    /// The name of a feed of which nothing was used.
    found: Option<String>,
    feed: Option<String>,
    format: u32,
    is_busy: bool,
    engine: Option<Memory>,
}

impl Saved {
    fn is_of(&self, feed: &str, mode: FeedMode) -> bool {
        let is_its = |name: &String| is_same_name(name, feed);
        self.is_busy == (mode == FeedMode::Busy) && self.feed.as_ref().is_some_and(is_its)
    }

    fn read(path: &Path) -> Result<Option<Self>, String> {
        let bytes = match read_file(path, LARGEST) {
            Ok(bytes) => bytes,
            Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{} can't be read: {error}", path.display())),
        };
        let saved: Self = serde_json::from_slice(&bytes)
            .map_err(|error| format!("{} is damaged: {error}", path.display()))?;
        let is_any = [&saved.ended, &saved.found, &saved.feed].into_iter().any(Option::is_some);
        match saved.format {
            FORMAT if saved.engine.is_some() => Ok(Some(saved)),
            ..FORMAT if is_any => Ok(Some(saved)),
            format => {
                Err(format!("{} has the format {format}, which this version doesn't read", path.display()))
            }
        }
    }

    pub(crate) fn read_memory(path: &Path, feed: &str, mode: FeedMode) -> Result<Option<Memory>, String> {
        let Some(saved) = Self::read(path)? else { return Ok(None) };
        let is_of = saved.is_of(feed, mode);
        let Some(name) = saved.feed else { return Ok(None) };
        if is_of {
            return Ok(saved.engine.map(|memory| memory.renamed(&name, feed)));
        }
        let was = if saved.is_busy { FeedMode::Busy } else { FeedMode::Open }.word();
        Err(format!("{} is about the feed {name} in the mode {was}", path.display()))
    }

    pub(crate) fn write_memory(path: &Path, feed: &str, mode: FeedMode, memory: Memory) -> io::Result<()> {
        let (engine, feed, is_busy) = (Some(memory), Some(feed.to_owned()), mode == FeedMode::Busy);
        replace(path, &Self { format: FORMAT, feed, is_busy, engine, ..Self::default() })
    }
}

/// Returns the candidate that the content folder had when the service last ran. If the memory names none, it is the one of
/// the mode `kept`, which the content had when it was last copied. A damaged memory counts as a feed.
pub fn remembered(candidates: &[FeedOptions], kept: Option<FeedMode>) -> Option<&FeedOptions> {
    let of_kept = || candidates.iter().find(|options| Some(options.mode()) == kept);
    let first = candidates.first()?;
    match first.memory.as_deref().map_or(Ok(None), Saved::read) {
        Ok(None) => of_kept(),
        Ok(Some(Saved { ended: Some(_), .. })) => None,
        Ok(Some(Saved { found: Some(name), .. })) => {
            candidates.iter().find(|options| is_same_name(&name, &options.name())).or_else(of_kept)
        }
        Ok(Some(saved)) => {
            let is_of = |options: &&FeedOptions| saved.is_of(&options.name(), options.mode());
            candidates.iter().find(is_of).or_else(of_kept)
        }
        Err(_) => of_kept().or(Some(first)),
    }
}

pub(crate) fn remember_end(path: &Path, feed: &str) -> io::Result<()> {
    replace(path, &Saved { ended: Some(feed.to_owned()), ..Saved::default() })
}

/// Remembers that there is a feed of this name, unless more is known of a feed.
pub(crate) fn remember_found(path: &Path, feed: &str) -> io::Result<()> {
    if Saved::read(path).is_ok_and(|saved| saved.is_none_or(|saved| saved.ended.is_some())) {
        replace(path, &Saved { found: Some(feed.to_owned()), ..Saved::default() })?;
    }
    Ok(())
}

fn replace(path: &Path, saved: &Saved) -> io::Result<()> {
    let bytes = serde_json::to_vec(saved)?;
    replace_file(path, &bytes)
}

/// Whether two names are those of one feed: the same text, or two spellings of one path.
fn is_same_name(one: &str, other: &str) -> bool {
    let absolute = |name: &str| std::path::absolute(name).ok();
    // The file itself may be missing, or a link that is exchanged.
    let real = |name: &str| -> Option<PathBuf> {
        let path = absolute(name)?;
        #[expect(
            clippy::disallowed_methods,
            reason = "follows the links of a path, without reading what is there"
        )]
        let folder = path.parent()?.canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    let is_address = |name: &str| name.contains("://");
    one == other
        || !is_address(one)
            && !is_address(other)
            && (absolute(one) == absolute(other) || real(one).is_some_and(|path| Some(path) == real(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a file that was written in this time is due this many milliseconds later.
    fn is_due(is_of_bucket: bool, took: u64, new_times: Option<bool>, after: u64) -> bool {
        let (began, millis) = (Tick::now(), Duration::from_millis);
        let mut file = MemoryFile::new(PathBuf::new(), is_of_bucket);
        file.note(true);
        assert!(file.is_due(began), "it was never written");
        file.wrote(began, began + millis(took));
        if let Some(new_times) = new_times {
            file.note(new_times);
        }
        file.is_due(began + millis(took + after))
    }

    #[test]
    fn a_file_has_one_name_however_its_path_is_written() {
        let (folder, real) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(real.path(), folder.path().join("link")).unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let really = |name: &str| real.path().join(name).to_str().unwrap().to_owned();

        assert!(is_same_name(&really("feed.json"), &at("link/feed.json")));
        assert!(is_same_name(&really("feed.json"), &really("./feed.json")));
        assert!(!is_same_name(&really("feed.json"), &really("other.json")));
        assert!(!is_same_name(&at("none/feed.json"), &at("link/feed.json")));
        assert!(is_same_name("https://a.example/b", "https://a.example/b"));
        assert!(!is_same_name("https://a.example/./b", "https://a.example/b"));
    }

    #[test]
    fn new_times_are_written_within_a_second_and_a_large_file_rests() {
        for (is_of_bucket, took, new_times, due_after) in [
            (false, 1, Some(true), 1_000),
            (false, 100, Some(true), 2_000),
            (false, 2_000, Some(true), 10_000),
            (false, 1, Some(false), 10_000),
            (false, 1, None, 300_000),
            (true, 1, Some(true), 300_000),
        ] {
            assert!(!is_due(is_of_bucket, took, new_times, due_after - 1), "{took} {new_times:?}");
            assert!(is_due(is_of_bucket, took, new_times, due_after), "{took} {new_times:?}");
        }
    }
}
