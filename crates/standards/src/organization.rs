use serde_json::{Value, json};

use super::context::{Context, ORGANIZATION_ID, state_codes};
use super::data::{coded_extension, coding, concept, identifier, nested_extension, reference};
use super::resource::Resource;
use super::systems::{
    DELIVERY_EXTENSION, DELIVERY_SYSTEM, LOCATION_PROFILE, MODALITY_SYSTEM, NEW_PATIENTS_EXTENSION,
    NEW_PATIENTS_SYSTEM, NPI_SYSTEM, ORGANIZATION_TYPE_SYSTEM, PLACE_TYPE_SYSTEM, SERVICE_CATEGORY_SYSTEM,
    patients_code,
};
use directory::model::{Address, Modality, StateCode, VisitType};

pub(crate) fn organization(context: &Context<'_>) -> Resource {
    let organization = context.directory.organization();
    let address = organization.address.as_ref().and_then(postal_address);
    let resource = json!({
        "resourceType": "Organization",
        "id": ORGANIZATION_ID,
        "identifier": [match &context.standards.npi {
            Some(npi) => identifier(NPI_SYSTEM, npi),
            None => identifier(&context.organization_system, ORGANIZATION_ID),
        }],
        "active": true,
        "type": [concept(ORGANIZATION_TYPE_SYSTEM, "prvgrp", Some("Provider Group"))],
        "name": organization.name,
        "telecom": context.contacts(),
        "address": address.into_iter().collect::<Vec<_>>(),
    });
    Resource::new(ORGANIZATION_ID, resource)
}

/// `None` if the content has only a phone number.
fn postal_address(address: &Address) -> Option<Value> {
    let is_empty = address.line.is_empty()
        && address.city.is_none()
        && address.state.is_none()
        && address.postal_code.is_none();
    (!is_empty).then(|| {
        json!({
            "use": "work",
            "type": "both",
            "line": address.line,
            "city": address.city,
            "state": address.state.map(StateCode::code),
            "postalCode": address.postal_code,
            "country": "US",
        })
    })
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
        "identifier": [identifier(&context.location_system, state.code())],
        "status": "active",
        "name": format!("{}, by video in {}", context.directory.organization().name, state.name()),
        "telecom": context.contacts(),
        "address": { "state": state.code(), "country": "US" },
        "physicalType": concept(PLACE_TYPE_SYSTEM, "vi", Some("Virtual")),
        "managingOrganization": context.organization_reference(),
    });
    Resource::new(state.code(), location)
}

pub(crate) fn services(context: &Context<'_>) -> Vec<Resource> {
    context.directory.visit_types().iter().map(|visit_type| service(context, visit_type)).collect()
}

pub(crate) fn find_service(context: &Context<'_>, id: &str) -> Option<Resource> {
    let visit_type = context.directory.visit_type(id.parse().ok()?)?;
    // Parsing also accepts "0101".
    Some(service(context, visit_type)).filter(|resource| resource.id == id)
}

fn service(context: &Context<'_>, visit_type: &VisitType) -> Resource {
    let id = visit_type.id.to_string();
    let is_video = visit_type.modality == Modality::Video;
    let delivery = [
        coded_extension("type", DELIVERY_SYSTEM, "virtual"),
        coded_extension("virtualModalities", MODALITY_SYSTEM, if is_video { "video" } else { "web" }),
    ];
    let extensions = [
        nested_extension(DELIVERY_EXTENSION, &delivery),
        new_patients_extension(patients_code(visit_type.new_patient_eligible)),
    ];
    let states = state_codes(context.directory.offered(visit_type.id)).into_iter();
    let service = json!({
        "resourceType": "HealthcareService",
        "id": id,
        "extension": extensions,
        "active": true,
        "providedBy": context.organization_reference(),
        "category": [concept(SERVICE_CATEGORY_SYSTEM, "prov", Some("Medical Provider"))],
        "type": [visit_type_concept(context, visit_type)],
        "name": visit_type.name,
        "comment": visit_type.description,
        "coverageArea": states.map(|state| reference("Location", state, None)).collect::<Vec<_>>(),
        "appointmentRequired": is_video,
    });
    Resource::new(id, service)
}

pub(crate) fn visit_type_concept(context: &Context<'_>, visit_type: &VisitType) -> Value {
    let coding = coding(&context.visit_type_system, &visit_type.id.to_string(), Some(&visit_type.name));
    json!({ "coding": [coding], "text": visit_type.name })
}

pub(crate) fn new_patients_extension(code: &str) -> Value {
    let accepting = coded_extension("acceptingPatients", NEW_PATIENTS_SYSTEM, code);
    nested_extension(NEW_PATIENTS_EXTENSION, &[accepting])
}
