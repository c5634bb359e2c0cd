//! Answers a query: from instant to instant, and through the providers of each.

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;

use super::blocks::Blocks;
use super::chunk::{CHUNK, Chunk, QUARTER, chunk_of};
use super::eligibility::Eligibility;
use super::order::Order;
use super::presence::{Page, Presence};
use super::provider_starts::ProviderStarts;
use super::row::Row;
use super::slot_query::{RankedStart, SlotQuery};

/// The parts of a calendar that a query reads.
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
}

impl<'a> Index<'a> {
    /// The first starts of all providers, in order.
    pub(crate) fn find(&self, query: &SlotQuery<'a>) -> Vec<RankedStart> {
        let from = query.now.plus_seconds(self.order.shortest_notice()).unix();
        let Some(pair) = self.eligibility.pair(query.state, query.wanted) else { return Vec::new() };
        if from >= query.until {
            return Vec::new();
        }
        if let Some(ranks) = self.eligibility.short_list(pair) {
            return self.merge(ranks, query);
        }
        let mut presence = Presence::new(self.eligibility.mask(query.state));
        let mut page = Page::new(self.order, query);
        for number in chunk_of(from).max(self.first)..=chunk_of(query.until - 1) {
            let Some(chunk) = usize::try_from(number - self.first).ok().and_then(|at| self.chunks.get(at))
            else {
                break;
            };
            let range = (number * CHUNK, from);
            if self.search_chunk(chunk, range, pair, query, &mut presence, &mut page).is_break() {
                break;
            }
        }
        page.found
    }

    /// Lists the starts of a chunk that begins at `begin`, from `from` on, until the page is full.
    fn search_chunk(
        &self,
        chunk: &'a Chunk,
        (begin, from): (i64, i64),
        pair: usize,
        query: &SlotQuery<'a>,
        presence: &mut Presence<'a>,
        page: &mut Page<'a, '_>,
    ) -> ControlFlow<()> {
        // Both as seconds of the chunk; a time outside the chunk becomes its beginning or its end.
        let low = u16::try_from((from - begin).clamp(0, CHUNK)).unwrap_or_default();
        let high = u16::try_from((query.until - begin).clamp(0, CHUNK)).unwrap_or_default();
        let mut open = chunk.open(pair) & (u64::MAX << (low / QUARTER).min(63));
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
            while let Some(entry) = rows.first().filter(|entry| entry.second < end) {
                presence.clear();
                let mut count = 0;
                for entry in rows.iter().take_while(|other| other.second == entry.second) {
                    count += 1;
                    // Most rows at odd seconds have a single provider, who is mostly not eligible in the state: the
                    // cheap check comes first.
                    let can_meet = match entry.row {
                        Row::One(rank) => presence.mask().contains(rank),
                        _ => true,
                    };
                    if can_meet && self.eligibility.answers(entry.set, query.state, query.wanted) {
                        presence.add(&entry.row);
                    }
                }
                rows = &rows[count..];
                if !presence.is_empty() && presence.list(begin + i64::from(entry.second), page).is_break() {
                    return Break(());
                }
            }
        }
        Continue(())
    }
}
