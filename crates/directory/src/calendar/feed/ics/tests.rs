//! The shared cases of `tests/cases/ics`: calendars and what of a month is busy, by two independent programs or by hand.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::super::hours::Busy;
use super::reading::UnplacedReason;
use super::*;

mod bytes_tests;
mod event_tests;
mod load_tests;
mod product_tests;
mod rule_tests;
mod zone_tests;

const CASES: &str = include_str!("../../../../../../tests/cases/ics/expected.json");

macro_rules! cases {
    ($($name:literal,)*) => {
        const TEXTS: &[(&str, &[u8])] = &[$((
            $name,
            include_bytes!(concat!("../../../../../../tests/cases/ics/", $name, ".ics")),
        ),)*];
    };
}

cases! {
    "all-day", "bad-but-free", "bad-rule", "bad-start", "canceled-instance", "empty", "end-first", "floating",
    "floating-named", "fold", "folded", "free-busy", "gap", "hourly", "junk-lines", "login-page", "monthly-setpos",
    "moved", "night", "old-series", "other-components", "rdate", "same-uid", "shown-as", "start-beside-rule", "status",
    "this-and-future", "truncated", "two-calendars", "until", "until-date", "utc", "weekly-exdate",
    "weekly-interval-wkst", "zero-length", "zone-custom", "zone-display", "zone-iana", "zone-iana-alone",
    "zone-unknown", "zone-windows", "zone-windows-alone", "zone-windows-lies",
}

/// A case's text, zone and now.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) text: &'static [u8],
    pub(super) zone: Tz,
    pub(super) now: Instant,
    expected: Value,
}

pub(super) fn cases() -> Vec<Case> {
    let expected: BTreeMap<String, Value> = serde_json::from_str(CASES).unwrap();
    assert_eq!(expected.len(), TEXTS.len());
    let case = |(name, text): &(&'static str, &'static [u8])| {
        let expected = expected[*name].clone();
        let zone = expected["zone"].as_str().unwrap().parse().unwrap();
        let now = expected["now"].as_str().unwrap().parse().unwrap();
        Case { name, text, zone, now, expected }
    };
    TEXTS.iter().map(case).collect()
}

pub(super) fn read_with(text: impl AsRef<[u8]>, zone: &str, now: &str) -> Result<IcsReading, IcsError> {
    read(text.as_ref(), zone.parse().unwrap(), now.parse().unwrap(), STEPS)
}

/// The busy times of the 30 days from now on.
pub(super) fn month(reading: &IcsReading, now: Instant) -> Vec<[String; 2]> {
    let end = now.plus_minutes(30 * 24 * 60);
    let cut = |busy: &Busy| (busy.start.max(now), busy.end.min(end));
    let cut = reading.busy.iter().map(cut).filter(|(start, end)| start < end);
    cut.map(|(start, end)| [start.to_string(), end.to_string()]).collect()
}

#[test]
fn the_shared_cases_are_read_as_expected() {
    for Case { name, text, zone, now, expected } in cases() {
        let reading = read(text, zone, now, STEPS);
        if let Some(refused) = expected["refused"].as_str() {
            let error = if refused == "truncated" { IcsError::CutOff } else { IcsError::NotCalendar };
            assert_eq!(reading, Err(error), "{name}");
            continue;
        }
        let reading = reading.unwrap();
        assert_eq!(reading.events == 0, expected["held"] == "empty", "{name}");
        let reasons: Vec<UnplacedReason> = reading.unplaced.iter().map(|unplaced| unplaced.reason).collect();
        let Some(withheld) = expected["withheld"].as_str() else {
            assert_eq!(reading.unplaced, [], "{name}");
            let busy: Vec<[String; 2]> =
                serde_json::from_value(expected.get("busy").unwrap_or(&Value::Array(vec![])).clone())
                    .unwrap();
            assert_eq!(month(&reading, now), busy, "{name}");
            continue;
        };
        match withheld {
            "zone" => assert_eq!(reasons, [UnplacedReason::Zone], "{name}"),
            "rule" => assert_eq!(reasons, [UnplacedReason::Rule], "{name}"),
            _ => assert!(
                matches!(reasons[..], [UnplacedReason::Unreadable | UnplacedReason::EndFirst]),
                "{name}: {reasons:?}"
            ),
        }
    }
}
