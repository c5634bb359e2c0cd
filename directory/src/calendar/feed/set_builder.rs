//! Builds the set of a reading: the entries of each provider, what is skipped, and who is withheld.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::hours::Busy;
use super::super::instant::Instant;
use super::busy_times::BusyTimes;
use super::error::{BadLine, FeedError};
use super::file::{FeedFile, FileEntry, NamedOwner};
use super::line::{Owner, SlotState};
use super::resolve::{Candidates, LedTo, Meaning, Resolution, Resolver, map};
use super::skipped::{SkipReason, Skipped, SkippedLine};
use super::{FeedEntries, FeedMode, FeedRules, OpenSlot, ProviderFeed};
use crate::model::{Directory, Modality, Provider, ProviderNumber, Slug, VisitTypeId};

/// The result of a reading.
#[derive(Debug, Clone)]
pub struct FeedSet {
    /// One set for each provider of the directory, in its order.
    pub providers: Vec<ProviderFeed>,
    /// The providers with entries of any status.
    pub listed: BTreeMap<Slug, Listed>,
    /// The providers whose busy time may be among the skipped entries.
    pub withheld: BTreeSet<Slug>,
    /// What is not used.
    pub skipped: Skipped,
    /// The providers of each slug and Schedule, for the next reading.
    pub led_to: LedTo,
}

/// The files that list a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Their names.
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

    /// Whether all of its entries have ended.
    #[must_use]
    pub fn is_past(&self, now: Instant) -> bool {
        self.listed.values().all(|listed| listed.until <= now)
    }
}

pub(super) struct SetBuilder<'a> {
    directory: &'a Directory,
    rules: &'a FeedRules,
    resolver: &'a Resolver<'a>,
    before: &'a LedTo,
    grouped: Vec<Vec<OpenSlot>>,
    listed: Vec<Option<Listed>>,
    /// By provider: whether a Schedule or a line resolves to it.
    described: Vec<bool>,
    undescribed: Undescribed,
    /// Who the unknown clinicians of busy time may be.
    candidates: BTreeSet<Candidates>,
    withheld: BTreeSet<Slug>,
    skipped: Skipped,
    led_to: LedTo,
    bad: Vec<BadLine>,
}

