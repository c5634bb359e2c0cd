//! Any value of a field that the service reads: the answer has a status of the protocol, never a 5xx, and a compressed body is
//! the plain one. The first byte says which field.
#![no_main]

use std::io::Read;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::{exchange, status};

const LIST: &str = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;
static PLAIN: LazyLock<Vec<u8>> = LazyLock::new(|| body(&exchange(&get("/v1/states", b""))).to_vec());

fn get(path: &str, fields: &[u8]) -> Vec<u8> {
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
    [head.as_bytes(), fields, b"\r\n"].concat()
}

fn post(host: &[u8], media_type: &[u8], fields: &[u8]) -> Vec<u8> {
    let length = format!("Content-Length: {}\r\nConnection: close\r\n", LIST.len());
    [
        b"POST /api/mcp HTTP/1.1\r\nHost: ",
        host,
        b"\r\nContent-Type: ",
        media_type,
        b"\r\n",
        length.as_bytes(),
        fields,
        b"\r\n",
        LIST.as_bytes(),
    ]
    .concat()
}

fn field(name: &str, value: &[u8]) -> Vec<u8> {
    [name.as_bytes(), b": ", value, b"\r\n"].concat()
}

fn split(reply: &[u8]) -> (&[u8], &[u8]) {
    let end = reply.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    (&reply[..end], &reply[end + 4..])
}

fn body(reply: &[u8]) -> &[u8] {
    split(reply).1
}

fn is_gzip(reply: &[u8]) -> bool {
    split(reply).0.to_ascii_lowercase().windows(22).any(|line| line == b"content-encoding: gzip")
}

fuzz_target!(|bytes: &[u8]| {
    const JSON: &[u8] = b"application/json";
    let Some((first, value)) = bytes.split_first() else { return };
    let value: Vec<u8> =
        value.iter().copied().filter(|byte| !matches!(byte, b'\r' | b'\n')).take(4096).collect();
    let is_field = value.iter().all(|byte| matches!(byte, b'\t' | b' '..=b'~' | 0x80..));
    let (request, right): (_, &[u16]) = match first % 7 {
        0 => (get("/v1/states", &field("Accept-Encoding", &value)), &[200]),
        1 => (post(b"localhost", JSON, &field("Accept", &value)), &[200, 406]),
        2 => (post(&value, JSON, b""), &[200, 400, 403]),
        3 => (post(b"localhost", JSON, &field("Origin", &value)), &[200, 403]),
        4 => (post(b"localhost", &value, b""), &[200, 400, 415]),
        5 => (post(b"localhost", JSON, &field("MCP-Protocol-Version", &value)), &[200, 400]),
        _ => (get("/v1/states", &field("If-Modified-Since", &value)), &[200]),
    };
    let reply = exchange(&request);
    let status = status(&reply);
    assert!(right.contains(&status) || (!is_field && status == 400), "{status}");
    if first % 7 == 0 && status == 200 {
        let asks = value.to_ascii_lowercase().windows(4).any(|word| word == b"gzip") || value.contains(&b'*');
        assert!(asks || !is_gzip(&reply));
        let mut plain = Vec::new();
        if is_gzip(&reply) {
            GzDecoder::new(body(&reply)).read_to_end(&mut plain).expect("gzip");
        } else {
            plain.extend_from_slice(body(&reply));
        }
        assert_eq!(plain, *PLAIN);
    }
    if first % 7 == 1 && status == 200 {
        let text = std::str::from_utf8(body(&reply)).expect("text");
        let json = text.strip_prefix("event: message\ndata: ").unwrap_or(text);
        serde_json::from_str::<serde_json::Value>(json.trim_end()).expect("JSON");
    }
});
