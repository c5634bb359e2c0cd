//! Zones: the table of Windows' names against another one, and both readings against the tz database.

use chrono::{Offset as _, TimeZone as _};
use chrono_tz::TZ_VARIANTS;
use windows_timezones::WindowsTimezone;

use super::super::zones::{Offsets, WINDOWS, by_name};
use super::*;
use super::{month, read_with};

#[test]
fn the_table_of_windows_names_agrees_with_the_crate_windows_timezones() {
    let mut names = 0;
    for line in WINDOWS.lines() {
        let [windows, zone, shown] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let theirs: WindowsTimezone = windows.parse().unwrap();
        assert_eq!(theirs.tzdb_id(), zone);
        assert_eq!(
            theirs.description().split_once(") ").map_or(theirs.description(), |(_, rest)| rest),
            shown
        );
        let zone = if windows == "UTC" { Some(Tz::UTC) } else { Some(zone.parse().unwrap()) };
        assert_eq!(by_name(windows.as_bytes()), zone, "{windows}");
        let shown = by_name(theirs.description().as_bytes()).unwrap();
        assert_eq!(shown, line.split('\t').nth(1).unwrap().parse().unwrap(), "{line}");
        names += 1;
    }
    assert_eq!(names, 139, "all of windowsZones");
}

#[test]
fn names_of_zones_are_read_as_products_write_them() {
    for (name, zone) in [
        ("America/New_York", "America/New_York"),
        ("america/new_york", "America/New_York"),
        ("/freeassociation.sourceforge.net/Tzfile/America/Los_Angeles", "America/Los_Angeles"),
        ("/mozilla.org/20050126_1/America/Indiana/Knox", "America/Indiana/Knox"),
        ("Eastern Standard Time", "America/New_York"),
        ("Eastern Standard Time 1", "America/New_York"),
        ("(UTC-05:00) Eastern Time (US & Canada)", "America/New_York"),
        ("(GMT-05:00) Eastern Time (US and Canada)", "America/New_York"),
        ("(UTC+01:00) Amsterdam\\, Berlin\\, Bern\\, Rome\\, Stockholm\\, Vienna", "Europe/Berlin"),
        ("tzone://Microsoft/Utc", "UTC"),
        ("UTC", "UTC"),
    ] {
        assert_eq!(by_name(name.as_bytes()), Some(zone.parse().unwrap()), "{name}");
    }
    for name in
        ["", " ", "/", "Customized Time Zone", "Office Time", "New_York", "(UTC-05:00) My own", "\u{fffd}"]
    {
        assert_eq!(by_name(name.as_bytes()), None, "{name}");
    }
    assert_eq!(by_name(b"\xFF"), None);
}

/// By the tz database, against a look at each instant.
#[test]
fn local_times_are_read_as_rfc_5545_says() {
    for zone in TZ_VARIANTS.into_iter().step_by(3) {
        for now in ["2026-03-20T00:00:00Z", "2026-10-20T00:00:00Z", "2011-12-20T00:00:00Z"] {
            let now = now.parse::<Instant>().unwrap().unix();
            let offsets = Offsets::Known(zone);
            for local in (now - 40 * DAY..now + 50 * DAY).step_by(1_799) {
                let offset = |unix: i64| {
                    let time = chrono::DateTime::from_timestamp(unix, 0).unwrap().naive_utc();
                    i64::from(zone.offset_from_utc_datetime(&time).fix().local_minus_utc())
                };
                // The offsets two days before and after; of both that fit, the first instant.
                let (before, after) = (offset(local - 2 * DAY), offset(local + 2 * DAY));
                let fits = [before, after].into_iter().filter(|ahead| offset(local - ahead) == *ahead);
                let expected = fits.map(|ahead| local - ahead).min().unwrap_or(local - before);
                assert_eq!(offsets.utc(local), expected, "{zone} {local}");
            }
        }
    }
}

fn event(lines: &str) -> String {
    format!("BEGIN:VEVENT\r\n{}\r\nEND:VEVENT\r\n", lines.replace('|', "\r\n"))
}

fn busy(calendar: &str) -> Vec<[String; 2]> {
    let now = "2026-10-20T00:00:00Z";
    let reading =
        read_with(format!("BEGIN:VCALENDAR\r\n{calendar}END:VCALENDAR\r\n"), "America/Chicago", now).unwrap();
    assert_eq!(reading.unplaced, [], "{calendar}");
    month(&reading, now.parse().unwrap())
}

fn times(of: &[(&str, &str)]) -> Vec<[String; 2]> {
    of.iter().map(|(start, end)| [format!("2026-{start}:00Z"), format!("2026-{end}:00Z")]).collect()
}

const WINTER_ALL_YEAR: &str = "BEGIN:VTIMEZONE\r\nTZID:Eastern Standard Time\r\nBEGIN:STANDARD\r\nDTSTART:16010101T000000\r\n\
    TZOFFSETFROM:-0500\r\nTZOFFSETTO:-0500\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n";

