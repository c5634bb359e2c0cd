//! The `CapabilityStatement`, which registries look for. It declares only that resources can be read.

use serde_json::json;

use super::context::Context;
use super::rows::FHIR_RESOURCES;
use super::systems::FHIR_ROOT;

/// When the capabilities last changed.
const DATE: &str = "2026-11-23";

pub(crate) fn statement(context: &Context<'_>) -> Vec<u8> {
    let organisation = context.directory.organisation();
    let resources =
        FHIR_RESOURCES.iter().map(|row| json!({"type": row.name, "interaction": [{"code": "read"}]}));
    let statement = json!({
        "resourceType": "CapabilityStatement",
        "status": "active",
        "date": DATE,
        "kind": "instance",
        "software": {"name": "Nameplate"},
        "implementation": {
            "description": format!("The provider directory of {}", organisation.name),
            "url": format!("{}{FHIR_ROOT}", organisation.api_url),
        },
        "fhirVersion": "4.0.1",
        "format": ["application/fhir+json"],
        "rest": [{"mode": "server", "resource": resources.collect::<Vec<_>>()}],
    });
    serde_json::to_vec(&statement).unwrap_or_default()
}
