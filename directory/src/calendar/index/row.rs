//! A row: the providers, by their turn, who can start at one instant with one set of visit types.
//!
//! A common instant has a bit for every provider; a rare one lists its few. The two meet where they cost the
//! same, with room between, so that a booking does not turn a row back and forth.

/// A row of turns.
#[derive(Debug, Clone)]
pub(in crate::calendar) enum Row {
    /// A few, ascending.
    Sparse(Vec<u32>),
    /// A bit for each turn.
    Dense {
        /// The bits.
        words: Box<[u64]>,
        /// How many are set.
        count: u32,
    },
}

impl Default for Row {
    fn default() -> Self {
        Self::Sparse(Vec::new())
    }
}

/// Bits of a turn: its word and its place in it.
fn place(turn: u32) -> (usize, u64) {
    ((turn / 64) as usize, 1 << (turn % 64))
}

impl Row {
    /// Puts a turn in; false when it is there already. `turns` is how many there are of them.
    pub(in crate::calendar) fn insert(&mut self, turn: u32, turns: usize) -> bool {
        match self {
            Self::Dense { words, count } => {
                let (word, bit) = place(turn);
                let is_new = words[word] & bit == 0;
                words[word] |= bit;
                *count += u32::from(is_new);
                is_new
            }
            Self::Sparse(list) => {
                // A row is filled by ascending turns, so the end is where most of them go.
                let at = match list.last() {
                    Some(&last) if last >= turn => match list.binary_search(&turn) {
                        Ok(_) => return false,
                        Err(at) => at,
                    },
                    _ => list.len(),
                };
                list.insert(at, turn);
                if list.len() > turns / 32 {
                    self.make_dense(turns);
                }
                true
            }
        }
    }

    /// Takes a turn out; false when it is not there.
    pub(in crate::calendar) fn remove(&mut self, turn: u32) -> bool {
        match self {
            Self::Dense { words, count } => {
                let (word, bit) = place(turn);
                let was_there = words[word] & bit != 0;
                words[word] &= !bit;
                *count -= u32::from(was_there);
                if (*count as usize) < words.len() {
                    self.make_sparse();
                }
                was_there
            }
            Self::Sparse(list) => match list.binary_search(&turn) {
                Ok(at) => {
                    list.remove(at);
                    true
                }
                Err(_) => false,
            },
        }
    }

    pub(in crate::calendar) fn len(&self) -> usize {
        match self {
            Self::Sparse(list) => list.len(),
            Self::Dense { count, .. } => *count as usize,
        }
    }

    /// Gives back room that filling it left over.
    pub(in crate::calendar) fn settle(&mut self) {
        if let Self::Sparse(list) = self {
            list.shrink_to_fit();
        }
    }

    /// How many bytes it has on the heap.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        match self {
            Self::Sparse(list) => list.capacity() * size_of::<u32>(),
            Self::Dense { words, .. } => size_of_val(&**words),
        }
    }

    fn make_dense(&mut self, turns: usize) {
        if let Self::Sparse(list) = self {
            let mut words = vec![0; turns.div_ceil(64)].into_boxed_slice();
            for &turn in list.iter() {
                let (word, bit) = place(turn);
                words[word] |= bit;
            }
            *self = Self::Dense { count: u32::try_from(list.len()).unwrap_or(u32::MAX), words };
        }
    }

    fn make_sparse(&mut self) {
        if let Self::Dense { words, .. } = self {
            *self = Self::Sparse(bits(words).collect());
        }
    }
}

/// The positions of the bits that are set, ascending.
pub(in crate::calendar) fn bits(words: &[u64]) -> impl Iterator<Item = u32> {
    words.iter().enumerate().flat_map(|(word, &bits)| {
        let word = u32::try_from(word).unwrap_or(u32::MAX / 64);
        std::iter::successors((bits != 0).then_some(bits), |bits| {
            let rest = bits & (bits - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |bits| word * 64 + bits.trailing_zeros())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_row_is_a_set_whichever_form_it_has(changes in vec((any::<bool>(), 0..300_u32), 0..200)) {
            let mut row = Row::default();
            let mut set = BTreeSet::new();
            for (is_new, turn) in changes {
                if is_new {
                    prop_assert_eq!(row.insert(turn, 300), set.insert(turn));
                } else {
                    prop_assert_eq!(row.remove(turn), set.remove(&turn));
                }
                prop_assert_eq!(row.len(), set.len());
                let turns: Vec<u32> = match &row {
                    Row::Sparse(list) => list.clone(),
                    Row::Dense { words, .. } => bits(words).collect(),
                };
                prop_assert_eq!(turns, set.iter().copied().collect::<Vec<_>>());
            }
        }
    }
}
