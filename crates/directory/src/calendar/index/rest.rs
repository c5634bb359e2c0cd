//! Finds the remaining slots of a query from the providers' own starts. Reading rows is slow when few of the rows'
//! providers are members of the query: because most members are fully booked, or because each provider is listed once
//! and most are listed already.
//! Each chunk knows who has a start in it. So a chunk without a member is skipped, and where a chunk has few, their own
//! starts are read instead of its rows. This bounds the work whatever is open.

use std::ops::ControlFlow::{self, Continue};

use super::chunk::{CHUNK, Chunk, QUARTER};
use super::members::Members;
use super::presence::{Page, Presence};
use super::query::Index;
use crate::bits::bit_of;

impl<'a> Index<'a> {
    pub(super) fn list_rest(
        &self,
        members: &'a Members<'a>,
        from: i64,
        page: &mut Page<'a, '_>,
    ) -> ControlFlow<()> {
        let query = page.query;
        let eligible = members.bits_with(self.eligibility.in_pair(query.pair), self.order.len());
        let mut ranks = Vec::new();
        for (number, chunk) in self.chunks_between(from, query.until) {
            if chunk.open(query.pair) == 0 {
                continue;
            }
            let begin = number * CHUNK;
            let period = (from.max(begin), query.until.min(begin + CHUNK));
            page.hide_listed();
            with_starts(&eligible, chunk, page, &mut ranks, self.limits.crowd);
            if ranks.is_empty() {
                continue;
            }
            if ranks.len() > self.limits.crowd {
                let mut presence = Presence::new(members);
                self.list_rows(chunk, (begin, period.0), &mut None, &mut presence, page).map_break(|_| ())?;
            } else if query.one_per_provider {
                self.list_firsts(&ranks, period, members, page)?;
            } else {
                self.merge(&ranks, period, page)?;
            }
        }
        Continue(())
    }

    /// Lists the first start of each of these providers in the period, except of hidden ones. `ranks` must contain
    /// every member with an eligible start in the period.
    pub(super) fn list_firsts(
        &self,
        ranks: &[u32],
        (from, until): (i64, i64),
        members: &'a Members<'a>,
        page: &mut Page<'a, '_>,
    ) -> ControlFlow<()> {
        let query = page.query;
        let first = |&rank: &u32| {
            let (word, bit) = bit_of(rank);
            let from = from.max(query.now.plus_seconds(self.order.notice(rank)).unix());
            if from >= until || page.hidden(word) & bit != 0 {
                return None;
            }
            let starts = self.providers.get(rank).starts(self.since_origin(from));
            let starts = starts.filter(|(set, _)| self.eligibility.answers(*set, query.state, query.wanted));
            let start = starts.filter_map(|(_, walk)| walk.peek()).min()?;
            let at = self.origin + i64::from(start);
            (at < until).then_some((at, rank))
        };
        let mut firsts: Vec<(i64, u32)> = ranks.iter().filter_map(first).collect();
        firsts.sort_unstable();
        for together in firsts.chunk_by(|(one, _), (other, _)| one == other) {
            match together {
                [(at, rank)] => page.list(*at, *rank)?,
                // Their order depends on all who are present.
                [(at, _), ..] => self.list_start(*at, members, page)?,
                [] => {}
            }
        }
        Continue(())
    }

    fn list_start(&self, at: i64, members: &'a Members<'a>, page: &mut Page<'a, '_>) -> ControlFlow<()> {
        let query = page.query;
        let mut presence = Presence::new(members);
        for (number, chunk) in self.chunks_between(at, at + 1) {
            let second = u16::try_from(at - number * CHUNK).unwrap_or(u16::MAX);
            let rows = chunk.rows(second / QUARTER);
            let rows = rows[rows.partition_point(|entry| entry.second < second)..].iter();
            for entry in rows.take_while(|entry| entry.second == second) {
                if self.eligibility.answers(entry.set, query.state, query.wanted) {
                    presence.add(&entry.row);
                }
            }
        }
        presence.list(at, page)
    }
}

/// Writes to `ranks` the eligible providers with a start in the chunk. Stops at the end of the word in which there
/// are more than `crowd`. With `one_per_provider`, listed providers are left out.
fn with_starts(eligible: &[u64], chunk: &Chunk, page: &Page<'_, '_>, ranks: &mut Vec<u32>, crowd: usize) {
    ranks.clear();
    for (word, (eligible, holders)) in eligible.iter().zip(&chunk.holders).enumerate() {
        let mut bits = eligible & holders;
        if bits != 0 && page.query.one_per_provider {
            bits &= !page.hidden(word);
        }
        while bits != 0 {
            #[expect(clippy::cast_possible_truncation, reason = "the word of a rank, which has 32 bits")]
            ranks.push(word as u32 * 64 + bits.trailing_zeros());
            bits &= bits - 1;
        }
        if ranks.len() > crowd {
            return;
        }
    }
}
