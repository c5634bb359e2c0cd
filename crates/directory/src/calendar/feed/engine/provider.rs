//! One provider's set, made of all owners that resolve to it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::super::super::hours::{Busy, merge};
use super::super::super::instant::Instant;
use super::super::entry::{Entry, SlotState};
use super::super::line::Owner;
use super::super::resolve::ProviderName;
use super::super::skipped::{SkipReason, SkippedLine};
use super::super::{FeedEntries, FeedMode, FeedRules, OpenSlot, ProviderFeed};
use super::entries::Entries;
use super::owner::OwnerState;
use crate::model::{Directory, Modality, Provider, ProviderNumber, Slug, VisitTypeId};

/// The most skipped lines of one provider that are kept; all are counted.
const MAX_LINES: usize = 4;

#[derive(Debug)]
pub(super) struct ProviderState {
    /// How it is found in another directory.
    pub(super) name: ProviderName,
    pub(super) has_npi: bool,
    /// The numbers of the owners that resolve to it, ascending.
    pub(super) owners: Vec<usize>,
    /// The number of owners whose busy time may be the provider's.
    pub(super) suspicions: usize,
    pub(super) count: usize,
    pub(super) listing: Listing,
    pub(super) skips: Option<Box<ProviderSkips>>,
}

#[derive(Debug)]
pub(super) struct Listing {
    /// The writers of the parts that do, sorted.
    pub(super) writers: Vec<Arc<str>>,
    /// The end of the last entry.
    pub(super) until: Instant,
    /// Whether there are more entries than the limit, so that none is used, or doubt has taken all free slots.
    pub(super) is_unusable: bool,
}

#[derive(Debug, Default)]
pub(super) struct ProviderSkips {
    pub(super) counts: BTreeMap<SkipReason, usize>,
    pub(super) lines: Vec<SkippedLine>,
}

pub(super) type Remade = (ProviderFeed, Listing, Option<Box<ProviderSkips>>);

impl ProviderState {
    pub(super) fn new(provider: &Provider) -> Self {
        Self {
            name: (provider.slug.clone(), provider.id.clone()),
            has_npi: provider.npi.is_some(),
            owners: Vec::new(),
            suspicions: 0,
            count: 0,
            listing: Listing { writers: Vec::new(), until: Instant::MIN, is_unusable: false },
            skips: None,
        }
    }
}

pub(super) fn remake<'a>(
    directory: &'a Directory,
    rules: &FeedRules,
    number: ProviderNumber,
    owners: impl Iterator<Item = &'a OwnerState>,
) -> Remade {
    let own: Vec<_> = owners.filter(|owner| !owner.providers_in(rules.mode).is_empty()).collect();
    let said = || own.iter().flat_map(|owner| &owner.said);
    let listing = || said().filter(|says| says.entries.lists);
    let writers: BTreeSet<&Arc<str>> = listing().map(|says| says.id.writer()).collect();
    let writers = writers.into_iter().cloned().collect();
    let until = listing().map(|says| says.entries.until).max().unwrap_or(Instant::MIN);
    let (most, provider) = (rules.limits.entries_per_provider, directory.provider(number));
    let (entries, is_over, skips) = match rules.mode {
        FeedMode::Busy => {
            let all = said().flat_map(|says| &says.entries.all);
            let busy = all.map(|entry| Busy { start: entry.start, end: entry.end() }).collect();
            let (busy, is_over) = within(busy, most);
            (FeedEntries::Busy(busy), is_over, ProviderSkips::default())
        }
        FeedMode::Open => {
            let (slots, skips) = Offer { directory, provider }.slots(&own);
            let (slots, is_over) = within(slots, most);
            (FeedEntries::Open(slots), is_over, skips)
        }
    };
    let is_unusable = is_over || entries.is_empty() && said().any(|says| says.entries.is_emptied);
    let skips = (!skips.counts.is_empty()).then(|| Box::new(skips));
    let set = ProviderFeed { provider: provider.slug.clone(), entries };
    (set, Listing { writers, until, is_unusable }, skips)
}

/// Entries, each once; or none, and true, if there are too many. Repeated ones count there, as in a reading of files.
fn within<T: Ord>(mut entries: Vec<T>, most: usize) -> (Vec<T>, bool) {
    if entries.len() > most {
        return (Vec::new(), true);
    }
    entries.sort_unstable();
    entries.dedup();
    (entries, false)
}

struct Offer<'a> {
    directory: &'a Directory,
    provider: &'a Provider,
}

