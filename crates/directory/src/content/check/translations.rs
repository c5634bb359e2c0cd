//! `translations/`: the clinic's own texts in another language of the site, in pairs.

use super::super::problem::{FileSpan, Problem};
use super::super::problems::Problems;
use super::super::raw::{Located, TranslationsFile};
use super::super::sources::Sources;
use super::bio::LONGEST_BIO;
use super::fields::File;
use crate::model::{Texts, on_one_line};

/// The files of translations, each with the code of its language.
pub(super) fn files(sources: &Sources) -> impl Iterator<Item = (&str, &str, &str)> {
    sources.below("translations").filter_map(|(path, _)| {
        let (_, name) = path.rsplit_once('/')?;
        Some((path, name.strip_suffix(".toml")?, sources.text(path)?))
    })
}

/// Gives each of the site's languages its translations.
pub(super) fn read(sources: &Sources, site: &mut [Texts], problems: &mut Problems) {
    for (path, code, text) in files(sources) {
        let is_other = |texts: &&mut Texts| texts.language != texts.content && texts.language.code() == code;
        if let Some(texts) = site.iter_mut().find(is_other) {
            let (mut file, raw) = File::read::<TranslationsFile>(path, text, problems);
            texts.own = raw.0.into_iter().filter_map(|pair| read_pair(&mut file, pair)).collect();
        } else if !site.is_empty() && !problems.iter().any(|known| known.path() == "directory.toml") {
            let what = "This file isn't used: no pages translate the content into this language.";
            let is_missing = |texts: &&Texts| {
                let path = format!("translations/{}.toml", texts.language.code());
                texts.language != texts.content && sources.get(&path).is_none()
            };
            let hint = match site.iter().find(is_missing) {
                Some(texts) => {
                    format!("Rename it to {}.toml, the code of the site's language.", texts.language.code())
                }
                None => {
                    "Add the language to `site-languages`, or name the file after its code, such as es.toml."
                        .to_owned()
                }
            };
            problems.push(Problem::warning(FileSpan::file(path), what).hint(hint));
        }
    }
}

/// An empty translation counts as absent.
fn read_pair(
    file: &mut File<'_>,
    (text, translation): (Located<String>, Located<String>),
) -> Option<(String, String)> {
    let characters = translation.value.chars().count();
    if characters > LONGEST_BIO {
        let what = format!("This translation has {characters} characters; the limit is {LONGEST_BIO}.");
        file.error(&translation.span, what, "Shorten it.");
    }
    let value = translation.value.replace("\r\n", "\n").trim().to_owned();
    (!value.is_empty()).then(|| (on_one_line(&text.value), value))
}
