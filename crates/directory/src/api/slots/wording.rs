//! Times and sentences for people.

use chrono::{DateTime, Utc};

use super::period::last_known;
use crate::calendar::{Instant, Tz};
use crate::model::Directory;

/// A time for people, by the clock of a zone or in UTC.
pub(super) fn in_words(at: impl Into<DateTime<Utc>>, zone: Option<Tz>) -> String {
    let at = at.into().with_timezone(&zone.unwrap_or(Tz::UTC));
    at.format("%B %-d at %-I:%M %p %Z").to_string()
}

pub(super) fn known_until(now: Instant, zone: Option<Tz>) -> String {
    let last = DateTime::<Utc>::from(last_known(now)).with_timezone(&zone.unwrap_or(Tz::UTC));
    format!("Openings are posted only through {}.", last.format("%B %-d, %Y"))
}

/// What is said of slots that the scheduling system has not confirmed since then.
pub(super) fn late_note(directory: &Directory, as_of: DateTime<Utc>, zone: Option<Tz>) -> String {
    let call = directory.organization().phone().map_or_else(
        || "Please confirm one with the clinic.".to_owned(),
        |phone| format!("Call {} to confirm one.", phone.shown()),
    );
    let as_of = in_words(as_of, zone);
    format!("These openings were last confirmed {as_of}, and some may be taken. {call}")
}
