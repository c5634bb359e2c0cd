//! A row: the providers, by their turn, who can start at one instant with one set of visit types.
//!
//! A common instant has a bit for every provider; a rare one lists its few; and an odd second, which mostly
//! has one provider, costs no more than that one's number. Between where a list becomes bits and where bits
//! become a list there is room, so that a booking does not turn a row back and forth.

use std::sync::Arc;

/// A row of turns: never of none. A copy shares what is large.
#[derive(Debug, Clone)]
pub(in crate::calendar) enum Row {
    /// A single one.
    One(u32),
    /// A few, ascending.
    Sparse(Arc<Vec<u32>>),
    /// A bit for each turn.
    Dense {
        /// The bits.
        words: Arc<[u64]>,
        /// How many are set.
        count: u32,
    },
}

/// What came of taking a turn out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::calendar) enum Removed {
    NotThere,
    Done,
    /// It was the last one: the row is to be given up.
    Last,
}

/// The word of a turn, and its bit there.
fn place(turn: u32) -> (usize, u64) {
    ((turn / 64) as usize, 1 << (turn % 64))
}

/// The bits of turns that differ.
fn words_of(list: &[u32], turns: usize) -> Vec<u64> {
    let mut words = vec![0; turns.div_ceil(64)];
    for &turn in list {
        let (word, bit) = place(turn);
        words[word] |= bit;
    }
    words
}

/// Whether so many turns of all are better kept as bits. A list costs as much memory as bits only at four times
/// as many; but bits are met eight words at a time, and a list one turn after another.
fn is_common(count: usize, turns: usize) -> bool {
    count > turns / 128
}

impl Row {
    /// Puts a turn in; false when it is there already. `turns` is how many there are of them.
    pub(in crate::calendar) fn insert(&mut self, turn: u32, turns: usize) -> bool {
        match self {
            Self::One(one) => {
                let one = *one;
                if one != turn {
                    *self = Self::Sparse(Arc::new(vec![one.min(turn), one.max(turn)]));
                }
                one != turn
            }
            Self::Sparse(list) => {
                let Err(at) = list.binary_search(&turn) else { return false };
                let list = Arc::make_mut(list);
                list.insert(at, turn);
                if is_common(list.len(), turns) {
                    let count = u32::try_from(list.len()).unwrap_or(u32::MAX);
                    *self = Self::Dense { words: words_of(list, turns).into(), count };
                }
                true
            }
            Self::Dense { words, count } => {
                let (word, bit) = place(turn);
                let is_new = words[word] & bit == 0;
                if is_new {
                    Arc::make_mut(words)[word] |= bit;
                    *count += 1;
                }
                is_new
            }
        }
    }

    /// Takes a turn out.
    pub(in crate::calendar) fn remove(&mut self, turn: u32) -> Removed {
        match self {
            Self::One(one) if *one == turn => Removed::Last,
            Self::One(_) => Removed::NotThere,
            Self::Sparse(list) => {
                let Ok(at) = list.binary_search(&turn) else { return Removed::NotThere };
                let list = Arc::make_mut(list);
                list.remove(at);
                if let [one] = list[..] {
                    *self = Self::One(one);
                }
                Removed::Done
            }
            Self::Dense { words, count } => {
                let (word, bit) = place(turn);
                if words[word] & bit == 0 {
                    return Removed::NotThere;
                }
                Arc::make_mut(words)[word] &= !bit;
                *count -= 1;
                if (*count as usize) < (words.len() / 4).max(2) {
                    let list: Vec<u32> = positions(words).collect();
                    *self = match list[..] {
                        [] => return Removed::Last,
                        [one] => Self::One(one),
                        _ => Self::Sparse(Arc::new(list)),
                    };
                }
                Removed::Done
            }
        }
    }

    pub(in crate::calendar) fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Sparse(list) => list.len(),
            Self::Dense { count, .. } => *count as usize,
        }
    }

    /// How many bytes it has on the heap.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        match self {
            Self::One(_) => 0,
            Self::Sparse(list) => 16 + size_of::<Vec<u32>>() + list.capacity() * size_of::<u32>(),
            Self::Dense { words, .. } => 16 + size_of_val(&**words),
        }
    }

    /// The turns, ascending.
    #[cfg(test)]
    pub(in crate::calendar) fn turns(&self) -> Vec<u32> {
        match self {
            Self::One(one) => vec![*one],
            Self::Sparse(list) => list.to_vec(),
            Self::Dense { words, .. } => positions(words).collect(),
        }
    }
}

/// A row that is being filled by ascending turns, none of them twice, and that nobody else sees yet.
#[derive(Debug)]
pub(in crate::calendar) enum Filling {
    List(Vec<u32>),
    Bits(Vec<u64>, u32),
}

impl Filling {
    pub(in crate::calendar) fn new() -> Self {
        Self::List(Vec::new())
    }

    #[inline]
    pub(in crate::calendar) fn push(&mut self, turn: u32, turns: usize) {
        match self {
            Self::List(list) => {
                list.push(turn);
                if is_common(list.len(), turns) {
                    let count = u32::try_from(list.len()).unwrap_or(u32::MAX);
                    *self = Self::Bits(words_of(list, turns), count);
                }
            }
            Self::Bits(words, count) => {
                let (word, bit) = place(turn);
                words[word] |= bit;
                *count += 1;
            }
        }
    }

    /// The row; none when nobody is in it.
    pub(in crate::calendar) fn finish(self) -> Option<Row> {
        match self {
            Self::Bits(words, count) => Some(Row::Dense { words: words.into(), count }),
            Self::List(mut list) => match list[..] {
                [] => None,
                [one] => Some(Row::One(one)),
                _ => {
                    list.shrink_to_fit();
                    Some(Row::Sparse(Arc::new(list)))
                }
            },
        }
    }
}

/// The positions of the bits that are set, ascending.
pub(in crate::calendar) fn positions(words: &[u64]) -> impl Iterator<Item = u32> {
    (0_u32..).zip(words).flat_map(|(word, &bits)| {
        let rest = |bits: u64| (bits != 0).then_some(bits);
        std::iter::successors(rest(bits), move |&bits| rest(bits & (bits - 1)))
            .map(move |bits| word * 64 + bits.trailing_zeros())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_row_is_a_set_whichever_form_it_has(
            filled in btree_set(0..300_u32, 1..40),
            changes in vec((any::<bool>(), 0..300_u32), 0..200),
            turns in proptest::sample::select(vec![300_usize, 3000]),
        ) {
            let mut set: BTreeSet<u32> = filled.clone();
            let mut filling = Filling::new();
            for turn in filled {
                filling.push(turn, turns);
            }
            let mut row = filling.finish().unwrap();
            for (is_new, turn) in changes {
                if is_new {
                    prop_assert_eq!(row.insert(turn, turns), set.insert(turn));
                } else {
                    let expected = match (set.remove(&turn), set.is_empty()) {
                        (false, _) => Removed::NotThere,
                        (true, false) => Removed::Done,
                        (true, true) => Removed::Last,
                    };
                    prop_assert_eq!(row.remove(turn), expected);
                    if expected == Removed::Last {
                        break;
                    }
                }
                prop_assert_eq!(row.len(), set.len());
                prop_assert_eq!(row.turns(), set.iter().copied().collect::<Vec<_>>());
            }
        }
    }
}
