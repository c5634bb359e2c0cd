//! Structured data for search engines: schema.org in JSON-LD. The content security policy allows these blocks, because
//! browsers do not run them.

use directory::model::{Directory, Organization, Phone, Provider, StateCode, StateSet};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{booking, routes, specialties};

const CONTEXT: &str = "https://schema.org";

type Members = Map<String, Value>;

/// Each clinician's data repeats it.
pub(super) struct Employer {
    clinic: Members,
    address: Option<Members>,
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
    /// Left out beside a leave, because a build doesn't know whether it is read during it.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_accepting_new_patients: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<&'a Members>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    area_served: Vec<Named<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    knows_about: &'a [String],
    /// As schema.org requires.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    knows_language: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alumni_of: Vec<Named<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    has_credential: Vec<Credential<'a>>,
    /// With the date of the last confirmation.
    #[serde(skip_serializing_if = "Option::is_none")]
    main_entity_of_page: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    practices_at: Option<&'a Members>,
    #[serde(skip_serializing_if = "Option::is_none")]
    works_for: Option<&'a Members>,
    #[serde(rename = "usNPI", skip_serializing_if = "Option::is_none")]
    us_npi: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identifier: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    telephone: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    medical_specialty: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    available_service: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    potential_action: Option<Value>,
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

impl Employer {
    pub(super) fn new(organization: &Organization) -> Self {
        let clinic = [
            ("@type", json!("MedicalOrganization")),
            ("@id", json!(format!("{}/#clinic", organization.site_url))),
            ("name", json!(organization.name)),
            ("url", json!(format!("{}/", organization.site_url))),
        ];
        let address = organization.address.as_ref().map(|address| {
            let street = Some(address.line.join(", ")).filter(|street| !street.is_empty());
            members([
                ("@type", json!("PostalAddress")),
                ("streetAddress", json!(street)),
                ("addressLocality", json!(address.city)),
                ("addressRegion", json!(address.state.map(StateCode::code))),
                ("postalCode", json!(address.postal_code)),
                ("addressCountry", json!("US")),
            ])
        });
        Self { clinic: members(clinic), address }
    }

    pub(super) fn data(&self, organization: &Organization, covered: StateSet) -> String {
        let states: Vec<_> = covered.iter().map(|state| named("State", state.name())).collect();
        let mut data = members([("@context", json!(CONTEXT))]);
        data.extend(self.clinic.clone());
        data.extend(members([
            ("description", json!(organization.description)),
            ("telephone", json!(organization.phone().map(Phone::as_str))),
            ("address", json!(self.address)),
            ("areaServed", json!(states)),
        ]));
        block(&data)
    }
}

/// Leaves out nulls and empty lists.
fn members<const N: usize>(members: [(&str, Value); N]) -> Members {
    let known = members.into_iter().filter(|(_, value)| !value.is_null() && *value != json!([]));
    known.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// schema.org defines an `IndividualPhysician` as a kind of organization, so it has no `alumniOf`. Others are a `Person`.
/// The biography is on the page already.
pub(super) fn clinician(directory: &Directory, employer: &Employer, provider: &Provider) -> String {
    let is_physician = provider.provider_type.is_doctor();
    let (url, image) = (directory.profile_url(provider), directory.headshot_url(provider));
    let credentials = provider.certifications.iter().map(|certification| Credential {
        kind: "EducationalOccupationalCredential",
        category: "certification",
        name: &certification.name,
        recognized_by: named("Organization", &certification.issuer),
    });
    let schools = provider.education.iter().map(|entry| named("EducationalOrganization", &entry.institution));
    let states = provider.accepting.iter().map(|state| named("State", state.name()));
    let clinic = Some(&employer.clinic);
    let (practices_at, works_for) = if is_physician { (clinic, None) } else { (None, clinic) };
    let organization = directory.organization();
    let publishes_npis = organization.standards.as_ref().is_some_and(|standards| standards.publish_npis);
    let npi = provider.npi.as_deref().filter(|_| publishes_npis);
    let identifier = |npi| json!({ "@type": "PropertyValue", "propertyID": "NPI", "value": npi });
    let specialties = provider.specialties().into_iter().flat_map(|(code, _)| specialties::of_code(code));
    let mut medical_specialty = Vec::new();
    for member in specialties.map(|member| format!("{CONTEXT}/{member}")).filter(|_| is_physician) {
        if !medical_specialty.contains(&member) {
            medical_specialty.push(member);
        }
    }
    let services = provider.visit_types.iter().filter_map(|&id| directory.visit_type(id));
    let services = services.filter(|one| is_physician && !provider.bookable_in(one).is_empty()).map(|one| {
        json!({
            "@type": "MedicalProcedure",
            "name": one.name,
            "description": one.description,
            "url": format!("{}{}", organization.site_url, routes::visit_type(one.id)),
        })
    });
    let action = organization.booking_url.as_deref().map(|template| {
        let template = booking::of_provider(template, provider.slug.as_str());
        json!({ "@type": "ReserveAction", "target": { "@type": "EntryPoint", "urlTemplate": template } })
    });
    let confirmed = directory.accuracy().and(provider.record.confirmed.as_ref());
    block(&Clinician {
        context: CONTEXT,
        kind: if is_physician { "IndividualPhysician" } else { "Person" },
        id: &url,
        name: &provider.display_name,
        url: &url,
        image: image.as_deref(),
        honorific_suffix: (!is_physician).then_some(&provider.credentials),
        job_title: (!is_physician).then_some(provider.provider_type.english()),
        is_accepting_new_patients: is_physician
            .then_some(!provider.accepting.is_empty())
            .filter(|is_accepting| !is_accepting || provider.leave.is_empty()),
        address: employer.address.as_ref().filter(|_| is_physician),
        area_served: if is_physician { states.collect() } else { Vec::new() },
        knows_about: &provider.clinical_interests,
        knows_language: provider.languages.iter().map(|language| language.code()).collect(),
        alumni_of: if is_physician { Vec::new() } else { schools.collect() },
        has_credential: credentials.collect(),
        main_entity_of_page: confirmed
            .map(|confirmed| json!({ "@type": "WebPage", "lastReviewed": confirmed.on.to_string() })),
        practices_at,
        works_for,
        us_npi: npi.filter(|_| is_physician),
        identifier: npi.filter(|_| !is_physician).map(identifier),
        telephone: organization.phone().map(Phone::as_str).filter(|_| is_physician),
        medical_specialty,
        available_service: services.collect(),
        potential_action: action,
    })
}

fn named<'a>(kind: &'static str, name: &'a str) -> Named<'a> {
    Named { kind, name }
}

/// Safe inside a script element.
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
