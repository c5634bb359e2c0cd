use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use directory::api::{
    Caching, Fault, FaultKind, Operation, OperationId, ParameterKind, ProviderSearch, Question, Request,
    SlotSearch, Snapshot,
};
use directory::model::ProviderType;
use serde_json::{Map, Value, json};

use super::links;
use super::schemas::ERROR;
use crate::examples;

/// Monday, 2026-01-05T12:00:00Z: examples do not depend on the day of the build.
pub(crate) const EXAMPLE_TIME: i64 = 1_767_614_400;

fn affects_any_request(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::BadRequest
            | FaultKind::MethodNotAllowed
            | FaultKind::RequestTimeout
            | FaultKind::PayloadTooLarge
            | FaultKind::UriTooLong
            | FaultKind::HeadersTooLarge
            | FaultKind::Internal
            | FaultKind::Overloaded
    )
}

fn affects(kind: FaultKind, row: &Operation) -> bool {
    match kind {
        FaultKind::InvalidState => has(row, |kind| kind == ParameterKind::State),
        FaultKind::InvalidInsurance => has(row, |kind| kind == ParameterKind::Plan),
        FaultKind::ProviderNotFound => {
            has(row, |kind| matches!(kind, ParameterKind::Slug | ParameterKind::PathSlug))
        }
        // Every operation refuses a query that is not percent-encoded UTF-8.
        FaultKind::InvalidParameter => true,
        FaultKind::AvailabilityUnavailable => row.id == OperationId::Availability,
        kind => affects_any_request(kind),
    }
}

pub(super) fn responses(row: &'static Operation, snapshot: &Snapshot, schema: &str) -> Map<String, Value> {
    let caching = match row.id {
        OperationId::Availability => Caching::Availability,
        _ => Caching::Catalog,
    };
    let mut responses = Map::new();
    responses.insert("200".to_owned(), success(row, snapshot, schema, caching));
    if has(row, |kind| kind == ParameterKind::PathSlug) {
        responses.insert("301".to_owned(), refer("responses", "Moved"));
    }
    responses.insert("304".to_owned(), refer("responses", "NotModified"));
    let mut by_status: BTreeMap<u16, Vec<FaultKind>> = BTreeMap::new();
    for kind in kinds(row) {
        by_status.entry(kind.status()).or_default().push(kind);
    }
    for (status, kinds) in by_status {
        let response = match kinds.as_slice() {
            [kind] if affects_any_request(*kind) => refer("responses", &name(*kind)),
            kinds => {
                let professions = snapshot.directory().professions();
                failure(&kinds.iter().map(|&kind| real_fault(kind, row, professions)).collect::<Vec<_>>())
            }
        };
        responses.insert(status.to_string(), response);
    }
    responses
}

pub(super) fn shared() -> Map<String, Value> {
    let everywhere = ["Access-Control-Allow-Origin", "Nameplate-Generation"];
    let mut shared = Map::new();
    shared.insert(
        "Moved".to_owned(),
        json!({
            "description": "The clinician has another slug now; `Location` is the profile's current address.",
            "headers": headers_of(&[&["Location", "Cache-Control"][..], &everywhere].concat()),
        }),
    );
    shared.insert(
        "NotModified".to_owned(),
        json!({
            "description": "The client's copy is current: its ETag matched If-None-Match.",
            "headers": headers_of(&[&["ETag", "Cache-Control", "Vary"][..], &everywhere].concat()),
        }),
    );
    // Other faults of operations also have the status of `BadRequest`, so each operation describes it.
    let is_shared = |kind: &FaultKind| affects_any_request(*kind) && *kind != FaultKind::BadRequest;
    for kind in FaultKind::ALL.into_iter().filter(is_shared) {
        shared.insert(name(kind), failure(&[Fault::of_transport(kind, about(kind))]));
    }
    shared
}

pub(super) fn headers() -> Map<String, Value> {
    let header = |doc: &str, schema: Value| json!({ "description": doc, "schema": schema });
    let text = |doc: &str| header(doc, json!({ "type": "string" }));
    let time = json!({ "type": "string", "format": "date-time" });
    let status = json!({ "type": "string", "enum": ["fresh", "stale"] });
    let seconds = json!({ "type": "integer", "minimum": 1 });
    [
        ("Access-Control-Allow-Origin", text("Always `*`: pages from anywhere may read.")),
        ("Allow", text("The methods this path supports.")),
        (
            "Availability-As-Of",
            header("When the slots were last known to be true, where a feed is behind them.", time),
        ),
        ("Availability-Status", header("Whether the feed behind the slots is late.", status)),
        ("Cache-Control", text("For how long the answer may be kept.")),
        ("ETag", text("The tag of the body: send it back as If-None-Match.")),
        (
            "Link-Template",
            text("Where a slot is booked, if the clinic has such a page: a URI template (RFC 9652) with rel https://schema.org/ReserveAction."),
        ),
        ("Link", text("With rel `next`: the next page of a truncated list of slots.")),
        ("Location", text("The current path.")),
        ("Nameplate-Generation", text("The content that the answer was made from.")),
        ("Retry-After", header("The number of seconds to wait before the next request.", seconds)),
        ("Vary", text("`Accept-Encoding` where the answer can be compressed.")),
        ("X-Ignored-Parameters", text("The ignored query parameters, percent-encoded. A list that ends with `...` leaves some out.")),
    ]
    .into_iter()
    .map(|(name, header)| (name.to_owned(), header))
    .collect()
}

