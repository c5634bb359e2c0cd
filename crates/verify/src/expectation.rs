use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use directory::api::{Caching, Fault, SlotSearch};
use directory::changes::Sha256Digest;
use serde_json::{Map, Value};

use super::report::beginning;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expectation {
    pub(super) status: u16,
    pub(super) body: Body,
    /// How long caches may keep it; `None` if that is not checked.
    pub(super) caching: Option<Caching>,
    /// The path to which it redirects, if its status is 301.
    pub(super) location: Option<String>,
    /// Whether it is a file of the tree, and not an answer of the API.
    pub(super) is_file: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    Bytes(Bytes),
    Digest(u64, Sha256Digest),
    /// Any plausible answer to this search at this time, as only the feed knows the slots. The rest of the answer must be
    /// that of this program's own.
    Slots(Box<SlotSearch>, DateTime<Utc>, Bytes),
    /// A list of changes with this generation and digest. Hosts may know different steps.
    Changes(String, String),
    Any,
}

impl Expectation {
    pub(super) fn new(status: u16, body: Body) -> Self {
        Self { status, body, caching: None, location: None, is_file: false }
    }
}

impl From<&Fault> for Expectation {
    fn from(fault: &Fault) -> Self {
        Self::new(fault.kind().status(), Body::Bytes(fault.body()))
    }
}

impl Body {
    pub(super) fn matches(&self, found: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::Changes(generation, digest) => serde_json::from_slice(found).is_ok_and(|body: Value| {
                body["generation"] == **generation && body["digest"] == **digest && body["steps"].is_array()
            }),
            Self::Bytes(bytes) => *bytes == found,
            Self::Digest(size, sha256) => found.len() as u64 == *size && Sha256Digest::hash(found) == *sha256,
            Self::Slots(search, now, own) => serde_json::from_slice(found)
                .is_ok_and(|body| may_be_slots(&body, search, *now) && repeated(found) == repeated(own)),
        }
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Self::Bytes(bytes) if bytes.is_empty() => "an empty body".to_owned(),
            Self::Bytes(bytes) => {
                let sha256 = Sha256Digest::hash(bytes);
                format!("{} bytes {} (sha256 {sha256:.12})", bytes.len(), beginning(bytes))
            }
            Self::Digest(size, sha256) => format!("{size} bytes (sha256 {sha256:.12})"),
            Self::Slots(search, ..) => format!("sorted slots of this search in {}", search.state),
            Self::Changes(generation, digest) => {
                format!("the changes up to {generation} with the digest {digest:.12}")
            }
            Self::Any => "any body".to_owned(),
        }
    }
}

/// The members that repeat the search.
fn repeated(body: &[u8]) -> Option<Map<String, Value>> {
    let mut members: Map<String, Value> = serde_json::from_slice(body).ok()?;
    let varying = [
        "slots",
        "nextAvailable",
        "truncated",
        "next",
        "now",
        "asOf",
        "stale",
        "clinicians",
        "reason",
        "unknown",
    ];
    members.retain(|name, _| !varying.contains(&name.as_str()));
    Some(members)
}

fn may_be_slots(body: &Value, search: &SlotSearch, now: DateTime<Utc>) -> bool {
    let Some(slots) = body["slots"].as_array() else { return false };
    let starts: Vec<_> = slots.iter().map(|slot| slot["startTime"].as_str()).collect();
    // The host's clock may be a minute ahead or behind, and a cache may keep the response for a minute.
    let begin = now - TimeDelta::minutes(2);
    let end = now + TimeDelta::days(search.horizon_days.unwrap_or(30)) + TimeDelta::minutes(1);
    let is_within =
        |start: &str| DateTime::parse_from_rfc3339(start).is_ok_and(|start| begin < start && start < end);
    slots.len() as u64 <= search.limit.unsigned_abs()
        && starts.is_sorted()
        && starts.iter().all(|start| start.is_some_and(is_within))
        && body["nextAvailable"].as_str() == starts.first().copied().flatten()
}
