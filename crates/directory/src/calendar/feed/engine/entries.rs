//! What a part says of one owner, in little memory.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::FeedMode;
use super::super::entry::{Entry, SlotState, TypeNames};
use super::super::file::FeedFile;
use super::super::line::{FeedSchedule, Owner};
use super::part::PartId;
use crate::calendar::Instant;

/// What a part says: of each owner, sorted.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Said(Vec<(Owner<'static>, Arc<Entries>)>);

impl Said {
    pub(super) fn get(&self, owner: &Owner<'static>) -> Option<&Arc<Entries>> {
        let at = self.0.binary_search_by(|(other, _)| other.cmp(owner)).ok()?;
        self.0.get(at).map(|(_, entries)| entries)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(Owner<'static>, Arc<Entries>)> {
        self.0.iter()
    }

    pub(super) fn owners(&self) -> impl Iterator<Item = &Owner<'static>> {
        self.0.iter().map(|(owner, _)| owner)
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        let are_same =
            |((a, of_a), (b, of_b)): (&(_, Arc<Entries>), &(_, Arc<Entries>))| a == b && of_a.is_same(of_b);
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(are_same)
    }
}

impl FromIterator<(Owner<'static>, Arc<Entries>)> for Said {
    fn from_iter<I: IntoIterator<Item = (Owner<'static>, Arc<Entries>)>>(all: I) -> Self {
        let mut said: Vec<_> = all.into_iter().collect();
        said.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self(said)
    }
}

/// All that a part says of one owner. In a busy feed free slots are left out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Entries {
    /// The first line that names the owner, and that line's bytes: for messages.
    pub(super) line: usize,
    #[serde(skip)]
    pub(super) span: Range<usize>,
    /// Sorted by start.
    pub(super) all: Box<[Entry]>,
    pub(super) type_lists: Box<[TypeNames]>,
    /// The descriptions of the Schedule. There are several while a part in doubt describes it in another way than before.
    pub(super) schedules: Vec<FeedSchedule>,
    /// Whether the part lists the owner: it has an entry of any status, or is about this owner alone.
    pub(super) lists: bool,
    /// Whether doubt has taken all of its free slots.
    pub(super) is_emptied: bool,
    /// The number of entries that count in the mode.
    pub(super) counted: usize,
    /// The end of the last entry of any status.
    pub(super) until: Instant,
}

pub(super) fn said(part: &PartId, file: &FeedFile, mode: FeedMode) -> Said {
    let is_open = mode == FeedMode::Open;
    let lists: &[TypeNames] = if is_open { &file.type_lists } else { &[] };
    let mut said: BTreeMap<Owner<'static>, Entries> = BTreeMap::new();
    for named in &file.owners {
        let until = named.entries.iter().map(Entry::end).max().unwrap_or(Instant::MIN);
        let kept = named.entries.iter().filter(|entry| is_open || entry.counts(mode));
        let all = kept.map(|entry| Entry { types: if is_open { entry.types } else { 0 }, ..*entry });
        let entries = Entries::new((named.line, named.span.clone()), all.collect(), lists, mode);
        said.insert(named.owner.clone(), Entries { lists: true, until, ..entries });
    }
    let empty = || silence(part, mode);
    for (id, schedule) in &file.schedules {
        let of = said.entry(Owner::Schedule(id.clone().into())).or_insert_with(empty);
        of.schedules.push(schedule.clone());
    }
    if let Some(owner) = part.owner() {
        said.entry(owner.clone()).or_insert_with(empty).lists = true;
    }
    said.into_iter().map(|(owner, entries)| (owner, Arc::new(entries))).collect()
}

/// What is known of a part about one owner alone that was never read: it is about that owner.
pub(super) fn unread(part: &PartId, mode: FeedMode) -> Said {
    part.owner().map(|owner| (owner.clone(), Arc::new(silence(part, mode)))).into_iter().collect()
}

fn silence(part: &PartId, mode: FeedMode) -> Entries {
    Entries { lists: part.owner().is_some(), ..Entries::new((1, 0..0), Vec::new(), &[], mode) }
}

