//! A submission to the National Provider Directory of CMS: a row for each clinician with an NPI, with the URL of the
//! FHIR export as the endpoint. It is never part of the published tree.

use super::address::WholeAddress;
use crate::fhir::FHIR_ROOT;
use crate::model::Directory;

const COLUMNS: [&str; 22] = [
    "submitter_name",
    "submitting_for_name",
    "personal_npi",
    "personal_last_name",
    "organizational_npi",
    "organization_name",
    "service_address_line1",
    "service_address_line2",
    "service_address_city",
    "service_address_state",
    "service_address_zip_code",
    "service_address_country_code",
    "is_currently_practicing",
    "fhir_endpoint_url",
    "fhir_endpoint_type",
    "fhir_endpoint_smart_capabilities_url",
    "fhir_endpoint_developer_documentation_url",
    "fhir_endpoint_developer_signup_url",
    "fhir_endpoint_swagger_url",
    "fhir_endpoint_openapi_url",
    "fhir_general_sandbox_url",
    "fhir_specific_sandbox_endpoint_url",
];

/// Why there is no submission. The message says what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoSubmission {
    /// Without `[standards]` there is no endpoint.
    #[error(
        "directory.toml has no [standards], so there is no FHIR export to submit: add a line [standards]"
    )]
    NoExport,
    /// The clinicians' NPIs are private.
    #[error("a submission consists of NPIs, which are private: add publish-npis = true below [standards]")]
    PrivateNpis,
    /// A part of the address is missing.
    #[error(
        "a submission has the organisation's address: write line, city, state and postal-code into [address]"
    )]
    NoAddress,
    /// No clinician has an NPI, so no row can be written.
    #[error("no clinician has an npi: write it into the files of providers/")]
    NoNpi,
}

/// The submission as CSV (RFC 4180).
///
/// # Errors
/// A value that every row needs is missing.
pub fn npd(directory: &Directory) -> Result<Vec<u8>, NoSubmission> {
    let organisation = directory.organisation();
    let standards = organisation.standards().ok_or(NoSubmission::NoExport)?;
    if !standards.publish_npis {
        return Err(NoSubmission::PrivateNpis);
    }
    let address = WholeAddress::of(organisation.address()).ok_or(NoSubmission::NoAddress)?;
    let (api, second) = (organisation.api_url(), address.second_line().unwrap_or_default());
    let (endpoint, docs) = (format!("{api}{FHIR_ROOT}"), format!("{api}/docs"));
    let openapi = format!("{api}/v1/openapi.json");
    let mut text = row(&COLUMNS);
    let mut rows = 0;
    for provider in directory.providers() {
        let Some(npi) = provider.npi() else { continue };
        rows += 1;
        text.push_str(&row(&[
            organisation.name(),
            organisation.name(),
            npi,
            provider.name_parts().family,
            standards.npi.as_deref().unwrap_or_default(),
            organisation.name(),
            &address.lines[0],
            &second,
            address.city,
            address.state.code(),
            address.zip,
            "US",
            "1",
            &endpoint,
            "Scheduling",
            "",
            &docs,
            "",
            "",
            &openapi,
            "",
            "",
        ]));
    }
    if rows == 0 { Err(NoSubmission::NoNpi) } else { Ok(text.into_bytes()) }
}

fn row(fields: &[&str; COLUMNS.len()]) -> String {
    fields.map(field).join(",") + "\r\n"
}

/// A field, in quotes if it needs them.
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
