//! Saves what a feed knows in a file, so that a restart does not forget it.
//!
//! The file has the sets in use with the times of their parts, and the sizes that readings are compared with. After a
//! restart the sets are used with their true age until the source is read, and the first reading is held if it has lost
//! too much, like any other. A file that cannot be read, or is about another feed, is not used, and operators see why.
//!
//! The file also records that there was a feed. If the feed's file vanishes from the content folder, a restart treats
//! the feed as missing until an operator ends it. The end is recorded, too.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::DateTime;
use directory::calendar::{Busy, FeedEntries, FeedMode, Instant, OpenSlot, ProviderFeed};
use directory::content::{OpenError, read_file, replace_file};
use directory::model::{Generation, Slug, VisitTypeId};
use serde::{Deserialize, Serialize};

use crate::keyed::loss::SiteLoss;
use crate::loss::{EntryHistory, Shrink};
use crate::options::FeedOptions;
use crate::providers::FeedProviders;
use crate::status::LastRead;

/// The most bytes that are read.
const LARGEST: u64 = 1 << 30;

/// The file's content. Times are in seconds since 1970; those of readings (`SavedPart::at`) are in milliseconds.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Memory {
    feed: String,
    is_busy: bool,
    generation: String,
    parts: BTreeMap<Arc<str>, SavedPart>,
    listed: BTreeMap<String, Vec<Arc<str>>>,
    unlisted: Vec<String>,
    withheld: Vec<String>,
    sets: BTreeMap<String, Vec<SavedEntry>>,
    sizes: SavedSizes,
    /// Of a feed of keys: the sizes of its sites, which are the parts of `listed`. The values are in the bucket.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    sites: BTreeMap<Arc<str>, SavedHours>,
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

