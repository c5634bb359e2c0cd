//! The FHIR data types that the export uses. Fields without a value and empty lists are left out.

use std::borrow::Cow;

use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct Coding<'a> {
    pub(super) system: &'a str,
    pub(super) code: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) display: Option<&'a str>,
}

impl<'a> Coding<'a> {
    pub(super) fn of(system: &'a str, code: impl Into<Cow<'a, str>>) -> Self {
        Self { system, code: code.into(), display: None }
    }

    pub(super) fn shown(self, display: &'a str) -> Self {
        Self { display: Some(display), ..self }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Concept<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) coding: Vec<Coding<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<Cow<'a, str>>,
}

impl<'a> Concept<'a> {
    pub(super) fn of(coding: Coding<'a>) -> Self {
        Self { coding: vec![coding], text: None }
    }

    pub(super) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self { coding: Vec::new(), text: Some(text.into()) }
    }

    pub(super) fn with_text(self, text: &'a str) -> Self {
        Self { text: Some(text.into()), ..self }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Reference<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) display: Option<&'a str>,
}

impl<'a> Reference<'a> {
    pub(super) fn to(kind: &str, id: &str) -> Self {
        Self { reference: Some([kind, "/", id].concat()), display: None }
    }

    pub(super) fn shown(self, display: &'a str) -> Self {
        Self { display: Some(display), ..self }
    }

    /// A reference by name to something that has no resource here.
    pub(super) fn named(display: &'a str) -> Self {
        Self { reference: None, display: Some(display) }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Identifier<'a> {
    pub(super) system: &'a str,
    pub(super) value: &'a str,
}

/// A telephone number or a URL.
#[derive(Debug, Serialize)]
pub(super) struct Contact<'a> {
    system: &'static str,
    value: Cow<'a, str>,
    #[serde(rename = "use", skip_serializing_if = "Option::is_none")]
    of: Option<&'static str>,
}

impl<'a> Contact<'a> {
    pub(super) fn phone(number: &'a str) -> Self {
        Self { system: "phone", value: number.into(), of: Some("work") }
    }

    pub(super) fn url(url: impl Into<Cow<'a, str>>) -> Self {
        Self { system: "url", value: url.into(), of: None }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Extension<'a> {
    url: &'static str,
    #[serde(flatten)]
    value: ExtensionValue<'a>,
}

#[derive(Debug, Serialize)]
enum ExtensionValue<'a> {
    #[serde(rename = "extension")]
    Parts(Vec<Extension<'a>>),
    #[serde(rename = "valueCodeableConcept")]
    Concept(Concept<'a>),
    #[serde(rename = "valueCode")]
    Code(&'static str),
    #[serde(rename = "valueReference")]
    Reference(Reference<'a>),
}

impl<'a> Extension<'a> {
    pub(super) fn parts(url: &'static str, parts: Vec<Self>) -> Self {
        Self { url, value: ExtensionValue::Parts(parts) }
    }

    pub(super) fn coding(url: &'static str, coding: Coding<'a>) -> Self {
        Self { url, value: ExtensionValue::Concept(Concept::of(coding)) }
    }

    pub(super) fn code(url: &'static str, code: &'static str) -> Self {
        Self { url, value: ExtensionValue::Code(code) }
    }

    pub(super) fn reference(url: &'static str, reference: Reference<'a>) -> Self {
        Self { url, value: ExtensionValue::Reference(reference) }
    }
}

/// The profile that a resource claims.
#[derive(Debug, Serialize)]
pub(super) struct Meta {
    profile: [&'static str; 1],
}

impl Meta {
    pub(super) fn of(profile: &'static str) -> Self {
        Self { profile: [profile] }
    }
}
