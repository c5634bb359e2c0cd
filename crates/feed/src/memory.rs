//! The memory file of a feed: what a restart must not forget.
//!
//! It has what the engine remembers, or that an operator has ended the feed, or that the content folder has a feed of which
//! nothing was ever used.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use directory::calendar::{FeedMode, Memory};
use directory::content::{OpenError, read_file, replace_file};
use serde::{Deserialize, Serialize};

use crate::options::FeedOptions;

/// The most bytes that are read.
const LARGEST: u64 = 1 << 30;
/// The format of what the engine remembers.
const FORMAT: u32 = 2;
/// The format of the version before, whose files do not name theirs. Of these, only whose feed it was is read: the version
/// before remembered clinicians where this one remembers Schedules, so a comparison would find that all have gone.
const FORMER: u32 = 1;

/// What the file has.
pub(crate) enum Saved {
    Nothing,
    /// There is a feed of this name, and nothing of it was used.
    Found(String),
    /// An operator has ended the feed.
    Ended,
    InUse(Box<InUse>),
}

/// The file's content.
#[derive(Serialize, Deserialize)]
pub(crate) struct InUse {
    #[serde(default = "former")]
    format: u32,
    feed: String,
    is_busy: bool,
    memory: Option<Memory>,
}

fn former() -> u32 {
    FORMER
}

/// The file's content once an operator has ended the feed of this name.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ended {
    ended: String,
}

/// The file's content while the feed of this name, found in the content folder, was never usable.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    found: String,
}

impl InUse {
    fn is_of(&self, feed: &str, mode: FeedMode) -> bool {
        self.is_busy == (mode == FeedMode::Busy) && is_same_name(&self.feed, feed)
    }
}

impl Saved {
    fn read(path: &Path) -> Result<Self, String> {
        let bytes = match read_file(path, LARGEST) {
            Ok(bytes) => bytes,
            Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::Nothing),
            Err(error) => return Err(format!("{} cannot be read: {error}", path.display())),
        };
        if serde_json::from_slice::<Ended>(&bytes).is_ok() {
            return Ok(Self::Ended);
        }
        if let Ok(Found { found }) = serde_json::from_slice(&bytes) {
            return Ok(Self::Found(found));
        }
        let saved = serde_json::from_slice(&bytes);
        let saved: InUse = saved.map_err(|error| format!("{} is damaged: {error}", path.display()))?;
        let is_known = match saved.format {
            FORMAT => saved.memory.is_some(),
            format => format == FORMER,
        };
        if is_known {
            Ok(Self::InUse(Box::new(saved)))
        } else {
            Err(format!(
                "{} has the format {}, which this version does not read",
                path.display(),
                saved.format
            ))
        }
    }

    /// Reads what the engine remembers; `None` if the file is missing, or if no data of the feed was in use.
    pub(crate) fn read_memory(path: &Path, feed: &str, mode: FeedMode) -> Result<Option<Memory>, String> {
        let saved = match Self::read(path)? {
            Self::Nothing | Self::Found(_) | Self::Ended => return Ok(None),
            Self::InUse(saved) => *saved,
        };
        if saved.is_of(feed, mode) {
            return Ok(saved.memory.map(|memory| memory.renamed(&saved.feed, feed)));
        }
        let was = if saved.is_busy { FeedMode::Busy } else { FeedMode::Open }.word();
        Err(format!("{} is about the feed {} in the mode {was}", path.display(), saved.feed))
    }

    /// Writes the file, and replaces the former one at once.
    pub(crate) fn write_memory(path: &Path, feed: &str, mode: FeedMode, memory: Memory) -> io::Result<()> {
        let memory = Some(memory);
        let saved = InUse { format: FORMAT, feed: feed.to_owned(), is_busy: mode == FeedMode::Busy, memory };
        replace(path, &serde_json::to_vec(&saved)?)
    }
}

/// Returns the candidate that the content folder had when the service last ran, as the memory says. `kept` is the
/// feed's mode when the content was last copied; it is used if the memory names no candidate. A damaged memory counts
/// as a feed.
#[must_use]
pub fn remembered(candidates: &[FeedOptions], kept: Option<FeedMode>) -> Option<&FeedOptions> {
    let of_kept = || candidates.iter().find(|options| Some(options.mode()) == kept);
    let first = candidates.first()?;
    match first.memory.as_deref().map_or(Ok(Saved::Nothing), Saved::read) {
        Ok(Saved::Nothing) => of_kept(),
        Ok(Saved::Ended) => None,
        Ok(Saved::Found(name)) => {
            candidates.iter().find(|options| is_same_name(&name, &options.name())).or_else(of_kept)
        }
        Ok(Saved::InUse(memory)) => {
            let is_of = |options: &&FeedOptions| memory.is_of(&options.name(), options.mode());
            candidates.iter().find(is_of).or_else(of_kept)
        }
        Err(_) => of_kept().or(Some(first)),
    }
}

/// Remembers that an operator has ended the feed of this name.
pub(crate) fn remember_end(path: &Path, feed: &str) -> io::Result<()> {
    replace(path, &serde_json::to_vec(&Ended { ended: feed.to_owned() })?)
}

/// Remembers that there is a feed of this name, unless more is known of a feed.
pub(crate) fn remember_found(path: &Path, feed: &str) -> io::Result<()> {
    match Saved::read(path) {
        Ok(Saved::Nothing | Saved::Ended) => {
            replace(path, &serde_json::to_vec(&Found { found: feed.to_owned() })?)
        }
        _ => Ok(()),
    }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_file(path, |file| file.write_all(bytes))
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
