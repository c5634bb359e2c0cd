//! The texts of the site in one language.

use std::collections::BTreeMap;

use super::words::words;
use super::{Language, StateCode};

words! {
    TextPart {
        Pages = "pages",
        Search = "search",
        /// What a clinician's page says of open times.
        Profile = "profile",
        /// Names of states, by their codes.
        States = "states",
        /// Names of languages, by their codes.
        Languages = "languages",
        /// What the letters after a name mean, by the letters.
        Credentials = "credentials",
    }
}

/// Texts by part and key.
pub(crate) type TextTable = BTreeMap<String, BTreeMap<String, String>>;

/// The texts of the site in one language. Its pages have the same addresses as those of the first language, below `base`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Texts {
    pub language: Language,
    /// The language in which the content is written, which no page need be in.
    pub content: Language,
    /// The beginning of the paths of this language's pages: empty for the first language, else such as `/es`.
    pub base: String,
    pub(crate) table: &'static TextTable,
}

impl Texts {
    pub fn get(&self, part: TextPart, key: &str) -> Option<&str> {
        self.table.get(part.word())?.get(key).map(String::as_str)
    }

    pub fn part(&self, part: TextPart) -> impl Iterator<Item = (&str, &str)> {
        self.table.get(part.word()).into_iter().flatten().map(|(key, text)| (key.as_str(), text.as_str()))
    }

    pub fn state(&self, state: StateCode) -> &str {
        self.get(TextPart::States, state.code()).unwrap_or(state.name())
    }

    pub fn language_name(&self, language: Language) -> &str {
        self.get(TextPart::Languages, language.code()).unwrap_or(language.name())
    }
}
