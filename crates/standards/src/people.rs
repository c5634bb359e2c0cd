//! Clinicians and their roles: one in each state of licensure, because plans and accepting new patients differ by state.

use rayon::prelude::*;
use serde_json::{Value, json};

use super::context::Context;
use super::data::{coded_extension, concept, identifier, nested_extension, reference, website};
use super::ids;
use super::organization::new_patients_extension;
use super::resource::Resource;
use super::systems::{
    LANGUAGE_SYSTEM, NETWORK_EXTENSION, NPI_SYSTEM, PRACTITIONER_PROFILE, QUALIFICATION_EXTENSION,
    ROLE_PROFILE, ROLE_SYSTEM, TAXONOMY_SYSTEM, USPS_STATE_SYSTEM, VERIFICATION_EXTENSION,
    VERIFICATION_SYSTEM,
};
use directory::model::{Gender, Headshot, Listing, NameParts, Provider, StateCode};
use directory::statements::is_menopause_society;

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
    let credentials = provider.credentials.split(',').map(str::trim).filter(|text| !text.is_empty());
    let suffix: Vec<&str> = generation.into_iter().chain(credentials).collect();
    let photo_url = context.directory.headshot_url(provider).into_iter();
    let photo = photo_url.map(|url| json!({ "contentType": photo_media_type(provider), "url": url }));
    let languages = provider.languages.iter();
    let languages =
        languages.map(|language| concept(LANGUAGE_SYSTEM, language.code(), Some(language.name())));
    let practitioner = json!({
        "resourceType": "Practitioner",
        "id": id,
        "meta": { "profile": [PRACTITIONER_PROFILE] },
        "extension": unconfirmed_extension(provider).into_iter().collect::<Vec<_>>(),
        "identifier": [match context.npi(provider) {
            Some(npi) => identifier(NPI_SYSTEM, npi),
            None => identifier(&context.provider_system, id),
        }],
        "active": true,
        "name": [{ "text": provider.display_name, "family": family, "given": given, "suffix": suffix }],
        "telecom": [website(&context.directory.profile_url(provider))],
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
    Resource::new(id, practitioner)
}

fn unconfirmed_extension(provider: &Provider) -> Option<Value> {
    (provider.record.listing == Listing::Unconfirmed)
        .then(|| coded_extension(VERIFICATION_EXTENSION, VERIFICATION_SYSTEM, "incomplete"))
}

fn photo_media_type(provider: &Provider) -> Option<&'static str> {
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
    let license_name = format!("Licensed {}", provider.provider_type.in_a_sentence());
    let places = provider.licensed.iter().filter(|_| provider.provider_type.is_licensed());
    let licenses = places.map(|state| {
        let status = json!({ "url": "status", "valueCode": "active" });
        let place = coded_extension("whereValid", USPS_STATE_SYSTEM, state.code());
        let extension = nested_extension(QUALIFICATION_EXTENSION, &[status, place]);
        json!({ "extension": [extension], "code": { "text": license_name } })
    });
    // A degree's period has no end: clients would think that the degree expired then.
    let degrees = provider.education.iter().map(|entry| {
        json!({
            "code": { "text": format!("{}, {}", entry.degree, entry.field) },
            "period": { "start": entry.year.to_string() },
            "issuer": { "display": entry.institution },
        })
    });
    licenses.chain(degrees).chain(certificates(provider)).collect()
}

/// The content can state the society's certificate as a flag and among the certifications. It is published once.
fn certificates(provider: &Provider) -> Vec<Value> {
    let entries = provider.certifications.iter();
    let entries = entries.map(|entry| (entry.issuer.as_str(), entry.name.as_str()));
    let is_listed = entries.clone().any(|(issuer, _)| is_menopause_society(issuer));
    let is_only_flagged = provider.menopause_society_certified && !is_listed;
    let all = entries.chain(is_only_flagged.then_some((SOCIETY, SOCIETY_CERTIFICATE)));
    let to_json = |(issuer, name)| json!({ "code": { "text": name }, "issuer": { "display": issuer } });
    all.map(to_json).collect()
}

pub(crate) fn roles(context: &Context<'_>) -> Vec<Resource> {
    let providers = context.directory.providers().par_iter();
    providers
        .flat_map_iter(|provider| provider.licensed.iter().map(move |state| role(context, provider, state)))
        .collect()
}

pub(crate) fn find_role(context: &Context<'_>, id: &str) -> Option<Resource> {
    let (prefix, state) = id.rsplit_once('.')?;
    let provider = context.directory.provider(ids::find_provider(context.directory, prefix)?);
    let state = provider.licensed.iter().find(|licensed| licensed.code() == state)?;
    Some(role(context, provider, state))
}

pub(crate) fn role_id(provider: &Provider, state: StateCode) -> String {
    format!("{}.{state}", ids::id_prefix(&provider.id))
}

fn role(context: &Context<'_>, provider: &Provider, state: StateCode) -> Resource {
    let id = role_id(provider, state);
    let accepting = if provider.accepting.contains(state) { "newpt" } else { "nopt" };
    let plans = provider.plans_in(state).iter().map(|&plan| context.directory.plan(plan).as_str());
    let networks =
        plans.map(|plan| json!({ "url": NETWORK_EXTENSION, "valueReference": { "display": plan } }));
    let ((code, display), _) = provider.provider_type.codes(&provider.credentials);
    let specialties = provider.specialties().into_iter();
    let specialties = specialties.map(|(code, name)| concept(TAXONOMY_SYSTEM, code, Some(name)));
    let npi = context.npi(provider).map(|npi| identifier(NPI_SYSTEM, npi));
    let extensions = [new_patients_extension(accepting)].into_iter().chain(networks);
    let leaves = provider.leave.iter().map(|leave| {
        let last = leave.until.and_then(|until| until.pred_opt()).map(|day| day.to_string());
        json!({ "description": "On leave", "during": { "start": leave.from.to_string(), "end": last } })
    });
    let role = json!({
        "resourceType": "PractitionerRole",
        "id": id,
        "meta": { "profile": [ROLE_PROFILE] },
        "extension": extensions.chain(unconfirmed_extension(provider)).collect::<Vec<_>>(),
        "identifier": npi.into_iter().collect::<Vec<_>>(),
        "active": true,
        "practitioner": reference("Practitioner", provider.id.as_str(), Some(&provider.display_name)),
        "organization": context.organization_reference(),
        "code": [concept(ROLE_SYSTEM, code, Some(display))],
        "specialty": specialties.collect::<Vec<_>>(),
        "location": [reference("Location", state.code(), None)],
        "telecom": [website(&context.directory.profile_url(provider))],
        "notAvailable": leaves.collect::<Vec<_>>(),
    });
    Resource::new(id, role)
}
