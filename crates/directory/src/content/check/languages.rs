//! The languages that a clinician speaks.

use strsim::damerau_levenshtein;

use super::super::problem::Advice;
use super::super::raw::{Located, Texts};
use super::fields::File;
use crate::model::{Language, folded};

const LIST: &str = "look it up in https://www.loc.gov/standards/iso639-2/php/code_list.php; one that has no two-letter \
                    code there cannot be listed";

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
    fn only_a_misspelt_name_is_corrected() {
        let meant = |text: &str| languages_meant(text).map(|advice| advice.text);
        for (text, name) in [("Spansh", "Spanish"), ("Portugese", "Portuguese"), ("Veitnamese", "Vietnamese")]
        {
            assert_eq!(meant(text), Some(format!("did you mean \"{name}\"?")), "{text}");
        }
        for text in ["Taiwanese", "Karen", "Ladino", "Indian", "Klingon", "Romani", "Aromanian", "xx", "Dari"]
        {
            assert_eq!(meant(text), None, "{text}");
        }
    }
}
