//! Translations of texts that the content doesn't have, which no page shows.

use std::collections::BTreeSet;

use super::super::translations::files;
use super::MAX_GUESSES;
use super::context::DirectoryContext;
use crate::content::mistakes::nearest;
use crate::content::parse::parse;
use crate::content::problem::{FileSpan, Problem};
use crate::content::problems::Problems;
use crate::content::raw::TranslationsFile;
use crate::content::sources::Sources;
use crate::model::{Directory, on_one_line};

const LONG: usize = 200;
const LONG_BEGINS: usize = 8;

pub(super) fn translations_are_of_the_content(context: &DirectoryContext<'_>, problems: &mut Problems) {
    let DirectoryContext { directory, sources, .. } = *context;
    let mut known: Option<(BTreeSet<String>, String)> = None;
    for (path, _, text) in files(sources) {
        let (raw, _) = parse::<TranslationsFile>(path, text, &mut Problems::default());
        let (texts, hidden) = known.get_or_insert_with(|| {
            (texts_of(directory).map(on_one_line).collect(), on_one_line(&hidden_files(directory, sources)))
        });
        let stale = raw.0.into_keys().filter(|text| {
            let text = on_one_line(&text.value);
            !texts.contains(&text) && !is_value_in(hidden, &text)
        });
        for (number, text) in stale.enumerate() {
            // Comparing long texts takes time, so only those with the same first words are.
            let begin: String = text.value.chars().take(LONG_BEGINS).collect();
            let could_be_meant = |other: &&String| other.len() < LONG || other.starts_with(&begin);
            let near = || nearest(&text.value, texts.iter().filter(could_be_meant).map(String::as_str));
            let hint = match (number < MAX_GUESSES).then(near).flatten() {
                Some(near) => format!(
                    "The nearest text is \"{near}\". If only its spelling changed, write it here. If its meaning \
                     changed, translate it again."
                ),
                None => "If the text was changed by mistake, correct it there first, and leave this line. Otherwise \
                         translate the new text, and delete this line."
                    .to_owned(),
            };
            let what = "This text isn't in the content, so no page shows its translation.";
            problems.push(Problem::warning(FileSpan::new(path, &text.span), what).hint(hint));
        }
    }
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