impl<'a> Offer<'a> {
    fn slots(&self, owners: &[&'a OwnerState]) -> (Vec<OpenSlot>, ProviderSkips) {
        // All plain lines of a provider are one owner here, also under a former slug.
        let mut taken: HashMap<Option<&str>, Times> = HashMap::new();
        for owner in owners {
            let times = taken.entry(schedule_of(owner)).or_default();
            for entry in owner.said.iter().flat_map(|says| &says.entries.all) {
                times.add(entry.state, entry.start, entry.end());
            }
        }
        for times in taken.values_mut() {
            merge(&mut times.busy);
        }
        let (mut slots, mut skips) = (Vec::new(), ProviderSkips::default());
        for (owner, says) in owners.iter().flat_map(|owner| owner.said.iter().map(move |says| (owner, says)))
        {
            let times = taken.get(&schedule_of(owner));
            for entry in says.entries.all.iter().filter(|entry| entry.counts(FeedMode::Open)) {
                let offered = match times {
                    _ if !owner.meaning.is_active => Err(Unoffered::Inactive),
                    Some(times) if times.has(entry.start, entry.end()) => Err(Unoffered::Taken),
                    _ => self.slot(owner, &says.entries, entry),
                };
                let why = match offered {
                    Ok(slot) => {
                        slots.push(slot);
                        continue;
                    }
                    Err(why) => why,
                };
                let reason = why.reason();
                *skips.counts.entry(reason).or_default() += 1;
                if skips.lines.len() < MAX_LINES {
                    let (what, help) = why.words(&self.provider.slug, &owner.owner);
                    let (file, line, help) = (says.id.name().clone(), entry.line as usize, help.to_owned());
                    skips.lines.push(SkippedLine { file, line, reason, what, help, span: None });
                }
            }
        }
        (slots, skips)
    }

    /// A free slot with the visit types that it offers; `None` stands for all that fit its length.
    fn slot(&self, owner: &'a OwnerState, of: &'a Entries, entry: &Entry) -> Result<OpenSlot, Unoffered<'a>> {
        let (start, end) = (entry.start, entry.end());
        let of_entry = entry.types_in(&of.type_lists).and_then(|names| names.in_directory(self.directory));
        let Some(named) = of_entry.or_else(|| owner.meaning.types.as_deref().map(Cow::Borrowed)) else {
            let seconds = end.unix() - start.unix();
            let minutes =
                |id| self.directory.visit_type(id).and_then(|visit_type| visit_type.duration_minutes);
            let fits = |id: &VisitTypeId| minutes(*id).is_some_and(|it| i64::from(it) * 60 <= seconds);
            let fits_any = self.provider.visit_types.iter().any(fits);
            return if fits_any {
                Ok(OpenSlot { start, end, types: None })
            } else {
                Err(Unoffered::TooShort(seconds))
            };
        };
        let is_offered = |id: &VisitTypeId| {
            let visit_type = self.directory.visit_type(*id);
            self.provider.visit_types.contains(id)
                && visit_type.is_some_and(|visit_type| visit_type.modality == Modality::Video)
        };
        let mut types: Vec<_> = named.iter().copied().filter(is_offered).collect();
        types.sort_unstable();
        types.dedup();
        if types.is_empty() {
            Err(Unoffered::NotOffered(named))
        } else {
            Ok(OpenSlot { start, end, types: Some(types) })
        }
    }
}

fn schedule_of(owner: &OwnerState) -> Option<&str> {
    match &owner.owner {
        Owner::Provider(_) => None,
        Owner::Schedule(id) => Some(id),
    }
}

/// The busy time of one provider or Schedule in an open feed. A free slot of the same owner at such a time is not offered.
#[derive(Debug, Default)]
struct Times {
    /// Sorted, without overlaps.
    busy: Vec<Busy>,
    in_error: HashSet<(Instant, Instant)>,
}

impl Times {
    /// Adds an entry that is not free. The caller merges once all are added.
    fn add(&mut self, state: SlotState, start: Instant, end: Instant) {
        match state {
            SlotState::Free => {}
            SlotState::Busy => self.busy.push(Busy { start, end }),
            SlotState::EnteredInError => _ = self.in_error.insert((start, end)),
        }
    }

    fn has(&self, start: Instant, end: Instant) -> bool {
        let next = self.busy.partition_point(|busy| busy.end <= start);
        let is_busy = self.busy.get(next).is_some_and(|busy| busy.start < end);
        // Free slots were rounded inwards and other entries outwards. So the start and the end of the same period can
        // each differ by one second.
        let mut same = [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter();
        is_busy
            || same.any(|(before, after)| {
                self.in_error.contains(&(start.plus_seconds(-before), end.plus_seconds(after)))
            })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Unoffered<'a> {
    Inactive,
    /// The feed lists the same time as taken.
    Taken,
    /// No video visit of the provider is as short as these seconds.
    TooShort(i64),
    NotOffered(Cow<'a, [VisitTypeId]>),
}

impl Unoffered<'_> {
    fn reason(&self) -> SkipReason {
        match self {
            Self::Inactive => SkipReason::Inactive,
            Self::Taken => SkipReason::Taken,
            Self::TooShort(_) | Self::NotOffered(_) => SkipReason::UnknownTypes,
        }
    }

    fn words(&self, slug: &Slug, owner: &Owner<'_>) -> (String, &'static str) {
        match self {
            Self::Inactive => {
                (format!("the {owner} isn't active"), "remove its free Slots, or make it active")
            }
            Self::Taken => {
                (format!("the feed also lists this time of the {owner} as busy"), "remove the outdated line")
            }
            Self::TooShort(seconds) => (
                format!("no video visit of {slug} is as short as {seconds} seconds"),
                "lengthen the slot, or name its visit types",
            ),
            Self::NotOffered(named) => {
                let named = named.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                (
                    format!("none of the types {named} is a video visit of {slug}"),
                    "use the numbers of video types in the clinician's `appointment-types`",
                )
            }
        }
    }
}
