//! Fills chunks from what everybody has: one pass over the providers for many chunks.
//!
//! Providers come by ascending turns, so each row grows at its end only, and what is being written stays near:
//! the ends of all rows of a month fit in a processor's own memory, where the rows do not.

use std::sync::Arc;

use rayon::prelude::*;

use super::blocks::Blocks;
use super::chunk::{CHUNK, Chunk, Entry, QUARTER, QUARTERS};
use super::offer::Offers;
use super::own::Own;
use super::row::Filling;

/// As many providers are looked at again for each chunk.
const SMALL: usize = 256;
/// No row yet.
const NONE: u32 = u32::MAX;

/// For each set of types, the turns that have starts with it, ascending.
type Members = Vec<Vec<u32>>;

/// So many chunks, of which the first begins so many seconds after the origin.
pub(in crate::calendar) fn fill(
    own: &Blocks<Own>,
    offers: &Offers,
    begin: i64,
    count: usize,
) -> Vec<Arc<Chunk>> {
    let members = members(own);
    let numbers: Vec<usize> = (0..count).collect();
    // Every pass looks at everybody, so there is one for each thread; but a small clinic is looked at in no time,
    // and each chunk of a pass takes room that an allocator keeps for ever.
    let pass = if own.len() <= SMALL { 1 } else { count.div_ceil(rayon::current_num_threads()).max(1) };
    let chunks = numbers.par_chunks(pass).flat_map_iter(|numbers| {
        let first = i64::try_from(numbers[0]).unwrap_or_default();
        let begin = u32::try_from(begin + first * CHUNK).unwrap_or(u32::MAX);
        group(own, offers, &members, begin, numbers.len())
    });
    chunks.map(Arc::new).collect()
}

/// Who has starts of which set.
fn members(own: &Blocks<Own>) -> Members {
    let mut members = Members::new();
    for (turn, own) in (0..).zip(own.iter()) {
        for set in own.sets() {
            let set = set as usize;
            if members.len() <= set {
                members.resize(set + 1, Vec::new());
            }
            members[set].push(turn);
        }
    }
    members
}

/// A chunk on its way.
struct Unfinished {
    rows: Vec<(u16, u32, Filling)>,
    counts: Vec<u32>,
    /// For each second, its row with the set that is being filled.
    row_at: Vec<u32>,
}

fn group(own: &Blocks<Own>, offers: &Offers, members: &Members, begin: u32, count: usize) -> Vec<Chunk> {
    let seconds = u32::try_from(CHUNK).unwrap_or(u32::MAX);
    let unfinished = |_| Unfinished {
        rows: Vec::new(),
        counts: vec![0; offers.pair_count() * QUARTERS],
        row_at: vec![NONE; seconds as usize],
    };
    let mut chunks: Vec<Unfinished> = (0..count).map(unfinished).collect();
    let mut pairs = Vec::new();
    for (set, members) in (0..).zip(members) {
        let earlier: Vec<usize> = chunks.iter().map(|chunk| chunk.rows.len()).collect();
        for &turn in members {
            pairs.clear();
            let who = own.get(turn);
            offers.each_pair(who.states(), set, |pair| pairs.push(pair));
            for start in who.starts_of(set, begin) {
                let ahead = start - begin;
                let Some(chunk) = chunks.get_mut((ahead / seconds) as usize) else { break };
                chunk.push(ahead % seconds, set, turn, own.len(), &pairs, offers.pair_count());
            }
        }
        for (chunk, earlier) in chunks.iter_mut().zip(earlier) {
            for (second, _, _) in &chunk.rows[earlier..] {
                chunk.row_at[usize::from(*second)] = NONE;
            }
        }
    }
    chunks.into_iter().map(Unfinished::finish).collect()
}

impl Unfinished {
    #[inline]
    fn push(&mut self, second: u32, set: u32, turn: u32, turns: usize, pairs: &[usize], pair_count: usize) {
        let at = &mut self.row_at[second as usize];
        let second = u16::try_from(second).unwrap_or(u16::MAX);
        if *at == NONE {
            *at = u32::try_from(self.rows.len()).unwrap_or(NONE);
            self.rows.push((second, set, Filling::new()));
        }
        self.rows[*at as usize].2.push(turn, turns);
        let quarter = usize::from(second / QUARTER) * pair_count;
        for &pair in pairs {
            self.counts[quarter + pair] += 1;
        }
    }

    fn finish(mut self) -> Chunk {
        self.rows.sort_unstable_by_key(|&(second, set, _)| (second, set));
        let rows = self.rows.into_iter();
        let rows = rows.filter_map(|(second, set, row)| row.finish().map(|row| Entry { second, set, row }));
        Chunk::new(rows.collect(), self.counts)
    }
}
