//! What only the exports for FHIR clients have: `[standards]` and specialties.

use super::super::parse::given;
use super::super::problem::Advice;
use super::super::raw::{Located, SpecialtyTable, StandardsTable};
use super::credentials::{read_npi, warn_of_repeated};
use super::fields::File;
use crate::model::{Specialty, Standards};

pub(super) fn read(file: &mut File<'_>, raw: StandardsTable) -> Standards {
    Standards {
        publish_npis: raw.publish_npis.is_some_and(|flag| flag.value),
        npi: given(raw.npi).and_then(|text| read_npi(file, &text, "the organization", "")),
    }
}

pub(super) fn read_specialties(file: &mut File<'_>, tables: Vec<Located<SpecialtyTable>>) -> Vec<Specialty> {
    let mut read = Vec::with_capacity(tables.len());
    for Located { value: raw, span } in tables {
        let code = file.required_line(raw.code, Some(&span), "code", "\"207V00000X\"");
        let name = file.required_line(raw.name, Some(&span), "name", "\"Obstetrics & Gynecology\"");
        let code = code.and_then(|code| specialty_code(file, &code));
        if let (Some(code), Some(name)) = (code, name) {
            read.push((Specialty { code, name: name.value }, span));
        }
    }
    warn_of_repeated(file, read, "specialty", |one, other| one.code == other.code)
}

fn specialty_code(file: &mut File<'_>, text: &Located<String>) -> Option<String> {
    let is_code = |code: &str| {
        let is_allowed = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
        code.len() == 10 && code.ends_with('X') && code.bytes().all(is_allowed)
    };
    if is_code(&text.value) {
        return Some(text.value.clone());
    }
    let upper = text.value.to_ascii_uppercase();
    let hint = if is_code(&upper) {
        Advice::meant(format!("\"{upper}\""))
    } else {
        "Look the specialty up at https://taxonomy.nucc.org and copy its code from there.".into()
    };
    let what = format!(
        "\"{}\" isn't a code in the NUCC taxonomy: ten capital letters and digits, the last of them X.",
        text.value
    );
    file.refuse(&text.span, what, hint)
}
