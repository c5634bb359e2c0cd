//! What people type besides the words of the index.
//! - Titles and small words (`Dr.`, `who speaks`) are left out if other words remain, unless a name has the word. `doctor`
//!   is a title before a name.
//! - Words for a gender or a profession that this directory lists (`woman`, `nurse`, `enfermera`) match those clinicians, and
//!   count 2 points. They match other words only where these are the same: `men` is not the beginning of `menopause`.
//! - A phrase of `concepts` also matches those who have its interests, and a word with synonyms, here or in the clinic's
//!   `[search-words]`, words that begin with a synonym, for 2 points.
//! - Two adjacent words that joined are a group word or have synonyms count as one word: `ob gyn`, `nurse
//!   practitioner`. So do up to five that name a profession or a concept: `clinical social worker`, `can't fall asleep`.
//! - A word of this file or of `[search-words]` is never taken for a typo.

use std::borrow::Cow;

use super::concepts::Meaning;
use super::words::WordIndex;
use crate::model::{Gender, ProviderType, SearchWord};

/// A group of clinicians that a search word can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Gender(Gender),
    Type(ProviderType),
}

#[derive(Debug)]
pub(super) struct Term<'a> {
    pub(super) word: Cow<'a, str>,
    /// Empty for other words. A word may name several professions.
    pub(super) classes: Vec<Class>,
    /// Words that it finds as well.
    pub(super) others: Vec<&'a str>,
    pub(super) concept: Option<&'a Meaning>,
}

/// Titles and small words.
pub(super) const STOP_WORDS: [&str; 20] = [
    "a",
    "an",
    "and",
    "dr",
    "for",
    "in",
    "miss",
    "mr",
    "mrs",
    "ms",
    "mx",
    "of",
    "prof",
    "professor",
    "speaking",
    "speaks",
    "that",
    "the",
    "who",
    "with",
];

const DOCTOR: &str = "doctor";

pub(super) const GENDERS: [(Gender, &[&str]); 3] = [
    (Gender::Female, &["woman", "women", "female", "females", "lady", "ladies"]),
    (Gender::Male, &["man", "men", "male", "males"]),
    (Gender::NonBinary, &["nonbinary"]),
];

/// The most words that name a profession together.
const MOST_WORDS: usize = 5;

/// Words that would match the beginnings of words that aren't interests. FACOG is the title of gynecologists.
pub(super) const OTHERS: [(&[&str], &[&str]); 4] = [
    (
        &["gynecologist", "gynecologists", "gynecology", "gyn", "gyno", "ob", "obgyn", "obgyns"],
        &["obgyn", "facog"],
    ),
    (&["cardiologist", "cardiologists"], &["cardiolog", "cardiovascular"]),
    (&["boardcertified"], &["certified"]),
    (&["chinese"], &["mandarin", "cantonese"]),
];

/// Whether a word stands before names and is none.
pub(super) fn is_title(word: &str) -> bool {
    word == DOCTOR || STOP_WORDS.contains(&word)
}

pub(super) fn terms<'a>(
    typed: &'a [String],
    index: &'a WordIndex,
    own: &'a [SearchWord],
    professions: &[ProviderType],
) -> Vec<Term<'a>> {
    let terms = joined(typed, index, own, professions);
    let is_like_a_name = |word: &str| index.like(word).1.iter().any(|entry| entry.is_of_name);
    let is_kept = |at: usize| {
        let word = &*terms[at].word;
        let is_title = word == DOCTOR
            && terms.get(at + 1).is_some_and(|next| next.classes.is_empty() && is_like_a_name(&next.word));
        !is_title && (!STOP_WORDS.contains(&word) || index.same(word).is_some_and(|entry| entry.is_of_name))
    };
    let kept: Vec<bool> = (0..terms.len()).map(is_kept).collect();
    if !kept.contains(&true) {
        return terms;
    }
    terms.into_iter().zip(kept).filter(|(_, is_kept)| *is_kept).map(|(term, _)| term).collect()
}

fn joined<'a>(
    typed: &'a [String],
    index: &'a WordIndex,
    own: &'a [SearchWord],
    professions: &[ProviderType],
) -> Vec<Term<'a>> {
    let mut terms = Vec::with_capacity(typed.len());
    let mut rest = typed;
    while !rest.is_empty() {
        let several = (2..=MOST_WORDS.min(rest.len())).rev().find_map(|count| {
            let term = term(&rest[..count], index, own, professions);
            let is_named = !term.classes.is_empty() || term.concept.is_some();
            let is_one = is_named || count == 2 && !term.others.is_empty();
            is_one.then_some((count, term))
        });
        let (count, term) = several.unwrap_or_else(|| (1, term(&rest[..1], index, own, professions)));
        terms.push(term);
        rest = &rest[count..];
    }
    terms
}

fn term<'a>(
    words: &'a [String],
    index: &'a WordIndex,
    own: &'a [SearchWord],
    professions: &[ProviderType],
) -> Term<'a> {
    let word: Cow<'a, str> = match words {
        [word] => word.into(),
        several => several.concat().into(),
    };
    let genders = GENDERS.iter().filter(|(_, words)| words.contains(&&*word));
    let named = ProviderType::named(&word).iter().filter(|named| professions.contains(named));
    let classes =
        genders.map(|(gender, _)| Class::Gender(*gender)).chain(named.map(|named| Class::Type(*named)));
    let classes: Vec<_> = classes.collect();
    // A profession that the clinic has is not an interest as well.
    let concept = if classes.is_empty() { index.concepts.of(words) } else { None };
    let others = OTHERS.iter().filter(|(words, _)| words.contains(&&*word)).flat_map(|(_, others)| *others);
    let of_clinic = own.iter().filter(|entry| entry.typed == *word).flat_map(|entry| &entry.others);
    let others = others.copied().chain(of_clinic.map(String::as_str)).collect();
    Term { word, classes, others, concept }
}
