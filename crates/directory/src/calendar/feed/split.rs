//! Splits a feed into one text for each provider or Schedule, with only what is read of its lines.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::FeedMode;
use super::error::{BadLine, FeedError};
use super::file::FeedFile;
use super::line::{FeedSchedule, LONGEST_BUSY, NPI_SYSTEM, Owner, SlotState};
use super::type_names::TypeNames;
use crate::calendar::Instant;
use crate::model::VisitTypeId;

/// A feed as one text per owner. A text has only the fields that the parser reads: no names and no comments.
/// Adjoining and overlapping busy times are merged into one line. Parsing a text gives the same free slots and busy
/// time as the owner's lines in the feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnedTexts {
    pub providers: BTreeMap<String, String>,
    /// By the id of the FHIR Schedule, which stands first if the feed describes it.
    pub schedules: BTreeMap<String, String>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Period<'a> {
    start: Instant,
    end: Instant,
    word: &'static str,
    types: Option<&'a TypeNames>,
}

impl OwnedTexts {
    /// Splits the files of a feed. In a busy feed free slots are left out: their owner stays, with fewer lines or none.
    pub fn split(files: &[Arc<FeedFile>], mode: FeedMode) -> Result<Self, FeedError> {
        let mut texts = Self::default();
        for (id, schedule) in schedules_of(files)? {
            texts.schedules.insert(id.to_owned(), format!("{}\n", line_of_schedule(id, schedule)));
        }
        let mut periods: BTreeMap<(bool, &str), Vec<Period<'_>>> = BTreeMap::new();
        for file in files {
            for named in &file.owners {
                periods.entry(key_of(&named.owner)).or_default();
            }
            for entry in &file.entries {
                let Some(named) = file.owners.get(entry.owner as usize) else { continue };
                let word = match (mode, entry.state) {
                    (FeedMode::Busy, SlotState::Free) => continue,
                    (FeedMode::Open, SlotState::Free) => "free",
                    (FeedMode::Open, SlotState::EnteredInError) => "entered-in-error",
                    (_, SlotState::Busy) | (FeedMode::Busy, SlotState::EnteredInError) => "busy",
                };
                // What is busy is busy for every type.
                let types = if word == "free" { file.types_of(entry) } else { None };
                let period = Period { start: entry.start, end: entry.end, word, types };
                periods.entry(key_of(&named.owner)).or_default().push(period);
            }
        }
        for ((is_schedule, owner), mut periods) in periods {
            periods.sort_unstable();
            let map = if is_schedule { &mut texts.schedules } else { &mut texts.providers };
            let text = map.entry(owner.to_owned()).or_default();
            for period in merged(periods) {
                let line =
                    if is_schedule { line_of_slot(owner, &period) } else { plain_line(owner, &period) };
                text.push_str(&line.to_string());
                text.push('\n');
            }
        }
        Ok(texts)
    }
}

/// The Schedules of all files. Publishers split files by state and repeat what belongs to several.
fn schedules_of(files: &[Arc<FeedFile>]) -> Result<BTreeMap<&str, &FeedSchedule>, FeedError> {
    let mut schedules: BTreeMap<&str, &FeedSchedule> = BTreeMap::new();
    let mut bad = Vec::new();
    for file in files {
        for (id, schedule) in &file.schedules {
            if schedules.insert(id, schedule).is_some_and(|before| before != schedule) {
                let what = format!("the Schedule {id} is described in another way in another file");
                bad.push(BadLine::whole(
                    &file.name,
                    &what,
                    "describe each Schedule in the same way everywhere",
                ));
            }
        }
    }
    let count = bad.len();
    if bad.is_empty() { Ok(schedules) } else { Err(FeedError::new(bad, count)) }
}

fn key_of<'a>(owner: &'a Owner<'static>) -> (bool, &'a str) {
    match owner {
        Owner::Provider(slug) => (false, slug),
        Owner::Schedule(id) => (true, id),
    }
}

