//! Confirmations that other systems collected: a credentialing system's export, and answers with codes.

use std::collections::HashMap;
use std::path::Path;

use chrono::NaiveDate;
use directory::Directory;
use directory::accuracy::fact_hashes;
use directory::model::{Attester, Provider};

use super::code::{Answer, KEY, Key};
use super::edit::NewConfirmation;
use super::{Attestation, attester};
use crate::outcome::Refusal;
use crate::table::{Table, TableError};

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Self {
        Self::new(error)
    }
}

/// An export with the columns `slug` or `npi`, `date`, and `by` unless the command says it. Such a date says nothing about
/// single facts. One that is not newer than the file's changes nothing.
pub(super) fn from_system<'a>(
    directory: &'a Directory,
    path: &Path,
    by: Option<Attester>,
    today: NaiveDate,
) -> Result<Vec<Attestation<'a>>, Refusal> {
    let mut table = Table::open(path)?;
    let (slugs, npis) = (table.find("slug"), table.find("npi"));
    let whom = match (slugs, npis) {
        (Some(column), _) | (None, Some(column)) => column,
        (None, None) => table.column("slug")?,
    };
    let date = table.column("date")?;
    let attesters = if by.is_some() { None } else { Some(table.column("by")?) };
    let known: HashMap<&str, &Provider> = directory
        .providers()
        .iter()
        .filter_map(|provider| {
            let key = if slugs.is_some() { Some(provider.slug().as_str()) } else { provider.npi() };
            Some((key?, provider))
        })
        .collect();
    let mut newest: HashMap<&str, Attestation<'a>> = HashMap::new();
    while table.advance()? {
        let Some(provider) = known.get(table.field(whom)) else {
            return Err(table
                .wrong(whom, &format!("there is no clinician \"{}\"", table.field(whom)))
                .into());
        };
        let on = table.date(date)?.ok_or_else(|| table.wrong(date, "the date is missing"))?;
        if on > today {
            return Err(table
                .wrong(date, &format!("nobody can have confirmed this on {on}: today is {today}"))
                .into());
        }
        let by = match attesters {
            Some(column) => attester(table.field(column)).map_err(|why| table.wrong(column, &why))?,
            None => by.unwrap_or(Attester::Clinic),
        };
        let before = provider.record().confirmed.as_ref().map(|confirmed| confirmed.on);
        let before = before.max(newest.get(provider.slug().as_str()).map(|known| known.new.on));
        if before.is_none_or(|before| on > before) {
            let new = NewConfirmation { on, by, facts: None, how: None };
            newest.insert(provider.slug().as_str(), Attestation::new(directory, provider, new, today));
        }
    }
    let mut attestations: Vec<_> = newest.into_values().collect();
    attestations.sort_by_key(|attestation| attestation.provider.slug());
    Ok(attestations)
}

/// The answers that confirm nothing, and why.
#[derive(Default)]
pub(super) struct Answers {
    /// Forged, too old, or about other facts.
    pub(super) refused: Vec<String>,
    /// Good, but the file has a newer confirmation.
    pub(super) passed_over: Vec<String>,
}

/// An export with codes in any column. Returns those that are accepted; the others go into `answers`.
pub(super) fn from_answers<'a>(
    directory: &'a Directory,
    path: &Path,
    today: NaiveDate,
    answers: &mut Answers,
) -> Result<Vec<Attestation<'a>>, Refusal> {
    let key = Key::from_environment().map_err(Refusal::new)?.ok_or_else(|| {
        Refusal::new(format!("{KEY} is not set: it is the secret with which the codes were made"))
    })?;
    let known: HashMap<&str, &Provider> =
        directory.providers().iter().map(|provider| (provider.slug().as_str(), provider)).collect();
    let mut table = Table::open(path)?;
    let mut newest = HashMap::new();
    while table.advance()? {
        let found = table.fields().enumerate().find_map(|(at, field)| Some((at, Answer::in_text(field)?)));
        let Some((column, answer)) = found else { continue };
        let place = format!("{}:{}:{}", path.display(), table.line(), column + 1);
        let Some(&provider) = known.get(answer.slug.as_str()) else {
            answers.refused.push(format!("{place}: there is no clinician {}", answer.slug));
            continue;
        };
        let facts = fact_hashes(directory, provider);
        if let Some(why) = answer.refusal(&key, &facts, today) {
            answers.refused.push(format!("{place}: the code of {} is not accepted: {why}", answer.slug));
            continue;
        }
        let before = provider.record().confirmed.as_ref().map(|confirmed| confirmed.on);
        let known = newest.get(provider.slug().as_str()).map(|known: &Attestation<'_>| known.new.on);
        if let Some(newer) = before.max(known).filter(|before| *before > answer.on) {
            let (slug, on) = (&answer.slug, answer.on);
            answers
                .passed_over
                .push(format!("{place}: {slug} answered on {on}, and confirmed on {newer} already"));
            continue;
        }
        let how = Some(format!("answer {}", answer.short));
        let new = NewConfirmation { on: answer.on, by: Attester::Clinician, facts: Some(facts), how };
        newest.insert(provider.slug().as_str(), Attestation::new(directory, provider, new, today));
    }
    let mut attestations: Vec<_> = newest.into_values().collect();
    attestations.sort_by_key(|attestation| attestation.provider.slug());
    Ok(attestations)
}
