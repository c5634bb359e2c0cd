//! One provider's set, made of all owners that resolve to it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::super::super::hours::Busy;
use super::super::super::instant::Instant;
use super::super::busy_times::Times;
use super::super::entry::Entry;
use super::super::line::Owner;
use super::super::offer::{UnofferedBecause, types_offered};
use super::super::resolve::ProviderName;
use super::super::skipped::{SkipReason, SkippedLine};
use super::super::{FeedEntries, FeedMode, FeedRules, OpenSlot, ProviderFeed};
use super::entries::Entries;
use super::owner::{OwnerState, Says};
use crate::model::{Directory, Provider, ProviderNumber};

/// The most skipped lines of one provider that are kept; all are counted.
const MAX_LINES: usize = 4;

#[derive(Debug)]
pub(super) struct ProviderState {
    /// How it is found in another directory.
    pub(super) name: ProviderName,
    pub(super) has_npi: bool,
    /// The numbers of the owners that resolve to it, ascending.
    pub(super) owners: Vec<u32>,
    /// The number of owners whose busy time may be the provider's.
    pub(super) suspicions: usize,
    /// The number of entries.
    pub(super) count: usize,
    pub(super) listing: Listing,
    pub(super) skips: Option<Box<ProviderSkips>>,
}

/// How the parts list a provider.
#[derive(Debug)]
pub(super) struct Listing {
    /// The writers of the parts that do, sorted.
    pub(super) writers: Vec<Arc<str>>,
    /// The end of the last entry.
    pub(super) until: Instant,
    /// Whether there are more entries than the limit, so that none is used, or doubt has taken all free slots.
    pub(super) is_unusable: bool,
}

/// The free slots of a provider that cannot be offered.
#[derive(Debug, Default)]
pub(super) struct ProviderSkips {
    pub(super) counts: BTreeMap<SkipReason, usize>,
    pub(super) lines: Vec<SkippedLine>,
}

/// A provider's set, how the parts list the provider, and the free slots that cannot be offered.
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

/// Makes a provider's set of these owners' entries, as the parts are now.
pub(super) fn remake(
    directory: &Directory,
    rules: &FeedRules,
    number: ProviderNumber,
    owners: &[&OwnerState],
) -> Remade {
    let own: Vec<&OwnerState> =
        owners.iter().copied().filter(|owner| !owner.providers_in(rules.mode).is_empty()).collect();
    let said = || own.iter().flat_map(|owner| &owner.said);
    let listing = || said().filter(|says| says.entries.lists);
    let mut writers: Vec<&Arc<str>> = listing().map(|says| says.id.writer()).collect();
    writers.sort_unstable();
    writers.dedup();
    let writers = writers.into_iter().cloned().collect();
    let until = listing().map(|says| says.entries.until).max().unwrap_or(Instant::MIN);
    let most = rules.limits.entries_per_provider;
    let (entries, is_over, skips) = match rules.mode {
        FeedMode::Busy => {
            let (busy, is_over) = within(busy_of(said()), most);
            (FeedEntries::Busy(busy), is_over, ProviderSkips::default())
        }
        FeedMode::Open => {
            let (slots, skips) = slots_of(directory, number, &own);
            let (slots, is_over) = within(slots, most);
            (FeedEntries::Open(slots), is_over, skips)
        }
    };
    let is_unusable = is_over || entries.is_empty() && said().any(|says| says.entries.is_emptied);
    let skips = (!skips.counts.is_empty()).then(|| Box::new(skips));
    let set = ProviderFeed { provider: directory.provider(number).slug.clone(), entries };
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

fn busy_of<'a>(said: impl Iterator<Item = &'a Says>) -> Vec<Busy> {
    let entries = said.flat_map(|says| &says.entries.all);
    entries.map(|entry| Busy { start: entry.start, end: entry.end() }).collect()
}

/// The free slots that can be offered, and the others.
fn slots_of(
    directory: &Directory,
    number: ProviderNumber,
    owners: &[&OwnerState],
) -> (Vec<OpenSlot>, ProviderSkips) {
    // All plain lines of a provider are one owner here, also under a former slug.
    let mut taken: HashMap<Option<&str>, Times> = HashMap::new();
    for owner in owners {
        let times = taken.entry(schedule_of(owner)).or_default();
        for entry in owner.said.iter().flat_map(|says| &says.entries.all) {
            times.add(entry.state, entry.start, entry.end());
        }
    }
    taken.values_mut().for_each(Times::merge);
    let (mut slots, mut skips) = (Vec::new(), ProviderSkips::default());
    for owner in owners {
        let times = taken.get(&schedule_of(owner));
        for says in &owner.said {
            for entry in says.entries.all.iter().filter(|entry| entry.counts(FeedMode::Open)) {
                let is_taken = times.is_some_and(|times| times.has(entry.start, entry.end()));
                match offered(directory, number, owner, &says.entries, entry, is_taken) {
                    Ok(slot) => slots.push(slot),
                    Err(refusal) => {
                        let words = || refusal.words(directory, &owner.owner, number);
                        skips.add(&refusal, says, entry, words);
                    }
                }
            }
        }
    }
    (slots, skips)
}

fn schedule_of(owner: &OwnerState) -> Option<&str> {
    match &owner.owner {
        Owner::Provider(_) => None,
        Owner::Schedule(id) => Some(id),
    }
}

fn offered<'a>(
    directory: &Directory,
    number: ProviderNumber,
    owner: &'a OwnerState,
    entries: &'a Entries,
    entry: &Entry,
    is_taken: bool,
) -> Result<OpenSlot, UnofferedBecause<'a>> {
    if !owner.meaning.is_active {
        return Err(UnofferedBecause::Inactive);
    }
    if is_taken {
        return Err(UnofferedBecause::Taken);
    }
    let (start, end) = (entry.start, entry.end());
    let of_entry = entry.types_in(&entries.type_lists).and_then(|names| names.in_directory(directory));
    let named = of_entry.or_else(|| owner.meaning.types.as_deref().map(Cow::Borrowed));
    let types = types_offered(directory, number, named, end.unix() - start.unix())?;
    Ok(OpenSlot { start, end, types })
}

impl ProviderSkips {
    fn add(
        &mut self,
        refusal: &UnofferedBecause<'_>,
        says: &Says,
        entry: &Entry,
        words: impl FnOnce() -> (String, &'static str),
    ) {
        let reason = refusal.reason();
        *self.counts.entry(reason).or_default() += 1;
        if self.lines.len() < MAX_LINES {
            let (what, help) = words();
            let (file, line, help) = (Arc::clone(says.id.name()), entry.line as usize, help.to_owned());
            self.lines.push(SkippedLine { file, line, reason, what, help, span: None });
        }
    }
}
