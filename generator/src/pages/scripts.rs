//! Writes `assets/texts/<language>.js`, the texts of the site's scripts, `<language>-answers.js`, those that some searches
//! need, and `<language>-profile.js`, those that only a clinician's page has.

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
) -> Result<[(TreePath, Bytes); 3], PathError> {
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
    Ok([
        script("", to_json(&module))?,
        script("-answers", to_json(&part(TextPart::Answers)))?,
        script("-profile", to_json(&part(TextPart::Profile)))?,
    ])
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
    use std::collections::BTreeSet;

    use directory::model::TextPart;

    use super::*;
    use crate::test_fixture as fixture;

    #[test]
    fn a_module_has_the_texts_of_the_table() {
        let snapshot = fixture::snapshot();
        let directory = snapshot.directory();
        let [(path, script), ..] = texts(directory, &directory.texts()[0]).unwrap();
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
            include_str!("../../../site/assets/places.js"),
            include_str!("../../../site/assets/printed.js"),
            include_str!("../../../site/assets/remote.js"),
            include_str!("../../../site/assets/sentence/person.js"),
            include_str!("../../../site/assets/sentence/read.js"),
            include_str!("../../../site/assets/texts.js"),
        ];
        let answers = [
            include_str!("../../../site/assets/nothing.js"),
            include_str!("../../../site/assets/sentence/answers.js"),
            include_str!("../../../site/assets/unread.js"),
        ];
        let profile = [
            include_str!("../../../site/assets/profile.js"),
            include_str!("../../../site/assets/slot.js"),
            include_str!("../../../site/assets/times.js"),
        ];
        let named = |scripts: &str| -> BTreeSet<String> {
            let names = scripts.split("TEXTS.").skip(1);
            names.map(|rest| rest.chars().take_while(char::is_ascii_alphanumeric).collect()).collect()
        };
        let known = |part| -> BTreeSet<_> { english.part(part).map(|(key, _)| script_name(key)).collect() };
        assert_eq!(named(&profile.concat()), known(TextPart::Profile));
        let (everywhere, of_answers) = (named(&search.concat()), named(&answers.concat()));
        // Those of answers are fetched later, and those that others need as well are in their table.
        let both = known(TextPart::Search);
        assert_eq!(&of_answers - &both, known(TextPart::Answers));
        // From the table of pages, where it is needed.
        let used = &everywhere | &(&of_answers & &both);
        assert_eq!(used, &both | &BTreeSet::from(["certifiedBy".to_owned()]));
        assert!(everywhere.is_disjoint(&known(TextPart::Answers)));
    }
}
