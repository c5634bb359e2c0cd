//! Numbers that look like chance and are the same in each run.

/// Numbers out of a seed, by `SplitMix64`.
#[derive(Debug)]
pub struct Chance(u64);

impl Chance {
    /// The same seed gives the same numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below another.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound.max(1) as u64).unwrap_or_default()
    }

    /// One of some words.
    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// This many of them, each once, in their order.
    pub fn some<'a>(&mut self, from: &[&'a str], count: usize) -> Vec<&'a str> {
        let mut left = count;
        let chosen = from.iter().enumerate().filter(|(at, _)| {
            let is_chosen = left > 0 && self.below(from.len() - at) < left;
            left -= usize::from(is_chosen);
            is_chosen
        });
        chosen.map(|(_, word)| *word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Chance;

    #[test]
    fn the_numbers_are_the_published_ones() {
        // The published test vector of SplitMix64 for the seed 1234567.
        let mut chance = Chance::new(1_234_567);
        let published = [6_457_827_717_110_365_317_usize, 3_203_168_211_198_807_973];
        assert_eq!(published, published.map(|_| chance.below(usize::MAX)));
    }
}
