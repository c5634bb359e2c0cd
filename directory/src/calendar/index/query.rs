//! The walk that answers a question: from instant to instant, and round the providers at each.

use std::sync::Arc;

use super::super::instant::Instant;
use super::blocks::Blocks;
use super::chunk::{CHUNK, Chunk, Entry, QUARTER, chunk_of};
use super::mask::{Lane, Mask};
use super::offer::{Offers, Wanted};
use super::order::{Allowed, Order, earliest};
use super::own::Own;
use super::row::Row;
use super::runs::Walk;
use crate::model::StateCode;

/// How many words are met at once where everything has every word.
const STRIDE: usize = 8;

/// Whose starts are asked for, and when.
#[derive(Debug, Clone, Copy)]
pub(in crate::calendar) struct Asked<'a> {
    pub(in crate::calendar) state: StateCode,
    pub(in crate::calendar) wanted: Wanted,
    pub(in crate::calendar) now: Instant,
    /// The first second that is too late.
    pub(in crate::calendar) until: i64,
    pub(in crate::calendar) limit: usize,
    /// Who is left out, a bit for each turn.
    pub(in crate::calendar) gone: Option<&'a [u64]>,
}

/// A start that answers, and who has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::calendar) struct Found {
    pub(in crate::calendar) at: i64,
    pub(in crate::calendar) turn: u32,
}

/// What there is to walk through.
#[derive(Debug, Clone, Copy)]
pub(in crate::calendar) struct Shelves<'a> {
    pub(in crate::calendar) order: &'a Order,
    pub(in crate::calendar) offers: &'a Offers,
    /// The number of the first chunk.
    pub(in crate::calendar) first: i64,
    pub(in crate::calendar) chunks: &'a [Arc<Chunk>],
    pub(in crate::calendar) own: &'a Blocks<Own>,
    /// From when the starts of each one are counted.
    pub(in crate::calendar) origin: i64,
}

impl<'a> Shelves<'a> {
    /// The first starts of everybody, in order.
    pub(in crate::calendar) fn find(&self, asked: &Asked<'a>) -> Vec<Found> {
        let from = earliest(asked.now, self.order.shortest_notice());
        let Some(pair) = self.offers.pair(asked.state, asked.wanted) else { return Vec::new() };
        if from >= asked.until || asked.limit == 0 {
            return Vec::new();
        }
        if let Some(turns) = self.offers.few(pair) {
            return self.merge(turns, asked);
        }
        let mut round = Round {
            order: self.order,
            asked,
            lanes: Vec::new(),
            direct: Vec::new(),
            stepping: Vec::new(),
            gate: Gate { allowed: None, gone: asked.gone, notice: None },
            found: Vec::with_capacity(asked.limit),
        };
        for number in chunk_of(from).max(self.first)..=chunk_of(asked.until - 1) {
            let Some(chunk) = usize::try_from(number - self.first).ok().and_then(|at| self.chunks.get(at))
            else {
                break;
            };
            if self.walk(chunk, number * CHUNK, pair, from, &mut round) {
                break;
            }
        }
        round.found
    }

    /// Walks through a chunk; true when there is enough.
    fn walk(&self, chunk: &'a Chunk, begin: i64, pair: usize, from: i64, round: &mut Round<'a, '_>) -> bool {
        let asked = round.asked;
        // Both lie within sixteen hours where they matter.
        let low = u16::try_from((from - begin).clamp(0, CHUNK)).unwrap_or_default();
        let high = u16::try_from((asked.until - begin).clamp(0, CHUNK)).unwrap_or_default();
        let mut open = chunk.open(pair) & (u64::MAX << (low / QUARTER).min(63));
        while open != 0 {
            #[expect(clippy::cast_possible_truncation, reason = "a bit's place is below 64")]
            let quarter = open.trailing_zeros() as u16;
            open &= open - 1;
            let start = (quarter * QUARTER).max(low);
            if start >= high {
                return false;
            }
            let end = (quarter * QUARTER + QUARTER).min(high);
            let mut rows = chunk.rows(quarter);
            if start > quarter * QUARTER {
                rows = &rows[rows.partition_point(|entry| entry.second < start)..];
            }
            while let Some(entry) = rows.first().filter(|entry| entry.second < end) {
                round.lanes.clear();
                let mut here = 0;
                for entry in rows.iter().take_while(|other| other.second == entry.second) {
                    here += 1;
                    let mask = self.offers.mask(entry.set, asked.state, asked.wanted);
                    // At most odd seconds there is one provider, who does not answer most questions.
                    let answers = |mask: &&Mask| match entry.row {
                        Row::One(turn) => mask.contains(turn),
                        _ => !mask.is_empty(),
                    };
                    round.lanes.extend(mask.filter(answers).map(|mask| (entry, mask)));
                }
                rows = &rows[here..];
                if !round.lanes.is_empty() && self.instant(begin + i64::from(entry.second), round) {
                    return true;
                }
            }
        }
        false
    }

