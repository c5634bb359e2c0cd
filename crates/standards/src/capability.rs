//! The `CapabilityStatement`, which registries look for. It declares only that resources can be read.

use serde_json::json;

use super::context::Context;
use super::resource_types::FHIR_RESOURCE_TYPES;
use super::systems::FHIR_ROOT;

/// When the statement last changed.
const DATE: &str = "2026-11-23";

pub(crate) fn capability_statement(context: &Context<'_>) -> Vec<u8> {
    let organization = context.directory.organization();
    let resources = FHIR_RESOURCE_TYPES
        .iter()
        .map(|resource_type| json!({"type": resource_type.name, "interaction": [{"code": "read"}]}));
    let statement = json!({
        "resourceType": "CapabilityStatement",
        "status": "active",
        "date": DATE,
        "kind": "instance",
        "software": {"name": "Nameplate"},
        "implementation": {
            "description": format!("The provider directory of {}", organization.name),
            "url": format!("{}{FHIR_ROOT}", organization.api_url),
        },
        "fhirVersion": "4.0.1",
        "format": ["application/fhir+json"],
        "rest": [{"mode": "server", "resource": resources.collect::<Vec<_>>()}],
    });
    serde_json::to_vec(&statement).unwrap_or_default()
}
