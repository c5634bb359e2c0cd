//! Links: which value of one answer is the parameter of another question.
//!
//! The values are named by their place in the answer; where it is empty, the link leads nowhere. The
//! parameters are found by their kind, so their names stand in the table of operations alone.

use directory::api::{Operation, OperationId, ParameterKind};
use serde_json::{Map, Value, json};

/// A kind of parameter, and the place in an answer that it is taken from.
type Source = (fn(ParameterKind) -> bool, &'static str);

const STATES: Source = (is_state, "/states/0/code");
const PLAN: Source = (is_plan, "/insurances/0");
const FOUND_SLUG: Source = (is_slug, "/providers/0/slug");
const FOUND_STATE: Source = (is_state, "/providers/0/statesAcceptingPatients/0");
const TYPE: Source = (is_visit_type, "/appointmentTypes/0/id");
const TYPE_STATE: Source = (is_state, "/appointmentTypes/0/states/0");
const OWN_SLUG: Source = (is_slug, "/slug");
const OWN_TYPE: Source = (is_visit_type, "/appointmentTypes/0/id");
const OWN_STATE: Source = (is_state, "/statesAcceptingPatients/0");
const SLOT_SLUG: Source = (is_slug, "/slots/0/providerSlug");

/// The links of an operation's answer.
pub(super) fn of(operation: OperationId) -> Map<String, Value> {
    let to: &[(OperationId, &[Source])] = match operation {
        OperationId::States => &[
            (OperationId::Insurances, &[STATES]),
            (OperationId::Providers, &[STATES]),
            (OperationId::AppointmentTypes, &[STATES]),
            (OperationId::Availability, &[STATES]),
        ],
        OperationId::Insurances => &[(OperationId::Providers, &[PLAN])],
        OperationId::Providers => {
            &[(OperationId::Provider, &[FOUND_SLUG]), (OperationId::Availability, &[FOUND_SLUG, FOUND_STATE])]
        }
        OperationId::Provider => &[(OperationId::Availability, &[OWN_SLUG, OWN_TYPE, OWN_STATE])],
        OperationId::AppointmentTypes => &[(OperationId::Availability, &[TYPE, TYPE_STATE])],
        OperationId::Availability => &[(OperationId::Provider, &[SLOT_SLUG])],
    };
    to.iter().map(|&(id, sources)| link(Operation::get(id), sources)).collect()
}

fn link(to: &Operation, sources: &[Source]) -> (String, Value) {
    let parameters: Map<String, Value> = sources
        .iter()
        .filter_map(|(is_kind, place)| {
            let parameter = to.parameters.iter().find(|parameter| is_kind(parameter.kind))?;
            Some((parameter.name.to_owned(), format!("$response.body#{place}").into()))
        })
        .collect();
    let names = parameters.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let link = json!({
        "operationId": to.tool,
        "parameters": parameters,
        "description": format!("The {names} of the first entry can be asked for here."),
    });
    (to.tool.to_owned(), link)
}

fn is_state(kind: ParameterKind) -> bool {
    kind == ParameterKind::State
}

fn is_plan(kind: ParameterKind) -> bool {
    kind == ParameterKind::Plan
}

fn is_slug(kind: ParameterKind) -> bool {
    matches!(kind, ParameterKind::Slug | ParameterKind::PathSlug)
}

fn is_visit_type(kind: ParameterKind) -> bool {
    kind == ParameterKind::VisitType
}
