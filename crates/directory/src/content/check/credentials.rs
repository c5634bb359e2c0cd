//! A clinician's NPI, degrees, certificates and clinical interests.

use std::ops::Range;

use super::super::problem::{Advice, Problem};
use super::super::raw::{CertificationTable, EducationTable, Located};
use super::fields::{File, given_date};
use super::starter;
use crate::model::{Certification, Education, is_npi};

/// How many entries of a list are compared with those before them, which takes quadratic time.
const COMPARED: usize = 100;

/// Reads the NPI of `whom`, such as "the clinician".
pub(super) fn read_npi(file: &mut File<'_>, text: &Located<String>, whom: &str) -> Option<String> {
    let registry = format!("look {whom} up in https://npiregistry.cms.hhs.gov, and copy the NPI from there");
    let value = text.value.trim();
    let is_digits = value.len() == 10 && value.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits {
        file.error(&text.span, format!("\"{value}\" is not an NPI, which has ten digits"), registry);
        return None;
    }
    if !is_npi(value) {
        let what = format!("\"{value}\" is not an NPI: its last digit does not fit the others");
        file.error(&text.span, what, registry);
        return None;
    }
    Some(value.to_owned())
}

pub(super) fn read_education(
    file: &mut File<'_>,
    table: Located<EducationTable>,
    this_year: i32,
) -> Option<Education> {
    let Located { value: raw, span } = table;
    let degree = file.required_line(raw.degree, Some(&span), "degree", "\"MD\"");
    let field = file.required_line(raw.field, Some(&span), "field", "\"Medicine\"");
    let institution =
        file.required_line(raw.institution, Some(&span), "institution", "\"Example University\"");
    let year = read_year(file, raw.year.as_ref(), &span, this_year);
    Some(Education {
        degree: degree?.value,
        field: field?.value,
        institution: institution?.value,
        year: year?,
    })
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
    if found.is_none() {
        file.error(&year.span, format!("{} is not a year of a degree", year.value), "write it like 2009");
    }
    if found.is_some_and(|found| i32::from(found) > this_year) {
        file.warn(
            &year.span,
            format!("the year {} is in the future", year.value),
            "write the year in which the degree was awarded",
        );
    }
    found
}

pub(super) fn read_certification(
    file: &mut File<'_>,
    table: Located<CertificationTable>,
) -> Option<Certification> {
    let Located { value: raw, span } = table;
    let issuer = file.required_line(raw.issuer, Some(&span), "issuer", "\"ABOG\"");
    let name = file.required_line(raw.name, Some(&span), "name", "\"Obstetrics & Gynecology\"");
    if let Some(issuer) = &issuer {
        starter::warn_of_example(file, issuer);
    }
    let expires = given_date(raw.expires).and_then(|date| file.date(&date));
    Some(Certification { issuer: issuer?.value, name: name?.value, expires })
}

/// Reads clinical interests. Warns of several interests in one text.
pub(super) fn read_interests(file: &mut File<'_>, interests: Vec<(String, Range<usize>)>) -> Vec<String> {
    for (interest, span) in interests.iter().filter(|(interest, _)| interest.contains(", ")) {
        let each: Vec<_> = interest.split(',').map(|part| format!("\"{}\"", part.trim())).collect();
        file.warn(span, "this seems to be several interests in one text", Advice::meant(each.join(", ")));
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
            let warning = Problem::warning(file.place(span), format!("this {what} is in the file twice"));
            let first = file.place(first);
            file.add(warning.also(first, "first here").hint("delete one of the two"));
        }
    }
    // `collect` would keep the larger allocation of `entries`.
    let mut values = Vec::with_capacity(entries.len());
    values.extend(entries.into_iter().map(|(entry, _)| entry));
    values
}
