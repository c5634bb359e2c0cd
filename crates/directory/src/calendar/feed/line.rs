//! Parses one line of a feed. Our own lines are read strictly: an unknown key is refused, because a misspelled `types`
//! would offer every visit type. FHIR resources hold much that is not needed; it is skipped, above all names and
//! comments of patients. A coding maps to a visit type if its code is a number and its system is the clinic's own, or
//! if it has no system. The codes of public systems are numbers too (HL7's service types have a 124), so others do not
//! count.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::super::instant::Instant;
use super::entry::{RoundedTime, SlotState, Status, TypeNames};
use crate::model::{Slug, VisitTypeId};
use crate::near::nearest;

/// The longest free slot, in seconds: a day, as the longest visit.
const LONGEST_FREE: i64 = 86_400;
/// The longest busy time, in seconds: a leap year.
pub(super) const LONGEST_BUSY: i64 = 366 * 86_400;
/// The most actors of a Schedule. In memory, each takes many times what it takes in the text.
const MAX_ACTORS: usize = 1_000;
/// The longest type that is taken for one of FHIR's, in bytes.
const MAX_TYPE: usize = 40;
/// FHIR's system of national provider identifiers.
pub(super) const NPI_SYSTEM: &str = "http://hl7.org/fhir/sid/us-npi";

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Time(TimeLine<'a>),
    Schedule(Cow<'a, str>, FeedSchedule),
    /// Another resource, which is skipped, and its type.
    Other(Cow<'a, str>),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct TimeLine<'a> {
    pub(super) owner: Owner<'a>,
    pub(super) start: Instant,
    pub(super) end: Instant,
    pub(super) state: SlotState,
    pub(super) types: Option<TypeNames>,
}

/// The owner of an entry: a provider, by slug, or a Schedule, by id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) enum Owner<'a> {
    Provider(Cow<'a, str>),
    Schedule(Cow<'a, str>),
}

impl fmt::Display for Owner<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Provider(slug) => write!(formatter, "provider {slug}"),
            Self::Schedule(id) => write!(formatter, "Schedule {id}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FeedSchedule {
    pub(super) is_active: bool,
    /// Its own national identifiers.
    pub(super) npis: Vec<String>,
    pub(super) people: Vec<Person>,
    /// Whether it has actors, and all are places, services or devices.
    pub(super) has_no_person: bool,
    pub(super) types: Option<TypeNames>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Person {
    pub(super) npi: Option<String>,
    pub(super) practitioner: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct LineError {
    pub(super) at: usize,
    pub(super) what: String,
    pub(super) help: &'static str,
}

impl LineError {
    fn new(what: impl Into<String>, help: &'static str) -> Self {
        Self { at: 0, what: what.into(), help }
    }
}

const NOT_JSON: &str = "write one whole JSON object per line; write to another file and rename it when \
    it's complete";
const NOT_A_LINE: &str = "see docs/FEED.md for the fields of a line and their values";

/// Reads a line that is not blank.
pub(super) fn read(line: &str) -> Result<Line<'_>, LineError> {
    // serde would accept an array of the field values in place of an object.
    if !line.starts_with('{') {
        return Err(LineError::new("this isn't a JSON object: each line is one, from { to }", NOT_JSON));
    }
    // Only lines with this key are parsed twice.
    if !line.contains("\"resourceType\"") {
        return plain(parse(line)?).map(Line::Time);
    }
    let Resource { resource_type } = parse(line)?;
    match &*resource_type {
        "Slot" => slot(parse(line)?).map(Line::Time),
        "Schedule" => schedule(parse(line)?),
        _ => other(resource_type),
    }
}

/// Another resource of FHIR's, which says nothing of anyone's time. A Bundle and a misspelled type are mistakes, because the
/// time in them would be lost.
fn other(resource_type: Cow<'_, str>) -> Result<Line<'_>, LineError> {
    if resource_type == "Bundle" {
        let help = "write each Slot and each Schedule on its own line";
        return Err(LineError::new("a Bundle isn't read, so its time would be lost", help));
    }
    let is_like_fhirs = resource_type.len() <= MAX_TYPE
        && resource_type.starts_with(|c: char| c.is_ascii_uppercase())
        && resource_type.bytes().all(|byte| byte.is_ascii_alphabetic());
    if is_like_fhirs && nearest(&resource_type, ["Slot", "Schedule"].into_iter()).is_none() {
        return Ok(Line::Other(resource_type));
    }
    let what = format!("\"{resource_type}\" isn't a FHIR resource type");
    Err(LineError::new(what, "write \"Slot\" or \"Schedule\" with these capitals, or leave the line out"))
}

fn parse<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, LineError> {
    serde_json::from_str(line).map_err(|error| {
        let text = error.to_string();
        // serde gives the position in the line; the caller adds the one in the file.
        let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
        let (what, help) = match error.classify() {
            serde_json::error::Category::Data => (what.to_owned(), NOT_A_LINE),
            _ => (format!("this isn't JSON: {what}"), NOT_JSON),
        };
        LineError { at: error.column().saturating_sub(1), what, help }
    })
}

fn plain(line: PlainLine<'_>) -> Result<TimeLine<'_>, LineError> {
    let PlainLine { provider, start, end, status, types } = line;
    if let Err(rule) = provider.parse::<Slug>() {
        let help = "write the slug of the clinician's profile: its file name in providers/ without .toml";
        return Err(LineError::new(format!("\"{provider}\" isn't a valid slug: {rule}"), help));
    }
    if types.as_ref().is_some_and(Vec::is_empty) {
        let help = "name a visit type, or leave types out for all that fit";
        return Err(LineError::new("types is empty", help));
    }
    entry(Owner::Provider(provider), start, end, status, types.map(TypeNames::plain))
}

fn slot(line: SlotLine<'_>) -> Result<TimeLine<'_>, LineError> {
    let reference = line.schedule.and_then(|schedule| schedule.reference);
    let missing =
        || LineError::new("this Slot names no Schedule", "write schedule.reference: \"Schedule/<id>\"");
    let reference = reference.ok_or_else(missing)?;
    let concepts = line.service_type.iter().flatten().chain(&line.appointment_type);
    let types = types_of(concepts);
    entry(Owner::Schedule(id_in(reference, "Schedule/")), line.start, line.end, line.status, types)
}

fn schedule(line: ScheduleLine<'_>) -> Result<Line<'_>, LineError> {
    let missing =
        || LineError::new("this Schedule has no id", "write its id: Slots refer to it as \"Schedule/<id>\"");
    let id = line.id.ok_or_else(missing)?;
    if line.actor.as_ref().is_some_and(|actors| actors.len() > MAX_ACTORS) {
        let what = format!("this Schedule has more than {MAX_ACTORS} actors");
        return Err(LineError::new(what, "list only the clinician, or write several Schedules"));
    }
    // A Location or a service is not a person, but it can have a national identifier, too.
    let is_person = |actor: &&Reference<'_>| {
        actor.reference.as_deref().is_none_or(|reference| reference.contains("Practitioner"))
    };
    let npi = |identifier: &Identifier<'_>| {
        let value = identifier.value.as_deref().filter(|_| identifier.system.as_deref() == Some(NPI_SYSTEM));
        value.map(str::to_owned)
    };
    let practitioner = |actor: &Reference<'_>| {
        let id = actor.behind("Practitioner/")?;
        Some(id.split('/').next().unwrap_or(id).to_owned())
    };
    let people = line.actor.iter().flatten().filter(is_person).map(|actor| Person {
        npi: actor.identifier.as_ref().and_then(npi),
        practitioner: practitioner(actor),
    });
    let schedule = FeedSchedule {
        is_active: line.active.unwrap_or(true),
        npis: line.identifier.iter().flatten().filter_map(npi).collect(),
        people: people.collect(),
        has_no_person: line.actor.iter().flatten().all(Reference::is_no_person)
            && line.actor.is_some_and(|actors| !actors.is_empty()),
        types: types_of(line.service_type.iter().flatten()),
    };
    Ok(Line::Schedule(id, schedule))
}

impl Reference<'_> {
    fn behind(&self, kind: &str) -> Option<&str> {
        let (before, id) = self.reference.as_deref()?.rsplit_once(kind)?;
        (before.is_empty() || before.ends_with('/')).then_some(id)
    }

    fn is_no_person(&self) -> bool {
        ["Location/", "HealthcareService/", "Device/"].iter().any(|kind| self.behind(kind).is_some())
    }
}

/// An entry with valid times. To whole seconds, free slots are rounded inwards and busy time outwards.
fn entry(
    owner: Owner<'_>,
    start: RoundedTime,
    end: RoundedTime,
    status: Status,
    types: Option<TypeNames>,
) -> Result<TimeLine<'_>, LineError> {
    let state = match status {
        Status::Free => SlotState::Free,
        Status::Busy | Status::BusyUnavailable | Status::BusyTentative => SlotState::Busy,
        Status::EnteredInError => SlotState::EnteredInError,
    };
    let is_free = state == SlotState::Free;
    let (start, end) = if is_free { (start.ceil, end.floor) } else { (start.floor, end.ceil) };
    let seconds = end.unix() - start.unix();
    let (what, longest) = if is_free { ("a free slot", LONGEST_FREE) } else { ("busy time", LONGEST_BUSY) };
    if seconds <= 0 {
        let help = "write an end later than the start, or leave the line out";
        return Err(LineError::new(format!("the end, {end}, isn't after the start, {start}"), help));
    }
    if seconds > longest {
        let days = longest / 86_400;
        let days = if days == 1 { "a day".to_owned() } else { format!("{days} days") };
        let what = format!("{what} lasts at most {days}, but this is from {start} to {end}");
        return Err(LineError::new(what, "correct the dates, or write several lines"));
    }
    Ok(TimeLine { owner, start, end, state, types })
}

fn types_of<'a>(concepts: impl Iterator<Item = &'a Concept<'a>>) -> Option<TypeNames> {
    let codings = concepts.flat_map(|concept| concept.coding.iter().flatten());
    TypeNames::parse(codings.filter_map(|coding| Some((coding.system.as_deref(), coding.code.as_deref()?))))
}

/// The id in a reference: `Schedule/17`, `https://…/Schedule/17/_history/2`, or the text as it is.
fn id_in<'a>(reference: Cow<'a, str>, kind: &str) -> Cow<'a, str> {
    match reference.rsplit_once(kind) {
        Some((_, rest)) => Cow::Owned(rest.split('/').next().unwrap_or(rest).to_owned()),
        None => reference,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainLine<'a> {
    #[serde(borrow)]
    provider: Cow<'a, str>,
    start: RoundedTime,
    end: RoundedTime,
    status: Status,
    types: Option<Vec<VisitTypeId>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resource<'a> {
    #[serde(borrow)]
    resource_type: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SlotLine<'a> {
    #[serde(borrow)]
    schedule: Option<Reference<'a>>,
    start: RoundedTime,
    end: RoundedTime,
    status: Status,
    #[serde(borrow)]
    service_type: Option<Vec<Concept<'a>>>,
    #[serde(borrow)]
    appointment_type: Option<Concept<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ScheduleLine<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    active: Option<bool>,
    #[serde(borrow)]
    identifier: Option<Vec<Identifier<'a>>>,
    #[serde(borrow)]
    actor: Option<Vec<Reference<'a>>>,
    #[serde(borrow)]
    service_type: Option<Vec<Concept<'a>>>,
}

#[derive(Deserialize)]
struct Reference<'a> {
    #[serde(borrow)]
    reference: Option<Cow<'a, str>>,
    #[serde(borrow)]
    identifier: Option<Identifier<'a>>,
}

#[derive(Deserialize)]
struct Identifier<'a> {
    #[serde(borrow)]
    system: Option<Cow<'a, str>>,
    #[serde(borrow)]
    value: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Concept<'a> {
    #[serde(borrow)]
    coding: Option<Vec<Coding<'a>>>,
}

#[derive(Deserialize)]
struct Coding<'a> {
    #[serde(borrow)]
    system: Option<Cow<'a, str>>,
    #[serde(borrow)]
    code: Option<Cow<'a, str>>,
}
