//! The published types: they serialize to the specification's fields, in its order.
//!
//! The JSON Schemas of OpenAPI and of MCP tools come from the same types. The doc comments of these types are published
//! with the schemas.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytes::Bytes;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::operation::OperationId;
use crate::calendar::Instant;
use crate::model::{Directory, PlanNumber, Provider, StateCode, StateSet, VisitType};

/// Compact JSON.
pub(crate) fn to_json<T: Serialize>(value: &T) -> Bytes {
    // Fails only for maps whose keys are not text; no type here has one.
    serde_json::to_vec(value).unwrap_or_default().into()
}

/// The error body.
#[derive(Debug, Serialize, JsonSchema)]
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
    pub(crate) fn of(directory: &Directory) -> Self {
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
    pub(crate) fn of(directory: &'a Directory, state: Option<StateCode>) -> Self {
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

// Used for the schema only: `search` writes the bytes itself, from serialized profiles.
/// One page of clinicians.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ProviderDirectoryListResponse")]
pub(crate) struct ProviderPage<'a> {
    /// Total matching providers.
    pub(crate) total: usize,
    /// Applied limit.
    pub(crate) limit: i64,
    /// Applied offset.
    pub(crate) offset: i64,
    /// The page of results.
    pub(crate) providers: Vec<ProviderProfile<'a>>,
    /// With `explain`: why nobody matches; null when somebody does. Else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Reason>")]
    pub(crate) reason: Option<Option<Reason>>,
}

// Used for the schema only, as `ProviderPage`.
/// One page of clinicians in short.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ProviderSummaryListResponse")]
pub(crate) struct SummaryPage<'a> {
    /// Total matching providers.
    pub(crate) total: usize,
    /// Applied limit.
    pub(crate) limit: i64,
    /// Applied offset.
    pub(crate) offset: i64,
    /// The page of results.
    pub(crate) providers: Vec<ProviderSummary<'a>>,
    /// With `explain`: why nobody matches; null when somebody does. Else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Reason>")]
    pub(crate) reason: Option<Option<Reason>>,
}

/// A clinician as lists show it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ProviderSummary")]
pub(crate) struct ProviderSummary<'a> {
    /// Provider identifier.
    id: &'a str,
    /// Key used in paths, filters and slots.
    slug: &'a str,
    /// The name to show.
    display_name: &'a str,
    /// Degrees and certificates as they follow the name: "MD, FACOG".
    credentials: &'a str,
    /// The kind of clinician.
    #[schemars(extend("enum" = crate::model::ProviderType::WORDS))]
    provider_type: &'static str,
    /// The gender that the clinician states.
    #[schemars(extend("enum" = crate::model::Gender::WORDS))]
    gender: &'static str,
    /// Portrait image URL; null when the clinician has none.
    headshot_url: Option<Cow<'a, str>>,
    /// Canonical URL of the provider's public profile. Use it instead of building links.
    profile_url: String,
    /// Whether The Menopause Society has certified the clinician.
    menopause_society_certified: bool,
    /// Fields of special interest, as the clinician words them.
    clinical_interests: &'a [String],
    /// State codes of licensure.
    states_licensed: Vec<&'static str>,
    /// State codes where new patients are currently taken.
    states_accepting_patients: Vec<&'static str>,
    /// The languages that the clinician speaks, by their English names.
    languages: Vec<&'static str>,
}

impl<'a> ProviderSummary<'a> {
    pub(crate) fn of(directory: &'a Directory, provider: &'a Provider) -> Self {
        Self {
            id: provider.id.as_str(),
            slug: provider.slug.as_str(),
            display_name: &provider.display_name,
            credentials: &provider.credentials,
            provider_type: provider.provider_type.word(),
            gender: provider.gender.word(),
            headshot_url: directory.headshot_url(provider),
            profile_url: directory.profile_url(provider),
            menopause_society_certified: provider.menopause_society_certified,
            clinical_interests: &provider.clinical_interests,
            states_licensed: codes(provider.licensed),
            states_accepting_patients: codes(provider.accepting),
            languages: provider.languages.iter().map(|language| language.name()).collect(),
        }
    }
}