impl Entries {
    fn new(
        (line, span): (usize, Range<usize>),
        mut all: Vec<Entry>,
        type_lists: &[TypeNames],
        mode: FeedMode,
    ) -> Self {
        all.sort_by_key(Entry::key);
        Self {
            line,
            span,
            counted: all.iter().filter(|entry| entry.counts(mode)).count(),
            until: all.iter().map(Entry::end).max().unwrap_or(Instant::MIN),
            all: all.into(),
            type_lists: type_lists.into(),
            schedules: Vec::new(),
            lists: false,
            is_emptied: false,
        }
    }

    /// The starts of the entries that count in a mode, each once.
    pub(super) fn starts(&self, mode: FeedMode) -> impl Iterator<Item = Instant> {
        let mut last = None;
        let counted = self.all.iter().filter(move |entry| entry.counts(mode)).map(|entry| entry.start);
        counted.filter(move |start| last.replace(*start) != Some(*start))
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        let of = |entries: &Self| (entries.lists, entries.is_emptied, entries.until, entries.all.len());
        // Lines move when others are added before them.
        let are_same = |(a, b): (&Entry, &Entry)| (a.key(), a.types) == (b.key(), b.types);
        self.all.iter().zip(&other.all).all(are_same)
            && self.type_lists == other.type_lists
            && self.schedules == other.schedules
            && of(self) == of(other)
    }

    /// What is believed of two texts in doubt: the time that either of them takes, and the time that both of them give.
    /// What ended before `since` is left out, and no more than `most` entries are kept.
    fn doubted(&self, newer: &Self, mode: FeedMode, (since, most): (Instant, usize)) -> Self {
        let has = |other: &Self, of: &Self, entry: &Entry| {
            let at = other.all.partition_point(|it| it.key() < entry.key());
            let mut same = other.all[at..].iter().take_while(|it| it.key() == entry.key());
            same.any(|it| it.types_in(&other.type_lists) == entry.types_in(&of.type_lists))
        };
        let is_free = |entry: &Entry| entry.state == SlotState::Free;
        let of_newer = newer.all.iter().filter(|entry| !is_free(entry) || has(self, newer, entry));
        let of_older = self.all.iter().filter(|entry| !is_free(entry) && !has(newer, self, entry));
        let both = of_newer.chain(of_older).filter(|entry| entry.end() > since);
        let mut both: Vec<Entry> = both.copied().collect();
        both.truncate(most);
        let mut schedules = newer.schedules.clone();
        schedules.extend(self.schedules.iter().filter(|it| !newer.schedules.contains(it)).cloned());
        let merged = Self::new((newer.line, newer.span.clone()), both, &newer.type_lists, mode);
        let (lists, until) = (self.lists || newer.lists, self.until.max(newer.until));
        let is_emptied = self.is_emptied_as(&merged, mode);
        Self { schedules, lists, is_emptied, until, ..merged }
    }

    /// What is believed of a text that is in doubt and names an owner for the first time.
    fn without_free(&self, mode: FeedMode) -> Self {
        let taken = self.all.iter().filter(|entry| entry.state != SlotState::Free).copied().collect();
        let kept = Self::new((self.line, self.span.clone()), taken, &[], mode);
        let is_emptied = self.is_emptied_as(&kept, mode);
        Self { schedules: self.schedules.clone(), lists: self.lists, is_emptied, until: self.until, ..kept }
    }

    /// Whether what is kept of it has none of its free slots.
    fn is_emptied_as(&self, kept: &Self, mode: FeedMode) -> bool {
        mode == FeedMode::Open && kept.counted == 0 && (self.is_emptied || self.counted > 0)
    }
}

pub(super) fn doubted(believed: &Said, newest: &Said, mode: FeedMode, bounds: (Instant, usize)) -> Said {
    let owners: BTreeSet<_> = believed.owners().chain(newest.owners()).collect();
    let of_both = |owner: &Owner<'static>| match (believed.get(owner), newest.get(owner)) {
        (Some(older), Some(newer)) if older.is_same(newer) => Some(Arc::clone(newer)),
        (Some(older), Some(newer)) => Some(Arc::new(older.doubted(newer, mode, bounds))),
        (None, Some(newer)) => Some(Arc::new(newer.without_free(mode))),
        // Its free time is in one of the texts alone.
        (Some(older), None) if mode == FeedMode::Open => Some(Arc::new(older.without_free(mode))),
        (older, None) => older.cloned(),
    };
    owners.into_iter().filter_map(|owner| Some((owner.clone(), of_both(owner)?))).collect()
}
