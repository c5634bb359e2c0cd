//! The words of a search, as people type them.

use std::hash::{Hash, Hasher};

use crate::model::folded;

/// The largest number of characters of a search.
const MOST_CHARACTERS: usize = 64;
/// The largest number of words of a search.
const MOST_WORDS: usize = 8;

/// The text of a search and its folded words, at least one.
#[derive(Debug, Clone)]
pub struct SearchText {
    text: String,
    words: Vec<String>,
}

impl SearchText {
    /// Parses a search.
    ///
    /// # Errors
    /// The rule that the text breaks, to follow the parameter's name.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        if text.chars().count() > MOST_CHARACTERS {
            return Err("must have at most 64 characters");
        }
        let words: Vec<String> = words_of(text).collect();
        match words.len() {
            0 => Err("must have a letter or a digit"),
            1..=MOST_WORDS => Ok(Self { text: text.to_owned(), words }),
            _ => Err("must have at most 8 words"),
        }
    }

    /// The text as sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }
}

/// Two searches are equal if their texts are: the words follow from it.
impl PartialEq for SearchText {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for SearchText {}

impl Hash for SearchText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// The words of a text without case and accents: runs of letters and digits.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = String> + use<> {
    let folded = folded(text);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_folded_and_bounded() {
        let words = |text: &str| SearchText::parse(text).map(|parsed| parsed.words().to_vec());
        assert_eq!(
            words("Dr. Zoë O'Reilly, MD"),
            Ok(["dr", "zoe", "o", "reilly", "md"].map(String::from).to_vec())
        );
        assert_eq!(words("1 2 3 4 5 6 7 8").map(|words| words.len()), Ok(8));
        assert_eq!(words("1 2 3 4 5 6 7 8 9"), Err("must have at most 8 words"));
        assert_eq!(words("?! —"), Err("must have a letter or a digit"));
        assert_eq!(words(&"é".repeat(64)).map(|words| words.len()), Ok(1));
        assert_eq!(words(&"é".repeat(65)), Err("must have at most 64 characters"));
    }
}
