//! Any five numbers are a cursor, if the first is a time. The pages behind it end, repeat nothing, keep the order of time, and list every slot
//! that starts later. The first byte is the limit, the second says whether a provider is named; the rest is the cursor.
#![no_main]

use std::collections::HashSet;
use std::sync::LazyLock;

use data_encoding::BASE64URL_NOPAD;
use directory::Request;
use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::{DEMO, now};
use serde_json::Value;

const LIST: &str = "/v1/availability?state=CA&horizonDays=2";
const NUMBERS: usize = 5 * size_of::<u64>();

/// The start and the provider of each slot of the whole list, in its order.
static ALL: LazyLock<Vec<(String, String)>> = LazyLock::new(|| pages(format!("{LIST}&limit=50")));

fn pages(first: String) -> Vec<(String, String)> {
    let (mut slots, mut next) = (Vec::new(), Some(first));
    while let Some(target) = next {
        let request = Request::from_target(&target).expect("a list's own cursor is a cursor");
        let answer = DEMO.answer(&request, now()).expect("every cursor has a page");
        let body: Value = serde_json::from_slice(answer.body()).expect("JSON");
        let page = body["slots"].as_array().expect("slots");
        let text = |slot: &Value, key: &str| slot[key].as_str().expect("a text").to_owned();
        slots.extend(page.iter().map(|slot| (text(slot, "startTime"), text(slot, "providerSlug"))));
        next = answer.next_path(&request);
        assert!(next.is_none() || !page.is_empty(), "a page that is cut has slots");
    }
    slots
}

fuzz_target!(|bytes: &[u8]| {
    let Some(([limit, at_slot], numbers)) = bytes.split_first_chunk::<2>() else { return };
    if numbers.len() < NUMBERS {
        return;
    }
    let mut cursor = vec![1];
    cursor.extend(&numbers[..NUMBERS]);
    // Most times that a machine makes up are years away from every slot.
    if at_slot % 4 > 0 {
        let (start, _) = &ALL[usize::from(*at_slot) * ALL.len() / 256];
        let start: chrono::DateTime<chrono::Utc> = start.parse().expect("a moment");
        cursor[1..9].copy_from_slice(&start.timestamp().to_be_bytes());
    }
    let at = i64::from_be_bytes(cursor[1..9].try_into().expect("eight bytes"));
    let after = BASE64URL_NOPAD.encode(&cursor);
    let first = format!("{LIST}&limit={}&after={after}", 10 + limit % 40);
    // A start that no clock shows is refused.
    if Request::from_target(&first).is_err() {
        return;
    }
    let found = pages(first);
    assert!(found.windows(2).all(|pair| pair[0].0 <= pair[1].0), "in the order of time");
    let once: HashSet<_> = found.iter().collect();
    assert_eq!(once.len(), found.len(), "a slot is listed twice");
    for slot in &*ALL {
        let start = slot.0.parse::<chrono::DateTime<chrono::Utc>>().expect("a moment").timestamp();
        match start.cmp(&at) {
            std::cmp::Ordering::Less => assert!(!once.contains(slot), "before the cursor: {slot:?}"),
            std::cmp::Ordering::Greater => assert!(once.contains(slot), "left out: {slot:?}"),
            std::cmp::Ordering::Equal => {}
        }
    }
    assert!(found.iter().all(|slot| ALL.contains(slot)), "a slot that is not open");
});
