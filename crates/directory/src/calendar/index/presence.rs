//! The providers present at one start, and the page they are listed on.
//! A provider is present if it has the start and is one of the query's members. The order depends on all providers
//! present. Those whose notice is no longer kept or whose part of the feed has expired are left out after ordering, so
//! that they do not change the order of the others: a page changes only when one of its own slots does.

use std::borrow::Cow;
use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Range;

use smallvec::SmallVec;

use super::members::Members;
use super::order::{Order, Rotation, WINDOW};
use super::row::Row;
use super::slot_query::{RankedStart, SlotQuery};
use crate::bits::{Mask, bit_of};

/// The number of rows of one start that need no allocation.
const ROWS: usize = 4;

/// The rows of one start, to be intersected with the query's members. A provider may stand in several rows.
pub(super) struct Presence<'a> {
    pub(super) members: &'a Members<'a>,
    dense: SmallVec<[&'a [u64]; ROWS]>,
    /// Ranks, ascending.
    sparse: SmallVec<[&'a [u32]; ROWS]>,
}

impl<'a> Presence<'a> {
    pub(super) fn new(members: &'a Members<'a>) -> Self {
        Self { members, dense: SmallVec::new(), sparse: SmallVec::new() }
    }

    /// How many words are compared to intersect the members with one row, and what else a row costs, as words.
    pub(super) fn row_cost(&self) -> usize {
        let compared = match self.members {
            Members::List(ranks) => 3 * ranks.len(),
            Members::Masks(masks) => masks.first.len(),
        };
        24 + compared
    }

    pub(super) fn clear(&mut self) {
        self.dense.clear();
        self.sparse.clear();
    }

    pub(super) fn add(&mut self, row: &'a Row) {
        match row {
            Row::One(rank) => self.sparse.push(std::slice::from_ref(rank)),
            Row::Sparse(ranks) => self.sparse.push(ranks),
            Row::Dense { words, .. } => self.dense.push(words),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.dense.is_empty() && self.sparse.is_empty()
    }

    /// Lists all providers present at a start, in the start's order, until the page is full.
    pub(super) fn list(&self, at: i64, page: &mut Page<'a, '_>) -> ControlFlow<()> {
        page.hide_listed();
        let rotation = page.order.rotation(at);
        let mut window = SmallVec::<[u32; 64]>::new();
        let mut list = |rank| {
            if window.len() == WINDOW {
                return page.list(at, rank);
            }
            window.push(rank);
            if window.len() == WINDOW { page.list_window(at, &window, rotation) } else { Continue(()) }
        };
        self.visit(rotation.first, u32::MAX, &mut list)?;
        self.visit(0, rotation.first, &mut list)?;
        if window.len() < WINDOW { page.list_window(at, &window, rotation) } else { Continue(()) }
    }

    fn visit(&self, from: u32, to: u32, visit: &mut impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.members {
            Members::List(ranks) => self.visit_listed(ranks, from, to, visit),
            Members::Masks(masks) => {
                let (first, others) = (masks.first, masks.others());
                if others.is_empty() {
                    return self.visit_masked(first.len(), |word| first[word], from, to, visit);
                }
                let mask = |word: usize| others.iter().fold(first[word], |bits, mask| bits & mask[word]);
                self.visit_masked(first.len(), mask, from, to, visit)
            }
        }
    }

    fn visit_listed(
        &self,
        ranks: &[u32],
        from: u32,
        to: u32,
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut sparse = self.sparse_from(from);
        for &rank in ranks[ranks.partition_point(|&rank| rank < from)..].iter().take_while(|&&rank| rank < to)
        {
            let (word, bit) = bit_of(rank);
            let mut is_present = self.dense.iter().any(|row| row[word] & bit != 0);
            for row in &mut sparse {
                while let [next, rest @ ..] = row
                    && *next < rank
                {
                    *row = rest;
                }
                is_present |= row.first() == Some(&rank);
            }
            if is_present {
                visit(rank)?;
            }
        }
        Continue(())
    }

    fn sparse_from(&self, from: u32) -> SmallVec<[&'a [u32]; ROWS]> {
        let mut sparse = self.sparse.clone();
        for ranks in &mut sparse {
            *ranks = &ranks[ranks.partition_point(|&rank| rank < from)..];
        }
        sparse
    }

    fn visit_masked(
        &self,
        length: usize,
        mask: impl Fn(usize) -> u64,
        from: u32,
        to: u32,
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let dense = &self.dense[..];
        let (first, from_bits) = ((from / 64) as usize, u64::MAX << (from % 64));
        let (last, to_bit) = bit_of(to);
        let end = length.min(last + 1);
        let mut visit_bits = |word: usize, mut bits: u64| {
            if word == first {
                bits &= from_bits;
            }
            if word == last {
                bits &= to_bit - 1;
            }
            while bits != 0 {
                #[expect(clippy::cast_possible_truncation, reason = "the word of a rank, which has 32 bits")]
                visit(word as u32 * 64 + bits.trailing_zeros())?;
                bits &= bits - 1;
            }
            Continue(())
        };
        let mut sparse = self.sparse_from(from);
        let mut word = first;
        while word < end {
            // Before the word of the next listed rank, only dense rows have bits.
            let next = sparse.iter().filter_map(|ranks| ranks.first()).min();
            let listed = next.map_or(end, |rank| end.min((rank / 64) as usize));
            visit_dense(word..listed, &mask, dense, &mut visit_bits)?;
            if listed < end {
                let mut bits = dense.iter().fold(0, |bits, row| bits | row[listed]);
                for ranks in &mut sparse {
                    while let [rank, rest @ ..] = ranks
                        && let (here, bit) = bit_of(*rank)
                        && here == listed
                    {
                        bits |= bit;
                        *ranks = rest;
                    }
                }
                visit_bits(listed, bits & mask(listed))?;
            }
            word = listed + 1;
        }
        Continue(())
    }
}

/// Most starts have one or two dense rows, and a query reads hundreds of their words.
fn visit_dense(
    words: Range<usize>,
    mask: &impl Fn(usize) -> u64,
    dense: &[&[u64]],
    visit: &mut impl FnMut(usize, u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    match *dense {
        [] => Continue(()),
        [one] => visit_words(words, mask, |word| one[word], visit),
        [one, two] => visit_words(words, mask, |word| one[word] | two[word], visit),
        _ => visit_words(words, mask, |word| dense.iter().fold(0, |bits, row| bits | row[word]), visit),
    }
}

fn visit_words(
    words: Range<usize>,
    mask: &impl Fn(usize) -> u64,
    bits_of: impl Fn(usize) -> u64,
    visit: &mut impl FnMut(usize, u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for word in words {
        let bits = bits_of(word) & mask(word);
        if bits != 0 {
            visit(word, bits)?;
        }
    }
    Continue(())
}

pub(super) struct Page<'a, 'q> {
    pub(super) order: &'a Order,
    pub(super) query: &'q SlotQuery<'a>,
    pub(super) found: Vec<RankedStart>,
    /// A mask, possibly empty, of the providers that must not be listed: their part of the feed has expired, or, with
    /// `one_per_provider`, they are listed already.
    hidden: Cow<'a, [u64]>,
    /// The number of slots at the beginning of `found` whose providers are already in `hidden`.
    hidden_found: usize,
    /// How often a hidden provider was present.
    pub(super) passed_over: usize,
}

impl<'a, 'q> Page<'a, 'q> {
    pub(super) fn new(order: &'a Order, query: &'q SlotQuery<'a>) -> Self {
        let hidden = query.expired.map_or(&[][..], Mask::bits).into();
        let found = Vec::with_capacity(query.limit);
        Self { order, query, found, hidden, hidden_found: 0, passed_over: 0 }
    }

    /// Hides those who were listed at earlier starts, if each provider is listed once. At one start each is present once.
    pub(super) fn hide_listed(&mut self) {
        if !self.query.one_per_provider || self.hidden_found == self.found.len() {
            return;
        }
        let hidden = self.hidden.to_mut();
        hidden.resize(self.order.len().div_ceil(64), 0);
        for found in &self.found[self.hidden_found..] {
            let (word, bit) = bit_of(found.rank);
            hidden[word] |= bit;
        }
        self.hidden_found = self.found.len();
    }

    pub(super) fn hidden(&self, word: usize) -> u64 {
        self.hidden.get(word).copied().unwrap_or_default()
    }

    /// Lists all providers present at a start, in the start's order; the ranks ascend.
    pub(super) fn list_all(&mut self, at: i64, ranks: &mut [u32]) -> ControlFlow<()> {
        let rotation = self.order.rotation(at);
        let before = ranks.partition_point(|&rank| rank < rotation.first);
        ranks.rotate_left(before);
        let (window, others) = ranks.split_at(ranks.len().min(WINDOW));
        self.list_window(at, window, rotation)?;
        others.iter().try_for_each(|&rank| self.list(at, rank))
    }

    /// The ranks are the first [`WINDOW`] of those present, or all if there are fewer.
    fn list_window(&mut self, at: i64, ranks: &[u32], rotation: Rotation) -> ControlFlow<()> {
        let (last, first) = ranks.split_at(rotation.lead(ranks.len()));
        first.iter().chain(last).try_for_each(|&rank| self.list(at, rank))
    }

    /// Lists one provider, unless the provider's notice is not kept or the provider is hidden. Breaks when the page is full.
    pub(super) fn list(&mut self, at: i64, rank: u32) -> ControlFlow<()> {
        let ahead = at - self.query.now.unix();
        let is_in_time = ahead >= self.order.longest_notice || ahead >= self.order.notice(rank);
        let (word, bit) = bit_of(rank);
        if self.hidden(word) & bit != 0 {
            self.passed_over += 1;
        } else if is_in_time {
            self.found.push(RankedStart { at, rank });
        }
        if self.found.len() >= self.query.limit { Break(()) } else { Continue(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::super::members::RankSet;
    use super::super::row::RowBuilder;
    use super::*;

    proptest! {
        #[test]
        fn presence_is_the_union_of_the_rows_intersected_with_the_members(
            rows in vec((any::<bool>(), btree_set(0..2_000_u32, 1..200)), 0..4),
            mask in btree_set(0..2_000_u32, 0..400),
            (from, to) in (0..2_000_u32, prop_oneof![0..2_100_u32, Just(u32::MAX)]),
        ) {
            let kept = RankSet::mask(&mask.iter().copied().collect::<Vec<_>>(), 2_000);
            let all = RankSet::mask(&(0..2_000).collect::<Vec<_>>(), 2_000);
            let as_list = RankSet::List(mask.iter().copied().collect());
            let row = |(is_dense, ranks): &(bool, BTreeSet<u32>)| {
                let mut builder = RowBuilder::new();
                for &rank in ranks {
                    builder.push(rank, if *is_dense { 2_000 } else { 100_000 });
                }
                builder.finish().unwrap()
            };
            // Of 100,000 providers, 200 are a list; so all rows of bits have the length of the mask.
            let built: Vec<Row> = rows.iter().map(row).collect();
            let union: BTreeSet<u32> = rows.iter().flat_map(|(_, ranks)| ranks).copied().collect();
            let both = union.intersection(&mask).copied();
            let expected: Vec<u32> = both.filter(|&rank| from <= rank && rank < to).collect();
            for sets in [&[&kept][..], &[&all, &kept], &[&as_list]] {
                let members = Members::intersect(sets);
                let mut presence = Presence::new(&members);
                for row in &built {
                    presence.add(row);
                }
                let mut visited = Vec::new();
                let _ = presence.visit(from, to, &mut |rank| {
                    visited.push(rank);
                    Continue(())
                });
                prop_assert_eq!(&visited, &expected);
            }
        }
    }
}
