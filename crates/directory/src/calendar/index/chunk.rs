//! Sixteen hours of the index: the rows in the order of time, and the counts that let a query jump over empty time.

use std::sync::Arc;

use super::eligibility::{Eligibility, PatientStates};
use super::row::{Removed, Row};
use crate::bits::bit_of;

/// Seconds of a chunk: they fit in 16 bits.
pub(crate) const CHUNK: i64 = 57_600;
/// Seconds of a quarter hour.
pub(crate) const QUARTER: u16 = 900;
pub(super) const QUARTERS: usize = 64;

pub(crate) fn chunk_of(unix: i64) -> i64 {
    unix.div_euclid(CHUNK)
}

#[derive(Debug, Clone)]
pub(crate) struct Chunk {
    /// A changed copy of a chunk shares the quarter hours that did not change: to copy all rows and counts took most of the
    /// time of a change.
    quarters: Vec<Arc<Quarter>>,
    /// By pair: a bit for each quarter hour with a start.
    open: Vec<u64>,
    /// A bit for each rank that has a start here.
    pub(super) holders: Vec<u64>,
}

#[derive(Debug, Clone)]
struct Quarter {
    /// By second, then by set of types.
    rows: Vec<ChunkRow>,
    /// By pair of state and type: the number of starts.
    counts: Vec<u32>,
}

/// A provider with a start, who accepts patients in these states.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Holder {
    pub(crate) rank: u32,
    pub(crate) states: PatientStates,
}

#[derive(Debug, Clone)]
pub(crate) struct ChunkRow {
    pub(crate) second: u16,
    pub(crate) set: u32,
    pub(crate) row: Row,
}

impl Chunk {
    pub(super) fn new(rows: Vec<ChunkRow>, counts: &[u32], provider_count: usize) -> Self {
        let mut holders = vec![0; provider_count.div_ceil(64)];
        for entry in &rows {
            entry.row.add_to(&mut holders);
        }
        let pairs = counts.len() / QUARTERS;
        let is_open = |quarter: usize, pair: usize| u64::from(counts[quarter * pairs + pair] > 0) << quarter;
        let open = (0..pairs).map(|pair| (0..QUARTERS).map(|quarter| is_open(quarter, pair)).sum());
        let open = open.collect();
        let empty = Arc::new(Quarter { rows: Vec::new(), counts: vec![0; pairs] });
        let mut rows = rows.into_iter().peekable();
        let quarters = (0..QUARTERS).map(|quarter| {
            let is_here = |entry: &ChunkRow| usize::from(entry.second / QUARTER) == quarter;
            let mut rows: Vec<ChunkRow> = std::iter::from_fn(|| rows.next_if(is_here)).collect();
            rows.shrink_to_fit();
            if rows.is_empty() {
                return Arc::clone(&empty);
            }
            let counts = counts[quarter * pairs..(quarter + 1) * pairs].to_vec();
            Arc::new(Quarter { rows, counts })
        });
        Self { quarters: quarters.collect(), open, holders }
    }

    pub(crate) fn open(&self, pair: usize) -> u64 {
        self.open[pair]
    }

    pub(crate) fn has_holder(&self, rank: u32) -> bool {
        let (word, bit) = bit_of(rank);
        self.holders[word] & bit != 0
    }

    /// Adds a rank to the holders or removes it, after its starts have changed.
    pub(crate) fn set_holder(&mut self, rank: u32, has_start: bool) {
        let (word, bit) = bit_of(rank);
        if has_start {
            self.holders[word] |= bit;
        } else {
            self.holders[word] &= !bit;
        }
    }

    pub(crate) fn rows(&self, quarter: u16) -> &[ChunkRow] {
        &self.quarters[usize::from(quarter)].rows
    }

    /// Adds a start and counts it. The caller then sets the [holder](Self::set_holder).
    pub(crate) fn insert(
        &mut self,
        second: u16,
        set: u32,
        holder: Holder,
        eligibility: &Eligibility,
        provider_count: usize,
    ) {
        let found = self.find(second, set);
        let number = usize::from(second / QUARTER);
        let Quarter { rows, counts } = Arc::make_mut(&mut self.quarters[number]);
        let is_new = match found {
            Ok(at) => rows[at].row.insert(holder.rank, provider_count),
            Err(at) => {
                rows.insert(at, ChunkRow { second, set, row: Row::One(holder.rank) });
                true
            }
        };
        if is_new {
            eligibility.each_pair(holder.states, set, |pair| {
                counts[pair] += 1;
                self.open[pair] |= 1 << number;
            });
        }
    }

    /// Does nothing if the chunk does not have it. The caller then sets the [holder](Self::set_holder).
    pub(crate) fn remove(&mut self, second: u16, set: u32, holder: Holder, eligibility: &Eligibility) {
        let Ok(at) = self.find(second, set) else { return };
        let number = usize::from(second / QUARTER);
        let Quarter { rows, counts } = Arc::make_mut(&mut self.quarters[number]);
        match rows[at].row.remove(holder.rank) {
            Removed::NotThere => return,
            Removed::Done => {}
            Removed::Last => _ = rows.remove(at),
        }
        eligibility.each_pair(holder.states, set, |pair| {
            counts[pair] -= 1;
            if counts[pair] == 0 {
                self.open[pair] &= !(1 << number);
            }
        });
    }

    fn find(&self, second: u16, set: u32) -> Result<usize, usize> {
        let rows = self.rows(second / QUARTER);
        rows.binary_search_by_key(&(second, set), |entry| (entry.second, entry.set))
    }

    fn entries(&self) -> impl Iterator<Item = &ChunkRow> {
        self.quarters.iter().flat_map(|quarter| &quarter.rows)
    }

    pub(crate) fn starts(&self) -> usize {
        self.entries().map(|entry| entry.row.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Chunk {
        /// Whether both have the same starts and counts, whatever the form of their rows.
        pub(crate) fn is_same(&self, other: &Self) -> bool {
            fn rows(chunk: &Chunk) -> Vec<(u16, u32, Vec<u32>)> {
                chunk.entries().map(|entry| (entry.second, entry.set, entry.row.ranks())).collect()
            }
            let counts = |chunk: &Self| {
                chunk.quarters.iter().map(|quarter| quarter.counts.clone()).collect::<Vec<_>>()
            };
            rows(self) == rows(other)
                && counts(self) == counts(other)
                && self.open == other.open
                && self.holders == other.holders
        }
    }
}
