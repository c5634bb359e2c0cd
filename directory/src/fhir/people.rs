//! Clinicians, and their roles: one in each state of licensure, because new patients and plans differ by state.

use std::borrow::Cow;

use rayon::prelude::*;
use serde::Serialize;

use super::context::Context;
use super::data::{Coding, Concept, Contact, Extension, Identifier, Meta, Reference};
use super::ids;
use super::organisation::new_patients;
use super::resource::Resource;
use super::systems::{
    LANGUAGE, NETWORK, NPI, PRACTITIONER_PROFILE, QUALIFICATION, ROLE, ROLE_PROFILE, STATE, TAXONOMY,
    VERIFICATION, VERIFICATION_CODE,
};
use crate::model::{Gender, Headshot, Listing, NameParts, Provider, ProviderType, StateCode};

const SOCIETY: &str = "The Menopause Society";
const SOCIETY_CERTIFICATE: &str = "Menopause Society Certified Practitioner";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Practitioner<'a> {
    resource_type: &'static str,
    id: &'a str,
    meta: Meta,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extension: Vec<Extension<'a>>,
    identifier: [Identifier<'a>; 1],
    active: bool,
    name: [HumanName<'a>; 1],
    telecom: [Contact<'a>; 1],
    gender: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    photo: Vec<Attachment<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    qualification: Vec<Qualification<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    communication: Vec<Concept<'a>>,
}

#[derive(Serialize)]
struct HumanName<'a> {
    text: &'a str,
    family: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    given: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suffix: Vec<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Attachment<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    content_type: Option<&'static str>,
    url: Cow<'a, str>,
}

#[derive(Serialize)]
struct Qualification<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extension: Vec<Extension<'a>>,
    code: Concept<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<Since>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issuer: Option<Reference<'a>>,
}

/// A period without an end: with an end, readers would take a degree for expired.
#[derive(Serialize)]
struct Since {
    start: String,
}

pub(super) fn practitioners(context: &Context<'_>) -> Vec<Resource> {
    let providers = context.directory.providers().par_iter();
    providers.map(|provider| practitioner(context, provider)).collect()
}

pub(super) fn find_practitioner(context: &Context<'_>, id: &str) -> Option<Resource> {
    let provider = context.directory.with_id(id).map(|number| context.directory.provider(number))?;
    Some(practitioner(context, provider))
}

fn practitioner(context: &Context<'_>, provider: &Provider) -> Resource {
    let id = provider.id.as_str();
    let identifier = match context.npi(provider) {
        Some(npi) => Identifier { system: NPI, value: npi },
        None => Identifier { system: &context.providers, value: id },
    };
    let NameParts { family, given, generation } = provider.name_parts();
    let credentials = provider.credentials.split(',').map(str::trim).filter(|word| !word.is_empty());
    let suffix = generation.into_iter().chain(credentials);
    let photo = context.directory.headshot_url(provider);
    let languages = provider.languages.iter();
    let practitioner = Practitioner {
        resource_type: "Practitioner",
        id,
        meta: Meta::of(PRACTITIONER_PROFILE),
        extension: unconfirmed(provider).into_iter().collect(),
        identifier: [identifier],
        active: true,
        name: [HumanName { text: &provider.display_name, family, given, suffix: suffix.collect() }],
        telecom: [Contact::url(context.directory.profile_url(provider))],
        gender: match provider.gender {
            Gender::Female => "female",
            Gender::Male => "male",
            Gender::NonBinary | Gender::Other => "other",
            Gender::PreferNotToSay => "unknown",
        },
        photo: photo
            .map(|url| Attachment { content_type: picture_type(provider), url })
            .into_iter()
            .collect(),
        qualification: qualifications(provider),
        communication: languages
            .map(|language| Concept::of(Coding::of(LANGUAGE, language.code()).shown(language.name())))
            .collect(),
    };
    Resource::of(id, &practitioner)
}

/// The extension for an entry that could not be confirmed. Pages say the same in words.
fn unconfirmed(provider: &Provider) -> Option<Extension<'_>> {
    (provider.record.listing == Listing::Unconfirmed)
        .then(|| Extension::coding(VERIFICATION, Coding::of(VERIFICATION_CODE, "incomplete")))
}

fn picture_type(provider: &Provider) -> Option<&'static str> {
    let extension = match provider.headshot.as_ref()? {
        Headshot::File { extension, .. } => extension,
        Headshot::Address(address) => {
            let path = address.split(['?', '#']).next().unwrap_or_default();
            path.rsplit_once('.').map_or("", |(_, extension)| extension)
        }
    };
    match extension.to_ascii_lowercase().as_str() {
        "jpg" | "jpeg" => Some("image/jpeg"),
        "png" => Some("image/png"),
        "svg" => Some("image/svg+xml"),
        "webp" => Some("image/webp"),
        _ => None,
    }
}

