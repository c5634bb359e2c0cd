//! A clinician's NPI, degrees, certificates and clinical interests.

use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::super::parse::given;
use super::super::problem::{Advice, Problem};
use super::super::raw::{CertificationTable, EducationTable, Located, Text};
use super::bio::warn_if_expired;
use super::fields::{File, given_date};
use super::starter;
use crate::model::{Certification, Education, is_npi};
use crate::statements::is_menopause_society;

/// How many entries of a list are compared with those before them, which takes quadratic time.
const COMPARED: usize = 100;

/// The age, in years, from which a degree is probably a mistyped year.
const LONGEST_CAREER: i32 = 70;
/// In how many years a degree that isn't finished may be awarded.
const SOON: i32 = 10;
/// The most years for which a certificate is usually valid.
const LONGEST_VALID: i32 = 15;
const BOARDS: [&str; 9] = ["ABOG", "ABIM", "ABFM", "ABPN", "AOBOG", "ANCC", "NCC", "AANPCB", "AMCB"];
/// Degrees, and those that come after them.
const ORDER: [[&[&str]; 2]; 2] = [
    [&["ADN", "BSN"], &["MSN", "DNP"]],
    [&["BA", "BS", "BSC", "AB"], &["MD", "DO", "DNP", "PHD", "PSYD", "PHARMD", "MSN", "MSW", "MA", "MS"]],
];

/// Reads the NPI of `whom`, such as "the clinician". `or` is what else can be done about a wrong one.
pub(super) fn read_npi(file: &mut File<'_>, text: &Located<String>, whom: &str, or: &str) -> Option<String> {
    let registry =
        format!("Look {whom} up at https://npiregistry.cms.hhs.gov and copy the NPI from there{or}.");
    let written = text.value.trim();
    let is_gap = |sign: char| sign.is_whitespace() || matches!(sign, '-' | '\u{2010}'..='\u{2014}');
    let value = &*written.replace(is_gap, "");
    let is_digits = value.len() == 10 && value.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits {
        let what = format!("\"{written}\" isn't an NPI: an NPI has ten digits.");
        return file.refuse(&text.span, what, registry);
    }
    if !is_npi(value) {
        let what = format!("\"{written}\" isn't an NPI: its last digit doesn't match the others.");
        return file.refuse(&text.span, what, registry);
    }
    if value != written {
        file.warn(&text.span, "This NPI has dashes or spaces.", Advice::write(format!("\"{value}\"")));
    }
    Some(value.to_owned())
}

pub(super) fn read_education(
    file: &mut File<'_>,
    table: Located<EducationTable>,
    this_year: i32,
) -> Option<Education> {
    let Located { value: raw, span } = table;
    report_unfinished(file, &raw, &span)?;
    let degree = file.required_line(raw.degree, Some(&span), "degree", "\"MD\"");
    let field = file.required_line(raw.field, Some(&span), "field", "\"Medicine\"");
    let institution =
        file.required_line(raw.institution, Some(&span), "institution", "\"Example University\"");
    let texts = [("degree", &degree), ("field", &field), ("institution", &institution)];
    let is_at_home = |key: &str, text: &str| if key == "degree" { is_degree(text) } else { !is_school(text) };
    for [(first, one), (second, other)] in [[texts[0], texts[1]], [texts[0], texts[2]], [texts[1], texts[2]]]
    {
        if let (Some(one), Some(other)) = (one, other)
            && is_at_home(first, &other.value)
            && !is_at_home(first, &one.value)
        {
            let hint = format!("Write {first} = \"{}\" and {second} = \"{}\".", other.value, one.value);
            file.warn(&one.span, format!("`{first}` and `{second}` look exchanged."), hint);
            break;
        }
    }
    warn_without_letters(file, [&degree, &field, &institution]);
    if let Some(institution) = &institution {
        starter::warn_of_example(file, institution);
    }
    let year = read_year(file, raw.year.as_ref(), &span, this_year);
    Some(Education {
        degree: degree?.value,
        field: field?.value,
        institution: institution?.value,
        year: year?,
    })
}

