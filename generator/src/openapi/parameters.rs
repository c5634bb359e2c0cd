//! Parameters: what each accepts, with a value that works on this very clinic.

use directory::api::{Parameter, ParameterKind};
use directory::model::{Directory, Provider, StateCode};
use serde_json::{Value, json};

use super::schemas::STATE;

/// Values of this clinic, one for each kind of parameter. They belong together: the provider takes new
/// patients in that state and offers that visit type.
pub(super) struct Examples<'a> {
    state: Option<StateCode>,
    slug: Option<&'a str>,
    visit_type: Option<i32>,
    /// Every plan that somebody takes.
    plans: Vec<&'a str>,
}

impl<'a> Examples<'a> {
    pub(super) fn new(directory: &'a Directory) -> Self {
        let mut plans: Vec<_> = directory.providers().iter().flat_map(Provider::plans).collect();
        plans.sort_unstable();
        plans.dedup();
        let state = StateCode::all().find(|&state| directory.offered_in(state).next().is_some());
        let visit_type = state.and_then(|state| directory.offered_in(state).next());
        let sees = |provider: &&Provider| {
            state.is_some_and(|state| provider.accepting().contains(state))
                && visit_type.is_some_and(|visit_type| provider.visit_types().contains(&visit_type.id()))
        };
        let provider = directory.providers().iter().find(sees).or_else(|| directory.providers().first());
        Self {
            state,
            slug: provider.map(|provider| provider.slug().as_str()),
            visit_type: visit_type.map(|visit_type| visit_type.id().get()),
            plans: plans.into_iter().map(|plan| directory.plan(plan).as_str()).collect(),
        }
    }

    fn of(&self, parameter: &Parameter) -> Value {
        let known = match parameter.kind {
            ParameterKind::State => self.state.map(|state| state.code().into()),
            ParameterKind::Plan => self.plans.first().map(|&plan| plan.into()),
            ParameterKind::Slug | ParameterKind::PathSlug => self.slug.map(Value::from),
            ParameterKind::VisitType => self.visit_type.map(Value::from),
            ParameterKind::Word(_) => None,
            ParameterKind::Count { default, .. } => Some(default.into()),
        };
        known.unwrap_or_else(|| parameter.example.into())
    }
}

/// A parameter object.
pub(super) fn describe(parameter: &Parameter, examples: &Examples<'_>) -> Value {
    let place = if parameter.kind == ParameterKind::PathSlug { "path" } else { "query" };
    json!({
        "name": parameter.name,
        "in": place,
        "required": parameter.required,
        "description": parameter.doc,
        "schema": schema(parameter, examples),
        "example": examples.of(parameter),
    })
}

/// What is accepted without an error.
fn schema(parameter: &Parameter, examples: &Examples<'_>) -> Value {
    let given = match parameter.kind {
        ParameterKind::State => json!({ "$ref": format!("#/components/schemas/{STATE}") }),
        // Where no plan is taken, no value is right.
        ParameterKind::Plan if examples.plans.is_empty() => {
            return json!({ "type": "string", "maxLength": 0 });
        }
        ParameterKind::Plan => json!({ "type": "string", "enum": examples.plans }),
        ParameterKind::Word(words) => json!({ "type": "string", "enum": words }),
        ParameterKind::Count { default, .. } => json!({ "type": "integer", "default": default }),
        ParameterKind::VisitType => json!({ "type": "integer" }),
        ParameterKind::Slug | ParameterKind::PathSlug => json!({
            "type": "string", "pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$", "maxLength": 64
        }),
    };
    if parameter.required {
        return given;
    }
    // Empty is not given.
    json!({ "anyOf": [given, { "type": "string", "maxLength": 0 }] })
}
