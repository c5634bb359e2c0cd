//! Writes `assets/texts/<language>.js`, the texts of the site's scripts, and `<language>-profile.js`, those that only a
//! clinician's page has.

use std::collections::BTreeMap;

use bytes::Bytes;
use directory::model::{Directory, Gender, Language, Provider, TextPart, Texts};
use serde::Serialize;

use super::wording;
use crate::json::to_json;
use crate::path::{PathError, TreePath};

/// Keys are in camel case.
#[derive(Debug, Serialize)]
struct Module<'t> {
    search: BTreeMap<String, &'t str>,
    states: BTreeMap<&'t str, &'t str>,
    /// The translated interests of clinicians, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    content: BTreeMap<&'t str, &'t str>,
    /// The language of the content, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<&'static str>,
}

pub(super) fn texts<'t>(
    directory: &'t Directory,
    texts: &'t Texts,
) -> Result<[(TreePath, Bytes); 2], PathError> {
    let part = |part: TextPart| -> BTreeMap<String, &str> {
        texts.part(part).map(|(key, text)| (script_name(key), text)).collect()
    };
    let mut search = part(TextPart::Search);
    for profession in directory.professions() {
        let word = profession.word();
        let anyone = profession.name(texts.language, Gender::Other);
        for (gender, suffix) in [(Gender::Other, ""), (Gender::Female, "Female"), (Gender::Male, "Male")] {
            let name = profession.name(texts.language, gender);
            if suffix.is_empty() || name != anyone {
                search.insert(format!("{word}{suffix}"), name);
            }
        }
    }
    if directory.providers().iter().flat_map(Provider::badges).next().is_some() {
        search.insert("certifiedBy".to_owned(), wording::text(texts, "certified-by"));
    }
    let interests = directory.providers().iter().flat_map(|provider| &provider.clinical_interests);
    let module = Module {
        content: interests.filter_map(|name| Some((&**name, texts.translated(name)?))).collect(),
        search,
        states: texts.part(TextPart::States).collect(),
        written: Some(texts.content).filter(|&written| written != texts.language).map(Language::code),
    };
    // JSON is a JavaScript expression.
    let script = |suffix, json: Vec<u8>| {
        let path = format!("assets/texts/{}{suffix}.js", texts.language.code()).parse()?;
        Ok((path, [b"export default ", json.as_slice(), b";\n"].concat().into()))
    };
    Ok([script("", to_json(&module))?, script("-profile", to_json(&part(TextPart::Profile)))?])
}

/// `next-open` becomes `nextOpen`.
fn script_name(key: &str) -> String {
    let mut words = key.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (head, rest) = word.split_at(word.len().min(1));
        name + &head.to_ascii_uppercase() + rest
    })
}

#[cfg(test)]
mod tests {
    use directory::model::TextPart;

    use super::*;
    use crate::test_fixture as fixture;

    #[test]
    fn a_module_has_the_texts_of_the_table() {
        let snapshot = fixture::snapshot();
        let directory = snapshot.directory();
        let [(path, script), _] = texts(directory, &directory.texts()[0]).unwrap();
        assert_eq!(path.as_str(), "assets/texts/en.js");
        let script = std::str::from_utf8(&script).unwrap();
        let json = script.strip_prefix("export default ").unwrap().strip_suffix(";\n").unwrap();
        let module: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(module["search"]["nextIn"], "Next openings in {state}");
    }

    /// Translating an unused text would be wasted work, and a missing text would be shown as "undefined".
    #[test]
    fn the_scripts_use_exactly_the_texts_of_the_table() {
        let snapshot = fixture::snapshot();
        let english = &snapshot.directory().texts()[0];
        let search = [
            include_str!("../../../site/assets/address.js"),
            include_str!("../../../site/assets/cards.js"),
            include_str!("../../../site/assets/finder.js"),
            include_str!("../../../site/assets/home.js"),
            include_str!("../../../site/assets/meant.js"),
            include_str!("../../../site/assets/nothing.js"),
            include_str!("../../../site/assets/places.js"),
            include_str!("../../../site/assets/printed.js"),
            include_str!("../../../site/assets/remote.js"),
            include_str!("../../../site/assets/sentence/answers.js"),
            include_str!("../../../site/assets/sentence/person.js"),
            include_str!("../../../site/assets/sentence/read.js"),
            include_str!("../../../site/assets/texts.js"),
        ];
        let profile = [
            include_str!("../../../site/assets/profile.js"),
            include_str!("../../../site/assets/slot.js"),
            include_str!("../../../site/assets/times.js"),
        ];
        for (part, scripts) in [(TextPart::Search, search.concat()), (TextPart::Profile, profile.concat())] {
            let mut known: Vec<_> = english.part(part).map(|(key, _)| script_name(key)).collect();
            known.sort();
            let mut named: Vec<String> = scripts
                .split("TEXTS.")
                .skip(1)
                .map(|rest| rest.chars().take_while(char::is_ascii_alphanumeric).collect())
                .collect();
            named.sort();
            named.dedup();
            // From the table of pages, where it is needed.
            named.retain(|name| name != "certifiedBy");
            assert_eq!(named, known, "{part}");
        }
    }
}