/// Warns of a number in the place of words, such as a year in `field`.
fn warn_without_letters(file: &mut File<'_>, texts: [&Text; 3]) {
    for text in texts.into_iter().flatten().filter(|text| !text.value.contains(char::is_alphabetic)) {
        let hint = "Write what belongs here. A year has a key of its own.";
        file.warn(&text.span, format!("\"{}\" has no letters.", text.value), hint);
    }
}

/// Whether two entries are of one degree. One that was copied can have another year.
pub(super) fn is_same_degree(one: &Education, other: &Education) -> bool {
    Education { year: other.year, ..one.clone() } == *other
}

fn is_degree(text: &str) -> bool {
    ORDER.iter().flatten().any(|names| names.contains(&text.trim().replace('.', "").to_uppercase().as_str()))
}

fn is_school(text: &str) -> bool {
    ["University", "College", "Universidad", "Institute of"].iter().any(|word| text.contains(word))
}

/// One error for an entry that lacks several values. `None` if it does.
fn report_unfinished(file: &mut File<'_>, raw: &EducationTable, span: &Range<usize>) -> Option<()> {
    let is_empty = |text: &Text| text.as_ref().map(|text| text.value.trim().is_empty());
    let examples = [
        ("degree", "\"MD\"", is_empty(&raw.degree)),
        ("field", "\"Medicine\"", is_empty(&raw.field)),
        ("institution", "\"Example University\"", is_empty(&raw.institution)),
        ("year", "2009", raw.year.as_ref().map(|_| false)),
    ];
    let lacking = examples
        .into_iter()
        .filter(|(key, _, is_empty)| is_empty.unwrap_or_else(|| file.is_missing(Some(span), key)));
    // A key with nothing behind it is an error already, and its advice names the others.
    (!file.has_key_without_value(span)).then_some(())?;
    let (keys, lines): (Vec<_>, Vec<_>) =
        lacking.map(|(key, example, _)| (format!("`{key}`"), format!("{key} = {example}"))).unzip();
    let ([others @ .., last], true) = (&keys[..], keys.len() > 1) else { return Some(()) };
    let comma = if others.len() > 1 { "," } else { "" };
    let what = format!("This degree isn't finished: {}{comma} and {last} are missing.", others.join(", "));
    let hint = format!("Add what is missing, such as {}. Or delete this whole entry.", lines.join(", "));
    file.refuse(span, what, hint)
}

fn read_year(
    file: &mut File<'_>,
    year: Option<&Located<i64>>,
    table: &Range<usize>,
    this_year: i32,
) -> Option<u16> {
    let Some(year) = year else {
        file.missing(Some(table), "year", "2009");
        return None;
    };
    let found = u16::try_from(year.value).ok().filter(|year| (1900..=2200).contains(year));
    let Some(found) = found else {
        let century = if year.value > i64::from(this_year) % 100 { 1900 } else { 2000 };
        let advice = match year.value {
            0..100 => Advice::meant((century + year.value).to_string()),
            other => match near_year(other, this_year) {
                Some(meant) => Advice::meant(meant.to_string()),
                None => "Write it like 2009.".into(),
            },
        };
        return file.refuse(&year.span, format!("{} isn't a valid year for a degree.", year.value), advice);
    };
    if i32::from(found) < this_year - LONGEST_CAREER {
        let what = format!("This degree was awarded more than {LONGEST_CAREER} years ago.");
        let meant = (year.value + 100 <= i64::from(this_year)).then(|| year.value + 100);
        let advice = meant.map_or_else(|| "Check the year.".into(), |year| Advice::meant(year.to_string()));
        file.warn(&year.span, what, advice);
    }
    if i32::from(found) > this_year {
        let is_far = i32::from(found) > this_year + SOON;
        let earlier =
            (i64::from(this_year - LONGEST_CAREER)..=i64::from(this_year)).contains(&(year.value - 100));
        let earlier = (is_far && earlier).then(|| year.value - 100);
        let advice = match (with_digits_exchanged(year.value, this_year), earlier) {
            (Some(one), Some(other)) if one != other => format!("Is it {one} or {other}?").into(),
            (Some(meant), _) | (None, Some(meant)) => Advice::meant(meant.to_string()),
            (None, None) => "Write the year when the degree was awarded.".into(),
        };
        // A machine whose clock is wrong must not refuse content that was right.
        file.warn(&year.span, format!("The year {} is in the future.", year.value), advice);
    }
    Some(found)
}

