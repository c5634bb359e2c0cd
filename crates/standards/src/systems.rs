//! The URLs of code systems, extensions and profiles, and the paths of the export.

pub const FHIR_ROOT: &str = "/fhir";
pub const BULK_PUBLISH_PATH: &str = "/fhir/$bulk-publish";
pub const SLOTS_PATH: &str = "/fhir/slots/";
pub const NDJSON: &str = "application/fhir+ndjson";

pub(crate) const NPI_SYSTEM: &str = "http://hl7.org/fhir/sid/us-npi";
pub(crate) const TAXONOMY_SYSTEM: &str = "http://nucc.org/provider-taxonomy";
pub(crate) const LANGUAGE_SYSTEM: &str = "urn:ietf:bcp:47";
pub(crate) const USPS_STATE_SYSTEM: &str = "https://www.usps.com/";
pub(crate) const PLACE_TYPE_SYSTEM: &str = "http://terminology.hl7.org/CodeSystem/location-physical-type";
/// Plan-Net has its own system for these codes: [`NEW_PATIENTS_SYSTEM`].
pub(crate) const SLOT_PATIENTS_SYSTEM: &str = "http://terminology.hl7.org/CodeSystem/accepting-patients";

/// For entries that could not be confirmed (the National Directory).
pub(crate) const VERIFICATION_EXTENSION: &str =
    "http://hl7.org/fhir/us/ndh/StructureDefinition/base-ext-verification-status";
pub(crate) const VERIFICATION_SYSTEM: &str = "http://hl7.org/fhir/us/ndh/CodeSystem/NdhVerificationStatusCS";

macro_rules! urls {
    ($base:literal: $($name:ident = $rest:literal;)+) => {
        $(pub(crate) const $name: &str = concat!($base, $rest);)+
    };
}

urls! {
    "http://hl7.org/fhir/us/davinci-pdex-plan-net/":
    ORGANIZATION_TYPE_SYSTEM = "CodeSystem/OrgTypeCS";
    DELIVERY_SYSTEM = "CodeSystem/DeliveryMethodCS";
    MODALITY_SYSTEM = "CodeSystem/VirtualModalitiesCS";
    SERVICE_CATEGORY_SYSTEM = "CodeSystem/HealthcareServiceCategoryCS";
    ROLE_SYSTEM = "CodeSystem/ProviderRoleCS";
    NEW_PATIENTS_SYSTEM = "CodeSystem/AcceptingPatientsCS";
    DELIVERY_EXTENSION = "StructureDefinition/delivery-method";
    NEW_PATIENTS_EXTENSION = "StructureDefinition/newpatients";
    NETWORK_EXTENSION = "StructureDefinition/network-reference";
    QUALIFICATION_EXTENSION = "StructureDefinition/practitioner-qualification";
}

urls! {
    "http://hl7.org/fhir/uv/smart-scheduling-links/StructureDefinition/":
    LOCATION_PROFILE = "smart-scheduling-location";
    PRACTITIONER_PROFILE = "smart-scheduling-practitioner";
    ROLE_PROFILE = "smart-scheduling-practitionerRole";
    SCHEDULE_PROFILE = "smart-scheduling-schedule";
    BOOKING_LINK_EXTENSION = "booking-deep-link";
    PATIENT_TYPE_EXTENSION = "patient-type";
}

/// From the drafts of 2021; clients still look for it.
pub(crate) const OLD_BOOKING_LINK_EXTENSION: &str =
    "http://fhir-registry.smarthealthit.org/StructureDefinition/booking-deep-link";

pub(crate) fn patients_code(is_for_new: bool) -> &'static str {
    if is_for_new { "newpt" } else { "existptonly" }
}
