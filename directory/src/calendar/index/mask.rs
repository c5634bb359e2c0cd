//! A mask: the few providers that a state and a visit type have in common; and its meeting with a row.

use super::row::Row;

/// A set of turns that keeps only the words in which there are any.
#[derive(Debug, Clone, Default)]
pub(in crate::calendar) struct Mask {
    at: Box<[u32]>,
    bits: Box<[u64]>,
}

impl Mask {
    /// The mask of turns that ascend; repetition means nothing.
    pub(in crate::calendar) fn of(turns: impl IntoIterator<Item = u32>) -> Self {
        let (mut at, mut bits): (Vec<u32>, Vec<u64>) = (Vec::new(), Vec::new());
        for turn in turns {
            let (word, bit) = (turn / 64, 1 << (turn % 64));
            match bits.last_mut() {
                Some(last) if at.last() == Some(&word) => *last |= bit,
                _ => {
                    at.push(word);
                    bits.push(bit);
                }
            }
        }
        Self { at: at.into(), bits: bits.into() }
    }

    pub(in crate::calendar) fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// Whether a turn is in it.
    pub(in crate::calendar) fn contains(&self, turn: u32) -> bool {
        let found = self.at.binary_search(&(turn / 64));
        found.is_ok_and(|at| self.bits[at] >> (turn % 64) & 1 == 1)
    }

    /// The turns, ascending.
    pub(in crate::calendar) fn turns(&self) -> impl Iterator<Item = u32> {
        self.at.iter().zip(&self.bits).flat_map(|(&word, bits)| {
            super::row::bits(std::slice::from_ref(bits)).map(move |bit| word * 64 + bit)
        })
    }

    /// How many bytes it has on the heap.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        self.at.len() * 4 + self.bits.len() * 8
    }
}

/// What a row and a mask have in common, word after word.
#[derive(Debug, Clone)]
pub(in crate::calendar) struct Lane<'a> {
    row: RowRest<'a>,
    at: &'a [u32],
    bits: &'a [u64],
}

#[derive(Debug, Clone)]
enum RowRest<'a> {
    Sparse(&'a [u32]),
    Dense(&'a [u64]),
}

impl<'a> Lane<'a> {
    /// From the given word on.
    #[inline]
    pub(in crate::calendar) fn new(row: &'a Row, mask: &'a Mask, from: u32) -> Self {
        // A mask that has every word, which is what large states have, needs no search.
        let skip = match mask.at.get(from as usize) {
            Some(&word) if word == from => from as usize,
            _ => mask.at.partition_point(|&word| word < from),
        };
        let row = match row {
            Row::Dense { words, .. } => RowRest::Dense(words),
            Row::Sparse(list) => {
                let skip = list.partition_point(|&turn| turn / 64 < from);
                RowRest::Sparse(&list[skip..])
            }
        };
        Self { row, at: &mask.at[skip..], bits: &mask.bits[skip..] }
    }
}

impl Iterator for Lane<'_> {
    /// A word's position, and its bits: never none of them.
    type Item = (u32, u64);

    #[inline]
    fn next(&mut self) -> Option<(u32, u64)> {
        match &mut self.row {
            RowRest::Dense(words) => {
                for (nth, (&word, &mask)) in self.at.iter().zip(self.bits).enumerate() {
                    let bits = words[word as usize] & mask;
                    if bits != 0 {
                        (self.at, self.bits) = (&self.at[nth + 1..], &self.bits[nth + 1..]);
                        return Some((word, bits));
                    }
                }
                self.at = &[];
                None
            }
            // The two skip each other: whichever lags behind leaps to where the other is.
            RowRest::Sparse(list) => loop {
                let (&turn, &word) = (list.first()?, self.at.first()?);
                let here = turn / 64;
                if word < here {
                    let skip = leap(self.at, |&word| word < here);
                    (self.at, self.bits) = (&self.at[skip..], &self.bits[skip..]);
                } else if here < word {
                    *list = &list[leap(list, |&turn| turn / 64 < word)..];
                } else {
                    let mut bits = 0;
                    while let Some((&turn, rest)) = list.split_first()
                        && turn / 64 == word
                    {
                        bits |= 1 << (turn % 64);
                        *list = rest;
                    }
                    bits &= self.bits[0];
                    (self.at, self.bits) = (&self.at[1..], &self.bits[1..]);
                    if bits != 0 {
                        return Some((word, bits));
                    }
                }
            },
        }
    }
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

    use super::*;

    proptest! {
        #[test]
        fn a_lane_is_the_intersection(
            row in btree_set(0..2_000_u32, 0..200),
            mask in btree_set(0..2_000_u32, 0..200),
            from in 0..32_u32,
            turns in proptest::sample::select(vec![2_000_usize, 100_000]),
        ) {
            let kept = Mask::of(mask.iter().copied());
            prop_assert_eq!(kept.turns().collect::<BTreeSet<_>>(), mask.clone());
            let mut filled = Row::default();
            for &turn in &row {
                filled.insert(turn, turns);
            }
            let met: Vec<u32> = Lane::new(&filled, &kept, from)
                .flat_map(|(word, bits)| {
                    assert_ne!(bits, 0);
                    (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit)
                })
                .collect();
            let expected: Vec<u32> =
                row.intersection(&mask).copied().filter(|turn| turn / 64 >= from).collect();
            prop_assert_eq!(met, expected);
            for turn in &row {
                prop_assert_eq!(kept.contains(*turn), mask.contains(turn));
            }
        }
    }
}
