//! OpenAPI links say which value of an answer is a parameter of another operation.

use directory::api::{Operation, OperationId, ParameterKind};
use serde_json::{Map, Value, json};

/// With the JSON pointer to its value.
type LinkValue = (ParameterKind, &'static str);

const STATE: LinkValue = (ParameterKind::State, "/states/0/code");
const PLAN: LinkValue = (ParameterKind::Plan, "/insurances/0");
const FOUND_SLUG: LinkValue = (ParameterKind::Slug, "/providers/0/slug");
const FOUND_STATE: LinkValue = (ParameterKind::State, "/providers/0/statesAcceptingPatients/0");
const VISIT_TYPE: LinkValue = (ParameterKind::VisitType, "/appointmentTypes/0/id");
const VISIT_TYPE_STATE: LinkValue = (ParameterKind::State, "/appointmentTypes/0/states/0");
const PROFILE_SLUG: LinkValue = (ParameterKind::Slug, "/slug");
const PROFILE_STATE: LinkValue = (ParameterKind::State, "/statesAcceptingPatients/0");
const SLOT_SLUG: LinkValue = (ParameterKind::Slug, "/slots/0/providerSlug");

pub(super) fn links(operation: OperationId) -> Map<String, Value> {
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
        .filter_map(|(kind, pointer)| {
            let is_target = |found: ParameterKind| {
                found == *kind || (*kind, found) == (ParameterKind::Slug, ParameterKind::PathSlug)
            };
            let parameter = to.parameters.iter().find(|parameter| is_target(parameter.kind))?;
            Some((parameter.name.to_owned(), format!("$response.body#{pointer}").into()))
        })
        .collect();
    let names = parameters.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let link = json!({
        "operationId": to.name,
        "parameters": parameters,
        "description": format!("Use the first entry's {names} here."),
    });
    (to.name.to_owned(), link)
}
