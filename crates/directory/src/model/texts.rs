//! The texts of the site in one language.

use std::collections::BTreeMap;

use super::words::words;
use super::{Language, StateCode};

words! {
    TextPart {
        Pages = "pages",
        Search = "search",
        /// What is said where a search finds no one, or a typed text asks something.
        Answers = "answers",
        /// What a clinician's page says of open times.
        Profile = "profile",
        /// Names of states, by their codes.
        States = "states",
        /// Names of languages, by their codes.
        Languages = "languages",
        /// What the letters after a name mean, by the letters.
        Credentials = "credentials",
        /// Common texts of English content, in small letters.
        Content = "content",
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
    /// The clinic's translations, by the text without its line breaks.
    pub(crate) own: BTreeMap<String, String>,
}

impl Texts {
    pub fn get(&self, part: TextPart, key: &str) -> Option<&str> {
        self.table.get(part.word())?.get(key).map(String::as_str)
    }

    pub fn part(&self, part: TextPart) -> impl Iterator<Item = (&str, &str)> {
        self.table.get(part.word()).into_iter().flatten().map(|(key, text)| (key.as_str(), text.as_str()))
    }

    /// A text of the content in this language; `None` if it has no translation.
    pub fn translated(&self, text: &str) -> Option<&str> {
        if self.content == self.language {
            return None;
        }
        let words = on_one_line(text);
        let built_in = || match self.content.code() {
            "en" => self.get(TextPart::Content, &words.to_lowercase()),
            _ => None,
        };
        self.own.get(&words).map(String::as_str).or_else(built_in)
    }

    /// A text of the content in this language, or else as it is written.
    pub fn say<'t>(&'t self, text: &'t str) -> &'t str {
        self.translated(text).unwrap_or(text)
    }

    /// What [`Self::translated`] can return.
    pub fn translations(&self) -> impl Iterator<Item = &str> {
        self.part(TextPart::Content).map(|(_, text)| text).chain(self.own.values().map(String::as_str))
    }

    pub fn state(&self, state: StateCode) -> &str {
        self.get(TextPart::States, state.code()).unwrap_or(state.name())
    }

    pub fn language_name(&self, language: Language) -> &str {
        self.get(TextPart::Languages, language.code()).unwrap_or(language.name())
    }
}

/// A text whose line breaks and other spaces are one space each.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
