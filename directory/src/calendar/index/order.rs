//! The permutation of the providers, which rotates from start to start; and what is kept in its order.
//!
//! Providers take *turns*: positions of a permutation that depends on their ids alone. At one start the round
//! begins at a place that depends on the instant and on who is present, so that every replica answers alike and
//! each leads about equally often.

use super::super::instant::Instant;
use super::super::schedule::{DEFAULT_NOTICE, Schedule};
use crate::model::{Directory, ProviderNumber};

/// How many notices are told apart by sets; more than these are told apart one by one.
const MOST_LEVELS: usize = 64;
/// How many of those present lead in turn behind the place where a round is entered. The more, the fairer; and
/// as many as a page shows cost it nothing.
pub(in crate::calendar) const WINDOW: usize = 48;

/// Providers by turn.
#[derive(Debug)]
pub(in crate::calendar) struct Order {
    numbers: Vec<ProviderNumber>,
    turns: Vec<u32>,
    /// Minutes, by turn.
    notices: Vec<u32>,
    levels: Vec<Level>,
    /// Every slug by turn, one behind the other, and where each begins; behind them, where the last one ends,
    /// and room, so that there is always as much to copy as most slugs need.
    slugs: Vec<u8>,
    begins: Vec<u32>,
}

/// As many bytes are copied faster than fewer of a number that nobody knows before.
const NEAR: usize = 32;

/// A provider's slug, and what is behind it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlugText<'a> {
    text: &'a [u8],
    len: usize,
}

impl<'a> SlugText<'a> {
    #[cfg(test)]
    pub(crate) fn of(slug: &'a str) -> Self {
        Self { text: slug.as_bytes(), len: slug.len() }
    }

    /// The slug's bytes: ASCII.
    pub(crate) fn bytes(self) -> &'a [u8] {
        &self.text[..self.len]
    }

    /// Writes the slug behind what is there.
    #[inline]
    pub(crate) fn write(self, body: &mut Vec<u8>) {
        match self.text.first_chunk::<NEAR>() {
            Some(near) if self.len <= NEAR => {
                let len = body.len() + self.len;
                body.extend_from_slice(near);
                body.truncate(len);
            }
            _ => body.extend_from_slice(self.bytes()),
        }
    }
}

/// Who allows a start so many seconds from now, until the next level does better.
#[derive(Debug)]
struct Level {
    seconds: i64,
    /// A few too many where the next level's notices are more than one.
    allowed: Box<[u64]>,
}

/// Who allows a start.
#[derive(Debug, Clone, Copy)]
pub(in crate::calendar) enum Allowed<'a> {
    Everybody,
    /// Those of the set whose own notice is as short as this, in seconds.
    Within(&'a [u64], i64),
    Nobody,
}

/// How the round of a start begins: with those present from the first turn on, the first few of whom turn among
/// themselves.
///
/// Did the first one lead, each would lead as often as the gap before it in the permutation is wide, and gaps
/// differ many times over. So the first [`WINDOW`] are rotated once more, each of them as likely to lead as the
/// others, and behind them come the rest.
#[derive(Debug, Clone, Copy)]
pub(in crate::calendar) struct Begin {
    pub(in crate::calendar) first: u32,
    again: u64,
}

impl Begin {
    /// Who leads of the first so many who are present, counted from none.
    #[inline]
    pub(in crate::calendar) fn lead(self, present: usize) -> usize {
        usize::try_from(self.again % present.max(1) as u64).unwrap_or_default()
    }
}

impl Order {
    pub(in crate::calendar) fn of(directory: &Directory) -> Self {
        let mut numbers: Vec<ProviderNumber> = directory.provider_numbers().collect();
        numbers.sort_by_cached_key(|&number| {
            let id = directory.provider(number).id();
            (id.as_str().bytes().fold(0, |mixed, byte| mix(mixed ^ u64::from(byte))), id.clone())
        });
        let mut turns = vec![0; numbers.len()];
        let (mut slugs, mut begins, mut notices) = (Vec::new(), vec![0], Vec::new());
        for (turn, &number) in (0..).zip(&numbers) {
            turns[number.index()] = turn;
            slugs.extend_from_slice(directory.provider(number).slug().as_str().as_bytes());
            begins.push(u32::try_from(slugs.len()).unwrap_or(u32::MAX));
            notices.push(directory.schedule(number).map_or(DEFAULT_NOTICE, Schedule::notice));
        }
        slugs.extend_from_slice(&[0; NEAR]);
        slugs.shrink_to_fit();
        let levels = levels(&notices);
        Self { numbers, turns, notices, levels, slugs, begins }
    }

    pub(in crate::calendar) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(in crate::calendar) fn number(&self, turn: u32) -> ProviderNumber {
        self.numbers[turn as usize]
    }

