//! Settings that have bounds, and what is wrong with one.

use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {what}")]
pub struct OptionsError {
    pub key: &'static str,
    pub what: String,
}

/// Parses a duration as settings write it: `500ms`, `60s`, `5m`, `2h`.
pub fn parse_duration(text: &str) -> Option<Duration> {
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

pub(crate) fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    let refused = || format!("\"{text}\" isn't a valid duration: write \"90s\" or \"5m\"");
    parse_duration(&text).ok_or_else(|| D::Error::custom(refused()))
}

/// Reads a duration of at least `LEAST` milliseconds and at most a day.
pub fn time_from<'de, const LEAST: u64, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let (time, least) = (time(deserializer)?, Duration::from_millis(LEAST));
    let is_valid = (least..=Duration::from_hours(24)).contains(&time);
    if is_valid { Ok(time) } else { Err(D::Error::custom(format!("it must be from {least:?} to 24h"))) }
}

pub fn between<'de, const LEAST: usize, const MOST: usize, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<usize, D::Error> {
    let number = usize::deserialize(deserializer)?;
    let is_valid = (LEAST..=MOST).contains(&number);
    if is_valid { Ok(number) } else { Err(D::Error::custom(format!("it must be from {LEAST} to {MOST}"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_a_number_and_one_of_four_units() {
        for (text, milliseconds) in [("500ms", 500), ("60s", 60_000), ("5m", 300_000), ("2h", 7_200_000)] {
            assert_eq!(parse_duration(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "5", "m", "5 m", "5min", "-1s", "1.5h", "99999999999h"] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }

    #[test]
    fn a_setting_of_time_has_its_bounds() {
        let read = |text: &str| {
            time_from::<1_000, _>(toml::Value::from(text)).map_err(|error| error.message().to_owned())
        };
        assert_eq!(read("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(read("24h"), Ok(Duration::from_hours(24)));
        for text in ["999ms", "25h"] {
            assert_eq!(read(text), Err("it must be from 1s to 24h".to_owned()), "{text}");
        }
        assert_eq!(read("soon"), Err("\"soon\" isn't a valid duration: write \"90s\" or \"5m\"".to_owned()));
    }
}
