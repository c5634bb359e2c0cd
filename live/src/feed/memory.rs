//! What a feed knows, in a file, so that a restart does not forget it.
//!
//! The file has the sets in use with the times of their parts, and the sizes that readings are compared with. After a
//! restart the sets are used as old as they are, until the source is read; and the first reading is held if it has lost too
//! much, as any other. A file that cannot be read, or is about another feed, is ignored.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use chrono::DateTime;
use directory::calendar::{Busy, FeedEntries, FeedMode, Instant, OpenSlot, ProviderFeed};
use directory::model::{Generation, Slug, VisitTypeId};
use serde::{Deserialize, Serialize};

use super::loss::{EntryHistory, Shrink};
use super::status::{FeedProviders, LastRead};

/// The file's content. Times are seconds since 1970, and those of readings milliseconds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Memory {
    feed: String,
    is_busy: bool,
    generation: String,
    parts: BTreeMap<Arc<str>, SavedPart>,
    listed: BTreeMap<String, Vec<Arc<str>>>,
    unlisted: Vec<String>,
    withheld: Vec<String>,
    sets: BTreeMap<String, Vec<SavedEntry>>,
    sizes: SavedSizes,
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
pub(super) struct InUse {
    pub(super) providers: FeedProviders,
    pub(super) confirmed: BTreeMap<Arc<str>, LastRead>,
    pub(super) sets: BTreeMap<Slug, ProviderFeed>,
}

impl Memory {
    pub(super) fn of(
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
            listed: providers.listed.iter().map(|(slug, files)| (slug.to_string(), files.clone())).collect(),
            unlisted: texts(&mut providers.unlisted.iter()),
            withheld: texts(&mut providers.withheld.iter()),
            sets: sets.iter().map(|(slug, feed)| (slug.to_string(), saved_entries(&feed.entries))).collect(),
            sizes: SavedSizes::of(shrink),
        }
    }

    /// Writes the file, and replaces the former one at once.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let new = path.with_extension("new");
        #[expect(clippy::disallowed_methods, reason = "the memory is a file of this module")]
        {
            fs::write(&new, serde_json::to_vec(self)?)?;
            fs::rename(&new, path)
        }
    }

    /// Reads the file if it is about this feed.
    pub(super) fn read(path: &Path, feed: &str, mode: FeedMode) -> Option<Self> {
        #[expect(clippy::disallowed_methods, reason = "the memory is a file of this module")]
        let bytes = fs::read(path).ok()?;
        let memory: Self = serde_json::from_slice(&bytes).ok()?;
        (memory.feed == feed && memory.is_busy == (mode == FeedMode::Busy)).then_some(memory)
    }

    /// The sizes that readings are compared with.
    pub(super) fn shrink(&self) -> Shrink {
        self.sizes.restored()
    }

    /// What was in use; `None` if it was resolved in other content, where it may mean other providers.
    pub(super) fn in_use(&self, generation: &Generation) -> Option<InUse> {
        if self.generation != generation.as_str() {
            return None;
        }
        let slugs = |texts: &[String]| texts.iter().map(|text| text.parse().ok()).collect::<Option<Vec<_>>>();
        let mut sets = BTreeMap::new();
        for (slug, entries) in &self.sets {
            let provider: Slug = slug.parse().ok()?;
            let entries = restored_entries(entries, self.is_busy)?;
            sets.insert(provider.clone(), ProviderFeed { provider, entries });
        }
        let listed = self.listed.iter().map(|(slug, files)| Some((slug.parse().ok()?, files.clone())));
        let providers = FeedProviders {
            listed: listed.collect::<Option<_>>()?,
            unlisted: slugs(&self.unlisted)?,
            withheld: slugs(&self.withheld)?.into_iter().collect(),
        };
        let confirmed = self.parts.iter().map(|(name, part)| {
            let at = DateTime::from_timestamp_millis(part.at)?;
            Some((Arc::clone(name), LastRead::restored(at, part.as_of.map(Instant::from_unix))))
        });
        Some(InUse { providers, confirmed: confirmed.collect::<Option<_>>()?, sets })
    }
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
        let types = entry.2.as_ref().map(|types| {
            types.iter().map(|&number| VisitTypeId::try_from(number).ok()).collect::<Option<Vec<_>>>()
        });
        let types = match types {
            None => None,
            Some(types) => Some(types?),
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
        let hours = |hours: &EntryHistory| SavedHours {
            last: hours.last.clone(),
            most: hours.most.clone(),
            since: hours.since.map(Instant::unix),
        };
        Self {
            last: ends(&shrink.last_providers),
            most: ends(&shrink.most_providers.0),
            most_at: shrink.most_providers.1.map(Instant::unix),
            entries: shrink.entries.iter().map(|(file, of)| (file.clone(), hours(of))).collect(),
        }
    }

    fn restored(&self) -> Shrink {
        let ends = |providers: &BTreeMap<String, i64>| {
            let end = |(slug, until): (&String, &i64)| Some((slug.parse().ok()?, Instant::from_unix(*until)));
            providers.iter().filter_map(end).collect()
        };
        let hours = |saved: &SavedHours| EntryHistory {
            last: saved.last.clone(),
            most: saved.most.clone(),
            since: saved.since.map(Instant::from_unix),
            ..EntryHistory::default()
        };
        Shrink {
            last_providers: ends(&self.last),
            most_providers: (ends(&self.most), self.most_at.map(Instant::from_unix)),
            entries: self.entries.iter().map(|(file, of)| (file.clone(), hours(of))).collect(),
            ..Shrink::default()
        }
    }
}
