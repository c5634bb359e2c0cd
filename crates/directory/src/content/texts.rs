//! The site's texts in its languages.

use std::sync::LazyLock;

use crate::model::{Language, TextTable};

const FILES: [(&str, &str); 3] = [
    ("en", include_str!("../../../../site/texts/en.toml")),
    ("es", include_str!("../../../../site/texts/es.toml")),
    ("content-es", include_str!("../../../../site/texts/content-es.toml")),
];

/// A test shows that these files can be read.
static TABLES: LazyLock<[(&str, TextTable); 2]> = LazyLock::new(|| {
    let [english, mut spanish, content] =
        FILES.map(|(_, text)| toml::from_str::<TextTable>(text).unwrap_or_default());
    spanish.extend(content);
    [("en", english), ("es", spanish)]
});

pub fn built_in_texts() -> impl Iterator<Item = (String, &'static str)> {
    FILES.iter().map(|(code, text)| (format!("texts/{code}.toml"), *text))
}

pub(super) fn texts_in(language: Language) -> Option<&'static TextTable> {
    TABLES.iter().find(|(code, _)| *code == language.code()).map(|(_, table)| table)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// The names in braces.
    fn placeholders(text: &str) -> BTreeSet<&str> {
        let names: BTreeSet<_> =
            text.split('{').skip(1).map(|rest| rest.split_once('}').unwrap().0).collect();
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        assert!(names.iter().all(|name| name.bytes().all(is_plain)), "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
        names
    }

    #[test]
    fn every_table_has_the_keys_and_placeholders_of_the_english_one() {
        for (name, text) in FILES {
            assert!(toml::from_str::<TextTable>(text).is_ok(), "{name}.toml");
        }
        let (_, english) = &TABLES[0];
        for (code, table) in TABLES.iter() {
            for (part, texts) in english {
                let keys: Vec<_> = table[part].keys().collect();
                assert_eq!(keys, texts.keys().collect::<Vec<_>>(), "[{part}] of {code}.toml");
                for (key, text) in texts {
                    let other = &table[part][key];
                    assert_eq!(placeholders(other), placeholders(text), "{key} of [{part}] in {code}.toml");
                    assert_eq!(other.matches('|').count(), text.matches('|').count(), "{key} in {code}.toml");
                    assert!(!other.contains(['<', '>']) && !other.trim().is_empty(), "{key} in {code}.toml");
                }
            }
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
    fn common_texts_of_content_are_in_small_letters() {
        let (_, spanish) = &TABLES[1];
        for (english, spanish) in &spanish["content"] {
            assert_eq!(*english, english.to_lowercase());
            assert!(spanish.starts_with(char::is_uppercase), "{spanish}");
        }
    }

    /// The elements are released scripts, which no build changes: their texts are copies.
    #[test]
    fn the_newest_elements_have_the_texts_of_the_tables() {
        let script = crate::web::ELEMENTS[0].script;
        let (_, texts) = script.split_once("const TEXTS = {").unwrap();
        for (code, table) in TABLES.iter() {
            let (_, own) = texts.split_once(&format!("{code}: {{\n")).unwrap();
            let (own, _) = own.split_once("\n  },").unwrap();
            let expected: BTreeMap<String, String> = table["elements"]
                .iter()
                .map(|(key, text)| (key.replace("-t", "T").replace("-p", "P"), format!("{text:?}")))
                .collect();
            let written = own.lines().map(|line| {
                let (key, text) = line.trim().trim_end_matches(',').split_once(": ").unwrap();
                (key.to_owned(), text.to_owned())
            });
            assert_eq!(written.collect::<BTreeMap<_, _>>(), expected, "{code}");
        }
    }
}
