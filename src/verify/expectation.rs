//! An expected response, and the comparison of a body with it.

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use directory::api::{Caching, Fault, SlotSearch};
use generator::{ManifestEntry, Sha256Digest};
use serde_json::Value;

use super::report::beginning;

/// A right response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expectation {
    /// `None`: any status.
    pub(super) status: Option<u16>,
    pub(super) body: Body,
    pub(super) caching: Option<Caching>,
    /// The target of a 301.
    pub(super) location: Option<String>,
    /// Whether the request is for a file of the tree by its own path.
    pub(super) is_file: bool,
}

/// The expected body, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    Bytes(Bytes),
    /// Its size and its hash.
    Digest(u64, Sha256Digest),
    /// Slots at times that only the feed knows.
    Slots(Slots),
    JsonObject,
    Any,
}

/// The expected slots of a search, as far as they are known without the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slots {
    /// With the provider's current slug.
    pub(super) search: SlotSearch,
    /// The slugs of all providers who may be listed.
    pub(super) providers: Vec<String>,
    /// The time of the response.
    pub(super) now: DateTime<Utc>,
}

impl Expectation {
    /// Any JSON object.
    pub(super) const UNKNOWN: Self =
        Self { status: None, body: Body::JsonObject, caching: None, location: None, is_file: false };

    pub(super) fn with_status(status: u16) -> Self {
        Self { status: Some(status), ..Self::UNKNOWN }
    }

    /// The content of a file of the catalogue.
    pub(super) fn content_of(entry: &ManifestEntry) -> Self {
        let body = Body::Digest(entry.bytes(), entry.sha256());
        Self { body, caching: Some(Caching::Catalogue), ..Self::with_status(200) }
    }

    pub(super) fn allows_status(&self, status: u16) -> bool {
        self.status.is_none_or(|expected| expected == status)
    }
}

impl From<&Fault> for Expectation {
    fn from(fault: &Fault) -> Self {
        Self { body: Body::Bytes(fault.body()), ..Self::with_status(fault.kind().status()) }
    }
}

impl Body {
    pub(super) fn matches(&self, found: &[u8]) -> bool {
        let json = || serde_json::from_slice::<Value>(found);
        match self {
            Self::Any => true,
            Self::Bytes(bytes) => *bytes == found,
            Self::Digest(length, digest) => {
                found.len() as u64 == *length && Sha256Digest::of(found) == *digest
            }
            Self::JsonObject => json().is_ok_and(|body| body.is_object()),
            Self::Slots(slots) => json().is_ok_and(|body| slots.match_body(&body)),
        }
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Self::Bytes(bytes) if bytes.is_empty() => "an empty body".to_owned(),
            Self::Bytes(bytes) => {
                format!("{} bytes {} (sha256 {:.12})", bytes.len(), beginning(bytes), Sha256Digest::of(bytes))
            }
            Self::Digest(length, digest) => format!("{length} bytes (sha256 {digest:.12})"),
            Self::Slots(Slots { search, .. }) => {
                format!("sorted slots of providers who take patients in {}", search.state)
            }
            Self::JsonObject => "a JSON object".to_owned(),
            Self::Any => "any body".to_owned(),
        }
    }
}

impl Slots {
    fn match_body(&self, body: &Value) -> bool {
        let Self { search, providers, now } = self;
        let Some(slots) = body["slots"].as_array() else { return false };
        let starts: Vec<_> = slots.iter().map(|slot| slot["startTime"].as_str()).collect();
        // The clocks may differ by a minute, and a cache may keep the response for a minute.
        let (begin, end) = (
            *now - TimeDelta::minutes(2),
            *now + TimeDelta::days(search.horizon_days) + TimeDelta::minutes(1),
        );
        let is_within =
            |start: &str| DateTime::parse_from_rfc3339(start).is_ok_and(|start| begin < start && start < end);
        let is_listed = |slot: &Value| providers.iter().any(|slug| slot["providerSlug"] == slug.as_str());
        body["state"] == search.state.code()
            && body["appointmentType"].as_i64() == search.appointment_type
            && body["provider"].as_str() == search.provider.as_deref()
            && slots.len() as u64 <= search.limit.unsigned_abs()
            && starts.is_sorted()
            && starts.iter().all(|start| start.is_some_and(is_within))
            && body["nextAvailable"].as_str() == starts.first().copied().flatten()
            && slots.iter().all(is_listed)
    }
}
