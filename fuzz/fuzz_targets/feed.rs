//! Any text is a feed or an error that names lines; whatever it says, the demo clinic can be asked afterwards.
#![no_main]

use std::sync::Arc;

use directory::Request;
use directory::calendar::{Calendar, FeedFile, FeedLimits, FeedMode, FeedRules, FeedSet, Instant};
use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::{DEMO, now};

fuzz_target!(|text: &str| {
    let Ok(file) = FeedFile::read("feed", text, &FeedLimits::default()) else { return };
    for mode in [FeedMode::Busy, FeedMode::Open] {
        let rules = FeedRules::new(mode);
        let set = FeedSet::of_files(&[Arc::new(file.clone())], &rules, DEMO.directory());
        let calendar = Calendar::with_feed(DEMO.directory(), mode, Instant::ceil(now()));
        let snapshot = DEMO.with_calendar(calendar.apply(DEMO.directory(), &set.providers));
        for query in ["state=CA", "state=AZ&limit=200&horizonDays=30"] {
            let request = Request::from_path_and_query("/v1/availability", Some(query)).expect("a request");
            _ = snapshot.answer(&request, now());
        }
    }
});
