//! `texts/`: the clinic's own tables of texts, and the texts of each language of the site.

use std::collections::{BTreeMap, BTreeSet};

use super::super::problem::{Advice, Place, Problem};
use super::super::problems::Problems;
use super::super::raw::{Located, TextsFile, TextsTable};
use super::super::sources::{Source, Sources};
use super::super::texts::{built_in, english, placeholders};
use super::super::words::nearest;
use super::fields::File;
use crate::model::{Language, StateCode, TextPart, TextTable, Texts};

/// The longest text, in characters.
const LONGEST: usize = 2000;
/// How many missing texts are named.
const NAMED: usize = 3;
/// The parts whose keys are those of the English table.
const FIXED: [TextPart; 4] = [TextPart::Pages, TextPart::Search, TextPart::Profile, TextPart::Words];

/// A clinic's own table.
type Own = BTreeMap<TextPart, TextTable>;

/// The texts of each language of the site. `written` is the language of the content, if it is not the first of these;
/// `known` are the texts of the content that a table may translate, unless there are mistakes in it.
pub(super) fn read(
    sources: &Sources,
    languages: &[(Language, Place)],
    written: Option<Language>,
    known: Option<&BTreeSet<&str>>,
    problems: &mut Problems,
) -> Vec<Texts> {
    let mut tables: BTreeMap<Language, Own> = BTreeMap::new();
    for (path, source) in sources.below("texts") {
        let Source::Text(text) = source else { continue };
        let Some(stem) = path.strip_prefix("texts/").and_then(|name| name.strip_suffix(".toml")) else {
            continue;
        };
        if stem.contains('/') {
            continue;
        }
        match stem.parse::<Language>() {
            Ok(language) if language.code() == stem && stem.len() == 2 => {
                if !languages.iter().any(|(other, _)| *other == language) && language.code() != "en" {
                    problems.push(unused(path, language, languages));
                }
                tables.insert(language, read_table(path, text, language, known, problems));
            }
            meant => problems.push(misnamed(path, meant.ok())),
        }
    }
    let none = Own::new();
    let english_of_the_clinic =
        tables.iter().find(|(language, _)| language.code() == "en").map(|(_, table)| table);
    let mut all = Vec::with_capacity(languages.len());
    for (language, place) in languages {
        let own = tables.get(language);
        if own.is_none() && built_in(*language, TextPart::Pages).is_none() {
            let what = format!("there are no texts in {}", language.name());
            let hint = format!(
                "write texts/{}.toml, as CONTENT.md explains, or delete this language here",
                language.code()
            );
            problems.push(Problem::error(place.clone(), what).hint(hint));
        }
        let base = if all.is_empty() { String::new() } else { format!("/{}", language.code()) };
        let own = [english_of_the_clinic.filter(|_| language.code() != "en"), own];
        let content = written.unwrap_or(languages[0].0);
        let parts = merged(*language, own.map(|table| table.unwrap_or(&none)));
        all.push(Texts { language: *language, content, base, parts });
    }
    all
}

/// The English texts, with those of the clinic in their place, of the language, and of the clinic in the language.
fn merged(language: Language, [english_of_the_clinic, own]: [&Own; 2]) -> Own {
    let parts = TextPart::ALL.map(|part| {
        let is_fixed = FIXED.contains(&part) || part == TextPart::Elements;
        let mut texts = if is_fixed { english(part) } else { TextTable::new() };
        if is_fixed {
            texts.extend(english_of_the_clinic.get(&part).cloned().unwrap_or_default());
        }
        if part == TextPart::Pages {
            texts.insert("language".to_owned(), language.name().to_owned());
        }
        texts.extend(built_in(language, part).unwrap_or_default());
        texts.extend(own.get(&part).cloned().unwrap_or_default());
        (part, texts)
    });
    parts.into()
}

