//! What a clinician's file says about its own truth: `status`, `[[license]]` and `[confirmed]`.

use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::super::mistakes::{CURRENT_ONLY, leave_in};
use super::super::parse::given;
use super::super::problem::{Problem, sentence};
use super::super::raw::{ConfirmedTable, LicenseTable, Located, Text};
use super::credentials::warn_of_repeated;
use super::fields::{File, given_date, year_meant};
use crate::model::{Attester, Confirmation, License, LicenseKind, Listing, Record, StateCode, StateSet};

/// The most years for which a license is valid.
const LONGEST_VALID: i32 = 10;

pub(super) fn read_listing(file: &mut File<'_>, status: Text) -> Listing {
    let listing = given(status).and_then(|text| {
        const AWAY: [&str; 7] = ["leave", "vacation", "vacaciones", "away", "sabbatical", "maternity", "pto"];
        if AWAY.iter().any(|word| text.value.to_lowercase().contains(word)) {
            let mut example = leave_in(file.path);
            // "on leave until 2027-03-01"
            if let Some(back) =
                text.value.split(' ').next_back().and_then(|word| word.parse::<NaiveDate>().ok())
                && let Some(first) = example.find("Once you know")
            {
                example.replace_range(first.., &format!("until = {back}    # the first day back"));
            }
            let hint = format!("Delete this line, and ask when the leave began. {example}");
            return file.refuse(&text.span, format!("\"{}\" isn't a valid status.", text.value), hint);
        }
        if text.value.to_lowercase().contains("patient") {
            let hint = format!("{CURRENT_ONLY} Then delete this line.");
            return file.refuse(&text.span, format!("\"{}\" isn't a valid status.", text.value), hint);
        }
        file.word::<Listing>(&text, "status")
    });
    listing.unwrap_or(Listing::Listed)
}

/// `held` is `None` if it could not be read.
pub(super) fn read(
    file: &mut File<'_>,
    (listing, held, npi): (Listing, Option<StateSet>, Option<&Located<String>>),
    licenses: Vec<Located<LicenseTable>>,
    confirmed: Option<Located<ConfirmedTable>>,
    today: NaiveDate,
) -> Record {
    let mut read = Vec::with_capacity(licenses.len());
    for table in licenses {
        let span = table.span.clone();
        read.extend(read_license(file, table, npi, today).map(|license| (license, span)));
    }
    warn_of_states(file, &read, held, today);
    let is_same = |one: &License, other: &License| one.state == other.state && one.number == other.number;
    Record {
        listing,
        licenses: warn_of_repeated(file, read, "license", is_same),
        confirmed: confirmed.and_then(|table| read_confirmed(file, table, today)),
    }
}

