//! Adds up how well providers match the words of a search, for 64 providers at a time.

use super::set::Page;

/// The digits of the largest score in binary: eight words of 3 points.
const DIGITS: usize = 5;

/// The providers who match one word, by points. A provider can be in several of the sets: the highest counts.
#[derive(Debug)]
pub(super) struct Matches {
    /// The same word.
    pub(super) three: Vec<u64>,
    /// The beginning of a word, or a word of the same meaning.
    pub(super) two: Vec<u64>,
    /// A typing mistake.
    pub(super) one: Vec<u64>,
}

impl Matches {
    pub(super) fn none(providers: usize) -> Self {
        let none = vec![0; providers.div_ceil(64)];
        Self { three: none.clone(), two: none.clone(), one: none }
    }

    pub(super) fn is_empty(&self) -> bool {
        [&self.three, &self.two, &self.one].into_iter().flatten().all(|&bits| bits == 0)
    }
}

/// The providers who match every word so far, and their scores.
#[derive(Debug)]
pub(super) struct Ranking {
    matching: Vec<u64>,
    /// The digits of the scores, the lowest first: one bit for each provider.
    scores: Vec<[u64; DIGITS]>,
    words: usize,
}

impl Ranking {
    /// All providers, before the first word.
    pub(super) fn of(all: &[u64]) -> Self {
        Self { matching: all.to_vec(), scores: vec![[0; DIGITS]; all.len()], words: 0 }
    }

    pub(super) fn keep(&mut self, set: &[u64]) {
        self.matching.iter_mut().zip(set).for_each(|(matching, set)| *matching &= set);
    }

    /// Keeps those who match another word, and adds its points.
    pub(super) fn add(&mut self, matches: &Matches) {
        self.words += 1;
        let providers = self.matching.iter_mut().zip(&mut self.scores);
        let points = matches.three.iter().zip(&matches.two).zip(&matches.one);
        for ((matching, score), ((&three, &two), &one)) in providers.zip(points) {
            let two = two & !three;
            let one = one & !two & !three;
            *matching &= three | two | one;
            // Binary addition: 1 is 01, 2 is 10, 3 is 11.
            let (low, high) = (three | one, three | two);
            let mut carry = score[0] & low;
            score[0] ^= low;
            let second = score[1] ^ high;
            (score[1], carry) = (second ^ carry, score[1] & high | second & carry);
            for digit in &mut score[2..] {
                (*digit, carry) = (*digit ^ carry, *digit & carry);
            }
        }
    }

    pub(super) fn total(&self) -> usize {
        self.matching.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    /// A page of the matching providers: the highest score first, those of one score in the order of every list.
    pub(super) fn page(&self, limit: i64, offset: i64) -> Vec<usize> {
        let mut page = Page::new(limit, offset);
        for score in (self.words..=3 * self.words).rev() {
            page.add(self.with_score(score));
            if page.is_full() {
                break;
            }
        }
        page.positions
    }

    fn with_score(&self, score: usize) -> impl Iterator<Item = u64> {
        // All ones if the digit must be 0: XOR with the providers' digits then sets the bit of each provider whose
        // digit is right.
        let wrong: [u64; DIGITS] =
            std::array::from_fn(|digit| if score >> digit & 1 == 1 { 0 } else { u64::MAX });
        self.matching.iter().zip(&self.scores).map(move |(&matching, digits)| {
            let right = digits.iter().zip(wrong).map(|(digit, wrong)| digit ^ wrong);
            right.fold(matching, |all, right| all & right)
        })
    }
}
