//! Any bytes are a photograph or none. Without metadata it is the same photograph, not larger but for one block that names how
//! it is turned, and a second cleaning finds nothing.
#![no_main]

use directory::content::{MOST_PIXELS, Photo};
use libfuzzer_sys::fuzz_target;

/// A segment or chunk with the orientation alone.
const BLOCK: usize = 64;

fuzz_target!(|bytes: &[u8]| {
    let Some(Ok(photo)) = Photo::parse(bytes) else { return };
    assert!((1..=MOST_PIXELS).contains(&photo.pixels()) && (1..=8).contains(&photo.orientation()));
    let clean = photo.without_metadata();
    assert!(clean.len() <= bytes.len() + BLOCK);
    let again = Photo::parse(&clean).expect("a photograph").expect("a whole one");
    let facts = |photo: &Photo<'_>| (photo.format(), photo.pixels(), photo.orientation());
    assert_eq!(facts(&again), facts(&photo));
    assert_eq!(again.without_metadata(), clean);
});
