//! The URLs of code systems, profiles and extensions, and the paths of the export.

/// The root of all paths of the export.
pub const FHIR_ROOT: &str = "/fhir";
pub const BULK_PUBLISH_PATH: &str = "/fhir/$bulk-publish";
pub const SLOTS_PATH: &str = "/fhir/slots/";
/// The media type of files with one resource in each line.
pub const NDJSON: &str = "application/fhir+ndjson";

pub(crate) const NPI: &str = "http://hl7.org/fhir/sid/us-npi";
pub(crate) const TAXONOMY: &str = "http://nucc.org/provider-taxonomy";
pub(crate) const LANGUAGE: &str = "urn:ietf:bcp:47";
pub(crate) const STATE: &str = "https://www.usps.com/";
pub(crate) const PLACE_TYPE: &str = "http://terminology.hl7.org/CodeSystem/location-physical-type";
/// The codes of who may book a slot. Plan-Net's extension has a system of its own: [`PLAN_NET_ACCEPTING`].
pub(crate) const ACCEPTING: &str = "http://terminology.hl7.org/CodeSystem/accepting-patients";

/// The National Directory's extension for entries that could not be confirmed, and the system of its codes.
pub(crate) const VERIFICATION: &str =
    "http://hl7.org/fhir/us/ndh/StructureDefinition/base-ext-verification-status";
pub(crate) const VERIFICATION_CODE: &str = "http://hl7.org/fhir/us/ndh/CodeSystem/NdhVerificationStatusCS";

macro_rules! plan_net {
    ($($name:ident = $rest:literal;)+) => {
        $(pub(crate) const $name: &str = concat!("http://hl7.org/fhir/us/davinci-pdex-plan-net/", $rest);)+
    };
}

plan_net! {
    ORGANISATION_TYPE = "CodeSystem/OrgTypeCS";
    DELIVERY_CODE = "CodeSystem/DeliveryMethodCS";
    MODALITY_CODE = "CodeSystem/VirtualModalitiesCS";
    CATEGORY = "CodeSystem/HealthcareServiceCategoryCS";
    ROLE = "CodeSystem/ProviderRoleCS";
    PLAN_NET_ACCEPTING = "CodeSystem/AcceptingPatientsCS";
    DELIVERY = "StructureDefinition/delivery-method";
    NEW_PATIENTS = "StructureDefinition/newpatients";
    NETWORK = "StructureDefinition/network-reference";
    QUALIFICATION = "StructureDefinition/practitioner-qualification";
}

macro_rules! scheduling_links {
    ($($name:ident = $rest:literal;)+) => {
        $(pub(crate) const $name: &str =
            concat!("http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/", $rest);)+
    };
}

scheduling_links! {
    LOCATION_PROFILE = "smart-scheduling-location";
    PRACTITIONER_PROFILE = "smart-scheduling-practitioner";
    ROLE_PROFILE = "smart-scheduling-practitionerRole";
    SCHEDULE_PROFILE = "smart-scheduling-schedule";
    BOOKING_LINK = "booking-deep-link";
    PATIENT_TYPE = "patient-type";
}

/// The booking link of the 2021 drafts, which clients still look for.
pub(crate) const OLD_BOOKING_LINK: &str =
    "http://fhir-registry.smarthealthit.org/StructureDefinition/booking-deep-link";

/// The code of the patients who may book a visit.
pub(crate) fn patients(is_for_new: bool) -> &'static str {
    if is_for_new { "newpt" } else { "existptonly" }
}
