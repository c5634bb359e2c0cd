//! Large calendars stay within their bounds.

#![expect(clippy::cast_possible_truncation, reason = "small random numbers")]

use std::fmt::Write as _;

use super::read_with;
use super::rule_tests::Random;
use super::*;

const NOW: &str = "2026-10-20T00:00:00Z";

/// A calendar of ten years as Google exports it: one event of four is a series, and most are past.
fn long_lived(events: u64, with_end: bool) -> String {
    let mut random = Random(events);
    let mut text = String::from(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Google Inc//Google Calendar 70.9054//EN\r\n",
    );
    text += "X-WR-TIMEZONE:America/New_York\r\nBEGIN:VTIMEZONE\r\nTZID:America/New_York\r\nBEGIN:DAYLIGHT\r\n\
        TZOFFSETFROM:-0500\r\nTZOFFSETTO:-0400\r\nTZNAME:EDT\r\nDTSTART:19700308T020000\r\n\
        RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\r\nEND:DAYLIGHT\r\nBEGIN:STANDARD\r\nTZOFFSETFROM:-0400\r\n\
        TZOFFSETTO:-0500\r\nTZNAME:EST\r\nDTSTART:19701101T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU\r\n\
        END:STANDARD\r\nEND:VTIMEZONE\r\n";
    for event in 0..events {
        let date =
            format!("{}{:02}{:02}", 2017 + random.below(10), 1 + random.below(12), 1 + random.below(28));
        let hour = 8 + random.below(10);
        let zone = ";TZID=America/New_York";
        let _ = write!(
            text,
            "BEGIN:VEVENT\r\nDTSTART{zone}:{date}T{hour:02}0000\r\nDTEND{zone}:{date}T{hour:02}5000\r\n"
        );
        if event % 4 == 0 {
            let rule = ["WEEKLY;BYDAY=MO,WE", "WEEKLY", "MONTHLY;BYDAY=2TU", "DAILY", "YEARLY"];
            let rule = rule[random.below(5) as usize];
            let end = if with_end { ";COUNT=900" } else { "" };
            let _ = write!(text, "RRULE:FREQ={rule}{end}\r\nEXDATE{zone}:{date}T{hour:02}0000\r\n");
        }
        let _ = write!(
            text,
            "DTSTAMP:20261001T000000Z\r\nUID:{event:026x}@google.com\r\n\
             DESCRIPTION:A line that is fol\r\n ded.\r\nLAST-MODIFIED:20200101T000000Z\r\nSEQUENCE:0\r\nSTATUS:CONFIRMED\r\nSUMMARY:Visit {event}\r\n\
             TRANSP:OPAQUE\r\nEND:VEVENT\r\n"
        );
    }
    text + "END:VCALENDAR\r\n"
}

#[test]
fn twenty_thousand_events_with_series_stay_within_their_steps() {
    for with_end in [false, true] {
        let text = long_lived(20_000, with_end);
        let reading = read(text.as_bytes(), Tz::America__Chicago, NOW.parse().unwrap(), 1_000_000).unwrap();
        assert_eq!((reading.events, reading.unplaced_count), (20_000, 0));
        assert!(reading.busy.len() > 30);
    }
}