fn qualifications(provider: &Provider) -> Vec<Qualification<'_>> {
    let licensed = match provider.provider_type {
        ProviderType::Physician => "Licensed physician",
        ProviderType::NursePractitioner => "Licensed nurse practitioner",
    };
    let licences = provider.licensed.iter().map(|state| Qualification {
        extension: vec![Extension::parts(
            QUALIFICATION,
            vec![
                Extension::code("status", "active"),
                Extension::coding("whereValid", Coding::of(STATE, state.code())),
            ],
        )],
        code: Concept::text(licensed),
        period: None,
        issuer: None,
    });
    let degrees = provider.education.iter().map(|entry| Qualification {
        extension: Vec::new(),
        code: Concept::text(format!("{}, {}", entry.degree, entry.field)),
        period: Some(Since { start: entry.year.to_string() }),
        issuer: Some(Reference::named(&entry.institution)),
    });
    let is_of_the_society = |issuer: &str| issuer.trim().eq_ignore_ascii_case(SOCIETY);
    let mut named_society = false;
    let certificates = provider.certifications.iter().filter(|entry| {
        let is_repeated = is_of_the_society(&entry.issuer) && named_society;
        named_society |= is_of_the_society(&entry.issuer);
        !is_repeated
    });
    let certificate = |issuer, name| Qualification {
        extension: Vec::new(),
        code: Concept::text(name),
        period: None,
        issuer: Some(Reference::named(issuer)),
    };
    let certificates: Vec<_> =
        certificates.map(|entry| certificate(entry.issuer.as_str(), entry.name.as_str())).collect();
    let society = (provider.menopause_society_certified && !named_society)
        .then(|| certificate(SOCIETY, SOCIETY_CERTIFICATE));
    licences.chain(degrees).chain(certificates).chain(society).collect()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PractitionerRole<'a> {
    resource_type: &'static str,
    id: &'a str,
    meta: Meta,
    extension: Vec<Extension<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    identifier: Vec<Identifier<'a>>,
    active: bool,
    practitioner: Reference<'a>,
    organization: Reference<'a>,
    code: [Concept<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    specialty: Vec<Concept<'a>>,
    location: [Reference<'a>; 1],
    telecom: [Contact<'a>; 1],
}

pub(super) fn roles(context: &Context<'_>) -> Vec<Resource> {
    let providers = context.directory.providers().par_iter();
    providers
        .flat_map_iter(|provider| provider.licensed.iter().map(move |state| role(context, provider, state)))
        .collect()
}

pub(super) fn find_role(context: &Context<'_>, id: &str) -> Option<Resource> {
    let (provider, state) = id.rsplit_once('.')?;
    let provider = ids::provider_of(context.directory, provider)?;
    let state = provider.licensed.iter().find(|licensed| licensed.code() == state)?;
    Some(role(context, provider, state))
}

/// The id of a provider's role in a state.
pub(super) fn role_id(provider: &Provider, state: StateCode) -> String {
    format!("{}.{state}", ids::part(&provider.id))
}

fn role(context: &Context<'_>, provider: &Provider, state: StateCode) -> Resource {
    let id = role_id(provider, state);
    let takes_new = provider.accepting.contains(state);
    let plans = provider.plans_in(state).iter().map(|&plan| context.directory.plan(plan).as_str());
    let networks = plans.map(|plan| Extension::reference(NETWORK, Reference::named(plan)));
    let (code, display) = match provider.provider_type {
        ProviderType::Physician => ("ph", "Physician"),
        ProviderType::NursePractitioner => ("crnp", "Certified Registered Nurse Practitioner"),
    };
    let specialties = provider.specialties().into_iter();
    let role = PractitionerRole {
        resource_type: "PractitionerRole",
        id: &id,
        meta: Meta::of(ROLE_PROFILE),
        extension: [new_patients(if takes_new { "newpt" } else { "nopt" })]
            .into_iter()
            .chain(networks)
            .chain(unconfirmed(provider))
            .collect(),
        identifier: context
            .npi(provider)
            .map(|value| Identifier { system: NPI, value })
            .into_iter()
            .collect(),
        active: true,
        practitioner: Reference::to("Practitioner", provider.id.as_str()).shown(&provider.display_name),
        organization: context.organisation(),
        code: [Concept::of(Coding::of(ROLE, code).shown(display))],
        specialty: specialties
            .map(|(code, name)| Concept::of(Coding::of(TAXONOMY, code).shown(name)))
            .collect(),
        location: [Reference::to("Location", state.code())],
        telecom: [Contact::url(context.directory.profile_url(provider))],
    };
    let resource = Resource::of(String::new(), &role);
    Resource { id, ..resource }
}
