use directory::api::{Parameter, ParameterKind};
use directory::model::{Directory, Provider, ProviderType, StateCode};
use serde_json::{Value, json};

/// If possible, the provider accepts new patients in the state and offers the visit type.
pub(super) struct Examples<'a> {
    state: Option<StateCode>,
    slug: Option<&'a str>,
    visit_type: Option<i32>,
    plan: Option<&'a str>,
    professions: &'a [ProviderType],
}

impl<'a> Examples<'a> {
    pub(super) fn new(directory: &'a Directory) -> Self {
        let plan = directory.providers().iter().flat_map(Provider::plans).min();
        let state = StateCode::all().find(|&state| directory.offered_in(state).next().is_some());
        let visit_type = state.and_then(|state| directory.offered_in(state).next());
        let is_match = |provider: &&Provider| {
            state.is_some_and(|state| provider.accepting.contains(state))
                && visit_type.is_some_and(|visit_type| provider.visit_types.contains(&visit_type.id))
        };
        let provider = directory.providers().iter().find(is_match).or_else(|| directory.providers().first());
        Self {
            state,
            slug: provider.map(|provider| provider.slug.as_str()),
            visit_type: visit_type.map(|visit_type| visit_type.id.get()),
            plan: plan.map(|plan| directory.plan(plan).as_str()),
            professions: directory.professions(),
        }
    }

    fn value(&self, parameter: &Parameter) -> Value {
        let known = match parameter.kind {
            ParameterKind::State => self.state.map(|state| state.code().into()),
            ParameterKind::Plan => self.plan.map(Value::from),
            ParameterKind::Slug | ParameterKind::PathSlug => self.slug.map(Value::from),
            ParameterKind::VisitType => self.visit_type.map(Value::from),
            ParameterKind::Flag => Some(true.into()),
            ParameterKind::Count { default, .. } => Some(default.into()),
            _ => None,
        };
        known.unwrap_or_else(|| parameter.example.into())
    }
}

pub(super) fn describe(parameter: &Parameter, examples: &Examples<'_>) -> Value {
    let place = if parameter.kind == ParameterKind::PathSlug { "path" } else { "query" };
    json!({
        "name": parameter.name,
        "in": place,
        "required": parameter.required,
        "description": parameter.doc,
        "schema": schema(parameter, examples.professions),
        "example": examples.value(parameter),
    })
}

/// What a client should send: one plain type.
fn schema(parameter: &Parameter, professions: &[ProviderType]) -> Value {
    match parameter.kind {
        ParameterKind::State
        | ParameterKind::Plan
        | ParameterKind::Slug
        | ParameterKind::Language
        | ParameterKind::TimeZone => json!({ "type": "string" }),
        // Only the offset Z is accepted, which the format `date-time` cannot say; local times have none.
        ParameterKind::Time => json!({
            "type": "string", "pattern": "^\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\d(?::\\d\\dZ)?)?$"
        }),
        ParameterKind::Cursor => json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{55}$" }),
        ParameterKind::SearchText => json!({ "type": "string", "maxLength": 64 }),
        ParameterKind::Flag => json!({ "type": "boolean" }),
        ParameterKind::Word(_) | ParameterKind::Profession => {
            json!({ "type": "string", "enum": parameter.words(professions) })
        }
        ParameterKind::Count { default, .. } => json!({ "type": "integer", "default": default }),
        ParameterKind::VisitType => json!({ "type": "integer" }),
        // Paths, unlike queries, are not trimmed.
        ParameterKind::PathSlug => json!({
            "type": "string", "pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$", "maxLength": 64
        }),
    }
}