    /// Goes round the providers of one instant; true when there is enough.
    fn instant(&self, at: i64, round: &mut Round<'a, '_>) -> bool {
        (round.gate.allowed, round.gate.notice) = match self.order.allowed(at - round.asked.now.unix()) {
            Allowed::Everybody => (None, None),
            Allowed::Within(allowed, seconds) => (Some(allowed), Some(seconds)),
            Allowed::Nobody => return false,
        };
        match round.lanes[..] {
            [(Entry { row: Row::One(turn), .. }, _)] => round.show(at, turn / 64, 1 << (turn % 64)),
            _ => round.together(at, self.order.first(at)),
        }
    }
}

/// Which bits of a word may be shown at an instant.
#[derive(Debug, Clone, Copy)]
struct Gate<'a> {
    allowed: Option<&'a [u64]>,
    gone: Option<&'a [u64]>,
    /// The longest notice that is kept by then, in seconds; none when every notice is.
    notice: Option<i64>,
}

impl Gate<'_> {
    #[inline]
    fn pass(self, word: u32, bits: u64) -> u64 {
        let word = word as usize;
        bits & self.allowed.map_or(u64::MAX, |allowed| allowed[word])
            & self.gone.map_or(u64::MAX, |gone| !gone[word])
    }
}

/// One round of the providers after another, until there are enough.
struct Round<'a, 'q> {
    order: &'a Order,
    asked: &'q Asked<'a>,
    lanes: Vec<(&'a Entry, &'a Mask)>,
    /// Rows and masks that both have every word.
    direct: Vec<(&'a [u64], &'a [u64])>,
    /// The others, each with what it has next.
    stepping: Vec<((u32, u64), Lane<'a>)>,
    gate: Gate<'a>,
    found: Vec<Found>,
}

impl<'a> Round<'a, '_> {
    /// The round over several rows, in which one provider may stand more than once.
    fn together(&mut self, at: i64, first: u32) -> bool {
        let word = first / 64;
        self.merged(at, word, u32::MAX, |word| behind(first, word))
            || self.merged(at, 0, word, |word| !behind(first, word))
    }

    /// The words `from..=to` of all lanes.
    fn merged(&mut self, at: i64, from: u32, to: u32, keep: impl Fn(u32) -> u64) -> bool {
        self.direct.clear();
        self.stepping.clear();
        for (entry, mask) in &self.lanes {
            match Lane::new(&entry.row, mask, from) {
                Lane::Direct { row, mask, .. } => self.direct.push((row, mask)),
                mut lane => self.stepping.extend(lane.next().map(|head| (head, lane))),
            }
        }
        if let Some((row, _)) = self.direct.first() {
            let words = row.len().min((to as usize).saturating_add(1));
            let mut here = from as usize;
            while here < words {
                let mut bits = [0; STRIDE];
                for (row, mask) in &self.direct {
                    meet(&mut bits, &row[here..], &mask[here..]);
                }
                let first = u32::try_from(here).unwrap_or(u32::MAX);
                let last = words.min(here + STRIDE);
                here = last;
                let next = self.stepping.iter().map(|(head, _)| head.0).min();
                let is_stepping = next.is_some_and(|next| (next as usize) < last);
                if !is_stepping && bits.iter().fold(0, |all, bits| all | bits) == 0 {
                    continue;
                }
                for (word, mut bits) in (first..).zip(bits).take(last - first as usize) {
                    if is_stepping {
                        bits |= self.step(word);
                    }
                    if bits != 0 && self.show(at, word, bits & keep(word)) {
                        return true;
                    }
                }
            }
            return false;
        }
        while let Some(word) = self.stepping.iter().map(|(head, _)| head.0).min().filter(|&word| word <= to) {
            let bits = self.step(word);
            if self.show(at, word, bits & keep(word)) {
                return true;
            }
        }
        false
    }

