//! Display names. They must not contain titles or credentials, because pages add the credentials.

use super::super::problem::Advice;
use super::super::raw::Located;
use super::fields::File;
use super::starter;
use crate::model::ProviderType;
use crate::statements::{kind_words, other_kind};

const TITLES: [&str; 10] =
    ["dr", "dr.", "doctor", "prof", "prof.", "professor", "mr.", "mrs.", "ms.", "miss"];
const CREDENTIALS: [&str; 26] = [
    "MD", "M.D.", "DO", "D.O.", "NP", "N.P.", "PA", "PA-C", "RN", "PhD", "Ph.D.", "DNP", "FNP", "FNP-C",
    "FNP-BC", "APRN", "WHNP", "WHNP-BC", "CNM", "MSN", "MPH", "MBBS", "FACOG", "FACP", "NCMP", "MSCP",
];
fn is_title(word: &str) -> bool {
    TITLES.contains(&word.to_lowercase().as_str())
}

pub(super) fn report_title_in_credentials(file: &mut File<'_>, credentials: Option<&Located<String>>) {
    if let Some(title) = credentials.filter(|text| is_title(&text.value)) {
        let what = format!("\"{}\" is a title, and pages show credentials behind the name", title.value);
        file.error(&title.span, what, "write the degree or the licence, such as \"MD\" or \"NP\"");
    }
}

/// Warns of credentials that only the other kind of clinician has.
pub(super) fn warn_of_other_kind(
    file: &mut File<'_>,
    credentials: Option<&Located<String>>,
    kind: Option<ProviderType>,
) {
    let (Some(credentials), Some(kind)) = (credentials, kind) else { return };
    let Some(other) = other_kind(&credentials.value, kind) else { return };
    let (shown, other) = (kind_words(kind), kind_words(other));
    let what = format!(
        "this clinician is listed as {shown}, and \"{}\" are credentials of {other}",
        credentials.value
    );
    file.warn(&credentials.span, what, "correct `provider-type` or `credentials`");
}

const SUFFIXES: [&str; 8] = ["jr", "jr.", "sr", "sr.", "ii", "iii", "iv", "esq."];

/// Reads a display name. Reports one with titles or credentials.
pub(super) fn read(
    file: &mut File<'_>,
    name: Located<String>,
    credentials: Option<&str>,
) -> Option<Located<String>> {
    starter::warn_of_example(file, &name);
    let CleanName { name: clean, is_reversed } = clean(&name.value, credentials.unwrap_or_default());
    if clean == name.value || clean.is_empty() {
        warn_of_capitals(file, &name);
        return Some(name);
    }
    let what = if name.value.split_whitespace().eq(clean.split(' ')) {
        "this name has two spaces in a row, or a special space"
    } else if is_reversed {
        "this name is in the order of a sorted list, and pages show it as it is written"
    } else {
        "titles and credentials are not part of the name: pages show the credentials after it"
    };
    let written = clean.replace('\\', "\\\\").replace('"', "\\\"");
    file.error(&name.span, what, Advice::write(format!("\"{written}\"")));
    None
}

fn warn_of_capitals(file: &mut File<'_>, name: &Located<String>) {
    let has = |kind: fn(char) -> bool| name.value.chars().any(kind);
    if name.value.contains(' ') && has(char::is_uppercase) && !has(char::is_lowercase) {
        file.warn(
            &name.span,
            "this name is in capitals",
            "write it as it is usually written, such as \"Jane Doe\"",
        );
    }
}

/// A name without titles and credentials, with the family name last.
struct CleanName {
    name: String,
    is_reversed: bool,
}

fn clean<'n>(name: &'n str, credentials: &str) -> CleanName {
    let mut is_reversed = false;
    let own: Vec<&str> = credentials.split([',', ' ', '/', ';']).filter(|word| !word.is_empty()).collect();
    let is_own = |word: &str| own.contains(&word) && word.len() > 1;
    let is_credential =
        |word: &str| is_own(word) || CREDENTIALS.iter().any(|known| known.eq_ignore_ascii_case(word));
    let mut parts = name.split(',').map(str::trim);
    let without_titles = |part: &'n str| {
        let mut words: Vec<&str> = part.split_whitespace().collect();
        while words.len() > 1 && is_title(words[0]) {
            words.remove(0);
        }
        words
    };
    let mut words = without_titles(parts.next().unwrap_or_default());
    // Without a comma, "Do" may be a family name: only "DO" is a credential.
    let is_exact = |word: &str| is_own(word) || CREDENTIALS.contains(&word.trim_matches(['(', ')']));
    let has_small_letters = name.chars().any(char::is_lowercase);
    while words.len() > 2 && has_small_letters && words.last().is_some_and(|last| is_exact(last)) {
        words.pop();
    }
    if let Some((last, credential)) = words.last().and_then(|last| last.rsplit_once('-'))
        && is_exact(credential)
    {
        words.pop();
        words.push(last);
    }
    let mut clean = words.join(" ");
    for part in parts {
        let mut rest = without_titles(part);
        rest.retain(|word| !is_credential(word));
        if rest.is_empty() {
            continue;
        }
        let rest = rest.join(" ");
        // "Doe, Jane" is the order of sorted lists.
        clean = if SUFFIXES.contains(&rest.to_lowercase().as_str()) {
            format!("{clean}, {rest}")
        } else {
            is_reversed = true;
            format!("{rest} {clean}")
        };
    }
    CleanName { name: clean, is_reversed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_titles_and_credentials_and_nothing_else() {
        for (name, credentials, expected) in [
            ("Dr. Jane Doe, MD", "MD", "Jane Doe"),
            ("Jane Doe MD", "MD, FACOG", "Jane Doe"),
            ("Prof. Dr. Jane Doe, M.D., Ph.D.", "MD", "Jane Doe"),
            ("Jane Doe, md", "MD", "Jane Doe"),
            ("Doe, Jane", "NP", "Jane Doe"),
            ("Doe, Jane, NP", "NP", "Jane Doe"),
            ("Doe, Dr. Jane", "NP", "Jane Doe"),
            ("Jane Doe M.D.", "MD", "Jane Doe"),
            ("Jane Doe (MD)", "MD", "Jane Doe"),
            ("Jane Doe-MD", "MD", "Jane Doe"),
            ("Jane Doe FNP-BC", "NP", "Jane Doe"),
            ("Jane  Doe", "NP", "Jane Doe"),
            ("Jane\u{a0}Doe", "NP", "Jane Doe"),
            ("Jane Doe", "MD", "Jane Doe"),
            ("Martin Doe, Jr.", "MD", "Martin Doe, Jr."),
            ("Linh Do", "DO", "Linh Do"),
            ("Minh Anh Do", "DO", "Minh Anh Do"),
            ("Hannah Whitfield-Moss", "NP", "Hannah Whitfield-Moss"),
            ("Wulandari", "MD", "Wulandari"),
            ("Dr", "MD", "Dr"),
        ] {
            assert_eq!(clean(name, credentials).name, expected, "{name}");
        }
    }
}
