//! A row: the providers, by rank, who can start at one instant with one set of visit types.
//! A row of many providers has a bit for every rank, a row of few is a list, and a row of one is that rank. The limits
//! at which a list becomes bits and bits become a list differ, so that single changes do not convert a row back and forth.

use std::sync::Arc;

use crate::bits::{Mask, bit_of, numbers_of};

/// A set of ranks that is not empty. Copies share the list or the bits.
#[derive(Debug, Clone)]
pub(crate) enum Row {
    One(u32),
    /// Ascending.
    Sparse(Arc<Vec<u32>>),
    /// A bit for each rank.
    Dense {
        words: Arc<[u64]>,
        count: u32,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Removed {
    NotThere,
    Done,
    /// It was the last one: the caller drops the row.
    Last,
}

/// Whether a row of this size is stored as bits. A list takes less memory up to one provider in 32, but bits are
/// intersected a word at a time.
pub(super) fn is_dense(count: usize, provider_count: usize) -> bool {
    count > provider_count / 128
}

impl Row {
    /// Adds a rank; false if the row has it.
    pub(crate) fn insert(&mut self, rank: u32, provider_count: usize) -> bool {
        match self {
            Self::One(one) => {
                let one = *one;
                if one != rank {
                    *self = Self::Sparse(Arc::new(vec![one.min(rank), one.max(rank)]));
                }
                one != rank
            }
            Self::Sparse(list) => {
                let Err(at) = list.binary_search(&rank) else { return false };
                let list = Arc::make_mut(list);
                list.insert(at, rank);
                if is_dense(list.len(), provider_count) {
                    let count = u32::try_from(list.len()).unwrap_or(u32::MAX);
                    let mask = Mask::new(list.iter().copied(), provider_count);
                    *self = Self::Dense { words: mask.bits().into(), count };
                }
                true
            }
            Self::Dense { words, count } => {
                let (word, bit) = bit_of(rank);
                let is_new = words[word] & bit == 0;
                if is_new {
                    Arc::make_mut(words)[word] |= bit;
                    *count += 1;
                }
                is_new
            }
        }
    }

    pub(crate) fn remove(&mut self, rank: u32) -> Removed {
        match self {
            Self::One(one) if *one == rank => Removed::Last,
            Self::One(_) => Removed::NotThere,
            Self::Sparse(list) => {
                let Ok(at) = list.binary_search(&rank) else { return Removed::NotThere };
                let list = Arc::make_mut(list);
                list.remove(at);
                if let [one] = list[..] {
                    *self = Self::One(one);
                }
                Removed::Done
            }
            Self::Dense { words, count } => {
                let (word, bit) = bit_of(rank);
                if words[word] & bit == 0 {
                    return Removed::NotThere;
                }
                Arc::make_mut(words)[word] &= !bit;
                *count -= 1;
                if (*count as usize) < (words.len() / 4).max(2) {
                    let list: Vec<u32> = numbers_of(words).collect();
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

    pub(super) fn add_to(&self, bits: &mut [u64]) {
        let mut add = |rank: u32| {
            let (word, bit) = bit_of(rank);
            bits[word] |= bit;
        };
        match self {
            Self::One(rank) => add(*rank),
            Self::Sparse(ranks) => ranks.iter().for_each(|&rank| add(rank)),
            Self::Dense { words, .. } => {
                bits.iter_mut().zip(&**words).for_each(|(bits, word)| *bits |= word);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Sparse(list) => list.len(),
            Self::Dense { count, .. } => *count as usize,
        }
    }
}

/// Builds a row from ascending ranks, each once.
#[derive(Debug)]
pub(crate) enum RowBuilder {
    List(Vec<u32>),
    Bits(Vec<u64>, u32),
}

impl RowBuilder {
    pub(crate) fn new() -> Self {
        Self::List(Vec::new())
    }

    pub(crate) fn push(&mut self, rank: u32, provider_count: usize) {
        match self {
            Self::List(list) => {
                list.push(rank);
                if is_dense(list.len(), provider_count) {
                    let count = u32::try_from(list.len()).unwrap_or(u32::MAX);
                    let mask = Mask::new(list.iter().copied(), provider_count);
                    *self = Self::Bits(mask.bits().to_vec(), count);
                }
            }
            Self::Bits(words, count) => {
                let (word, bit) = bit_of(rank);
                words[word] |= bit;
                *count += 1;
            }
        }
    }

    pub(crate) fn finish(self) -> Option<Row> {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    impl Row {
        pub(crate) fn ranks(&self) -> Vec<u32> {
            match self {
                Self::One(one) => vec![*one],
                Self::Sparse(list) => list.to_vec(),
                Self::Dense { words, .. } => numbers_of(words).collect(),
            }
        }
    }

    proptest! {
        #[test]
        fn a_row_of_any_form_is_a_set(
            filled in btree_set(0..300_u32, 1..40),
            changes in vec((any::<bool>(), 0..300_u32), 0..200),
            count in proptest::sample::select(vec![300_usize, 3000]),
        ) {
            let mut set: BTreeSet<u32> = filled.clone();
            let mut builder = RowBuilder::new();
            for rank in filled {
                builder.push(rank, count);
            }
            let mut row = builder.finish().unwrap();
            for (is_new, rank) in changes {
                if is_new {
                    prop_assert_eq!(row.insert(rank, count), set.insert(rank));
                } else {
                    let expected = match (set.remove(&rank), set.is_empty()) {
                        (false, _) => Removed::NotThere,
                        (true, false) => Removed::Done,
                        (true, true) => Removed::Last,
                    };
                    prop_assert_eq!(row.remove(rank), expected);
                    if expected == Removed::Last {
                        break;
                    }
                }
                prop_assert_eq!(row.len(), set.len());
                prop_assert_eq!(row.ranks(), set.iter().copied().collect::<Vec<_>>());
            }
        }
    }
}
