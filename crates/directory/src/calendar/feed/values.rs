//! The values of a line: its status and its times.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use super::super::instant::{Instant, InstantError};

/// FHIR's slot statuses.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    Free,
    Busy,
    BusyUnavailable,
    BusyTentative,
    EnteredInError,
}

/// A time, rounded down and up to whole seconds.
#[derive(Clone, Copy)]
pub(super) struct RoundedTime {
    pub(super) floor: Instant,
    pub(super) ceil: Instant,
}

impl<'de> Deserialize<'de> for RoundedTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(RoundedTimeVisitor)
    }
}

struct RoundedTimeVisitor;

impl Visitor<'_> for RoundedTimeVisitor {
    type Value = RoundedTime;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a time such as \"2026-06-04T14:00:00Z\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<RoundedTime, E> {
        let read = || -> Result<RoundedTime, InstantError> {
            Ok(RoundedTime { floor: Instant::parse_floor(text)?, ceil: Instant::parse_ceil(text)? })
        };
        read().map_err(E::custom)
    }
}
