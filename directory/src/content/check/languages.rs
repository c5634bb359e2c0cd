//! The languages that a clinician speaks.

use strsim::damerau_levenshtein;

use super::super::problem::Advice;
use super::super::raw::{Located, Texts};
use super::fields::File;
use crate::model::{Language, folded};

const LIST: &str = "look it up in https://www.loc.gov/standards/iso639-2/php/code_list.php; one that has no two-letter \
                    code there cannot be listed";

/// Names that people write for a language, and its English name. `check` suggests the English name; a person decides
/// whether it is right.
const OTHER_NAMES: [(&str, &str); 38] = [
    ("castellano", "Spanish"),
    ("español", "Spanish"),
    ("deutsch", "German"),
    ("français", "French"),
    ("italiano", "Italian"),
    ("português", "Portuguese"),
    ("brazilian", "Portuguese"),
    ("creole", "Haitian Creole"),
    ("kreyòl", "Haitian Creole"),
    ("kreyòl ayisyen", "Haitian Creole"),
    ("sinhalese", "Sinhala"),
    ("suomi", "Finnish"),
    ("svenska", "Swedish"),
    ("dansk", "Danish"),
    ("norsk", "Norwegian"),
    ("nederlands", "Dutch"),
    ("polski", "Polish"),
    ("magyar", "Hungarian"),
    ("slovene", "Slovenian"),
    ("türkçe", "Turkish"),
    ("gaeilge", "Irish"),
    ("cymraeg", "Welsh"),
    ("euskara", "Basque"),
    ("kiswahili", "Swahili"),
    ("bangla", "Bengali"),
    ("odia", "Oriya"),
    ("putonghua", "Mandarin"),
    ("sign language", "American Sign Language"),
    ("tiếng việt", "Vietnamese"),
    ("中文", "Chinese"),
    ("日本語", "Japanese"),
    ("한국어", "Korean"),
    ("русский", "Russian"),
    ("українська", "Ukrainian"),
    ("العربية", "Arabic"),
    ("فارسی", "Persian"),
    ("हिन्दी", "Hindi"),
    ("עברית", "Hebrew"),
];

/// Reads the languages that a clinician speaks. Reports unknown and repeated ones.
pub(super) fn read_languages(file: &mut File<'_>, texts: Texts) -> Vec<Language> {
    read_located(file, texts).into_iter().map(|language| language.value).collect()
}

/// Like [`read_languages`], with their places.
pub(super) fn read_located(file: &mut File<'_>, texts: Texts) -> Vec<Located<Language>> {
    let mut languages: Vec<Located<Language>> = Vec::new();
    for text in file.lines(texts) {
        match text.value.parse::<Language>() {
            Ok(language) if languages.iter().any(|other| other.value == language) => {
                let what = format!("{} is in this list twice", language.name());
                file.error(&text.span, what, "keep one of the two");
            }
            Ok(language) => languages.push(Located { value: language, span: text.span }),
            Err(rule) => {
                let hint = languages_meant(&text.value).unwrap_or_else(|| format!("{rule}; {LIST}").into());
                file.error(&text.span, format!("\"{}\" is not a language", text.value), hint);
            }
        }
    }
    languages
}

/// What to write for a text that is not one language: each of several, or the language of a similar name.
fn languages_meant(text: &str) -> Option<Advice> {
    let parts: Vec<&str> = text.split([',', ';', '/', '&']).flat_map(|part| part.split(" and ")).collect();
    if parts.len() > 1 {
        let each = parts.iter().map(|part| part.parse().ok().map(Language::name));
        let each: Vec<_> = each.collect::<Option<_>>()?;
        return Some(Advice::write(format!("\"{}\"", each.join("\", \""))));
    }
    let wanted = folded(text.trim());
    if let Some((_, name)) = OTHER_NAMES.iter().find(|(other, _)| folded(other) == wanted) {
        return Some(Advice::meant(format!("\"{name}\"")));
    }
    let near = Language::all().map(Language::name).find(|name| is_misspelt(&wanted, &folded(name)))?;
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
    fn each_other_name_leads_to_a_language() {
        for (other, name) in OTHER_NAMES {
            assert!(name.parse::<Language>().is_ok_and(|language| language.name() == name), "{name}");
            assert!(other.parse::<Language>().is_err(), "{other}");
        }
    }

    #[test]
    fn only_a_misspelt_name_is_corrected() {
        let meant = |text: &str| languages_meant(text).map(|advice| advice.text);
        for (text, name) in [
            ("Spansh", "Spanish"),
            ("Portugese", "Portuguese"),
            ("Veitnamese", "Vietnamese"),
            ("Deutsch", "German"),
            ("Castellano", "Spanish"),
            ("Creole", "Haitian Creole"),
            ("Sinhalese", "Sinhala"),
            ("Suomi", "Finnish"),
            ("Français", "French"),
            ("中文", "Chinese"),
            ("한국어", "Korean"),
        ] {
            assert_eq!(meant(text), Some(format!("did you mean \"{name}\"?")), "{text}");
        }
        for text in ["Taiwanese", "Karen", "Ladino", "Indian", "Klingon", "Romani", "Aromanian", "xx", "Dari"]
        {
            assert_eq!(meant(text), None, "{text}");
        }
    }
}
