//! What every resource is made from: the directory, and its own `system` URLs.

use serde_json::{Value, json};

use super::data::{reference, url};
use directory::model::{Directory, Provider, Standards, StateCode, StateSet, VisitType};

/// The id of the one Organization.
pub(crate) const ORGANISATION: &str = "organization";

#[derive(Debug)]
pub(crate) struct Context<'a> {
    pub(crate) directory: &'a Directory,
    pub(crate) standards: &'a Standards,
    /// The `system` URLs of our own ids and codes.
    pub(crate) api: String,
    pub(crate) providers: String,
    pub(crate) states: String,
    pub(crate) visit_types: String,
}

impl<'a> Context<'a> {
    /// `None` if content has no `[standards]`.
    pub(crate) fn of(directory: &'a Directory) -> Option<Self> {
        let standards = directory.organisation().standards.as_ref()?;
        let api = format!("{}/v1", directory.organisation().api_url);
        Some(Self {
            directory,
            standards,
            providers: format!("{api}/providers"),
            states: format!("{api}/states"),
            visit_types: directory.organisation().visit_types_system(),
            api,
        })
    }

    /// The NPI, if `publish-npis` allows it.
    pub(crate) fn npi(&self, provider: &'a Provider) -> Option<&'a str> {
        provider.npi.as_deref().filter(|_| self.standards.publish_npis)
    }

    pub(crate) fn organisation(&self) -> Value {
        reference("Organization", ORGANISATION, Some(&self.directory.organisation().name))
    }

    /// The organisation's telephone number and website.
    pub(crate) fn contacts(&self) -> Vec<Value> {
        let organisation = self.directory.organisation();
        let phone = organisation.address.as_ref().and_then(|address| address.phone.as_deref());
        let phone = phone.map(|phone| json!({ "system": "phone", "value": phone, "use": "work" }));
        phone.into_iter().chain([url(&organisation.site_url)]).collect()
    }
}

/// The states in which a clinician's visits of a type can be booked: the clinician is licensed there and accepts new
/// patients, and the type is offered there.
pub(crate) fn offered_in(provider: &Provider, visit_type: &VisitType) -> StateSet {
    provider.licensed.intersection(provider.accepting).intersection(visit_type.states)
}

pub(crate) fn codes(states: StateSet) -> Vec<&'static str> {
    states.iter().map(StateCode::code).collect()
}