fn unused(path: &str, language: Language, languages: &[(Language, Place)]) -> Problem {
    let what = format!("this table is not used: {} is not a language of the site", language.name());
    let names: Vec<_> =
        languages.iter().map(|(language, _)| language.name()).chain([language.name()]).collect();
    let hint = format!("write site-languages = [\"{}\"] in directory.toml", names.join("\", \""));
    Problem::warning(Place::file(path), what).hint(hint)
}

fn misnamed(path: &str, meant: Option<Language>) -> Problem {
    let what = "the name of a table of texts is the two-letter code of its language";
    let hint = match meant.filter(|language| language.code().len() == 2) {
        Some(language) => format!("rename it to {}.toml", language.code()),
        None => "rename it, for example to pt.toml for Portuguese".to_owned(),
    };
    Problem::error(Place::file(path), what).hint(hint)
}

fn read_table(
    path: &str,
    text: &str,
    language: Language,
    known: Option<&BTreeSet<&str>>,
    problems: &mut Problems,
) -> Own {
    let (mut file, raw) = File::read::<TextsFile>(path, text, problems);
    let TextsFile { pages, search, profile, words, states, languages, content, elements } = raw;
    if let Some(elements) = elements {
        let problem =
            Problem::warning(file.place(&elements.span), "the texts of the elements are not read from here");
        file.add(problem.hint("delete [elements] and its lines; a website sets these texts by the attribute `labels`, see /docs/embed"));
    }
    let mut own = Own::new();
    for (part, table) in FIXED.into_iter().zip([pages, search, profile, words]) {
        own.insert(part, read_fixed(&mut file, part, entries(table)));
    }
    own.insert(
        TextPart::States,
        read_names(&mut file, entries(states), "a state's two letters", |code| {
            code.parse::<StateCode>().ok().map(StateCode::code)
        }),
    );
    own.insert(
        TextPart::Languages,
        read_names(&mut file, entries(languages), "a language's code", |code| {
            code.parse::<Language>().ok().map(Language::code)
        }),
    );
    own.insert(TextPart::Content, read_content(&mut file, entries(content), known));
    if built_in(language, TextPart::Pages).is_none() && file.is_whole() {
        warn_of_missing(&mut file, &own);
    }
    own
}

type Entry = (Located<String>, Located<String>);

/// The lines of a part, in their order in the file.
fn entries(table: Option<Located<TextsTable>>) -> Vec<Entry> {
    let mut entries: Vec<_> = table.into_iter().flat_map(|table| table.value.0).collect();
    entries.sort_by_key(|(key, _)| key.span.start);
    entries
}

fn read_fixed(file: &mut File<'_>, part: TextPart, entries: Vec<Entry>) -> TextTable {
    let english = english(part);
    let mut texts = TextTable::new();
    for (key, text) in entries {
        let Some(original) = english.get(&key.value) else {
            let what = format!("[{}] has no text `{}`", part.name(), key.value);
            let hint = match nearest(&key.value, english.keys().map(String::as_str)) {
                Some(near) => Advice::meant(near.to_owned()),
                None => "delete it; `nameplate init --site FOLDER` writes all keys into FOLDER/texts/en.toml"
                    .into(),
            };
            file.error(&key.span, what, hint);
            continue;
        };
        if let Some(text) = read_text(file, text)
            && has_the_form_of(file, &text, original)
        {
            texts.insert(key.value, text.value);
        }
    }
    texts
}

/// A text that is not empty and not too long.
fn read_text(file: &mut File<'_>, text: Located<String>) -> Option<Located<String>> {
    if text.value.trim().is_empty() {
        file.error(&text.span, "this text is empty", "delete the line, and the built-in text is shown");
        return None;
    }
    let characters = text.value.chars().count();
    if characters > LONGEST {
        let what = format!("this has {characters} characters; at most {LONGEST} are read");
        file.error(&text.span, what, "shorten it");
        return None;
    }
    Some(text)
}