#[test]
fn what_passes_a_bound_is_reported_and_the_rest_is_busy() {
    let event = |more: &str| {
        format!("BEGIN:VEVENT\r\nDTSTART:20261022T150000Z\r\nDTEND:20261022T160000Z\r\n{more}END:VEVENT\r\n")
    };
    let calendar = |events: &str| format!("BEGIN:VCALENDAR\r\n{events}END:VCALENDAR\r\n");
    let dates: Vec<String> = (0..5_000)
        .map(|n| format!("202610{:02}T{:02}{:02}{:02}Z", 21 + n % 9, n % 24, n % 60, n % 59))
        .collect();
    for (name, text, property) in [
        ("events", calendar(&event("").repeat(20_001)), "BEGIN"),
        ("line", calendar(&event(&format!("RDATE:{}\r\n", dates.join(",")))), "RDATE"),
        (
            "steps",
            calendar(&event(
                "RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7,8,9,10;BYMINUTE=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,\
            20,21,22,23,24,25,26,27,28,29,30;BYSECOND=0,1,2,3,4,5,6,7,8,9,10,11,12\r\n",
            )),
            "RRULE",
        ),
        (
            "steps before the window",
            calendar(
                &event("RRULE:FREQ=DAILY;BYDAY=MO;COUNT=500000\r\n").replace("DTSTART:2026", "DTSTART:1526"),
            ),
            "RRULE",
        ),
    ] {
        let reading = read_with(&text, "America/Chicago", NOW).unwrap();
        let told: Vec<_> =
            reading.unplaced.iter().map(|unplaced| (unplaced.property, unplaced.reason)).collect();
        let reason = if name == "line" { UnplacedReason::Unreadable } else { UnplacedReason::Bound };
        assert_eq!(told, [(property, reason)], "{name}");
        assert!(!reading.busy.is_empty(), "{name}");
    }
    // An ATTACH may be as long as it likes.
    let text = calendar(&event(&format!("ATTACH:{}\r\n", "x".repeat(1 << 20))));
    assert_eq!(read_with(text, "America/Chicago", NOW).unwrap().unplaced, []);
    assert_eq!(read_with("x".repeat(9 << 20), "UTC", NOW), Err(IcsError::TooLarge));
}

/// Texts that are made to be slow: the steps bound them all.
#[test]
fn all_series_together_have_a_bound() {
    let event = "BEGIN:VEVENT\r\nUID:a\r\nDTSTART:19000101T000000Z\r\nRRULE:FREQ=MONTHLY;BYDAY=MO;COUNT=99999999\r\nEND:VEVENT\r\n";
    let text = format!("BEGIN:VCALENDAR\r\n{}END:VCALENDAR\r\n", event.repeat(2_000));
    let reading = read(text.as_bytes(), Tz::UTC, NOW.parse().unwrap(), 100_000).unwrap();
    assert!(reading.unplaced_count > 1_900, "{}", reading.unplaced_count);
}

/// Texts that would take hours if nothing bounded them.
#[test]
fn texts_that_are_made_to_be_slow_are_bounded() {
    let event = |lines: &str| {
        format!("BEGIN:VEVENT\r\nUID:a\r\nDTSTART:19000101T000000Z\r\n{lines}\r\nEND:VEVENT\r\n")
    };
    let numbers: Vec<String> = (1..=366).map(|number| format!("{number},-{number}")).collect();
    let numbers = numbers.join(",");
    let up_to = |most: u32| (1..=most).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    let (hours, days, minutes) = (up_to(12), up_to(28), up_to(59));
    let changes = event("RECURRENCE-ID;RANGE=THISANDFUTURE:30000101T000000Z").repeat(4_000);
    let paths =
        format!("BEGIN:VEVENT\r\nDTSTART;TZID={}:20261022T150000\r\nEND:VEVENT\r\n", "/a".repeat(30_000));
    for (name, events) in [
        ("numbers", event(&format!("RRULE:FREQ=YEARLY;COUNT=9999999;BYYEARDAY={numbers}")).repeat(50)),
        (
            "positions",
            event(&format!("RRULE:FREQ=DAILY;COUNT=9999999;BYMONTH=1,3;BYHOUR=1,2;BYSETPOS={numbers}"))
                .repeat(50),
        ),
        (
            "seconds",
            event(&format!(
                "RRULE:FREQ=YEARLY;BYMONTHDAY={days};BYMONTH={hours};BYHOUR={hours};BYMINUTE={minutes};BYSECOND={minutes};BYSETPOS=1"
            )),
        ),
        ("changes", changes + &event("RRULE:FREQ=HOURLY;INTERVAL=2").repeat(4_000)),
        ("paths", paths.repeat(60)),
    ] {
        let text = format!("BEGIN:VCALENDAR\r\n{events}END:VCALENDAR\r\n");
        let reading = read(text.as_bytes(), Tz::UTC, NOW.parse().unwrap(), 1_000_000).unwrap();
        assert!(reading.unplaced_count > 0, "{name}");
    }
}