fn success(row: &Operation, snapshot: &Snapshot, schema: &str, caching: Caching) -> Value {
    let mut names =
        vec!["ETag", "Cache-Control", "Vary", "Access-Control-Allow-Origin", "Nameplate-Generation"];
    if row.parameters.iter().any(|parameter| parameter.kind != ParameterKind::PathSlug) {
        names.push("X-Ignored-Parameters");
    }
    if caching == Caching::Availability {
        names.extend(["Availability-As-Of", "Availability-Status", "Link", "Link-Template"]);
    }
    let mut media = json!({ "schema": refer("schemas", schema) });
    let request = Request::from(shortened(examples::example(row.id, snapshot.directory())));
    let moment = DateTime::<Utc>::from_timestamp(EXAMPLE_TIME, 0).unwrap_or_default();
    if let Ok(answer) = snapshot.answer(&request, moment)
        && let Ok(example) = serde_json::from_slice::<Value>(answer.body())
    {
        media["example"] = example;
    }
    let mut response = json!({
        "description": row.doc,
        "headers": headers_of(&names),
        "content": { "application/json": media },
    });
    let links = links::links(row.id);
    if !links.is_empty() {
        response["links"] = links.into();
    }
    response
}

/// Fewer days take less time to compute.
pub(crate) fn shortened(question: Question) -> Question {
    match question {
        Question::Providers(search) => Question::Providers(ProviderSearch { limit: 1, ..search }),
        Question::Availability(search) => {
            Question::Availability(SlotSearch { limit: 3, horizon_days: Some(3), ..search })
        }
        other => other,
    }
}

/// Those that other requests do not have, with their meanings.
pub(crate) fn failures(row: &Operation, professions: &[ProviderType]) -> Vec<(Fault, &'static str)> {
    let kinds = kinds(row).filter(|kind| !affects_any_request(*kind));
    kinds.map(|kind| (real_fault(kind, row, professions), about(kind))).collect()
}

fn kinds(row: &Operation) -> impl Iterator<Item = FaultKind> {
    FaultKind::ALL.into_iter().filter(move |kind| affects(*kind, row))
}

/// If an invalid value or broken percent-encoding causes it, its message is the API's own.
fn real_fault(kind: FaultKind, row: &Operation, professions: &[ProviderType]) -> Fault {
    let ask = |query: &str| Request::from_path_and_query(row.path, Some(query)).err();
    let wrong = row.parameters.iter().filter_map(|parameter| ask(&format!("{}=XX", parameter.name)));
    let by_query = wrong.chain(ask("a=%zz")).find(|fault| fault.kind() == kind);
    by_query.map_or_else(|| Fault::of_transport(kind, about(kind)), |fault| fault.of(professions))
}

fn failure(faults: &[Fault]) -> Value {
    let mut names = vec!["Cache-Control", "Access-Control-Allow-Origin", "Nameplate-Generation"];
    let kinds = || faults.iter().map(Fault::kind);
    if kinds().any(|kind| kind.retry_after().is_some()) {
        names.push("Retry-After");
    }
    if kinds().any(|kind| kind == FaultKind::MethodNotAllowed) {
        names.push("Allow");
    }
    let codes = kinds().map(|kind| format!("`{}`: {}.", kind.code(), about(kind)));
    let example = |fault: &Fault| {
        let value: Value = serde_json::from_slice(&fault.body()).ok()?;
        Some((fault.kind().code().to_owned(), json!({ "value": value })))
    };
    let examples: Map<String, Value> = faults.iter().filter_map(example).collect();
    json!({
        "description": codes.collect::<Vec<_>>().join(" "),
        "headers": headers_of(&names),
        "content": { "application/json": { "schema": refer("schemas", ERROR), "examples": examples } },
    })
}

fn about(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::InvalidState => "the state is not in the table of US states",
        FaultKind::InvalidParameter => "a parameter is missing or invalid",
        FaultKind::InvalidInsurance => "the plan is not accepted",
        FaultKind::BadRequest => "the request breaks the rules of HTTP",
        FaultKind::Forbidden => "the service does not answer under this host name",
        FaultKind::ProviderNotFound => "no clinician has this slug",
        FaultKind::NotFound => "not found",
        FaultKind::MethodNotAllowed => "this path is read-only",
        FaultKind::RequestTimeout => "the request did not arrive in time",
        FaultKind::PayloadTooLarge => "the request's body is too large",
        FaultKind::UriTooLong => "the path and query are too long",
        FaultKind::UnsupportedMediaType => "the request's body is not JSON",
        FaultKind::HeadersTooLarge => "the request's header fields are too large",
        FaultKind::Internal => "internal error",
        FaultKind::AvailabilityUnavailable => "availability is too old to show, or hasn't loaded yet",
        FaultKind::Overloaded => "there are more requests than can be served",
    }
}

fn name(kind: FaultKind) -> String {
    format!("{kind:?}")
}

fn has(row: &Operation, is_kind: impl Fn(ParameterKind) -> bool) -> bool {
    row.parameters.iter().any(|parameter| is_kind(parameter.kind))
}

fn headers_of(names: &[&str]) -> Map<String, Value> {
    names.iter().map(|&name| (name.to_owned(), refer("headers", name))).collect()
}

fn refer(group: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{group}/{name}") })
}