/// Whether a text has the placeholders of the English one, and no more forms. Reports what differs.
fn has_the_form_of(file: &mut File<'_>, text: &Located<String>, original: &str) -> bool {
    let Some(given) = placeholders(&text.value) else {
        let what = "a brace in this text has no partner, or no name in small letters in it";
        file.error(&text.span, what, format!("in English it is: {original}"));
        return false;
    };
    let wanted = placeholders(original).unwrap_or_default();
    let mut is_right = true;
    for name in given.iter().filter(|name| !wanted.contains(name)) {
        let what = format!("nothing is filled in for {{{name}}} in this text");
        let hint = match nearest(name, wanted.iter().copied()) {
            Some(near) => Advice::meant(format!("{{{near}}}")),
            None => format!("delete it; in English the text is: {original}").into(),
        };
        let span = file.part(&text.span, &format!("{{{name}}}"));
        file.error(&span, what, hint);
        is_right = false;
    }
    for name in wanted.iter().filter(|name| !given.contains(name)) {
        let what = format!("{{{name}}} is missing in this text");
        file.error(
            &text.span,
            what,
            format!("write it where it belongs; in English the text is: {original}"),
        );
        is_right = false;
    }
    let most = original.matches('|').count();
    if text.value.matches('|').count() > most {
        let what = if most == 0 {
            "this text has one form"
        } else {
            "this text has two forms: for one, and for any other number"
        };
        file.error(&text.span, what, format!("delete the | that is too many; in English it is: {original}"));
        is_right = false;
    }
    is_right
}

/// Names of states or languages, by code.
fn read_names(
    file: &mut File<'_>,
    entries: Vec<Entry>,
    what_keys_are: &str,
    code_of: impl Fn(&str) -> Option<&'static str>,
) -> TextTable {
    let mut names = TextTable::new();
    for (key, text) in entries {
        match code_of(&key.value) {
            Some(code) if code == key.value => {
                names.extend(
                    read_text(file, text)
                        .and_then(|text| file.line(text))
                        .map(|text| (key.value, text.value)),
                );
            }
            Some(code) => {
                file.error(&key.span, format!("a key here is {what_keys_are}"), Advice::write(code));
            }
            None => {
                file.error(&key.span, format!("`{}` is not {what_keys_are}", key.value), "delete this line");
            }
        }
    }
    names
}

/// Texts of the content and what they are in this language.
fn read_content(file: &mut File<'_>, entries: Vec<Entry>, known: Option<&BTreeSet<&str>>) -> TextTable {
    let mut texts = TextTable::new();
    for (key, text) in entries {
        if let Some(known) = known
            && !known.contains(key.value.as_str())
        {
            let what = "no file has this text, so its translation is not shown";
            let hint = match nearest(&key.value, known.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => "copy the description of the clinic, the name or description of a visit, or an interest, exactly"
                    .to_owned(),
            };
            file.warn(&key.span, what, hint);
        }
        texts.extend(read_text(file, text).map(|text| (key.value, text.value)));
    }
    texts
}

/// English stands in for what a language of its own lacks.
fn warn_of_missing(file: &mut File<'_>, own: &Own) {
    let missing: Vec<String> = FIXED
        .into_iter()
        .flat_map(|part| {
            let given = &own[&part];
            let keys = english(part).into_keys().filter(|key| !given.contains_key(key));
            keys.map(move |key| format!("{key} in [{}]", part.name())).collect::<Vec<_>>()
        })
        .collect();
    if missing.is_empty() {
        return;
    }
    let count =
        if missing.len() == 1 { "1 text is".to_owned() } else { format!("{} texts are", missing.len()) };
    let what = format!("{count} missing, and shown in English");
    let named = missing.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    let more = if missing.len() > NAMED { " and others" } else { "" };
    let problem = Problem::warning(Place::file(file.path), what);
    file.add(problem.hint(format!("add {named}{more}")));
}
