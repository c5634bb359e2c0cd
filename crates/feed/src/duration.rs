//! Lengths of time in configuration.

use std::time::Duration;

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
