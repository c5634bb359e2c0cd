//! The walk that answers a question: from instant to instant, and round the providers at each.

use std::sync::Arc;

use super::super::instant::Instant;
use super::blocks::Blocks;
use super::chunk::{CHUNK, Chunk, QUARTER, chunk_of};
use super::offer::{Offers, Wanted};
use super::order::{Allowed, Order, earliest};
use super::own::Own;
use super::round::{Page, Ring};
use super::row::Row;
use crate::model::StateCode;

/// Whose starts are asked for, and when.
#[derive(Debug, Clone, Copy)]
pub(in crate::calendar) struct Asked<'a> {
    pub(in crate::calendar) state: StateCode,
    pub(in crate::calendar) wanted: Wanted,
    pub(in crate::calendar) now: Instant,
    /// The first second that is too late.
    pub(in crate::calendar) until: i64,
    pub(in crate::calendar) limit: usize,
    /// Who is left out, a bit for each turn.
    pub(in crate::calendar) gone: Option<&'a [u64]>,
}

/// A start that answers, and who has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::calendar) struct Found {
    pub(in crate::calendar) at: i64,
    pub(in crate::calendar) turn: u32,
}

/// What there is to walk through.
#[derive(Debug, Clone, Copy)]
pub(in crate::calendar) struct Shelves<'a> {
    pub(in crate::calendar) order: &'a Order,
    pub(in crate::calendar) offers: &'a Offers,
    /// The number of the first chunk.
    pub(in crate::calendar) first: i64,
    pub(in crate::calendar) chunks: &'a [Arc<Chunk>],
    pub(in crate::calendar) own: &'a Blocks<Own>,
    /// From when the starts of each one are counted.
    pub(in crate::calendar) origin: i64,
}

impl<'a> Shelves<'a> {
    /// The first starts of everybody, in order.
    pub(in crate::calendar) fn find(&self, asked: &Asked<'a>) -> Vec<Found> {
        let from = earliest(asked.now, self.order.shortest_notice());
        let Some(pair) = self.offers.pair(asked.state, asked.wanted) else { return Vec::new() };
        if from >= asked.until || asked.limit == 0 {
            return Vec::new();
        }
        if let Some(turns) = self.offers.few(pair) {
            return self.merge(turns, asked);
        }
        let mut ring = Ring::new(self.offers.mask(asked.state));
        let mut page = Page::new(self.order, asked);
        for number in chunk_of(from).max(self.first)..=chunk_of(asked.until - 1) {
            let Some(chunk) = usize::try_from(number - self.first).ok().and_then(|at| self.chunks.get(at))
            else {
                break;
            };
            if self.walk(chunk, (number * CHUNK, from), pair, &mut ring, &mut page) {
                break;
            }
        }
        page.found
    }

    /// Walks through a chunk; true when there is enough.
    fn walk(
        &self,
        chunk: &'a Chunk,
        (begin, from): (i64, i64),
        pair: usize,
        ring: &mut Ring<'a>,
        page: &mut Page<'a, '_>,
    ) -> bool {
        let asked = page.asked;
        // Both lie within sixteen hours where they matter.
        let low = u16::try_from((from - begin).clamp(0, CHUNK)).unwrap_or_default();
        let high = u16::try_from((asked.until - begin).clamp(0, CHUNK)).unwrap_or_default();
        let mut open = chunk.open(pair) & (u64::MAX << (low / QUARTER).min(63));
        while open != 0 {
            #[expect(clippy::cast_possible_truncation, reason = "a bit's place is below 64")]
            let quarter = open.trailing_zeros() as u16;
            open &= open - 1;
            let start = (quarter * QUARTER).max(low);
            if start >= high {
                return false;
            }
            let end = (quarter * QUARTER + QUARTER).min(high);
            let mut rows = chunk.rows(quarter);
            if start > quarter * QUARTER {
                rows = &rows[rows.partition_point(|entry| entry.second < start)..];
            }
            while let Some(entry) = rows.first().filter(|entry| entry.second < end) {
                ring.clear();
                let mut here = 0;
                for entry in rows.iter().take_while(|other| other.second == entry.second) {
                    here += 1;
                    // At most odd seconds there is one provider, who does not answer most questions.
                    let is_met = match entry.row {
                        Row::One(turn) => ring.mask().contains(turn),
                        _ => true,
                    };
                    if is_met && self.offers.answers(entry.set, asked.state, asked.wanted) {
                        ring.add(&entry.row);
                    }
                }
                rows = &rows[here..];
                if !ring.is_empty() && self.instant(begin + i64::from(entry.second), ring, page) {
                    return true;
                }
            }
        }
        false
    }

    /// Goes round the providers of one instant; true when there is enough.
    fn instant(&self, at: i64, ring: &mut Ring<'a>, page: &mut Page<'a, '_>) -> bool {
        match self.order.allowed(at - page.asked.now.unix()) {
            Allowed::Everybody => page.admit(None),
            Allowed::Within(allowed, seconds) => page.admit(Some((allowed, seconds))),
            Allowed::Nobody => return false,
        }
        if let Some(turn) = ring.only() {
            return page.show_one(at, turn);
        }
        ring.show(at, self.order.begin(at), page)
    }
}
