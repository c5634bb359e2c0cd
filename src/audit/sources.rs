//! Reads the files that `audit.toml` names, into rows for the audit.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use audit::{
    Board, BoardRow, ExclusionRow, RegistryRow, Roster, RosterRow, Source, SourceKind, Wanted, licence_key,
};
use chrono::NaiveDate;
use directory::Directory;
use directory::model::{PlanNumber, ProviderType, StateCode, StateSet};

use super::file::{self, Columns, SourceTable, SourceTableKind};
use crate::outcome::Refusal;
use authoring::near::hint;
use authoring::table::Table;

/// The most unknown words of a source that are reported.
const TOLD: usize = 20;

/// Usual words for a valid and for an invalid status. A clinician on probation may practise.
const GOOD: [&str; 9] = [
    "active",
    "current",
    "clear",
    "valid",
    "licensed",
    "renewed",
    "probation",
    "active - probation",
    "license renewed & current",
];
const BAD: [&str; 11] = [
    "surrendered",
    "revoked",
    "suspended",
    "cancelled",
    "canceled",
    "expired",
    "lapsed",
    "deceased",
    "null and void",
    "terminated",
    "denied",
];
const YES: [&str; 6] = ["yes", "y", "true", "1", "open", "accepting"];
const NO: [&str; 6] = ["no", "n", "false", "0", "closed", "not accepting"];

/// The sources, and notes on them for the report.
#[derive(Debug, Default)]
pub(super) struct Sources {
    pub(super) sources: Vec<Source>,
    pub(super) notes: Vec<String>,
}

/// Reads the sources that a file names. `rows_before`: the rows of each file last time.
pub(super) fn read(
    path: &Path,
    directory: &Directory,
    rows_before: &BTreeMap<String, u64>,
) -> Result<Sources, Refusal> {
    let shown = path.display();
    let (text, tables) = file::read(path)?;
    let wanted = Wanted::of(directory);
    let mut sources = Sources::default();
    for table in tables {
        let line = text[..table.span().start].matches('\n').count() + 1;
        let table = table.into_inner();
        let at = |why: String| Refusal::new(format!("{shown}:{line}: {why}"));
        let day = table.as_of.to_string();
        let as_of = NaiveDate::parse_from_str(&day, "%Y-%m-%d")
            .map_err(|_| at(format!("as-of = {day} is not a date like 2026-11-15")))?;
        let csv = path.parent().unwrap_or(Path::new("")).join(&table.file);
        let mut reading = Reading {
            table: Table::open(&csv)?,
            source: &table,
            unknown: BTreeMap::new(),
            no_states: BTreeMap::new(),
            unread: Vec::new(),
            at: &at,
        };
        let kind = reading.kind(directory, &wanted)?;
        let unknown = reading.unknown.iter().take(TOLD).map(|(word, line)| {
            format!(
                "{}:{line}: the word \"{word}\" is in neither `good` nor `bad` of the source, and is not judged",
                table.file
            )
        });
        let no_states = reading.no_states.iter().take(TOLD).map(|(word, line)| {
            format!(
                "{}:{line}: \"{word}\" is not a state: write two letters; clinicians with such a row are not judged",
                table.file
            )
        });
        sources.notes.extend(unknown.chain(no_states));
        sources.notes.extend(reading.unread.iter().map(|what| format!("{}: {what}", table.file)));
        sources.notes.push(format!(
            "{}: {} rows read, {} of them about clinicians here",
            table.file,
            reading.table.row_count(),
            match &kind {
                SourceKind::Registry(registry) => registry.len(),
                SourceKind::Board(board) => board.rows.len(),
                SourceKind::Roster(roster) => roster.rows.len(),
                SourceKind::Exclusions(exclusions) => exclusions.len(),
            }
        ));
        sources.sources.push(Source {
            rows: reading.table.row_count(),
            rows_before: rows_before.get(&table.file).copied(),
            file: table.file.clone(),
            as_of,
            kind,
        });
    }
    Ok(sources)
}

