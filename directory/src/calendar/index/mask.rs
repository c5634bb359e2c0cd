//! A mask: the providers who accept new patients in a state; and its meeting with a row.

use std::cmp::Ordering;

use super::row::{Row, positions};

/// A set of turns. A small one keeps only the words in which there are any.
#[derive(Debug, Clone)]
pub(in crate::calendar) enum Mask {
    Sparse { at: Box<[u32]>, bits: Box<[u64]> },
    Dense(Box<[u64]>),
}

impl Mask {
    /// The mask of turns that ascend, of so many; repetition means nothing.
    pub(in crate::calendar) fn of(list: impl IntoIterator<Item = u32>, turns: usize) -> Self {
        let (mut at, mut bits): (Vec<u32>, Vec<u64>) = (Vec::new(), Vec::new());
        for turn in list {
            let (word, bit) = (turn / 64, 1 << (turn % 64));
            match bits.last_mut() {
                Some(newest) if at.last() == Some(&word) => *newest |= bit,
                _ => {
                    at.push(word);
                    bits.push(bit);
                }
            }
        }
        // Where half of the words have something, stepping over the others saves nothing.
        if at.len() * 2 > turns.div_ceil(64) {
            let mut words = vec![0; turns.div_ceil(64)];
            for (&word, bits) in at.iter().zip(bits) {
                words[word as usize] = bits;
            }
            Self::Dense(words.into())
        } else {
            Self::Sparse { at: at.into(), bits: bits.into() }
        }
    }

    /// Whether a turn is in it.
    #[inline]
    pub(in crate::calendar) fn contains(&self, turn: u32) -> bool {
        let word = match self {
            Self::Sparse { at, bits } => at.binary_search(&(turn / 64)).map_or(0, |at| bits[at]),
            Self::Dense(words) => words[(turn / 64) as usize],
        };
        word >> (turn % 64) & 1 == 1
    }

    /// The turns, ascending.
    pub(in crate::calendar) fn turns(&self) -> Vec<u32> {
        match self {
            Self::Dense(words) => positions(words).collect(),
            Self::Sparse { at, bits } => {
                let words = at.iter().zip(bits);
                words
                    .flat_map(|(&word, bits)| {
                        positions(std::slice::from_ref(bits)).map(move |bit| word * 64 + bit)
                    })
                    .collect()
            }
        }
    }

    /// How many bytes it has on the heap.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        match self {
            Self::Sparse { at, bits } => at.len() * 4 + bits.len() * 8,
            Self::Dense(words) => words.len() * 8,
        }
    }
}

