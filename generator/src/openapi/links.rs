//! OpenAPI links: which value of an answer is a parameter of another operation.
//!
//! A value is named by its JSON pointer in the answer, a parameter by its kind, so that its name is written in the table
//! of operations alone.

use directory::api::{Operation, OperationId, ParameterKind};
use serde_json::{Map, Value, json};

/// A kind of parameter, and the JSON pointer of its value.
type LinkValue = (fn(ParameterKind) -> bool, &'static str);

const STATE: LinkValue = (is_state, "/states/0/code");
const PLAN: LinkValue = (is_plan, "/insurances/0");
const FOUND_SLUG: LinkValue = (is_slug, "/providers/0/slug");
const FOUND_STATE: LinkValue = (is_state, "/providers/0/statesAcceptingPatients/0");
const VISIT_TYPE: LinkValue = (is_visit_type, "/appointmentTypes/0/id");
const VISIT_TYPE_STATE: LinkValue = (is_state, "/appointmentTypes/0/states/0");
const PROFILE_SLUG: LinkValue = (is_slug, "/slug");
const PROFILE_STATE: LinkValue = (is_state, "/statesAcceptingPatients/0");
const SLOT_SLUG: LinkValue = (is_slug, "/slots/0/providerSlug");

pub(super) fn of(operation: OperationId) -> Map<String, Value> {
    let targets: &[(OperationId, &[LinkValue])] = match operation {
        OperationId::States => &[
            (OperationId::Insurances, &[STATE]),
            (OperationId::Providers, &[STATE]),
            (OperationId::AppointmentTypes, &[STATE]),
            (OperationId::Availability, &[STATE]),
        ],
        OperationId::Insurances => &[(OperationId::Providers, &[PLAN])],
        OperationId::Providers | OperationId::ProviderSummaries => {
            &[(OperationId::Provider, &[FOUND_SLUG]), (OperationId::Availability, &[FOUND_SLUG, FOUND_STATE])]
        }
        OperationId::Provider => &[(OperationId::Availability, &[PROFILE_SLUG, VISIT_TYPE, PROFILE_STATE])],
        OperationId::AppointmentTypes => &[(OperationId::Availability, &[VISIT_TYPE, VISIT_TYPE_STATE])],
        OperationId::Availability => &[(OperationId::Provider, &[SLOT_SLUG])],
    };
    targets.iter().map(|&(id, values)| link(Operation::get(id), values)).collect()
}

fn link(to: &Operation, values: &[LinkValue]) -> (String, Value) {
    let parameters: Map<String, Value> = values
        .iter()
        .filter_map(|(is_kind, pointer)| {
            let parameter = to.parameters.iter().find(|parameter| is_kind(parameter.kind))?;
            Some((parameter.name.to_owned(), format!("$response.body#{pointer}").into()))
        })
        .collect();
    let names = parameters.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let link = json!({
        "operationId": to.name,
        "parameters": parameters,
        "description": format!("The {names} of the first entry can be asked for here."),
    });
    (to.name.to_owned(), link)
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
