//! The table of what is busy, row by row, by hand.

use super::*;
use super::{month, read_with};

const NOW: &str = "2026-10-20T00:00:00Z";

/// Events are separated by `||`, their lines by `|`.
fn read_events(events: &str) -> IcsReading {
    let event = |lines: &str| format!("BEGIN:VEVENT\r\n{}\r\nEND:VEVENT\r\n", lines.replace('|', "\r\n"));
    let events: String = events.split("||").map(event).collect();
    read_with(format!("BEGIN:VCALENDAR\r\n{events}END:VCALENDAR\r\n"), "America/Chicago", NOW).unwrap()
}

/// Busy times as `22T15:00-16:00`, of October, or with the month before.
fn shown(reading: &IcsReading) -> String {
    let time = |text: &str| text[5..16].trim_start_matches("10-").to_owned();
    let row = |[start, end]: [String; 2]| {
        let (start, end) = (time(&start), time(&end));
        let day = start.split('T').next().unwrap().to_owned() + "T";
        format!("{start}-{}", end.strip_prefix(&day).unwrap_or(&end))
    };
    month(reading, NOW.parse().unwrap()).into_iter().map(row).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_busy() {
    for (events, busy) in [
        // Ends.
        ("DTSTART:20261022T150000Z|DURATION:PT90M", "22T15:00-16:30"),
        ("DTSTART:20261022T150000Z|DURATION:P1DT1H", "22T15:00-23T16:00"),
        ("DTSTART:20261022T150000Z|DTEND:20261022T153000Z|DURATION:PT1H", "22T15:00-16:00"),
        ("DTSTART;VALUE=DATE:20261022|DURATION:P2D", "22T05:00-24T05:00"),
        ("DTSTART;VALUE=DATE:20261022|DTEND;VALUE=DATE:20261022", "22T05:00-23T05:00"),
        (
            "DTSTART;TZID=America/New_York:20261022T150000|DTEND;TZID=Europe/Berlin:20261022T220000",
            "22T19:00-20:00",
        ),
        // A day over the change of the clock: 24 hours, or to the same time of the next day, whichever is later.
        ("DTSTART;TZID=America/New_York:20261031T120000|DURATION:P1D", "31T16:00-11-01T17:00"),
        ("DTSTART;TZID=America/New_York:20261031T230000|DURATION:PT4H", "11-01T03:00-08:00"),
        // Series.
        (
            "DTSTART:20261022T150000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|RRULE:FREQ=WEEKLY;COUNT=2",
            "22T15:00-16:00 23T15:00-16:00 29T15:00-16:00",
        ),
        (
            "DTSTART:20261022T150000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=3|EXDATE:20261023T150000Z",
            "22T15:00-16:00 24T15:00-16:00",
        ),
        (
            "DTSTART:20261022T150000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=3|EXDATE:20261022T150000Z",
            "23T15:00-16:00 24T15:00-16:00",
        ),
        (
            "DTSTART:20261022T150000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|EXRULE:FREQ=DAILY",
            "22T15:00-16:00 23T15:00-16:00",
        ),
        (
            "DTSTART:20261022T150000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|EXDATE;VALUE=DATE:20261023|EXDATE:x",
            "22T15:00-16:00 23T15:00-16:00",
        ),
        (
            "DTSTART:20261022T150000Z|DURATION:PT1H|RDATE;VALUE=PERIOD:20261023T150000Z/20261023T170000Z,20261024T150000Z/PT2H",
            "22T15:00-16:00 23T15:00-17:00 24T15:00-17:00",
        ),
        // A period that began long before is longer than the event.
        (
            "DTSTART:20260822T150000Z|DURATION:PT1H|RDATE;VALUE=PERIOD:20260901T150000Z/20261021T170000Z",
            "20T00:00-21T17:00",
        ),
        (
            "DTSTART:20261022T150000Z|DURATION:PT1H|RDATE:20261023T150000Z|EXDATE:20261023T150000Z",
            "22T15:00-16:00",
        ),
        (
            "DTSTART;VALUE=DATE:20261022|RRULE:FREQ=WEEKLY;UNTIL=20261029",
            "22T05:00-23T05:00 29T05:00-30T05:00",
        ),
        (
            "DTSTART:20261022T090000|DURATION:PT1H|RRULE:FREQ=DAILY;UNTIL=20261023T090000",
            "22T14:00-15:00 23T14:00-15:00",
        ),
        ("DTSTART:20261022T150000Z|DURATION:PT1H|RRULE:FREQ=DAILY;UNTIL=20261001T000000Z", "22T15:00-16:00"),
        // Changes.
        ("UID:a|DTSTART:20261022T150000Z|DURATION:PT1H|RECURRENCE-ID:20261023T150000Z", "22T15:00-16:00"),
        (
            "UID:a|DTSTART:20261022T150000Z|DURATION:PT1H||UID:a|STATUS:CANCELLED|RECURRENCE-ID:20261022T150000Z",
            "",
        ),
        (
            "UID:a|DTSTART:20261022T150000Z|DURATION:PT1H||UID:b|STATUS:CANCELLED|RECURRENCE-ID:20261022T150000Z",
            "22T15:00-16:00",
        ),
        (
            "DTSTART:20261022T150000Z|DURATION:PT1H||STATUS:CANCELLED|RECURRENCE-ID:20261022T150000Z",
            "22T15:00-16:00",
        ),
        // Of two series with one UID, neither loses an instance.
        (
            "UID:a|DTSTART:20261022T150000Z|DURATION:PT1H||UID:a|DTSTART:20261022T150000Z|DURATION:PT2H||UID:a|STATUS:CANCELLED|RECURRENCE-ID:20261022T150000Z",
            "22T15:00-17:00",
        ),
        (
            "UID:a|DTSTART:20261022T150000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=4||UID:a|RECURRENCE-ID;RANGE=THISANDFUTURE:20261024T150000Z|DTSTART:20261024T170000Z|DURATION:PT2H||UID:a|RECURRENCE-ID:20261025T150000Z|DTSTART:20261026T150000Z|DURATION:PT30M",
            "22T15:00-16:00 23T15:00-16:00 24T17:00-19:00 26T15:00-15:30",
        ),
        (
            "UID:a|DTSTART:20261022T150000Z|DURATION:PT1H|RRULE:FREQ=DAILY||UID:a|STATUS:CANCELLED|RECURRENCE-ID;RANGE=THISANDFUTURE:20261024T150000Z",
            "22T15:00-16:00 23T15:00-16:00",
        ),
        (
            "UID:a|TRANSP:TRANSPARENT|DTSTART:20261022T150000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=4||UID:a|RECURRENCE-ID;RANGE=THISANDFUTURE:20261024T150000Z|DTSTART:20261024T150000Z|DURATION:PT2H",
            "24T15:00-17:00 25T15:00-17:00",
        ),
        // Forms.
        ("dtstart;tzid=\"America/New_York\":20261022t150000|DURATION:pt1h", "22T19:00-20:00"),
        ("DTSTART;TZID=America/New_York;VALUE=DATE-TIME:20261022T150000Z|DURATION:PT1H", "22T15:00-16:00"),
        (
            "DTSTART;TZID=(UTC-05:00) Eastern Time (US & Canada):20261022T150000|DURATION:PT1H",
            "22T19:00-20:00",
        ),
        ("DTSTART:20261022T150000Z|DURATION:PT1H|ATTENDEE;PARTSTAT=DECLINED:mailto:x", "22T15:00-16:00"),
    ] {
        let reading = read_events(events);
        assert_eq!((shown(&reading).as_str(), reading.unplaced), (busy, vec![]), "{events}");
    }
}

#[test]
fn what_cannot_be_placed_is_reported_and_the_rest_is_busy() {
    use UnplacedReason::{EndFirst, Missing, Rule, Twice, Unreadable};
    for (events, property, reason, busy) in [
        ("SUMMARY:x", "DTSTART", Missing, ""),
        ("DTSTART:|DURATION:PT1H", "DTSTART", Unreadable, ""),
        ("DTSTART:20260230T150000Z", "DTSTART", Unreadable, ""),
        ("DTSTART:20261022T150000Z|DTSTART:20261023T150000Z", "DTSTART", Twice, "22T15:00-15:01"),
        ("DTSTART:20261022T150000Z|DTEND:x", "DTEND", Unreadable, "22T15:00-15:01"),
        ("DTSTART:20261022T150000Z|DTEND:20261022T140000Z", "DTEND", EndFirst, "22T15:00-15:01"),
        ("DTSTART:20251022T150000Z|DTEND:20251022T140000Z", "DTEND", EndFirst, ""),
        (
            "DTSTART:20261022T150000Z|DTEND;TZID=Europe/Berlin:20261022T153000",
            "DTEND",
            EndFirst,
            "22T15:00-15:30",
        ),
        ("DTSTART:20261022T150000Z|DURATION:-PT1H", "DTEND", EndFirst, "22T15:00-15:01"),
        ("DTSTART:20261022T150000Z|DURATION:1H", "DURATION", Unreadable, "22T15:00-15:01"),
        ("DTSTART:20261022T150000Z|DURATION:PT1H|RRULE:FREQ=MINUTELY", "RRULE", Rule, "22T15:00-16:00"),
        (
            "DTSTART:20261022T150000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|RRULE:FREQ=X",
            "RRULE",
            Rule,
            "22T15:00-16:00 23T15:00-16:00",
        ),
        (
            "DTSTART:20261022T150000Z|DURATION:PT1H|RDATE:20261023T150000Z,x",
            "RDATE",
            Unreadable,
            "22T15:00-16:00 23T15:00-16:00",
        ),
        (
            "DTSTART:20261022T150000Z|DURATION:PT1H|RDATE:20261023T150000Z/20261023T140000Z",
            "RDATE",
            Unreadable,
            "22T15:00-16:00",
        ),
        (
            "UID:a|DTSTART:20261022T150000Z|DURATION:PT1H|RECURRENCE-ID:x",
            "RECURRENCE-ID",
            Unreadable,
            "22T15:00-16:00",
        ),
        (
            "UID:a|DTSTART:20261022T150000Z|DURATION:PT1H|RECURRENCE-ID;RANGE=THISANDPRIOR:20261022T150000Z",
            "RECURRENCE-ID",
            Unreadable,
            "22T15:00-16:00",
        ),
    ] {
        let reading = read_events(events);
        let told: Vec<_> =
            reading.unplaced.iter().map(|unplaced| (unplaced.property, unplaced.reason)).collect();
        assert_eq!((told, shown(&reading).as_str()), (vec![(property, reason)], busy), "{events}");
        assert!(read_events(&format!("{events}|TRANSP:TRANSPARENT")).unplaced.is_empty(), "{events} is free");
    }
    assert_eq!(read_events("SUMMARY:x").unplaced[0].to_string(), "line 2: DTSTART is missing");
}

#[test]
fn a_reading_counts_what_it_has_and_what_it_leaves_out() {
    let text = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nEND:VTODO\r\nBEGIN:VEVENT\r\nDTSTART:20200101T000000Z\r\nEXRULE:FREQ=DAILY\r\n\
        END:VEVENT\r\nBEGIN:VEVENT\r\nTRANSP:TRANSPARENT\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSTATUS:CANCELLED\r\nEND:VEVENT\r\n\
        BEGIN:VFREEBUSY\r\nFREEBUSY;FBTYPE=FREE:20261022T150000Z/PT1H\r\nEND:VFREEBUSY\r\nEND:VCALENDAR\r\n";
    let reading = read_with(text, "America/Chicago", NOW).unwrap();
    assert_eq!((reading.events, reading.unplaced_count, reading.busy.len()), (4, 0, 0));
    assert_eq!(reading.left_out, LeftOut { free: 2, canceled: 1, components: 1, exceptions: 1 });
    assert_eq!(reading.last_entry, Some("2020-01-01T00:00:00Z".parse().unwrap()));
}

#[test]
fn the_days_of_single_all_day_events_that_are_free_are_listed() {
    let day = "DTSTART;VALUE=DATE:20261022|TRANSP:TRANSPARENT";
    for (event, days) in [
        (day.to_owned(), "2026-10-22"),
        (format!("{day}|DTEND;VALUE=DATE:20261024"), "2026-10-22 2026-10-23"),
        // From the day before `NOW`.
        (
            "DTSTART;VALUE=DATE:20200101|DTEND;VALUE=DATE:20261021|TRANSP:TRANSPARENT".to_owned(),
            "2026-10-19 2026-10-20",
        ),
        (format!("{day}|RRULE:FREQ=YEARLY"), ""),
        (format!("{day}|STATUS:CANCELLED"), ""),
        ("DTSTART;VALUE=DATE:20261022".to_owned(), ""),
        ("DTSTART:20261022T150000Z|TRANSP:TRANSPARENT".to_owned(), ""),
    ] {
        let listed: Vec<_> = read_events(&event).free_days.iter().map(ToString::to_string).collect();
        assert_eq!(listed.join(" "), days, "{event}");
    }
}
