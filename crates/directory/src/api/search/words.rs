//! The index of the words of a search: those of a clinician's name, sort name, credentials, former slugs, interests,
//! specialties, certifications (and `certified`) and languages (`Farsi` as well as `Persian`). The biography is left
//! out: in running text nearly every word stands somewhere. `O'Reilly` gives `o`, `reilly` and `oreilly`, and `M.D.`
//! gives `md`. A clinician is found if every search word matches, for 3 points if exact, 2 if it begins a word, 1 if it
//! is misspelled. Misspellings are tried only if it begins no indexed word: from 4 letters on one edit is allowed, of
//! which a swap of neighbors is one, but not of the first letter. Most points come first.

use std::collections::BTreeMap;
use std::ops::Bound::{Included, Unbounded};

use super::super::search_text::{indexed_words, words_of};
use super::concepts::ConceptIndex;
use crate::model::{Directory, Slug, StateCode};

/// If more names match equally well, none is suggested.
const MOST_SUGGESTIONS: usize = 3;
/// Words that do not identify a clinician.
const COMMON: [&str; 9] =
    ["and", "care", "clinician", "doctor", "medical", "nurse", "prof", "professor", "the"];
/// Words that do not tell plans apart.
const PLAN_WORDS: [&str; 8] = ["and", "insurance", "plan", "plans", "ppo", "hmo", "epo", "of"];

#[derive(Debug, Default)]
pub(super) struct WordIndex {
    words: BTreeMap<Box<str>, WordEntry>,
    pub(super) concepts: ConceptIndex,
}

#[derive(Debug, Default)]
pub(super) struct WordEntry {
    pub(super) is_of_name: bool,
    /// Those who have it, ascending.
    pub(super) numbers: Vec<u32>,
}

impl WordIndex {
    pub(super) fn build(directory: &Directory) -> Self {
        let mut index = Self { concepts: ConceptIndex::build(directory), ..Self::default() };
        for (number, provider) in (0..).zip(directory.providers()) {
            // After `\0` the sort key repeats the display name.
            let sort_name = provider.sort_name.split('\0').next().unwrap_or_default();
            let slugs = provider.former_slugs.iter().map(Slug::as_str);
            let names = [&*provider.display_name, sort_name].into_iter().chain(slugs);
            names.for_each(|name| index.add(number, name, true));
            let interests = provider.clinical_interests.iter().map(String::as_str);
            let specialties = provider.specialties.iter().map(|specialty| specialty.name.as_str());
            let certificates = provider.certifications.iter().flat_map(|one| {
                ["certified", &one.issuer, &one.name].into_iter().chain(one.badge.as_deref())
            });
            let texts = interests.chain(specialties).chain(certificates).chain([&*provider.credentials]);
            texts.for_each(|text| index.add(number, text, false));
            let languages = provider.languages.iter().flat_map(|language| language.names());
            languages.for_each(|name| index.add(number, name, false));
        }
        index
    }

    /// Adds the words of a text. The numbers ascend.
    pub(super) fn add(&mut self, number: u32, text: &str, is_of_name: bool) {
        indexed_words(text, |word| {
            let entry = match self.words.get_mut(word) {
                Some(entry) => entry,
                None => self.words.entry(word.into()).or_default(),
            };
            entry.is_of_name |= is_of_name;
            if entry.numbers.last() != Some(&number) {
                entry.numbers.push(number);
            }
        });
    }

    pub(super) fn same(&self, word: &str) -> Option<&WordEntry> {
        self.words.get(word)
    }

    pub(super) fn beginning<'a>(&'a self, word: &str) -> impl Iterator<Item = &'a WordEntry> {
        self.words(word).map(|(_, entry)| entry)
    }

    /// What a word means, and the points for it: the words that it begins, or else those that it is with a typo.
    pub(super) fn like(&self, word: &str) -> (u8, Vec<&WordEntry>) {
        let beginning: Vec<_> = self.beginning(word).collect();
        if !beginning.is_empty() || word.chars().count() < 4 {
            return (2, beginning);
        }
        let first = word.chars().next().map_or(0, char::len_utf8);
        let near = self.words(&word[..first]).filter(|(other, _)| is_one_edit(word, other));
        (1, near.map(|(_, entry)| entry).collect())
    }

    fn words<'a>(&'a self, prefix: &str) -> impl Iterator<Item = (&'a str, &'a WordEntry)> {
        let from = self.words.range::<str, _>((Included(prefix), Unbounded));
        from.map(|(word, entry)| (&**word, entry)).take_while(move |(word, _)| word.starts_with(prefix))
    }

    /// Those in whose names most words of a text stand, if these are at least half of its words.
    pub(super) fn nearest(&self, text: &str) -> Vec<u32> {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        let mut words = 0;
        let is_telling = |word: &&String| word.chars().count() >= 3 && !COMMON.contains(&&***word);
        for word in words_of(text).iter().take(8).filter(is_telling) {
            let entries = self.like(word).1.into_iter().filter(|entry| entry.is_of_name);
            let mut having: Vec<u32> = entries.flat_map(|entry| entry.numbers.iter().copied()).collect();
            having.sort_unstable();
            having.dedup();
            // Short unknown words are mostly titles or credentials and do not count.
            words += usize::from(!having.is_empty() || word.chars().count() >= 4);
            for number in having {
                *counts.entry(number).or_default() += 1;
            }
        }
        let best = counts.values().max().copied().unwrap_or_default();
        let nearest = counts.into_iter().filter(|&(_, count)| count == best && count * 2 >= words);
        let nearest: Vec<u32> = nearest.map(|(number, _)| number).take(MOST_SUGGESTIONS + 1).collect();
        if nearest.len() > MOST_SUGGESTIONS { Vec::new() } else { nearest }
    }

    /// Those whose own words are all of these, at least one of which stands in a name.
    pub(super) fn having_all(&self, words: &[String]) -> Vec<u32> {
        let entries: Option<Vec<&WordEntry>> = words.iter().map(|word| self.same(word)).collect();
        let Some(mut entries) = entries else { return Vec::new() };
        entries.sort_by_key(|entry| entry.numbers.len());
        let Some((rarest, others)) = entries.split_first() else { return Vec::new() };
        let has = |entry: &&WordEntry, number: &u32| entry.numbers.binary_search(number).is_ok();
        let all = rarest.numbers.iter().filter(|number| others.iter().all(|entry| has(entry, number)));
        all.copied().collect()
    }
}

