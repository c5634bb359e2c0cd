//! Sets of ranks that do not change with time, and the providers who are in several of them.
//! Large sets are bit masks, small sets are lists. Masks are not intersected in advance, because a query usually
//! reads few of their words.

use std::borrow::Cow;

use super::row::is_dense;
use crate::bits::{Mask, bit_of, numbers_of};

/// Up to this many eligible providers, merging their own starts is faster than a walk through the rows.
const SHORT_LIST: usize = 12;

/// The largest number of sets in an intersection: plan, state, gender, kind, language, and the eligible for a type.
pub(super) const SETS: usize = 6;

#[derive(Debug)]
pub(crate) enum RankSet {
    /// Ascending.
    List(Box<[u32]>),
    Mask(Mask),
}

impl RankSet {
    /// The set of these ascending ranks, each below `count`.
    pub(crate) fn from_ranks(ranks: Vec<u32>, count: usize) -> Self {
        if ranks.len() > SHORT_LIST && is_dense(ranks.len(), count) {
            Self::mask(&ranks, count)
        } else {
            Self::List(ranks.into())
        }
    }

    pub(crate) fn mask(ranks: &[u32], count: usize) -> Self {
        Self::Mask(Mask::new(ranks.iter().copied(), count))
    }

    pub(crate) fn contains(&self, rank: u32) -> bool {
        match self {
            Self::List(ranks) => ranks.binary_search(&rank).is_ok(),
            Self::Mask(mask) => mask.contains(rank),
        }
    }

    pub(crate) fn short_list(&self) -> Option<&[u32]> {
        match self {
            Self::List(ranks) if ranks.len() <= SHORT_LIST => Some(ranks),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(crate) enum Members<'a> {
    /// These, ascending.
    List(Cow<'a, [u32]>),
    /// Those whose bit is set in all of these masks.
    Masks(Masks<'a>),
}

/// The words of masks of one length. The first mask has the fewest ranks, as a rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Masks<'a> {
    pub(super) first: &'a [u64],
    others: [&'a [u64]; SETS],
    other_count: usize,
}

impl<'a> Masks<'a> {
    pub(super) fn others(&self) -> &[&'a [u64]] {
        &self.others[..self.other_count]
    }
}

impl<'a> Members<'a> {
    /// The intersection of at least one set and at most [`SETS`].
    pub(crate) fn intersect(sets: &[&'a RankSet]) -> Self {
        let lists = sets.iter().enumerate().filter_map(|(at, set)| match set {
            RankSet::List(ranks) => Some((at, &**ranks)),
            RankSet::Mask(_) => None,
        });
        if let Some((shortest, ranks)) = lists.min_by_key(|(_, ranks)| ranks.len()) {
            if sets.len() == 1 {
                return Self::List(ranks.into());
            }
            let others = || sets.iter().enumerate().filter(|(at, _)| *at != shortest);
            let is_in_others = |rank: &u32| others().all(|(_, set)| set.contains(*rank));
            return Self::List(ranks.iter().copied().filter(is_in_others).collect());
        }
        let mut words = sets.iter().filter_map(|set| match set {
            RankSet::Mask(mask) => Some(mask.bits()),
            RankSet::List(_) => None,
        });
        let mut masks =
            Masks { first: words.next().unwrap_or_default(), others: [&[]; SETS], other_count: 0 };
        for other in words {
            masks.others[masks.other_count] = other;
            masks.other_count += 1;
        }
        Self::Masks(masks)
    }

    pub(super) fn contains(&self, rank: u32) -> bool {
        match self {
            Self::List(ranks) => ranks.binary_search(&rank).is_ok(),
            Self::Masks(masks) => {
                let (word, bit) = bit_of(rank);
                masks.first[word] & bit != 0 && masks.others().iter().all(|words| words[word] & bit != 0)
            }
        }
    }

    pub(super) fn short_list(&self) -> Option<&[u32]> {
        match self {
            Self::List(ranks) if ranks.len() <= SHORT_LIST => Some(ranks),
            _ => None,
        }
    }

    /// Those who are in another set too, as one bit for each rank below `count`.
    pub(crate) fn bits_with(&self, other: &RankSet, count: usize) -> Vec<u64> {
        let mut words = match self {
            Self::List(ranks) => Mask::new(ranks.iter().copied(), count).bits().to_vec(),
            Self::Masks(masks) => {
                let mut words = masks.first.to_vec();
                masks.others().iter().for_each(|other| keep(&mut words, other));
                words
            }
        };
        match other {
            RankSet::Mask(mask) => keep(&mut words, mask.bits()),
            RankSet::List(ranks) => keep(&mut words, Mask::new(ranks.iter().copied(), count).bits()),
        }
        words
    }

    pub(crate) fn ranks_with(&self, other: &RankSet, count: usize) -> Vec<u32> {
        numbers_of(&self.bits_with(other, count)).collect()
    }
}

fn keep(words: &mut [u64], other: &[u64]) {
    words.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn members_are_the_intersection_of_their_sets(
            sets in vec((any::<bool>(), btree_set(0..2_000_u32, 0..1_500)), 1..=SETS),
            (is_mask, last) in (any::<bool>(), btree_set(0..2_000_u32, 0..1_500)),
        ) {
            let built = |is_mask: bool, ranks: &BTreeSet<u32>| {
                let ranks: Vec<u32> = ranks.iter().copied().collect();
                if is_mask { RankSet::mask(&ranks, 2_000) } else { RankSet::List(ranks.into()) }
            };
            let rank_sets: Vec<RankSet> = sets.iter().map(|(is_mask, ranks)| built(*is_mask, ranks)).collect();
            let members = Members::intersect(&rank_sets.iter().collect::<Vec<_>>());
            let is_in_all = |rank: u32| sets.iter().all(|(_, ranks)| ranks.contains(&rank));
            for rank in 0..2_000 {
                prop_assert_eq!(members.contains(rank), is_in_all(rank));
            }
            let expected: Vec<u32> = last.iter().copied().filter(|&rank| is_in_all(rank)).collect();
            prop_assert_eq!(members.ranks_with(&built(is_mask, &last), 2_000), expected);
        }
    }
}
