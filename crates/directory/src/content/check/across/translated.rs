//! Translations of texts that the content doesn't have, which no page shows, and those that say something else.

mod numbers;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::Value;

use super::super::bio::is_cut_off;
use super::super::translations::files;
use super::MAX_GUESSES;
use super::context::DirectoryContext;
use crate::content::mistakes::nearest;
use crate::content::parse::parse;
use crate::content::problem::{Advice, FileSpan, Problem};
use crate::content::problems::Problems;
use crate::content::raw::{Located, TranslationsFile};
use crate::content::sources::Sources;
use crate::model::{Directory, on_one_line};

const LONG: usize = 200;
const LONG_BEGINS: usize = 8;
/// Shorter texts can be names, which can be the same in two languages.
const SENTENCE: usize = 40;

pub(super) fn translations_are_of_the_content(context: &DirectoryContext<'_>, problems: &mut Problems) {
    let DirectoryContext { directory, sources, .. } = *context;
    let mut known: Option<(BTreeSet<String>, String)> = None;
    for (path, _, text) in files(sources) {
        let (raw, _) = parse::<TranslationsFile>(path, text, &mut Problems::default());
        let (texts, hidden) = known.get_or_insert_with(|| {
            (texts_of(directory).map(on_one_line).collect(), on_one_line(&hidden_files(directory, sources)))
        });
        let (stale, current): (Vec<_>, Vec<_>) = raw.0.into_iter().partition(|(text, _)| {
            let text = on_one_line(&text.value);
            !texts.contains(&text) && !is_value_in(hidden, &text)
        });
        problems.extend(warnings(path, &current));
        let paired: HashSet<String> = current.iter().map(|(text, _)| on_one_line(&text.value)).collect();
        let (swapped, stale): (Vec<_>, Vec<_>) =
            stale.into_iter().partition(|(_, translation)| texts.contains(&on_one_line(&translation.value)));
        for (text, translation) in swapped {
            let pair = FileSpan::new(path, &(text.span.start..translation.span.end));
            // A text on one line is written in TOML as in JSON.
            let [left, right] = [translation, text].map(|side| Value::from(on_one_line(&side.value)));
            let right = Advice::write(format!("{left} = {right}"));
            problems.push(Problem::warning(pair, "The two sides are swapped.").hint(right));
        }
        // A text that was cut off is reported there, and its rest will come.
        let is_cut = |text: &str| {
            let begin = text.get(..SENTENCE).unwrap_or(text);
            text.len() > SENTENCE && texts.iter().any(|other| other.starts_with(begin) && is_cut_off(other))
        };
        let stale = stale.into_iter().filter(|(text, _)| !is_cut(&on_one_line(&text.value)));
        // Where a biography was pasted over another, the other's translation will be needed again.
        let is_copied = |problem: &&Problem| problem.what().ends_with(" have the same biography.");
        let mut copied = problems.iter().filter(is_copied).count();
        for (number, (text, _)) in stale.enumerate() {
            // Comparing long texts takes time, so only those with the same first words are.
            let begin: String = text.value.chars().take(LONG_BEGINS).collect();
            let could_be_meant = |other: &&String| {
                !paired.contains(*other) && (other.len() < LONG || other.starts_with(&begin))
            };
            let near = || nearest(&text.value, texts.iter().filter(could_be_meant).map(String::as_str));
            // "Sleep, mood, and stress visit" for "Sleep and mood visit": the only one with half of the words.
            let own = long_words(&text.value);
            let is_alike = |other: &&String| {
                let other = long_words(other);
                !own.is_empty() && 2 * own.intersection(&other).count() >= own.len().max(other.len())
            };
            let alike = || {
                let mut alike = texts.iter().filter(|other| !paired.contains(*other)).filter(is_alike);
                alike.next().filter(|_| alike.next().is_none()).map(String::as_str)
            };
            let near = (number < MAX_GUESSES).then(|| near().or_else(alike)).flatten();
            if copied > 0 && text.value.len() >= LONG && near.is_none() {
                copied -= 1;
                continue;
            }
            let hint = match near {
                Some(near) => format!(
                    "The text is now \"{near}\". Write that on the left side of this line, and correct the translation on \
                     the right where the meaning changed."
                ),
                None => "If the text is gone, such as with a clinician who left, delete this line. If it was changed \
                         by mistake, correct it there, and leave this line. Otherwise translate the new text."
                    .to_owned(),
            };
            let what = "This text isn't in the content, so no page shows its translation.";
            problems.push(Problem::warning(FileSpan::new(path, &text.span), what).hint(hint));
        }
    }
}

