//! The words of a search, as people type them.

use crate::model::folded;

const MOST_CHARACTERS: usize = 64;
const MOST_WORDS: usize = 8;

/// The text of a search and its folded words, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchText {
    text: String,
    words: Vec<String>,
}

impl SearchText {
    /// The error is the rule that the text breaks, to follow the parameter's name.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        if text.chars().count() > MOST_CHARACTERS {
            return Err("must have at most 64 characters");
        }
        let words = words_of(text);
        match words.len() {
            0 => Err("must have a letter or a digit"),
            1..=MOST_WORDS => Ok(Self { text: text.to_owned(), words }),
            _ => Err("must have at most 8 words"),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }
}

/// What joins the parts of a word: `O'Reilly`, `women’s`.
const APOSTROPHES: [char; 6] = ['\'', '’', '‘', 'ʼ', 'ʻ', '`'];

/// The words of a search. The `s` of `women's` is none.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_run(text, |parts| match parts {
        [parts @ .., "s"] if !parts.is_empty() => words.extend(parts.iter().map(|part| (*part).to_owned())),
        parts => words.extend(parts.iter().map(|part| (*part).to_owned())),
    });
    words
}

/// The words of a text of content. `O'Reilly` has three: its parts, and both together.
pub(super) fn indexed_words(text: &str, mut take: impl FnMut(&str)) {
    each_run(text, |parts| {
        for part in parts {
            take(part);
        }
        if parts.len() > 1 {
            take(&parts.concat());
        }
    });
}

/// The runs of letters and digits of a text, without case and accents; each in its parts between apostrophes. An
/// abbreviation with points is one run: `M.D.` is `md`.
fn each_run(text: &str, mut take: impl FnMut(&[&str])) {
    let folded = folded(text);
    let is_apart = |c: char| c != '.' && !c.is_alphanumeric() && !APOSTROPHES.contains(&c);
    let mut parts = Vec::new();
    for run in folded.split(is_apart) {
        if is_abbreviation(run) {
            take(&[&run.replace('.', "")]);
            continue;
        }
        for run in run.split('.') {
            parts.clear();
            parts.extend(run.split(APOSTROPHES).filter(|part| !part.is_empty()));
            if !parts.is_empty() {
                take(&parts);
            }
        }
    }
}

/// Whether a run is letters with points: at most two in a part, and one in the last.
fn is_abbreviation(run: &str) -> bool {
    let mut parts = run.split('.').filter(|part| !part.is_empty()).rev();
    let length = |part: &str| part.chars().count();
    run.contains('.')
        && parts.next().is_some_and(|last| length(last) == 1)
        && parts.next().is_some_and(|part| length(part) <= 2)
        && parts.all(|part| length(part) <= 2)
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
        assert_eq!(
            words("Jane Doe, M.D., Ph.D."),
            Ok(["jane", "doe", "md", "phd"].map(String::from).to_vec())
        );
        assert_eq!(words("women’s 's"), Ok(["women", "s"].map(String::from).to_vec()));
        assert_eq!(words("Dr.Chen"), Ok(["dr", "chen"].map(String::from).to_vec()));
        assert_eq!(words("1 2 3 4 5 6 7 8").map(|words| words.len()), Ok(8));
        assert_eq!(words("1 2 3 4 5 6 7 8 9"), Err("must have at most 8 words"));
        assert_eq!(words("?! —"), Err("must have a letter or a digit"));
        assert_eq!(words(&"é".repeat(64)).map(|words| words.len()), Ok(1));
        assert_eq!(words(&"é".repeat(65)), Err("must have at most 64 characters"));
    }

    #[test]
    fn a_name_of_two_parts_is_indexed_joined_as_well() {
        let words = |text: &str| {
            let mut words = Vec::new();
            indexed_words(text, |word| words.push(word.to_owned()));
            words
        };
        assert_eq!(words("Siobhán O’Reilly"), ["siobhan", "o", "reilly", "oreilly"]);
        assert_eq!(words("Kaʻanā"), ["ka", "ana", "kaana"]);
        assert_eq!(words("D.O., WHNP-BC"), ["do", "whnp", "bc"]);
    }
}