    pub(in crate::calendar) fn turn(&self, number: ProviderNumber) -> u32 {
        self.turns[number.index()]
    }

    /// The slug of whoever has the turn.
    #[inline]
    pub(in crate::calendar) fn slug(&self, turn: u32) -> SlugText<'_> {
        let (from, to) = (self.begins[turn as usize] as usize, self.begins[turn as usize + 1] as usize);
        SlugText { text: &self.slugs[from..], len: to - from }
    }

    /// The seconds from now to the earliest start of whoever has the turn.
    pub(in crate::calendar) fn notice(&self, turn: u32) -> i64 {
        i64::from(self.notices[turn as usize]) * 60
    }

    /// The shortest notice of all, in seconds.
    pub(in crate::calendar) fn shortest_notice(&self) -> i64 {
        self.levels.first().map_or(0, |level| level.seconds)
    }

    /// Who allows a start that is so many seconds from now.
    #[inline]
    pub(in crate::calendar) fn allowed(&self, seconds: i64) -> Allowed<'_> {
        match self.levels.last() {
            Some(last) if seconds < last.seconds => {
                let reached = self.levels.partition_point(|level| level.seconds <= seconds);
                reached
                    .checked_sub(1)
                    .map_or(Allowed::Nobody, |level| Allowed::Within(&self.levels[level].allowed, seconds))
            }
            _ => Allowed::Everybody,
        }
    }

    /// How the round of a start begins.
    #[inline]
    pub(in crate::calendar) fn begin(&self, at: i64) -> Begin {
        let mixed = mix(at.cast_unsigned());
        let turns = self.numbers.len().max(1) as u64;
        Begin { first: u32::try_from(mixed % turns).unwrap_or_default(), again: mix(mixed) }
    }

    /// How many bytes it has on the heap.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        let words: usize = self.levels.iter().map(|level| size_of_val(&*level.allowed)).sum();
        self.numbers.len() * 16 + self.slugs.len() + words
    }
}

/// The levels of notice, shortest first; thinned out when there are very many.
fn levels(notices: &[u32]) -> Vec<Level> {
    let mut distinct = notices.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let stride = distinct.len().div_ceil(MOST_LEVELS).max(1);
    let mut chosen: Vec<u32> = distinct.iter().copied().step_by(stride).collect();
    chosen.extend(distinct.last().filter(|last| chosen.last() != Some(last)));
    let next = chosen[1.min(chosen.len())..].iter().copied().map(Some).chain([None]);
    let level = |(&minutes, next): (&u32, Option<u32>)| {
        let mut allowed = vec![0_u64; notices.len().div_ceil(64)];
        for (turn, &notice) in notices.iter().enumerate() {
            if next.is_none_or(|next| notice < next) {
                allowed[turn / 64] |= 1 << (turn % 64);
            }
        }
        Level { seconds: i64::from(minutes) * 60, allowed: allowed.into() }
    };
    chosen.iter().zip(next).map(level).collect()
}

/// A number that looks like chance and is the same everywhere (the finaliser of `SplitMix64`).
pub(in crate::calendar) fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The first moment at which anybody could start.
pub(in crate::calendar) fn earliest(now: Instant, notice: i64) -> i64 {
    now.plus_seconds(notice).unix()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mixer_is_the_published_one() {
        // The first outputs of SplitMix64 seeded with 1234567, as published with its reference code.
        assert_eq!(mix(1_234_567), 6_457_827_717_110_365_317);
        assert_eq!(mix(1_234_567_u64.wrapping_add(0x9e37_79b9_7f4a_7c15)), 3_203_168_211_198_807_973);
    }

    #[test]
    fn levels_never_leave_out_who_allows_a_start() {
        for count in [0_u32, 1, 2, 64, 65, 300] {
            let notices: Vec<u32> = (0..count).map(|number| number * 7 % 301).collect();
            let levels = levels(&notices);
            assert!(levels.len() <= MOST_LEVELS + 1);
            assert!(levels.is_sorted_by_key(|level| level.seconds));
            for seconds in (0..310 * 60).step_by(30) {
                let reached = levels.partition_point(|level| level.seconds <= seconds);
                for (turn, &notice) in notices.iter().enumerate() {
                    let is_in = |level: usize| levels[level].allowed[turn / 64] >> (turn % 64) & 1 == 1;
                    let may = i64::from(notice) * 60 <= seconds;
                    let found = reached.checked_sub(1).is_some_and(is_in);
                    assert!(found || !may, "{count} {seconds} {notice}");
                    // Told apart exactly while there are no more notices than levels.
                    assert!(count > 64 || found == may, "{count} {seconds} {notice}");
                }
            }
        }
    }
}