fn long_words(text: &str) -> BTreeSet<String> {
    const SHORTEST: usize = 4;
    let words = text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| word.len() >= SHORTEST);
    words.map(str::to_lowercase).collect()
}

/// What is probably wrong with translations of texts that the content has.
fn warnings(path: &str, pairs: &[(Located<String>, Located<String>)]) -> Vec<Problem> {
    let mut warnings = Vec::new();
    let mut sentences: BTreeMap<String, &Located<String>> = BTreeMap::new();
    for (text, translation) in pairs {
        let place = FileSpan::new(path, &translation.span);
        let [written, translated] = [text, translation].map(|side| on_one_line(&side.value));
        let is_sentence = written.chars().count() >= SENTENCE;
        let (what, hint) = if translated.is_empty() {
            ("This translation is empty.".to_owned(), "Translate it, or delete this line.")
        } else if is_sentence && translated == written {
            ("This translation is the same as the text.".to_owned(), "Translate it, or delete this line.")
        } else if let Some(what) = numbers::difference(&written, &translated) {
            (what, "Correct the translation, or the text.")
        } else if is_sentence && is_cut_off(&translated) && written.ends_with(['.', '!', '?']) {
            let what = "This translation doesn't end with a period, as the text does.".to_owned();
            (what, "Was it cut off? Write the rest, or add the period.")
        } else {
            if is_sentence && let Some(other) = sentences.insert(translated, translation) {
                let what = "Two texts have the same translation; one was probably copied.";
                let problem =
                    Problem::warning(place, what).also(FileSpan::new(path, &other.span), "and here");
                warnings.push(problem.hint("Read both, and translate the text of the copy."));
            }
            continue;
        };
        warnings.push(Problem::warning(place, what).hint(hint));
    }
    warnings
}

/// The texts of the content that pages translate.
fn texts_of(directory: &Directory) -> impl Iterator<Item = &str> {
    let organization = directory.organization();
    let patients = &organization.patients;
    let lines = [&patients.cost, &patients.cost_without_insurance, &patients.emergency].into_iter().flatten();
    let visits =
        directory.visit_types().iter().flat_map(|visit_type| [&visit_type.name, &visit_type.description]);
    let people = directory.providers().iter();
    let people = people.flat_map(|provider| {
        let degrees = provider.education.iter().flat_map(|entry| [&entry.degree, &entry.field]);
        let certificates = provider.certifications.iter().map(|entry| &entry.name);
        provider.clinical_interests.iter().chain([&provider.bio]).chain(degrees).chain(certificates)
    });
    [&organization.description].into_iter().chain(lines).chain(visits).chain(people).map(String::as_str)
}

/// The files whose texts can be off the pages for a while: visits that aren't enabled, and clinicians who are withdrawn.
fn hidden_files(directory: &Directory, sources: &Sources) -> String {
    let withdrawn = directory.withdrawn_slugs().map(|slug| format!("providers/{slug}.toml"));
    let files = withdrawn.chain(["appointment-types.toml".to_owned()]);
    files.filter_map(|path| sources.whole_text(&path)).collect()
}

/// Whether a text stands between quotes.
fn is_value_in(files: &str, text: &str) -> bool {
    files.match_indices(text).any(|(at, _)| {
        let (before, after) = (files[..at].trim_end(), files[at + text.len()..].trim_start());
        before.ends_with('"') && after.starts_with('"')
    })
}
