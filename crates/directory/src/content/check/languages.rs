//! The languages that a clinician speaks.

use strsim::damerau_levenshtein;

use super::super::problem::{Advice, sentence};
use super::super::raw::{Located, Texts};
use super::fields::File;
use crate::model::{Language, folded};

const LIST: &str = "Look it up at https://www.loc.gov/standards/iso639-2/php/code_list.php. A language \
    without a two-letter code there can't be listed.";

/// The Spanish names of languages, and other names, that clinicians in the United States speak most, without accents.
const IN_SPANISH: [(&str, &str); 17] = [
    // What people in the United States call it.
    ("sign language", "American Sign Language"),
    ("sign", "American Sign Language"),
    ("espanol", "Spanish"),
    ("castellano", "Spanish"),
    ("ingles", "English"),
    ("frances", "French"),
    ("francais", "French"),
    ("portugues", "Portuguese"),
    ("aleman", "German"),
    ("italiano", "Italian"),
    ("chino", "Chinese"),
    ("coreano", "Korean"),
    ("japones", "Japanese"),
    ("vietnamita", "Vietnamese"),
    ("ruso", "Russian"),
    ("arabe", "Arabic"),
    ("criollo haitiano", "Haitian Creole"),
];

pub(super) fn read(file: &mut File<'_>, texts: Texts) -> Vec<Located<Language>> {
    let mut languages: Vec<Located<Language>> = Vec::new();
    for text in file.lines(texts) {
        match text.value.parse::<Language>() {
            Ok(language) if languages.iter().any(|other| other.value == language) => {
                file.report_repeated(&text.span, language.name());
            }
            Ok(language) => languages.push(Located { value: language, span: text.span }),
            Err(rule) => {
                let hint = languages_meant(&text.value)
                    .unwrap_or_else(|| format!("{} {LIST}", sentence(rule)).into());
                file.error(&text.span, format!("\"{}\" isn't a language.", text.value), hint);
            }
        }
    }
    languages
}

/// What to write for a text that is not one language: each of several, or the language of a similar name.
fn languages_meant(text: &str) -> Option<Advice> {
    let parts: Vec<&str> = text.split([',', ';', '/', '&']).flat_map(|part| part.split(" and ")).collect();
    // "Spanish (fluent)": how well is not listed.
    if let Some((name, _)) = text.split_once(" (") {
        let known = name.parse().ok().map(|known| Advice::meant(format!("\"{}\"", Language::name(known))));
        return known.or_else(|| languages_meant(name));
    }
    if parts.len() > 1 {
        let in_english =
            |part: &str| IN_SPANISH.iter().find(|(known, _)| *known == folded(part)).map(|(_, name)| *name);
        let each = parts.iter().map(|part| part.trim());
        let each = each.map(|part| part.parse().ok().map(Language::name).or_else(|| in_english(part)));
        let each: Vec<_> = each.collect::<Option<_>>()?;
        return Some(Advice::write(format!("\"{}\"", each.join("\", \""))));
    }
    // "es-MX": a language and a country.
    if let Some(language) = text.split_once('-').and_then(|(code, _)| code.parse().ok()) {
        return Some(Advice::meant(format!("\"{}\"", Language::name(language))));
    }
    let wanted = folded(text.trim());
    if let Some((_, name)) = IN_SPANISH.iter().find(|(spanish, _)| *spanish == wanted) {
        return Some(Advice::meant(format!("\"{name}\"")));
    }
    let names = || Language::all().map(Language::name);
    // "Span"
    let mut longer =
        names().filter(|name| (3..5).contains(&wanted.len()) && folded(name).starts_with(&wanted));
    let only = longer.next().filter(|_| longer.next().is_none());
    let near = names().find(|name| is_misspelt(&wanted, &folded(name))).or(only)?;
    Some(Advice::meant(format!("\"{near}\"")))
}

/// Whether a text is a name with one or two mistakes. A name that is only similar is that of another language.
fn is_misspelt(wanted: &str, name: &str) -> bool {
    let length = wanted.chars().count().min(name.chars().count());
    let most = if length < 9 { 1 } else { 2 };
    length > 3 && wanted.chars().next() == name.chars().next() && damerau_levenshtein(wanted, name) <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_misspelled_name_is_corrected() {
        let meant = |text: &str| languages_meant(text).map(|advice| advice.text);
        for (text, name) in [
            ("Spansh", "Spanish"),
            ("Eng", "English"),
            ("Portugese", "Portuguese"),
            ("Veitnamese", "Vietnamese"),
            ("Español", "Spanish"),
            ("inglés", "English"),
            ("Sign language", "American Sign Language"),
            ("Hindi (conversational)", "Hindi"),
        ] {
            assert_eq!(meant(text), Some(format!("Did you mean \"{name}\"?")), "{text}");
        }
        for text in ["Taiwanese", "Karen", "Ladino", "Indian", "Klingon", "Romani", "Aromanian", "xx", "Dari"]
        {
            assert_eq!(meant(text), None, "{text}");
        }
    }
}