/// What a row and a mask have in common, word after word: one way for each pair of forms.
#[derive(Debug, Clone)]
pub(in crate::calendar) enum Lane<'a> {
    /// Both have every word. The round meets these by itself, many words at a time.
    Direct { row: &'a [u64], mask: &'a [u64], word: u32 },
    /// The mask says at which words to look.
    Masked { row: &'a [u64], at: &'a [u32], bits: &'a [u64] },
    /// The row says at which words to look.
    Listed { list: &'a [u32], mask: &'a [u64] },
    /// Each says where the other need not look.
    Leaping { list: &'a [u32], at: &'a [u32], bits: &'a [u64] },
}

impl<'a> Lane<'a> {
    /// From the given word on.
    #[inline]
    pub(in crate::calendar) fn new(row: &'a Row, mask: &'a Mask, from: u32) -> Self {
        let list = match row {
            Row::Dense { words: row, .. } => {
                return match mask {
                    Mask::Dense(mask) => Self::Direct { row, mask, word: from },
                    Mask::Sparse { at, bits } => {
                        let skip = at.partition_point(|&word| word < from);
                        Self::Masked { row, at: &at[skip..], bits: &bits[skip..] }
                    }
                };
            }
            Row::Sparse(list) => list.as_slice(),
            Row::One(one) => std::slice::from_ref(one),
        };
        let list = &list[list.partition_point(|&turn| turn / 64 < from)..];
        match mask {
            Mask::Dense(mask) => Self::Listed { list, mask },
            Mask::Sparse { at, bits } => {
                let skip = at.partition_point(|&word| word < from);
                Self::Leaping { list, at: &at[skip..], bits: &bits[skip..] }
            }
        }
    }
}

impl Iterator for Lane<'_> {
    /// A word's position, and its bits: never none of them.
    type Item = (u32, u64);

    #[inline]
    fn next(&mut self) -> Option<(u32, u64)> {
        match self {
            Self::Direct { row, mask, word } => loop {
                let here = *word;
                let bits = row.get(here as usize)? & mask.get(here as usize)?;
                *word += 1;
                if bits != 0 {
                    return Some((here, bits));
                }
            },
            Self::Masked { row, at, bits } => {
                while let (Some((&word, further)), Some((mask, rest))) =
                    (at.split_first(), bits.split_first())
                {
                    (*at, *bits) = (further, rest);
                    let both = row[word as usize] & mask;
                    if both != 0 {
                        return Some((word, both));
                    }
                }
                None
            }
            Self::Listed { list, mask } => {
                while let Some(&turn) = list.first() {
                    let word = turn / 64;
                    let both = take_word(list, word) & mask[word as usize];
                    if both != 0 {
                        return Some((word, both));
                    }
                }
                None
            }
            Self::Leaping { list, at, bits } => loop {
                let (&turn, &word) = (list.first()?, at.first()?);
                let here = turn / 64;
                match word.cmp(&here) {
                    Ordering::Less => {
                        let skip = leap(at, |&word| word < here);
                        (*at, *bits) = (&at[skip..], &bits[skip..]);
                    }
                    Ordering::Greater => *list = &list[leap(list, |&turn| turn / 64 < word)..],
                    Ordering::Equal => {
                        let both = take_word(list, word) & bits[0];
                        (*at, *bits) = (&at[1..], &bits[1..]);
                        if both != 0 {
                            return Some((word, both));
                        }
                    }
                }
            },
        }
    }
}

/// Takes the turns of a word off the list, as bits.
#[inline]
fn take_word(list: &mut &[u32], word: u32) -> u64 {
    let mut bits = 0;
    while let Some((&turn, rest)) = list.split_first()
        && turn / 64 == word
    {
        bits |= 1 << (turn % 64);
        *list = rest;
    }
    bits
}

/// How many values at the beginning lie before the goal: found by strides that double, as it is mostly near.
fn leap<T>(values: &[T], is_before: impl Fn(&T) -> bool) -> usize {
    let mut stride = 1;
    while stride < values.len() && is_before(&values[stride]) {
        stride *= 2;
    }
    let from = stride / 2;
    let to = values.len().min(stride + 1);
    from + values[from..to].partition_point(is_before)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::super::row::Filling;
    use super::*;

    proptest! {
        #[test]
        fn a_lane_is_the_intersection(
            row in btree_set(0..2_000_u32, 1..200),
            mask in btree_set(0..2_000_u32, 0..200),
            from in 0..32_u32,
            row_turns in proptest::sample::select(vec![2_000_usize, 100_000]),
            mask_turns in proptest::sample::select(vec![2_000_usize, 100_000]),
        ) {
            let kept = Mask::of(mask.iter().copied(), mask_turns);
            prop_assert_eq!(kept.turns(), mask.iter().copied().collect::<Vec<_>>());
            let mut filled = Filling::new();
            for &turn in &row {
                filled.push(turn, row_turns);
            }
            let filled = filled.finish().unwrap();
            let met: Vec<u32> = Lane::new(&filled, &kept, from)
                .flat_map(|(word, bits)| {
                    assert_ne!(bits, 0);
                    (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit)
                })
                .collect();
            let both: BTreeSet<u32> = row.intersection(&mask).copied().collect();
            let expected: Vec<u32> = both.into_iter().filter(|turn| turn / 64 >= from).collect();
            prop_assert_eq!(met, expected);
            for turn in &row {
                prop_assert_eq!(kept.contains(*turn), mask.contains(turn));
            }
        }
    }
}
