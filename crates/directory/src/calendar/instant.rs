//! A whole second of UTC, and its text.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

const DAY: i64 = 86_400;
/// The seconds from the first of March 400 years before the year 0000 to the start of 1970.
const ERA_BEFORE: i64 = (719_468 + 146_097) * DAY;

/// A whole second of UTC, from the year 0000 to the year 9999. Arithmetic saturates at the first and last one, so it
/// never overflows and every instant has a text of twenty characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(i64);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a time is written with its offset, as in \"2026-06-04T14:00:00Z\" (RFC 3339), in the years 0000 to 9999 of UTC"
)]
pub struct InstantError;

impl Instant {
    /// The first second of the year 0000.
    pub const MIN: Self = Self(-62_167_219_200);
    /// The last second of the year 9999.
    pub const MAX: Self = Self(253_402_300_799);

    pub fn from_unix(seconds: i64) -> Self {
        Self(seconds.clamp(Self::MIN.0, Self::MAX.0))
    }

    pub fn unix(self) -> i64 {
        self.0
    }

    /// The first whole second at or after a moment, for "now" and the end of busy time.
    pub fn ceil(moment: DateTime<Utc>) -> Self {
        Self::from_unix(moment.timestamp() + i64::from(moment.timestamp_subsec_nanos() > 0))
    }

    /// The last whole second at or before a moment, for the start of busy time.
    pub fn floor(moment: DateTime<Utc>) -> Self {
        Self::from_unix(moment.timestamp())
    }

    /// Parses RFC 3339 with any offset; a fraction of a second is rounded up.
    pub fn parse_ceil(text: &str) -> Result<Self, InstantError> {
        moment(text).map(Self::ceil)
    }

    /// Parses RFC 3339 with any offset; a fraction of a second is rounded down.
    pub fn parse_floor(text: &str) -> Result<Self, InstantError> {
        moment(text).map(Self::floor)
    }

    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self::from_unix(self.0.saturating_add(seconds))
    }

    #[must_use]
    pub fn plus_minutes(self, minutes: u32) -> Self {
        self.plus_seconds(i64::from(minutes) * 60)
    }

    pub fn ascii(self) -> [u8; 20] {
        // Positive, because the count starts 400 years before the year 0000.
        let shifted = self.0 + ERA_BEFORE;
        let number = |number: i64| u32::try_from(number).unwrap_or_default();
        let (day, second) = (number(shifted / DAY), number(shifted % DAY));
        let (year, month, day_of_month) = date(day);
        let mut text = *b"0000-00-00T00:00:00Z";
        put(&mut text[0..4], year);
        put(&mut text[5..7], month);
        put(&mut text[8..10], day_of_month);
        put(&mut text[11..13], second / 3_600);
        put(&mut text[14..16], second / 60 % 60);
        put(&mut text[17..19], second % 60);
        text
    }
}

impl From<Instant> for DateTime<Utc> {
    fn from(instant: Instant) -> Self {
        // The years of an instant are within chrono's, so the default is never used.
        DateTime::from_timestamp(instant.0, 0).unwrap_or_default()
    }
}

impl FromStr for Instant {
    type Err = InstantError;

    /// As [`Instant::parse_ceil`].
    fn from_str(text: &str) -> Result<Self, InstantError> {
        Self::parse_ceil(text)
    }
}

