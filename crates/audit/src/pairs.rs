//! Finds clinicians with two entries, and biographies of the wrong clinician.

use std::collections::HashMap;

use crate::names::{is_telling, tokens};
use directory::model::{Directory, Provider, folded};
use directory::statements::{Finding, Place, Rule, Strength, Witness};

pub(crate) fn findings(directory: &Directory) -> Vec<Finding> {
    let mut found = twins(directory);
    found.extend(copied_bios(directory));
    found
}

fn twins(directory: &Directory) -> Vec<Finding> {
    let mut by_name: HashMap<String, Vec<&Provider>> = HashMap::new();
    for provider in directory.providers() {
        by_name.entry(folded(&provider.display_name)).or_default().push(provider);
    }
    let mut found = Vec::new();
    for namesakes in by_name.values() {
        for (at, second) in namesakes.iter().enumerate() {
            let Some(first) = namesakes[..at].iter().find(|first| may_be_twins(first, second)) else {
                continue;
            };
            let what = format!(
                "{} and {} are probably one person: they have the same name, the same education, and a state in common",
                first.slug, second.slug
            );
            let advice = "if they are two people, add both NPIs; otherwise delete one file, and add its slug to \
                          `former-slugs` in the other";
            let place = Place::key(second, "display-name");
            let rule = (Rule::Twin, Strength::Likely);
            let finding = Finding::new(rule, second, place, what, advice, &[first.slug.as_str()]);
            found.push(finding.against(Witness::Content(Place::key(first, "display-name"))));
        }
    }
    found
}

fn may_be_twins(first: &Provider, second: &Provider) -> bool {
    !first.education.is_empty()
        && first.education == second.education
        && !first.licensed.intersection(second.licensed).is_empty()
        && (first.npi.is_none() || second.npi.is_none())
}

/// Finds biographies that begin with a colleague's name and do not contain any word of the clinician's own name.
fn copied_bios(directory: &Directory) -> Vec<Finding> {
    let name_of = |provider: &Provider| tokens(&provider.display_name);
    let mut by_first_two_words: HashMap<_, Vec<&Provider>> = HashMap::new();
    for provider in directory.providers() {
        if let Some(words) = first_two(&name_of(provider)) {
            by_first_two_words.entry(words).or_default().push(provider);
        }
    }
    let mut found = Vec::new();
    for provider in directory.providers() {
        let (bio_words, own_name) = (words_without_title(&provider.bio), name_of(provider));
        let candidates = first_two(&bio_words).and_then(|words| by_first_two_words.get(&words));
        let at_beginning =
            candidates.into_iter().flatten().filter(|candidate| bio_words.starts_with(&name_of(candidate)));
        let Some(subject) = at_beginning.max_by_key(|candidate| name_of(candidate).len()) else { continue };
        let has_own_word = own_name.iter().any(|word| is_telling(word) && bio_words.contains(word));
        // If no word of the name is telling, as in "J. R.", `has_own_word` is false even if the subject is the clinician.
        if has_own_word || name_of(subject) == own_name {
            continue;
        }
        let what = format!(
            "the biography of {} begins with \"{}\", and doesn't mention {}",
            provider.slug, subject.display_name, provider.display_name
        );
        let place = Place::key(provider, "bio").part(&subject.display_name);
        let advice = format!("replace this text with the biography of {}", provider.display_name);
        let rule = (Rule::BioCopied, Strength::Likely);
        let finding = Finding::new(rule, provider, place, what, advice, &[subject.slug.as_str()]);
        found.push(finding.against(Witness::Content(Place::key(subject, "bio"))));
    }
    found
}

fn words_without_title(text: &str) -> Vec<String> {
    tokens(text).into_iter().skip_while(|word| matches!(word.as_str(), "dr" | "doctor")).collect()
}

/// A single word is not enough: a text may begin with an ordinary word that is also a name.
fn first_two(words: &[String]) -> Option<[String; 2]> {
    words.first_chunk().cloned()
}
