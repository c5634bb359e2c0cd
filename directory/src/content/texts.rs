//! The built-in tables of texts, and the placeholders of a text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::model::{Language, TextPart, TextTable};

/// A table as it is written: texts by part and key.
type Table = BTreeMap<String, TextTable>;

const ENGLISH: &str = include_str!("../../../site/texts/en.toml");
const FILES: [(&str, &str); 2] = [("en", ENGLISH), ("es", include_str!("../../../site/texts/es.toml"))];

/// A test shows that these files can be read.
static TABLES: LazyLock<Vec<(&str, Table)>> = LazyLock::new(|| {
    FILES.iter().map(|&(code, text)| (code, toml::from_str(text).unwrap_or_default())).collect()
});

/// The built-in tables, by their path in a site folder.
pub fn built_in_texts() -> impl Iterator<Item = (String, &'static str)> {
    FILES.iter().map(|(code, text)| (format!("texts/{code}.toml"), *text))
}

/// A part of a language's built-in table; `None` if the language has no table.
pub(super) fn built_in(language: Language, part: TextPart) -> Option<TextTable> {
    let (_, table) = TABLES.iter().find(|(code, _)| *code == language.code())?;
    Some(table.get(part.name()).cloned().unwrap_or_default())
}

/// The English texts, by part.
pub(super) fn english(part: TextPart) -> TextTable {
    TABLES
        .iter()
        .find(|(code, _)| *code == "en")
        .and_then(|(_, table)| table.get(part.name()))
        .cloned()
        .unwrap_or_default()
}

/// The names in braces, each once. `None` if a brace has no partner or no name.
pub(super) fn placeholders(text: &str) -> Option<Vec<&str>> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, end) = after.split_once('}')?;
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
        if before.contains('}') || !is_name {
            return None;
        }
        if !names.contains(&name) {
            names.push(name);
        }
        rest = end;
    }
    (!rest.contains('}')).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_table_has_the_keys_and_placeholders_of_the_english_one() {
        let tables: Vec<(&str, Table)> =
            FILES.iter().map(|&(code, text)| (code, toml::from_str(text).unwrap())).collect();
        let (_, english) = &tables[0];
        let sorted = |text: &str| {
            let mut names: Vec<_> = placeholders(text).unwrap().into_iter().map(str::to_owned).collect();
            names.sort_unstable();
            names
        };
        for (code, table) in &tables {
            for (part, texts) in english {
                let keys: Vec<_> = table[part].keys().collect();
                assert_eq!(keys, texts.keys().collect::<Vec<_>>(), "[{part}] of {code}.toml");
                for (key, text) in texts {
                    let other = &table[part][key];
                    assert_eq!(sorted(other), sorted(text), "{key} of [{part}] in {code}.toml");
                    assert_eq!(other.matches('|').count(), text.matches('|').count(), "{key} in {code}.toml");
                    assert!(!other.contains(['<', '>']) && !other.trim().is_empty(), "{key} in {code}.toml");
                }
            }
            let parts = TextPart::ALL.map(TextPart::name);
            assert!(table.keys().all(|part| parts.contains(&part.as_str())), "{code}.toml");
            for code in table.get("states").into_iter().flat_map(BTreeMap::keys) {
                assert!(
                    code.parse::<crate::model::StateCode>().is_ok_and(|state| state.code() == code),
                    "{code}"
                );
            }
            for code in table.get("languages").into_iter().flat_map(BTreeMap::keys) {
                assert!(code.parse::<Language>().is_ok_and(|language| language.code() == code), "{code}");
            }
        }
    }

    #[test]
    fn placeholders_are_names_in_braces() {
        assert_eq!(placeholders("{count} in {state}, {count}"), Some(vec!["count", "state"]));
        assert_eq!(placeholders("plain"), Some(vec![]));
        for text in ["{", "}", "{}", "{a", "a}", "{a}}", "{A}", "{a b}", "{{a}}"] {
            assert_eq!(placeholders(text), None, "{text}");
        }
    }

    /// The elements are released scripts, which no build changes: their texts are copies.
    #[test]
    fn the_newest_elements_have_the_texts_of_the_tables() {
        let script = crate::api::ELEMENTS[0].script;
        let (_, texts) = script.split_once("const TEXTS = {").unwrap();
        for (code, table) in TABLES.iter() {
            let (_, own) = texts.split_once(&format!("{code}: {{\n")).unwrap();
            let (own, _) = own.split_once("\n  },").unwrap();
            let expected: BTreeMap<String, String> = table["elements"]
                .iter()
                .map(|(key, text)| (key.replace("-t", "T"), format!("{text:?}")))
                .collect();
            let written = own.lines().map(|line| {
                let (key, text) = line.trim().trim_end_matches(',').split_once(": ").unwrap();
                (key.to_owned(), text.to_owned())
            });
            assert_eq!(written.collect::<BTreeMap<_, _>>(), expected, "{code}");
        }
    }
}
