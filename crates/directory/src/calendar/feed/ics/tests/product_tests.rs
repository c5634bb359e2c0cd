//! Ten calendars in the dialects of the products that write them: `tests/cases/ics-products`.
//!
//! They are invented after the products' exports. What is busy of the 30 days from October 20, 2026 in Chicago is by
//! icalendar 7.3 with recurring-ical-events 3.8, with the table of `docs/FEED.md` for what is free.

use std::collections::BTreeMap;

use super::{month, read_with};

/// Series in eight zones around changes of their clocks, with dates that are added, taken and moved. One whose UNTIL is
/// before its DTSTART isn't among them: they leave out the DTSTART, too.
const RANDOM: &str = include_str!("../../../../../../../tests/cases/ics-products/random.json");
const EXPECTED: &str = include_str!("../../../../../../../tests/cases/ics-products/expected.json");

macro_rules! products {
    ($($name:literal,)*) => {
        [$(($name, &include_bytes!(concat!("../../../../../../../tests/cases/ics-products/", $name, ".ics"))[..]),)*]
    };
}

#[test]
fn calendars_of_ten_products_are_read() {
    let expected: BTreeMap<String, BTreeMap<String, Vec<[String; 2]>>> =
        serde_json::from_str(EXPECTED).unwrap();
    let products = products![
        "acuity",
        "cal-com",
        "fastmail",
        "google",
        "icloud",
        "microsoft-365",
        "nextcloud",
        "old-exchange",
        "simplepractice",
        "zoho",
    ];
    assert_eq!(products.len(), expected.len());
    for (name, text) in products {
        let now = "2026-10-20T00:00:00Z";
        let reading = read_with(text, "America/Chicago", now).unwrap();
        assert_eq!(reading.unplaced, [], "{name}");
        assert_eq!(month(&reading, now.parse().unwrap()), expected[name]["busy"], "{name}");
        assert!(reading.zones.iter().all(|zone| zone.by_name.is_some()), "{name}: {:?}", reading.zones);
        assert!(reading.last_entry.is_some(), "{name}");
    }
}

#[test]
fn random_calendars_are_read_as_icalendar_reads_them() {
    #[derive(serde::Deserialize)]
    struct Case {
        text: String,
        now: String,
        busy: Vec<[String; 2]>,
    }
    let cases: Vec<Case> = serde_json::from_str(RANDOM).unwrap();
    assert_eq!(cases.len(), 200);
    for Case { text, now, busy } in cases {
        let reading = read_with(&text, "America/Chicago", &now).unwrap();
        assert_eq!((month(&reading, now.parse().unwrap()), reading.unplaced_count), (busy, 0), "{text}");
    }
}
