//! A mistake in the words of the form, for people who never see a file: labels and not keys, fields and not lines.

use std::borrow::Cow;

use directory::model::StateCode;
use serde_json::Value;

use super::config::{EditedFile, KINDS, schema_of};
use super::fields::{has_plans, label, plans_label};
use super::labels::is_name;

/// Phrases about files in reports, and the form's phrases for them.
const SAID: [(&str, &str); 17] = [
    ("delete this line", "empty this field"),
    ("delete the line with", "empty"),
    ("delete the entry", "remove the entry"),
    ("write something between the quotes", "fill it in"),
    ("write hours between the brackets", "fill them in"),
    ("write days between the brackets", "choose some"),
    ("in the file twice", "there twice"),
    ("put the file there", "upload it"),
    ("put it into headshots/, and write the name of that file here", "upload it here"),
    (
        "name this file after the provider whose hours these are",
        "add the clinician first, or press New and write the address of the right one",
    ),
    ("rename this file to ", "press New and write "),
    ("appointment-types in ", "“Visits offered” in "),
    ("to the plan's states, which are ", "to “Sold in” of the plan, which has "),
    ("needs a duration", "needs a “Length”, such as 30m"),
    ("an async visit has no time, and so no duration", "a visit by message has no time, and so no length"),
    ("write it like 2009", "write four digits, such as 2009"),
    ("this provider", "this clinician"),
];
/// Phrases that make sense only to a person who sees the files; advice with one of them is left out.
const FILES: [&str; 6] = [" = ", "[[", "below line", ".toml:", "a line such as", "in this file"];

/// What is wrong, and what to do if the form can do it. `path` is that of the file in the content folder.
pub(crate) fn in_words(path: &str, what: &str, help: Option<&str>) -> String {
    let labels = labels_of(path);
    let what = said(what, &labels);
    let first = help.unwrap_or_default().lines().next().unwrap_or_default();
    // Some parts of the advice are about files.
    let parts = first.split("; if ").next().unwrap_or_default();
    let parts = parts.split("; ").map(|part| said(part, &labels).trim_end_matches(".toml").to_owned());
    let parts: Vec<String> = parts.collect();
    let parts = parts.into_iter().filter(|part| !FILES.iter().any(|file| part.contains(file)));
    let help = parts.collect::<Vec<_>>().join("; ");
    // Where the advice is a line of the file.
    let instead = if what.ends_with("is missing") { "fill it in" } else { "" };
    let help = if help.is_empty() { instead.to_owned() } else { help };
    let what = what.trim_end_matches('.');
    if help.is_empty() { format!("{what}.") } else { format!("{what}: {}", ended(help)) }
}

fn ended(mut sentence: String) -> String {
    if !sentence.ends_with(['?', '.']) {
        sentence.push('.');
    }
    sentence
}

fn said(text: &str, labels: &[(String, String)]) -> String {
    let mut text = Cow::Borrowed(text);
    for (key, label) in labels {
        let marked = format!("`{key}`");
        if text.contains(&marked) {
            text = text.replace(&marked, &format!("“{label}”")).into();
        }
    }
    for EditedFile { path, label, .. } in &KINDS {
        if text.contains(path) && !path.ends_with('/') {
            text = text.replace(path, &format!("“{label}”")).into();
        }
    }
    for kind in KINDS.iter().filter(|kind| kind.path.ends_with('/')) {
        if text.contains(kind.path) {
            text = entries(&text, kind).into();
        }
    }
    for (file, form) in SAID {
        if text.contains(file) {
            text = text.replace(file, form).into();
        }
    }
    text.into_owned()
}

/// A text with entries of the form and not files: "providers/jane-doe.toml" is “Clinicians › jane-doe”.
fn entries(text: &str, kind: &EditedFile) -> String {
    let mut parts = text.split(kind.path);
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(".toml") {
            Some((name, rest)) if is_name(name) => {
                said.extend(["“", kind.label, " › ", name, "”", rest]);
            }
            _ => said.extend([kind.path, part]),
        }
    }
    said
}

/// The keys of a file, with their labels.
fn labels_of(path: &str) -> Vec<(String, String)> {
    let is_of = |kind: &&EditedFile| match kind.path.strip_suffix('/') {
        Some(folder) => path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')),
        None => path == kind.path,
    };
    let mut labels = Vec::new();
    if let Some(kind) = KINDS.iter().find(is_of) {
        collect(&schema_of(kind.name), &mut labels);
    }
    labels
}

fn collect(schema: &Value, labels: &mut Vec<(String, String)>) {
    if has_plans(schema) {
        let keys = StateCode::all().map(StateCode::code).chain(["all"]);
        labels.extend(keys.map(|key| (key.to_owned(), plans_label(key))));
        return;
    }
    for (key, below) in schema["properties"].as_object().into_iter().flatten() {
        if !labels.iter().any(|(known, _)| known == key) {
            labels.push((key.clone(), label(key, below)));
        }
        collect(below, labels);
    }
    if schema["items"].is_object() {
        collect(&schema["items"], labels);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_files_and_lines_are_said_as_the_form_shows_them() {
        for (path, what, help, said) in [
            (
                "providers/a.toml",
                "new patients are accepted in TX, but there is no license for TX",
                Some("add \"TX\" to `licensed`, or remove it here"),
                "new patients are accepted in TX, but there is no license for TX: add \"TX\" to “Licensed in”, or remove it here.",
            ),
            (
                "availability/a.toml",
                "`hours` is missing",
                Some("add a line below line 13, such as hours = [\"09:00-12:00\"]"),
                "“Hours” is missing: fill it in.",
            ),
            (
                "availability/a.toml",
                "there is no visit type 102 in appointment-types.toml",
                Some("the ids there: 101, 201"),
                "there is no visit type 102 in “Visit types”: the ids there: 101, 201.",
            ),
            (
                "providers/a.toml",
                "this looks like an e-mail address",
                Some(
                    "it would be collected by spammers: take it out; if it is meant, add to allow.toml:\n[[allow]]",
                ),
                "this looks like an e-mail address: it would be collected by spammers: take it out.",
            ),
            (
                "availability/ann-lee.toml",
                "there is no providers/ann-lee.toml",
                Some(
                    "name this file after the provider whose hours these are; if ann-lee has left, delete this file",
                ),
                "there is no “Clinicians › ann-lee”: add the clinician first, or press New and write the address of the right one.",
            ),
            (
                "availability/a.toml",
                "a does not offer the visit type 104",
                Some("add it to appointment-types in providers/a.toml"),
                "a does not offer the visit type 104: add it to “Visits offered” in “Clinicians › a”.",
            ),
            (
                "providers/a.toml",
                "\"X\" is not sold in AZ, and `AZ` says it is taken there",
                Some("delete it here, or add \"AZ\" to the plan's states, which are NY"),
                "\"X\" is not sold in AZ, and “Further ones in Arizona” says it is taken there: delete it here, or add \"AZ\" to “Sold in” of the plan, which has NY.",
            ),
            ("allow.toml", "`x` is empty", None, "`x` is empty."),
        ] {
            assert_eq!(in_words(path, what, help), said);
        }
    }
}
