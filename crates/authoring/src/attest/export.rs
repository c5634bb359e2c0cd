//! Confirmations that other systems collected: a credentialing system's export, and answers with codes.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use chrono::NaiveDate;
use directory::Directory;
use directory::accuracy::fact_hashes;
use directory::model::{Attester, Provider, Slug};

use super::code::{Answer, KEY, Key};
use super::edit::NewConfirmation;
use super::{Attestation, attester};
use crate::table::Table;
use directory::told::Refusal;

/// Reads an export with the columns `slug` or `npi`, `date`, and `by` unless the command has `--by`. Its dates say
/// nothing about single facts. A date that is not newer than the one in the clinician's file changes nothing.
pub fn from_system<'a>(
    directory: &'a Directory,
    path: &Path,
    by: Option<Attester>,
    today: NaiveDate,
    answers: &mut Answers,
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
            let key = if slugs.is_some() { Some(provider.slug.as_str()) } else { provider.npi.as_deref() };
            Some((key?, provider))
        })
        .collect();
    let mut newest: BTreeMap<&Slug, Attestation<'a>> = BTreeMap::new();
    while table.advance()? {
        let Some(provider) = known.get(table.field(whom)) else {
            return Err(table
                .wrong(whom, &format!("there is no clinician \"{}\"", table.field(whom)))
                .into());
        };
        if let (Some(_), Some(column)) = (slugs, npis)
            && !table.field(column).is_empty()
            && provider.npi.as_deref().is_some_and(|npi| npi != table.field(column))
        {
            let what = format!("{} has another NPI", provider.slug);
            return Err(table.wrong(column, &what).into());
        }
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
        let before = provider.record.confirmed.as_ref().map(|confirmed| confirmed.on);
        let before = before.max(newest.get(&provider.slug).map(|known| known.new.on));
        if before.is_none_or(|before| on > before) {
            let new = NewConfirmation { on, by, facts: None, how: None };
            newest.insert(&provider.slug, Attestation::new(directory, provider, new, today));
        } else if let Some(newer) = before {
            let (slug, line) = (&provider.slug, table.line());
            let place = format!("{}:{line}", path.display());
            answers.passed_over.push(format!("{place}: {slug} on {on}, and confirmed on {newer} already"));
        }
    }
    Ok(newest.into_values().collect())
}

/// The answers that confirm nothing, and why.
#[derive(Default)]
pub struct Answers {
    /// Forged, too old, or about other facts.
    pub refused: Vec<String>,
    /// Good, but the file has a newer confirmation.
    pub passed_over: Vec<String>,
}

/// Reads an export with codes in any column. Returns those that are accepted; the others go into `answers`.
pub fn from_answers<'a>(
    directory: &'a Directory,
    path: &Path,
    today: NaiveDate,
    answers: &mut Answers,
) -> Result<Vec<Attestation<'a>>, Refusal> {
    let key = Key::from_environment().map_err(Refusal::new)?.ok_or_else(|| {
        Refusal::new(format!("{KEY} is not set: it is the secret with which the codes were made"))
    })?;
    let known: HashMap<&str, &Provider> =
        directory.providers().iter().map(|provider| (provider.slug.as_str(), provider)).collect();
    let mut newest = BTreeMap::new();
    let mut judge = |place: String, row: &[String], answers: &mut Answers| {
        let mut refused = Vec::new();
        let mut accepted = Vec::new();
        let in_field = |(at, field)| Answer::in_text(field).map(move |answer| (at + 1, answer));
        for (column, answer) in row.iter().map(String::as_str).enumerate().flat_map(in_field) {
            let place = format!("{place}:{column}");
            let answer = match answer {
                Ok(answer) => answer,
                Err(word) => {
                    let (slug, _) = word.split_once('.').unwrap_or((word, ""));
                    refused.push((
                        slug.to_lowercase(),
                        format!("{place}: the code {word} is not whole: copy it again"),
                    ));
                    continue;
                }
            };
            let slug = answer.slug.clone();
            let Some(&provider) = known.get(slug.as_str()) else {
                refused.push((slug.clone(), format!("{place}: there is no clinician {slug}")));
                continue;
            };
            let facts = fact_hashes(directory, provider);
            if let Some(why) = answer.refusal(&key, &facts, today) {
                refused.push((slug.clone(), format!("{place}: the code of {slug} is not accepted: {why}")));
                continue;
            }
            let before = provider.record.confirmed.as_ref().map(|confirmed| confirmed.on);
            let earlier = newest.get(&provider.slug).map(|known: &Attestation<'_>| known.new.on);
            let on = answer.on;
            if let Some(newer) = before.max(earlier).filter(|before| *before > on) {
                answers
                    .passed_over
                    .push(format!("{place}: {slug} answered on {on}, and confirmed on {newer} already"));
            } else {
                let how = Some(format!("answer {}", answer.short));
                let new = NewConfirmation { on, by: Attester::Clinician, facts: Some(facts), how };
                newest.insert(&provider.slug, Attestation::new(directory, provider, new, today));
            }
            accepted.push(slug);
        }
        // A mail may quote an earlier one: a refused code of a clinician beside an accepted one is not reported.
        let is_told = |(slug, _): &(String, String)| !accepted.contains(slug);
        answers.refused.extend(refused.into_iter().filter(is_told).map(|(_, why)| why));
    };
    let mut table = Table::open(path)?;
    // Without a header, the first line may have an answer.
    judge(format!("{}:1", path.display()), table.header(), answers);
    while table.advance()? {
        let row: Vec<String> = table.fields().map(str::to_owned).collect();
        judge(format!("{}:{}", path.display(), table.line()), &row, answers);
    }
    Ok(newest.into_values().collect())
}
