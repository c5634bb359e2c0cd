//! A fault as a whole HTTP/1.1 response, where hyper does not write it. The request is unknown, so it has no request id and
//! no generation (see docs/API.md), and it closes the connection.

use directory::api::{EXPOSED_HEADERS, Fault};

use crate::reply::status_of;

/// `date` is a complete header line, or empty.
pub(super) fn response(fault: &Fault, date: &str) -> Vec<u8> {
    let status = status_of(fault.kind());
    let retry_after = fault.kind().retry_after().map(|seconds| format!("retry-after: {seconds}\r\n"));
    let body = fault.body();
    let mut message = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\ncache-control: no-store\r\n\
         {}access-control-allow-origin: *\r\naccess-control-expose-headers: {EXPOSED_HEADERS}\r\n\
         x-content-type-options: nosniff\r\nconnection: close\r\n{date}\r\n",
        body.len(),
        retry_after.unwrap_or_default(),
    )
    .into_bytes();
    message.extend_from_slice(&body);
    message
}
