//! The walk that answers a question: from instant to instant, and round the providers at each.

use std::sync::Arc;

use super::super::instant::Instant;
use super::blocks::Blocks;
use super::chunk::{CHUNK, Chunk, Entry, QUARTER, chunk_of};
use super::mask::{Lane, Mask};
use super::offer::{Offers, Wanted};
use super::order::{Allowed, Order, earliest};
use super::own::Own;
use crate::model::StateCode;

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
}

impl<'a> Shelves<'a> {
    /// The first starts of everybody, in order.
    pub(in crate::calendar) fn find(&self, asked: &Asked<'a>) -> Vec<Found> {
        let from = earliest(asked.now, self.order.shortest_notice());
        let Some(pair) = self.offers.pair(asked.state, asked.wanted) else { return Vec::new() };
        if from >= asked.until || asked.limit == 0 {
            return Vec::new();
        }
        let mut round = Round {
            order: self.order,
            asked,
            lanes: Vec::new(),
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
        let rows = chunk.rows();
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
            let mut at = rows.partition_point(|entry| entry.second < start);
            while let Some(entry) = rows.get(at).filter(|entry| entry.second < end) {
                let second = entry.second;
                let next = at + rows[at..].iter().take_while(|entry| entry.second == second).count();
                if self.instant(&rows[at..next], begin + i64::from(second), round) {
                    return true;
                }
                at = next;
            }
        }
        false
    }

    /// Goes round the providers of one instant; true when there is enough.
    fn instant(&self, rows: &'a [Entry], at: i64, round: &mut Round<'a, '_>) -> bool {
        let asked = round.asked;
        (round.gate.allowed, round.gate.notice) = match self.order.allowed(at - asked.now.unix()) {
            Allowed::Everybody => (None, None),
            Allowed::Within(allowed, seconds) => (Some(allowed), Some(seconds)),
            Allowed::Nobody => return false,
        };
        let mask = |entry: &'a Entry| {
            let mask = self.offers.mask(entry.set, asked.state, asked.wanted)?;
            Some((entry, mask)).filter(|_| !mask.is_empty())
        };
        let mut lanes = rows.iter().filter_map(mask);
        let Some(only) = lanes.next() else { return false };
        let first = self.order.first(at);
        round.lanes.clear();
        round.lanes.extend(lanes);
        if round.lanes.is_empty() {
            round.alone(only, at, first)
        } else {
            round.lanes.push(only);
            round.together(at, first)
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
    gate: Gate<'a>,
    found: Vec<Found>,
}

impl<'a> Round<'a, '_> {
    /// The round over a single row.
    fn alone(&mut self, (entry, mask): (&'a Entry, &'a Mask), at: i64, first: u32) -> bool {
        let word = first / 64;
        for (word, bits) in Lane::new(entry.row(), mask, word) {
            if self.show(at, word, bits & behind(first, word)) {
                return true;
            }
        }
        let before = Lane::new(entry.row(), mask, 0).take_while(|&(here, _)| here <= word);
        for (word, bits) in before {
            if self.show(at, word, bits & !behind(first, word)) {
                return true;
            }
        }
        false
    }

    /// The round over several rows, in which one provider may stand more than once.
    fn together(&mut self, at: i64, first: u32) -> bool {
        let word = first / 64;
        let lanes = std::mem::take(&mut self.lanes);
        let is_full = self.merged(&lanes, at, word, u32::MAX, |word| behind(first, word))
            || self.merged(&lanes, at, 0, word, |word| !behind(first, word));
        self.lanes = lanes;
        is_full
    }

    fn merged(
        &mut self,
        rows: &[(&'a Entry, &'a Mask)],
        at: i64,
        from: u32,
        to: u32,
        keep: impl Fn(u32) -> u64,
    ) -> bool {
        let lane = |&(entry, mask): &(&'a Entry, &'a Mask)| {
            let mut lane = Lane::new(entry.row(), mask, from);
            lane.next().map(|head| (head, lane))
        };
        let mut lanes: Vec<((u32, u64), Lane<'a>)> = rows.iter().filter_map(lane).collect();
        while let Some(word) = lanes.iter().map(|((word, _), _)| *word).min().filter(|&word| word <= to) {
            let mut bits = 0;
            lanes.retain_mut(|(head, lane)| {
                if head.0 != word {
                    return true;
                }
                bits |= head.1;
                lane.next().map(|next| *head = next).is_some()
            });
            if self.show(at, word, bits & keep(word)) {
                return true;
            }
        }
        false
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

/// The bits of a word that are not before the turn.
#[inline]
fn behind(first: u32, word: u32) -> u64 {
    match word.cmp(&(first / 64)) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => u64::MAX << (first % 64),
        std::cmp::Ordering::Greater => u64::MAX,
    }
}

/// The first starts of one provider alone, from that provider's own runs.
pub(in crate::calendar) fn of_provider(
    shelves: &Shelves<'_>,
    own: &Blocks<Own>,
    origin: i64,
    turn: u32,
    asked: &Asked<'_>,
) -> Vec<Found> {
    let from = earliest(asked.now, shelves.order.notice(turn));
    let mut found = Vec::new();
    let is_gone = asked.gone.is_some_and(|gone| gone[(turn / 64) as usize] >> (turn % 64) & 1 == 1);
    let until = u32::try_from(asked.until - origin).unwrap_or(u32::MAX);
    if is_gone || from >= asked.until || asked.until <= origin {
        return found;
    }
    let from = u32::try_from((from - origin).max(0)).unwrap_or(u32::MAX);
    let answers = |set: u32| {
        let mask = shelves.offers.mask(set, asked.state, asked.wanted);
        mask.is_some_and(|mask| mask.contains(turn))
    };
    let lists = own.get(turn).lists.iter().filter(|list| answers(list.set));
    let mut walks: Vec<_> = lists.map(|list| list.runs.from(from)).collect();
    if let [walk] = walks.as_mut_slice() {
        let starts = walk.take_while(|&start| start < until).take(asked.limit);
        found.reserve(asked.limit);
        found.extend(starts.map(|start| Found { at: origin + i64::from(start), turn }));
        return found;
    }
    while found.len() < asked.limit {
        let next = walks.iter().filter_map(super::runs::Walk::peek).min().filter(|&start| start < until);
        let Some(start) = next else { break };
        found.push(Found { at: origin + i64::from(start), turn });
        for walk in &mut walks {
            if walk.peek() == Some(start) {
                walk.next();
            }
        }
    }
    found
}
