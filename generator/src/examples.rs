//! The operations as the docs page shows them, with examples that work on this very clinic.

use directory::api::{Fault, Operation, OperationId, Parameter, ProviderSearch, Question, Request};
use directory::api::{SlotSearch, Snapshot};
use directory::model::{Directory, StateCode};
use serde_json::{Value, json};

/// One operation: `path`, `tool`, `title`, `doc`, `parameters` {name, required, doc}, and
/// `example` {path, arguments}.
pub(crate) fn describe(operation: &Operation, snapshot: &Snapshot) -> Value {
    let example = Request::from(example(operation.id, snapshot.directory()));
    json!({
        "path": operation.path,
        "tool": operation.tool,
        "title": operation.title,
        "doc": operation.doc,
        "parameters": operation.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "example": {
            "path": example.path_and_query(),
            "arguments": Value::from(example.arguments()).to_string(),
        },
    })
}

/// The body of an error, as a program would see it.
pub(crate) fn error() -> String {
    String::from_utf8_lossy(&Fault::not_found().body()).into_owned()
}

fn parameter(parameter: &Parameter) -> Value {
    json!({ "name": parameter.name, "required": parameter.required, "doc": parameter.doc })
}

/// A question of this kind that finds something here, if anything here can be found.
pub(crate) fn example(operation: OperationId, directory: &Directory) -> Question {
    let covered = |state: &StateCode| directory.offered_in(*state).next().is_some();
    let state = StateCode::all().find(covered).or_else(|| StateCode::all().next());
    match (operation, state) {
        (OperationId::Insurances, _) => Question::Insurances { state },
        (OperationId::AppointmentTypes, _) => Question::AppointmentTypes { state },
        (OperationId::Providers, _) => {
            Question::Providers(ProviderSearch { state, limit: 5, ..ProviderSearch::default() })
        }
        (OperationId::Provider, _) => {
            let slug = directory.providers().first().map(|provider| provider.slug().as_str().to_owned());
            Question::Provider { slug: slug.unwrap_or_default() }
        }
        (OperationId::Availability, Some(state)) => {
            Question::Availability(SlotSearch { limit: 5, ..SlotSearch::of(state) })
        }
        (OperationId::States | OperationId::Availability, _) => Question::States,
    }
}
