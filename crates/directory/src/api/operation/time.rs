//! Moments and pages in requests: when to begin, when to end, and where a cut list goes on.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, MappedLocalTime, NaiveDate, TimeZone as _};
use serde_json::Value;

use super::parameter::Parameter;
use super::value::{Argument, RawValue, Wrong};
use crate::calendar::{ClockTime, Cursor, Instant, StartOrder, Tz, first_instant};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    Utc(Instant),
    /// By the clock of the time zone asked for: a whole date, or a time of it.
    Local(NaiveDate, Option<ClockTime>),
}

impl When {
    /// The first second that counts. A local time that the clock skips is the first instant after it; of two that it
    /// repeats, the first. `None` for a local time without a zone.
    pub(crate) fn begin(self, zone: Option<Tz>) -> Option<Instant> {
        match self {
            Self::Utc(instant) => Some(instant),
            Self::Local(date, time) => Some(first_instant(zone?, date, time.unwrap_or(ClockTime::DAY_START))),
        }
    }

    /// The first second that no longer counts: a date counts whole. Of two local times that repeat, the second.
    pub(crate) fn end(self, zone: Option<Tz>) -> Option<Instant> {
        match self {
            Self::Utc(instant) => Some(instant),
            Self::Local(date, None) => Some(first_instant(zone?, date, ClockTime::DAY_END)),
            Self::Local(date, Some(time)) => {
                let zone = zone?;
                let minutes = u32::from(time.minutes());
                let local = date.and_hms_opt(minutes / 60, minutes % 60, 0);
                match local.map(|local| zone.from_local_datetime(&local)) {
                    Some(MappedLocalTime::Ambiguous(_, second)) => Some(Instant::floor(second.to_utc())),
                    _ => Some(first_instant(zone, date, time)),
                }
            }
        }
    }
}

impl fmt::Display for When {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utc(instant) => instant.fmt(formatter),
            Self::Local(date, None) => date.fmt(formatter),
            Self::Local(date, Some(time)) => write!(formatter, "{date}T{time}"),
        }
    }
}

/// Exactly as answers and this type write it.
impl Argument for When {
    fn read(value: &RawValue, parameter: &Parameter) -> Result<Self, Wrong> {
        const RULE: &str = "must be a time in UTC such as 2026-12-01T22:00:00Z, or with timeZone 2026-12-01 or 2026-12-01T15:00";
        let text = String::read(value, parameter)?;
        let (date, time) = match text.split_once('T') {
            Some((date, time)) => (date, Some(time)),
            None => (&*text, None),
        };
        let time = time.map(str::parse).transpose().ok();
        let when = match (Instant::parse_floor(&text), date.parse(), time) {
            (Ok(instant), ..) => Some(Self::Utc(instant)),
            (_, Ok(date), Some(time)) if time != Some(ClockTime::DAY_END) => Some(Self::Local(date, time)),
            _ => None,
        };
        when.filter(|when| when.to_string() == text).ok_or_else(|| match DateTime::parse_from_rfc3339(&text) {
            Ok(at) => Wrong::Told(
                RULE,
                format!(
                    "Please give that {} by the clock of a time zone (2026-12-01T15:00, with the time zone \
                     America/Los_Angeles) or in UTC ({}).",
                    parameter.label,
                    Instant::floor(at.to_utc())
                ),
            ),
            Err(_) => Wrong::Rule(RULE.into()),
        })
    }

    fn write(&self) -> Value {
        self.to_string().into()
    }
}

const VERSION: u8 = 1;

/// The version, the start, and four hashes, in base64 for addresses.
impl fmt::Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StartOrder { first, lead, end } = self.order;
        let mut bytes = vec![VERSION];
        for number in [self.at.unix().cast_unsigned(), first, lead, end, self.last] {
            bytes.extend(number.to_be_bytes());
        }
        formatter.write_str(&URL_SAFE_NO_PAD.encode(bytes))
    }
}

