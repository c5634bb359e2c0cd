//! What must hold for any bytes: folding changes nothing, a damaged byte loses no time unseen, and nothing private leaves.

#![expect(clippy::cast_possible_truncation, reason = "small random numbers")]

use std::fmt::Write as _;

use super::super::super::{FeedLimits, PartId};
use super::rule_tests::Random;
use super::*;
use super::{cases, read_with};

fn read_case(text: &[u8], zone: Tz, now: Instant) -> Result<IcsReading, IcsError> {
    read(text, zone, now, STEPS)
}

/// A reading without the numbers of its lines.
fn without_lines(reading: Result<IcsReading, IcsError>) -> Result<IcsReading, IcsError> {
    reading.map(|mut reading| {
        reading.unplaced.iter_mut().for_each(|unplaced| unplaced.line = 0);
        reading.zones.iter_mut().for_each(|zone| zone.line = 0);
        reading
    })
}

/// In how many texts all places of a case are folded: one for each place would read the long series a thousand times.
const FOLDINGS: usize = 41;

#[test]
fn folding_at_any_byte_changes_nothing() {
    for case in cases() {
        let expected = without_lines(read_case(case.text, case.zone, case.now));
        let first = if case.text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        for turn in 0..FOLDINGS {
            let mut folded = case.text[..first].to_vec();
            for at in first..case.text.len() {
                // A break within another break, or before the space of a fold, would be another text.
                let is_in_break = case.text[..at].ends_with(b"\r") && case.text[at] == b'\n';
                let is_folded = case.text[..at].ends_with(b"\n") && matches!(case.text[at], b' ' | b'\t');
                if at % FOLDINGS == turn && !is_in_break && !is_folded {
                    folded.extend_from_slice(if (at / FOLDINGS).is_multiple_of(2) {
                        b"\r\n "
                    } else {
                        b"\n\t"
                    });
                }
                folded.push(case.text[at]);
            }
            assert_eq!(
                without_lines(read_case(&folded, case.zone, case.now)),
                expected,
                "{} in turn {turn}",
                case.name
            );
        }
        // And at each byte at once.
        let mut folded = case.text[..first].to_vec();
        for &byte in &case.text[first..] {
            folded.push(byte);
            if byte != b'\r' && byte != b'\n' {
                folded.extend_from_slice(b"\r\n ");
            }
        }
        assert_eq!(without_lines(read_case(&folded, case.zone, case.now)), expected, "{}", case.name);
    }
}

fn covers(busy: &[Busy], wanted: &[Busy]) -> bool {
    wanted.iter().all(|wanted| busy.iter().any(|busy| busy.start <= wanted.start && wanted.end <= busy.end))
}

/// What the fuzz target `ics` asks of any bytes.
fn assert_is_sound(reading: &IcsReading, now: Instant) {
    let (from, to) = (now.plus_seconds(-DAY), now.plus_seconds(33 * DAY));
    assert!(reading.busy.iter().all(|busy| from <= busy.start && busy.start < busy.end && busy.end <= to));
    assert!(reading.busy.windows(2).all(|pair| pair[0].end < pair[1].start));
    assert!(reading.unplaced.len() <= reading.unplaced_count.min(20));
    assert_eq!(reading.doubt().is_some(), reading.events == 0 || reading.unplaced_count > 0);
}

/// What a damaged byte may do without a word: change a value to another good one, or a name to one that isn't known.
fn is_told(reading: &Result<IcsReading, IcsError>, expected: &IcsReading) -> bool {
    match reading {
        Err(_) => true,
        Ok(reading) => reading.unplaced_count > 0 || covers(&reading.busy, &expected.busy),
    }
}

#[test]
fn a_damaged_byte_never_panics_and_damage_to_structure_or_to_a_start_is_reported() {
    let part = PartId::calendar(&"jane-doe".parse().unwrap(), "calendar".into());
    let mut random = Random(3);
    let mut damaged = 0;
    for case in cases() {
        let Ok(expected) = read_case(case.text, case.zone, case.now) else { continue };
        let mut line_start = 0;
        for at in 0..case.text.len() {
            if at > 0 && case.text[at - 1] == b'\n' {
                line_start = at;
            }
            let line = case.text[line_start..].split(|&byte| byte == b'\n').next().unwrap();
            let mut flipped = case.text.to_vec();
            flipped[at] ^=
                if random.below(2) == 0 { 1 << random.below(8) } else { 1 + random.below(255) as u8 };
            let removed = [&case.text[..at], &case.text[at + 1..]].concat();
            let text = if random.below(3) == 0 { removed } else { flipped };
            damaged += 1;
            let reading = read_case(&text, case.zone, case.now);
            if let Ok(reading) = &reading {
                assert_is_sound(reading, case.now);
                part.read(&reading.lines("jane-doe", case.now), &FeedLimits::default()).unwrap();
            }
            let in_line = at - line_start;
            let is_structure = line.starts_with(b"BEGIN:") || line.starts_with(b"END:");
            // The name and its colon, which end where a value or a parameter begins.
            let is_start = line.starts_with(b"DTSTART") && in_line < 8 && !in_observance(case.text, at);
            let is_break = matches!(case.text[at], b'\n');
            if is_structure || is_start {
                assert!(is_told(&reading, &expected), "{} at {at}: {reading:?}", case.name);
            }
            let is_skipped = line.starts_with(b"SUMMARY") || line.starts_with(b"DTSTAMP");
            if is_skipped
                && in_line > 7
                && !text[line_start..].starts_with(b"SUMMARY:\n")
                && !is_break
                && text.get(at) != Some(&b'\n')
            {
                assert_eq!(reading.as_ref(), Ok(&expected), "{} at {at}", case.name);
            }
        }
    }
    assert!(damaged > 15_000, "{damaged}");
}

