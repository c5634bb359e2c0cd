//! Finds the providers who match the words of a search.

use std::cmp::Reverse;

use super::super::search_text::SearchText;
use super::super::wire::UsedConcept;
use super::SearchIndex;
use super::concepts::Meaning;
use super::reason::as_typed;
use super::typed::{self, Class, Term};
use super::words::WordIndex;
use crate::bits::Mask;
use crate::model::Directory;

impl SearchIndex {
    /// The providers of these sets who match every word: those with the most points first.
    pub(super) fn ranked(&self, directory: &Directory, text: &SearchText, filters: &[&Mask]) -> Vec<usize> {
        let mut scores = vec![1_u8; directory.providers().len()];
        for (_, points) in self.points_of(directory, text) {
            for (score, points) in scores.iter_mut().zip(points) {
                *score = if *score > 0 && points > 0 { *score + points } else { 0 };
            }
        }
        // Most scores are zero: whole blocks of them are skipped.
        let blocks = (0..).step_by(64).zip(scores.chunks(64));
        let blocks = blocks.filter(|(_, block)| block.iter().fold(0, |any, score| any | score) > 0);
        let found = blocks.flat_map(|(begin, block)| {
            (begin..).zip(block).filter(|(_, score)| **score > 0).map(|(number, _)| number)
        });
        let found = found.filter(|&number: &u32| filters.iter().all(|set| set.contains(number)));
        let mut found: Vec<usize> = found.map(|number| number as usize).collect();
        found.sort_by_key(|&number| Reverse(scores[number]));
        found
    }

    pub(super) fn unknown_word(&self, directory: &Directory, text: &SearchText) -> Option<String> {
        let is_unknown = |(_, points): &(Term<'_>, Vec<u8>)| points.iter().all(|&points| points == 0);
        let (term, _) = self.points_of(directory, text).find(is_unknown)?;
        Some(term.word.into_owned())
    }

    /// Each word that must match, and its points for every provider.
    fn points_of<'a>(
        &'a self,
        directory: &'a Directory,
        text: &'a SearchText,
    ) -> impl Iterator<Item = (Term<'a>, Vec<u8>)> {
        let index = self.words(directory);
        let points = move |term: &Term<'_>| {
            let mut all = vec![0; directory.providers().len()];
            let mut give = |points: u8, numbers: &[u32]| {
                for &number in numbers {
                    all[number as usize] = points;
                }
            };
            for other in &term.others {
                index.beginning(other).for_each(|entry| give(2, &entry.numbers));
            }
            if let Some(meaning) = term.concept {
                give(2, &meaning.numbers);
            }
            if term.classes.is_empty() {
                let (points, entries) = index.like(&term.word);
                // A word with synonyms is never taken for a typo.
                if points > 1 || term.others.is_empty() && term.concept.is_none() {
                    for entry in entries {
                        give(points, &entry.numbers);
                    }
                }
            }
            for class in &term.classes {
                let set = match *class {
                    Class::Gender(gender) => &self.by_gender[gender as usize],
                    Class::Type(provider_type) => &self.by_type[provider_type as usize],
                };
                set.numbers().for_each(|number| all[number as usize] = 2);
            }
            for number in index.same(&term.word).into_iter().flat_map(|entry| &entry.numbers) {
                all[*number as usize] = 3;
            }
            all
        };
        self.terms(directory, text).into_iter().map(move |term| {
            let points = points(&term);
            (term, points)
        })
    }

    pub(super) fn concepts<'a>(
        &'a self,
        directory: &'a Directory,
        text: &'a SearchText,
    ) -> Vec<UsedConcept<'a>> {
        let used = self.terms(directory, text).into_iter().filter_map(|term| {
            let Meaning { interests, .. } = term.concept?;
            Some(UsedConcept { typed: as_typed(text.words(), &term.word), interests })
        });
        used.collect()
    }

    fn terms<'a>(&'a self, directory: &'a Directory, text: &'a SearchText) -> Vec<Term<'a>> {
        let own = &directory.organization().search_words;
        typed::terms(text.words(), self.words(directory), own, directory.professions())
    }

    pub(super) fn words(&self, directory: &Directory) -> &WordIndex {
        self.words.get_or_init(|| WordIndex::build(directory))
    }
}
