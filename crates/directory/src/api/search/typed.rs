//! What people type besides the words of the index.
//!
//! - Titles and small words (`Dr.`, `who speaks`) are left out if other words remain, unless a name has the word. `doctor`
//!   is a title before a name.
//! - Words for a gender or a profession that this directory lists (`woman`, `nurse`, `enfermera`) match those clinicians, and
//!   count 2 points. They match other words only where these are the same: `men` is not the beginning of `menopause`.
//! - A word with synonyms, here or in the clinic's `[search-words]`, also matches words that begin with a synonym,
//!   for 2 points.
//! - Two adjacent words that joined are a group word or have synonyms count as one word: `ob gyn`, `nurse
//!   practitioner`. So do up to five that name a profession: `clinical social worker`.
//! - A word of this file or of `[search-words]` is never taken for a typing mistake.

use std::borrow::Cow;

use super::words::WordIndex;
use crate::model::{Gender, ProviderType, SearchWord};

/// A group of clinicians that a search word can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Gender(Gender),
    Type(ProviderType),
}

/// One word that must match.
#[derive(Debug)]
pub(super) struct Term<'a> {
    pub(super) word: Cow<'a, str>,
    /// Empty for other words. A word may name several professions.
    pub(super) classes: Vec<Class>,
    /// Words that it finds as well.
    pub(super) others: Vec<&'a str>,
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

/// Words of women's health, and the beginnings of other words that they find.
pub(super) const OTHERS: [(&[&str], &[&str]); 12] = [
    (
        &[
            "ob",
            "obgyn",
            "obgyns",
            "gyn",
            "gyno",
            "gynecologist",
            "gynecologists",
            "gynaecologist",
            "gynecology",
            "gynaecology",
            "obstetrician",
            "obstetrics",
        ],
        // FACOG is the title of gynecologists.
        &["gyn", "obgyn", "obstetric", "facog"],
    ),
    (&["hrt", "mht"], &["hormon", "menopaus", "perimenopaus"]),
    (&["hotflash", "hotflashes", "hotflushes"], &["menopaus", "perimenopaus"]),
    (&["birthcontrol"], &["contracept"]),
    (&["pcos"], &["polycystic"]),
    (&["pms", "pmdd"], &["premenstrual"]),
    (&["uti", "utis"], &["urinary"]),
    (&["osteoporosis", "osteopenia"], &["bone"]),
    (&["insomnia"], &["sleep"]),
    (&["depression"], &["mood"]),
    (&["hypertension"], &["blood"]),
    (&["chinese"], &["mandarin", "cantonese"]),
];

/// Whether a word stands before names and is none.
pub(super) fn is_title(word: &str) -> bool {
    word == DOCTOR || STOP_WORDS.contains(&word)
}

/// The words that must match, from the words as typed, which are at least one.
pub(super) fn terms<'a>(
    typed: &'a [String],
    index: &WordIndex,
    own: &'a [SearchWord],
    professions: &[ProviderType],
) -> Vec<Term<'a>> {
    let terms = joined(typed, own, professions);
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

/// The terms of the words, several of which can be one term.
fn joined<'a>(typed: &'a [String], own: &'a [SearchWord], professions: &[ProviderType]) -> Vec<Term<'a>> {
    let mut terms = Vec::with_capacity(typed.len());
    let mut rest = typed;
    while let [word, ..] = rest {
        let several = (2..=MOST_WORDS.min(rest.len())).rev().find_map(|count| {
            let term = term(rest[..count].concat().into(), own, professions);
            let is_one = !term.classes.is_empty() || count == 2 && !term.others.is_empty();
            is_one.then_some((count, term))
        });
        let (count, term) = several.unwrap_or_else(|| (1, term(word.into(), own, professions)));
        terms.push(term);
        rest = &rest[count..];
    }
    terms
}

fn term<'a>(word: Cow<'a, str>, own: &'a [SearchWord], professions: &[ProviderType]) -> Term<'a> {
    let genders = GENDERS.iter().filter(|(_, words)| words.contains(&&*word));
    let named = ProviderType::named(&word).iter().filter(|named| professions.contains(named));
    let classes =
        genders.map(|(gender, _)| Class::Gender(*gender)).chain(named.map(|named| Class::Type(*named)));
    let classes = classes.collect();
    let others = OTHERS.iter().filter(|(words, _)| words.contains(&&*word)).flat_map(|(_, others)| *others);
    let of_clinic = own.iter().filter(|entry| entry.typed == *word).flat_map(|entry| &entry.others);
    let others = others.copied().chain(of_clinic.map(String::as_str)).collect();
    Term { word, classes, others }
}
