//! An expected response, and the comparison of a body with it.

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use directory::api::{Caching, Fault, SlotSearch};
use generator::Sha256Digest;
use serde_json::Value;

use super::report::beginning;

/// A right response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expectation {
    pub(super) status: u16,
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
    /// Slots at times that only the feed knows, now.
    Slots(SlotSearch, DateTime<Utc>),
    Any,
}

impl Expectation {
    pub(super) fn of(status: u16, body: Body) -> Self {
        Self { status, body, caching: None, location: None, is_file: false }
    }
}

impl From<&Fault> for Expectation {
    fn from(fault: &Fault) -> Self {
        Self::of(fault.kind().status(), Body::Bytes(fault.body()))
    }
}

impl Body {
    pub(super) fn matches(&self, found: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::Bytes(bytes) => *bytes == found,
            Self::Digest(length, digest) => {
                found.len() as u64 == *length && Sha256Digest::of(found) == *digest
            }
            Self::Slots(search, now) => {
                serde_json::from_slice(found).is_ok_and(|body| may_be_slots(&body, search, *now))
            }
        }
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Self::Bytes(bytes) if bytes.is_empty() => "an empty body".to_owned(),
            Self::Bytes(bytes) => {
                format!("{} bytes {} (sha256 {:.12})", bytes.len(), beginning(bytes), Sha256Digest::of(bytes))
            }
            Self::Digest(length, digest) => format!("{length} bytes (sha256 {digest:.12})"),
            Self::Slots(search, _) => format!("sorted slots in {}", search.state),
            Self::Any => "any body".to_owned(),
        }
    }
}

/// Whether a body may be the answer to a search whose times only the feed knows.
fn may_be_slots(body: &Value, search: &SlotSearch, now: DateTime<Utc>) -> bool {
    let Some(slots) = body["slots"].as_array() else { return false };
    let starts: Vec<_> = slots.iter().map(|slot| slot["startTime"].as_str()).collect();
    // The clocks may differ by a minute, and a cache may keep the response for a minute.
    let begin = now - TimeDelta::minutes(2);
    let end = now + TimeDelta::days(search.horizon_days) + TimeDelta::minutes(1);
    let is_within =
        |start: &str| DateTime::parse_from_rfc3339(start).is_ok_and(|start| begin < start && start < end);
    body["state"] == search.state.code()
        && body["appointmentType"].as_i64() == search.appointment_type
        && body["provider"].is_string() == search.provider.is_some()
        && slots.len() as u64 <= search.limit.unsigned_abs()
        && starts.is_sorted()
        && starts.iter().all(|start| start.is_some_and(is_within))
        && body["nextAvailable"].as_str() == starts.first().copied().flatten()
}
