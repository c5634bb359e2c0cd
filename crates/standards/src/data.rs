//! The FHIR data types that the export uses, as JSON. A resource leaves out null and empty lists, which FHIR forbids.

use serde_json::{Value, json};

pub(crate) fn coding(system: &str, code: &str, display: Option<&str>) -> Value {
    json!({ "system": system, "code": code, "display": display })
}

/// A concept of one code.
pub(crate) fn concept(system: &str, code: &str, display: Option<&str>) -> Value {
    json!({ "coding": [coding(system, code, display)] })
}

pub(crate) fn reference(kind: &str, id: &str, display: Option<&str>) -> Value {
    json!({ "reference": format!("{kind}/{id}"), "display": display })
}

pub(crate) fn identifier(system: &str, value: &str) -> Value {
    json!({ "system": system, "value": value })
}

pub(crate) fn url(url: &str) -> Value {
    json!({ "system": "url", "value": url })
}

/// A nested extension.
pub(crate) fn parts(url: &str, parts: &[Value]) -> Value {
    json!({ "url": url, "extension": parts })
}

/// An extension whose value is a code.
pub(crate) fn coded(url: &str, system: &str, code: &str) -> Value {
    json!({ "url": url, "valueCodeableConcept": concept(system, code, None) })
}
