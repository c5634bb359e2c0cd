//! Sixteen hours of the index: its rows in the order of time, and the counts that let a walk jump.

use super::offer::Offers;
use super::row::{Removed, Row};
use crate::model::StateSet;

/// Seconds of a chunk: sixteen bits hold each of them.
pub(in crate::calendar) const CHUNK: i64 = 57_600;
/// Seconds of a quarter hour, of which a chunk has 64.
pub(in crate::calendar) const QUARTER: u16 = 900;
pub(super) const QUARTERS: usize = 64;

/// The chunk in which a moment lies.
pub(in crate::calendar) fn chunk_of(unix: i64) -> i64 {
    unix.div_euclid(CHUNK)
}

/// Sixteen hours.
#[derive(Debug, Clone)]
pub(in crate::calendar) struct Chunk {
    /// By second, then set.
    rows: Vec<Entry>,
    /// Where the rows of each quarter hour begin, and where the last ones end.
    quarters: Vec<u32>,
    /// For each quarter hour, its starts for each pair of state and type.
    counts: Vec<u32>,
    /// For each pair, a bit for each quarter hour that has any.
    open: Vec<u64>,
}

/// Somebody who has a start, and for whom these states are open.
#[derive(Debug, Clone, Copy)]
pub(in crate::calendar) struct Who {
    pub(in crate::calendar) turn: u32,
    pub(in crate::calendar) states: StateSet,
}

/// A row, and where it belongs.
#[derive(Debug, Clone)]
pub(in crate::calendar) struct Entry {
    pub(in crate::calendar) second: u16,
    pub(in crate::calendar) set: u32,
    pub(in crate::calendar) row: Row,
}

impl Chunk {
    /// The chunk of these rows, in order, and of their counts.
    pub(super) fn new(rows: Vec<Entry>, counts: Vec<u32>) -> Self {
        let pairs = counts.len() / QUARTERS;
        let is_open = |quarter: usize, pair: usize| u64::from(counts[quarter * pairs + pair] > 0) << quarter;
        let open = (0..pairs).map(|pair| (0..QUARTERS).map(|quarter| is_open(quarter, pair)).sum());
        let ends = (0..=QUARTERS).map(|quarter| {
            let at = rows.partition_point(|entry| usize::from(entry.second / QUARTER) < quarter);
            u32::try_from(at).unwrap_or(u32::MAX)
        });
        Self { open: open.collect(), quarters: ends.collect(), rows, counts }
    }

    /// The quarter hours that have a start for a pair of state and type.
    #[inline]
    pub(in crate::calendar) fn open(&self, pair: usize) -> u64 {
        self.open[pair]
    }

    /// The rows of a quarter hour, by second.
    #[inline]
    pub(in crate::calendar) fn rows(&self, quarter: u16) -> &[Entry] {
        let quarter = usize::from(quarter);
        &self.rows[self.quarters[quarter] as usize..self.quarters[quarter + 1] as usize]
    }

    /// Adds a start, and counts it in its pairs.
    pub(in crate::calendar) fn insert(
        &mut self,
        second: u16,
        set: u32,
        who: Who,
        offers: &Offers,
        turns: usize,
    ) {
        let is_new = match self.find(second, set) {
            Ok(at) => self.rows[at].row.insert(who.turn, turns),
            Err(at) => {
                self.rows.insert(at, Entry { second, set, row: Row::One(who.turn) });
                for end in &mut self.quarters[usize::from(second / QUARTER) + 1..] {
                    *end += 1;
                }
                true
            }
        };
        if is_new {
            let quarter = usize::from(second / QUARTER);
            let pairs = self.open.len();
            offers.each_pair(who.states, set, |pair| {
                self.counts[quarter * pairs + pair] += 1;
                self.open[pair] |= 1 << quarter;
            });
        }
    }

    /// Takes a start out, and counts it no longer; false when it is not there.
    pub(in crate::calendar) fn remove(&mut self, second: u16, set: u32, who: Who, offers: &Offers) -> bool {
        let Ok(at) = self.find(second, set) else { return false };
        match self.rows[at].row.remove(who.turn) {
            Removed::NotThere => return false,
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
        offers.each_pair(who.states, set, |pair| {
            let count = &mut self.counts[quarter * pairs + pair];
            *count -= 1;
            if *count == 0 {
                self.open[pair] &= !(1 << quarter);
            }
        });
        true
    }

    fn find(&self, second: u16, set: u32) -> Result<usize, usize> {
        let from = self.quarters[usize::from(second / QUARTER)] as usize;
        let rows = self.rows(second / QUARTER);
        let found = rows.binary_search_by_key(&(second, set), |entry| (entry.second, entry.set));
        found.map(|at| from + at).map_err(|at| from + at)
    }

    /// Whether it holds the same, whatever the form of its rows.
    #[cfg(test)]
    pub(in crate::calendar) fn is_same(&self, other: &Self) -> bool {
        fn rows(chunk: &Chunk) -> Vec<(u16, u32, Vec<u32>)> {
            chunk.rows.iter().map(|entry| (entry.second, entry.set, entry.row.turns())).collect()
        }
        rows(self) == rows(other)
            && self.counts == other.counts
            && self.open == other.open
            && self.quarters == other.quarters
    }

    /// How many starts there are.
    pub(in crate::calendar) fn starts(&self) -> usize {
        self.rows.iter().map(|entry| entry.row.len()).sum()
    }

    /// How many bytes it has on the heap.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        let rows: usize = self.rows.iter().map(|entry| entry.row.bytes()).sum();
        rows + self.rows.capacity() * size_of::<Entry>() + self.counts.len() * 4 + self.open.len() * 8
    }
}

/// The second of the chunk that lies so far from its beginning; none beyond its end.
pub(in crate::calendar) fn second(ahead: u32) -> Option<u16> {
    u16::try_from(ahead).ok().filter(|&second| i64::from(second) < CHUNK)
}
