//! The clinic's own details.

use super::{Standards, StateCode};

/// The clinic that publishes the directory, and its addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organisation {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) api_url: String,
    pub(crate) mcp_url: String,
    pub(crate) site_url: String,
    pub(crate) live_url: Option<String>,
    pub(crate) booking_url: Option<String>,
    pub(crate) address: Option<Address>,
    pub(crate) search_words: Vec<SearchWord>,
    pub(crate) standards: Option<Standards>,
}

/// A word that patients type, and the words that a search looks for as well; all of them folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SearchWord {
    pub(crate) typed: String,
    pub(crate) others: Vec<String>,
}

/// The clinic's postal address and phone number, for its pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// The lines above the city.
    pub line: Vec<String>,
    pub city: Option<String>,
    pub state: Option<StateCode>,
    pub postal_code: Option<String>,
    pub phone: Option<String>,
}

impl Organisation {
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The URL of the REST API, without a trailing slash.
    #[must_use]
    pub fn api_url(&self) -> &str {
        &self.api_url
    }

    #[must_use]
    pub fn mcp_url(&self) -> &str {
        &self.mcp_url
    }

    /// The URL of the site, without a trailing slash.
    #[must_use]
    pub fn site_url(&self) -> &str {
        &self.site_url
    }

    /// The URL of the live service, where static hosts forward requests that they cannot answer.
    #[must_use]
    pub fn live_url(&self) -> Option<&str> {
        self.live_url.as_deref()
    }

    /// The URI template (RFC 6570) of the page where a time is booked: https, in ASCII without `"` and `\`.
    #[must_use]
    pub fn booking_url(&self) -> Option<&str> {
        self.booking_url.as_deref()
    }

    /// The exports to healthcare's own readers; without it, there are none.
    #[must_use]
    pub fn standards(&self) -> Option<&Standards> {
        self.standards.as_ref()
    }

    /// The name of the system of visit types' ids, in codes of FHIR.
    #[must_use]
    pub fn visit_types_system(&self) -> String {
        format!("{}/v1/appointment-types", self.api_url)
    }

    #[must_use]
    pub fn address(&self) -> Option<&Address> {
        self.address.as_ref()
    }
}
