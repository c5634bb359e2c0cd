//! The round of one start: who is present, where the round is entered, and who of them is shown.
//!
//! Present is whoever has the start and answers the question. Whether it is shown at this moment (the notice is
//! kept, the feed's part is not too old) is asked behind that and moves nobody, so that a list changes when
//! something that it shows does, and not before.

use std::cmp::Ordering;

use super::mask::{Lane, Mask};
use super::order::{Begin, Order};
use super::query::{Asked, Found};
use super::row::Row;

/// How many words are met at once where everything has every word.
const STRIDE: usize = 8;

/// Who is present at a start: rows and the masks that they meet. One provider may stand in several rows.
#[derive(Default)]
pub(super) struct Ring<'a> {
    rows: Vec<(&'a Row, &'a Mask)>,
    /// Rows and masks that both have every word.
    direct: Vec<(&'a [u64], &'a [u64])>,
    /// The others, each with what it has next.
    stepping: Vec<((u32, u64), Lane<'a>)>,
}

impl<'a> Ring<'a> {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
    }

    pub(super) fn add(&mut self, row: &'a Row, mask: &'a Mask) {
        self.rows.push((row, mask));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Who is there alone, where a single row says so. Its mask was asked before it was added.
    pub(super) fn only(&self) -> Option<u32> {
        match self.rows[..] {
            [(&Row::One(turn), _)] => Some(turn),
            _ => None,
        }
    }

    /// The turn of whoever leads: some of those present behind the beginning are passed over. Where they are
    /// fewer than that, it is known how many they are, and each of them is as likely as the others.
    pub(super) fn enter(&mut self, begin: Begin) -> u32 {
        let mut passed = 0;
        if let Some(turn) = self.nth_from(begin.first, begin.skip, &mut passed) {
            return turn;
        }
        let skip = begin.passed_over(passed as usize);
        let skip = u32::try_from(skip).unwrap_or_default();
        self.nth_from(begin.first, skip, &mut 0).unwrap_or(begin.first)
    }

    /// Who of those present comes behind so many from a turn on.
    fn nth_from(&mut self, first: u32, nth: u32, passed: &mut u32) -> Option<u32> {
        let mut found = None;
        self.go_round(first, |word, bits| {
            let count = bits.count_ones();
            if *passed + count <= nth {
                *passed += count;
                return false;
            }
            let bits = (*passed..nth).fold(bits, |bits, _| bits & (bits - 1));
            found = Some(word * 64 + bits.trailing_zeros());
            true
        });
        found
    }

    /// Once round all who are present, from a turn on, until the visitor has enough.
    pub(super) fn go_round(&mut self, first: u32, mut visit: impl FnMut(u32, u64) -> bool) -> bool {
        let word = first / 64;
        self.walk(word, u32::MAX, |word, bits| visit(word, bits & behind(first, word)))
            || self.walk(0, word, |word, bits| visit(word, bits & !behind(first, word)))
    }

    /// The words `from..=to` of all rows.
    fn walk(&mut self, from: u32, to: u32, mut visit: impl FnMut(u32, u64) -> bool) -> bool {
        self.direct.clear();
        self.stepping.clear();
        for &(row, mask) in &self.rows {
            match Lane::new(row, mask, from) {
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
                    if bits != 0 && visit(word, bits) {
                        return true;
                    }
                }
            }
            return false;
        }
        while let Some(word) = self.stepping.iter().map(|(head, _)| head.0).min().filter(|&word| word <= to) {
            let bits = self.step(word);
            if visit(word, bits) {
                return true;
            }
        }
        false
    }

    /// The bits of a word that the stepping rows have; they go on behind it.
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

    /// Shows the providers of a word; true when there is enough.
    #[inline]
    pub(super) fn show(&mut self, at: i64, word: u32, bits: u64) -> bool {
        let here = word as usize;
        let mut bits = bits
            & self.admitted.map_or(u64::MAX, |(allowed, _)| allowed[here])
            & self.asked.gone.map_or(u64::MAX, |gone| !gone[here]);
        while bits != 0 {
            let turn = word * 64 + bits.trailing_zeros();
            bits &= bits - 1;
            if self.admitted.is_none_or(|(_, seconds)| self.order.notice(turn) <= seconds) {
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
        Ordering::Less => 0,
        Ordering::Equal => u64::MAX << (first % 64),
        Ordering::Greater => u64::MAX,
    }
}
