//! The providers present at one start, and the page they are listed on.
//!
//! A provider is present if it has the start and is eligible in the query's state. The order depends on all providers
//! present. Those whose notice is no longer kept or whose part of the feed has expired are left out after ordering, so
//! that they do not change the order of the others: a page changes only when one of its own slots does.

use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Range;

use smallvec::SmallVec;

use super::mask::{Mask, bit_of};
use super::order::{Order, Rotation, WINDOW};
use super::row::Row;
use super::slot_query::{RankedStart, SlotQuery};

/// The number of rows of one start that need no allocation.
const ROWS: usize = 4;

/// The rows of one start, to be intersected with a mask. A provider may stand in several of them.
pub(super) struct Presence<'a> {
    mask: &'a Mask,
    dense: SmallVec<[&'a [u64]; ROWS]>,
    /// Ranks, ascending.
    sparse: SmallVec<[&'a [u32]; ROWS]>,
}

impl<'a> Presence<'a> {
    pub(super) fn new(mask: &'a Mask) -> Self {
        Self { mask, dense: SmallVec::new(), sparse: SmallVec::new() }
    }

    pub(super) fn mask(&self) -> &'a Mask {
        self.mask
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

    /// Visits the ranks present in `from..to`, ascending, until the visitor breaks.
    fn visit(&self, from: u32, to: u32, visit: &mut impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let (mask, dense) = (self.mask.words(), &self.dense[..]);
        let (first, from_bits) = ((from / 64) as usize, u64::MAX << (from % 64));
        let (last, to_bit) = bit_of(to);
        let end = mask.len().min(last + 1);
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
        let mut sparse = self.sparse.clone();
        for ranks in &mut sparse {
            *ranks = &ranks[ranks.partition_point(|&rank| rank < from)..];
        }
        let mut word = first;
        while word < end {
            // Before the word of the next listed rank, only dense rows have bits.
            let next = sparse.iter().filter_map(|ranks| ranks.first()).min();
            let listed = next.map_or(end, |rank| end.min((rank / 64) as usize));
            visit_dense(word..listed, mask, dense, &mut visit_bits)?;
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
                visit_bits(listed, bits & mask[listed])?;
            }
            word = listed + 1;
        }
        Continue(())
    }
}

/// Visits the words of a range in which the mask and some row have a bit in common. Most starts have one or two dense
/// rows, and a query reads hundreds of their words.
fn visit_dense(
    words: Range<usize>,
    mask: &[u64],
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
    mask: &[u64],
    bits_of: impl Fn(usize) -> u64,
    visit: &mut impl FnMut(usize, u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for word in words {
        let bits = bits_of(word) & mask[word];
        if bits != 0 {
            visit(word, bits)?;
        }
    }
    Continue(())
}

/// The slots found so far, at most as many as the query's limit.
pub(super) struct Page<'a, 'q> {
    order: &'a Order,
    query: &'q SlotQuery<'a>,
    pub(super) found: Vec<RankedStart>,
}

impl<'a, 'q> Page<'a, 'q> {
    pub(super) fn new(order: &'a Order, query: &'q SlotQuery<'a>) -> Self {
        Self { order, query, found: Vec::with_capacity(query.limit) }
    }

    /// Lists the first [`WINDOW`] providers present at a start, or all if there are fewer, in the order that
    /// [`Rotation::lead`] gives them.
    pub(super) fn list_window(&mut self, at: i64, ranks: &[u32], rotation: Rotation) -> ControlFlow<()> {
        let (last, first) = ranks.split_at(rotation.lead(ranks.len()));
        first.iter().chain(last).try_for_each(|&rank| self.list(at, rank))
    }

    /// Lists one provider, unless the provider's notice is not kept or the provider's part of the feed has expired.
    /// Breaks when the page is full.
    fn list(&mut self, at: i64, rank: u32) -> ControlFlow<()> {
        let ahead = at - self.query.now.unix();
        let is_in_time = ahead >= self.order.longest_notice() || ahead >= self.order.notice(rank);
        let is_expired = self.query.expired.is_some_and(|expired| expired.contains(rank));
        if is_in_time && !is_expired {
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

    use super::super::row::RowBuilder;
    use super::*;

    proptest! {
        #[test]
        fn presence_is_the_union_of_the_rows_intersected_with_the_mask(
            rows in vec((any::<bool>(), btree_set(0..2_000_u32, 1..200)), 0..4),
            mask in btree_set(0..2_000_u32, 0..400),
            (from, to) in (0..2_000_u32, prop_oneof![0..2_100_u32, Just(u32::MAX)]),
        ) {
            let kept = Mask::of(mask.iter().copied(), 2_000);
            let row = |(is_dense, ranks): &(bool, BTreeSet<u32>)| {
                let mut builder = RowBuilder::new();
                for &rank in ranks {
                    builder.push(rank, if *is_dense { 2_000 } else { 100_000 });
                }
                builder.finish().unwrap()
            };
            // Of 100,000 providers, 200 are a list; so all rows of bits have the length of the mask.
            let built: Vec<Row> = rows.iter().map(row).collect();
            let mut presence = Presence::new(&kept);
            for row in &built {
                presence.add(row);
            }
            let mut visited = Vec::new();
            let _ = presence.visit(from, to, &mut |rank| {
                visited.push(rank);
                Continue(())
            });
            let union: BTreeSet<u32> = rows.iter().flat_map(|(_, ranks)| ranks).copied().collect();
            let both = union.intersection(&mask).copied();
            prop_assert_eq!(visited, both.filter(|&rank| from <= rank && rank < to).collect::<Vec<_>>());
        }
    }
}
