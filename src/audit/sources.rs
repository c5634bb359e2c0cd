//! Reads the CSV files that `audit.toml` lists.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use audit::{
    AuditSource, Board, BoardRow, ExclusionRow, KnownNumbers, RegistryRow, Roster, RosterRow, SourceRows,
    license_key,
};
use chrono::NaiveDate;
use directory::Directory;
use directory::model::{PlanNumber, ProviderType, StateCode, StateSet};

use super::file::{self, Columns, SourceTable, SourceTableKind};
use crate::outcome::Refusal;
use authoring::near::hint;
use authoring::table::Table;

const MAX_WORDS: usize = 20;

/// Statuses that mean "valid" if the source has no `good`. A clinician on probation may practice.
const GOOD: &str =
    "active|current|clear|valid|licensed|renewed|probation|active - probation|license renewed & current";
/// Statuses that mean "not valid" if the source has no `bad`.
const BAD: &str = "surrendered|revoked|suspended|cancelled|canceled|expired|lapsed|deceased|null and void|terminated|denied";
/// Words for "accepts new patients".
const YES: [&str; 6] = ["yes", "y", "true", "1", "open", "accepting"];
const NO: [&str; 6] = ["no", "n", "false", "0", "closed", "not accepting"];

#[derive(Debug, Default)]
pub(super) struct Sources {
    pub(super) sources: Vec<AuditSource>,
    pub(super) notes: Vec<String>,
}

pub(super) fn read(
    path: &Path,
    directory: &Directory,
    previous_row_counts: &BTreeMap<String, u64>,
) -> Result<Sources, Refusal> {
    let (text, tables) = file::read(path)?;
    let known = KnownNumbers::from_directory(directory);
    let mut sources = Sources::default();
    for table in tables {
        let line = text[..table.span().start].matches('\n').count() + 1;
        let settings = table.into_inner();
        let refuse = |why: String| Refusal::new(format!("{}:{line}: {why}", path.display()));
        let day = settings.as_of.to_string();
        let as_of = NaiveDate::parse_from_str(&day, "%Y-%m-%d")
            .map_err(|_| refuse(format!("as-of = {day} isn't a date like 2026-11-15")))?;
        let csv = path.parent().unwrap_or(Path::new("")).join(&settings.file);
        let mut reader = SourceReader {
            table: Table::open(&csv)?,
            settings: &settings,
            unknown_words: BTreeMap::new(),
            invalid_states: BTreeMap::new(),
            has_no_deactivations: false,
            refuse: &refuse,
        };
        let rows = reader.rows(directory, &known)?;
        sources.notes.extend(reader.notes(&rows));
        sources.sources.push(AuditSource {
            row_count: reader.table.row_count(),
            previous_row_count: previous_row_counts.get(&settings.file).copied(),
            file: settings.file.clone(),
            as_of,
            rows,
        });
    }
    Ok(sources)
}

struct SourceReader<'a> {
    table: Table,
    settings: &'a SourceTable,
    /// Words of unknown meaning in rows about this clinic's clinicians, with the line on which each occurs first.
    unknown_words: BTreeMap<String, u64>,
    invalid_states: BTreeMap<String, u64>,
    has_no_deactivations: bool,
    /// Makes a refusal that begins with the source's place in `audit.toml`.
    refuse: &'a dyn Fn(String) -> Refusal,
}