/// Warns of a valid license of a state that is not listed, and of a state's second license if one of the two has no end.
fn warn_of_states(
    file: &mut File<'_>,
    licenses: &[(License, Range<usize>)],
    held: Option<StateSet>,
    today: NaiveDate,
) {
    for (at, (one, span)) in licenses.iter().enumerate() {
        let state = one.state;
        let is_listed = held.is_none_or(|held| held.contains(state));
        if !is_listed && one.expires.is_none_or(|expires| expires >= today) {
            let what = format!("This license is for {state}, which isn't in `licensed`.");
            let has_none = |other: &StateCode| !licenses.iter().any(|(known, _)| known.state == *other);
            let mut without = held.into_iter().flat_map(StateSet::iter).filter(has_none);
            let ways = format!(
                "f this clinician has a license in {state}, add \"{state}\" to `licensed`. If this is another clinician's \
                 license, move it to their file."
            );
            let advice = match without.next().filter(|_| without.next().is_none()) {
                Some(other) => format!(
                    "If {other} is meant, write state = \"{other}\": it has no [[license]] yet. If {state} replaces \
                     {other}, write \"{state}\" instead of \"{other}\" in `licensed` and in `accepting`. Otherwise, i{ways}"
                ),
                None => format!("I{ways}"),
            };
            file.warn(span, what, advice);
        }
        // MD and PA are professions as well, and ME is one of Florida's boards.
        let code = one.number.split([' ', '-']).next().filter(|code| !["MD", "PA", "ME"].contains(code));
        let is_other = |code: &StateCode| *code != state && held.is_some_and(|held| held.contains(*code));
        let other = code.and_then(|code| code.parse().ok()).filter(is_other);
        // A file with more licenses than states has other mistakes to tell.
        let copied = licenses[..at].iter().take(StateCode::all().count()).find(|(first, _)| {
            first.state != state && first.number == one.number && one.kind != LicenseKind::Compact
        });
        if let Some(other) = other.or(copied.map(|(first, _)| first.state)) {
            let what = format!("This license of {state} has a number of {other}.");
            let hint = format!("Look it up at the board of {state}, and write its number or its state.");
            file.warn(span, what, hint);
        }
        let is_second = |(first, _): &&(License, Range<usize>)| {
            let has_end = first.expires.is_some() && one.expires.is_some();
            first.state == state && first.number != one.number && !has_end
        };
        if let Some((first, other)) = licenses[..at].iter().find(is_second) {
            let what = format!("{state} has two licenses, {} and {}.", first.number, one.number);
            let warning = Problem::warning(file.place(span), what).also(file.place(other), "the other one");
            file.add(warning.hint("Delete the one that isn't valid, or write `expires` in both."));
        }
    }
}

fn read_license(
    file: &mut File<'_>,
    table: Located<LicenseTable>,
    npi: Option<&Located<String>>,
    today: NaiveDate,
) -> Option<License> {
    let Located { value: raw, span } = table;
    let state = file.required_line(raw.state, Some(&span), "state", "\"CA\"");
    let number = file.required_line(raw.number, Some(&span), "number", "\"A 123456\"");
    if let Some(number) =
        number.as_ref().filter(|number| npi.is_some_and(|npi| npi.value.trim() == number.value))
    {
        let hint = "Look the license up at the state's board, and write its number.";
        file.warn(&number.span, "This license number is the clinician's NPI.", hint);
    }
    let kind = given(raw.kind).filter(|text| text.value != "licence");
    let kind = kind.map(|text| file.word::<LicenseKind>(&text, "kind of license"));
    let expires = given_date(raw.expires).and_then(|date| {
        let expires = file.date(&date)?;
        if expires.year() > today.year() + LONGEST_VALID {
            let what =
                format!("This license expires in {}, in more than {LONGEST_VALID} years.", expires.year());
            file.warn(&date.span, what, year_meant(expires, today));
        }
        Some(expires)
    });
    Some(License {
        state: file.state(&state?)?,
        number: number?.value,
        kind: kind.unwrap_or(Some(LicenseKind::License))?,
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
    let by = by.and_then(|text| file.word::<Attester>(&text, "value for `by`"));
    if raw.on.is_none() {
        file.missing(Some(&span), "on", &today.to_string());
    }
    let on = raw.on.and_then(|date| {
        let on = file.date(&date)?;
        if on > today {
            let what = format!("This confirmation date, {on}, is in the future: today is {today}.");
            let hint = "Write the day of the confirmation, or correct this computer's clock.";
            return file.refuse(&date.span, what, hint);
        }
        Some(on)
    });
    let facts = given(raw.facts).map(|text| match text.value.parse() {
        Ok(facts) => Some(facts),
        Err(rule) => {
            let rule: crate::model::FactHashesError = rule;
            let hint = format!("{} Delete the line to use only the date.", sentence(rule));
            file.refuse(&text.span, "These aren't the hashes of facts.", hint)
        }
    });
    given(raw.how).and_then(|text| file.line(text));
    Some(Confirmation { on: on?, by: by?, facts: facts.unwrap_or(None) })
}
