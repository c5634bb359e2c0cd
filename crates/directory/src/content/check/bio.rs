//! A clinician's biography.

use std::ops::Range;

use super::super::problem::Advice;
use super::super::raw::{Located, Text, Texts};
use super::fields::File;
use super::lints::has_placeholder;
use super::starter;
use crate::model::{Gender, slug_words};

pub(super) const LONGEST_BIO: usize = 5000;
/// What changes, and has keys of its own.
const NEWS: [&str; 9] = [
    "accepting new patients",
    "taking new patients",
    "on maternity leave",
    "on leave until",
    "out on leave",
    "is on leave",
    "is on vacation",
    "is on sabbatical",
    "is away until",
];

pub(super) fn read(
    file: &mut File<'_>,
    bio: Text,
    (name, former): (Option<&Located<String>>, &Texts),
    gender: Option<Gender>,
    this_year: i32,
) -> Option<String> {
    let bio = file.required(bio, None, "bio", "\"\"\"…\"\"\"")?;
    let text = bio.value.replace("\r\n", "\n").trim().to_owned();
    let characters = text.chars().count();
    if characters > LONGEST_BIO {
        let what = format!("This biography has {characters} characters; the limit is {LONGEST_BIO}.");
        file.error(&bio.span, what, "Shorten it.");
    }
    let is_nothing = ["n/a", "na", "none", "test", "asdf", "lorem", "ninguna", "-"]
        .contains(&text.trim_end_matches('.').to_lowercase().as_str());
    if is_nothing {
        file.error(&bio.span, "This isn't a biography.", "Write a few sentences about the clinician.");
    } else if characters <= LONGEST_BIO && is_twice(&text) {
        let hint = "Delete the second one: text that is pasted twice looks like this.";
        file.warn(&bio.span, "This biography has the same sentence twice.", hint);
    }
    let is_broken_off = warn_if_broken_off(file, &bio);
    if is_note(&text) {
        let hint = "Write a few sentences about the clinician. Keep notes in lines that begin with #.";
        file.warn(&bio.span, "This looks like a note, not a biography.", hint);
    } else if is_cut_off(&text) && !is_nothing && !is_broken_off && !has_placeholder(&text) {
        let is_fragment = !text.contains(['.', '!', '?']);
        let or = if is_fragment { "in whole sentences" } else { "or add the period" };
        let hint = format!("Was it cut off? Write the rest, {or}.");
        file.warn(&bio.span, "This biography doesn't end with a period.", hint);
    }
    if text.ends_with("\"\"") {
        file.warn(&bio.span, "This biography ends with extra quotes.", "Keep three quotes after the text.");
    }
    let lower = text.to_lowercase();
    if let Some(news) = NEWS.iter().find(|news| lower.contains(**news)) {
        let hint = "Write a leave as [[leave]], and the states with openings in `accepting`: openings follow only \
                    those. Then delete the sentence here.";
        file.warn(
            &bio.span,
            format!("\"{news}\" in a biography doesn't change what patients can book."),
            hint,
        );
    }
    if let Some(gender) = gender {
        warn_of_pronouns(file, &text, gender, &bio.span);
    }
    if let Some(name) = name {
        warn_of_spelling(file, name, &text, former);
    }
    warn_if_expired(file, &bio, this_year);
    starter::warn_of_example(file, &bio);
    Some(text)
}

/// Warns of a word of the name that is a letter or two away from the name of its file, which the biography repeats.
fn warn_of_spelling(file: &mut File<'_>, name: &Located<String>, bio: &str, former: &Texts) {
    let slug = file.path.trim_start_matches("providers/").trim_end_matches(".toml");
    let own = slug_words(&name.value);
    if former.iter().flatten().any(|former| former.value == own) {
        return;
    }
    let mut others = own.split('-').zip(slug.split('-')).filter(|(one, other)| one != other);
    let (Some((wrong, right)), None) = (others.next(), others.next()) else { return };
    // Jane "JD" Doe: a name between the two isn't another spelling of the last one.
    if own.split('-').any(|word| word == right) {
        return;
    }
    let words = bio.split(|sign: char| !sign.is_alphanumeric());
    let in_bio = |meant: &str| words.clone().find(|word| slug_words(word) == meant);
    let written = name.value.split([' ', '-']).find(|word| slug_words(word) == wrong);
    let most = if right.len() > 6 { 2 } else { 1 };
    let is_near = own.matches('-').count() == slug.matches('-').count()
        && strsim::damerau_levenshtein(wrong, right) <= most;
    let spelled =
        in_bio(right).filter(|spelled| in_bio(wrong).is_none() && spelled.starts_with(char::is_uppercase));
    if let Some((written, spelled)) = written.zip(spelled).filter(|_| !is_near) {
        let what = format!("The bio and the file's name, {slug}.toml, have \"{spelled}\" for \"{written}\".");
        let hint = format!(
            "If the name changed, write \"{written}\" in the bio, and see `nameplate rename`. Otherwise correct the name."
        );
        file.warn(&name.span, what, hint);
    } else if let Some((written, spelled)) = written.zip(spelled) {
        let what = format!("The bio and the file's name, {slug}.toml, spell \"{written}\" as \"{spelled}\".");
        let meant = Advice::meant(format!("\"{}\"", name.value.replacen(written, spelled, 1)));
        file.warn(&name.span, what, meant);
    } else if is_near
        && strsim::hamming(wrong, right) == Ok(2)
        && strsim::damerau_levenshtein(wrong, right) == 1
    {
        let what = format!("Two letters of this name are exchanged in the file's name, {slug}.toml.");
        let hint = "Correct the one that is wrong. To rename the file, see `nameplate rename`.";
        file.warn(&name.span, what, hint);
    }
}