impl SourceReader<'_> {
    /// Reads the rows that may be about this clinic's clinicians.
    fn rows(&mut self, directory: &Directory, known: &KnownNumbers) -> Result<SourceRows, Refusal> {
        Ok(match self.settings.kind {
            SourceTableKind::Registry => SourceRows::Registry(self.registry(known)?),
            SourceTableKind::Board => SourceRows::Board(self.board(known)?),
            SourceTableKind::Roster => SourceRows::Roster(self.roster(directory, known)?),
            SourceTableKind::Exclusions => SourceRows::Exclusions(self.exclusions(known)?),
        })
    }

    fn notes(&self, rows: &SourceRows) -> Vec<String> {
        let file = &self.settings.file;
        let kept = match rows {
            SourceRows::Registry(registry) => registry.len(),
            SourceRows::Board(board) => board.rows.len(),
            SourceRows::Roster(roster) => roster.rows.len(),
            SourceRows::Exclusions(exclusions) => exclusions.len(),
        };
        let unknown = self.unknown_words.iter().map(|(word, line)| {
            format!(
                "{file}:{line}: \"{word}\" is in neither `good` nor `bad` of this source, so it is ignored"
            )
        });
        let invalid = self.invalid_states.iter().map(|(word, line)| {
            format!(
                "{file}:{line}: \"{word}\" isn't a state: write two letters; clinicians with such a row aren't compared"
            )
        });
        let mut notes: Vec<_> = unknown.chain(invalid).collect();
        if self.has_no_deactivations {
            notes.push(format!(
                "{file}: it has no column of deactivation dates, so deactivations aren't found"
            ));
        }
        let all = self.table.row_count();
        notes.push(format!("{file}: {all} rows read, {kept} of them about this clinic's clinicians"));
        notes
    }

    fn check_keys(&self, known: &str) -> Result<(), Refusal> {
        match self.settings.columns.keys().find(|key| !known.split(' ').any(|known| known == *key)) {
            Some(key) => Err((self.refuse)(format!(
                "`columns` of this kind of source has no \"{key}\": its keys are {}",
                known.replace(' ', ", ")
            ))),
            None => Ok(()),
        }
    }

    /// Returns the columns for a key: those that `columns` maps to it, or else those with the built-in names.
    fn columns(&self, key: &str, built_in: &[&str]) -> Result<Vec<usize>, Refusal> {
        match self.settings.columns.get(key) {
            Some(Columns::One(name)) => Ok(vec![self.table.column(name)?]),
            Some(Columns::Several(names)) => names.iter().map(|name| self.table.column(name)).collect(),
            None => Ok(built_in.iter().filter_map(|name| self.table.find_column(name)).collect()),
        }
    }

    fn column(&self, key: &str, built_in: &[&str]) -> Result<usize, Refusal> {
        match self.columns(key, built_in)?.first() {
            Some(column) => Ok(*column),
            None => match built_in {
                [] => Err((self.refuse)(format!("`columns` must say which column is \"{key}\""))),
                [name, ..] => Err((self.refuse)(format!(
                    "{} has no column \"{name}\": map it, such as columns = {{ {key} = \"its name there\" }}; its columns are {}",
                    self.settings.file,
                    self.table.quoted_header()
                ))),
            },
        }
    }

    fn optional_column(&self, key: &str, built_in: &[&str]) -> Result<Option<usize>, Refusal> {
        Ok(self.columns(key, built_in)?.first().copied())
    }

    fn date(&self, column: Option<usize>) -> Result<Option<NaiveDate>, Refusal> {
        column.map_or(Ok(None), |column| self.table.date(column))
    }

    fn joined(&self, columns: &[usize]) -> String {
        let fields = columns.iter().map(|&column| self.table.field(column));
        fields.filter(|field| !field.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// `None` if the status is unknown. Only for rows about this clinic's clinicians: others' words would fill the notes.
    fn is_valid(&mut self, column: Option<usize>) -> Option<bool> {
        let word = self.table.field(column?).to_lowercase();
        let is_in = |configured: &[String], built_in: &str| {
            configured.iter().any(|status| status.to_lowercase() == word)
                || configured.is_empty() && built_in.split('|').any(|status| status == word)
        };
        if is_in(&self.settings.bad, BAD) {
            Some(false)
        } else if is_in(&self.settings.good, GOOD) {
            Some(true)
        } else {
            self.note_unknown(word);
            None
        }
    }

    fn is_accepting(&mut self, column: Option<usize>) -> Option<bool> {
        let word = self.table.field(column?).to_lowercase();
        if YES.contains(&word.as_str()) {
            Some(true)
        } else if NO.contains(&word.as_str()) {
            Some(false)
        } else {
            self.note_unknown(word);
            None
        }
    }

    fn note_unknown(&mut self, word: String) {
        if !word.is_empty() && self.unknown_words.len() < MAX_WORDS {
            self.unknown_words.entry(word).or_insert(self.table.line());
        }
    }

    fn registry(&mut self, known: &KnownNumbers) -> Result<Vec<RegistryRow>, Refusal> {
        self.check_keys("npi entity-type names other-names sex taxonomies deactivated reactivated")?;
        let npi = self.column("npi", &["NPI"])?;
        let entity = self.optional_column("entity-type", &["Entity Type Code"])?;
        let names = self.columns("names", &["Provider First Name", "Provider Last Name (Legal Name)"])?;
        let others =
            self.columns("other-names", &["Provider Other First Name", "Provider Other Last Name"])?;
        let sex = self.optional_column("sex", &["Provider Sex Code", "Provider Gender Code"])?;
        let codes: Vec<_> =
            (1..=15).map(|number| format!("Healthcare Provider Taxonomy Code_{number}")).collect();
        let codes: Vec<_> = codes.iter().map(String::as_str).collect();
        let taxonomies = self.columns("taxonomies", &codes)?;
        let deactivated = self.optional_column("deactivated", &["NPI Deactivation Date"])?;
        let reactivated = self.optional_column("reactivated", &["NPI Reactivation Date"])?;
        if names.is_empty() && deactivated.is_none() {
            let why = "this source has no names and no deactivation dates: map `columns`, such as names = [\"First\", \"Last\"]";
            return Err((self.refuse)(why.to_owned()));
        }
        self.has_no_deactivations = deactivated.is_none();
        let mut registry = Vec::new();
        while self.table.advance()? {
            let table = &self.table;
            if !known.npis.contains(table.field(npi)) {
                continue;
            }
            let names = [self.joined(&names), self.joined(&others)];
            registry.push(RegistryRow {
                line: table.line(),
                npi: table.field(npi).to_owned(),
                is_organization: entity.is_some_and(|column| table.field(column) == "2"),
                names: names.into_iter().filter(|name| !name.is_empty()).collect(),
                sex: sex.map_or_else(String::new, |column| table.field(column).to_owned()),
                taxonomies: taxonomies.iter().map(|&column| table.field(column).to_owned()).collect(),
                deactivated: self.date(deactivated)?,
                reactivated: self.date(reactivated)?,
            });
        }
        Ok(registry)
    }

    fn board(&mut self, known: &KnownNumbers) -> Result<Board, Refusal> {
        self.check_keys("number names status")?;
        let no_state = || (self.refuse)("a board needs `state`".to_owned());
        let state = self.state(self.settings.state.as_deref().ok_or_else(no_state)?)?;
        let types = self.settings.types.iter().map(|word| {
            word.parse::<ProviderType>().map_err(|words| {
                (self.refuse)(format!("\"{word}\" isn't a provider type: write {}", words.join(" or ")))
            })
        });
        let types = types.collect::<Result<Vec<_>, _>>()?;
        let (number, status) = (self.column("number", &[])?, self.column("status", &[])?);
        let names = self.columns("names", &[])?;
        if names.is_empty() {
            return Err((self.refuse)(
                "`columns` must say which columns are \"names\": a license number isn't enough to identify a person"
                    .to_owned(),
            ));
        }
        let mut rows = Vec::new();
        while self.table.advance()? {
            let key = license_key(self.table.field(number));
            if !known.license_keys.contains(&key) {
                continue;
            }
            let is_valid = self.is_valid(Some(status));
            let (name, status) = (self.joined(&names), self.table.field(status).to_owned());
            rows.push(BoardRow { line: self.table.line(), license_key: key, name, status, is_valid });
        }
        Ok(Board { state, types, rows })
    }

    fn roster(&mut self, directory: &Directory, known: &KnownNumbers) -> Result<Roster, Refusal> {
        self.check_keys("npi from until state status accepting")?;
        let plan =
            self.settings.plan.as_deref().ok_or_else(|| (self.refuse)("a roster needs `plan`".to_owned()))?;
        let plan = self.plan(directory, plan)?;
        let covered = match &self.settings.states {
            Some(codes) => Some(codes.iter().map(|code| self.state(code)).collect::<Result<StateSet, _>>()?),
            None => None,
        };
        let npi = self.column("npi", &["NPI"])?;
        let optional = |key: &str| self.optional_column(key, &[]);
        let (from, until) = (optional("from")?, optional("until")?);
        let (location, status, accepting) = (optional("state")?, optional("status")?, optional("accepting")?);
        let mut rows = Vec::new();
        // NPIs that have a row with an invalid state. That row might contradict their other rows, so all are dropped.
        let mut unclear = HashSet::new();
        while self.table.advance()? {
            if !known.npis.contains(self.table.field(npi)) {
                continue;
            }
            let is_valid = self.is_valid(status);
            let table = &self.table;
            let word = location.map_or("", |column| table.field(column));
            let state = word.parse().ok();
            if state.is_none() && !word.is_empty() {
                unclear.insert(table.field(npi).to_owned());
                if self.invalid_states.len() < MAX_WORDS {
                    self.invalid_states.entry(word.to_owned()).or_insert(table.line());
                }
                continue;
            }
            let is_accepting = self.is_accepting(accepting);
            rows.push(RosterRow {
                line: self.table.line(),
                npi: self.table.field(npi).to_owned(),
                from: self.date(from)?,
                until: self.date(until)?,
                state,
                is_valid,
                is_accepting,
            });
        }
        rows.retain(|row: &RosterRow| !unclear.contains(&row.npi));
        // After dropping rows, a missing row no longer means anything.
        let is_complete = self.settings.complete && unclear.is_empty();
        Ok(Roster { plan, states: covered, is_complete, rows })
    }

    fn exclusions(&mut self, known: &KnownNumbers) -> Result<Vec<ExclusionRow>, Refusal> {
        self.check_keys("npi on reinstated waived")?;
        let npi = self.column("npi", &["NPI"])?;
        let on = self.column("on", &["EXCLDATE"])?;
        let reinstated = self.optional_column("reinstated", &["REINDATE"])?;
        let waived = self.optional_column("waived", &["WAIVERDATE"])?;
        let mut exclusions = Vec::new();
        while self.table.advance()? {
            let table = &self.table;
            if !known.npis.contains(table.field(npi)) {
                continue;
            }
            let is_lifted = self.date(reinstated)?.is_some() || self.date(waived)?.is_some();
            // A row without a date is not an exclusion.
            let Some(on) = table.date(on)? else { continue };
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
        word.parse().map_err(|_| (self.refuse)(format!("\"{word}\" isn't a state: write its two letters")))
    }

    fn plan(&self, directory: &Directory, name: &str) -> Result<PlanNumber, Refusal> {
        let number = directory.plan_numbers().find(|number| directory.plan(*number).as_str() == name);
        number.ok_or_else(|| {
            let names = directory.plans().iter().map(directory::model::PlanName::as_str);
            let hint = hint(name, names, "use a plan name from there");
            (self.refuse)(format!("there is no plan \"{name}\" in insurances.toml; {hint}"))
        })
    }
}
