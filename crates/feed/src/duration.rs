//! Lengths of time in configuration.

use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

/// A length of time as configuration writes it: `500ms`, `60s`, `5m`, `2h`.
#[must_use]
pub fn duration_of(text: &str) -> Option<Duration> {
    let unit = text.find(|letter: char| !letter.is_ascii_digit())?;
    let number: u32 = text[..unit].parse().ok()?;
    let milliseconds = match &text[unit..] {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    Some(Duration::from_millis(u64::from(number) * milliseconds))
}

/// A length of time of a settings file.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Time(pub(super) Duration);

impl TryFrom<String> for Time {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let refused = || format!("\"{text}\" is not a valid duration: write \"10s\" or \"2m\"");
        duration_of(&text).map(Self).ok_or_else(refused)
    }
}

/// A length of time from so many milliseconds to a day.
pub fn time_from<'de, const LEAST: u64, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let Time(time) = Time::deserialize(deserializer)?;
    let least = Duration::from_millis(LEAST);
    if (least..=Duration::from_hours(24)).contains(&time) {
        return Ok(time);
    }
    Err(D::Error::custom(format!("it is from {least:?} to 24h")))
}