/// A clinician's public profile.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PublicProviderProfile")]
pub(crate) struct ProviderProfile<'a> {
    /// Provider identifier.
    id: &'a str,
    /// Key used in paths, filters and slots.
    slug: &'a str,
    /// The name to show.
    display_name: &'a str,
    /// Degrees and certificates as they follow the name: "MD, FACOG".
    credentials: &'a str,
    /// The kind of clinician.
    #[schemars(extend("enum" = crate::model::ProviderType::WORDS))]
    provider_type: &'static str,
    /// The gender that the clinician states.
    #[schemars(extend("enum" = crate::model::Gender::WORDS))]
    gender: &'static str,
    /// Biography: plain text, paragraphs separated by an empty line.
    bio: &'a str,
    /// Portrait image URL; null when the clinician has none.
    headshot_url: Option<Cow<'a, str>>,
    /// Canonical URL of the provider's public profile. Use it instead of building links.
    profile_url: String,
    /// Whether The Menopause Society has certified the clinician.
    menopause_society_certified: bool,
    /// Fields of special interest, as the clinician words them.
    clinical_interests: &'a [String],
    /// Degrees and training.
    education: Vec<EducationEntry<'a>>,
    /// Board and other certifications.
    certifications: Vec<CertificationEntry<'a>>,
    /// Accepted plans, in any state.
    accepted_insurance: Vec<&'a str>,
    /// Accepted plans by state code; a state where none is accepted is absent.
    accepted_insurance_by_state: BTreeMap<&'static str, Vec<&'a str>>,
    /// The visit types that the clinician offers.
    appointment_types: Vec<ProfileVisitType<'a>>,
    /// State codes of licensure.
    states_licensed: Vec<&'static str>,
    /// State codes where new patients are currently taken.
    states_accepting_patients: Vec<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Education")]
struct EducationEntry<'a> {
    /// Such as MD or Residency.
    degree: &'a str,
    /// The subject.
    field: &'a str,
    /// Where it was earned.
    institution: &'a str,
    /// When it was completed.
    year: u16,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Certification")]
struct CertificationEntry<'a> {
    /// Who certifies.
    issuer: &'a str,
    /// What is certified.
    name: &'a str,
}

/// A visit type as one clinician offers it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ProfileAppointmentType")]
struct ProfileVisitType<'a> {
    /// The id that availability takes.
    id: i32,
    /// The name to show.
    name: &'a str,
    /// Where this clinician offers the visit type.
    states: Vec<&'static str>,
    /// Patient-friendly text.
    description: &'a str,
}

