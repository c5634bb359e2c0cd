//! Maps texts that differ only in letter case and accents to the same key.

use unicode_normalization::UnicodeNormalization as _;

/// Latin letters that Unicode does not decompose, with their English transcription.
const LETTERS: [(char, &str); 8] =
    [('æ', "ae"), ('ð', "d"), ('ø', "o"), ('þ', "th"), ('đ', "d"), ('ħ', "h"), ('ł', "l"), ('œ', "oe")];

/// The text without letter case and without the accents of Latin, Greek and Cyrillic letters: `É` and `e`, `ß` and `SS`
/// fold to the same.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Lower, upper, lower: the lower case of `ẞ` is `ß`, whose upper case is "SS".
    let cases = text.chars().flat_map(char::to_lowercase).flat_map(char::to_uppercase);
    let small = cases.flat_map(char::to_lowercase);
    let mut key = String::with_capacity(text.len());
    for letter in small.nfkd() {
        match LETTERS.binary_search_by_key(&letter, |&(letter, _)| letter) {
            Ok(at) => key.push_str(LETTERS[at].1),
            Err(_) if matches!(letter, '\u{300}'..='\u{36f}') => {}
            Err(_) => key.push(letter),
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_accents_are_folded() {
        assert!(LETTERS.is_sorted());
        for (one, other) in [
            ("Élodie", "elodie"),
            ("STRASSE", "Straße"),
            ("GROẞ", "gross"),
            ("ΣΊΣΥΦΟΣ", "σισυφος"),
            ("Ołga Øst Þór", "olga ost thor"),
            ("İstanbul", "istanbul"),
            ("Dı", "di"),
            ("\u{fb01}ne", "fine"),
            ("Nguye\u{302}\u{303}n", "Nguyễn"),
        ] {
            assert_eq!(folded(one), folded(other), "{one}");
        }
        assert_ne!(folded("ليلى"), folded("ليل"));
    }
}
