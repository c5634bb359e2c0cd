//! The index of the words of a search.
//!
//! The words of a clinician are those of the name, the sort name, the credentials, the former slugs, the interests and the
//! languages (`Farsi` as well as `Persian`). The biography is left out, because in running text nearly every word stands
//! somewhere. A word is a run of letters and digits without case and accents. `O'Reilly` gives `o`, `reilly` and
//! `oreilly`, and `M.D.` gives `md`.
//!
//! A clinician is found if every search word matches. Points of a search word for a clinician: 3 for an exact word, 2
//! for a prefix of a word, 1 for a misspelt word. Misspellings are tried only if the search word is a prefix of no
//! indexed word. The first letter must be right; from 4 letters one edit is allowed, from 8 letters two, and a swap
//! of neighbours is one edit. `typed` handles synonyms, titles and small words. Clinicians with more points come
//! first, those with the same points in the order of every list.
//!
//! Work is bounded: the known words are sorted, so that the beginnings of words are ranges. A range with many clinicians
//! has its set ready; any other is short.

use std::collections::HashMap;
use std::ops::Range;

use super::super::search_text::indexed_words;
use super::ranking::Matches;
use crate::model::{Directory, Provider, Slug};

/// The bitset of a word range is precomputed if the range has more providers than [`MANY`] and more than one in
/// [`PART`] of all providers.
const MANY: usize = 1_024;
const PART: usize = 16;

#[derive(Debug)]
pub(super) struct WordIndex {
    /// Sorted.
    words: Vec<Box<str>>,
    /// By word: whether it stands in a name.
    is_of_name: Vec<bool>,
    /// Offsets: the providers of word `i` are `providers[begins[i]..begins[i + 1]]`.
    begins: Vec<usize>,
    /// The providers of each word, ascending.
    providers: Vec<u32>,
    /// The sets of ranges of words that many providers have, by the first word and the end.
    ready: HashMap<(usize, usize), Box<[u64]>>,
    /// The words by first letter and length.
    shapes: Vec<Shape>,
    /// The number of 64-bit words of a set.
    size: usize,
}

/// What is compared of a word before its letters are, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    first: char,
    letters: usize,
    word: usize,
    /// A bit for each letter that the word has.
    mask: u64,
}

impl Shape {
    fn of(word: usize, text: &str) -> Self {
        Self {
            first: text.chars().next().unwrap_or_default(),
            letters: text.chars().count(),
            word,
            mask: text.chars().fold(0, |mask, letter| mask | 1 << (u32::from(letter) % 64)),
        }
    }

    /// Whether this many edits may make one word of the other: each brings or takes one letter at most.
    fn could_become(&self, other: &Self, edits: u32) -> bool {
        (self.mask & !other.mask).count_ones() <= edits && (other.mask & !self.mask).count_ones() <= edits
    }
}

/// Words while they are collected, numbered as they come.
#[derive(Default)]
struct Collected<'a> {
    numbers: HashMap<Box<str>, u32>,
    is_of_name: Vec<bool>,
    /// The words of texts that many clinicians share.
    shared: HashMap<&'a str, Vec<u32>>,
}

impl<'a> Collected<'a> {
    fn number(&mut self, word: &str, is_of_name: bool) -> u32 {
        let number = if let Some(&number) = self.numbers.get(word) {
            number
        } else {
            let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
            self.numbers.insert(word.into(), number);
            self.is_of_name.push(false);
            number
        };
        self.is_of_name[number as usize] |= is_of_name;
        number
    }

    /// The numbers of a provider's words, each once.
    fn words_of(&mut self, provider: &'a Provider) -> Vec<u32> {
        let mut words = Vec::with_capacity(24);
        let slugs = provider.former_slugs.iter().map(Slug::as_str);
        // After `\0` the sort key repeats the display name.
        let sort_name = provider.sort_name.split('\0').next().unwrap_or_default();
        for name in [&*provider.display_name, sort_name].into_iter().chain(slugs) {
            indexed_words(name, |word| words.push(self.number(word, true)));
        }
        let mut texts: Vec<&'a str> = vec![&provider.credentials];
        texts.extend(provider.clinical_interests.iter().map(String::as_str));
        for language in &provider.languages {
            language.names().for_each(|name| texts.push(name));
        }
        for text in texts {
            if let Some(known) = self.shared.get(text) {
                words.extend(known);
                continue;
            }
            let before = words.len();
            indexed_words(text, |word| words.push(self.number(word, false)));
            self.shared.insert(text, words[before..].to_vec());
        }
        words.sort_unstable();
        words.dedup();
        words
    }
}

impl WordIndex {
    pub(super) fn new(directory: &Directory) -> Self {
        Self::with_ready(directory, MANY.max(directory.providers().len() / PART))
    }

