//! Compares names, to find out whether they can be the same person's.

use directory::model::folded;

/// Words that many names have: particles, as in "de la Cruz", and suffixes. "Van" is missing, because it is also a given name.
const COMMON_WORDS: [&str; 17] = [
    "da", "de", "del", "della", "den", "der", "do", "dos", "la", "las", "los", "von", "jr", "sr", "ii",
    "iii", "iv",
];

/// Splits a text into lowercase words, without accents or punctuation. "O'Reilly" is one word, and "Whitfield-Moss" two.
pub(crate) fn tokens(name: &str) -> Vec<String> {
    let folded = folded(name);
    let words = folded.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let words = words.map(|word| word.trim_end_matches("'s").trim_end_matches("’s"));
    let words = words.map(|word| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>());
    words.filter(|word| !word.is_empty()).collect()
}

pub(crate) fn share_a_token(one: &[String], other: &[String]) -> bool {
    one == other || count_shared(one, other) > 0
}

/// A word also matches one that it begins: "Aleja" matches "Alejandra".
pub(crate) fn count_shared(one: &[String], other: &[String]) -> usize {
    let count = |one: &[String], other: &[String]| {
        let words = one.iter().filter(|word| is_telling(word));
        words.filter(|word| other.iter().any(|candidate| is_match(word, candidate))).count()
    };
    // Both words of "Ann Anna" match the only word of "Ann", but the names share one word. So the smaller count is right.
    count(one, other).min(count(other, one))
}

/// Returns whether a word distinguishes one person from another. Initials, particles and suffixes do not.
pub(crate) fn is_telling(word: &str) -> bool {
    word.chars().count() > 1 && !COMMON_WORDS.contains(&word)
}

fn is_match(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    // A beginning of one or two letters may be initials.
    one == other || short.chars().count() >= 3 && long.starts_with(short)
}

/// Returns whether a name has fewer than two words, or a placeholder such as "FNU" (first name unknown).
pub(crate) fn is_incomplete(name: &[String]) -> bool {
    name.len() < 2 || name.iter().any(|word| ["fnu", "lnu", "nfn", "nln"].contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_person_share_a_word() {
        let share = |one: &str, other: &str| share_a_token(&tokens(one), &tokens(other));
        assert!(share("Siobhán O'Reilly", "OREILLY SIOBHAN"));
        assert!(share("Ann Whitfield-Moss", "Moss Johanna"));
        assert!(share("Alejandra Ruiz", "Aleja Sandoval"));
        assert!(!share("Ann Lee", "Johanna Fox"));
        assert!(!share("J Doe", "James Fox"));
        assert!(!share("John A Smith", "Mary A Jones"));
        assert!(share("J R", "J. R."));
        let shared = |one: &str, other: &str| count_shared(&tokens(one), &tokens(other));
        assert_eq!(shared("Jane Q Doe", "DOE, JANE Q"), 2);
        assert_eq!(shared("Jane Q Doe", "DOE, ANN Q"), 1);
        assert_eq!(shared("Maria de la Cruz", "DE LA TORRE, ANA"), 0);
        assert_eq!(shared("Maria de la Cruz", "DE LA CRUZ, MARIA"), 2);
        assert_eq!(shared("John Fox Jr.", "FOX JR, ADAM"), 1);
        assert_eq!(shared("Van Nguyen", "NGUYEN, VAN"), 2);
        assert!(is_incomplete(&tokens("FNU Wulandari")) && is_incomplete(&tokens("Wulandari")));
    }
}