/// The providers to whom no Schedule and no line resolves.
#[derive(Default)]
struct Undescribed {
    all: Vec<Slug>,
    without_npi: Vec<Slug>,
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
            grouped: vec![Vec::new(); count],
            listed: vec![None; count],
            described: vec![false; count],
            undescribed: Undescribed::default(),
            candidates: BTreeSet::new(),
            withheld: BTreeSet::new(),
            skipped: Skipped::default(),
            led_to: LedTo::default(),
            bad: Vec::new(),
        }
    }

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
        taken: &BusyTimes<'_>,
    ) -> Result<(), FeedError> {
        self.skipped.other_resources += file.others;
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
                    let slot = if is_free { self.open(file, entry, meaning, number, taken) } else { None };
                    self.push(file, number, slot)?;
                }
                (FeedMode::Open, _) => {}
            }
        }
        Ok(())
    }

    fn list(&mut self, file: &FeedFile, entry: &FileEntry, number: ProviderNumber) {
        let listed =
            self.listed[number.index()].get_or_insert(Listed { files: Vec::new(), until: entry.end });
        listed.until = listed.until.max(entry.end);
        if listed.files.last().is_none_or(|last| !Arc::ptr_eq(last, &file.name)) {
            listed.files.push(Arc::clone(&file.name));
        }
    }

    fn push(
        &mut self,
        file: &FeedFile,
        number: ProviderNumber,
        slot: Option<OpenSlot>,
    ) -> Result<(), FeedError> {
        let entries = &mut self.grouped[number.index()];
        let most = self.rules.limits.entries_per_provider;
        if entries.len() >= most {
            let what = format!("{} has more than {most} entries", self.directory.provider(number).slug());
            return Err(FeedError::whole(&file.name, &what, "publish fewer months"));
        }
        entries.extend(slot);
        Ok(())
    }

    fn open(
        &mut self,
        file: &FeedFile,
        entry: &FileEntry,
        meaning: &Meaning,
        number: ProviderNumber,
        taken: &BusyTimes<'_>,
    ) -> Option<OpenSlot> {
        let owner = &file.owners[entry.owner as usize].owner;
        let provider = self.directory.provider(number);
        let line = |reason, what, help: &str| SkippedLine {
            file: Arc::clone(&file.name),
            line: entry.line as usize,
            reason,
            what,
            help: help.to_owned(),
            span: None,
        };
        if !meaning.is_active {
            self.skipped.add(SkipReason::Inactive, 1, || {
                let what = format!("the {owner} is not active");
                line(SkipReason::Inactive, what, "list no free Slots of it, or make it active")
            });
            return None;
        }
        if taken.has(owner, number, entry) {
            self.skipped.add(SkipReason::Taken, 1, || {
                let what = format!("the feed also lists this time of the {owner} as taken");
                line(SkipReason::Taken, what, "leave out the line that is out of date")
            });
            return None;
        }
        let Some(named) = file.types_of(entry).or(meaning.types.as_ref()) else {
            let seconds = entry.end.unix() - entry.start.unix();
            let minutes =
                |id| self.directory.visit_type(id).and_then(|visit_type| visit_type.duration_minutes);
            let fits = |id: &VisitTypeId| minutes(*id).is_some_and(|it| i64::from(it) * 60 <= seconds);
            if provider.visit_types().iter().any(fits) {
                return Some(entry.slot(None));
            }
            self.skipped.add(SkipReason::UnknownTypes, 1, || {
                let what = format!("no video visit of {} is as short as {seconds} seconds", provider.slug());
                line(SkipReason::UnknownTypes, what, "lengthen the slot, or name its visit types")
            });
            return None;
        };
        let is_offered = |id: &VisitTypeId| {
            let visit_type = self.directory.visit_type(*id);
            provider.visit_types().contains(id)
                && visit_type.is_some_and(|visit_type| visit_type.modality() == Modality::Video)
        };
        let mut types: Vec<_> = named.iter().copied().filter(is_offered).collect();
        types.sort_unstable();
        types.dedup();
        if types.is_empty() {
            self.skipped.add(SkipReason::UnknownTypes, 1, || {
                let named = named.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                let what = format!("{} offers no video visit of the types {named}", provider.slug());
                let help = "types are the numbers of video types in the provider's appointment-types";
                line(SkipReason::UnknownTypes, what, help)
            });
            return None;
        }
        Some(entry.slot(Some(types)))
    }

    pub(super) fn find_undescribed(&mut self) {
        let providers = self.directory.providers().iter().zip(&self.described);
        for (provider, _) in providers.filter(|(_, is_described)| !**is_described) {
            self.undescribed.all.push(provider.slug().clone());
            if provider.npi().is_none() {
                self.undescribed.without_npi.push(provider.slug().clone());
            }
        }
    }

    /// Counts the entries of a file that resolve to no provider, and withholds the candidates.
    pub(super) fn add_unused(&mut self, file: &FeedFile, meanings: &[Meaning]) {
        let mut counts = vec![0_usize; meanings.len()];
        for entry in &file.entries {
            let is_meant = (entry.state == SlotState::Free) == (self.rules.mode == FeedMode::Open);
            if let Some(count) = counts.get_mut(entry.owner as usize) {
                *count += usize::from(is_meant);
            }
        }
        for ((named, meaning), count) in file.owners.iter().zip(meanings).zip(counts) {
            let providers = meaning.resolution.providers().iter().map(|&it| self.directory.provider(it));
            let led_to: Vec<_> = providers.map(|it| (it.slug().clone(), it.id().clone())).collect();
            if !led_to.is_empty() {
                self.led_to.0.insert(named.owner.clone(), led_to);
            }
            match self.rules.mode {
                _ if count == 0 => {}
                FeedMode::Open => self.skip(file, named, &meaning.resolution, count, None),
                FeedMode::Busy => self.withhold(file, named, &meaning.resolution, count),
            }
        }
    }

    /// Withholds the candidates for busy time whose slug or Schedule resolves to no provider.
    fn withhold(&mut self, file: &FeedFile, named: &NamedOwner, resolution: &Resolution, count: usize) {
        let before = self.before.0.get(&named.owner);
        let candidates = match resolution {
            Resolution::One(_) | Resolution::Several(_) => return,
            Resolution::NotPublished(candidates) => *candidates,
            Resolution::Unresolved { what, help } => {
                if before.is_none() {
                    let position = (named.line, 1);
                    self.bad.push(BadLine::new(&file.name, position, named.span.clone(), what, help));
                    return;
                }
                Candidates::None
            }
        };
        let possible = match candidates {
            Candidates::None => &[][..],
            Candidates::WithoutNpi => &self.undescribed.without_npi,
            Candidates::Any => &self.undescribed.all,
        };
        let known = before.into_iter().flatten().filter_map(|it| self.resolver.present(it));
        let withheld: Vec<Slug> = known.chain(possible.first()).cloned().collect();
        let others = (withheld.len() + possible.len().saturating_sub(1)).saturating_sub(1);
        self.candidates.insert(candidates);
        if let Some(before) = before {
            self.led_to.0.insert(named.owner.clone(), before.clone());
        }
        self.skip(file, named, resolution, count, withheld.first().map(|first| (first, others)));
        self.withheld.extend(withheld);
    }

    /// Counts entries as skipped. `withheld` is the first provider whom that withholds, and the number of others.
    fn skip(
        &mut self,
        file: &FeedFile,
        named: &NamedOwner,
        resolution: &Resolution,
        count: usize,
        withheld: Option<(&Slug, usize)>,
    ) {
        let owner = &named.owner;
        let (reason, mut what, help) = match resolution {
            Resolution::One(_) => return,
            Resolution::Several(_) => (
                SkipReason::SeveralPeople,
                format!("the {owner} is of several people"),
                format!("publish a Schedule for each, or {}", owner.map_by_hand()),
            ),
            Resolution::NotPublished(Candidates::None) => (
                SkipReason::NotPublished,
                format!("the {owner} is a clinician who has left"),
                "there is nothing to do; the lines may stay".to_owned(),
            ),
            Resolution::NotPublished(_) => (
                SkipReason::NotPublished,
                format!("the {owner} is of a clinician, a place or a service that the content does not have"),
                format!(
                    "leave it if none of the content's clinicians is meant; else {}",
                    owner.map_by_hand()
                ),
            ),
            Resolution::Unresolved { what, help } => (SkipReason::Unresolved, what.clone(), help.clone()),
        };
        if let Some((first, others)) = withheld {
            let others = if others == 0 { String::new() } else { format!(" or one of {others} others") };
            what =
                format!("{what}: its time may be that of {first}{others}, so no time of theirs is offered");
        }
        self.skipped.add(reason, count, || SkippedLine {
            file: Arc::clone(&file.name),
            line: named.line,
            reason,
            what,
            help,
            span: Some(named.span.clone()),
        });
    }

    pub(super) fn done(mut self, files: &[Arc<FeedFile>]) -> Result<FeedSet, FeedError> {
        if !self.bad.is_empty() {
            let count = self.bad.len();
            return Err(FeedError::new(self.bad, count));
        }
        let Self { directory, rules, .. } = self;
        match self.candidates.last() {
            Some(Candidates::Any) => self.withheld.extend(self.undescribed.all),
            Some(Candidates::WithoutNpi) => self.withheld.extend(self.undescribed.without_npi),
            Some(Candidates::None) | None => {}
        }
        let slugs = directory.providers().iter().map(Provider::slug);
        if rules.mode == FeedMode::Busy && files.len() > 1 && files.iter().any(|file| file.is_blank()) {
            let unlisted = slugs.clone().zip(&self.listed).filter(|(_, listed)| listed.is_none());
            self.withheld.extend(unlisted.map(|(slug, _)| slug.clone()));
        }
        let listed =
            slugs.clone().cloned().zip(self.listed).filter_map(|(slug, listed)| Some((slug, listed?)));
        let sets = slugs.zip(self.grouped);
        Ok(FeedSet {
            listed: listed.collect(),
            providers: sets.map(|(slug, entries)| provider_feed(slug, entries, rules.mode)).collect(),
            withheld: self.withheld,
            skipped: self.skipped,
            led_to: self.led_to,
        })
    }
}

impl Resolution {
    fn providers(&self) -> &[ProviderNumber] {
        match self {
            Self::One(number) => std::slice::from_ref(number),
            Self::Several(numbers) => numbers,
            Self::NotPublished(_) | Self::Unresolved { .. } => &[],
        }
    }
}

impl Owner<'_> {
    fn map_by_hand(&self) -> String {
        match self {
            Self::Provider(_) => "leave its lines out of the feed".to_owned(),
            Self::Schedule(id) => map(id),
        }
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