impl Argument for Cursor {
    fn read(value: &RawValue, parameter: &Parameter) -> Result<Self, Wrong> {
        let text = String::read(value, parameter)?;
        cursor(&text)
            .filter(|cursor| cursor.to_string() == text)
            .ok_or(Wrong::Rule("must be the `next` of a truncated list".into()))
    }

    fn write(&self) -> Value {
        self.to_string().into()
    }
}

fn cursor(text: &str) -> Option<Cursor> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (&version, rest) = bytes.split_first()?;
    let numbers: Vec<u64> = rest.as_chunks().0.iter().map(|number| u64::from_be_bytes(*number)).collect();
    let (VERSION, &[at, first, lead, end, last]) = (version, &numbers[..]) else { return None };
    Some(Cursor { at: Instant::from_unix(at.cast_signed()), order: StartOrder { first, lead, end }, last })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::operation::parameters::FROM;

    fn read(text: &str) -> Option<When> {
        When::read(&RawValue::Text(text.to_owned()), &FROM).ok()
    }

    #[test]
    fn moments_have_three_forms() {
        for text in ["2026-11-24T17:00:00Z", "2026-11-24", "2026-11-24T18:00", "2026-11-24T00:00"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        for text in [
            "2026-11-24T18:00:00",
            "2026-11-24T24:00",
            "2026-11-24T25:00",
            "2026-11-24T",
            "2026-02-30",
            "2026-11-24 18:00",
            "2026-11-24T18:00-07:00",
            "2026-11-24T18:00:00-07:00",
            "2026-11-24T18:00:00.5Z",
            "20261124",
            "+2026-11-24",
            "2026-1-4",
            "11/24/2026",
            "next Tuesday",
            "T18:00",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    /// The instants are those of `date -u -d 'TZ="America/New_York" …'`, and of the tz database's changes in 2026.
    #[test]
    fn local_times_that_a_clock_skips_or_repeats() {
        let zone = Some(Tz::America__New_York);
        let begin = |text: &str| read(text).unwrap().begin(zone).unwrap().to_string();
        let end = |text: &str| read(text).unwrap().end(zone).unwrap().to_string();
        assert_eq!(begin("2026-11-24"), "2026-11-24T05:00:00Z");
        assert_eq!(end("2026-11-24"), "2026-11-25T05:00:00Z");
        assert_eq!((begin("2026-11-24T18:00"), end("2026-11-24T18:00")).0, "2026-11-24T23:00:00Z");
        // On March 8 the clock goes from 2:00 to 3:00, on November 1 from 2:00 back to 1:00.
        assert_eq!(begin("2026-03-08T02:30"), "2026-03-08T07:00:00Z");
        assert_eq!(end("2026-03-08T02:30"), "2026-03-08T07:00:00Z");
        assert_eq!(begin("2026-11-01T01:30"), "2026-11-01T05:30:00Z");
        assert_eq!(end("2026-11-01T01:30"), "2026-11-01T06:30:00Z");
        assert_eq!((begin("2026-11-01"), end("2026-11-01")).1, "2026-11-02T05:00:00Z");
        let utc = read("2026-11-24T17:00:00Z").unwrap();
        assert_eq!(utc.begin(None), utc.end(zone));
        assert_eq!(read("2026-11-24").unwrap().begin(None), None);
    }

    #[test]
    fn a_cursor_is_only_what_a_list_gave() {
        let cursor = Cursor {
            at: Instant::from_unix(1_795_200_000),
            order: StartOrder { first: 1, lead: u64::MAX, end: 3 },
            last: 1 << 40,
        };
        let text = cursor.to_string();
        let read = |text: &str| Cursor::read(&RawValue::Text(text.to_owned()), &FROM).ok();
        assert_eq!(read(&text), Some(cursor));
        assert_eq!(text.len(), 55);
        for wrong in [&text[..54], &format!("{text}A"), &format!("B{}", &text[1..]), "AQAA", "x", "🦀"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
