//! The resources of the organisation: itself, its virtual locations and its services.

use serde::Serialize;

use super::context::{Context, ORGANISATION, codes};
use super::data::{Coding, Concept, Contact, Extension, Identifier, Meta, Reference};
use super::resource::Resource;
use super::systems::{
    CATEGORY, DELIVERY, DELIVERY_CODE, LOCATION_PROFILE, MODALITY_CODE, NEW_PATIENTS, NPI, ORGANISATION_TYPE,
    PLACE_TYPE, PLAN_NET_ACCEPTING, patients,
};
use crate::model::{Modality, StateCode, StateSet, VisitType};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Organization<'a> {
    resource_type: &'static str,
    id: &'static str,
    identifier: [Identifier<'a>; 1],
    active: bool,
    #[serde(rename = "type")]
    kind: [Concept<'a>; 1],
    name: &'a str,
    telecom: Vec<Contact<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    address: Vec<PostalAddress<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PostalAddress<'a> {
    #[serde(rename = "use")]
    of: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    line: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postal_code: Option<&'a str>,
    country: &'static str,
}

pub(super) fn organizations(context: &Context<'_>) -> Vec<Resource> {
    let organisation = context.directory.organisation();
    let identifier = match &context.standards.npi {
        Some(npi) => Identifier { system: NPI, value: npi },
        None => Identifier { system: &context.api, value: ORGANISATION },
    };
    let written = organisation.address.as_ref().filter(|address| {
        !address.line.is_empty()
            || address.city.is_some()
            || address.state.is_some()
            || address.postal_code.is_some()
    });
    let address = written.map(|address| PostalAddress {
        of: "work",
        kind: "both",
        line: &address.line,
        city: address.city.as_deref(),
        state: address.state.map(StateCode::code),
        postal_code: address.postal_code.as_deref(),
        country: "US",
    });
    let resource = Organization {
        resource_type: "Organization",
        id: ORGANISATION,
        identifier: [identifier],
        active: true,
        kind: [Concept::of(Coding::of(ORGANISATION_TYPE, "prvgrp").shown("Provider Group"))],
        name: &organisation.name,
        telecom: context.contacts(),
        address: address.into_iter().collect(),
    };
    vec![Resource::of(ORGANISATION, &resource)]
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    resource_type: &'static str,
    id: &'static str,
    meta: Meta,
    identifier: [Identifier<'a>; 1],
    status: &'static str,
    name: String,
    telecom: Vec<Contact<'a>>,
    address: StateAlone,
    physical_type: Concept<'a>,
    managing_organization: Reference<'a>,
}

#[derive(Serialize)]
struct StateAlone {
    state: &'static str,
    country: &'static str,
}

pub(super) fn locations(context: &Context<'_>) -> Vec<Resource> {
    context.directory.licensed().iter().map(|state| location(context, state)).collect()
}

pub(super) fn find_location(context: &Context<'_>, id: &str) -> Option<Resource> {
    let state = context.directory.licensed().iter().find(|state| state.code() == id)?;
    Some(location(context, state))
}

fn location(context: &Context<'_>, state: StateCode) -> Resource {
    let location = Location {
        resource_type: "Location",
        id: state.code(),
        meta: Meta::of(LOCATION_PROFILE),
        identifier: [Identifier { system: &context.states, value: state.code() }],
        status: "active",
        name: format!("{}, by video in {}", context.directory.organisation().name, state.name()),
        telecom: context.contacts(),
        address: StateAlone { state: state.code(), country: "US" },
        physical_type: Concept::of(Coding::of(PLACE_TYPE, "vi").shown("Virtual")),
        managing_organization: context.organisation(),
    };
    Resource::of(state.code(), &location)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HealthcareService<'a> {
    resource_type: &'static str,
    id: String,
    extension: [Extension<'a>; 2],
    active: bool,
    provided_by: Reference<'a>,
    category: [Concept<'a>; 1],
    #[serde(rename = "type")]
    kind: [Concept<'a>; 1],
    name: &'a str,
    comment: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coverage_area: Vec<Reference<'a>>,
    appointment_required: bool,
}

pub(super) fn services(context: &Context<'_>) -> Vec<Resource> {
    context.directory.visit_types().iter().map(|visit_type| service(context, visit_type)).collect()
}

pub(super) fn find_service(context: &Context<'_>, id: &str) -> Option<Resource> {
    let visit_type = context.directory.visit_type(id.parse().ok()?)?;
    Some(service(context, visit_type)).filter(|resource| resource.id == id)
}

fn service(context: &Context<'_>, visit_type: &VisitType) -> Resource {
    let is_video = visit_type.modality == Modality::Video;
    let modality = if is_video { "video" } else { "web" };
    let id = visit_type.id.to_string();
    let offered: StateSet = context.directory.offered(visit_type.id);
    let service = HealthcareService {
        resource_type: "HealthcareService",
        id: id.clone(),
        extension: [
            Extension::parts(
                DELIVERY,
                vec![
                    Extension::coding("type", Coding::of(DELIVERY_CODE, "virtual")),
                    Extension::coding("virtualModalities", Coding::of(MODALITY_CODE, modality)),
                ],
            ),
            new_patients(patients(visit_type.new_patient_eligible)),
        ],
        active: true,
        provided_by: context.organisation(),
        category: [Concept::of(Coding::of(CATEGORY, "prov").shown("Medical Provider"))],
        kind: [visit_concept(context, visit_type)],
        name: &visit_type.name,
        comment: &visit_type.description,
        coverage_area: codes(offered).into_iter().map(|code| Reference::to("Location", code)).collect(),
        appointment_required: is_video,
    };
    Resource::of(id, &service)
}

/// A visit type, as `HealthcareService`s and Schedules name it.
pub(super) fn visit_concept<'a>(context: &'a Context<'_>, visit_type: &'a VisitType) -> Concept<'a> {
    let coding = Coding::of(&context.visit_types, visit_type.id.to_string());
    Concept::of(coding.shown(&visit_type.name)).with_text(&visit_type.name)
}

/// Plan-Net's extension for whether new patients are accepted.
pub(super) fn new_patients(code: &'static str) -> Extension<'static> {
    Extension::parts(
        NEW_PATIENTS,
        vec![Extension::coding("acceptingPatients", Coding::of(PLAN_NET_ACCEPTING, code))],
    )
}
