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

/// A text as TOML writes it on one line.
pub fn toml_text(text: &str) -> String {
    // A JSON string is a TOML string, except that TOML requires an escape for DEL.
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// A text as TOML writes it: with three quotes if it has several lines.
pub(super) fn quoted(text: &str) -> String {
    let lines: Vec<_> = text.trim().lines().map(toml_text).collect();
    match &*lines {
        [line] => line.clone(),
        lines => {
            let inner = lines.iter().map(|line| &line[1..line.len() - 1]);
            format!("\"\"\"{}\"\"\"", inner.collect::<Vec<_>>().join("\n"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_is_read_back_whatever_characters_it_has() {
        for text in [
            "a\u{7}b",
            "del\u{7f}",
            "say \"hi\" \\ twice",
            "\"\"\"\nof \"three\"\"\"",
            "a tab\there\nand \u{1b} there",
            "",
        ] {
            let table: toml::Table = format!("text = {}", quoted(text)).parse().unwrap();
            assert_eq!(table["text"].as_str(), Some(text));
        }
    }
}
