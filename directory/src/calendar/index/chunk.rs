//! Sixteen hours of the index: the rows in the order of time, and the counts that let a query jump over empty time.

use super::eligibility::Eligibility;
use super::mask::bit_of;
use super::row::{Removed, Row};
use crate::model::StateSet;

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
    /// By second, then by set of types.
    rows: Vec<Entry>,
    /// The position in `rows` of the first row of each quarter hour; the last entry is the end.
    quarters: Vec<u32>,
    /// By quarter hour, then by pair of state and type: the number of starts.
    counts: Vec<u32>,
    /// By pair: a bit for each quarter hour with a start.
    open: Vec<u64>,
    /// A bit for each rank that has a start here.
    holders: Vec<u64>,
}

/// A provider with a start, who accepts patients in these states.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Holder {
    pub(crate) rank: u32,
    pub(crate) states: StateSet,
}

/// A row, its second in the chunk and its set of types.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) second: u16,
    pub(crate) set: u32,
    pub(crate) row: Row,
}

impl Chunk {
    /// The chunk of sorted rows and their counts.
    pub(super) fn new(rows: Vec<Entry>, counts: Vec<u32>, provider_count: usize) -> Self {
        let mut holders = vec![0; provider_count.div_ceil(64)];
        for entry in &rows {
            entry.row.add_to(&mut holders);
        }
        let pairs = counts.len() / QUARTERS;
        let is_open = |quarter: usize, pair: usize| u64::from(counts[quarter * pairs + pair] > 0) << quarter;
        let open = (0..pairs).map(|pair| (0..QUARTERS).map(|quarter| is_open(quarter, pair)).sum());
        let ends = (0..=QUARTERS).map(|quarter| {
            let at = rows.partition_point(|entry| usize::from(entry.second / QUARTER) < quarter);
            u32::try_from(at).unwrap_or(u32::MAX)
        });
        Self { open: open.collect(), quarters: ends.collect(), rows, counts, holders }
    }

    /// A bit for each quarter hour with a start for a pair of state and type.
    pub(crate) fn open(&self, pair: usize) -> u64 {
        self.open[pair]
    }

    /// A bit for each rank that has a start here.
    pub(super) fn holders(&self) -> &[u64] {
        &self.holders
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

    /// The rows of a quarter hour, by second.
    pub(crate) fn rows(&self, quarter: u16) -> &[Entry] {
        let quarter = usize::from(quarter);
        &self.rows[self.quarters[quarter] as usize..self.quarters[quarter + 1] as usize]
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
        let is_new = match self.find(second, set) {
            Ok(at) => self.rows[at].row.insert(holder.rank, provider_count),
            Err(at) => {
                self.rows.insert(at, Entry { second, set, row: Row::One(holder.rank) });
                for end in &mut self.quarters[usize::from(second / QUARTER) + 1..] {
                    *end += 1;
                }
                true
            }
        };
        if is_new {
            let quarter = usize::from(second / QUARTER);
            let pairs = self.open.len();
            eligibility.each_pair(holder.states, set, |pair| {
                self.counts[quarter * pairs + pair] += 1;
                self.open[pair] |= 1 << quarter;
            });
        }
    }

    /// Removes a start and its counts; nothing if the chunk does not have it. The caller then sets the
    /// [holder](Self::set_holder).
    pub(crate) fn remove(&mut self, second: u16, set: u32, holder: Holder, eligibility: &Eligibility) {
        let Ok(at) = self.find(second, set) else { return };
        match self.rows[at].row.remove(holder.rank) {
            Removed::NotThere => return,
            Removed::Done => {}
            Removed::Last => {
                self.rows.remove(at);
                for end in &mut self.quarters[usize::from(second / QUARTER) + 1..] {
                    *end -= 1;
                }
            }
        }
        let quarter = usize::from(second / QUARTER);
        let pairs = self.open.len();
        eligibility.each_pair(holder.states, set, |pair| {
            let count = &mut self.counts[quarter * pairs + pair];
            *count -= 1;
            if *count == 0 {
                self.open[pair] &= !(1 << quarter);
            }
        });
    }

    fn find(&self, second: u16, set: u32) -> Result<usize, usize> {
        let from = self.quarters[usize::from(second / QUARTER)] as usize;
        let rows = self.rows(second / QUARTER);
        let found = rows.binary_search_by_key(&(second, set), |entry| (entry.second, entry.set));
        found.map(|at| from + at).map_err(|at| from + at)
    }

    /// Whether both have the same starts and counts, whatever the form of their rows.
    #[cfg(test)]
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        fn rows(chunk: &Chunk) -> Vec<(u16, u32, Vec<u32>)> {
            chunk.rows.iter().map(|entry| (entry.second, entry.set, entry.row.ranks())).collect()
        }
        rows(self) == rows(other)
            && self.counts == other.counts
            && self.open == other.open
            && self.quarters == other.quarters
            && self.holders == other.holders
    }

    pub(crate) fn starts(&self) -> usize {
        self.rows.iter().map(|entry| entry.row.len()).sum()
    }

    pub(crate) fn bytes(&self) -> usize {
        let rows: usize = self.rows.iter().map(|entry| entry.row.bytes()).sum();
        rows + self.rows.capacity() * size_of::<Entry>()
            + self.counts.len() * 4
            + (self.open.len() + self.holders.len()) * 8
    }
}

/// Seconds after the beginning of a chunk as a second of it; none beyond its end.
pub(crate) fn second(ahead: u32) -> Option<u16> {
    u16::try_from(ahead).ok().filter(|&second| i64::from(second) < CHUNK)
}
