//! The texts of the site in one language.

use std::collections::BTreeMap;

use super::{Language, StateCode};

/// A part of a table of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPart {
    /// What stands on pages.
    Pages,
    /// What the search says.
    Search,
    /// What a clinician's page says of open times.
    Profile,
    /// Names of states, by their codes.
    States,
    /// Names of languages, by their codes.
    Languages,
    /// What the letters after a name mean, by the letters.
    Credentials,
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

impl TextPart {
    /// The part's name in a table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Search => "search",
            Self::Profile => "profile",
            Self::States => "states",
            Self::Languages => "languages",
            Self::Credentials => "credentials",
        }
    }
}

impl Texts {
    /// A text; `None` if the table does not have the key.
    #[must_use]
    pub fn get(&self, part: TextPart, key: &str) -> Option<&str> {
        self.table.get(part.name())?.get(key).map(String::as_str)
    }

    /// The keys and texts of a part, by key.
    pub fn part(&self, part: TextPart) -> impl Iterator<Item = (&str, &str)> {
        self.table.get(part.name()).into_iter().flatten().map(|(key, text)| (key.as_str(), text.as_str()))
    }

    #[must_use]
    pub fn state(&self, state: StateCode) -> &str {
        self.get(TextPart::States, state.code()).unwrap_or(state.name())
    }

    #[must_use]
    pub fn language_name(&self, language: Language) -> &str {
        self.get(TextPart::Languages, language.code()).unwrap_or(language.name())
    }
}
