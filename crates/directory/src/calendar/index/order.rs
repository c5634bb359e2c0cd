//! The order of providers at one start, and what is stored in that order.
//! A provider's *rank* is the position in a fixed permutation that depends on the ids alone. At each start the
//! permutation is entered at a position that depends on the instant, so every replica gives the same order and each
//! provider leads about equally often.

use crate::model::{DEFAULT_NOTICE, Directory, ProviderId, ProviderNumber, Schedule};

/// The number of providers present at a start among whom the lead rotates, see [`Rotation`]. A larger window is fairer.
pub(crate) const WINDOW: usize = 48;

#[derive(Debug)]
pub(crate) struct Order {
    numbers: Vec<ProviderNumber>,
    ranks: Vec<u32>,
    /// Seconds, by rank.
    notices: Vec<i64>,
    pub(crate) shortest_notice: i64,
    pub(crate) longest_notice: i64,
    /// All slugs by rank without separators, and where each starts; the last entry is the end.
    slugs: String,
    slug_starts: Vec<u32>,
}

/// How the order of one start is rotated: it begins at the first provider present whose rank is `first` or more.
/// If that provider always led, each would lead in proportion to the gap before it, and gaps vary widely. So the first
/// [`WINDOW`] of those present are rotated once more by [`Rotation::lead`]; the others follow in order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rotation {
    pub(crate) first: u32,
    mixed: u64,
}

impl Rotation {
    /// Which of the first `count` providers present leads.
    pub(crate) fn lead(self, count: usize) -> usize {
        usize::try_from(self.mixed % count.max(1) as u64).unwrap_or_default()
    }
}

impl Order {
    pub(crate) fn build(directory: &Directory) -> Self {
        let mut numbers: Vec<ProviderNumber> = directory.provider_numbers().collect();
        numbers.sort_by_cached_key(|&number| {
            let id = &directory.provider(number).id;
            (hash(id), id.clone())
        });
        let mut ranks = vec![0; numbers.len()];
        let (mut slugs, mut slug_starts, mut notices) = (String::new(), vec![0], Vec::new());
        for (rank, &number) in (0..).zip(&numbers) {
            ranks[number.index()] = rank;
            slugs.push_str(directory.provider(number).slug.as_str());
            slug_starts.push(u32::try_from(slugs.len()).unwrap_or(u32::MAX));
            let minutes = directory.schedule(number).map_or(DEFAULT_NOTICE, Schedule::notice);
            notices.push(i64::from(minutes) * 60);
        }
        slugs.shrink_to_fit();
        let shortest_notice = notices.iter().copied().min().unwrap_or_default();
        let longest_notice = notices.iter().copied().max().unwrap_or_default();
        Self { numbers, ranks, notices, shortest_notice, longest_notice, slugs, slug_starts }
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(crate) fn ranks(&self) -> std::ops::Range<u32> {
        0..u32::try_from(self.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn number(&self, rank: u32) -> ProviderNumber {
        self.numbers[rank as usize]
    }

    pub(crate) fn rank(&self, number: ProviderNumber) -> u32 {
        self.ranks[number.index()]
    }

    pub(crate) fn slug(&self, rank: u32) -> &str {
        let rank = rank as usize;
        &self.slugs[self.slug_starts[rank] as usize..self.slug_starts[rank + 1] as usize]
    }

    /// The seconds from now to a provider's earliest start.
    pub(crate) fn notice(&self, rank: u32) -> i64 {
        self.notices[rank as usize]
    }

    pub(crate) fn rotation(&self, at: i64) -> Rotation {
        let mixed = mix(at.cast_unsigned());
        let count = self.len().max(1) as u64;
        Rotation { first: u32::try_from(mixed % count).unwrap_or_default(), mixed: mix(mixed) }
    }
}

pub(crate) fn hash(id: &ProviderId) -> u64 {
    id.as_str().bytes().fold(0, |mixed, byte| mix(mixed ^ u64::from(byte)))
}

/// The finalizer of `SplitMix64`: a hash that is the same on every machine.
pub(crate) fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mix_gives_the_published_values_of_splitmix64() {
        // The first outputs of SplitMix64 seeded with 1234567, as published with its reference code.
        assert_eq!(mix(1_234_567), 6_457_827_717_110_365_317);
        assert_eq!(mix(1_234_567_u64.wrapping_add(0x9e37_79b9_7f4a_7c15)), 3_203_168_211_198_807_973);
    }
}