/// Warns of a biography that says "she" of a man, or "he" of a woman, and never the other.
fn warn_of_pronouns(file: &mut File<'_>, bio: &str, gender: Gender, place: &Range<usize>) {
    let word = match gender {
        Gender::Female => "female",
        Gender::Male => "male",
        _ => return,
    };
    if let Some(other) = other_pronoun(bio, gender == Gender::Female) {
        let what = format!("This biography says \"{other}\", but `gender` is \"{word}\".");
        file.warn(place, what, "Correct `gender`, or the biography if it was copied.");
    }
}

/// The pronoun of the other gender, if sentences begin with it, or a text has it in two forms, and only that is used. In the
/// first person, it is someone else's.
fn other_pronoun(bio: &str, is_female: bool) -> Option<&'static str> {
    let (own, other) = if is_female {
        (["she", "her", "hers", "herself"], "He")
    } else {
        (["he", "him", "his", "himself"], "She")
    };
    let words = || bio.split(|letter: char| !letter.is_alphabetic()).filter(|word| !word.is_empty());
    let is_own = |word: &str| ["I", "my", "My"].contains(&word) || own.contains(&&*word.to_lowercase());
    let begins =
        |sentence: &str| sentence.trim_start().strip_prefix(other).is_some_and(|rest| rest.starts_with(' '));
    let both = if is_female { ["he", "his"] } else { ["she", "her"] };
    let is_within = || both.iter().all(|pronoun| words().any(|word| word.eq_ignore_ascii_case(pronoun)));
    let is_other = bio.split(['.', '!', '?', '\n']).any(begins) || is_within();
    (is_other && !words().any(is_own)).then_some(other)
}

/// Whether a text begins as it goes on later, as one that was pasted twice.
fn is_twice(text: &str) -> bool {
    const COMPARED: usize = 60;
    let text = &text.split_whitespace().collect::<Vec<_>>().join(" ");
    let beginning = text.char_indices().nth(COMPARED).map(|(at, _)| &text[..at]);
    beginning.is_some_and(|beginning| text[beginning.len()..].contains(beginning))
}

/// Whether a text is one short line for a colleague.
fn is_note(text: &str) -> bool {
    const LONGEST_NOTE: usize = 120;
    const FIRST: [&str; 7] = ["need", "needs", "ask", "asked", "waiting", "pending", "missing"];
    const ASKED: [&str; 5] = ["asked her", "asked him", "asked them", "bio from", "bio to "];
    let lower = text.to_lowercase();
    let is_line = text.len() <= LONGEST_NOTE && ![". ", "! ", "? "].iter().any(|end| text.contains(end));
    let first = lower.split(|sign: char| !sign.is_alphabetic()).next().unwrap_or_default();
    is_line && (is_cut_off(text) && FIRST.contains(&first) || ASKED.iter().any(|words| lower.contains(words)))
}

/// The last word of a text, if it ends no sentence.
fn last_within(text: &str) -> Option<&str> {
    const WITHIN: [&str; 8] = ["and", "or", "but", "the", "a", "an", "of", "because"];
    let end = text.trim_end_matches(|sign: char| !sign.is_alphanumeric());
    let last = end.rsplit(|sign: char| !sign.is_alphanumeric()).next()?;
    (end.contains(' ') && WITHIN.contains(&last)).then_some(last)
}

/// Warns of a text that ends within a sentence, whatever mark follows. Returns whether it does.
pub(super) fn warn_if_broken_off(file: &mut File<'_>, text: &Located<String>) -> bool {
    let last = last_within(&text.value);
    if let Some(last) = last {
        let what = format!("This text ends with \"{last}\", within a sentence.");
        file.warn(&text.span, what, "Write the rest, or delete what isn't finished.");
    }
    last.is_some()
}

/// Whether a text ends within a sentence. Other scripts have other final marks, and some have none.
pub(super) fn is_cut_off(text: &str) -> bool {
    let is_latin = |letter: char| letter.is_alphanumeric() && letter < '\u{250}';
    let is_within =
        |letter: char| is_latin(letter) || [',', ';', ':', '-', '–', '—', '&', '(', '/'].contains(&letter);
    text.chars().next_back().is_some_and(is_within) || last_within(text).is_some()
}

