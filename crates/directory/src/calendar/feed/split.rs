//! Splits a feed into one text for each provider or Schedule, with only what is read of its lines.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::FeedMode;
use super::entry::{SlotState, TypeNames};
use super::error::{BadLine, FeedError};
use super::file::FeedFile;
use super::line::{FeedSchedule, LONGEST_BUSY, NPI_SYSTEM, Owner};
use crate::calendar::Instant;
use crate::model::VisitTypeId;

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Period<'a> {
    start: Instant,
    end: Instant,
    word: &'static str,
    types: Option<&'a TypeNames>,
}

/// A feed as one text per owner, by the name of its key without the site, with only the fields that the parser reads:
/// no names and no comments. A Schedule's text begins with its description. Busy times that adjoin or overlap become
/// one line. In a busy feed free slots are left out: their owner stays, with fewer lines or none.
pub fn owned_texts(files: &[Arc<FeedFile>], mode: FeedMode) -> Result<BTreeMap<String, String>, FeedError> {
    let mut texts = BTreeMap::new();
    for (id, schedule) in schedules_of(files)? {
        let key = Owner::Schedule(id.into()).key();
        texts.insert(key, format!("{}\n", line_of_schedule(id, schedule)));
    }
    let mut periods: BTreeMap<&Owner<'static>, Vec<Period<'_>>> = BTreeMap::new();
    for (file, named) in files.iter().flat_map(|file| file.owners.iter().map(move |named| (file, named))) {
        let of_owner = periods.entry(&named.owner).or_default();
        for entry in &named.entries {
            let word = match (mode, entry.state) {
                (FeedMode::Busy, SlotState::Free) => continue,
                (FeedMode::Open, SlotState::Free) => "free",
                (FeedMode::Open, SlotState::EnteredInError) => "entered-in-error",
                (_, SlotState::Busy) | (FeedMode::Busy, SlotState::EnteredInError) => "busy",
            };
            // What is busy is busy for every type.
            let types = if word == "free" { entry.types_in(&file.type_lists) } else { None };
            of_owner.push(Period { start: entry.start, end: entry.end(), word, types });
        }
    }
    for (owner, mut periods) in periods {
        periods.sort_unstable();
        let text = texts.entry(owner.key()).or_default();
        for period in merged(periods) {
            text.push_str(&period.line(owner).to_string());
            text.push('\n');
        }
    }
    Ok(texts)
}

/// The Schedules of all files. Publishers split files by state and repeat what belongs to several.
fn schedules_of(files: &[Arc<FeedFile>]) -> Result<BTreeMap<&str, &FeedSchedule>, FeedError> {
    let mut schedules: BTreeMap<&str, &FeedSchedule> = BTreeMap::new();
    let mut bad = Vec::new();
    for file in files {
        for (id, schedule) in &file.schedules {
            if schedules.insert(id, schedule).is_some_and(|before| before != schedule) {
                let what = format!("the Schedule {id} is described differently in another file");
                bad.push(BadLine::whole(&file.name, &what, "describe each Schedule the same way everywhere"));
            }
        }
    }
    let count = bad.len();
    if bad.is_empty() { Ok(schedules) } else { Err(FeedError::new(bad, count)) }
}

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

fn object<const FIELDS: usize>(fields: [(&str, Option<Value>); FIELDS]) -> Value {
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

impl Period<'_> {
    fn line(&self, owner: &Owner<'_>) -> Value {
        let (start, end) = (self.start.to_string().into(), self.end.to_string().into());
        let times = [("start", Some(start)), ("end", Some(end)), ("status", Some(self.word.into()))];
        let [start, end, status] = times;
        match owner {
            Owner::Provider(slug) => {
                let numbers =
                    |types: &TypeNames| types.plain.iter().map(|id| Value::from(id.get())).collect();
                let types = self.types.map(numbers);
                object([("provider", Some(slug.as_ref().into())), start, end, status, ("types", types)])
            }
            Owner::Schedule(id) => {
                let schedule = json!({"reference": format!("Schedule/{id}")});
                let (kind, types) = (Some("Slot".into()), self.types.map(concepts));
                let schedule = ("schedule", Some(schedule));
                object([("resourceType", kind), schedule, start, end, status, ("serviceType", types)])
            }
        }
    }
}

fn line_of_schedule(id: &str, schedule: &FeedSchedule) -> Value {
    let identifier = |npi: &String| json!({"system": NPI_SYSTEM, "value": npi});
    let place = schedule.has_no_person.then(|| json!({"reference": "Location/1"}));
    let people = schedule.people.iter().map(|person| {
        let reference = person.practitioner.as_ref().map(|id| format!("Practitioner/{id}").into());
        object([("reference", reference), ("identifier", person.npi.as_ref().map(identifier))])
    });
    let list = |all: Vec<Value>| (!all.is_empty()).then(|| Value::from(all));
    object([
        ("resourceType", Some("Schedule".into())),
        ("id", Some(id.into())),
        ("active", (!schedule.is_active).then(|| false.into())),
        ("identifier", list(schedule.npis.iter().map(identifier).collect())),
        ("actor", list(place.into_iter().chain(people).collect())),
        ("serviceType", schedule.types.as_ref().map(concepts)),
    ])
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
    use super::super::entry::Entry;
    use super::super::file::NamedOwner;
    use super::*;
    use crate::calendar::FeedLimits;

    fn split(text: &str, mode: FeedMode) -> BTreeMap<String, String> {
        let file = FeedFile::read("feed", text, &FeedLimits::default()).unwrap();
        owned_texts(&[Arc::new(file)], mode).unwrap()
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
            texts["p.ann"],
            "{\"provider\":\"ann\",\"start\":\"2026-12-01T16:00:00Z\",\"end\":\"2026-12-01T17:00:00Z\",\"status\":\"busy\"}\n\
             {\"provider\":\"ann\",\"start\":\"2026-12-01T18:00:00Z\",\"end\":\"2026-12-01T18:30:00Z\",\"status\":\"busy\"}\n"
        );
        assert_eq!(texts["p.bob"], "");
        assert_eq!(
            texts["s.17"],
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
        let all: String = texts.values().map(String::as_str).collect();
        let after = FeedFile::read("feed", &all, &FeedLimits::default()).unwrap();
        assert_eq!(after.schedules, before.schedules);
        let periods = |file: &FeedFile| {
            let of_owner = |named: &NamedOwner| {
                let one = |entry: &Entry| {
                    let types = entry.types_in(&file.type_lists).cloned();
                    (named.owner.to_string(), entry.start, entry.end(), entry.state, types)
                };
                named.entries.iter().map(one).collect::<Vec<_>>()
            };
            let mut all: Vec<_> = file.owners.iter().flat_map(of_owner).collect();
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
        assert!(owned_texts(&[Arc::clone(&one), one.clone()], FeedMode::Busy).is_ok());
        let error = owned_texts(&[one, other], FeedMode::Busy).unwrap_err();
        assert!(error.to_string().contains("the Schedule 17 is described differently"), "{error}");
    }
}