/// The plans in whose names each word stands that tells plans apart, or all these words without their spaces, with at most
/// one typo in each. If no word tells plans apart, those that have the words, or else all.
pub(super) fn plans_like<'a>(text: &str, plans: &[&'a str]) -> Vec<&'a str> {
    let is_telling = |word: &str| !PLAN_WORDS.contains(&word) && word.parse::<StateCode>().is_err();
    let words = words_of(text);
    let telling: Vec<_> = words.iter().filter(|word| is_telling(word)).take(8).collect();
    let joined: String = telling.iter().map(|word| word.as_str()).collect();
    let is_near = |word: &str, other: &str| {
        word == other
            || word.chars().count() >= 4
                && word.chars().next() == other.chars().next()
                && is_one_edit(word, other)
    };
    let is_like = |plan: &&&str| {
        let (mut all, own) = (Vec::new(), words_of(plan));
        indexed_words(plan, |word| all.push(word.to_owned()));
        if telling.is_empty() {
            return !words.is_empty() && words.iter().all(|word| all.contains(word));
        }
        let together: String = own.iter().filter(|word| is_telling(word)).map(String::as_str).collect();
        telling.iter().all(|word| all.iter().any(|other| is_near(word, other))) || is_near(&joined, &together)
    };
    let found: Vec<_> = plans.iter().filter(is_like).copied().collect();
    if found.is_empty() && telling.is_empty() && !words.is_empty() { plans.to_vec() } else { found }
}

/// Whether one edit makes one word of the other: another letter, one more, one less, or a swap of neighbors.
fn is_one_edit(one: &str, other: &str) -> bool {
    if one.len().abs_diff(other.len()) > char::MAX_LEN_UTF8 {
        return false;
    }
    let letters = |text: &str, from: usize| text[from..].chars().rev().collect::<Vec<_>>();
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let begin = same.map(|(letter, _)| letter.len_utf8()).sum();
    // Without the beginning that they share, and reversed.
    let (one, other) = (letters(one, begin), letters(other, begin));
    let end = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    match (&one[end..], &other[end..]) {
        ([_] | [], [_]) | ([_], []) => true,
        ([a, b], [c, d]) => (a, b) == (d, c),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_with_one_typo() {
        for (one, other) in
            [("spansh", "spanish"), ("spaanish", "spanish"), ("spenish", "spanish"), ("spainsh", "spanish")]
        {
            assert!(is_one_edit(one, other) && is_one_edit(other, one), "{one}");
        }
        for (one, other) in [("spanish", "spanish"), ("spnsh", "spanish"), ("snapish", "spanish")] {
            assert!(!is_one_edit(one, other), "{one}");
        }
    }

    #[test]
    fn names_are_suggested_for_part_of_them_or_with_a_typo() {
        let names = ["Dr Siobhán O'Reilly", "Jane One", "Jane Two", "Jane Three", "Jane Four"];
        let mut index = WordIndex::default();
        for (number, name) in (0..).zip(names) {
            index.add(number, name, true);
        }
        for (text, found) in [
            ("Prof. Siobhan Oreilly, MD", Some("Dr Siobhán O'Reilly")),
            ("Jane Three", Some("Jane Three")),
            ("Jane", None),
            ("Jane Smith Jones", None),
            ("", None),
        ] {
            let near: Vec<_> = index.nearest(text).into_iter().map(|at| names[at as usize]).collect();
            assert_eq!(near, found.into_iter().collect::<Vec<_>>(), "{text}");
        }
    }

    #[test]
    fn a_plan_is_suggested_if_each_telling_word_is_in_its_name() {
        let names = [
            "Blue Mesa of California",
            "Bluebonnet Trail PPO",
            "Cedar & Stone EPO",
            "Juniper Advantage",
            "Goldenrod PPO",
        ];
        for (text, found) in [
            ("Goldenrod", &names[4..]),
            ("goldenrod insurance plan HMO", &names[4..]),
            ("Golden Rod PPO", &names[4..]),
            ("golden-rood", &names[4..]),
            ("Cedar and Stone EPO", &names[2..3]),
            ("Cedarstone", &names[2..3]),
            ("Junper Advantage plan", &names[3..4]),
            ("Blue Mesa California", &names[..1]),
            ("blue", &names[..1]),
            ("EPO", &names[2..3]),
            ("plan of Arizona", &names[..]),
            ("Golden", &[]),
            ("Blue Cross", &[]),
            ("Goldenrod Health", &[]),
            ("?", &[]),
        ] {
            assert_eq!(plans_like(text, &names), found, "{text}");
        }
        assert_eq!(plans_like("PPO", &names), ["Bluebonnet Trail PPO", "Goldenrod PPO"]);
    }
}
