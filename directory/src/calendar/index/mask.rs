//! A set of ranks as one bit for each.

#[derive(Debug, Clone)]
pub(crate) struct Mask(Box<[u64]>);

impl Mask {
    /// The set of these ranks, each below `count`.
    pub(crate) fn of(ranks: impl IntoIterator<Item = u32>, count: usize) -> Self {
        let mut words = vec![0; count.div_ceil(64)];
        for rank in ranks {
            let (word, bit) = bit_of(rank);
            words[word] |= bit;
        }
        Self(words.into())
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.0
    }

    pub(crate) fn contains(&self, rank: u32) -> bool {
        let (word, bit) = bit_of(rank);
        self.0[word] & bit != 0
    }

    pub(crate) fn ranks(&self) -> impl Iterator<Item = u32> {
        ranks_of(&self.0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

/// The word of a rank, and its bit there.
pub(crate) fn bit_of(rank: u32) -> (usize, u64) {
    ((rank / 64) as usize, 1 << (rank % 64))
}

/// The ranks whose bits are set, ascending.
pub(crate) fn ranks_of(words: &[u64]) -> impl Iterator<Item = u32> {
    (0_u32..).zip(words).flat_map(|(word, &bits)| {
        let rest = |bits: u64| (bits != 0).then_some(bits);
        std::iter::successors(rest(bits), move |&bits| rest(bits & (bits - 1)))
            .map(move |bits| word * 64 + bits.trailing_zeros())
    })
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_mask_is_the_set_of_its_ranks(ranks in btree_set(0..2_000_u32, 0..200)) {
            let mask = Mask::of(ranks.iter().copied(), 2_000);
            prop_assert_eq!(mask.ranks().collect::<Vec<_>>(), ranks.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(mask.is_empty(), ranks.is_empty());
            for rank in 0..2_000 {
                prop_assert_eq!(mask.contains(rank), ranks.contains(&rank));
            }
        }
    }
}
