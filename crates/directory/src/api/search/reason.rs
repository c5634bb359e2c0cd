//! The reason that an empty search result gives.

use super::super::no_match;
use super::super::operation::{OperationId, ProviderSearch};
use super::super::wire::Reason;
use super::{SearchIndex, meeting};
use crate::model::{Directory, StateCode};

impl SearchIndex {
    /// The first reason that holds, in this order: the state, the plan, a word of `q`, the filters together.
    pub(super) fn reason(&self, directory: &Directory, search: &ProviderSearch) -> Reason {
        let reason = |code: &'static str, message: String| Reason { code, message };
        if let Some(state) = search.state {
            let there = state.name();
            if self.licensed[state.index()].is_empty() {
                return reason("STATE_NOT_SERVED", format!("No clinician here is licensed in {there}."));
            }
            let plan =
                search.insurance.as_deref().and_then(|name| self.plan(directory, name, Some(state)).ok());
            if let Some(plan) = plan.filter(|&plan| !self.is_plan_accepted(plan, state)) {
                let name = directory.plan(plan).as_str();
                return reason("PLAN_NOT_ACCEPTED", format!("No clinician here accepts {name} in {there}."));
            }
        }
        let unknown = search.text.as_ref().and_then(|text| Some((text, self.unknown_word(directory, text)?)));
        let message = if let Some((text, word)) = unknown {
            about_word(text.words(), &word)
        } else {
            let without = search.without().into_iter();
            let enough = without.filter(|(_, other)| self.finds_any(directory, other));
            no_match::message(OperationId::Providers, &enough.map(|(name, _)| name).collect::<Vec<_>>())
        };
        reason("NO_MATCH", message)
    }

    fn finds_any(&self, directory: &Directory, search: &ProviderSearch) -> bool {
        let Ok(Some(filters)) = self.filters(directory, search) else { return false };
        match &search.text {
            Some(text) => !self.ranked(directory, text, &filters).is_empty(),
            None => meeting(&self.all, &filters).iter().any(|&word| word != 0),
        }
    }
}

fn about_word(words: &[String], unknown: &str) -> String {
    if let Some(state) = state_in(words, unknown) {
        let name = state.name();
        return format!(
            "{name} is a state, not a name. Choose {name} as the state and search for the other words."
        );
    }
    let typed = as_typed(words, unknown);
    format!("We couldn't find \"{typed}\" or a word like it. Search for the other words.")
}

/// A word of a search as it was typed: several words may count as one.
pub(super) fn as_typed(words: &[String], word: &str) -> String {
    let mut runs = (1..=words.len()).flat_map(|count| words.windows(count));
    runs.find(|run| run.concat() == word).map_or_else(|| word.to_owned(), |run| run.join(" "))
}

/// The state that one word or two name, if the unknown word is among them: in "Virginia Smithx", Virginia is a first name
/// that clinicians have. Codes do not count: many are words, such as `in` and `me`.
fn state_in(words: &[String], unknown: &str) -> Option<StateCode> {
    let names = words.windows(2).chain(words.windows(1));
    let names = names.filter(|name| name.iter().any(|word| word == unknown)).map(|name| name.join(" "));
    names.filter(|name| name.len() > 2).find_map(|name| name.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_words_that_count_as_one_are_quoted_as_typed() {
        let words = ["birth", "control", "ohio"].map(str::to_owned);
        assert_eq!(as_typed(&words, "birthcontrol"), "birth control");
        assert_eq!(as_typed(&words, "ohio"), "ohio");
    }

    #[test]
    fn a_state_is_named_if_it_has_the_unknown_word() {
        let state = |text: &str, unknown: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            state_in(&words, unknown)
        };
        let code = |code: &str| code.parse::<StateCode>().ok();
        assert_eq!(state("ann south carolina", "south"), code("SC"));
        assert_eq!(state("ann ohio", "ohio"), code("OH"));
        assert_eq!(state("virginia smithx", "smithx"), None);
        assert_eq!(state("insomnia in ohio", "in"), None);
    }
}