    /// An index in which ranges with more providers than `many` have their sets ready.
    fn with_ready(directory: &Directory, many: usize) -> Self {
        let mut collected = Collected::default();
        let of_providers: Vec<Vec<u32>> =
            directory.providers().iter().map(|provider| collected.words_of(provider)).collect();
        let Collected { numbers, is_of_name, .. } = collected;
        let mut words: Vec<(Box<str>, u32)> = numbers.into_iter().collect();
        words.sort_unstable();
        let mut ranks = vec![0; words.len()];
        for (rank, (_, number)) in words.iter().enumerate() {
            ranks[*number as usize] = rank;
        }
        let mut begins = vec![0; words.len() + 1];
        for &number in of_providers.iter().flatten() {
            begins[ranks[number as usize] + 1] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let (mut next, mut providers) = (begins.clone(), vec![0; begins[words.len()]]);
        for (provider, numbers) in (0..).zip(&of_providers) {
            for &number in numbers {
                let next = &mut next[ranks[number as usize]];
                providers[*next] = provider;
                *next += 1;
            }
        }
        let is_of_name = words.iter().map(|(_, number)| is_of_name[*number as usize]).collect();
        let words: Vec<_> = words.into_iter().map(|(word, _)| word).collect();
        let mut shapes: Vec<_> = words.iter().enumerate().map(|(at, word)| Shape::of(at, word)).collect();
        shapes.sort_unstable();
        let size = of_providers.len().div_ceil(64);
        let mut index = Self { words, is_of_name, begins, providers, ready: HashMap::new(), shapes, size };
        index.make_ready(0..index.words.len(), 0, many);
        index
    }

    /// Makes the sets of a range of words with the same first bytes, and of the ranges in it, as far as they have more
    /// providers than `many`.
    fn make_ready(&mut self, range: Range<usize>, bytes: usize, many: usize) {
        if self.providers_of(&range).len() <= many {
            return;
        }
        let key = (range.start, range.end);
        if !self.ready.contains_key(&key) {
            let mut set = vec![0; self.size];
            self.add(range.clone(), &mut set);
            self.ready.insert(key, set.into());
        }
        let mut begin = range.start;
        while range.len() > 1 && begin < range.end {
            let byte = self.words[begin].as_bytes().get(bytes);
            let others = &self.words[begin..range.end];
            let end = begin + others.partition_point(|word| word.as_bytes().get(bytes) == byte);
            self.make_ready(begin..end, bytes + 1, many);
            begin = end;
        }
    }

    fn providers_of(&self, range: &Range<usize>) -> &[u32] {
        &self.providers[self.begins[range.start]..self.begins[range.end]]
    }

    fn add(&self, range: Range<usize>, set: &mut [u64]) {
        if let Some(ready) = self.ready.get(&(range.start, range.end)) {
            set.iter_mut().zip(ready).for_each(|(set, ready)| *set |= ready);
            return;
        }
        for &provider in self.providers_of(&range) {
            set[provider as usize / 64] |= 1 << (provider % 64);
        }
    }

    /// The word itself: empty if it is unknown.
    fn same(&self, word: &str) -> Range<usize> {
        let begin = self.words.partition_point(|other| **other < *word);
        let is_known = self.words.get(begin).is_some_and(|other| **other == *word);
        begin..begin + usize::from(is_known)
    }

    /// The words that begin with this one.
    fn beginning(&self, word: &str) -> Range<usize> {
        let begin = self.words.partition_point(|other| **other < *word);
        begin..begin + self.words[begin..].partition_point(|other| other.starts_with(word))
    }

    /// The words that this one may be with a typing mistake.
    fn mistaken<'a>(&'a self, word: &'a str) -> impl Iterator<Item = usize> + 'a {
        let wanted = Shape::of(0, word);
        let edits = match wanted.letters {
            0..4 => 0,
            4..8 => 1,
            _ => 2,
        };
        let shortest = (wanted.first, wanted.letters.saturating_sub(edits));
        let longest = (wanted.first, wanted.letters + edits);
        let begin = self.shapes.partition_point(|shape| (shape.first, shape.letters) < shortest);
        let near =
            self.shapes[begin..].iter().take_while(move |shape| (shape.first, shape.letters) <= longest);
        let near = near
            .filter(move |shape| edits > 0 && shape.could_become(&wanted, if edits == 1 { 1 } else { 2 }));
        near.map(|shape| shape.word).filter(move |&at| strsim::osa_distance(word, &self.words[at]) <= edits)
    }

    /// Adds the providers who have the word. An unknown word adds none.
    pub(super) fn add_same(&self, word: &str, matches: &mut Matches) {
        self.add(self.same(word), &mut matches.three);
    }

    /// Adds those who have a word that begins with this one.
    pub(super) fn add_beginning(&self, word: &str, matches: &mut Matches) {
        self.add(self.beginning(word), &mut matches.two);
    }

    /// Adds those who have a word that this one may be with a typing mistake, if it begins no known word.
    pub(super) fn add_mistaken(&self, word: &str, matches: &mut Matches) {
        if self.beginning(word).is_empty() {
            self.mistaken(word).for_each(|at| self.add(at..at + 1, &mut matches.one));
        }
    }

    pub(super) fn is_of_name(&self, word: &str) -> bool {
        self.same(word).any(|at| self.is_of_name[at])
    }

    /// Whether the word begins a word of a name or, if it begins no known word, is one with a typing mistake.
    pub(super) fn is_like_a_name(&self, word: &str) -> bool {
        let mut beginning = self.beginning(word);
        if beginning.is_empty() {
            return self.mistaken(word).any(|at| self.is_of_name[at]);
        }
        beginning.any(|at| self.is_of_name[at])
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use chrono::NaiveDate;

    use super::*;
    use crate::content::load_and_check;

    #[test]
    fn a_set_that_is_ready_has_the_providers_of_its_range() {
        let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../content");
        let directory = load_and_check(&content, NaiveDate::default()).unwrap().directory;
        let (index, ready) = (WordIndex::new(&directory), WordIndex::with_ready(&directory, 2));
        assert!(index.ready.is_empty() && ready.ready.len() > 40, "{} sets are ready", ready.ready.len());
        for word in &index.words {
            for (end, letter) in word.char_indices() {
                let range = index.beginning(&word[..end + letter.len_utf8()]);
                let (mut one, mut other) = (vec![0; index.size], vec![0; index.size]);
                index.add(range.clone(), &mut one);
                let many = ready.providers_of(&range).len() > 2;
                assert_eq!(ready.ready.contains_key(&(range.start, range.end)), many, "{word}");
                ready.add(range, &mut other);
                assert_eq!(one, other, "{word}");
            }
        }
    }
}
