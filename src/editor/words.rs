//! A mistake in the words of the form, for people who never see a file: labels and not keys, fields and not lines.

use std::borrow::Cow;

use directory::model::StateCode;
use serde_json::Value;

use super::config::{EditedFile, KINDS, schema_of};
use super::fields::{has_plans, label, plans_label};
use super::labels::is_name;

/// Phrases about files in reports, and the form's phrases for them.
const SAID: [(&str, &str); 18] = [
    ("delete this line", "empty this field"),
    ("Delete this line", "Empty this field"),
    ("delete the line with", "empty"),
    ("delete the entry", "remove the entry"),
    ("Write something between the quotes", "Fill it in"),
    ("Write hours between the brackets", "Fill them in"),
    ("Write days between the brackets", "Choose some"),
    ("in the file twice", "there twice"),
    ("Put the file there", "Upload it"),
    ("put it in headshots/, and write that file's name here", "upload it here"),
    (" has left, delete this file", " has left, delete these hours"),
    ("rename this file to ", "press New and write "),
    ("Rename this file to ", "Press New and write "),
    ("appointment-types in ", "“Visits offered” in "),
    ("to the states of the plan (", "to “Sold in” of the plan ("),
    ("needs a duration", "needs a “Length”, such as 30m"),
    (
        "An async visit has no time, so it has no duration",
        "A visit by message has no time, so it has no length",
    ),
    ("Write it like 2009", "Write four digits, such as 2009"),
];
/// Phrases that make sense only to a person who sees the files; advice with one of them is left out.
const FILES: [&str; 6] = [" = ", "[[", "below line", ".toml:", "a line such as", "in this file"];

/// What is wrong, and what to do if the form can do it. `path` is that of the file in the content folder.
pub(crate) fn in_words(path: &str, what: &str, help: Option<&str>) -> String {
    let labels = labels_of(path);
    let what = said(what, &labels);
    let first = help.unwrap_or_default().lines().next().unwrap_or_default();
    // Some sentences of the advice are about files.
    let sentences = first.split(". If ").next().unwrap_or_default().split(". ");
    let sentences = sentences.map(|sentence| said(sentence, &labels));
    let kept: Vec<String> =
        sentences.filter(|sentence| !FILES.iter().any(|file| sentence.contains(file))).collect();
    let help = kept.join(". ");
    let help = help.trim_end_matches(['.', ':']).trim_end_matches(".toml");
    let end = if help.ends_with('?') { "" } else { "." };
    match help {
        // Where the advice is a line of the file.
        "" if what.ends_with("is missing.") => format!("{what} Fill it in."),
        "" => what,
        help => format!("{what} {help}{end}"),
    }
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
                "TX is in `accepting` but not in `licensed`.",
                Some("Add \"TX\" to `licensed`, or remove it here."),
                "TX is in “Accepts new patients in” but not in “Licensed in”. Add \"TX\" to “Licensed in”, or remove it here.",
            ),
            (
                "availability/a.toml",
                "`hours` is missing.",
                Some("Add a line below line 13, such as hours = [\"09:00-12:00\"]"),
                "“Hours” is missing. Fill it in.",
            ),
            (
                "availability/a.toml",
                "appointment-types.toml has no visit type 102.",
                Some("The ids there are: 101, 201."),
                "“Visit types” has no visit type 102. The ids there are: 101, 201.",
            ),
            (
                "providers/a.toml",
                "This looks like an email address.",
                Some(
                    "Remove it: spammers would collect it. If you do want this text, add to allow.toml:\n[[allow]]",
                ),
                "This looks like an email address. Remove it: spammers would collect it.",
            ),
            (
                "availability/ann-lee.toml",
                "providers/ann-lee.toml doesn't exist.",
                Some("If ann-lee has left, delete this file.\nAlso add to retired.toml:"),
                "“Clinicians › ann-lee” doesn't exist. If ann-lee has left, delete these hours.",
            ),
            (
                "availability/a.toml",
                "a doesn't offer visit type 104.",
                Some("Add it to appointment-types in providers/a.toml."),
                "a doesn't offer visit type 104. Add it to “Visits offered” in “Clinicians › a”.",
            ),
            (
                "providers/a.toml",
                "\"X\" isn't sold in AZ, but `AZ` lists it there.",
                Some("Delete it here, or add \"AZ\" to the states of the plan (NY)."),
                "\"X\" isn't sold in AZ, but “More plans in Arizona” lists it there. Delete it here, or add \"AZ\" to “Sold in” of the plan (NY).",
            ),
            ("allow.toml", "`x` is empty.", None, "`x` is empty."),
        ] {
            assert_eq!(in_words(path, what, help), said);
        }
    }
}
