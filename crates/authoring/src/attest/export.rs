//! Reads confirmations from CSV files: another system's export, and answers with codes.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use chrono::NaiveDate;
use directory::Directory;
use directory::accuracy::fact_hashes;
use directory::model::{Attester, Provider, Slug};

use super::code::{Code, CodeKey, KEY_VARIABLE};
use super::edit::NewConfirmation;
use super::{Attestation, parse_attester};
use crate::table::Table;
use directory::told::Refusal;

#[derive(Default)]
pub struct UnusedAnswers {
    /// Answers with invalid codes.
    pub refused: Vec<String>,
    /// Valid answers that a recorded confirmation makes unnecessary.
    pub outdated: Vec<String>,
}

type Newest<'a> = BTreeMap<&'a Slug, Attestation<'a>>;

enum Confirmer {
    SameForAll(Attester),
    InColumn(usize),
}

fn last_confirmed(provider: &Provider, newest: &Newest<'_>) -> Option<NaiveDate> {
    let in_content = provider.record.confirmed.as_ref().map(|confirmed| confirmed.on);
    in_content.max(newest.get(&provider.slug).map(|attestation| attestation.new.on))
}

/// An export must have columns `date`, and `slug` or `npi` or both, and `by` if `by` is `None`. A row counts only if it is
/// newer than the clinician's last confirmation. Rows do not say which facts were confirmed.
pub fn read_system_export<'a>(
    directory: &'a Directory,
    path: &Path,
    by: Option<Attester>,
    today: NaiveDate,
    unused: &mut UnusedAnswers,
) -> Result<Vec<Attestation<'a>>, Refusal> {
    let mut table = Table::open(path)?;
    let (slug_column, npi_column) = (table.find_column("slug"), table.find_column("npi"));
    // Without either column, the error asks for `slug`.
    let key_column = slug_column.or(npi_column).map_or_else(|| table.column("slug"), Ok)?;
    let date_column = table.column("date")?;
    let confirmer = match by {
        Some(by) => Confirmer::SameForAll(by),
        None => Confirmer::InColumn(table.column("by")?),
    };
    let mut providers: HashMap<&str, &Provider> = HashMap::new();
    for provider in directory.providers() {
        let (slug, npi) = (provider.slug.as_str(), provider.npi.as_deref());
        let key = if slug_column.is_some() { Some(slug) } else { npi };
        providers.extend(key.map(|key| (key, provider)));
    }
    let mut newest = Newest::new();
    while table.advance()? {
        // Spreadsheets write an empty row as separators only.
        if table.fields().all(str::is_empty) {
            continue;
        }
        let key = table.field(key_column);
        let Some(provider) = providers.get(key) else {
            return Err(table.error_at(key_column, &format!("there is no clinician \"{key}\"")));
        };
        if let (Some(column), Some(npi)) = (npi_column, provider.npi.as_deref())
            && !["", npi].contains(&table.field(column))
        {
            return Err(table.error_at(column, &format!("{} has another NPI", provider.slug)));
        }
        let on =
            table.date(date_column)?.ok_or_else(|| table.error_at(date_column, "the date is missing"))?;
        if on > today {
            let message = format!("the confirmation date {on} is in the future: today is {today}");
            return Err(table.error_at(date_column, &message));
        }
        let by = match confirmer {
            Confirmer::SameForAll(by) => by,
            Confirmer::InColumn(column) => {
                parse_attester(table.field(column)).map_err(|why| table.error_at(column, &why))?
            }
        };
        match last_confirmed(provider, &newest) {
            Some(last) if last >= on => {
                let place = format!("{}:{}", path.display(), table.line());
                unused
                    .outdated
                    .push(format!("{place}: {} on {on}, already confirmed on {last}", provider.slug));
            }
            _ => {
                let new = NewConfirmation { on, by, facts: None, how: None };
                newest.insert(&provider.slug, Attestation::new(directory, provider, new, today));
            }
        }
    }
    Ok(newest.into_values().collect())
}

/// Codes may be in any column. The first line may be a header or have codes, too.
pub fn read_answers<'a>(
    directory: &'a Directory,
    path: &Path,
    today: NaiveDate,
    unused: &mut UnusedAnswers,
) -> Result<Vec<Attestation<'a>>, Refusal> {
    let key = CodeKey::from_environment().map_err(Refusal::new)?.ok_or_else(|| {
        Refusal::new(format!("{KEY_VARIABLE} isn't set: set it to the secret that created the codes"))
    })?;
    let providers = directory.providers().iter().map(|provider| (provider.slug.as_str(), provider)).collect();
    let mut reader = AnswerReader { directory, key, providers, today, newest: BTreeMap::new() };
    let mut table = Table::open(path)?;
    let mut row = table.header().to_vec();
    loop {
        reader.read_row(&format!("{}:{}", path.display(), table.line()), &row, unused);
        if !table.advance()? {
            return Ok(reader.newest.into_values().collect());
        }
        row = table.fields().map(str::to_owned).collect();
    }
}

struct AnswerReader<'a> {
    directory: &'a Directory,
    key: CodeKey,
    providers: HashMap<&'a str, &'a Provider>,
    today: NaiveDate,
    newest: Newest<'a>,
}

impl AnswerReader<'_> {
    fn read_row(&mut self, place: &str, row: &[String], unused: &mut UnusedAnswers) {
        let (mut accepted, mut refused) = (Vec::new(), Vec::new());
        for (column, field) in (1..).zip(row) {
            let place = format!("{place}:{column}");
            for code in Code::find_all(field) {
                let (slug, result) = match code {
                    Ok(code) => (code.slug.clone(), self.read_code(&place, &code, unused)),
                    Err(incomplete) => {
                        let slug = incomplete.split('.').next().unwrap_or(incomplete).to_lowercase();
                        (slug, Err(format!("the code {incomplete} is incomplete: copy it again")))
                    }
                };
                match result {
                    Ok(()) => accepted.push(slug),
                    Err(why) => refused.push((slug, format!("{place}: {why}"))),
                }
            }
        }
        // An email may quote an older one, so a refused code is ignored beside an accepted one for the same clinician.
        refused.retain(|(slug, _)| !accepted.contains(slug));
        unused.refused.extend(refused.into_iter().map(|(_, message)| message));
    }

    fn read_code(&mut self, place: &str, code: &Code, unused: &mut UnusedAnswers) -> Result<(), String> {
        let slug = code.slug.as_str();
        let Some(provider) = self.providers.get(slug) else {
            return Err(format!("there is no clinician \"{slug}\""));
        };
        let facts = fact_hashes(self.directory, provider);
        code.verify(&self.key, &facts, self.today)
            .map_err(|why| format!("the code of {slug} isn't accepted: {why}"))?;
        match last_confirmed(provider, &self.newest) {
            // An answer of the same date counts, because it also says which facts were confirmed.
            Some(last) if last > code.on => {
                let message = format!("{place}: {slug} answered on {}, already confirmed on {last}", code.on);
                unused.outdated.push(message);
            }
            _ => {
                let how = Some(format!("answer {}", code.short));
                let new = NewConfirmation { on: code.on, by: Attester::Clinician, facts: Some(facts), how };
                let attestation = Attestation::new(self.directory, provider, new, self.today);
                self.newest.insert(&provider.slug, attestation);
            }
        }
        Ok(())
    }
}