/// Sorted periods, each once, and busy ones that adjoin or overlap as one.
fn merged(periods: Vec<Period<'_>>) -> Vec<Period<'_>> {
    let mut merged: Vec<Period<'_>> = Vec::with_capacity(periods.len());
    let mut last_busy: Option<usize> = None;
    for period in periods {
        if period.word == "busy" {
            if let Some(last) = last_busy.and_then(|at| merged.get_mut(at))
                && period.start <= last.end
                && period.end.max(last.end).unix() - last.start.unix() <= LONGEST_BUSY
            {
                last.end = last.end.max(period.end);
                continue;
            }
            last_busy = Some(merged.len());
        } else if merged.last() == Some(&period) {
            continue;
        }
        merged.push(period);
    }
    merged
}

fn plain_line(slug: &str, period: &Period<'_>) -> Value {
    let mut line = Map::new();
    line.insert("provider".to_owned(), slug.into());
    period.write(&mut line);
    if let Some(types) = period.types {
        let numbers = types.ids().iter().map(|id| Value::from(id.get()));
        line.insert("types".to_owned(), numbers.collect());
    }
    line.into()
}

fn line_of_slot(id: &str, period: &Period<'_>) -> Value {
    let mut line = Map::new();
    line.insert("resourceType".to_owned(), "Slot".into());
    line.insert("schedule".to_owned(), json!({"reference": format!("Schedule/{id}")}));
    period.write(&mut line);
    if let Some(types) = period.types {
        line.insert("serviceType".to_owned(), concepts(types));
    }
    line.into()
}

impl Period<'_> {
    fn write(&self, line: &mut Map<String, Value>) {
        line.insert("start".to_owned(), self.start.to_string().into());
        line.insert("end".to_owned(), self.end.to_string().into());
        line.insert("status".to_owned(), self.word.into());
    }
}

fn line_of_schedule(id: &str, schedule: &FeedSchedule) -> Value {
    let mut line = Map::new();
    line.insert("resourceType".to_owned(), "Schedule".into());
    line.insert("id".to_owned(), id.into());
    if !schedule.is_active {
        line.insert("active".to_owned(), false.into());
    }
    let identifier = |npi: &String| json!({"system": NPI_SYSTEM, "value": npi});
    if !schedule.npis.is_empty() {
        line.insert("identifier".to_owned(), schedule.npis.iter().map(identifier).collect());
    }
    let mut actors: Vec<Value> = Vec::new();
    if schedule.has_no_person {
        actors.push(json!({"reference": "Location/1"}));
    }
    for person in &schedule.people {
        let mut actor = Map::new();
        if let Some(id) = &person.practitioner {
            actor.insert("reference".to_owned(), format!("Practitioner/{id}").into());
        }
        if let Some(npi) = &person.npi {
            actor.insert("identifier".to_owned(), identifier(npi));
        }
        actors.push(actor.into());
    }
    if !actors.is_empty() {
        line.insert("actor".to_owned(), actors.into());
    }
    if let Some(types) = &schedule.types {
        line.insert("serviceType".to_owned(), concepts(types));
    }
    line.into()
}

