//! Clinicians: pages of them, profiles and summaries.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Reason, codes};
use crate::model::{Directory, Leave, PlanNumber, Provider};

/// One page of clinicians.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ProviderDirectoryListResponse")]
pub(crate) struct ProviderPage<'a, P> {
    /// Total matching providers.
    pub(crate) total: usize,
    /// Applied limit.
    pub(crate) limit: i64,
    /// Applied offset.
    pub(crate) offset: i64,
    /// The page of results.
    pub(crate) providers: Vec<P>,
    /// With `explain`, where words of `q` mean interests: which.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) concepts: Vec<UsedConcept<'a>>,
    /// With `explain`: why the list is empty, or null.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Reason>")]
    #[expect(clippy::option_option, reason = "absent, null and a reason are three answers")]
    pub(crate) reason: Option<Option<Reason>>,
}

/// Words of a search and the interests that they mean.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct UsedConcept<'a> {
    /// As they stand in `q`.
    pub(crate) typed: String,
    /// Clinicians with one of these are found.
    pub(crate) interests: &'a [String],
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
    /// The stated gender.
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(description = LEAVE)]
    leave: Vec<LeaveEntry>,
}

impl<'a> ProviderSummary<'a> {
    pub(crate) fn new(directory: &'a Directory, provider: &'a Provider) -> Self {
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
            leave: provider.leave.iter().copied().map(LeaveEntry::new).collect(),
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
    /// The stated gender.
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
    /// Accepted plans.
    accepted_insurance: Vec<&'a str>,
    /// Accepted plans by state code; a state where none is accepted is absent.
    accepted_insurance_by_state: BTreeMap<&'static str, Vec<&'a str>>,
    /// The visit types offered.
    appointment_types: Vec<ProfileVisitType<'a>>,
    /// State codes of licensure.
    states_licensed: Vec<&'static str>,
    /// State codes where new patients are currently taken.
    states_accepting_patients: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(description = LEAVE)]
    leave: Vec<LeaveEntry>,
}

const LEAVE: &str = "Days without patients, new ones included.";

// Profiles change with the content alone, so whether the leave is past or to come is for the reader to see.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Leave")]
struct LeaveEntry {
    /// The first day.
    from: String,
    /// The first day back; null: until further notice.
    until: Option<String>,
}

impl LeaveEntry {
    fn new(leave: Leave) -> Self {
        Self { from: leave.from.to_string(), until: leave.until.map(|date| date.to_string()) }
    }
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
    pub(crate) fn new(directory: &'a Directory, provider: &'a Provider) -> Self {
        let education = provider.education.iter().map(|entry| EducationEntry {
            degree: &entry.degree,
            field: &entry.field,
            institution: &entry.institution,
            year: entry.year,
        });
        let certifications = provider.certifications.iter();
        let certifications =
            certifications.map(|entry| CertificationEntry { issuer: &entry.issuer, name: &entry.name });
        let by_state = provider.insurance.iter();
        let by_state = by_state.map(|(state, plans)| (state.code(), plan_names(directory, plans)));
        let visit_types = provider.visit_types.iter().filter_map(|&id| directory.visit_type(id));
        let visit_types = visit_types.map(|visit_type| ProfileVisitType {
            id: visit_type.id.get(),
            name: &visit_type.name,
            states: codes(visit_type.states.intersection(provider.licensed)),
            description: &visit_type.description,
        });
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
            education: education.collect(),
            certifications: certifications.collect(),
            accepted_insurance: plan_names(directory, &provider.plans()),
            accepted_insurance_by_state: by_state.collect(),
            appointment_types: visit_types.collect(),
            states_licensed: codes(provider.licensed),
            states_accepting_patients: codes(provider.accepting),
            leave: provider.leave.iter().copied().map(LeaveEntry::new).collect(),
        }
    }
}

fn plan_names<'a>(directory: &'a Directory, plans: &[PlanNumber]) -> Vec<&'a str> {
    plans.iter().map(|&plan| directory.plan(plan).as_str()).collect()
}
