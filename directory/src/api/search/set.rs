//! Sets of providers as bits, and pages of them.

/// A bitset of provider numbers, and its size.
#[derive(Debug, Clone)]
pub(super) struct ProviderSet {
    pub(super) bits: Vec<u64>,
    pub(super) count: usize,
}

impl ProviderSet {
    pub(super) fn empty(providers: usize) -> Self {
        Self { bits: vec![0; providers.div_ceil(64)], count: 0 }
    }

    /// Requires that `index` is not in the set.
    pub(super) fn insert(&mut self, index: usize) {
        self.bits[index / 64] |= 1 << (index % 64);
        self.count += 1;
    }
}

/// A page of positions, filled from sets one after another.
#[derive(Debug)]
pub(super) struct Page {
    skip: usize,
    limit: usize,
    pub(super) positions: Vec<usize>,
}

impl Page {
    pub(super) fn new(limit: i64, offset: i64) -> Self {
        let limit = usize::try_from(limit).unwrap_or_default();
        let skip = usize::try_from(offset).unwrap_or(usize::MAX);
        Self { skip, limit, positions: Vec::with_capacity(limit) }
    }

    pub(super) fn is_full(&self) -> bool {
        self.positions.len() == self.limit
    }

    /// Adds the positions of the set bits, in ascending order, until the page is full.
    pub(super) fn add(&mut self, bits: impl Iterator<Item = u64>) {
        for (at, word) in bits.enumerate() {
            if word == 0 {
                continue;
            }
            if self.skip > 0 {
                let here = word.count_ones() as usize;
                if here <= self.skip {
                    self.skip -= here;
                    continue;
                }
            }
            let mut word = word;
            while word != 0 {
                if self.skip > 0 {
                    self.skip -= 1;
                } else if self.is_full() {
                    return;
                } else {
                    self.positions.push(at * 64 + word.trailing_zeros() as usize);
                }
                word &= word - 1;
            }
        }
    }
}