#[derive(Debug, Serialize, Deserialize)]
struct SavedPart {
    at: i64,
    as_of: Option<i64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedEntry(i64, i64, #[serde(default, skip_serializing_if = "Option::is_none")] Option<Vec<i64>>);

#[derive(Debug, Serialize, Deserialize)]
struct SavedSizes {
    last: BTreeMap<String, i64>,
    most: BTreeMap<String, i64>,
    most_at: Option<i64>,
    entries: Vec<(Option<Arc<str>>, SavedHours)>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedHours {
    last: BTreeMap<i64, usize>,
    most: BTreeMap<i64, usize>,
    since: Option<i64>,
}

/// What is in use, as it is saved and restored.
#[derive(Debug)]
pub(crate) struct InUse {
    pub(crate) providers: FeedProviders,
    pub(crate) confirmed: BTreeMap<Arc<str>, LastRead>,
    pub(crate) sets: BTreeMap<Slug, ProviderFeed>,
}

impl Memory {
    pub(crate) fn of(
        feed: &str,
        mode: FeedMode,
        generation: &Generation,
        shrink: &Shrink,
        in_use: &InUse,
    ) -> Self {
        let texts = |slugs: &mut dyn Iterator<Item = &Slug>| slugs.map(ToString::to_string).collect();
        let InUse { providers, confirmed, sets } = in_use;
        Self {
            feed: feed.to_owned(),
            is_busy: mode == FeedMode::Busy,
            generation: generation.as_str().to_owned(),
            parts: confirmed
                .iter()
                .map(|(name, good)| {
                    let as_of = good.source_time().map(Instant::unix);
                    (Arc::clone(name), SavedPart { at: good.read_at().timestamp_millis(), as_of })
                })
                .collect(),
            listed: providers
                .listed()
                .iter()
                .map(|(slug, files)| (slug.to_string(), files.clone()))
                .collect(),
            unlisted: texts(&mut providers.unlisted().iter()),
            withheld: texts(&mut providers.withheld().iter()),
            sets: sets.iter().map(|(slug, feed)| (slug.to_string(), saved_entries(&feed.entries))).collect(),
            sizes: SavedSizes::of(shrink),
            sites: BTreeMap::new(),
        }
    }

    /// The memory of a feed of keys: the sizes of its sites, and the providers that they list.
    pub(crate) fn of_sites(
        feed: &str,
        mode: FeedMode,
        generation: &Generation,
        losses: &BTreeMap<Arc<str>, SiteLoss>,
        providers: &FeedProviders,
    ) -> Self {
        let mut listed = providers.listed().clone();
        for (site, loss) in losses {
            for slug in loss.former() {
                listed.entry(slug.clone()).or_default().push(Arc::clone(site));
            }
        }
        let providers = FeedProviders::of(listed, BTreeSet::new(), BTreeSet::new());
        let in_use = InUse { providers, confirmed: BTreeMap::new(), sets: BTreeMap::new() };
        let sites =
            losses.iter().map(|(name, loss)| (Arc::clone(name), SavedHours::of(loss.entries()))).collect();
        Self { sites, ..Self::of(feed, mode, generation, &Shrink::default(), &in_use) }
    }

    /// The sizes that the sites of a feed of keys are compared with; empty for other feeds.
    pub(crate) fn losses(&self) -> BTreeMap<Arc<str>, SiteLoss> {
        let listed = |site: &Arc<str>| {
            let of_site = self.listed.iter().filter(|(_, sites)| sites.contains(site));
            of_site.filter_map(|(slug, _)| slug.parse().ok()).collect()
        };
        let restored =
            |name, hours: &SavedHours| (Arc::clone(name), SiteLoss::restored(hours.restored(), listed(name)));
        self.sites.iter().map(|(name, hours)| restored(name, hours)).collect()
    }

    /// Writes the file, and replaces the former one at once.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        replace(path, &serde_json::to_vec(self)?)
    }

    /// Reads the file; `None` if it is missing, or if no data of the feed was in use.
    pub(crate) fn read(path: &Path, feed: &str, mode: FeedMode) -> Result<Option<Self>, String> {
        let memory = match Saved::read(path)? {
            Saved::Nothing | Saved::Found(_) | Saved::Ended => return Ok(None),
            Saved::InUse(memory) => *memory,
        };
        if memory.is_of(feed, mode) {
            return Ok(Some(memory.under_the_name(feed)));
        }
        let was = if memory.is_busy { FeedMode::Busy } else { FeedMode::Open }.word();
        Err(format!("{} is about the feed {} in the mode {was}", path.display(), memory.feed))
    }

    fn is_of(&self, feed: &str, mode: FeedMode) -> bool {
        self.is_busy == (mode == FeedMode::Busy) && is_same_name(&self.feed, feed)
    }

    /// The memory with another spelling of the feed's path, which is also the name of its one part.
    fn under_the_name(mut self, feed: &str) -> Self {
        if self.feed == feed {
            return self;
        }
        let (before, now) = (std::mem::replace(&mut self.feed, feed.to_owned()), Arc::<str>::from(feed));
        let rename = |part: &mut Arc<str>| {
            if **part == *before {
                *part = Arc::clone(&now);
            }
        };
        if let Some(part) = self.parts.remove(&*before) {
            self.parts.insert(Arc::clone(&now), part);
        }
        self.listed.values_mut().flatten().for_each(rename);
        self.sizes.entries.iter_mut().filter_map(|(file, _)| file.as_mut()).for_each(rename);
        self
    }

    /// The sizes that readings are compared with.
    pub(crate) fn shrink(&self) -> Shrink {
        self.sizes.restored()
    }

    /// Whether [`in_use`](Self::in_use) was resolved in this content. In another it may mean other providers.
    pub(crate) fn is_resolved_in(&self, generation: &Generation) -> bool {
        self.generation == generation.as_str()
    }

    /// What was in use; `None` if a part of it cannot be read.
    pub(crate) fn in_use(&self) -> Option<InUse> {
        let slugs =
            |texts: &[String]| texts.iter().map(|text| text.parse().ok()).collect::<Option<BTreeSet<_>>>();
        let mut sets = BTreeMap::new();
        for (slug, entries) in &self.sets {
            let provider: Slug = slug.parse().ok()?;
            let entries = restored_entries(entries, self.is_busy)?;
            sets.insert(provider.clone(), ProviderFeed { provider, entries });
        }
        let listed = self.listed.iter().map(|(slug, files)| Some((slug.parse().ok()?, files.clone())));
        let listed = listed.collect::<Option<_>>()?;
        let providers = FeedProviders::of(listed, slugs(&self.unlisted)?, slugs(&self.withheld)?);
        let confirmed = self.parts.iter().map(|(name, part)| {
            let at = DateTime::from_timestamp_millis(part.at)?;
            Some((Arc::clone(name), LastRead::restored(at, part.as_of.map(Instant::from_unix))))
        });
        Some(InUse { providers, confirmed: confirmed.collect::<Option<_>>()?, sets })
    }
}

/// What the file has.
enum Saved {
    Nothing,
    /// There is a feed of this name, and nothing of it was used.
    Found(String),
    /// An operator has ended the feed.
    Ended,
    InUse(Box<Memory>),
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
        let memory = serde_json::from_slice(&bytes);
        memory.map(Self::InUse).map_err(|error| format!("{} is damaged: {error}", path.display()))
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

fn saved_entries(entries: &FeedEntries) -> Vec<SavedEntry> {
    match entries {
        FeedEntries::Busy(times) => {
            times.iter().map(|busy| SavedEntry(busy.start.unix(), busy.end.unix(), None)).collect()
        }
        FeedEntries::Open(slots) => {
            let types = |slot: &OpenSlot| {
                slot.types.as_ref().map(|types| types.iter().map(|id| i64::from(id.get())).collect())
            };
            slots.iter().map(|slot| SavedEntry(slot.start.unix(), slot.end.unix(), types(slot))).collect()
        }
    }
}

fn restored_entries(entries: &[SavedEntry], is_busy: bool) -> Option<FeedEntries> {
    let time =
        |SavedEntry(start, end, _): &SavedEntry| (Instant::from_unix(*start), Instant::from_unix(*end));
    if is_busy {
        let busy = |entry| {
            let (start, end) = time(entry);
            Busy { start, end }
        };
        return Some(FeedEntries::Busy(entries.iter().map(busy).collect()));
    }
    let slot = |entry: &SavedEntry| {
        let (start, end) = time(entry);
        let types = match &entry.2 {
            None => None,
            Some(ids) => Some(ids.iter().map(|&id| VisitTypeId::try_from(id).ok()).collect::<Option<_>>()?),
        };
        Some(OpenSlot { start, end, types })
    };
    entries.iter().map(slot).collect::<Option<_>>().map(FeedEntries::Open)
}

impl SavedSizes {
    fn of(shrink: &Shrink) -> Self {
        let ends = |providers: &BTreeMap<Slug, Instant>| {
            providers.iter().map(|(slug, until)| (slug.to_string(), until.unix())).collect()
        };
        Self {
            last: ends(&shrink.last_providers),
            most: ends(&shrink.most_providers.0),
            most_at: shrink.most_providers.1.map(Instant::unix),
            entries: shrink.entries.iter().map(|(file, of)| (file.clone(), SavedHours::of(of))).collect(),
        }
    }

    fn restored(&self) -> Shrink {
        let ends = |providers: &BTreeMap<String, i64>| {
            let end = |(slug, until): (&String, &i64)| Some((slug.parse().ok()?, Instant::from_unix(*until)));
            providers.iter().filter_map(end).collect()
        };
        Shrink {
            last_providers: ends(&self.last),
            most_providers: (ends(&self.most), self.most_at.map(Instant::from_unix)),
            entries: self.entries.iter().map(|(file, of)| (file.clone(), of.restored())).collect(),
            ..Shrink::default()
        }
    }
}

impl SavedHours {
    fn of(hours: &EntryHistory) -> Self {
        let since = hours.since.map(Instant::unix);
        Self { last: hours.last.clone(), most: hours.most.clone(), since }
    }

    fn restored(&self) -> EntryHistory {
        EntryHistory {
            last: self.last.clone(),
            most: self.most.clone(),
            since: self.since.map(Instant::from_unix),
            ..EntryHistory::default()
        }
    }
}
