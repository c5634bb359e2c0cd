//! The FHIR data types of the export, as JSON. `Resource::new` later removes nulls and empty lists, which FHIR forbids.

use serde_json::{Value, json};

pub(crate) fn coding(system: &str, code: &str, display: Option<&str>) -> Value {
    json!({ "system": system, "code": code, "display": display })
}

pub(crate) fn concept(system: &str, code: &str, display: Option<&str>) -> Value {
    json!({ "coding": [coding(system, code, display)] })
}

pub(crate) fn reference(resource_type: &str, id: &str, display: Option<&str>) -> Value {
    json!({ "reference": format!("{resource_type}/{id}"), "display": display })
}

pub(crate) fn identifier(system: &str, value: &str) -> Value {
    json!({ "system": system, "value": value })
}

pub(crate) fn website(url: &str) -> Value {
    json!({ "system": "url", "value": url })
}

pub(crate) fn nested_extension(url: &str, extensions: &[Value]) -> Value {
    json!({ "url": url, "extension": extensions })
}

pub(crate) fn coded_extension(url: &str, system: &str, code: &str) -> Value {
    json!({ "url": url, "valueCodeableConcept": concept(system, code, None) })
}
