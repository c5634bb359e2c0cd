//! The sizes of the first pages of providers with the default limit, for the check of content: of the list of all providers
//! and of each state's list.

use std::collections::BTreeMap;

use super::question::ProviderSearch;
use super::search::write_head;
use super::wire::{ProviderProfile, to_json};
use crate::model::{Directory, Provider, ProviderNumber, StateCode};

#[derive(Debug)]
pub(crate) struct DefaultPage {
    pub(crate) state: Option<StateCode>,
    pub(crate) bytes: usize,
    /// The providers on it, and the size of each profile.
    pub(crate) profiles: Vec<(ProviderNumber, usize)>,
}

/// The first page of all providers, and of each state where a provider is licensed. Serializes only the profiles on
/// these pages.
pub(crate) fn default_pages(directory: &Directory) -> Vec<DefaultPage> {
    let search = ProviderSearch::default();
    let limit = usize::try_from(search.limit).unwrap_or_default();
    let mut firsts: BTreeMap<Option<StateCode>, (usize, Vec<ProviderNumber>)> = BTreeMap::new();
    for (number, provider) in directory.provider_numbers().zip(directory.providers()) {
        for state in std::iter::once(None).chain(provider.licensed().iter().map(Some)) {
            let (total, first) = firsts.entry(state).or_default();
            *total += 1;
            if first.len() < limit {
                first.push(number);
            }
        }
    }
    let mut lengths = BTreeMap::new();
    let mut length_of = |number: ProviderNumber| {
        let profile = || ProviderProfile::of(directory, directory.provider(number));
        *lengths.entry(number).or_insert_with(|| to_json(&profile()).len())
    };
    let pages = firsts.into_iter().map(|(state, (total, first))| {
        let profiles: Vec<_> = first.into_iter().map(|number| (number, length_of(number))).collect();
        let commas = profiles.len().saturating_sub(1);
        let all: usize = profiles.iter().map(|(_, length)| length).sum();
        let mut head = Vec::new();
        write_head(&mut head, &search, total);
        let bytes = head.len() + all + commas + b"]}".len();
        DefaultPage { state, bytes, profiles }
    });
    pages.collect()
}

/// The size of each field of a profile, by its published name.
pub(crate) fn parts(directory: &Directory, provider: &Provider) -> Vec<(String, usize)> {
    let profile = serde_json::to_value(ProviderProfile::of(directory, provider)).unwrap_or_default();
    let parts = profile.as_object().into_iter().flatten();
    parts.map(|(name, value)| (name.clone(), value.to_string().len())).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use chrono::{DateTime, NaiveDate};

    use super::*;
    use crate::api::{Request, Snapshot};
    use crate::content::load_and_check;

    #[test]
    fn page_sizes_equal_those_of_the_answers() {
        let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../content");
        let directory = load_and_check(&content, NaiveDate::default()).unwrap().directory;
        let pages = default_pages(&directory);
        let snapshot = Snapshot::new(directory);
        assert!(pages.len() > 10, "all providers, and a dozen states");
        for page in pages {
            let query = page.state.map(|state| format!("state={state}"));
            let request = Request::from_path_and_query("/v1/providers", query.as_deref()).unwrap();
            let answer = snapshot.answer(&request, DateTime::UNIX_EPOCH).unwrap();
            assert_eq!(page.bytes, answer.body().len(), "{query:?}");
        }
    }

    #[test]
    fn the_parts_of_a_profile_add_up_to_its_size() {
        let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../content");
        let directory = load_and_check(&content, NaiveDate::default()).unwrap().directory;
        for provider in directory.providers() {
            let whole = serde_json::to_string(&ProviderProfile::of(&directory, provider)).unwrap();
            let parts = parts(&directory, provider);
            // Two quotes, a colon and a comma for each; one more for two braces less the last comma.
            let within: usize = parts.iter().map(|(name, length)| name.len() + 4 + length).sum();
            assert_eq!(within + 1, whole.len(), "{}", provider.slug());
        }
    }
}
