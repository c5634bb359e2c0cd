//! The published types: they serialize to the specification's fields, in its order. The JSON Schemas of OpenAPI and of
//! MCP tools come from them and contain their doc comments.

mod providers;
mod slots;

use bytes::Bytes;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::operation::OperationId;
use crate::model::{Directory, ProviderType, StateCode, StateSet, VisitType};
pub(crate) use providers::{ProviderPage, ProviderProfile, ProviderSummary, UsedConcept};
pub(crate) use slots::{AfterSlots, BookableType, Booking, Explained, Slot, SlotList};

pub(crate) fn to_json<T: Serialize>(value: &T) -> Bytes {
    // Fails only for maps whose keys are not text; no type here has one.
    serde_json::to_vec(value).unwrap_or_default().into()
}

#[derive(Debug, Serialize)]
pub(crate) struct ErrorBody<'a> {
    pub(crate) code: &'a str,
    pub(crate) message: &'a str,
}

/// The answer of the states operation.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "StateListResponse")]
pub(crate) struct StateList {
    /// The states where care can be booked, by code.
    states: Vec<StateEntry>,
}

/// A state where care can be booked.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct StateEntry {
    /// US state code. Every other state-scoped call uses these codes.
    code: &'static str,
    /// State name.
    name: &'static str,
    /// Number of appointment types in that state.
    appointment_type_count: usize,
}

impl StateList {
    pub(crate) fn new(directory: &Directory) -> Self {
        let entries = StateCode::all().map(|state| StateEntry {
            code: state.code(),
            name: state.name(),
            appointment_type_count: directory.offered_in(state).count(),
        });
        Self { states: entries.filter(|entry| entry.appointment_type_count > 0).collect() }
    }
}

/// The answer of the insurances operation.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InsuranceListResponse")]
pub(crate) struct InsuranceList<'a> {
    /// The applied state filter; null when there was none.
    state: Option<&'static str>,
    /// Accepted plan names. These are the only accepted values of the `insurance` filter on provider search.
    insurances: Vec<&'a str>,
}

impl<'a> InsuranceList<'a> {
    pub(crate) fn new(directory: &'a Directory, state: Option<StateCode>) -> Self {
        let mut is_accepted = vec![false; directory.plans().len()];
        for (other, plans) in directory.providers().iter().flat_map(|provider| &provider.insurance) {
            if state.is_none_or(|state| state == *other) {
                for plan in plans {
                    is_accepted[plan.index()] = true;
                }
            }
        }
        let accepted = directory.plans().iter().zip(is_accepted).filter(|(_, is_accepted)| *is_accepted);
        let insurances = accepted.map(|(plan, _)| plan.as_str()).collect();
        Self { state: state.map(StateCode::code), insurances }
    }
}

/// The answer of the appointment types operation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AppointmentTypeListResponse")]
pub(crate) struct VisitTypeList<'a> {
    /// The applied state filter; null when there was none.
    state: Option<&'static str>,
    /// The visit types that are offered, by id.
    appointment_types: Vec<VisitTypeEntry<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AppointmentType")]
struct VisitTypeEntry<'a> {
    /// Used as the `appointmentType` filter on availability.
    id: i32,
    /// The name to show.
    name: &'a str,
    /// Patient-friendly text.
    description: &'a str,
    /// How it happens: by video at an appointment, or by message without one.
    #[schemars(extend("enum" = crate::model::Modality::WORDS))]
    modality: &'static str,
    /// Whether new patients may book it.
    new_patient_eligible: bool,
    /// US states where it is offered. When a state filter is applied, only that state is reported.
    states: Vec<&'static str>,
}

impl<'a> VisitTypeList<'a> {
    pub(crate) fn new(directory: &'a Directory, state: Option<StateCode>) -> Self {
        let scope = state.map_or_else(StateSet::all, |state| StateSet::from_iter([state]));
        let entry = |visit_type: &'a VisitType| VisitTypeEntry {
            id: visit_type.id.get(),
            name: &visit_type.name,
            description: &visit_type.description,
            modality: visit_type.modality.word(),
            new_patient_eligible: visit_type.new_patient_eligible,
            states: codes(directory.offered(visit_type.id).intersection(scope)),
        };
        let offered = directory.visit_types().iter().map(entry).filter(|entry| !entry.states.is_empty());
        Self { state: state.map(StateCode::code), appointment_types: offered.collect() }
    }
}

/// Why a list is empty.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Reason {
    /// The reason, for programs.
    pub(crate) code: &'static str,
    /// The reason, for people.
    pub(crate) message: String,
}

/// The JSON Schema of an operation's answer in a directory of these professions, without references.
pub fn answer_schema(operation: OperationId, professions: &[ProviderType]) -> Schema {
    let all = Value::from(ProviderType::WORDS);
    let listed: Value = professions.iter().map(|profession| profession.word()).collect();
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.contract = schemars::generate::Contract::Serialize;
    settings.transforms.push(Box::new(RecursiveTransform(remove_integer_formats)));
    settings.transforms.push(Box::new(RecursiveTransform(move |schema: &mut Schema| {
        if schema.get("enum") == Some(&all) {
            schema.insert("enum".to_owned(), listed.clone());
        }
    })));
    root_schema(settings.into_generator(), operation)
}

/// Removes formats such as `uint16`, which validators do not know.
fn remove_integer_formats(schema: &mut Schema) {
    let is_integer = |format: &Value| format.as_str().is_some_and(|format| format.starts_with("uint"));
    if schema.get("format").is_some_and(is_integer) {
        schema.remove("format");
    }
}

fn root_schema(generator: SchemaGenerator, operation: OperationId) -> Schema {
    match operation {
        OperationId::States => generator.into_root_schema_for::<StateList>(),
        OperationId::Insurances => generator.into_root_schema_for::<InsuranceList<'_>>(),
        OperationId::Providers => generator.into_root_schema_for::<ProviderPage<'_, ProviderProfile<'_>>>(),
        OperationId::ProviderSummaries => {
            let mut schema = generator.into_root_schema_for::<ProviderPage<'_, ProviderSummary<'_>>>();
            schema.insert("title".to_owned(), "ProviderSummaryListResponse".into());
            schema.insert("description".to_owned(), "One page of clinicians, as summaries.".into());
            schema
        }
        OperationId::Provider => generator.into_root_schema_for::<ProviderProfile<'_>>(),
        OperationId::AppointmentTypes => generator.into_root_schema_for::<VisitTypeList<'_>>(),
        OperationId::Availability => generator.into_root_schema_for::<SlotList<'_>>(),
    }
}

fn codes(states: StateSet) -> Vec<&'static str> {
    states.iter().map(StateCode::code).collect()
}