fn concepts(types: &TypeNames) -> Value {
    let coding = |(system, id): (Option<&str>, VisitTypeId)| match system {
        None => json!({"code": id.to_string()}),
        Some(system) => json!({"system": system, "code": id.to_string()}),
    };
    json!([{"coding": types.codings().map(coding).collect::<Vec<_>>()}])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::FeedLimits;

    fn split(text: &str, mode: FeedMode) -> OwnedTexts {
        let file = FeedFile::read("feed", text, &FeedLimits::default()).unwrap();
        OwnedTexts::split(&[Arc::new(file)], mode).unwrap()
    }

    #[test]
    fn adjoining_busy_time_is_one_line_and_nothing_else_is_kept() {
        let text = r#"
{"provider": "ann", "start": "2026-12-01T16:30:00Z", "end": "2026-12-01T17:00:00Z", "status": "busy-tentative"}
{"provider": "ann", "start": "2026-12-01T16:00:00Z", "end": "2026-12-01T16:30:00Z", "status": "busy"}
{"provider": "ann", "start": "2026-12-01T18:00:00Z", "end": "2026-12-01T18:30:00Z", "status": "entered-in-error"}
{"provider": "bob", "start": "2026-12-01T18:00:00Z", "end": "2026-12-01T18:30:00Z", "status": "free"}
{"resourceType": "Slot", "id": "x", "comment": "Mrs Smith", "schedule": {"reference": "https://ehr.example/Schedule/17", "display": "Dr Doe"}, "status": "busy", "start": "2026-12-01T17:00:00.4Z", "end": "2026-12-01T17:30:00Z"}
{"resourceType": "Schedule", "id": "17", "comment": "c", "actor": [{"reference": "Practitioner/prov-0001", "display": "Dr Doe"}, {"reference": "Location/3"}]}
{"resourceType": "Location", "id": "3"}"#;
        let texts = split(text, FeedMode::Busy);
        assert_eq!(
            texts.providers["ann"],
            "{\"provider\":\"ann\",\"start\":\"2026-12-01T16:00:00Z\",\"end\":\"2026-12-01T17:00:00Z\",\"status\":\"busy\"}\n\
             {\"provider\":\"ann\",\"start\":\"2026-12-01T18:00:00Z\",\"end\":\"2026-12-01T18:30:00Z\",\"status\":\"busy\"}\n"
        );
        assert_eq!(texts.providers["bob"], "");
        assert_eq!(
            texts.schedules["17"],
            "{\"resourceType\":\"Schedule\",\"id\":\"17\",\"actor\":[{\"reference\":\"Practitioner/prov-0001\"}]}\n\
             {\"resourceType\":\"Slot\",\"schedule\":{\"reference\":\"Schedule/17\"},\"start\":\"2026-12-01T17:00:00Z\",\
             \"end\":\"2026-12-01T17:30:00Z\",\"status\":\"busy\"}\n"
        );
    }

    #[test]
    fn a_text_is_read_as_the_lines_that_it_stands_for() {
        let npi = "http://hl7.org/fhir/sid/us-npi";
        let text = format!(
            r#"
{{"resourceType": "Schedule", "id": "a/b", "active": false, "identifier": [{{"system": "{npi}", "value": "1"}}], "actor": [{{"identifier": {{"system": "{npi}", "value": "2"}}}}, {{}}], "serviceType": [{{"coding": [{{"code": "102"}}, {{"code": "101"}}]}}]}}
{{"resourceType": "Schedule", "id": "room", "actor": [{{"reference": "Location/3"}}]}}
{{"resourceType": "Slot", "schedule": {{"reference": "Schedule/room"}}, "status": "free", "start": "2026-12-01T17:00:00Z", "end": "2026-12-01T17:30:00Z", "appointmentType": {{"coding": [{{"code": "101"}}]}}}}
{{"resourceType": "Slot", "schedule": {{"reference": "Schedule/room"}}, "status": "entered-in-error", "start": "2026-12-01T17:00:00Z", "end": "2026-12-01T17:30:00Z"}}
{{"provider": "ann", "start": "2026-12-01T16:00:00Z", "end": "2026-12-01T16:30:00Z", "status": "free", "types": [101]}}"#
        );
        let before = FeedFile::read("feed", &text, &FeedLimits::default()).unwrap();
        let texts = split(&text, FeedMode::Open);
        let all: String =
            texts.providers.values().chain(texts.schedules.values()).map(String::as_str).collect();
        let after = FeedFile::read("feed", &all, &FeedLimits::default()).unwrap();
        assert_eq!(after.schedules, before.schedules);
        let periods = |file: &FeedFile| {
            let mut all: Vec<_> = file
                .entries
                .iter()
                .map(|entry| {
                    let owner = file.owners[entry.owner as usize].owner.to_string();
                    (
                        owner,
                        entry.start,
                        entry.end,
                        format!("{:?}", entry.state),
                        file.types_of(entry).cloned(),
                    )
                })
                .collect();
            all.sort();
            all
        };
        assert_eq!(periods(&after), periods(&before));
        assert_eq!(split(&all, FeedMode::Open), texts, "a second time changes nothing");
    }

    #[test]
    fn a_schedule_that_two_files_describe_differently_is_refused() {
        let read = |text: &str| Arc::new(FeedFile::read("feed", text, &FeedLimits::default()).unwrap());
        let one = read(r#"{"resourceType": "Schedule", "id": "17"}"#);
        let other = read(r#"{"resourceType": "Schedule", "id": "17", "active": false}"#);
        assert!(OwnedTexts::split(&[Arc::clone(&one), one.clone()], FeedMode::Busy).is_ok());
        let error = OwnedTexts::split(&[one, other], FeedMode::Busy).unwrap_err();
        assert!(error.to_string().contains("the Schedule 17 is described in another way"), "{error}");
    }
}
