//! The round of one start: who is present, where the round is entered, and who of them is shown.
//!
//! Present is whoever has the start and answers the question. Whether it is shown at this moment (the notice is
//! kept, the feed's part is not too old) is asked behind that and moves nobody, so that a list changes when
//! something that it shows does, and not before.

use std::iter;

use smallvec::SmallVec;

use super::mask::{Lane, Mask};
use super::order::{Begin, Order, WINDOW};
use super::query::{Asked, Found};
use super::row::Row;

/// How many words are met at once where everything has every word.
const STRIDE: usize = 32;
/// As many rows as one start has mostly.
const ROWS: usize = 4;

/// So many words in a row.
type Stride = [u64; STRIDE];

/// A word's place, and its bits.
type Word = (u32, u64);

/// Those words of a stride that have something.
struct Words<'a> {
    first: u32,
    bits: &'a Stride,
    /// A bit for each of them.
    some: u32,
}

impl Iterator for Words<'_> {
    type Item = Word;

    #[inline]
    fn next(&mut self) -> Option<Word> {
        let place = self.some.trailing_zeros();
        let bits = *self.bits.get(place as usize)?;
        self.some &= self.some - 1;
        Some((self.first + place, bits))
    }
}

/// Who is present at a start: rows, and the mask that they meet. One provider may stand in several rows.
pub(super) struct Ring<'a> {
    mask: &'a Mask,
    rows: SmallVec<[&'a Row; ROWS]>,
    /// Rows that have every word, where the mask has, too.
    direct: SmallVec<[&'a [u64]; ROWS]>,
    /// The others, each with what it has next.
    stepping: SmallVec<[(Word, Lane<'a>); ROWS]>,
}

impl<'a> Ring<'a> {
    pub(super) fn new(mask: &'a Mask) -> Self {
        Self { mask, rows: SmallVec::new(), direct: SmallVec::new(), stepping: SmallVec::new() }
    }

    pub(super) fn mask(&self) -> &'a Mask {
        self.mask
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
    }

    pub(super) fn add(&mut self, row: &'a Row) {
        self.rows.push(row);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Who is there alone, where a single row says so. The mask was asked before it was added.
    pub(super) fn only(&self) -> Option<u32> {
        match self.rows[..] {
            [&Row::One(turn)] => Some(turn),
            _ => None,
        }
    }

    /// Shows the round of a start; true when there is enough.
    pub(super) fn show(&mut self, at: i64, begin: Begin, page: &mut Page<'a, '_>) -> bool {
        let mut window = [0; WINDOW];
        let mut met = 0;
        let is_enough = self.go_round(begin.first, |mut words| {
            while met < WINDOW {
                let Some((word, mut bits)) = words.next() else { return false };
                while bits != 0 && met < WINDOW {
                    window[met] = word * 64 + bits.trailing_zeros();
                    bits &= bits - 1;
                    met += 1;
                }
                if met == WINDOW {
                    let is_enough = page.show_from(at, &window, begin.lead(WINDOW));
                    return is_enough || page.show(at, iter::once((word, bits)).chain(words));
                }
            }
            page.show(at, words)
        });
        is_enough || (met < WINDOW && page.show_from(at, &window[..met], begin.lead(met)))
    }

    /// Once round all who are present, from a turn on, until the visitor has enough. It is given some words at
    /// a time, none of them empty.
    #[inline]
    fn go_round(&mut self, first: u32, mut visit: impl FnMut(Words<'_>) -> bool) -> bool {
        let (word, behind) = (first / 64, u64::MAX << (first % 64));
        self.walk(word, u32::MAX, (word, behind), &mut visit)
            || self.walk(0, word, (word, !behind), &mut visit)
    }

    /// The words `from..=to` of all rows. Of one word, the edge, some bits alone are kept.
    #[inline]
    fn walk(
        &mut self,
        from: u32,
        to: u32,
        (edge, kept): Word,
        visit: &mut impl FnMut(Words<'_>) -> bool,
    ) -> bool {
        self.direct.clear();
        self.stepping.clear();
        let mut everywhere: &[u64] = &[];
        for &row in &self.rows {
            match Lane::new(row, self.mask, from) {
                Lane::Direct { row, mask, .. } => {
                    everywhere = mask;
                    self.direct.push(row);
                }
                mut lane => self.stepping.extend(lane.next().map(|head| (head, lane))),
            }
        }
        if !self.direct.is_empty() {
            let words = everywhere.len().min((to as usize).saturating_add(1));
            let mut here = from as usize;
            let mut bits = [0; STRIDE];
            while here < words {
                meet(&mut bits, &self.direct, everywhere, here);
                let first = u32::try_from(here).unwrap_or(u32::MAX);
                if words - here < STRIDE {
                    bits[words - here..].fill(0);
                }
                here += STRIDE;
                // Most often there is one word before the stride's end at the most.
                while let Some(word) = self.next_step().filter(|&word| (word as usize) < here.min(words)) {
                    bits[(word - first) as usize] |= self.step(word);
                }
                if let Some(edge) = edge.checked_sub(first).and_then(|edge| bits.get_mut(edge as usize)) {
                    *edge &= kept;
                }
                if visit(Words { first, bits: &bits, some: some_of(&bits) }) {
                    return true;
                }
            }
            return false;
        }
        while let Some(word) = self.next_step().filter(|&word| word <= to) {
            let bits = self.step(word) & if word == edge { kept } else { u64::MAX };
            let mut one = [0; STRIDE];
            one[0] = bits;
            if visit(Words { first: word, bits: &one, some: u32::from(bits != 0) }) {
                return true;
            }
        }
        false
    }

    /// The first word that a stepping row has.
    #[inline]
    fn next_step(&self) -> Option<u32> {
        self.stepping.iter().map(|(head, _)| head.0).min()
    }

    /// The bits of a word that the stepping rows have; they go on behind it.
    fn step(&mut self, word: u32) -> u64 {
        let mut bits = 0;
        self.stepping.retain(|(head, lane)| {
            if head.0 != word {
                return true;
            }
            bits |= head.1;
            lane.next().map(|next| *head = next).is_some()
        });
        bits
    }
}

/// What is shown, one round after another, until there are enough.
pub(super) struct Page<'a, 'q> {
    order: &'a Order,
    pub(super) asked: &'q Asked<'a>,
    /// Who may be shown at this start, and the longest notice that is kept; none when every notice is.
    admitted: Option<(&'a [u64], i64)>,
    pub(super) found: Vec<Found>,
}

impl<'a, 'q> Page<'a, 'q> {
    pub(super) fn new(order: &'a Order, asked: &'q Asked<'a>) -> Self {
        Self { order, asked, admitted: None, found: Vec::with_capacity(asked.limit) }
    }

    /// From now on these may be shown.
    pub(super) fn admit(&mut self, admitted: Option<(&'a [u64], i64)>) {
        self.admitted = admitted;
    }

    /// Shows the providers of some words; true when there is enough.
    #[inline]
    fn show(&mut self, at: i64, words: impl IntoIterator<Item = Word>) -> bool {
        for (word, bits) in words {
            let gone = self.asked.gone.map_or(0, |gone| gone[word as usize]);
            let mut bits =
                bits & !gone & self.admitted.map_or(u64::MAX, |(allowed, _)| allowed[word as usize]);
            while bits != 0 {
                if self.list(at, word * 64 + bits.trailing_zeros()) {
                    return true;
                }
                bits &= bits - 1;
            }
        }
        false
    }

    /// Shows whoever is alone at a start; true when there is enough.
    pub(super) fn show_one(&mut self, at: i64, turn: u32) -> bool {
        self.show(at, [(turn / 64, 1 << (turn % 64))])
    }

    /// Shows whoever has these turns, beginning with one of them; true when there is enough.
    fn show_from(&mut self, at: i64, turns: &[u32], lead: usize) -> bool {
        let (last, first) = turns.split_at(lead);
        if self.asked.gone.is_some() || self.admitted.is_some() {
            return first.iter().chain(last).any(|&turn| self.show_one(at, turn));
        }
        for turns in [first, last] {
            let room = self.asked.limit - self.found.len();
            self.found.extend(turns.iter().take(room).map(|&turn| Found { at, turn }));
        }
        self.found.len() == self.asked.limit
    }

    /// Lists a start, unless its provider wants a longer notice; true when there is enough.
    #[inline]
    fn list(&mut self, at: i64, turn: u32) -> bool {
        if self.admitted.is_none_or(|(_, seconds)| self.order.notice(turn) <= seconds) {
            self.found.push(Found { at, turn });
        }
        self.found.len() == self.asked.limit
    }
}

/// A bit for each word that has something. Which ones do is chance, so nothing here branches on it.
#[inline(never)]
fn some_of(bits: &Stride) -> u32 {
    (0..).zip(bits).fold(0, |some, (place, &bits)| some | u32::from(bits != 0) << place)
}

/// What some rows together and a mask have in common in the next words: in a whole stride, where there is one.
///
/// It stands by itself: inlined into what surrounds it by a compiler that sees the whole program, a question took
/// twice as long.
#[inline(never)]
fn meet(bits: &mut Stride, rows: &[&[u64]], mask: &[u64], here: usize) {
    match (rows, stride(mask, here)) {
        ([one], Some(mask)) => {
            if let Some(one) = stride(one, here) {
                meet_two(bits, one, one, mask);
            }
        }
        ([one, two], Some(mask)) => {
            if let (Some(one), Some(two)) = (stride(one, here), stride(two, here)) {
                meet_two(bits, one, two, mask);
            }
        }
        _ => {
            bits.fill(0);
            for row in rows {
                for (bits, (row, mask)) in bits.iter_mut().zip(row[here..].iter().zip(&mask[here..])) {
                    *bits |= row & mask;
                }
            }
        }
    }
}

/// Two rows and a mask; a single row is handed over twice.
///
/// As arguments of its own, what is written is known to lie apart from what is read, and as arrays all are of one
/// length: two words are met at once.
#[inline(never)]
fn meet_two(bits: &mut Stride, one: &Stride, two: &Stride, mask: &Stride) {
    for nth in 0..STRIDE {
        bits[nth] = (one[nth] | two[nth]) & mask[nth];
    }
}

#[inline]
fn stride(words: &[u64], here: usize) -> Option<&Stride> {
    words[here..].first_chunk()
}
