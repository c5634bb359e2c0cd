//! Display names. They must not contain titles or credentials, because pages add the credentials.

use std::ops::Range;

use super::super::mistakes::nearest;
use super::super::problem::{Advice, Problem, sentence};
use super::super::raw::{EducationTable, Located};
use super::fields::File;
use super::starter;
use crate::model::{ProviderId, ProviderType, slug_words};

const TITLES: [&str; 8] = ["dr", "dra", "doctor", "prof", "professor", "mr", "mrs", "miss"];
pub(super) const CREDENTIALS: [&str; 26] = [
    "MD", "M.D.", "DO", "D.O.", "NP", "N.P.", "PA", "PA-C", "RN", "PhD", "Ph.D.", "DNP", "FNP", "FNP-C",
    "FNP-BC", "APRN", "WHNP", "WHNP-BC", "CNM", "MSN", "MPH", "MBBS", "FACOG", "FACP", "NCMP", "MSCP",
];
/// "MS" is a degree.
pub(super) fn is_title(word: &str) -> bool {
    word == "Ms"
        || word.eq_ignore_ascii_case("ms.")
        || TITLES.contains(&word.to_lowercase().trim_end_matches('.'))
}

pub(super) fn read_id(file: &mut File<'_>, id: Located<String>) -> Option<Located<ProviderId>> {
    let rule = match id.value.parse::<ProviderId>() {
        Ok(value) => return Some(Located { value, span: id.span }),
        Err(rule) => rule,
    };
    let plain = id.value.trim().replace([' ', '_'], "-");
    let meant = plain.parse::<ProviderId>().map(|_| Advice::meant(format!("\"{plain}\"")));
    let hint = meant.unwrap_or_else(|_| sentence(rule).into());
    file.refuse(&id.span, format!("\"{}\" isn't an id.", id.value), hint)
}

pub(super) fn read_profession(
    file: &mut File<'_>,
    text: &Located<String>,
    credentials: Option<&Located<String>>,
) -> Option<ProviderType> {
    let credentials = credentials.map_or("", |text| &text.value);
    let profession = text.value.parse().ok();
    if profession.is_none() {
        let words = ProviderType::WORDS.join(", ");
        let (meant, possible) = ProviderType::perhaps(&text.value, credentials);
        let first = match possible {
            [] => nearest(&text.value, ProviderType::WORDS.iter().copied()).map_or_else(
                || "W".to_owned(),
                |near| format!("Write \"{near}\" if that is what this clinician is. Otherwise w"),
            ),
            _ if possible.len() == ProviderType::ALL.len() => "W".to_owned(),
            possible => {
                let names = possible.iter().map(|one| format!("\"{}\"", one.word()));
                let names = names.collect::<Vec<_>>().join(" or ");
                format!("Write {names} if that is what this clinician is. Otherwise w")
            }
        };
        let hint = match meant {
            Some(meant) => Advice::meant(format!("\"{}\"", meant.word())),
            None => format!(
                "{first}rite one of {words}. If none fits, request the profession in a Nameplate issue."
            )
            .into(),
        };
        file.error(&text.span, format!("The profession \"{}\" isn't known.", text.value), hint);
    }
    profession
}

/// Warns of credentials that only another profession has.
pub(super) fn warn_of_other_kind(
    file: &mut File<'_>,
    credentials: Option<&Located<String>>,
    kind: Option<&(ProviderType, Range<usize>)>,
    education: &[Located<EducationTable>],
) {
    let (Some(credentials), Some((kind, place))) = (credentials, kind) else { return };
    let Some(other) = kind.other_with(&credentials.value) else { return };
    let what = format!(
        "This clinician is listed as a {}, but \"{}\" is a {}'s credential.",
        kind.in_a_sentence(),
        credentials.value,
        other.in_a_sentence()
    );
    let all = education.iter().filter_map(|one| Some(one.value.degree.as_ref()?.value.trim()));
    let all: Vec<_> = all.collect();
    let advice = if other.has(&all.join(", ")) {
        Advice::meant(format!("\"{}\"", other.word()))
    } else {
        let own: Vec<&str> = credentials.value.split([',', ' ']).collect();
        let wrong = all.into_iter().filter(|degree| !own.contains(degree)).collect::<Vec<_>>().join(", ");
        let too = if wrong.is_empty() {
            wrong
        } else {
            format!(", and correct the degrees ({wrong}) and any certificates")
        };
        let right = format!("provider-type = \"{}\"{too}", other.word());
        format!("Correct `credentials`, or if they are right, write {right}.").into()
    };
    let warning = Problem::warning(file.place(place), what).hint(advice);
    file.add(warning.also(file.place(&credentials.span), "the credentials"));
}