fn in_observance(text: &[u8], at: usize) -> bool {
    let before = String::from_utf8_lossy(&text[..at]);
    before.rfind("BEGIN:VTIMEZONE") > before.rfind("END:VTIMEZONE")
}

#[test]
fn random_bytes_and_random_lines_never_panic() {
    let mut random = Random(5);
    let words: Vec<&str> = "BEGIN:VEVENT|END:VEVENT|BEGIN:VTIMEZONE|TZID:X|END:VTIMEZONE|BEGIN:STANDARD|END:STANDARD|BEGIN:VCALENDAR|\
        END:VCALENDAR|BEGIN:VFREEBUSY|END:VFREEBUSY|DTSTART:20261022T150000Z|DTSTART;TZID=X:20261022T150000|DTSTART:00000101|\
        DTSTART;VALUE=DATE:99991231|DTEND:99991231T235959Z|DTEND:20261022T160000Z|DURATION:P99999999W|DURATION:-PT1H|DURATION:P|\
        RRULE:FREQ=YEARLY;INTERVAL=99999999|RRULE:FREQ=HOURLY|RRULE:FREQ=DAILY;COUNT=99999999;BYHOUR=1,2;BYMINUTE=0,1|UID:a|UID:b|\
        RECURRENCE-ID:20261022T150000Z|RECURRENCE-ID;RANGE=THISANDFUTURE:20261022T150000Z|EXDATE:20261022T150000Z,x|\
        RDATE:20261022T150000Z/PT1H,20261022|FREEBUSY:20261022T150000Z/20261022T160000Z|TZOFFSETFROM:+0000|TZOFFSETTO:-2359|\
        RDATE;TZID=X:00000101T000000|X-WR-TIMEZONE:X|STATUS:CANCELLED|TRANSP:TRANSPARENT|BEGIN:VALARM|END:VALARM|RRULE:FREQ=DAILY"
        .split('|')
        .collect();
    for _ in 0..3_000 {
        let mut text = String::from("BEGIN:VCALENDAR\r\n");
        for _ in 0..random.below(40) {
            text += words[random.below(words.len() as u64) as usize];
            text += "\r\n";
        }
        text += "END:VCALENDAR\r\n";
        let now = ["2026-10-20T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]
            [random.below(3) as usize];
        if let Ok(reading) = read_with(&text, "America/Chicago", now) {
            assert_is_sound(&reading, now.parse().unwrap());
        }
        let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.below(256) as u8).collect();
        assert!(read_with(bytes, "America/Chicago", now).is_err());
    }
}

/// Everything but the allow-list, and its values where they can't be read, with a secret in each.
#[test]
fn nothing_private_leaves() {
    let mut random = Random(13);
    for round in 0..200 {
        let mut secrets = Vec::new();
        let mut secret = || {
            secrets.push(format!("Secret{:x}", random.below(1 << 30) + (1 << 30)));
            secrets.last().unwrap().clone()
        };
        let mut text = format!("BEGIN:VCALENDAR\r\nPRODID:{}\r\nX-WR-CALNAME:{}\r\n", secret(), secret());
        if round % 2 == 0 {
            let _ = write!(text, "X-WR-TIMEZONE:{}\r\n", secret());
        }
        let _ =
            write!(text, "BEGIN:VTIMEZONE\r\nTZID:{}\r\nTZNAME:{}\r\nEND:VTIMEZONE\r\n", secret(), secret());
        for property in [
            "SUMMARY:",
            "DESCRIPTION:",
            "LOCATION:",
            "UID:",
            "ATTENDEE;CN=",
            "ORGANIZER;CN=x:mailto:",
            "X-PATIENT:",
            "CONTACT:",
            "DTSTART:",
            "DTSTART;TZID=",
            "DTSTART;X-NOTE=",
            "DTEND:",
            "DURATION:",
            "RRULE:",
            "RRULE:FREQ=",
            "RRULE:FREQ=DAILY;X=",
            "EXDATE:",
            "RDATE:",
            "RDATE;TZID=",
            "RECURRENCE-ID:",
            "RECURRENCE-ID;RANGE=",
            "STATUS:",
            "TRANSP:",
            "COMMENT;ALTREP=\"",
            "BEGIN:",
            "END:",
            "X-MICROSOFT-CDO-BUSYSTATUS:",
            "EXRULE:",
            "",
            "=3D",
            ": ",
            " ",
            "GEO:",
            "URL:http://",
            "ATTACH:",
        ] {
            let _ = write!(text, "BEGIN:VEVENT\r\nUID:{}\r\nSUMMARY:{}\r\n", secret(), secret());
            let _ =
                write!(text, "DTSTART;TZID=\"{}\":20261022T150000\r\n{property}{}\r\n", secret(), secret());
            let _ = write!(text, "LOCATION:x\r\n {}\r\nEND:VEVENT\r\n", secret());
        }
        let _ =
            write!(text, "BEGIN:VFREEBUSY\r\nFREEBUSY;FBTYPE={}:{}\r\nEND:VFREEBUSY\r\n", secret(), secret());
        let whole = format!("{text}END:VCALENDAR\r\n");
        for text in
            [whole.clone(), text.clone(), format!("{}\r\n{whole}", secret()), format!("{whole}{}", secret())]
        {
            let reading = read_with(text, "America/Chicago", "2026-10-20T00:00:00Z");
            let mut shown = format!("{reading:?}");
            match reading {
                Ok(reading) => {
                    assert!(reading.unplaced_count >= 20);
                    reading.unplaced.iter().for_each(|unplaced| shown += &unplaced.to_string());
                }
                Err(error) => shown += &error.to_string(),
            }
            assert!(!shown.contains("Secret"), "{shown}");
        }
    }
}
