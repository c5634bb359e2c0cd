//! One problem in a content folder: what is wrong, where, and what to do.

use std::fmt;
use std::ops::Range;

use super::offer::Repair;
use crate::model::words;

/// Of a text that `nameplate init` wrote.
pub(super) const OF_EXAMPLE: &str = "This is still a placeholder.";
const LONGEST_MESSAGE: usize = 1000;

words! {
    Severity {
        /// The build would publish something false, unsafe or broken.
        Error = "error",
        /// The content is valid but probably not as intended.
        Warning = "warning",
    }
}

words! {
    /// What sort of problem it is: what the repairs that are tried depend on.
    Kind {
        Syntax = "syntax",
        WrongType = "wrong-type",
        UnknownKey = "unknown-key",
        /// About a file as a whole: its name or its place.
        File = "file",
        Other = "other",
    }
}

/// A place in a file of the content folder. Its order is the order of reports.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileSpan {
    /// Relative to the content folder, with `/` between its parts.
    pub(super) path: String,
    pub(super) span: Option<(usize, usize)>,
}

impl FileSpan {
    pub(super) fn new(path: &str, span: &Range<usize>) -> Self {
        Self { path: path.to_owned(), span: Some((span.start, span.end.max(span.start))) }
    }

    pub(super) fn start(&self) -> Option<usize> {
        self.span.map(|(start, _)| start)
    }

    pub(super) fn file(path: &str) -> Self {
        Self { path: path.to_owned(), span: None }
    }
}

/// What to do about a problem: a sentence and, if known, the text to write in place of the marked one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Advice {
    pub(super) text: String,
    pub(super) replacement: Option<String>,
}

impl Advice {
    pub(super) fn write(replacement: impl Into<String>) -> Self {
        let replacement = replacement.into();
        Self { text: format!("Write {replacement}"), replacement: Some(replacement) }
    }

    pub(super) fn meant(replacement: impl Into<String>) -> Self {
        let replacement = replacement.into();
        Self { text: format!("Did you mean {replacement}?"), replacement: Some(replacement) }
    }

    pub(super) fn and(mut self, more: &str) -> Self {
        self.text.push_str(more);
        self
    }
}

impl From<String> for Advice {
    fn from(text: String) -> Self {
        Self { text, replacement: None }
    }
}

impl From<&str> for Advice {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub(super) severity: Severity,
    pub(super) kind: Kind,
    pub(super) place: FileSpan,
    pub(super) what: String,
    pub(super) hint: Option<Advice>,
    pub(super) also: Option<(FileSpan, String)>,
    pub(super) repairs: Vec<Repair>,
    /// The problems that each of these heals, too.
    pub(super) followers: Vec<(FileSpan, Severity)>,
}

impl Problem {
    pub fn is_of_example(&self) -> bool {
        self.what == OF_EXAMPLE
    }

    pub(super) fn new(severity: Severity, place: FileSpan, what: impl Into<String>) -> Self {
        let kind = if place.span.is_some() { Kind::Other } else { Kind::File };
        Self {
            severity,
            kind,
            place,
            what: shortened(what.into()),
            hint: None,
            also: None,
            repairs: Vec::new(),
            followers: Vec::new(),
        }
    }

    pub(super) fn error(place: FileSpan, what: impl Into<String>) -> Self {
        Self::new(Severity::Error, place, what)
    }

    pub(super) fn in_file(path: &str, what: impl Into<String>) -> Self {
        Self::error(FileSpan::file(path), what)
    }

    pub(super) fn warning(place: FileSpan, what: impl Into<String>) -> Self {
        Self::new(Severity::Warning, place, what)
    }

    pub(super) fn hint(self, hint: impl Into<Advice>) -> Self {
        let Advice { text, replacement } = hint.into();
        let text = shortened(text);
        Self { hint: Some(Advice { text, replacement }), ..self }
    }

    pub(super) fn of_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    pub(super) fn also(self, place: FileSpan, label: impl Into<String>) -> Self {
        Self { also: Some((place, label.into())), ..self }
    }

    /// In what order repairs are looked for: what hides other problems comes first.
    pub(super) fn order(&self) -> (Severity, Kind, &FileSpan) {
        (self.severity, self.kind, &self.place)
    }

    pub fn severity(&self) -> Severity {
        self.severity
    }

    pub fn path(&self) -> &str {
        &self.place.path
    }

    pub fn what(&self) -> &str {
        &self.what
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What to do about it, if known: each repair, or a sentence.
    pub fn help(&self) -> Option<String> {
        if self.repairs.is_empty() {
            return self.hint.as_ref().map(|advice| advice.text.clone());
        }
        let titles: Vec<&str> = self.repairs.iter().map(|repair| repair.title.as_str()).collect();
        Some(titles.join("; or: "))
    }

    /// What to do about it in a form, which shows fields and not lines.
    pub fn help_in_form(&self) -> Option<String> {
        let is_value = |repair: &Repair, text: &str| {
            let is_of_value = matches!(repair.name, "value" | "meant" | "order" | "id");
            is_of_value && !text.is_empty() && !text.contains('\n')
        };
        let words = |repair: &Repair| match repair.edits.as_slice() {
            [edit] if is_value(repair, &edit.text) => {
                Some(format!("write {}", edit.text.trim_matches(['[', ']'])))
            }
            _ => Some(lower_first(&repair.title)).filter(|title| !title.contains(" = ")),
        };
        let mut words: Vec<String> = self.repairs.iter().filter_map(words).collect();
        // The same value at two places is one in a form.
        words.dedup();
        let hint = || self.hint.as_ref().map(|advice| advice.text.clone());
        if words.is_empty() { hint() } else { Some(sentence(words.join(", or "))) }
    }

    /// The edits that heal it, best first.
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    pub fn follower_count(&self) -> usize {
        self.followers.len()
    }
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

pub(super) fn sentence(words: impl fmt::Display) -> String {
    let words = words.to_string();
    let (first, rest) = words.split_at(words.chars().next().map_or(0, char::len_utf8));
    let end = if words.ends_with(['.', '?']) { "" } else { "." };
    format!("{}{rest}{end}", first.to_uppercase())
}

/// Shortens a message, which can quote a megabyte of a file.
fn shortened(text: String) -> String {
    if text.char_indices().nth(LONGEST_MESSAGE).is_none() {
        return text;
    }
    let head = text.chars().take(LONGEST_MESSAGE / 2);
    let tail: Vec<char> = text.chars().rev().take(LONGEST_MESSAGE / 4).collect();
    head.chain(['…']).chain(tail.into_iter().rev()).collect()
}