#[test]
fn an_exception_and_a_change_take_an_instance_under_each_reading() {
    let series =
        "UID:s|DTSTART;TZID=Eastern Standard Time:20261021T140000|DURATION:PT30M|RRULE:FREQ=DAILY;COUNT=3";
    // By name at 18:00, by the calendar at 19:00.
    let both = [
        ("10-21T18:00", "10-21T18:30"),
        ("10-21T19:00", "10-21T19:30"),
        ("10-22T18:00", "10-22T18:30"),
        ("10-22T19:00", "10-22T19:30"),
        ("10-23T18:00", "10-23T18:30"),
        ("10-23T19:00", "10-23T19:30"),
    ];
    let calendar = |more: &str| format!("{}{WINTER_ALL_YEAR}", event(&format!("{series}{more}")));
    assert_eq!(busy(&calendar("")), times(&both), "a VTIMEZONE may come last");
    let local = "|EXDATE;TZID=Eastern Standard Time:20261022T140000";
    assert_eq!(busy(&calendar(local)), times(&[both[0], both[1], both[4], both[5]]));
    // Of UTC, it takes what begins exactly then.
    assert_eq!(
        busy(&calendar("|EXDATE:20261022T180000Z")),
        times(&[both[0], both[1], both[3], both[4], both[5]])
    );
    let canceled = event("UID:s|STATUS:CANCELLED|RECURRENCE-ID:20261022T190000Z");
    assert_eq!(busy(&(calendar("") + &canceled)), times(&[both[0], both[1], both[2], both[4], both[5]]));
}

#[test]
fn each_calendar_of_a_text_has_its_own_zones() {
    let start = "DTSTART;TZID=Eastern Standard Time:20261022T140000|DURATION:PT30M";
    let two = format!(
        "{}{WINTER_ALL_YEAR}END:VCALENDAR\r\nBEGIN:VCALENDAR\r\n{}",
        event(start),
        event(&start.replace("22T", "23T"))
    );
    // The second one borrows the first one's, as it has none.
    assert_eq!(busy(&two).len(), 4);
    let summer = WINTER_ALL_YEAR.replace("-0500", "-0400");
    assert_eq!(
        busy(&(two + &summer)),
        times(&[
            ("10-22T18:00", "10-22T18:30"),
            ("10-22T19:00", "10-22T19:30"),
            ("10-23T18:00", "10-23T18:30")
        ])
    );
}

#[test]
fn an_unknown_zone_is_reported_only_where_it_matters() {
    let read = |lines: &str| {
        let text = format!("BEGIN:VCALENDAR\r\nX-WR-TIMEZONE:Nowhere\r\n{}END:VCALENDAR\r\n", event(lines));
        read_with(text, "America/Chicago", "2026-10-20T00:00:00Z").unwrap()
    };
    for (lines, is_told) in [
        ("DTSTART;TZID=X:20261022T140000", true),
        ("DTSTART;TZID=X:20261022T140000|TRANSP:TRANSPARENT", false),
        ("DTSTART;TZID=X:20251022T140000", false),
        ("DTSTART;TZID=X:20251022T140000|RRULE:FREQ=DAILY;COUNT=3", false),
        ("DTSTART;TZID=X:20251022T140000|RRULE:FREQ=DAILY;UNTIL=20260101T000000Z", false),
        ("DTSTART;TZID=X:20251022T140000|RRULE:FREQ=DAILY", true),
        ("DTSTART:20261022T140000", true),
        ("DTSTART:20261022T140000Z", false),
        ("DTSTART:20261022T140000Z|DTEND;TZID=X:20261022T150000", true),
        ("DTSTART;VALUE=DATE:20261022", false),
    ] {
        assert_eq!(read(lines).unplaced_count > 0, is_told, "{lines}");
    }
}

#[test]
fn what_is_unclear_in_one_of_a_clinicians_zones_is_reported() {
    // From nine on its own clock to 16:00 of UTC: in Honolulu that is before its start.
    let event = event("DTSTART:20261102T090000|DTEND:20261102T160000Z");
    let text = format!("BEGIN:VCALENDAR\r\n{event}END:VCALENDAR\r\n");
    let zones = [Tz::America__New_York, Tz::Pacific__Honolulu];
    let read = |zones: &[Tz]| {
        read_calendar(text.as_bytes(), zones, "2026-11-01T00:00:00Z".parse().unwrap()).unwrap()
    };
    assert_eq!(read(&zones[..1]).unplaced, []);
    let reasons =
        |zones: &[Tz]| read(zones).unplaced.iter().map(|unplaced| unplaced.reason).collect::<Vec<_>>();
    assert_eq!(reasons(&zones), [UnplacedReason::EndFirst]);
    assert_eq!((read(&zones).unplaced_count, read(&zones).busy.len()), (1, 2));
    // What is unclear in both is one thing.
    let zones = [Tz::Pacific__Honolulu, Tz::Pacific__Honolulu];
    assert_eq!((read(&zones).unplaced_count, read(&zones).busy.len()), (1, 1));
}
