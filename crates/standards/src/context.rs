//! The data that every resource is made from: the directory, and the URLs that identify its own ids and codes.

use serde_json::{Value, json};

use super::data::{reference, website};
use directory::model::{Directory, Provider, Standards, StateCode, StateSet, VisitType};

pub(crate) const ORGANIZATION_ID: &str = "organization";

/// Each `_system` is the `system` URL of some of the directory's own ids or codes.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    pub(crate) directory: &'a Directory,
    pub(crate) standards: &'a Standards,
    pub(crate) organization_system: String,
    pub(crate) provider_system: String,
    pub(crate) location_system: String,
    pub(crate) visit_type_system: String,
}

impl<'a> Context<'a> {
    /// Returns `None` if the content has no `[standards]`.
    pub(crate) fn new(directory: &'a Directory) -> Option<Self> {
        let organization = directory.organization();
        let api = format!("{}/v1", organization.api_url);
        Some(Self {
            directory,
            standards: organization.standards.as_ref()?,
            provider_system: format!("{api}/providers"),
            location_system: format!("{api}/states"),
            visit_type_system: organization.visit_types_system(),
            organization_system: api,
        })
    }

    /// `publish-npis` must allow it.
    pub(crate) fn npi(&self, provider: &'a Provider) -> Option<&'a str> {
        provider.npi.as_deref().filter(|_| self.standards.publish_npis)
    }

    pub(crate) fn organization_reference(&self) -> Value {
        reference("Organization", ORGANIZATION_ID, Some(&self.directory.organization().name))
    }

    pub(crate) fn contacts(&self) -> Vec<Value> {
        let organization = self.directory.organization();
        let phone = organization.phone();
        let phone = phone.map(|phone| json!({ "system": "phone", "value": phone.as_str(), "use": "work" }));
        phone.into_iter().chain([website(&organization.site_url)]).collect()
    }
}

/// Where this type of visit can be booked with this clinician by new patients. That also applies to types only for current
/// patients, although the API has their openings wherever the clinician is licensed: readers of these files look for new
/// clinicians.
pub(crate) fn bookable_states(provider: &Provider, visit_type: &VisitType) -> StateSet {
    provider.licensed.intersection(provider.accepting).intersection(visit_type.states)
}

pub(crate) fn state_codes(states: StateSet) -> Vec<&'static str> {
    states.iter().map(StateCode::code).collect()
}