impl<'a> ProviderProfile<'a> {
    pub(crate) fn of(directory: &'a Directory, provider: &'a Provider) -> Self {
        let by_state = provider.insurance.iter();
        let visit_types = provider.visit_types.iter().filter_map(|&id| directory.visit_type(id));
        Self {
            id: provider.id.as_str(),
            slug: provider.slug.as_str(),
            display_name: &provider.display_name,
            credentials: &provider.credentials,
            provider_type: provider.provider_type.word(),
            gender: provider.gender.word(),
            bio: &provider.bio,
            headshot_url: directory.headshot_url(provider),
            profile_url: directory.profile_url(provider),
            menopause_society_certified: provider.menopause_society_certified,
            clinical_interests: &provider.clinical_interests,
            education: provider
                .education
                .iter()
                .map(|entry| EducationEntry {
                    degree: &entry.degree,
                    field: &entry.field,
                    institution: &entry.institution,
                    year: entry.year,
                })
                .collect(),
            certifications: provider
                .certifications
                .iter()
                .map(|entry| CertificationEntry { issuer: &entry.issuer, name: &entry.name })
                .collect(),
            accepted_insurance: plan_names(directory, &provider.plans()),
            accepted_insurance_by_state: by_state
                .map(|(state, plans)| (state.code(), plan_names(directory, plans)))
                .collect(),
            appointment_types: visit_types
                .map(|visit_type| ProfileVisitType {
                    id: visit_type.id.get(),
                    name: &visit_type.name,
                    states: codes(visit_type.states.intersection(provider.licensed)),
                    description: &visit_type.description,
                })
                .collect(),
            states_licensed: codes(provider.licensed),
            states_accepting_patients: codes(provider.accepting),
        }
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
    /// How it is held: by video at an appointment, or by message without one.
    #[schemars(extend("enum" = crate::model::Modality::WORDS))]
    modality: &'static str,
    /// Whether new patients may book it.
    new_patient_eligible: bool,
    /// US states where it is offered. When a state filter is applied, only that state is reported.
    states: Vec<&'static str>,
}

impl<'a> VisitTypeList<'a> {
    pub(crate) fn of(directory: &'a Directory, state: Option<StateCode>) -> Self {
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

/// The answer of the availability operation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AvailabilityResponse")]
pub(crate) struct SlotList<'a> {
    /// Open slots, earliest first.
    pub(crate) slots: Vec<Slot<'a>>,
    /// Earliest slot start; null when nothing is open.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub(crate) next_available: Option<Instant>,
    /// Echo of the state searched.
    pub(crate) state: &'static str,
    /// Echo of the appointment type filter; null when there was none.
    pub(crate) appointment_type: Option<i64>,
    /// Echo of the provider slug filter; null when there was none.
    pub(crate) provider: Option<&'a str>,
    /// Echo of the insurance filter; absent when there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) insurance: Option<&'a str>,
    /// Echo of the gender filter; absent when there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = crate::model::Gender::WORDS))]
    pub(crate) gender: Option<&'a str>,
    /// Echo of the kind of clinician; absent when there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = crate::model::ProviderType::WORDS))]
    pub(crate) provider_type: Option<&'a str>,
    /// Echo of the language filter: its English name; absent when there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) language: Option<&'a str>,
    /// Echo of the earliest start; absent when there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub(crate) from: Option<Instant>,
    /// "provider" when each clinician's first slot alone was asked for; else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = ["provider"]))]
    pub(crate) one_per: Option<&'a str>,
    /// True when only visit types for new patients were asked for; else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub(crate) new_patients: Option<bool>,
    /// True when there are more slots than `limit` and one of the fields before it was asked for, or `explain`; else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub(crate) truncated: Option<bool>,
    /// With `explain`: why the list is empty; null when it is not. Else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Reason>")]
    pub(crate) reason: Option<Option<Reason>>,
}

/// Why a list is empty.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Reason {
    /// The reason, for programs.
    pub(crate) code: &'static str,
    /// The reason, for people.
    pub(crate) message: String,
}

/// An open slot.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Slot<'a> {
    /// ISO 8601 in UTC.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub(crate) start_time: Instant,
    /// The clinician whose slot it is.
    pub(crate) provider_slug: &'a str,
}

impl Serialize for Instant {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The JSON Schema of an operation's answer, without references.
#[must_use]
pub fn answer_schema(operation: OperationId) -> Schema {
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.contract = schemars::generate::Contract::Serialize;
    settings.transforms.push(Box::new(RecursiveTransform(remove_integer_formats)));
    let generator = settings.into_generator();
    root_schema(generator, operation)
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
        OperationId::Providers => generator.into_root_schema_for::<ProviderPage<'_>>(),
        OperationId::ProviderSummaries => generator.into_root_schema_for::<SummaryPage<'_>>(),
        OperationId::Provider => generator.into_root_schema_for::<ProviderProfile<'_>>(),
        OperationId::AppointmentTypes => generator.into_root_schema_for::<VisitTypeList<'_>>(),
        OperationId::Availability => generator.into_root_schema_for::<SlotList<'_>>(),
    }
}

fn codes(states: StateSet) -> Vec<&'static str> {
    states.iter().map(StateCode::code).collect()
}

fn plan_names<'a>(directory: &'a Directory, plans: &[PlanNumber]) -> Vec<&'a str> {
    plans.iter().map(|&plan| directory.plan(plan).as_str()).collect()
}
