//! The questions with which a store tries the tools out. The content must answer each of them first.

use chrono::{DateTime, Utc};
use directory::api::{Operation, OperationId};
use directory::model::StateCode;
use directory::{Request, Snapshot};
use serde_json::{Map, Value, json};

pub(super) struct Question {
    pub(super) description: String,
    pub(super) prompt: String,
    pub(super) tool: &'static str,
    pub(super) expected: String,
}

/// Questions that no tool should be called for, with their descriptions.
pub(super) const OTHERS: [(&str, &str); 3] = [
    ("Medical advice", "What dose of estrogen should I take?"),
    ("A change to an appointment", "Cancel my appointment on Friday."),
    ("Something else", "Find a good Italian restaurant near me."),
];

pub(super) fn answered(snapshot: &Snapshot, now: DateTime<Utc>) -> Result<Vec<Question>, String> {
    let ask = |id, arguments: Value| answer(snapshot, now, id, &arguments);
    let directory = snapshot.directory();
    let has_opening = |state: &StateCode| {
        let slots =
            ask(OperationId::Availability, json!({ "state": state.code(), "newPatients": true, "limit": 1 }));
        slots.is_some_and(|answer| has_items(&answer, "slots"))
    };
    // Without hours in the content, its openings are those of a feed, which is not here.
    let has_hours = directory.provider_numbers().any(|number| directory.schedule(number).is_some());
    let mut states = StateCode::all().filter(|&state| directory.offered_in(state).next().is_some());
    let state = states.find(|state| !has_hours || has_opening(state));
    let Some(state) = state else {
        return Err(
            "no state has an opening for new patients, so the stores' questions have no answers".to_owned()
        );
    };
    let (code, place) = (state.code(), state.name());
    let accepting = directory.providers().iter().find(|provider| provider.accepting.contains(state));
    let Some(provider) = accepting else {
        return Err(format!("no clinician accepts new patients in {place}"));
    };
    let rows = [
        (
            OperationId::Availability,
            json!({ "state": code, "newPatients": true }),
            "slots",
            format!("Openings in {place}"),
            format!("When can a new patient be seen in {place}?"),
            format!("Openings in {place} with clinician names, in {place} time."),
        ),
        (
            OperationId::Providers,
            json!({ "state": code }),
            "providers",
            format!("Clinicians in {place}"),
            format!("Who is accepting new patients in {place}?"),
            format!("Clinicians licensed in {place}, and which of them accept new patients there."),
        ),
        (
            OperationId::Insurances,
            json!({ "state": code }),
            "insurances",
            format!("Insurance in {place}"),
            format!("Which insurance plans are accepted in {place}?"),
            format!("The names of the insurance plans accepted in {place}."),
        ),
        (
            OperationId::Provider,
            json!({ "slug": provider.slug.as_str() }),
            "slug",
            "One clinician".to_owned(),
            format!("Tell me about {}.", provider.display_name),
            format!("The profile of {}, with a link to the page.", provider.display_name),
        ),
        (
            OperationId::States,
            json!({}),
            "states",
            "Where care is offered".to_owned(),
            "In which states do you see patients?".to_owned(),
            "The names of the states where care can be booked.".to_owned(),
        ),
    ];
    let mut answered = Vec::new();
    for (id, arguments, field, description, prompt, expected) in rows {
        let is_known = has_hours || id != OperationId::Availability;
        if is_known && !ask(id, arguments).is_some_and(|answer| has_items(&answer, field)) {
            return Err(format!("the content has no answer to \"{prompt}\", which stores try out"));
        }
        answered.push(Question { description, prompt, tool: Operation::get(id).name, expected });
    }
    Ok(answered)
}

fn answer(snapshot: &Snapshot, now: DateTime<Utc>, id: OperationId, arguments: &Value) -> Option<Value> {
    let none = Map::new();
    let request = Request::from_tool(Operation::get(id), arguments.as_object().unwrap_or(&none)).ok()?;
    serde_json::from_slice(snapshot.answer(&request, now).ok()?.body()).ok()
}

fn has_items(answer: &Value, field: &str) -> bool {
    match &answer[field] {
        Value::Array(items) => !items.is_empty(),
        other => other.is_string(),
    }
}