const SUFFIXES: [&str; 8] = ["jr", "jr.", "sr", "sr.", "ii", "iii", "iv", "esq."];
pub(super) fn is_small(text: &str) -> bool {
    text.contains(char::is_lowercase) && !text.contains(char::is_uppercase)
}

/// Reports a name in which a letter became a question mark, or that ends in a mark that belongs to no name.
pub(super) fn report_stray_marks(file: &mut File<'_>, name: &Located<String>) {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphabetic);
    let is_lost = |(at, _): (usize, &str)| {
        is_letter(name.value[..at].chars().next_back()) || is_letter(name.value[at + 1..].chars().next())
    };
    if name.value.match_indices('?').any(is_lost) {
        let hint = "Type the name again, and save the file as UTF-8.";
        file.error(&name.span, "A letter of this name was lost.", hint);
    } else if let Some((clean, mark)) = without_stray_mark(&name.value) {
        let what = format!("This name has a stray {mark}.");
        file.error(&name.span, what, format!("Remove it, so that the name is {clean}."));
    }
}

/// A name without the quote or period at its end that belongs to nothing, and what that is called.
fn without_stray_mark(name: &str) -> Option<(&str, &'static str)> {
    let is_double = |letter: char| ['"', '\u{201c}', '\u{201d}'].contains(&letter);
    if name.matches(is_double).count() % 2 == 1 {
        return Some((name.trim_matches(is_double).trim(), "quote"));
    }
    if let Some(rest) = name.strip_suffix(['\'', '\u{2019}']) {
        let is_paired = rest.starts_with(['\'', '\u{2018}'])
            || [" '", " \u{2018}"].iter().any(|open| rest.contains(open));
        return (!is_paired).then_some((rest, "quote"));
    }
    let rest = name.strip_suffix('.')?;
    let last = rest.split_whitespace().next_back()?;
    // "Jane D.", "Jane J.D." and "Doe Jr." are abbreviations.
    let is_short = last.chars().count() < 2 || last.contains('.');
    let is_suffix = SUFFIXES.iter().any(|suffix| suffix.trim_end_matches('.') == last.to_lowercase());
    (!is_short && !is_suffix).then_some((rest, "period"))
}

pub(super) fn read(
    file: &mut File<'_>,
    name: Located<String>,
    credentials: Option<&str>,
) -> Option<Located<String>> {
    starter::warn_of_example(file, &name);
    if let Some((clean, note)) = note_beside(&name.value) {
        let what = format!("\"{note}\" isn't part of the name, and pages would show it.");
        let hint = format!(
            "Write \"{clean}\" here. Time away belongs in [[leave]], and someone who left gets status = \"withdrawn\"."
        );
        file.error(&name.span, what, hint);
        return None;
    }
    let CleanName { name: clean, is_reversed } = clean(&name.value, credentials.unwrap_or_default());
    if clean == name.value || clean.is_empty() {
        warn_of_order(file, &name);
        report_stray_marks(file, &name);
        warn_of_capitals(file, &name);
        return Some(name);
    }
    if clean.split([' ', ',']).all(|word| CREDENTIALS.contains(&word)) {
        let what = format!("\"{}\" are credentials, not a name.", name.value);
        let hint = "Write the clinician's name here, and what is earned in `credentials`.";
        file.error(&name.span, what, hint);
        return None;
    }
    let what = if name.value.split_whitespace().eq(clean.split(' ')) {
        "This name has two spaces in a row, or a special space."
    } else if is_reversed {
        "This name begins with the last name, and pages would show it that way."
    } else {
        "Titles and credentials aren't part of the name. Pages show the credentials after it."
    };
    let is_capitals = clean.contains(' ') && !clean.contains(char::is_lowercase);
    let (clean, too) =
        if is_capitals { (without_capitals(&clean), " This name is in all caps, too.") } else { (clean, "") };
    let written = clean.replace('\\', "\\\\").replace('"', "\\\"");
    file.refuse(&name.span, format!("{what}{too}"), Advice::write(format!("\"{written}\"")))
}

/// A name without what an editor wrote beside it, and that note: "(on maternity leave)", "- leaving 12/31", "(new!)".
fn note_beside(name: &str) -> Option<(&str, &str)> {
    const WORDS: [&str; 17] = [
        "leave",
        "vacation",
        "sabbatical",
        "away",
        "maternity",
        "leaving",
        "left",
        "retired",
        "retiring",
        "new",
        "starting",
        "starts",
        "returning",
        "inactive",
        "paused",
        "departed",
        "until",
    ];
    let is_note = |rest: &str| {
        let lower = rest.to_lowercase();
        // "James Doe, 3rd" is a name.
        let digits = rest.bytes().filter(u8::is_ascii_digit).count();
        digits > 1
            || rest.contains('!')
            || lower.split(|sign: char| !sign.is_alphabetic()).any(|word| WORDS.contains(&word))
    };
    let mut starts = ["(", "[", " - ", " – ", " — ", ", "].into_iter().filter_map(|sign| name.find(sign));
    let at = starts.find(|&at| is_note(&name[at..]))?;
    let note = name[at..].trim_matches([' ', ',', '-', '–', '—', '(', ')', '[', ']']);
    let clean = name[..at].trim();
    let clean = clean.split(',').next().unwrap_or(clean);
    (!clean.is_empty()).then_some((clean, note))
}

