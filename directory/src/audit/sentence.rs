//! The sentences of a biography, and the words that show that one is not about the clinician today.

use std::sync::LazyLock;

use regex::Regex;

/// Compiles a pattern. One that does not compile matches nothing; tests compile each.
pub(super) fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

/// A sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sentence<'a> {
    pub(super) text: &'a str,
}

/// Splits a text into sentences, also at line breaks, unless the next line goes on in small letters. A full stop after a
/// title or an initial does not end one.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = Sentence<'_>> {
    const ABBREVIATIONS: [&str; 12] =
        ["dr", "mr", "mrs", "ms", "prof", "st", "mt", "ft", "inc", "u.s", "d.c", "m.d"];
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let ends = rest.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?' | ';' | '\n'));
        for (at, sign) in ends {
            let after = &rest[at + sign.len_utf8()..];
            let word = rest[..at].rsplit([' ', '\n', '(']).next().unwrap_or_default().to_lowercase();
            let is_abbreviation =
                sign == '.' && (ABBREVIATIONS.contains(&word.as_str()) || word.chars().count() == 1);
            let goes_on = match sign {
                '\n' => after.trim_start_matches([' ', '\t']).starts_with(char::is_lowercase),
                _ => !after.is_empty() && !after.starts_with(char::is_whitespace),
            };
            if is_abbreviation || goes_on {
                continue;
            }
            let sentence = &rest[..at];
            rest = after.trim_start();
            return Some(Sentence { text: sentence });
        }
        Some(Sentence { text: std::mem::take(&mut rest) })
    })
    .filter(|sentence| !sentence.text.trim().is_empty())
}

static PAST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:was|were|had|used to|formerly|former|previously|once|earlier|until recently|in the past|years ago|before (?:she|he|they|joining|coming|moving)|after (?:years|a decade)|spent|worked|practi[cs]ed|served|moved here|began|started|ended)\b",
    )
});
static FUTURE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:will|soon|plans? to|planning|hopes? to|pending|appl(?:y|ies|ied|ying)|expects?|next (?:year|spring|summer|fall|autumn|winter|month)|would like|in process|working toward)\b",
    )
});
static NEGATION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:not|no longer|never|cannot|neither|nor|without|except|outside)\b|n['’]t\b")
});
static FAMILY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:husband|wife|spouse|partner|sons?|daughters?|mother|father|mom|dad|parents?|sisters?|brothers?|grand(?:mother|father|parents?|children)|family|twins?|aunt|uncle|cousins?|colleagues?|friends?|mentor|dog|cat)\b",
    )
});
static TRAINING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:trained|training|residency|resident|fellow(?:ship)?|internship|school|college|university|degrees?|graduat\w+|studied|study|earned|completed|attended|undergraduate|alma mater|taught|teaches|lectures?|conference|volunteer\w*|research)\b",
    )
});
static HOME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:lives?|living|home|grew|born|raised|native|from|childhood|roots|vacations?|travels?|hik\w+|ski\w*|surf\w*|garden\w*|farm|ranch|weekends?|spare time|fan|originally|coast|mountains?|lakes?|beach\w*)\b",
    )
});

fn has(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

impl Sentence<'_> {
    /// Whether no word before a statement, which begins at this byte, makes it one about the past, the future or the
    /// family, or negates it.
    pub(super) fn is_plain_before(&self, statement: usize) -> bool {
        let before = &self.text[..statement];
        ![&PAST, &FUTURE, &NEGATION, &FAMILY].into_iter().any(|pattern| has(pattern, before))
    }

    /// Whether the sentence as a whole is about the clinician's work today.
    pub(super) fn is_about_work_today(&self) -> bool {
        let others = [&PAST, &FUTURE, &NEGATION, &FAMILY, &TRAINING, &HOME];
        !others.into_iter().any(|pattern| has(pattern, self.text))
    }

    /// Whether it is about the past or the family.
    pub(super) fn is_past_or_family(&self) -> bool {
        [&PAST, &FAMILY].into_iter().any(|pattern| has(pattern, self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_initials_end_no_sentence() {
        let text = "Dr. Lee sees patients in St. Paul. She was, until 2019, elsewhere! J. Doe stays";
        let found: Vec<_> = sentences(text).map(|sentence| sentence.text).collect();
        assert_eq!(
            found,
            ["Dr. Lee sees patients in St. Paul", "She was, until 2019, elsewhere", "J. Doe stays"]
        );
    }

    #[test]
    fn a_line_that_goes_on_in_small_letters_ends_no_sentence() {
        let found: Vec<_> =
            sentences("She is no longer\nlicensed there\nCalls are free").map(|one| one.text).collect();
        assert_eq!(found, ["She is no longer\nlicensed there", "Calls are free"]);
    }

    #[test]
    fn every_pattern_compiles() {
        for pattern in [&*PAST, &*FUTURE, &*NEGATION, &*FAMILY, &*TRAINING, &*HOME] {
            assert!(pattern.is_some());
        }
    }
}