/// The only year of a career of today that is this number with one digit more, less or other.
fn near_year(year: i64, this_year: i32) -> Option<i64> {
    let [low, high] = [this_year - LONGEST_CAREER, this_year].map(i64::from);
    let written = year.to_string();
    let mut once: Vec<char> = written.chars().collect();
    once.dedup();
    let once = once.into_iter().collect::<String>().parse().ok();
    let is_near = |year: &i64| strsim::damerau_levenshtein(&year.to_string(), &written) == 1;
    let mut near = (low..=high).filter(is_near);
    let only = near.next().filter(|_| near.next().is_none());
    once.filter(|once| (low..=high).contains(once)).or(only)
}

/// The year of a career of today that is this number with two digits side by side exchanged.
fn with_digits_exchanged(year: i64, this_year: i32) -> Option<i64> {
    let [low, high] = [this_year - LONGEST_CAREER, this_year].map(i64::from);
    let exchanged = [1, 10, 100].map(|unit| {
        let (last, first) = (year / unit % 10, year / unit / 10 % 10);
        year + (last - first) * unit * 9
    });
    exchanged.into_iter().find(|year| (low..=high).contains(year))
}

/// Warns of a first degree that is younger than a later one, as when two years were exchanged.
pub(super) fn warn_of_order(file: &mut File<'_>, degrees: &[(Education, Range<usize>)], this_year: i32) {
    let is_of = |names: &[&str], degree: &Education| {
        names.contains(&degree.degree.replace('.', "").to_uppercase().as_str())
    };
    for ((degree, span), names) in degrees.iter().flat_map(|first| ORDER.map(|names| (first, names))) {
        let later = degrees.iter().filter(|(later, _)| is_of(names[0], degree) && is_of(names[1], later));
        // A year of another century has a message of its own.
        let is_likely = |degree: &Education| i32::from(degree.year) >= this_year - LONGEST_CAREER;
        let earliest = later.min_by_key(|(later, _)| later.year);
        let earliest = earliest.filter(|(later, _)| is_likely(later) && degree.year > later.year);
        let Some((last, place)) = earliest else { continue };
        let what = format!(
            "This {} is from {}, after the {} from {}.",
            degree.degree, degree.year, last.degree, last.year
        );
        let warning = Problem::warning(file.place(span), what).also(file.place(place), "the other degree");
        file.add(warning.hint("Check the years."));
    }
}

pub(super) fn read_certification(
    file: &mut File<'_>,
    table: Located<CertificationTable>,
    today: NaiveDate,
) -> Option<Certification> {
    let Located { value: raw, span } = table;
    let issuer = file.required_line(raw.issuer, Some(&span), "issuer", "\"ABOG\"");
    let name = file.required_line(raw.name, Some(&span), "name", "\"Obstetrics & Gynecology\"");
    warn_without_letters(file, [&issuer, &name, &None]);
    let is_board = |text: &str| BOARDS.contains(&text) || text.starts_with("American Board of ");
    if let (Some(issuer), Some(name)) = (&issuer, &name)
        && is_board(&name.value)
        && !is_board(&issuer.value)
    {
        let hint = format!("Write issuer = \"{}\" and name = \"{}\".", name.value, issuer.value);
        file.warn(&issuer.span, "`issuer` and `name` look exchanged.", hint);
    }
    if let Some(issuer) = &issuer {
        starter::warn_of_example(file, issuer);
    }
    if let Some(name) = &name {
        warn_if_expired(file, name, today.year());
    }
    let expires = given_date(raw.expires).and_then(|date| Some((file.date(&date)?, date.span)));
    let is_badge = raw.badge.is_some_and(|flag| flag.value);
    let short_name = given(raw.short_name).and_then(|text| file.line(text));
    if let Some(text) = short_name.as_ref().filter(|_| !is_badge) {
        let hint = "Write badge = true, or delete this line.";
        file.warn(&text.span, "This short name isn't shown anywhere.", hint);
    }
    if let Some((date, place)) =
        expires.as_ref().filter(|(date, _)| date.year() > today.year() + LONGEST_VALID)
    {
        let what =
            format!("This certificate expires in {}, in more than {LONGEST_VALID} years.", date.year());
        file.warn(place, what, "Check the year. If the certificate doesn't expire, delete this line.");
    }
    let over = expires.as_ref().filter(|(date, _)| *date < today);
    if let Some((date, place)) = over {
        let what = format!("This certificate expired on {date}, but the clinician's page still shows it.");
        let of_society = issuer.as_ref().is_some_and(|issuer| is_menopause_society(&issuer.value));
        let too = if of_society {
            ", write menopause-society-certified = false, and remove MSCP or NCMP from `credentials`"
        } else {
            ""
        };
        let line = file.line_number(&span);
        let hint = format!(
            "If it was renewed, or the year is mistyped, correct the date. Otherwise delete the certificate{too}. Its lines begin with \
             [[certifications]] on line {line}."
        );
        file.warn(place, what, hint);
    }
    let issuer = issuer?.value;
    let badge =
        (is_badge && over.is_none()).then(|| short_name.map_or_else(|| issuer.clone(), |text| text.value));
    Some(Certification { issuer, name: name?.value, expires: expires.map(|(date, _)| date), badge })
}