/// Warns of a text that says that it has expired, such as "NP (expired 2019)".
pub(super) fn warn_if_expired(file: &mut File<'_>, text: &Located<String>, this_year: i32) {
    if let Some(year) = expiry(&text.value).filter(|year| *year < this_year) {
        let what = format!("This text says that something expired in {year}.");
        file.warn(&text.span, what, "Write the new date, or remove it.");
    }
}

/// The year that follows a word such as "expired", perhaps after a month.
fn expiry(text: &str) -> Option<i32> {
    const WORDS: [&str; 6] = ["exp", "expired", "expires", "expiry", "expiration", "expiring"];
    /// How many words may be between the two.
    const BETWEEN: usize = 2;
    // Searching for one rare letter is several times faster than for a word, and biographies are long.
    let is_before_p =
        |(at, _): (usize, &str)| text.as_bytes().get(at + 1).is_some_and(|next| b"pP".contains(next));
    if !['x', 'X'].into_iter().any(|letter| text.match_indices(letter).any(is_before_p)) {
        return None;
    }
    let mut words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        if WORDS.iter().any(|known| known.eq_ignore_ascii_case(word)) {
            let is_year = |word: &&str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
            let year = words.clone().take(BETWEEN + 1).find(is_year).and_then(|year| year.parse().ok());
            if let Some(year) = year.filter(|year| (1950..2200).contains(year)) {
                return Some(year);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_was_pasted_twice_begins_again() {
        let text = "Dr. Two has practiced in the valley for more than two decades, and likes clocks.";
        assert!(is_twice(&format!("{text} {text}")) && is_twice(&format!("{text}\n\n{text}")));
        assert!(!is_twice(text) && !is_twice("She listens. She listens."));
    }

    #[test]
    fn only_a_biography_of_another_gender_is_reported() {
        for (bio, is_female, other) in [
            ("He listens. His patients come back.", true, Some("He")),
            ("Dr. Two runs.\nShe listens.", false, Some("She")),
            ("She listens. He who asks is heard.", true, None),
            ("I help each woman find her way. She decides.", false, None),
            ("Her patients know him. She waits.", false, None),
            ("Dr. Two helps women and their partners.", false, None),
            ("Dr. Two listens, and he folds paper with his patients.", true, Some("He")),
            ("Dr. Two folds paper, and he listens.", true, None),
            ("Heidi listens. Sheep are a hobby.", true, None),
            ("They listen.", true, None),
        ] {
            assert_eq!(other_pronoun(bio, is_female), other, "{bio}");
        }
    }

    #[test]
    fn a_line_for_a_colleague_is_a_note() {
        for text in [
            "Need bio from Kavita - asked her 11/20, Pat",
            "Pending",
            "Waiting for Bo",
            "Pat will get the bio from Kavita.",
            "Will send, asked him twice",
        ] {
            assert!(is_note(text), "{text}");
        }
        for text in [
            "Dr. Two has practiced in the valley for 20 years",
            "Needle phobia is what she treats.",
            "Getting sleep back is what she helps with.",
            "Ask \"Why me?\" and she listens.",
            "Waiting is hard, and she is on time.",
            "Need a calm first visit? Dr. Two listens.",
            "Sleep, bones, and questions that are rarely asked",
            "",
        ] {
            assert!(!is_note(text), "{text}");
        }
    }

    #[test]
    fn biographies_that_end_within_a_sentence_are_cut_off() {
        for text in
            ["She sees the move into", "Call us:", "Sleep, bones,", "in 2009", "de María", "She works –"]
        {
            assert!(is_cut_off(text), "{text}");
        }
        for text in [
            "She listens.",
            "Why not?",
            "Come!",
            "And so on…",
            "“Rest.”",
            "He says \"rest\"",
            "(She rests.)",
            "Jane (she/her)",
            "[sic]",
            "她会说中文。",
            "она слушает",
            "she is here 🙂",
            "It's 'fine'",
            "",
        ] {
            assert!(!is_cut_off(text), "{text}");
        }
    }
    #[test]
    fn years_of_expiry_are_found_and_other_years_are_not() {
        for (text, year) in [
            ("WHNP-BC (expired 2019)", 2019),
            ("NP, exp. 06/2019", 2019),
            ("Expires June 2031", 2031),
            ("license EXPIRATION: 2020-01-31", 2020),
            ("It expired in May 2012", 2012),
        ] {
            assert_eq!(expiry(text), Some(year), "{text}");
        }
        for text in [
            "She has had experience since 2009.",
            "An expert (2019) of exports in 2019",
            "Her term expired, and she came here in the fall of 2019.",
            "exp. 1234 visits",
            "Expired: 20190",
            "Class of 2019",
        ] {
            assert_eq!(expiry(text), None, "{text}");
        }
    }
}
