//! Sets of small numbers as one bit for each, 64 to a machine word.

#[derive(Debug, Clone)]
pub(crate) struct Mask(Box<[u64]>);

impl Mask {
    /// The set of these numbers, each below `end`.
    pub(crate) fn new(numbers: impl IntoIterator<Item = u32>, end: usize) -> Self {
        let mut mask = Self(vec![0; end.div_ceil(64)].into());
        numbers.into_iter().for_each(|number| mask.insert(number));
        mask
    }

    pub(crate) fn insert(&mut self, number: u32) {
        let (word, bit) = bit_of(number);
        self.0[word] |= bit;
    }

    pub(crate) fn bits(&self) -> &[u64] {
        &self.0
    }

    pub(crate) fn contains(&self, number: u32) -> bool {
        let (word, bit) = bit_of(number);
        self.0[word] & bit != 0
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        numbers_of(&self.0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

pub(crate) fn bit_of(number: u32) -> (usize, u64) {
    ((number / 64) as usize, 1 << (number % 64))
}

/// The numbers whose bits are set, ascending.
pub(crate) fn numbers_of(words: &[u64]) -> impl Iterator<Item = u32> {
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
        fn a_mask_is_the_set_of_its_numbers(ranks in btree_set(0..2_000_u32, 0..200)) {
            let mask = Mask::new(ranks.iter().copied(), 2_000);
            prop_assert_eq!(mask.numbers().collect::<Vec<_>>(), ranks.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(mask.is_empty(), ranks.is_empty());
            for rank in 0..2_000 {
                prop_assert_eq!(mask.contains(rank), ranks.contains(&rank));
            }
        }
    }
}