    /// The bits of a word that the stepping lanes have; they go on behind it.
    fn step(&mut self, word: u32) -> u64 {
        let mut bits = 0;
        self.stepping.retain_mut(|(head, lane)| {
            if head.0 != word {
                return true;
            }
            bits |= head.1;
            lane.next().map(|next| *head = next).is_some()
        });
        bits
    }

    /// Shows the providers of a word; true when there is enough.
    #[inline]
    fn show(&mut self, at: i64, word: u32, bits: u64) -> bool {
        let mut bits = self.gate.pass(word, bits);
        while bits != 0 {
            let turn = word * 64 + bits.trailing_zeros();
            bits &= bits - 1;
            if self.gate.notice.is_none_or(|seconds| self.order.notice(turn) <= seconds) {
                self.found.push(Found { at, turn });
                if self.found.len() == self.asked.limit {
                    return true;
                }
            }
        }
        false
    }
}

/// Adds what a row and a mask have in common in the next words: in a whole stride, where there is one.
#[inline]
fn meet(bits: &mut [u64; STRIDE], row: &[u64], mask: &[u64]) {
    if let (Some(row), Some(mask)) = (row.first_chunk::<STRIDE>(), mask.first_chunk::<STRIDE>()) {
        for nth in 0..STRIDE {
            bits[nth] |= row[nth] & mask[nth];
        }
    } else {
        for (bits, (row, mask)) in bits.iter_mut().zip(row.iter().zip(mask)) {
            *bits |= row & mask;
        }
    }
}

/// The bits of a word that are not before the turn.
#[inline]
fn behind(first: u32, word: u32) -> u64 {
    match word.cmp(&(first / 64)) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => u64::MAX << (first % 64),
        std::cmp::Ordering::Greater => u64::MAX,
    }
}

/// One provider's starts with one set of types, on the way to be merged with others.
struct Single<'a> {
    turn: u32,
    walk: Walk<'a>,
}

impl<'a> Shelves<'a> {
    /// The first starts of these few providers, from what each of them has.
    pub(in crate::calendar) fn merge(&self, turns: &[u32], asked: &Asked<'_>) -> Vec<Found> {
        let mut found = Vec::new();
        let Ok(until) = u32::try_from(asked.until - self.origin) else { return found };
        let mut walks: Vec<Single<'a>> = Vec::with_capacity(turns.len());
        for &turn in turns {
            let from = earliest(asked.now, self.order.notice(turn));
            let is_gone = asked.gone.is_some_and(|gone| gone[(turn / 64) as usize] >> (turn % 64) & 1 == 1);
            if is_gone || from >= asked.until {
                continue;
            }
            let from = u32::try_from((from - self.origin).max(0)).unwrap_or(u32::MAX);
            let answers = |set: u32| {
                let mask = self.offers.mask(set, asked.state, asked.wanted);
                mask.is_some_and(|mask| mask.contains(turn))
            };
            let lists = self.own.get(turn).lists().filter(|list| answers(list.set));
            walks.extend(lists.map(|list| Single { turn, walk: list.runs.from(from) }));
        }
        if let [Single { turn, walk }] = walks.as_mut_slice() {
            let starts = walk.take_while(|&start| start < until).take(asked.limit);
            found.reserve(asked.limit);
            found.extend(starts.map(|start| Found { at: self.origin + i64::from(start), turn: *turn }));
            return found;
        }
        // The next start of each, side by side: the earliest of a dozen is found faster than a heap is kept.
        let next = |walk: &Walk<'_>| walk.peek().unwrap_or(u32::MAX);
        let mut heads: Vec<u32> = walks.iter().map(|own| next(&own.walk)).collect();
        let mut here: Vec<u32> = Vec::with_capacity(heads.len());
        while let Some(start) = heads.iter().copied().min().filter(|&start| start < until) {
            here.clear();
            for (head, own) in heads.iter_mut().zip(&mut walks) {
                if *head == start {
                    own.walk.next();
                    *head = next(&own.walk);
                    here.push(own.turn);
                }
            }
            let at = self.origin + i64::from(start);
            if here.len() > 1 {
                // A provider with two sets of types has two walks, one behind the other.
                here.dedup();
                let first = self.order.first(at);
                let begin = here.partition_point(|&turn| turn < first);
                here.rotate_left(begin);
            }
            let room = asked.limit - found.len();
            found.extend(here.iter().take(room).map(|&turn| Found { at, turn }));
            if found.len() == asked.limit {
                break;
            }
        }
        found
    }
}
