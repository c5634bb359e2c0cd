//! Any body that is posted to the MCP endpoint gets an answer of the protocol, and never a 5xx.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::{exchange, status};

fuzz_target!(|body: &[u8]| {
    let mut request = format!(
        "POST /api/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    request.extend_from_slice(body);
    let status = status(&exchange(&request));
    assert!(matches!(status, 200 | 202 | 400 | 404 | 413), "{status}");
});
