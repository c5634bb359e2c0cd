//! The texts of the site in one language.

use std::collections::BTreeMap;

use super::{Language, StateCode};

/// A part of a table of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextPart {
    /// What stands on pages.
    Pages,
    /// What the search says.
    Search,
    /// What a clinician's page says of open times.
    Profile,
    /// What people type into the search.
    Words,
    /// What the elements for other websites say.
    Elements,
    /// Names of states, by their codes.
    States,
    /// Names of languages, by their codes.
    Languages,
    /// Texts of the content, and what they are in this language.
    Content,
}

/// Texts by their keys.
pub(crate) type TextTable = BTreeMap<String, String>;

/// The texts of the site in one language. Its pages have the same addresses as those of the first language, below `base`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    pub(crate) language: Language,
    pub(crate) content: Language,
    pub(crate) base: String,
    pub(crate) parts: BTreeMap<TextPart, TextTable>,
}

impl TextPart {
    pub const ALL: [Self; 8] = [
        Self::Pages,
        Self::Search,
        Self::Profile,
        Self::Words,
        Self::Elements,
        Self::States,
        Self::Languages,
        Self::Content,
    ];

    /// The part's name in a table.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Search => "search",
            Self::Profile => "profile",
            Self::Words => "words",
            Self::Elements => "elements",
            Self::States => "states",
            Self::Languages => "languages",
            Self::Content => "content",
        }
    }
}

impl Texts {
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// The language in which the content is written, which no page need be in.
    #[must_use]
    pub fn content_language(&self) -> Language {
        self.content
    }

    /// The beginning of the paths of this language's pages: empty for the first language, else such as `/es`.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// A text; `None` if no table has the key.
    #[must_use]
    pub fn get(&self, part: TextPart, key: &str) -> Option<&str> {
        self.parts.get(&part)?.get(key).map(String::as_str)
    }

    /// The keys and texts of a part, by key.
    pub fn part(&self, part: TextPart) -> impl Iterator<Item = (&str, &str)> {
        self.parts.get(&part).into_iter().flatten().map(|(key, text)| (key.as_str(), text.as_str()))
    }

    #[must_use]
    pub fn state(&self, state: StateCode) -> &str {
        self.get(TextPart::States, state.code()).unwrap_or(state.name())
    }

    #[must_use]
    pub fn language_name(&self, language: Language) -> &str {
        self.get(TextPart::Languages, language.code()).unwrap_or(language.name())
    }

    /// What a text of the content is in this language; `None` if the table does not say.
    #[must_use]
    pub fn of_content(&self, text: &str) -> Option<&str> {
        self.get(TextPart::Content, text)
    }
}