impl<'de> Deserialize<'de> for Instant {
    /// As [`Instant::parse_floor`].
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse_floor(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(std::str::from_utf8(&self.ascii()).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

fn moment(text: &str) -> Result<DateTime<Utc>, InstantError> {
    // chrono also accepts a Unicode minus sign, RFC 3339 does not.
    if !text.is_ascii() {
        return Err(InstantError);
    }
    let moment = DateTime::parse_from_rfc3339(text).map_err(|_| InstantError)?.to_utc();
    // Checked after rounding up: the last half second of 9999 would round to the year 10000.
    let is_inside = moment.timestamp() >= Instant::MIN.0
        && moment.timestamp() + i64::from(moment.timestamp_subsec_nanos() > 0) <= Instant::MAX.0;
    if is_inside { Ok(moment) } else { Err(InstantError) }
}

/// Year, month and day of a day that is counted from [`ERA_BEFORE`]. chrono takes several times as long, and a body has
/// up to two hundred dates.
/// The years of the count begin in March, so a leap day is the last of its year (Howard Hinnant, "chrono-Compatible
/// Low-Level Date Algorithms", `civil_from_days`).
fn date(day: u32) -> (u32, u32, u32) {
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, in_next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    // The count starts 400 years before the year 0000.
    (era * 400 + year + in_next_year - 400, month, day)
}

fn put(field: &mut [u8], mut number: u32) {
    for digit in field.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_round_trips_through_its_text() {
        // Seconds from `date -u -d TEXT +%s`.
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59Z", -1),
            ("2026-06-04T14:00:00Z", 1_780_581_600),
            ("2028-02-29T23:59:59Z", 1_835_481_599),
            ("0000-01-01T00:00:00Z", -62_167_219_200),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] {
            let instant = Instant::from_unix(seconds);
            assert_eq!(instant.to_string(), text);
            assert_eq!(instant.ascii(), *text.as_bytes());
            assert_eq!(text.parse(), Ok(instant));
            assert_eq!(instant.unix(), seconds);
            assert_eq!(DateTime::from(instant).timestamp(), seconds);
        }
    }

    #[test]
    fn dates_agree_with_chrono() {
        // All years in steps of 97 days and some seconds.
        let mut at = Instant::MIN.unix();
        while at <= Instant::MAX.unix() {
            let instant = Instant::from_unix(at);
            let expected = DateTime::<Utc>::from(instant).format("%Y-%m-%dT%H:%M:%SZ").to_string();
            assert_eq!(instant.to_string(), expected);
            at += DAY * 97 + 12_347;
        }
    }

    #[test]
    fn any_offset_is_accepted() {
        let two = "2026-06-04T14:00:00Z".parse::<Instant>().unwrap();
        for text in [
            "2026-06-04T09:00:00-05:00",
            "2026-06-04T19:45:00+05:45",
            "2026-06-05T03:00:00+13:00",
            "2026-06-04T14:00:00+00:00",
            "2026-06-04t14:00:00z",
            "2026-06-04T14:00:00.000Z",
        ] {
            assert_eq!(text.parse(), Ok(two), "{text}");
        }
    }

    #[test]
    fn a_fraction_is_rounded_as_requested() {
        let text = "2026-06-04T13:59:59.000000001Z";
        assert_eq!(Instant::parse_floor(text).unwrap().to_string(), "2026-06-04T13:59:59Z");
        assert_eq!(Instant::parse_ceil(text).unwrap().to_string(), "2026-06-04T14:00:00Z");
        assert_eq!(text.parse(), Instant::parse_ceil(text));
        // Before 1970, down is still toward the past.
        let text = "1969-12-31T23:59:58.5Z";
        assert_eq!(Instant::parse_floor(text).unwrap().unix(), -2);
        assert_eq!(Instant::parse_ceil(text).unwrap().unix(), -1);
        // A leap second lies between :59 and the next minute.
        let text = "2016-12-31T23:59:60Z";
        assert_eq!(Instant::parse_floor(text).unwrap().to_string(), "2016-12-31T23:59:59Z");
        assert_eq!(Instant::parse_ceil(text).unwrap().to_string(), "2017-01-01T00:00:00Z");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "2026-06-04",
            "2026-06-04T14:00:00",
            "2026-06-04T14:00Z",
            "2026-06-04T14:00:00+0500",
            "2026-06-04T14:00:00\u{2212}05:00",
            "2026-06-04T14:00:00Z ",
            " 2026-06-04T14:00:00Z",
            "2026-02-29T14:00:00Z",
            "2026-06-04T24:00:00Z",
            "2026-06-04T14:60:00Z",
            "+12026-06-04T14:00:00Z",
            "-0001-06-04T14:00:00Z",
            "0000-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "9999-12-31T23:59:59.5Z",
            "1780581600",
        ] {
            assert_eq!(text.parse::<Instant>(), Err(InstantError), "{text:?}");
        }
    }

    #[test]
    fn arithmetic_saturates() {
        assert_eq!(Instant::from_unix(i64::MIN), Instant::MIN);
        assert_eq!(Instant::from_unix(i64::MAX), Instant::MAX);
        assert_eq!(Instant::MAX.plus_minutes(u32::MAX), Instant::MAX);
        assert_eq!(Instant::MIN.plus_seconds(i64::MIN), Instant::MIN);
        assert_eq!(Instant::ceil(DateTime::<Utc>::MAX_UTC), Instant::MAX);
        assert_eq!(Instant::floor(DateTime::<Utc>::MIN_UTC), Instant::MIN);
    }
}
