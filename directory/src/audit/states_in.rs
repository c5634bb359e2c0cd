//! The states that a sentence names, without people, cities and schools of the same name.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::model::StateCode;

/// States by the words of their names, in lower case.
static NAMES: LazyLock<HashMap<String, StateCode>> = LazyLock::new(|| {
    let names = StateCode::all().map(|state| (state.name().to_lowercase(), state));
    names.collect()
});
/// The first words of states' names.
static FIRST: LazyLock<Vec<String>> = LazyLock::new(|| {
    let first = NAMES.keys().filter_map(|name| name.split(' ').next().map(str::to_owned));
    first.collect()
});
/// The longest name: "District of Columbia".
const MOST_WORDS: usize = 3;

struct Word<'a> {
    text: &'a str,
    /// Whether a comma or other punctuation follows it.
    ends_phrase: bool,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    for part in text.split(|c: char| c.is_whitespace() || c == '/') {
        let bare = part.trim_matches(|c: char| !c.is_alphanumeric());
        if !bare.is_empty() {
            words.push(Word { text: bare, ends_phrase: !part.ends_with(bare) });
        }
    }
    words
}

/// The states named in a text.
pub(super) fn states_in(text: &str) -> Vec<StateCode> {
    let words = words(text);
    let mut found = Vec::new();
    let mut next = 0;
    while next < words.len() {
        match state_at(&words, next) {
            Some((state, count)) => {
                if !is_part_of_a_name(&words, next, count) {
                    found.push(state);
                }
                next += count;
            }
            None => next += 1,
        }
    }
    found
}

/// The states that a text begins with: "Oregon, Idaho and the state of Washington".
pub(super) fn leading_states(text: &str) -> Vec<StateCode> {
    let words = words(text);
    let mut found = Vec::new();
    let mut next = 0;
    while next < words.len() {
        if let Some((state, count)) = state_at(&words, next) {
            if is_part_of_a_name(&words, next, count) {
                break;
            }
            found.push(state);
            next += count;
        } else if ["and", "both", "the", "state", "states", "of", "as", "well", "or", "also", "in"]
            .contains(&words[next].text)
        {
            next += 1;
        } else {
            break;
        }
    }
    found
}

fn state_at(words: &[Word<'_>], at: usize) -> Option<(StateCode, usize)> {
    if !words[at].text.starts_with(char::is_uppercase) {
        return None;
    }
    let first = words[at].text.to_lowercase();
    let first = first.strip_suffix("'s").or(first.strip_suffix("’s")).unwrap_or(&first).to_owned();
    if !FIRST.contains(&first) {
        return None;
    }
    let (mut name, mut longest) = (first, None);
    for count in 1..=MOST_WORDS.min(words.len() - at) {
        if count > 1 {
            if words[at + count - 2].ends_phrase {
                break;
            }
            name = format!("{name} {}", words[at + count - 1].text.to_lowercase());
        }
        longest = NAMES.get(name.as_str()).map(|state| (*state, count)).or(longest);
    }
    // "Washington, DC" is not the state of Washington.
    if let Some((state, 1)) = longest
        && state.code() == "WA"
        && words.get(at + 1).is_some_and(|next| ["dc", "d.c"].contains(&next.text.to_lowercase().as_str()))
    {
        return Some(("DC".parse().ok()?, 2));
    }
    longest
}

/// Whether the words are part of a longer name: "Dr. Washington", "Virginia Mason", "Indiana University".
fn is_part_of_a_name(words: &[Word<'_>], at: usize, count: usize) -> bool {
    let is_capital = |word: &Word<'_>| word.text.starts_with(char::is_uppercase);
    let last = &words[at + count - 1];
    let goes_on = !last.ends_phrase
        && words
            .get(at + count)
            .is_some_and(|next| is_capital(next) && state_at(words, at + count).is_none());
    let before = at.checked_sub(1).map(|before| &words[before]);
    let follows_title = before
        .is_some_and(|word| ["dr", "mr", "mrs", "ms", "prof"].contains(&word.text.to_lowercase().as_str()));
    // The first word of a sentence always has a capital letter.
    let follows_name = at > 1
        && before.is_some_and(|word| is_capital(word) && !word.ends_phrase && !is_state_word(words, at - 1));
    let of_school = at >= 2
        && before.is_some_and(|word| word.text == "of")
        && ["university", "college", "school", "board", "institute", "hospital"]
            .contains(&words[at - 2].text.to_lowercase().as_str());
    goes_on || follows_title || follows_name || of_school || last.text.contains('-')
}

fn is_state_word(words: &[Word<'_>], at: usize) -> bool {
    (0..MOST_WORDS).any(|back| {
        at.checked_sub(back).and_then(|from| state_at(words, from)).is_some_and(|(_, count)| count > back)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_told_from_people_and_schools() {
        let found = |text: &str| -> Vec<&str> { states_in(text).into_iter().map(StateCode::code).collect() };
        assert_eq!(found("She is licensed in Oregon, New Mexico and West Virginia."), ["OR", "NM", "WV"]);
        assert_eq!(found("Dr. Washington trained at Virginia Mason and Indiana University."), [""; 0]);
        assert_eq!(found("She sees patients in Washington, D.C., and Maryland"), ["DC", "MD"]);
        assert_eq!(found("A graduate of the University of Oregon"), [""; 0]);
        assert_eq!(found("georgia and Georgia O'Keeffe"), [""; 0]);
        assert_eq!(found("Oregon’s patients"), ["OR"]);
        let lead: Vec<_> = leading_states("Oregon, Idaho and Washington, where rain falls in Texas")
            .into_iter()
            .map(StateCode::code)
            .collect();
        assert_eq!(lead, ["OR", "ID", "WA"]);
    }
}
