//! Writes replies as server-sent events or plain JSON. A single reply is written into one buffer before its first byte is
//! sent, so it has a Content-Length.

use warp::http::header::{self, HeaderMap};

use crate::quality::name_and_weight;
use crate::reply::HeaderTemplates;

/// The official SDKs send it; comparing with it first saves parsing.
const SDK_ACCEPT: &[u8] = b"application/json, text/event-stream";
const BEFORE: &[u8] = b"event: message\ndata: ";
const AFTER: &[u8] = b"\n\n";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Events,
    Json,
}

impl Format {
    /// JSON if the client accepts JSON and not events. `None` if it accepts neither.
    pub(super) fn accepted(headers: &HeaderMap) -> Option<Self> {
        if headers.get(header::ACCEPT).is_none_or(|line| line.as_bytes() == SDK_ACCEPT) {
            return Some(Self::Events);
        }
        let mut json = false;
        for line in headers.get_all(header::ACCEPT) {
            // A range with other bytes doesn't take the others with it.
            for range in String::from_utf8_lossy(line.as_bytes()).split(',') {
                let (name, weight) = name_and_weight(range);
                match name.as_str() {
                    _ if weight == 0 => {}
                    "text/event-stream" | "text/*" | "*/*" => return Some(Self::Events),
                    "application/json" | "application/*" => json = true,
                    _ => {}
                }
            }
        }
        json.then_some(Self::Json)
    }
}

impl Format {
    /// `write` writes the reply as JSON in one line; `bytes` is its estimated length.
    pub(super) fn single(self, bytes: usize, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        match self {
            Self::Events => framed(BEFORE, AFTER, bytes, write),
            Self::Json => framed(b"", b"", bytes, write),
        }
    }

    /// An event, or an item of a JSON list with the bracket or comma before and after it.
    pub(super) fn item(self, is_first: bool, is_last: bool, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        match self {
            Self::Events => framed(BEFORE, AFTER, 0, write),
            Self::Json => {
                let before = if is_first { b"[" } else { b"," };
                framed(before, if is_last { b"]" } else { b"" }, 0, write)
            }
        }
    }

    pub(super) fn headers(self, templates: &HeaderTemplates) -> &HeaderMap {
        match self {
            Self::Events => &templates.events,
            Self::Json => &templates.unstored,
        }
    }
}

fn framed(before: &[u8], after: &[u8], bytes: usize, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut body = Vec::with_capacity(before.len() + bytes + after.len());
    body.extend_from_slice(before);
    write(&mut body);
    debug_assert!(!body[before.len()..].iter().any(|byte| matches!(byte, b'\n' | b'\r')), "one line");
    body.extend_from_slice(after);
    body
}

#[cfg(test)]
mod tests {
    use warp::http::header::HeaderValue;

    use super::*;

    fn form(accept: &[&'static str]) -> Option<Format> {
        let mut headers = HeaderMap::new();
        for line in accept {
            headers.append(header::ACCEPT, HeaderValue::from_bytes(line.as_bytes()).unwrap());
        }
        Format::accepted(&headers)
    }

    #[test]
    fn only_clients_that_accept_json_and_no_events_get_json() {
        assert_eq!(form(&[]), Some(Format::Events));
        assert_eq!(form(&["application/json, text/event-stream"]), Some(Format::Events));
        assert_eq!(form(&["application/json, text/évent-stream"]), Some(Format::Json));
        assert_eq!(form(&["application/json", "Text/Event-Stream;q=0.5"]), Some(Format::Events));
        assert_eq!(form(&["*/*"]), Some(Format::Events));
        assert_eq!(form(&["application/json"]), Some(Format::Json));
        assert_eq!(form(&["application/json;q=0.9, text/event-stream;q=0"]), Some(Format::Json));
        assert_eq!(form(&["text/html"]), None);
        assert_eq!(form(&["application/json;q=0"]), None);
    }

    #[test]
    fn each_reply_is_one_event_or_one_item_of_a_list() {
        let body = |format: Format| {
            let replies = ["{\"a\":1}", "{\"b\":\"\u{2028}\"}", "{}"];
            let items = replies.iter().enumerate().map(|(at, reply)| {
                format.item(at == 0, at == 2, |to| to.extend_from_slice(reply.as_bytes()))
            });
            String::from_utf8(items.collect::<Vec<_>>().concat()).unwrap()
        };
        assert_eq!(
            body(Format::Events),
            "event: message\ndata: {\"a\":1}\n\nevent: message\ndata: {\"b\":\"\u{2028}\"}\n\nevent: message\ndata: {}\n\n"
        );
        assert_eq!(body(Format::Json), "[{\"a\":1},{\"b\":\"\u{2028}\"},{}]");
        assert_eq!(Format::Json.single(2, |to| to.extend_from_slice(b"{}")), b"{}");
    }
}
