//! Finds the providers who match the words of a search.

use super::super::search_text::SearchText;
use super::SearchIndex;
use super::ranking::{Matches, Ranking};
use super::set::ProviderSet;
use super::typed::{self, Class, Term};
use super::words::WordIndex;
use crate::model::Directory;

impl SearchIndex {
    /// The providers of these sets who match every word.
    pub(super) fn ranking(
        &self,
        directory: &Directory,
        text: &SearchText,
        filters: &[&ProviderSet],
    ) -> Ranking {
        let mut ranking = Ranking::of(&self.all.bits);
        for (_, matches) in self.words_of(directory, text) {
            ranking.add(&matches);
        }
        for set in filters {
            ranking.keep(&set.bits);
        }
        ranking
    }

    /// The first word of the text that no provider has.
    pub(super) fn unknown_word(&self, directory: &Directory, text: &SearchText) -> Option<String> {
        let mut words = self.words_of(directory, text);
        words.find(|(_, matches)| matches.is_empty()).map(|(term, _)| term.word.into_owned())
    }

    /// Each word that must match, with the providers who match it.
    fn words_of<'a>(
        &'a self,
        directory: &'a Directory,
        text: &'a SearchText,
    ) -> impl Iterator<Item = (Term<'a>, Matches)> {
        let index = self.words.get_or_init(|| WordIndex::new(directory));
        let terms = typed::terms(text.words(), index, &directory.organisation().search_words);
        let of_term = move |term: Term<'a>| {
            let mut matches = Matches::none(directory.providers().len());
            index.add_same(&term.word, &mut matches);
            if let Some(class) = term.class {
                let set = match class {
                    Class::Gender(gender) => &self.by_gender[gender as usize],
                    Class::Type(provider_type) => &self.by_type[provider_type as usize],
                };
                matches.two.clone_from(&set.bits);
            } else {
                index.add_beginning(&term.word, &mut matches);
                if term.others.is_empty() {
                    index.add_mistaken(&term.word, &mut matches);
                }
            }
            term.others.iter().for_each(|other| index.add_beginning(other, &mut matches));
            (term, matches)
        };
        terms.into_iter().map(of_term)
    }
}
