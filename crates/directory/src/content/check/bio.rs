//! A clinician's biography.

use super::super::raw::Text;
use super::credentials::warn_if_expired;
use super::fields::File;
use super::starter;

pub(super) const LONGEST_BIO: usize = 5000;

pub(super) fn read(file: &mut File<'_>, bio: Text, this_year: i32) -> Option<String> {
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
    if is_cut_off(&text) && !is_nothing {
        let hint = "Was it cut off? Write the rest, or add the period.";
        file.warn(&bio.span, "This biography doesn't end with a period.", hint);
    }
    warn_if_expired(file, &bio, this_year);
    starter::warn_of_example(file, &bio);
    Some(text)
}

/// Whether a text begins as it goes on later, as one that was pasted twice.
fn is_twice(text: &str) -> bool {
    const COMPARED: usize = 60;
    let beginning = text.char_indices().nth(COMPARED).map(|(at, _)| &text[..at]);
    beginning.is_some_and(|beginning| text[beginning.len()..].contains(beginning))
}

/// Whether a text ends within a sentence. Other scripts have other final marks, and some have none.
fn is_cut_off(text: &str) -> bool {
    let is_latin = |letter: char| letter.is_alphanumeric() && letter < '\u{250}';
    let is_within =
        |letter: char| is_latin(letter) || [',', ';', ':', '-', '–', '—', '&', '(', '/'].contains(&letter);
    text.chars().next_back().is_some_and(is_within)
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
}
