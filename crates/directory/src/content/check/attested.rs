//! What a clinician's file says about its own truth: `status`, `[[license]]` and `[confirmed]`.

use chrono::NaiveDate;

use super::super::parse::given;
use super::super::raw::{ConfirmedTable, LicenceTable, Located, Text};
use super::credentials::warn_of_repeated;
use super::fields::{File, given_date};
use crate::model::{Attester, Confirmation, Licence, LicenceKind, Listing, Record};

pub(super) fn read(
    file: &mut File<'_>,
    status: Text,
    licences: Vec<Located<LicenceTable>>,
    confirmed: Option<Located<ConfirmedTable>>,
    today: NaiveDate,
) -> Record {
    let listing = given(status).and_then(|text| file.word::<Listing>(&text, "status"));
    let mut read = Vec::with_capacity(licences.len());
    for table in licences {
        let span = table.span.clone();
        read.extend(read_licence(file, table).map(|licence| (licence, span)));
    }
    let is_same = |one: &Licence, other: &Licence| one.state == other.state && one.number == other.number;
    Record {
        listing: listing.unwrap_or(Listing::Listed),
        licences: warn_of_repeated(file, read, "license", is_same),
        confirmed: confirmed.and_then(|table| read_confirmed(file, table, today)),
    }
}

fn read_licence(file: &mut File<'_>, table: Located<LicenceTable>) -> Option<Licence> {
    let Located { value: raw, span } = table;
    let state = file.required_line(raw.state, Some(&span), "state", "\"CA\"");
    let number = file.required_line(raw.number, Some(&span), "number", "\"A 123456\"");
    let kind = given(raw.kind).filter(|text| text.value != "licence");
    let kind = kind.map(|text| file.word::<LicenceKind>(&text, "kind of license"));
    let expires = given_date(raw.expires).and_then(|date| file.date(&date));
    Some(Licence {
        state: file.state(&state?)?,
        number: number?.value,
        kind: kind.unwrap_or(Some(LicenceKind::Licence))?,
        expires,
    })
}

fn read_confirmed(
    file: &mut File<'_>,
    table: Located<ConfirmedTable>,
    today: NaiveDate,
) -> Option<Confirmation> {
    let Located { value: raw, span } = table;
    let by = file.required_line(raw.by, Some(&span), "by", "\"clinician\"");
    let by = by.and_then(|text| file.word::<Attester>(&text, "person who confirms"));
    if raw.on.is_none() {
        file.missing(Some(&span), "on", &today.to_string());
    }
    let on = raw.on.and_then(|date| {
        let on = file.date(&date)?;
        if on > today {
            let what = format!("nobody can have confirmed this on {on}: today is {today}");
            file.error(
                &date.span,
                what,
                "write the day of the confirmation, or correct this machine's clock",
            );
            return None;
        }
        Some(on)
    });
    let facts = given(raw.facts).map(|text| match text.value.parse() {
        Ok(facts) => Some(facts),
        Err(rule) => {
            let rule: crate::model::FactHashesError = rule;
            let hint = format!("{rule}: delete the line, and the date alone counts");
            file.error(&text.span, "these are not the hashes of facts", hint);
            None
        }
    });
    given(raw.how).and_then(|text| file.line(text));
    Some(Confirmation { on: on?, by: by?, facts: facts.unwrap_or(None) })
}
