//! One problem in a content folder: what is wrong, where, and what to do.

use std::ops::Range;

use crate::model::words;

/// The longest message, in characters.
const LONGEST_MESSAGE: usize = 1000;

words! {
    /// Whether a problem stops a build.
    Severity {
        /// The build would publish something false, unsafe or broken.
        Error = "error",
        /// The content is valid but probably not as intended.
        Warning = "warning",
    }
}

/// A place in a file of the content folder. Its order is the order of reports.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileSpan {
    /// Relative to the content folder, with `/` between its parts.
    pub(super) path: String,
    /// The range in the file; `None` for the file as a whole.
    pub(super) span: Option<(usize, usize)>,
}

impl FileSpan {
    pub(super) fn new(path: &str, span: &Range<usize>) -> Self {
        Self { path: path.to_owned(), span: Some((span.start, span.end.max(span.start))) }
    }

    /// The offset at which it begins; `None` for a file as a whole.
    pub(super) fn start(&self) -> Option<usize> {
        self.span.map(|(start, _)| start)
    }

    /// A file as a whole.
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
    /// Advice to replace the marked text.
    pub(super) fn write(replacement: impl Into<String>) -> Self {
        let replacement = replacement.into();
        Self { text: format!("write {replacement}"), replacement: Some(replacement) }
    }

    /// Advice to replace the marked text by what was probably meant.
    pub(super) fn meant(replacement: impl Into<String>) -> Self {
        let replacement = replacement.into();
        Self { text: format!("did you mean {replacement}?"), replacement: Some(replacement) }
    }

    /// Adds a replacement to a sentence that does not contain it as such.
    pub(super) fn replacing(self, replacement: impl Into<String>) -> Self {
        Self { replacement: Some(replacement.into()), ..self }
    }

    /// Adds to the sentence.
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
    pub(super) place: FileSpan,
    pub(super) what: String,
    pub(super) hint: Option<Advice>,
    pub(super) also: Option<(FileSpan, String)>,
}

impl Problem {
    pub(super) fn new(severity: Severity, place: FileSpan, what: impl Into<String>) -> Self {
        Self { severity, place, what: shortened(what.into()), hint: None, also: None }
    }

    pub(super) fn error(place: FileSpan, what: impl Into<String>) -> Self {
        Self::new(Severity::Error, place, what)
    }

    /// An error of a file as a whole.
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

    pub(super) fn maybe_hint(self, hint: Option<Advice>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// Adds a second place that the problem is about.
    pub(super) fn also(self, place: FileSpan, label: impl Into<String>) -> Self {
        Self { also: Some((place, label.into())), ..self }
    }

    /// Whether it stops a build.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The file, relative to the content folder.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.place.path
    }

    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What to do about it, if known.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.hint.as_ref().map(|advice| advice.text.as_str())
    }
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
