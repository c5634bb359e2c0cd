//! A key's name and its value, each as bytes: what is read is bounded, and reads the same when it is written again.
//!
//! The first line is the name (also a subject of a reply), the rest the value.
#![no_main]

use std::io::Write;

use directory::calendar::{BadText, FeedLimits, PartId};
use flate2::Compression;
use flate2::write::GzEncoder;
use libfuzzer_sys::fuzz_target;

use beat::Beat;
use keys::MessagePosition;

// Compiled by path, because these modules are private.
#[allow(dead_code, unreachable_pub, reason = "the target uses a part of it")]
#[path = "../../crates/replicas/src/nats/beat.rs"]
mod beat;
#[allow(dead_code, unreachable_pub, reason = "the target uses a part of it")]
#[path = "../../crates/replicas/src/nats/keys.rs"]
mod keys;

fuzz_target!(|bytes: &[u8]| {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (name, value) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    if let Ok(beat) = Beat::read(value) {
        assert_eq!(Beat::read(beat.text().as_bytes()), Ok(beat));
    }
    let text = keys::text_of(value);
    if let Ok(text) = &text {
        assert!(text.len() <= keys::MAX_VALUE);
        if text.len() < 1 << 16 {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(text.as_bytes()).expect("memory");
            assert_eq!(keys::text_of(&gzip.finish().expect("memory")).as_ref(), Ok(text));
        }
    }
    let Ok(name) = std::str::from_utf8(name) else { return };
    if let Some(MessagePosition { stream, consumer, stored_at, pending }) = MessagePosition::parse(name) {
        let nanoseconds = stored_at.timestamp_nanos_opt().expect("it was a number of them");
        let written = format!("$JS.ACK.s.c.1.{stream}.{consumer}.{nanoseconds}.{pending}");
        assert_eq!(MessagePosition::parse(&written), MessagePosition::parse(name));
    }
    let Ok(key) = PartId::key(name) else { return };
    assert_eq!(&**key.name(), name);
    let limits = FeedLimits::default();
    let expected = text.map_err(BadText::Other).and_then(|text| key.read(&text, &limits));
    assert_eq!(keys::read(&key, value, &limits), expected);
});
