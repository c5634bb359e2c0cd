//! Whether two names can be one person's.

use directory::model::folded;

/// The words of a name in lower case, without accents and punctuation. "O'Reilly" is one word; a hyphen separates two.
pub(crate) fn tokens(name: &str) -> Vec<String> {
    let folded = folded(name);
    let words = folded.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let words = words.map(|word| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>());
    words.filter(|word| !word.is_empty()).collect()
}

/// Whether a word of one name equals or begins a word of the other. Initials do not count, unless the whole
/// names are the same.
pub(crate) fn share_a_token(one: &[String], other: &[String]) -> bool {
    one == other || shared(one, other) > 0
}

/// How many words two names share (the smaller side). No initials.
pub(crate) fn shared(one: &[String], other: &[String]) -> usize {
    let count = |one: &[String], other: &[String]| {
        let words = one.iter().filter(|word| word.chars().count() > 1);
        words.filter(|word| other.iter().any(|known| is_same(word, known))).count()
    };
    count(one, other).min(count(other, one))
}

fn is_same(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    one == other
        // Three letters at least: fewer may be initials.
        || short.chars().count() >= 3 && long.starts_with(short)
}

/// Whether a name cannot be compared: it has one word, or a part of it is unknown ("FNU", "LNU").
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
        let shared = |one: &str, other: &str| shared(&tokens(one), &tokens(other));
        assert_eq!(shared("Jane Q Doe", "DOE, JANE Q"), 2);
        assert_eq!(shared("Jane Q Doe", "DOE, ANN Q"), 1);
        assert!(is_incomplete(&tokens("FNU Wulandari")) && is_incomplete(&tokens("Wulandari")));
    }
}
