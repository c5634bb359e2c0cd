//! Builds the set of a reading: the entries of each provider, what is skipped, and who is withheld.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::hours::Busy;
use super::super::instant::Instant;
use super::busy_times::BusyTimes;
use super::error::{BadLine, FeedError};
use super::file::{FeedFile, FileEntry};
use super::line::SlotState;
use super::offer::{UnofferedBecause, types_offered};
use super::resolve::{Candidates, LedTo, Meaning, Resolution, Resolver};
use super::skipped::{Skipped, SkippedLine};
use super::{FeedEntries, FeedMode, FeedRules, OpenSlot, ProviderFeed};
use crate::model::{Directory, ProviderNumber, Slug};

#[derive(Debug, Clone)]
pub struct FeedSet {
    /// One set for each provider of the directory, in its order.
    pub providers: Vec<ProviderFeed>,
    /// The providers with entries of any status.
    pub listed: BTreeMap<Slug, Listed>,
    /// The providers whose busy time may be among the skipped entries.
    pub withheld: BTreeSet<Slug>,
    pub skipped: Skipped,
    /// The providers of each slug and Schedule, for the next reading.
    pub led_to: LedTo,
}

/// The files that list a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub files: Vec<Arc<str>>,
    /// The end of the last entry.
    pub until: Instant,
}

impl FeedSet {
    /// Whether it has an entry of any provider.
    #[must_use]
    pub fn lists_any(&self) -> bool {
        !self.listed.is_empty()
    }

    #[must_use]
    pub fn is_past(&self, now: Instant) -> bool {
        self.listed.values().all(|listed| listed.until <= now)
    }
}

pub(super) struct SetBuilder<'a> {
    pub(super) directory: &'a Directory,
    pub(super) rules: &'a FeedRules,
    pub(super) resolver: &'a Resolver<'a>,
    pub(super) before: &'a LedTo,
    /// By provider: the entries so far.
    entries: Vec<Vec<OpenSlot>>,
    /// By provider.
    pub(super) listed: Vec<Option<Listed>>,
    /// By provider: whether a Schedule or a line resolves to it.
    pub(super) described: Vec<bool>,
    pub(super) undescribed: Undescribed,
    /// The groups of providers to whom busy time of unknown clinicians can belong.
    pub(super) candidates: BTreeSet<Candidates>,
    pub(super) withheld: BTreeSet<Slug>,
    pub(super) skipped: Skipped,
    pub(super) led_to: LedTo,
    pub(super) bad: Vec<BadLine>,
    /// The number of bad lines. `bad` has one entry per slug or Schedule, which many lines can name.
    pub(super) bad_count: usize,
}

/// The providers to which no Schedule and no line resolves.
#[derive(Default)]
pub(super) struct Undescribed {
    pub(super) all: Vec<Slug>,
    pub(super) without_npi: Vec<Slug>,
}

impl<'a> SetBuilder<'a> {
    pub(super) fn new(
        directory: &'a Directory,
        rules: &'a FeedRules,
        resolver: &'a Resolver<'a>,
        before: &'a LedTo,
    ) -> Self {
        let count = directory.providers().len();
        Self {
            directory,
            rules,
            resolver,
            before,
            entries: vec![Vec::new(); count],
            listed: vec![None; count],
            described: vec![false; count],
            undescribed: Undescribed::default(),
            candidates: BTreeSet::new(),
            withheld: BTreeSet::new(),
            skipped: Skipped::default(),
            led_to: LedTo::default(),
            bad: Vec::new(),
            bad_count: 0,
        }
    }

    /// Marks the providers of a Schedule or line as described by the feed.
    pub(super) fn describe(&mut self, resolution: &Resolution) {
        for number in resolution.providers() {
            self.described[number.index()] = true;
        }
    }

    /// Adds the entries of a file that resolve to providers.
    pub(super) fn add(
        &mut self,
        file: &FeedFile,
        meanings: &[Meaning],
        busy_times: &BusyTimes<'_>,
    ) -> Result<(), FeedError> {
        for (kind, count) in &file.others {
            *self.skipped.other_resources.entry(kind.clone()).or_default() += count;
        }
        for entry in &file.entries {
            let Some(meaning) = meanings.get(entry.owner as usize) else { continue };
            let is_free = entry.state == SlotState::Free;
            match (self.rules.mode, &meaning.resolution) {
                (FeedMode::Busy, resolution) => {
                    for &number in resolution.providers() {
                        self.list(file, entry, number);
                        self.push(file, number, (!is_free).then(|| entry.slot(None)))?;
                    }
                }
                (FeedMode::Open, &Resolution::One(number)) => {
                    self.list(file, entry, number);
                    let slot =
                        if is_free { self.open(file, entry, meaning, number, busy_times) } else { None };
                    self.push(file, number, slot)?;
                }
                (FeedMode::Open, _) => {}
            }
        }
        Ok(())
    }

