//! Answers a query: from instant to instant, and through the providers of each.

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;

use super::blocks::Blocks;
use super::chunk::{CHUNK, Chunk, QUARTER, chunk_of};
use super::eligibility::Eligibility;
use super::members::Members;
use super::order::Order;
use super::presence::{Page, Presence};
use super::provider_starts::ProviderStarts;
use super::row::Row;
use super::slot_query::{RankedStart, SlotQuery};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Index<'a> {
    pub(crate) order: &'a Order,
    pub(crate) eligibility: &'a Eligibility,
    /// The number of the first chunk.
    pub(crate) first: i64,
    pub(crate) chunks: &'a [Arc<Chunk>],
    pub(crate) providers: &'a Blocks<ProviderStarts>,
    /// The moment from which the seconds in `providers` are counted.
    pub(crate) origin: i64,
    pub(crate) limits: Limits,
}

/// When a query without counts changes from rows to its members' own starts ([`rest`](super::rest)).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The number of words of bits that it compares first.
    pub(crate) words: usize,
    /// With more members in a chunk, its rows are read anyway: that many fill the largest page.
    pub(crate) crowd: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { words: 30_000, crowd: 500 }
    }
}

impl<'a> Index<'a> {
    pub(crate) fn find(&self, members: &'a Members<'a>, query: &SlotQuery<'a>) -> Vec<RankedStart> {
        let earliest = query.now.plus_seconds(self.order.shortest_notice).unix();
        let from = query.from.map_or(earliest, |from| earliest.max(from.unix()));
        if from >= query.until {
            return Vec::new();
        }
        let mut page = Page::new(self.order, query);
        // It breaks when the page is full, and then there is nothing else to do.
        _ = match members.short_list() {
            Some(ranks) if query.one_per_provider => {
                self.list_firsts(ranks, (from, query.until), members, &mut page)
            }
            Some(ranks) => self.merge(ranks, (from, query.until), &mut page),
            None => self.list_from(from, members, &mut page),
        };
        page.found
    }

    fn list_from(&self, from: i64, members: &'a Members<'a>, page: &mut Page<'a, '_>) -> ControlFlow<()> {
        let mut presence = Presence::new(members);
        let mut budget = (!page.query.is_counted).then_some(self.limits.words);
        for (number, chunk) in self.chunks_between(from, page.query.until) {
            match self.list_rows(chunk, (number * CHUNK, from), &mut budget, &mut presence, page) {
                Continue(()) => {}
                Break(Stopped::Full) => return Break(()),
                Break(Stopped::At(second)) => return self.list_rest(members, second, page),
            }
        }
        Continue(())
    }

    pub(super) fn chunks_between(&self, from: i64, until: i64) -> impl Iterator<Item = (i64, &'a Chunk)> {
        let first = chunk_of(from).max(self.first);
        let skipped = usize::try_from(first - self.first).unwrap_or(usize::MAX);
        let chunks = self.chunks.iter().skip(skipped).map(|chunk| &**chunk);
        (first..=chunk_of(until - 1)).zip(chunks)
    }

    pub(super) fn since_origin(&self, at: i64) -> u32 {
        u32::try_from((at - self.origin).max(0)).unwrap_or(u32::MAX)
    }

    /// Lists the starts of a chunk that begins at `begin`, from `from` on, until the page is full or the budget is spent.
    pub(super) fn list_rows(
        &self,
        chunk: &'a Chunk,
        (begin, from): (i64, i64),
        budget: &mut Option<usize>,
        presence: &mut Presence<'a>,
        page: &mut Page<'a, '_>,
    ) -> ControlFlow<Stopped> {
        let query = page.query;
        // Both as seconds of the chunk; a time outside the chunk becomes its beginning or its end.
        let low = u16::try_from((from - begin).clamp(0, CHUNK)).unwrap_or_default();
        let high = u16::try_from((query.until - begin).clamp(0, CHUNK)).unwrap_or_default();
        let mut open = chunk.open(query.pair) & (u64::MAX << (low / QUARTER).min(63));
        while open != 0 {
            #[expect(clippy::cast_possible_truncation, reason = "a bit's position is below 64")]
            let quarter = open.trailing_zeros() as u16;
            open &= open - 1;
            let start = (quarter * QUARTER).max(low);
            if start >= high {
                break;
            }
            let end = (quarter * QUARTER + QUARTER).min(high);
            let mut rows = chunk.rows(quarter);
            if start > quarter * QUARTER {
                rows = &rows[rows.partition_point(|entry| entry.second < start)..];
            }
            let row_count = rows.len();
            while let Some(entry) = rows.first().filter(|entry| entry.second < end) {
                presence.clear();
                let mut count = 0;
                for entry in rows.iter().take_while(|other| other.second == entry.second) {
                    count += 1;
                    // Most rows at odd seconds have a single provider, who is mostly not eligible in the state: the
                    // cheap check comes first.
                    let can_meet = match entry.row {
                        Row::One(rank) => presence.members.contains(rank),
                        _ => true,
                    };
                    if can_meet && self.eligibility.answers(entry.set, query.state, query.wanted) {
                        presence.add(&entry.row);
                    }
                }
                rows = &rows[count..];
                if !presence.is_empty() && presence.list(begin + i64::from(entry.second), page).is_break() {
                    return Break(Stopped::Full);
                }
            }
            if let Some(left) = budget {
                let cost = row_count * presence.row_cost() + 6 * std::mem::take(&mut page.passed_over);
                match left.checked_sub(cost) {
                    Some(less) => *left = less,
                    None => return Break(Stopped::At(begin + i64::from(end))),
                }
            }
        }
        Continue(())
    }
}

pub(super) enum Stopped {
    Full,
    /// The budget is spent, and the rows before this moment are read.
    At(i64),
}