pub(super) fn read_interests(file: &mut File<'_>, interests: Vec<(String, Range<usize>)>) -> Vec<String> {
    for (interest, span) in &interests {
        // "HIV/AIDS" is one, and so is "Sleep &amp; mood".
        let is_code = interest.contains('&');
        let has_slashes = interest.contains(" / ") || interest.matches('/').count() > 1;
        let is_between = |sign| {
            matches!(sign, ',' | '|' | '•' | '·' | '\n')
                || sign == '/' && has_slashes
                || sign == ';' && !is_code
        };
        let is_mark = |sign: char| matches!(sign, ' ' | '-' | '–' | '*' | '.' | ')') || sign.is_ascii_digit();
        let is_numbered =
            |part: &str| part.trim_start_matches(|sign: char| sign.is_ascii_digit()).starts_with(['.', ')']);
        let without_mark = |part: &str| match part.trim() {
            part if part.starts_with(['-', '–', '*']) || is_numbered(part) => {
                part.trim_start_matches(is_mark).to_owned()
            }
            part => part.to_owned(),
        };
        let parts: Vec<String> =
            interest.split(is_between).map(without_mark).filter(|part| !part.is_empty()).collect();
        let what = match parts.len() {
            0 => continue,
            1 if parts[0] == interest.trim() => continue,
            1 => "This interest begins or ends with a symbol of a list.",
            _ => "This looks like several interests in one text.",
        };
        file.warn(span, what, Advice::meant(format!("\"{}\"", parts.join("\", \""))));
    }
    warn_of_repeated(file, interests, "interest", |one, other| one.eq_ignore_ascii_case(other))
}

pub(super) fn warn_of_repeated<T>(
    file: &mut File<'_>,
    entries: Vec<(T, Range<usize>)>,
    what: &str,
    is_same: impl Fn(&T, &T) -> bool,
) -> Vec<T> {
    for (at, (entry, span)) in entries.iter().enumerate().take(COMPARED) {
        if let Some((_, first)) = entries[..at].iter().find(|(other, _)| is_same(other, entry)) {
            let warning = Problem::warning(file.place(span), format!("This {what} is in the file twice."));
            let first = file.place(first);
            file.add(warning.also(first, "first here").hint("Delete one of the two."));
        }
    }
    // `collect` would keep the larger allocation of `entries`.
    let mut values = Vec::with_capacity(entries.len());
    values.extend(entries.into_iter().map(|(entry, _)| entry));
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_with_a_wrong_digit_are_guessed() {
        for (year, meant) in [
            (1018, Some(2018)),
            (20018, Some(2018)),
            (218, Some(2018)),
            (12009, Some(2009)),
            (3015, Some(2015)),
            (201, None),
            (5, None),
            (777_777, None),
        ] {
            assert_eq!(near_year(year, 2026), meant, "{year}");
        }
    }
}