struct Reading<'a> {
    table: Table,
    source: &'a SourceTable,
    /// Words of unknown meaning in rows about clinicians here, with the first line of each.
    unknown: BTreeMap<String, u64>,
    /// Words where a state should be, with the first line of each.
    no_states: BTreeMap<String, u64>,
    /// What cannot be compared, because a column is missing.
    unread: Vec<String>,
    at: &'a dyn Fn(String) -> Refusal,
}

impl Reading<'_> {
    fn kind(&mut self, directory: &Directory, wanted: &Wanted) -> Result<SourceKind, Refusal> {
        Ok(match self.source.kind {
            SourceTableKind::Registry => SourceKind::Registry(self.registry(wanted)?),
            SourceTableKind::Board => SourceKind::Board(self.board(wanted)?),
            SourceTableKind::Roster => SourceKind::Roster(self.roster(directory, wanted)?),
            SourceTableKind::Exclusions => SourceKind::Exclusions(self.exclusions(wanted)?),
        })
    }

    /// Refuses keys of `columns` that this kind of source does not have.
    fn check_keys(&self, known: &[&str]) -> Result<(), Refusal> {
        match self.source.columns.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err((self.at)(format!(
                "`columns` of this kind of source has no \"{key}\": its keys are {}",
                known.join(", ")
            ))),
            None => Ok(()),
        }
    }

    /// The columns of a key: those that `columns` maps to it, else those with the built-in names.
    fn columns(&self, key: &str, built_in: &[&str]) -> Result<Vec<usize>, Refusal> {
        match self.source.columns.get(key) {
            Some(Columns::One(name)) => Ok(vec![self.table.column(name)?]),
            Some(Columns::Several(names)) => names.iter().map(|name| self.table.column(name)).collect(),
            None => Ok(built_in.iter().filter_map(|name| self.table.find_column(name)).collect()),
        }
    }

    /// The column of a key that must have one.
    fn column(&self, key: &str, built_in: &[&str]) -> Result<usize, Refusal> {
        match self.columns(key, built_in)?.first() {
            Some(column) => Ok(*column),
            None => match built_in {
                [] => Err((self.at)(format!("`columns` must say which column is \"{key}\""))),
                [name, ..] => Err((self.at)(format!(
                    "{} has no column \"{name}\": map it, such as columns = {{ {key} = \"its name there\" }}; its columns are {}",
                    self.source.file,
                    self.table.quoted_header()
                ))),
            },
        }
    }

    fn joined(&self, columns: &[usize]) -> String {
        let fields: Vec<_> = columns
            .iter()
            .map(|&column| self.table.field(column))
            .filter(|field| !field.is_empty())
            .collect();
        fields.join(" ")
    }

    /// Whether the row's status is a good one; `None` if it is unknown. Unknown words are kept, to report each once. It is
    /// asked for rows about clinicians here alone: the words of others would fill the list.
    fn is_good(&mut self, column: Option<usize>) -> Option<bool> {
        let word = self.table.field(column?).to_lowercase();
        let is_in = |own: &[String], known: &[&str]| {
            own.iter().any(|own| own.to_lowercase() == word)
                || own.is_empty() && known.contains(&word.as_str())
        };
        if is_in(&self.source.bad, &BAD) {
            Some(false)
        } else if is_in(&self.source.good, &GOOD) {
            Some(true)
        } else {
            if !word.is_empty() && self.unknown.len() < TOLD {
                self.unknown.entry(word).or_insert(self.table.line());
            }
            None
        }
    }

    fn registry(&mut self, wanted: &Wanted) -> Result<Vec<RegistryRow>, Refusal> {
        self.check_keys(&[
            "npi",
            "entity-type",
            "names",
            "other-names",
            "sex",
            "taxonomies",
            "deactivated",
            "reactivated",
        ])?;
        let npi = self.column("npi", &["NPI"])?;
        let entity = self.columns("entity-type", &["Entity Type Code"])?.first().copied();
        let names = self.columns("names", &["Provider First Name", "Provider Last Name (Legal Name)"])?;
        let others =
            self.columns("other-names", &["Provider Other First Name", "Provider Other Last Name"])?;
        let sex = self.columns("sex", &["Provider Sex Code", "Provider Gender Code"])?.first().copied();
        let codes: Vec<_> =
            (1..=15).map(|number| format!("Healthcare Provider Taxonomy Code_{number}")).collect();
        let codes: Vec<_> = codes.iter().map(String::as_str).collect();
        let taxonomies = self.columns("taxonomies", &codes)?;
        let off = self.columns("deactivated", &["NPI Deactivation Date"])?.first().copied();
        let on = self.columns("reactivated", &["NPI Reactivation Date"])?.first().copied();
        if names.is_empty() && off.is_none() {
            let why = "it has no names and no deactivation dates: map `columns`, such as names = [\"First\", \"Last\"]";
            return Err((self.at)(why.to_owned()));
        }
        if off.is_none() {
            self.unread.push("it has no column of deactivations, so none is found".to_owned());
        }
        let mut registry = Vec::new();
        while self.table.advance()? {
            let table = &self.table;
            if !wanted.npis.contains(table.field(npi)) {
                continue;
            }
            let date = |column: Option<usize>| column.map_or(Ok(None), |column| table.date(column));
            let names = [self.joined(&names), self.joined(&others)];
            registry.push(RegistryRow {
                line: table.line(),
                npi: table.field(npi).to_owned(),
                is_organisation: entity.is_some_and(|column| table.field(column) == "2"),
                names: names.into_iter().filter(|name| !name.is_empty()).collect(),
                sex: sex.map_or_else(String::new, |column| table.field(column).to_owned()),
                taxonomies: taxonomies.iter().map(|&column| table.field(column).to_owned()).collect(),
                deactivated: date(off)?,
                reactivated: date(on)?,
            });
        }
        Ok(registry)
    }

    fn board(&mut self, wanted: &Wanted) -> Result<Board, Refusal> {
        self.check_keys(&["number", "names", "status"])?;
        let state =
            self.source.state.as_deref().ok_or_else(|| (self.at)("a board needs `state`".to_owned()))?;
        let state = self.state(state)?;
        let types = self.source.types.iter().map(|word| {
            word.parse::<ProviderType>().map_err(|words| {
                (self.at)(format!("\"{word}\" is not a kind of provider: write {}", words.join(" or ")))
            })
        });
        let types = types.collect::<Result<Vec<_>, _>>()?;
        let (number, status) = (self.column("number", &[])?, self.column("status", &[])?);
        let names = self.columns("names", &[])?;
        if names.is_empty() {
            return Err((self.at)(
                "`columns` must say which columns are \"names\": a number alone does not identify a person"
                    .to_owned(),
            ));
        }
        let mut rows = Vec::new();
        while self.table.advance()? {
            let key = licence_key(self.table.field(number));
            if !wanted.licences.contains(&key) {
                continue;
            }
            let is_good = self.is_good(Some(status));
            let (name, status) = (self.joined(&names), self.table.field(status).to_owned());
            rows.push(BoardRow { line: self.table.line(), number: key, name, status, is_good });
        }
        Ok(Board { state, types, rows })
    }

    fn roster(&mut self, directory: &Directory, wanted: &Wanted) -> Result<Roster, Refusal> {
        self.check_keys(&["npi", "from", "until", "state", "status", "accepting"])?;
        let plan =
            self.source.plan.as_deref().ok_or_else(|| (self.at)("a roster needs `plan`".to_owned()))?;
        let plan = self.plan(directory, plan)?;
        let covered = match &self.source.states {
            Some(codes) => Some(codes.iter().map(|code| self.state(code)).collect::<Result<StateSet, _>>()?),
            None => None,
        };
        let npi = self.column("npi", &["NPI"])?;
        let optional = |key: &str| Ok::<_, Refusal>(self.columns(key, &[])?.first().copied());
        let (from, until) = (optional("from")?, optional("until")?);
        let (location, status, accepting) = (optional("state")?, optional("status")?, optional("accepting")?);
        let mut rows = Vec::new();
        // The NPIs with a row that is not understood. Their other rows are dropped, since it may contradict them.
        let mut unclear = HashSet::new();
        while self.table.advance()? {
            if !wanted.npis.contains(self.table.field(npi)) {
                continue;
            }
            let is_good = self.is_good(status);
            let table = &self.table;
            let word = location.map_or("", |column| table.field(column));
            let state = word.parse().ok();
            // A row without a state is about every state.
            if state.is_none() && !word.is_empty() {
                unclear.insert(table.field(npi).to_owned());
                if self.no_states.len() < TOLD {
                    self.no_states.entry(word.to_owned()).or_insert(table.line());
                }
                continue;
            }
            let date = |column: Option<usize>| column.map_or(Ok(None), |column| table.date(column));
            let word = |column: Option<usize>| column.map(|column| table.field(column).to_lowercase());
            rows.push(RosterRow {
                line: table.line(),
                npi: table.field(npi).to_owned(),
                from: date(from)?,
                until: date(until)?,
                state,
                is_good,
                is_accepting: word(accepting).and_then(|word| {
                    if YES.contains(&word.as_str()) {
                        return Some(true);
                    }
                    let is_no = NO.contains(&word.as_str());
                    if !is_no && !word.is_empty() && self.unknown.len() < TOLD {
                        self.unknown.entry(word).or_insert(table.line());
                    }
                    is_no.then_some(false)
                }),
            });
        }
        rows.retain(|row: &RosterRow| !unclear.contains(&row.npi));
        // Without the rows that were left out, the list is not complete.
        let is_complete = self.source.complete && unclear.is_empty();
        Ok(Roster { plan, states: covered, is_complete, rows })
    }

    fn exclusions(&mut self, wanted: &Wanted) -> Result<Vec<ExclusionRow>, Refusal> {
        self.check_keys(&["npi", "on", "reinstated", "waived"])?;
        let npi = self.column("npi", &["NPI"])?;
        let on = self.column("on", &["EXCLDATE"])?;
        let reinstated = self.columns("reinstated", &["REINDATE"])?.first().copied();
        let waived = self.columns("waived", &["WAIVERDATE"])?.first().copied();
        let mut exclusions = Vec::new();
        while self.table.advance()? {
            let table = &self.table;
            if !wanted.npis.contains(table.field(npi)) {
                continue;
            }
            let date = |column: Option<usize>| column.map_or(Ok(None), |column| table.date(column));
            let is_lifted = date(reinstated)?.is_some() || date(waived)?.is_some();
            // A row without a date is not an exclusion.
            let Some(on) = table.date(on)? else { continue };
            let on = on.to_string();
            exclusions.push(ExclusionRow {
                line: table.line(),
                npi: table.field(npi).to_owned(),
                on,
                is_lifted,
            });
        }
        Ok(exclusions)
    }

    fn state(&self, word: &str) -> Result<StateCode, Refusal> {
        word.parse().map_err(|_| (self.at)(format!("\"{word}\" is not a state: write its two letters")))
    }

    fn plan(&self, directory: &Directory, wanted: &str) -> Result<PlanNumber, Refusal> {
        let known = directory.plan_numbers().find(|number| directory.plan(*number).as_str() == wanted);
        known.ok_or_else(|| {
            let names = directory.plans().iter().map(directory::model::PlanName::as_str);
            let hint = hint(wanted, names, "write a plan's name as it is there");
            (self.at)(format!("there is no plan \"{wanted}\" in insurances.toml; {hint}"))
        })
    }
}
