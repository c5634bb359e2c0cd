//! Who publishes the directory.

use super::StateCode;

/// Who publishes the directory, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organisation {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) api_url: String,
    pub(crate) mcp_url: String,
    pub(crate) site_url: String,
    pub(crate) live_url: Option<String>,
    pub(crate) address: Option<Address>,
}

/// Where the organisation is, for the standards exports.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// Street and number, a line each.
    pub line: Vec<String>,
    /// The city.
    pub city: Option<String>,
    /// The state.
    pub state: Option<StateCode>,
    /// The ZIP code.
    pub postal_code: Option<String>,
    /// The organisation's own phone number.
    pub phone: Option<String>,
}

impl Organisation {
    /// The clinic's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the clinic does, in a sentence.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Where the REST API is, without a slash at its end.
    #[must_use]
    pub fn api_url(&self) -> &str {
        &self.api_url
    }

    /// Where the MCP endpoint is.
    #[must_use]
    pub fn mcp_url(&self) -> &str {
        &self.mcp_url
    }

    /// Where the site is, without a slash at its end.
    #[must_use]
    pub fn site_url(&self) -> &str {
        &self.site_url
    }

    /// Where a CDN sends what it cannot answer; needed for CDN targets only.
    #[must_use]
    pub fn live_url(&self) -> Option<&str> {
        self.live_url.as_deref()
    }

    /// Where the organisation is, if it says so.
    #[must_use]
    pub fn address(&self) -> Option<&Address> {
        self.address.as_ref()
    }
}
