//! The options of the search form that some clinician matches.

use std::collections::BTreeSet;

use directory::model::{Directory, Gender, ProviderType, Texts, folded};
use serde::Serialize;

use super::wording::capitalized;

#[derive(Debug, Serialize)]
pub(super) struct Choices {
    genders: Vec<&'static str>,
    types: Vec<(&'static str, &'static str)>,
    languages: BTreeSet<LanguageChoice>,
}

/// Sorted by the names that people see.
#[derive(Debug, Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct LanguageChoice {
    /// "árabe" is among the a's.
    #[serde(skip)]
    key: String,
    name: String,
    english: &'static str,
}

impl Choices {
    pub(super) fn new(directory: &Directory, texts: &Texts) -> Self {
        let providers = directory.providers();
        // `other` and `preferNotToSay` are not offered.
        let genders = [Gender::Female, Gender::Male, Gender::NonBinary].into_iter();
        let genders = genders.filter(|&gender| providers.iter().any(|provider| provider.gender == gender));
        let is_used =
            |kind: &&ProviderType| providers.iter().any(|provider| provider.provider_type == **kind);
        let types: Vec<_> = directory.professions().iter().filter(is_used).copied().collect();
        let languages = providers.iter().flat_map(|provider| &provider.languages);
        Self {
            genders: genders.map(Gender::word).collect(),
            types: types.iter().map(|kind| (kind.word(), kind.choice(texts.language))).collect(),
            languages: languages
                .map(|&language| LanguageChoice {
                    key: folded(texts.language_name(language)),
                    name: capitalized(texts.language_name(language).to_owned()),
                    english: language.name(),
                })
                .collect(),
        }
    }
}
