//! Any If-None-Match is understood or ignored: 200 or 304; only what breaks HTTP itself is a 400.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::{exchange, status};

fuzz_target!(|value: &[u8]| {
    let value: Vec<u8> = value.iter().copied().filter(|byte| !matches!(byte, b'\r' | b'\n')).take(4096).collect();
    let is_field = value.iter().all(|byte| matches!(byte, b'\t' | b' '..=b'~' | 0x80..));
    let mut request = b"GET /v1/states HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIf-None-Match: ".to_vec();
    request.extend_from_slice(&value);
    request.extend_from_slice(b"\r\n\r\n");
    let status = status(&exchange(&request));
    assert!(matches!(status, 200 | 304) || (!is_field && status == 400), "{status}");
});
