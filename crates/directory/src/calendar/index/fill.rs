//! Fills chunks with the starts of all providers, many chunks in one pass. A pass visits the providers by ascending
//! rank, so each row grows at its end only.

use std::sync::Arc;

use rayon::prelude::*;

use super::blocks::Blocks;
use super::chunk::{CHUNK, Chunk, ChunkRow, QUARTER, QUARTERS};
use super::eligibility::Eligibility;
use super::provider_starts::ProviderStarts;
use super::row::RowBuilder;

/// Up to this many providers, each chunk is a pass of its own.
const SMALL: usize = 256;
/// In `row_at`: the second has no row yet. Zeros cost nothing to allocate, and most seconds stay without a row.
const NONE: u32 = 0;

/// By set of types: the ranks of the providers with starts of it, ascending.
type Members = Vec<Vec<u32>>;

/// Fills `count` chunks, of which the first begins `begin` seconds after the origin.
pub(crate) fn fill(
    providers: &Blocks<ProviderStarts>,
    eligibility: &Eligibility,
    begin: i64,
    count: usize,
) -> Vec<Arc<Chunk>> {
    let members = members_of(providers);
    let numbers: Vec<usize> = (0..count).collect();
    // A pass visits every provider, so in a large clinic each thread makes one pass over several chunks. In a small clinic
    // visiting costs little, and passes of one chunk need less memory at once.
    let pass_size =
        if providers.len() <= SMALL { 1 } else { count.div_ceil(rayon::current_num_threads()).max(1) };
    let chunks = numbers.par_chunks(pass_size).flat_map_iter(|numbers| {
        let first = i64::try_from(numbers[0]).unwrap_or_default();
        let begin = u32::try_from(begin + first * CHUNK).unwrap_or(u32::MAX);
        pass(providers, eligibility, &members, begin, numbers.len())
    });
    chunks.map(Arc::new).collect()
}

fn members_of(providers: &Blocks<ProviderStarts>) -> Members {
    let mut members = Members::new();
    for (rank, provider) in (0..).zip(providers.iter()) {
        for set in provider.sets() {
            let set = set as usize;
            if members.len() <= set {
                members.resize(set + 1, Vec::new());
            }
            members[set].push(rank);
        }
    }
    members
}

struct ChunkBuilder {
    /// A second, a set of types, and the row.
    rows: Vec<(u16, u32, RowBuilder)>,
    counts: Vec<u32>,
    /// By second: the place of its row for the set that is being filled, counted from 1.
    row_at: Vec<u32>,
}

fn pass(
    providers: &Blocks<ProviderStarts>,
    eligibility: &Eligibility,
    members: &Members,
    begin: u32,
    count: usize,
) -> Vec<Chunk> {
    let seconds = u32::try_from(CHUNK).unwrap_or(u32::MAX);
    let builder = |_| ChunkBuilder {
        rows: Vec::new(),
        counts: vec![0; eligibility.pair_count() * QUARTERS],
        row_at: vec![NONE; seconds as usize],
    };
    let mut chunks: Vec<ChunkBuilder> = (0..count).map(builder).collect();
    let mut pairs = Vec::new();
    for (set, members) in (0..).zip(members) {
        let earlier: Vec<usize> = chunks.iter().map(|chunk| chunk.rows.len()).collect();
        for &rank in members {
            pairs.clear();
            let provider = providers.get(rank);
            eligibility.each_pair(provider.states, set, |pair| pairs.push(pair));
            for start in provider.starts_of(set, begin) {
                let ahead = start - begin;
                let Some(chunk) = chunks.get_mut((ahead / seconds) as usize) else { break };
                chunk.push(ahead % seconds, set, rank, providers.len(), &pairs, eligibility.pair_count());
            }
        }
        for (chunk, earlier) in chunks.iter_mut().zip(earlier) {
            for (second, _, _) in &chunk.rows[earlier..] {
                chunk.row_at[usize::from(*second)] = NONE;
            }
        }
    }
    chunks.into_iter().map(|chunk| chunk.finish(providers.len())).collect()
}

impl ChunkBuilder {
    fn push(
        &mut self,
        second: u32,
        set: u32,
        rank: u32,
        provider_count: usize,
        pairs: &[usize],
        pair_count: usize,
    ) {
        let at = &mut self.row_at[second as usize];
        let second = u16::try_from(second).unwrap_or(u16::MAX);
        if *at == NONE {
            self.rows.push((second, set, RowBuilder::new()));
            *at = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        }
        self.rows[*at as usize - 1].2.push(rank, provider_count);
        let quarter = usize::from(second / QUARTER) * pair_count;
        for &pair in pairs {
            self.counts[quarter + pair] += 1;
        }
    }

    fn finish(mut self, provider_count: usize) -> Chunk {
        self.rows.sort_unstable_by_key(|&(second, set, _)| (second, set));
        let rows = self.rows.into_iter();
        let rows =
            rows.filter_map(|(second, set, row)| row.finish().map(|row| ChunkRow { second, set, row }));
        Chunk::new(rows.collect(), &self.counts, provider_count)
    }
}
