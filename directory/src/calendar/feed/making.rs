//! The set of a reading while its files are taken in: what each provider has, what is skipped, and who is withheld.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::hours::Busy;
use super::error::{BadLine, FeedError};
use super::file::{FeedFile, FileEntry, Named};
use super::line::{SlotState, Whom};
use super::skipped::{SkipReason, Skipped, SkippedLine};
use super::taken::TakenTimes;
use super::whom::{Leads, LedTo, MayBe, Meaning, map};
use super::{FeedEntries, FeedMode, FeedRules, OpenSlot, ProviderFeed};
use crate::calendar::Instant;
use crate::model::{Directory, Modality, Provider, ProviderNumber, Slug, VisitTypeId};

/// What every provider of a directory has by a feed.
#[derive(Debug, Clone)]
pub struct FeedSet {
    /// Each provider of the directory, in its order.
    pub providers: Vec<ProviderFeed>,
    /// Those of them that the feed has entries of, whatever their status.
    pub listed: BTreeMap<Slug, Listed>,
    /// Those whose taken time may be among what was skipped.
    pub withheld: BTreeSet<Slug>,
    /// What was left out.
    pub skipped: Skipped,
    /// Where the slugs and Schedules led, for the next reading.
    pub led_to: LedTo,
}

/// What files list of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The files with entries of the provider.
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

impl FileEntry {
    fn slot(&self, types: Option<Vec<VisitTypeId>>) -> OpenSlot {
        OpenSlot { start: self.start, end: self.end, types }
    }
}

/// A set that is being made.
pub(super) struct Making<'a> {
    directory: &'a Directory,
    rules: &'a FeedRules,
    before: &'a LedTo,
    grouped: Vec<Vec<OpenSlot>>,
    listed: Vec<Option<Listed>>,
    /// Whether a Schedule or a line leads to each provider.
    described: Vec<bool>,
    undescribed: Undescribed,
    /// Whom the unknown clinicians of taken time may be.
    may_be: BTreeSet<MayBe>,
    withheld: BTreeSet<Slug>,
    skipped: Skipped,
    led_to: LedTo,
    bad: Vec<BadLine>,
}

/// The providers to whom no Schedule and no line leads.
#[derive(Default)]
struct Undescribed {
    all: Vec<Slug>,
    without_npi: Vec<Slug>,
}

impl<'a> Making<'a> {
    pub(super) fn new(directory: &'a Directory, rules: &'a FeedRules, before: &'a LedTo) -> Self {
        let count = directory.providers().len();
        Self {
            directory,
            rules,
            before,
            grouped: vec![Vec::new(); count],
            listed: vec![None; count],
            described: vec![false; count],
            undescribed: Undescribed::default(),
            may_be: BTreeSet::new(),
            withheld: BTreeSet::new(),
            skipped: Skipped::default(),
            led_to: LedTo::default(),
            bad: Vec::new(),
        }
    }

    pub(super) fn describe(&mut self, leads: &Leads) {
        for number in leads.providers() {
            self.described[number.index()] = true;
        }
    }

