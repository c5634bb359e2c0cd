//! Structured data for search engines: schema.org in JSON-LD.
//!
//! The blocks are data and not scripts, so the content security policy allows them. `<` is written as a JSON escape, so
//! that no text can end the script element.

use directory::model::{Directory, Organisation, Provider, ProviderType};
use serde::Serialize;

use super::covered;

const CONTEXT: &str = "https://schema.org";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Clinic<'a> {
    #[serde(rename = "@context", skip_serializing_if = "Option::is_none")]
    context: Option<&'static str>,
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "@id")]
    id: String,
    name: &'a str,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    telephone: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<PostalAddress<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    area_served: Vec<Named<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PostalAddress<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    street_address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_locality: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_region: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    postal_code: Option<&'a str>,
    address_country: &'static str,
}

#[derive(Debug, Serialize)]
struct Named<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    name: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Clinician<'a> {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "@id")]
    id: &'a str,
    name: &'a str,
    url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    honorific_suffix: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    job_title: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_accepting_new_patients: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<PostalAddress<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    area_served: Vec<Named<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    knows_about: &'a [String],
    /// Codes, as schema.org asks for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    knows_language: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alumni_of: Vec<Named<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    has_credential: Vec<Credential<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    main_entity_of_page: Option<Reviewed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_organization: Option<Clinic<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    works_for: Option<Clinic<'a>>,
}

/// The page with the day of the last confirmation.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Reviewed {
    #[serde(rename = "@type")]
    kind: &'static str,
    last_reviewed: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Credential<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "credentialCategory")]
    category: &'static str,
    name: &'a str,
    recognized_by: Named<'a>,
}

pub(super) fn clinic(directory: &Directory) -> String {
    let organisation = directory.organisation();
    block(&Clinic {
        context: Some(CONTEXT),
        description: Some(&organisation.description),
        telephone: organisation.address.as_ref().and_then(|address| address.phone.as_deref()),
        address: address(organisation),
        area_served: covered(directory).iter().map(|state| named("State", state.name())).collect(),
        ..reference(organisation)
    })
}

/// A clinician: a physician as schema.org's `Physician`, which has `isAcceptingNewPatients`; a nurse practitioner as a
/// `Person`. Without the bio, which is on the page already.
pub(super) fn clinician(directory: &Directory, provider: &Provider) -> String {
    let organisation = directory.organisation();
    let is_physician = provider.provider_type == ProviderType::Physician;
    let (url, image) = (directory.profile_url(provider), directory.headshot_url(provider));
    let credentials = provider.certifications.iter().map(|certification| Credential {
        kind: "EducationalOccupationalCredential",
        category: "certification",
        name: &certification.name,
        recognized_by: named("Organization", &certification.issuer),
    });
    let schools = provider.education.iter().map(|entry| named("EducationalOrganization", &entry.institution));
    let states = provider.accepting.iter().map(|state| named("State", state.name()));
    let clinic = Some(reference(organisation));
    let (parent_organization, works_for) = if is_physician { (clinic, None) } else { (None, clinic) };
    block(&Clinician {
        context: CONTEXT,
        kind: if is_physician { "Physician" } else { "Person" },
        id: &url,
        name: &provider.display_name,
        url: &url,
        image: image.as_deref(),
        honorific_suffix: (!is_physician).then_some(&provider.credentials),
        job_title: (!is_physician).then_some("Nurse practitioner"),
        is_accepting_new_patients: is_physician.then(|| !provider.accepting.is_empty()),
        address: if is_physician { address(organisation) } else { None },
        area_served: if is_physician { states.collect() } else { Vec::new() },
        knows_about: &provider.clinical_interests,
        knows_language: provider.languages.iter().map(|language| language.code()).collect(),
        alumni_of: schools.collect(),
        has_credential: credentials.collect(),
        main_entity_of_page: directory
            .accuracy()
            .and(provider.record.confirmed.as_ref())
            .map(|confirmed| Reviewed { kind: "WebPage", last_reviewed: confirmed.on.to_string() }),
        parent_organization,
        works_for,
    })
}

fn reference(organisation: &Organisation) -> Clinic<'_> {
    Clinic {
        context: None,
        kind: "MedicalOrganization",
        id: format!("{}/#clinic", organisation.site_url),
        name: &organisation.name,
        url: format!("{}/", organisation.site_url),
        description: None,
        telephone: None,
        address: None,
        area_served: Vec::new(),
    }
}

fn address(organisation: &Organisation) -> Option<PostalAddress<'_>> {
    organisation.address.as_ref().map(|address| PostalAddress {
        kind: "PostalAddress",
        street_address: address.line.join(", "),
        address_locality: address.city.as_deref(),
        address_region: address.state.map(directory::model::StateCode::code),
        postal_code: address.postal_code.as_deref(),
        address_country: "US",
    })
}

fn named<'a>(kind: &'static str, name: &'a str) -> Named<'a> {
    Named { kind, name }
}

/// JSON that is safe inside a script element.
fn block<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_contains_no_less_than_sign() {
        let block = block(&"</script><!-- <script>");
        assert!(!block.contains('<'), "{block}");
        assert_eq!(serde_json::from_str::<String>(&block).unwrap(), "</script><!-- <script>");
    }
}