    /// Notes that a file lists a provider.
    fn list(&mut self, file: &FeedFile, entry: &FileEntry, number: ProviderNumber) {
        let listed =
            self.listed[number.index()].get_or_insert(Listed { files: Vec::new(), until: entry.end });
        listed.until = listed.until.max(entry.end);
        if listed.files.last().is_none_or(|last| !Arc::ptr_eq(last, &file.name)) {
            listed.files.push(Arc::clone(&file.name));
        }
    }

    /// Adds a slot, if there is one, to a provider's entries.
    fn push(
        &mut self,
        file: &FeedFile,
        number: ProviderNumber,
        slot: Option<OpenSlot>,
    ) -> Result<(), FeedError> {
        let Some(slot) = slot else { return Ok(()) };
        let entries = &mut self.entries[number.index()];
        let most = self.rules.limits.entries_per_provider;
        if entries.len() >= most {
            let what = format!("{} has more than {most} entries", self.directory.provider(number).slug);
            return Err(FeedError::whole(&file.name, &what, "publish fewer months"));
        }
        entries.push(slot);
        Ok(())
    }

    /// The slot of a free entry; `None` if it is skipped.
    fn open(
        &mut self,
        file: &FeedFile,
        entry: &FileEntry,
        meaning: &Meaning,
        number: ProviderNumber,
        busy_times: &BusyTimes<'_>,
    ) -> Option<OpenSlot> {
        let owner = &file.owners[entry.owner as usize].owner;
        let of_entry = file.types_of(entry).and_then(|names| names.in_directory(self.directory));
        let named = of_entry.or_else(|| meaning.types.as_deref().map(Cow::Borrowed));
        let offered = if !meaning.is_active {
            Err(UnofferedBecause::Inactive)
        } else if busy_times.has(owner, number, entry) {
            Err(UnofferedBecause::Taken)
        } else {
            types_offered(self.directory, number, named, entry.end.unix() - entry.start.unix())
        };
        match offered {
            Ok(types) => Some(entry.slot(types)),
            Err(refusal) => {
                self.skipped.add(refusal.reason(), 1, || {
                    let (what, help) = refusal.words(self.directory, owner, number);
                    let (file, line, reason) =
                        (Arc::clone(&file.name), entry.line as usize, refusal.reason());
                    SkippedLine { file, line, reason, what, help: help.to_owned(), span: None }
                });
                None
            }
        }
    }

    pub(super) fn done(mut self) -> Result<FeedSet, FeedError> {
        if !self.bad.is_empty() {
            return Err(FeedError::new(self.bad, self.bad_count));
        }
        let Self { directory, rules, .. } = self;
        match self.candidates.last() {
            Some(Candidates::Any) => self.withheld.extend(self.undescribed.all),
            Some(Candidates::WithoutNpi) => self.withheld.extend(self.undescribed.without_npi),
            Some(Candidates::None) | None => {}
        }
        let slugs = directory.providers().iter().map(|provider| &provider.slug);
        let listed =
            slugs.clone().cloned().zip(self.listed).filter_map(|(slug, listed)| Some((slug, listed?)));
        let sets = slugs.zip(self.entries);
        Ok(FeedSet {
            listed: listed.collect(),
            providers: sets.map(|(slug, entries)| provider_feed(slug, entries, rules.mode)).collect(),
            withheld: self.withheld,
            skipped: self.skipped,
            led_to: self.led_to,
        })
    }
}

fn provider_feed(slug: &Slug, mut slots: Vec<OpenSlot>, mode: FeedMode) -> ProviderFeed {
    slots.sort_unstable();
    slots.dedup();
    let entries = match mode {
        FeedMode::Open => FeedEntries::Open(slots),
        FeedMode::Busy => FeedEntries::Busy(
            slots.into_iter().map(|slot| Busy { start: slot.start, end: slot.end }).collect(),
        ),
    };
    ProviderFeed { provider: slug.clone(), entries }
}
