//! Any bytes are a calendar or a sentence. What is busy is within the window, sorted and merged, and lines of a feed.
#![no_main]

use directory::calendar::{FeedLimits, Instant, PartId, Tz, read_calendar};
use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::now;

const DAY: i64 = 86_400;

fuzz_target!(|bytes: &[u8]| {
    let now = Instant::floor(now());
    let reading = match read_calendar(bytes, &[Tz::America__Los_Angeles], now) {
        Ok(reading) => reading,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let (from, to) = (now.plus_seconds(-DAY), now.plus_seconds(33 * DAY));
    assert!(reading.busy.iter().all(|busy| from <= busy.start && busy.start < busy.end && busy.end <= to));
    assert!(reading.busy.windows(2).all(|pair| pair[0].end < pair[1].start));
    assert!(reading.unplaced.len() <= reading.unplaced_count.min(20));
    assert_eq!(reading.doubt().is_some(), reading.events == 0 || reading.unplaced_count > 0);
    let part = PartId::calendar(&"jane-doe".parse().expect("a slug"), "calendar".into());
    part.read(&reading.lines("jane-doe", now), &FeedLimits::default()).expect("lines of a feed");
});
