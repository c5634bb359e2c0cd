//! Any path and query is a request or a fault; a request written down again means the same; every answer is JSON.
#![no_main]

use directory::Request;
use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::{DEMO, now};

fuzz_target!(|text: &str| {
    let Ok(request) = Request::from_target(text) else { return };
    let written = request.path_and_query();
    let again = Request::from_target(&written).expect("what we write, we read");
    assert_eq!(again.path_and_query(), written);
    let (first, second) = (DEMO.answer(&request, now()), DEMO.answer(&again, now()));
    match (first, second) {
        (Ok(first), Ok(second)) => {
            assert_eq!(first.body(), second.body());
            if first.moved_path().is_none() {
                serde_json::from_slice::<serde_json::Value>(first.body()).expect("JSON");
            }
        }
        (Err(first), Err(second)) => assert_eq!(first, second),
        _ => panic!("one question, two outcomes"),
    }
});
