//! Values in the notation of content files, as repairs write them.

use super::super::offer::Class;

/// A value in the notation of content files. A text for several entries of a list has commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) class: Class,
}

impl Written {
    pub(super) fn certain(text: String) -> Vec<Self> {
        vec![Self { text, class: Class::Certain }]
    }

    pub(super) fn guessed(self) -> Self {
        Self { class: Class::Likely, ..self }
    }

    pub(super) fn likely(text: String) -> Vec<Self> {
        vec![Self { text, class: Class::Likely }]
    }
}

pub(super) fn list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts.map(quoted).collect::<Vec<_>>().join(", ")
}

/// A text as TOML writes it: with three quotes if it has several lines.
pub(super) fn quoted(text: &str) -> String {
    let text = text.trim();
    if text.contains('\n') {
        return format!("\"\"\"{}\"\"\"", text.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\""));
    }
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