    /// Takes in what a file lists of providers.
    pub(super) fn add(
        &mut self,
        file: &FeedFile,
        meanings: &[Meaning],
        taken: &TakenTimes<'_>,
    ) -> Result<(), FeedError> {
        self.skipped.other_resources += file.others;
        for entry in &file.entries {
            let Some(meaning) = meanings.get(entry.whom as usize) else { continue };
            let is_free = entry.state == SlotState::Free;
            match (self.rules.mode, &meaning.leads) {
                (FeedMode::Busy, leads) => {
                    for &number in leads.providers() {
                        self.list(file, entry, number);
                        self.push(file, number, (!is_free).then(|| entry.slot(None)))?;
                    }
                }
                (FeedMode::Open, &Leads::One(number)) => {
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

    /// A free slot, unless there is nothing that it is for.
    fn open(
        &mut self,
        file: &FeedFile,
        entry: &FileEntry,
        meaning: &Meaning,
        number: ProviderNumber,
        taken: &TakenTimes<'_>,
    ) -> Option<OpenSlot> {
        let whom = &file.whoms[entry.whom as usize].whom;
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
                let what = format!("the {whom} is not active");
                line(SkipReason::Inactive, what, "list no free Slots of it, or make it active")
            });
            return None;
        }
        if taken.has(whom, number, entry) {
            self.skipped.add(SkipReason::Taken, 1, || {
                let what = format!("the feed also lists this time of the {whom} as taken");
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

    /// Counts what a file lists of no provider, and finds whom that withholds.
    pub(super) fn add_unused(&mut self, file: &FeedFile, meanings: &[Meaning]) {
        let mut counts = vec![0_usize; meanings.len()];
        for entry in &file.entries {
            let is_meant = (entry.state == SlotState::Free) == (self.rules.mode == FeedMode::Open);
            if let Some(count) = counts.get_mut(entry.whom as usize) {
                *count += usize::from(is_meant);
            }
        }
        for ((named, meaning), count) in file.whoms.iter().zip(meanings).zip(counts) {
            let providers = meaning.leads.providers().iter().map(|&number| self.directory.provider(number));
            let led_to: Vec<Slug> = providers.map(|provider| provider.slug().clone()).collect();
            if !led_to.is_empty() {
                self.led_to.0.insert(named.whom.clone(), led_to);
            }
            if count > 0 {
                match self.rules.mode {
                    FeedMode::Open => self.skip(file, named, &meaning.leads, count, None),
                    FeedMode::Busy => self.withhold(file, named, &meaning.leads, count),
                }
            }
        }
    }

    /// Finds whose the taken time of a slug or a Schedule may be that leads to no provider.
    fn withhold(&mut self, file: &FeedFile, named: &Named, leads: &Leads, count: usize) {
        let before = self.before.0.get(&named.whom);
        let may_be = match leads {
            Leads::One(_) | Leads::Several(_) => return,
            Leads::Elsewhere(may_be) => *may_be,
            Leads::Nowhere { what, help } => {
                if before.is_none() {
                    let position = (named.line, 1);
                    self.bad.push(BadLine::new(&file.name, position, named.span.clone(), what, help));
                    return;
                }
                MayBe::NoProvider
            }
        };
        let possible = match may_be {
            MayBe::NoProvider => &[][..],
            MayBe::OneWithoutNpi => &self.undescribed.without_npi,
            MayBe::Any => &self.undescribed.all,
        };
        let known = before.into_iter().flatten().filter(|slug| self.directory.find(slug.as_str()).is_some());
        let withheld: Vec<Slug> = known.chain(possible.first()).cloned().collect();
        let count_withheld = withheld.len() + possible.len().saturating_sub(1);
        self.may_be.insert(may_be);
        if let Some(before) = before {
            self.led_to.0.insert(named.whom.clone(), before.clone());
        }
        self.skip(file, named, leads, count, withheld.first().map(|first| (first, count_withheld - 1)));
        self.withheld.extend(withheld);
    }

    /// Counts entries as skipped; `withheld` is the first provider whom that withholds, and how many others.
    fn skip(
        &mut self,
        file: &FeedFile,
        named: &Named,
        leads: &Leads,
        count: usize,
        withheld: Option<(&Slug, usize)>,
    ) {
        let whom = &named.whom;
        let (reason, mut what, help) = match leads {
            Leads::One(_) => return,
            Leads::Several(_) => (
                SkipReason::SeveralPeople,
                format!("the {whom} is of several people"),
                format!("publish a Schedule for each, or {}", whom.map_by_hand()),
            ),
            Leads::Elsewhere(MayBe::NoProvider) => (
                SkipReason::NotPublished,
                format!("the {whom} is a clinician who has left"),
                "there is nothing to do; the lines may stay".to_owned(),
            ),
            Leads::Elsewhere(_) => (
                SkipReason::NotPublished,
                format!("the {whom} is of a clinician, a place or a service that the content does not have"),
                format!("leave it if none of the content's clinicians is meant; else {}", whom.map_by_hand()),
            ),
            Leads::Nowhere { what, help } => (SkipReason::Unresolved, what.clone(), help.clone()),
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
        match self.may_be.last() {
            Some(MayBe::Any) => self.withheld.extend(self.undescribed.all),
            Some(MayBe::OneWithoutNpi) => self.withheld.extend(self.undescribed.without_npi),
            Some(MayBe::NoProvider) | None => {}
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

impl Leads {
    fn providers(&self) -> &[ProviderNumber] {
        match self {
            Self::One(number) => std::slice::from_ref(number),
            Self::Several(numbers) => numbers,
            Self::Elsewhere(_) | Self::Nowhere { .. } => &[],
        }
    }
}

impl Whom<'_> {
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
