//! The resources of the organisation: itself, its virtual locations and its services.

use serde_json::{Value, json};

use super::context::{Context, ORGANISATION, codes};
use super::data::{coded, coding, concept, identifier, parts, reference};
use super::resource::Resource;
use super::systems::{
    CATEGORY, DELIVERY, DELIVERY_CODE, LOCATION_PROFILE, MODALITY_CODE, NEW_PATIENTS, NPI, ORGANISATION_TYPE,
    PLACE_TYPE, PLAN_NET_ACCEPTING, patients,
};
use directory::model::{Modality, StateCode, VisitType};

pub(crate) fn organizations(context: &Context<'_>) -> Vec<Resource> {
    let organisation = context.directory.organisation();
    let written = organisation.address.as_ref().filter(|address| {
        !address.line.is_empty()
            || address.city.is_some()
            || address.state.is_some()
            || address.postal_code.is_some()
    });
    let address = written.map(|address| {
        json!({
            "use": "work",
            "type": "both",
            "line": address.line,
            "city": address.city,
            "state": address.state.map(StateCode::code),
            "postalCode": address.postal_code,
            "country": "US",
        })
    });
    let resource = json!({
        "resourceType": "Organization",
        "id": ORGANISATION,
        "identifier": [match &context.standards.npi {
            Some(npi) => identifier(NPI, npi),
            None => identifier(&context.api, ORGANISATION),
        }],
        "active": true,
        "type": [concept(ORGANISATION_TYPE, "prvgrp", Some("Provider Group"))],
        "name": organisation.name,
        "telecom": context.contacts(),
        "address": address.into_iter().collect::<Vec<_>>(),
    });
    vec![Resource::of(ORGANISATION, resource)]
}

pub(crate) fn locations(context: &Context<'_>) -> Vec<Resource> {
    context.directory.licensed().iter().map(|state| location(context, state)).collect()
}

pub(crate) fn find_location(context: &Context<'_>, id: &str) -> Option<Resource> {
    let state = context.directory.licensed().iter().find(|state| state.code() == id)?;
    Some(location(context, state))
}

fn location(context: &Context<'_>, state: StateCode) -> Resource {
    let location = json!({
        "resourceType": "Location",
        "id": state.code(),
        "meta": { "profile": [LOCATION_PROFILE] },
        "identifier": [identifier(&context.states, state.code())],
        "status": "active",
        "name": format!("{}, by video in {}", context.directory.organisation().name, state.name()),
        "telecom": context.contacts(),
        "address": { "state": state.code(), "country": "US" },
        "physicalType": concept(PLACE_TYPE, "vi", Some("Virtual")),
        "managingOrganization": context.organisation(),
    });
    Resource::of(state.code(), location)
}

pub(crate) fn services(context: &Context<'_>) -> Vec<Resource> {
    context.directory.visit_types().iter().map(|visit_type| service(context, visit_type)).collect()
}

pub(crate) fn find_service(context: &Context<'_>, id: &str) -> Option<Resource> {
    let visit_type = context.directory.visit_type(id.parse().ok()?)?;
    Some(service(context, visit_type)).filter(|resource| resource.id == id)
}

fn service(context: &Context<'_>, visit_type: &VisitType) -> Resource {
    let is_video = visit_type.modality == Modality::Video;
    let modality = if is_video { "video" } else { "web" };
    let id = visit_type.id.to_string();
    let area = codes(context.directory.offered(visit_type.id)).into_iter();
    let delivery =
        [coded("type", DELIVERY_CODE, "virtual"), coded("virtualModalities", MODALITY_CODE, modality)];
    let service = json!({
        "resourceType": "HealthcareService",
        "id": id,
        "extension": [parts(DELIVERY, &delivery), new_patients(patients(visit_type.new_patient_eligible))],
        "active": true,
        "providedBy": context.organisation(),
        "category": [concept(CATEGORY, "prov", Some("Medical Provider"))],
        "type": [visit_concept(context, visit_type)],
        "name": visit_type.name,
        "comment": visit_type.description,
        "coverageArea": area.map(|code| reference("Location", code, None)).collect::<Vec<_>>(),
        "appointmentRequired": is_video,
    });
    Resource::of(id, service)
}

/// A visit type, as `HealthcareService`s and Schedules name it.
pub(crate) fn visit_concept(context: &Context<'_>, visit_type: &VisitType) -> Value {
    let coding = coding(&context.visit_types, &visit_type.id.to_string(), Some(&visit_type.name));
    json!({ "coding": [coding], "text": visit_type.name })
}

/// Plan-Net's extension for whether new patients are accepted.
pub(crate) fn new_patients(code: &str) -> Value {
    parts(NEW_PATIENTS, &[coded("acceptingPatients", PLAN_NET_ACCEPTING, code)])
}
