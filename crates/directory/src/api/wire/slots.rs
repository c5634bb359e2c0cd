//! Open slots.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write as _;

use bytes::Bytes;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::operation::Part;
use super::{Reason, to_json};
use crate::calendar::Instant;

/// About how many bytes a slot takes in JSON.
const SLOT_BYTES: usize = 96;
const REST_BYTES: usize = 256;

/// The answer of the availability operation.
#[derive(Debug, JsonSchema)]
#[schemars(rename = "AvailabilityResponse")]
pub(crate) struct SlotList<'a> {
    /// Open slots, earliest first.
    pub(crate) slots: Vec<Slot<'a>>,
    #[serde(flatten)]
    pub(crate) rest: AfterSlots<'a>,
}

impl SlotList<'_> {
    /// Compact JSON. Most requests need a new body, and most of it is slots. They are written by hand, because a serializer
    /// looks for characters to escape in every text, and times and slugs have none.
    pub(crate) fn to_json(&self) -> Bytes {
        let mut body = Vec::with_capacity(self.slots.len() * SLOT_BYTES + REST_BYTES);
        body.extend_from_slice(br#"{"slots":["#);
        for (nth, slot) in self.slots.iter().enumerate() {
            body.extend_from_slice(if nth == 0 { br#"{"startTime":""# } else { br#",{"startTime":""# });
            body.extend_from_slice(&slot.start_time.ascii());
            body.extend_from_slice(br#"","providerSlug":""#);
            body.extend_from_slice(slot.provider_slug.as_bytes());
            if let Some(local) = &slot.local_time {
                body.extend_from_slice(br#"","localTime":""#);
                body.extend_from_slice(local.as_bytes());
            }
            body.push(b'"');
            if let Some(is_eligible) = slot.new_patient_eligible {
                write!(body, r#","newPatientEligible":{is_eligible}"#).unwrap_or_default();
            }
            body.push(b'}');
        }
        body.extend_from_slice(b"],");
        body.extend_from_slice(to_json(&self.rest).get(1..).unwrap_or_default());
        body.into()
    }
}

/// The rest of the answer, which follows the slots.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AfterSlots<'a> {
    /// Earliest slot start; null when nothing is open.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub(crate) next_available: Option<Instant>,
    /// Echo of the state searched.
    pub(crate) state: &'static str,
    /// Echo of the appointment type filter; null when there was none.
    pub(crate) appointment_type: Option<i64>,
    /// Echo of the provider slug filter; null when there was none.
    pub(crate) provider: Option<&'a str>,
    /// Echo of the insurance filter.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) insurance: Option<&'a str>,
    /// Echo of the gender filter.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = crate::model::Gender::WORDS))]
    pub(crate) gender: Option<&'a str>,
    /// Echo of the kind of clinician.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = crate::model::ProviderType::WORDS))]
    pub(crate) provider_type: Option<&'a str>,
    /// Echo of the language filter: its English name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) language: Option<&'a str>,
    /// Echo of the earliest start, in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub(crate) from: Option<Instant>,
    /// Echo: each clinician's first slot alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = ["provider"]))]
    pub(crate) one_per: Option<&'a str>,
    /// Echo: only visit types for new patients.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub(crate) new_patients: Option<bool>,
    /// Echo of the end, in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub(crate) until: Option<Instant>,
    /// Echo of the time zone: its IANA name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) time_zone: Option<&'a str>,
    /// Echo of the part of the day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("enum" = Part::WORDS))]
    pub(crate) part: Option<&'a str>,
    /// True when there are more slots than `limit`. Only with parameters beyond the specification; else absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub(crate) truncated: Option<bool>,
    /// Of a truncated list: the `after` of the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) next: Option<String>,
    /// With `explain`.
    #[serde(flatten)]
    pub(crate) explained: Option<Explained<'a>>,
}

/// An open slot.
#[derive(Debug, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Slot<'a> {
    /// ISO 8601 in UTC.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub(crate) start_time: Instant,
    /// The clinician whose slot it is.
    pub(crate) provider_slug: &'a str,
    /// With `timeZone`: the start by its clock, with the offset.
    #[schemars(with = "String", extend("format" = "date-time"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) local_time: Option<String>,
    /// Open to new patients.
    #[schemars(with = "bool")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) new_patient_eligible: Option<bool>,
}

/// What a person needs to choose and book a slot.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Explained<'a> {
    /// The minute of this answer.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub(crate) now: Instant,
    /// When the slots were last known to be right.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub(crate) as_of: Instant,
    /// The scheduling system is late: some slots may be taken.
    pub(crate) stale: bool,
    /// By slug, the name and credentials of each clinician listed.
    pub(crate) clinicians: BTreeMap<&'a str, Cow<'a, str>>,
    /// The visit types that can be booked with what was asked.
    pub(crate) visit_types: Vec<BookableType<'a>>,
    /// How a slot is booked: nothing is held until then.
    pub(crate) booking: Booking<'a>,
    /// Why the list is empty, or null.
    pub(crate) reason: Option<Reason>,
    /// Matches whose openings can't be read now, 200 at most.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub(crate) unknown: Vec<&'a str>,
}

/// A visit type with appointments.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BookableType<'a> {
    /// The `appointmentType` to ask for.
    pub(crate) id: i32,
    /// The name to show.
    pub(crate) name: &'a str,
    /// How long it takes.
    pub(crate) minutes: u32,
    /// Whether new patients may book it.
    pub(crate) new_patient_eligible: bool,
}

/// Where to book.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Booking<'a> {
    /// The clinic's phone number.
    pub(crate) phone: Option<&'a str>,
    /// A URI template (RFC 6570) of the page where a slot is booked.
    pub(crate) url_template: Option<&'a str>,
}

impl Serialize for Instant {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&String::from_utf8_lossy(&self.ascii()))
    }
}
