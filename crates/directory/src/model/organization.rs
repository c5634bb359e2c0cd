//! The clinic's own details.

use chrono::WeekdaySet;
use chrono_tz::Tz;

use super::{Discovery, Phone, Standards, StateCode, Window};

/// The clinic that publishes the directory, and its addresses, none of which ends with a slash.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Organization {
    pub name: String,
    pub description: String,
    pub api_url: String,
    pub mcp_url: String,
    pub site_url: String,
    /// The URL of the live service, where static hosts forward requests that they cannot answer.
    pub live_url: Option<String>,
    /// The URI template (RFC 6570) of the page where a time is booked: https, in ASCII without `"` and `\`.
    pub booking_url: Option<String>,
    pub address: Option<Address>,
    pub patients: Patients,
    pub(crate) search_words: Vec<SearchWord>,
    /// The exports for FHIR clients; without it, there are none.
    pub standards: Option<Standards>,
    pub discovery: Discovery,
}

/// A word that patients type, and the words that a search looks for as well; all of them folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SearchWord {
    pub(crate) typed: String,
    pub(crate) others: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// The lines above the city.
    pub line: Vec<String>,
    pub city: Option<String>,
    pub state: Option<StateCode>,
    pub postal_code: Option<String>,
    pub phone: Option<Phone>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patients {
    pub phone_hours: Option<PhoneHours>,
    pub cost: Option<String>,
    pub cost_without_insurance: Option<String>,
    pub emergency: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhoneHours {
    pub zone: Tz,
    /// Hours of one day: none reaches into the next. At least one.
    pub hours: Vec<(WeekdaySet, Window)>,
}

impl Organization {
    pub fn phone(&self) -> Option<&Phone> {
        self.address.as_ref()?.phone.as_ref()
    }

    /// The name of the system of visit types' ids, in codes of FHIR.
    pub fn visit_types_system(&self) -> String {
        format!("{}/v1/appointment-types", self.api_url)
    }
}