/// Warns of a family name that stands first, where the file's name has it last.
fn warn_of_order(file: &mut File<'_>, name: &Located<String>) {
    let slug = file.path.trim_start_matches("providers/").trim_end_matches(".toml");
    let words: Vec<&str> = name.value.split(' ').collect();
    let [first, rest @ ..] = &words[..] else { return };
    let turned = format!("{} {first}", rest.join(" "));
    if slug_words(&name.value) != slug && slug_words(&turned) == slug {
        let what = "The words of this name are in another order than in the name of its file.";
        file.warn(&name.span, what, Advice::meant(format!("\"{turned}\"")));
    }
}

/// A name in capitals as it is usually written.
fn without_capitals(name: &str) -> String {
    let usual = |word: &str| {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        format!("{first}{}", rest.to_lowercase())
    };
    name.split_inclusive([' ', '-', '\'', '\u{2019}']).map(usual).collect()
}

fn warn_of_capitals(file: &mut File<'_>, name: &Located<String>) {
    let has = |kind: fn(char) -> bool| name.value.chars().any(kind);
    if name.value.contains(' ') && has(char::is_uppercase) && !has(char::is_lowercase) {
        let usual = Advice::meant(format!("\"{}\"", without_capitals(&name.value)));
        file.warn(&name.span, "This name is in all caps.", usual);
    } else if is_small(&name.value) {
        let hint = "Write it in the usual way, such as \"Jane Doe\". If the clinician writes it in small letters, \
             leave it.";
        file.warn(&name.span, "This name has no capital letters.", hint);
    } else if let Some((rest, last)) = name.value.rsplit_once(' ')
        && is_small(last)
        && last.chars().all(char::is_alphabetic)
        && !SUFFIXES.contains(&last)
        && rest.starts_with(char::is_uppercase)
    {
        let (first, small) = last.split_at(last.chars().next().map_or(0, char::len_utf8));
        let usual = Advice::meant(format!("\"{rest} {}{small}\"", first.to_uppercase()));
        let or = " If the clinician writes it in small letters, leave it.";
        file.warn(&name.span, format!("\"{last}\" has no capital letter in this name."), usual.and(or));
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
    let is_credential = |word: &str| {
        let word = word.trim_matches(['(', ')']);
        is_own(word) || CREDENTIALS.iter().any(|known| known.eq_ignore_ascii_case(word))
    };
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
            ("Doe, Jane (NP)", "NP", "Jane Doe"),
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

    #[test]
    fn degrees_are_not_titles() {
        for word in ["Dr.", "dr", "Mr", "Mrs.", "Ms.", "Ms", "Miss", "Doctor", "Prof.", "Dra."] {
            assert!(is_title(word), "{word}");
        }
        for word in ["MS", "M.S.", "MD", "DrPH", "DO", "MSN", "PhD", "LMSW", "Sr."] {
            assert!(!is_title(word), "{word}");
        }
        assert_eq!(without_capitals("GRACE O'HARA-MOSS"), "Grace O'Hara-Moss");
    }

    #[test]
    fn only_stray_marks_are_taken_from_names() {
        for (name, clean) in [
            ("Grace Kealoha\"", "Grace Kealoha"),
            ("\u{201c}Grace Kealoha", "Grace Kealoha"),
            ("Grace Kealoha'", "Grace Kealoha"),
            ("Grace O'Hara\u{2019}", "Grace O'Hara"),
            ("Grace Kealoha.", "Grace Kealoha"),
        ] {
            assert_eq!(without_stray_mark(name).map(|(clean, _)| clean), Some(clean), "{name}");
        }
        for name in [
            "Quincy Adams-Mbeki",
            "Robert \"Bob\" Roe",
            "Robert \u{201c}Bob\u{201d}",
            "Rob 'Bob'",
            "'Bob'",
            "Siobhán O'Reilly",
            "Martin Doe, Jr.",
            "Martin Doe Sr.",
            "Jane D.",
            "Jane J.D.",
            "R. Roe",
            "Kaʻiulani",
            "Jane Doe (she/her)",
            "李娜",
        ] {
            assert_eq!(without_stray_mark(name), None, "{name}");
        }
        assert!(is_small("grace kealoha") && is_small("msn, np"));
        assert!(!is_small("bell Hooks") && !is_small("李娜") && !is_small("MD"));
    }
}
