//! Clinicians, and their roles: one in each state of licensure, because new patients and plans differ by state.

use rayon::prelude::*;
use serde_json::{Value, json};

use super::context::Context;
use super::data::{coded, concept, identifier, parts, reference, url};
use super::ids;
use super::organisation::new_patients;
use super::resource::Resource;
use super::systems::{
    LANGUAGE, NETWORK, NPI, PRACTITIONER_PROFILE, QUALIFICATION, ROLE, ROLE_PROFILE, STATE, TAXONOMY,
    VERIFICATION, VERIFICATION_CODE,
};
use directory::model::{Gender, Headshot, Listing, NameParts, Provider, ProviderType, StateCode};

const SOCIETY: &str = "The Menopause Society";
const SOCIETY_CERTIFICATE: &str = "Menopause Society Certified Practitioner";

pub(crate) fn practitioners(context: &Context<'_>) -> Vec<Resource> {
    let providers = context.directory.providers().par_iter();
    providers.map(|provider| practitioner(context, provider)).collect()
}

pub(crate) fn find_practitioner(context: &Context<'_>, id: &str) -> Option<Resource> {
    let provider = context.directory.with_id(id).map(|number| context.directory.provider(number))?;
    Some(practitioner(context, provider))
}

fn practitioner(context: &Context<'_>, provider: &Provider) -> Resource {
    let id = provider.id.as_str();
    let NameParts { family, given, generation } = provider.name_parts();
    let credentials = provider.credentials.split(',').map(str::trim).filter(|word| !word.is_empty());
    let suffix: Vec<&str> = generation.into_iter().chain(credentials).collect();
    let photo = context.directory.headshot_url(provider).into_iter();
    let photo = photo.map(|url| json!({ "contentType": picture_type(provider), "url": url }));
    let languages = provider.languages.iter();
    let languages = languages.map(|language| concept(LANGUAGE, language.code(), Some(language.name())));
    let practitioner = json!({
        "resourceType": "Practitioner",
        "id": id,
        "meta": { "profile": [PRACTITIONER_PROFILE] },
        "extension": unconfirmed(provider).into_iter().collect::<Vec<_>>(),
        "identifier": [match context.npi(provider) {
            Some(npi) => identifier(NPI, npi),
            None => identifier(&context.providers, id),
        }],
        "active": true,
        "name": [{ "text": provider.display_name, "family": family, "given": given, "suffix": suffix }],
        "telecom": [url(&context.directory.profile_url(provider))],
        "gender": match provider.gender {
            Gender::Female => "female",
            Gender::Male => "male",
            Gender::NonBinary | Gender::Other => "other",
            Gender::PreferNotToSay => "unknown",
        },
        "photo": photo.collect::<Vec<_>>(),
        "qualification": qualifications(provider),
        "communication": languages.collect::<Vec<_>>(),
    });
    Resource::of(id, practitioner)
}

/// The extension for an entry that could not be confirmed. Pages say the same in words.
fn unconfirmed(provider: &Provider) -> Option<Value> {
    (provider.record.listing == Listing::Unconfirmed)
        .then(|| coded(VERIFICATION, VERIFICATION_CODE, "incomplete"))
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

fn qualifications(provider: &Provider) -> Vec<Value> {
    let licensed = match provider.provider_type {
        ProviderType::Physician => "Licensed physician",
        ProviderType::NursePractitioner => "Licensed nurse practitioner",
    };
    let licences = provider.licensed.iter().map(|state| {
        let active = json!({ "url": "status", "valueCode": "active" });
        let valid = parts(QUALIFICATION, &[active, coded("whereValid", STATE, state.code())]);
        json!({ "extension": [valid], "code": { "text": licensed } })
    });
    // No end: clients would take a degree with one for expired.
    let degrees = provider.education.iter().map(|entry| {
        json!({
            "code": { "text": format!("{}, {}", entry.degree, entry.field) },
            "period": { "start": entry.year.to_string() },
            "issuer": { "display": entry.institution },
        })
    });
    let is_of_the_society = |issuer: &str| issuer.trim().eq_ignore_ascii_case(SOCIETY);
    let mut named_society = false;
    let certificates = provider.certifications.iter().filter(|entry| {
        let is_repeated = is_of_the_society(&entry.issuer) && named_society;
        named_society |= is_of_the_society(&entry.issuer);
        !is_repeated
    });
    let certificate =
        |issuer: &str, name: &str| json!({ "code": { "text": name }, "issuer": { "display": issuer } });
    let certificates: Vec<_> = certificates.map(|entry| certificate(&entry.issuer, &entry.name)).collect();
    let society = (provider.menopause_society_certified && !named_society)
        .then(|| certificate(SOCIETY, SOCIETY_CERTIFICATE));
    licences.chain(degrees).chain(certificates).chain(society).collect()
}

pub(crate) fn roles(context: &Context<'_>) -> Vec<Resource> {
    let providers = context.directory.providers().par_iter();
    providers
        .flat_map_iter(|provider| provider.licensed.iter().map(move |state| role(context, provider, state)))
        .collect()
}

pub(crate) fn find_role(context: &Context<'_>, id: &str) -> Option<Resource> {
    let (provider, state) = id.rsplit_once('.')?;
    let provider = ids::provider_of(context.directory, provider)?;
    let state = provider.licensed.iter().find(|licensed| licensed.code() == state)?;
    Some(role(context, provider, state))
}

/// The id of a provider's role in a state.
pub(crate) fn role_id(provider: &Provider, state: StateCode) -> String {
    format!("{}.{state}", ids::part(&provider.id))
}

fn role(context: &Context<'_>, provider: &Provider, state: StateCode) -> Resource {
    let id = role_id(provider, state);
    let takes_new = new_patients(if provider.accepting.contains(state) { "newpt" } else { "nopt" });
    let plans = provider.plans_in(state).iter().map(|&plan| context.directory.plan(plan).as_str());
    let networks = plans.map(|plan| json!({ "url": NETWORK, "valueReference": { "display": plan } }));
    let (code, display) = match provider.provider_type {
        ProviderType::Physician => ("ph", "Physician"),
        ProviderType::NursePractitioner => ("crnp", "Certified Registered Nurse Practitioner"),
    };
    let specialties = provider.specialties().into_iter();
    let specialties = specialties.map(|(code, name)| concept(TAXONOMY, code, Some(name)));
    let npi = context.npi(provider).map(|npi| identifier(NPI, npi));
    let extensions = [takes_new].into_iter().chain(networks).chain(unconfirmed(provider));
    let role = json!({
        "resourceType": "PractitionerRole",
        "id": id,
        "meta": { "profile": [ROLE_PROFILE] },
        "extension": extensions.collect::<Vec<_>>(),
        "identifier": npi.into_iter().collect::<Vec<_>>(),
        "active": true,
        "practitioner": reference("Practitioner", provider.id.as_str(), Some(&provider.display_name)),
        "organization": context.organisation(),
        "code": [concept(ROLE, code, Some(display))],
        "specialty": specialties.collect::<Vec<_>>(),
        "location": [reference("Location", state.code(), None)],
        "telecom": [url(&context.directory.profile_url(provider))],
    });
    Resource::of(id, role)
}
