//! Writes replies as server-sent events, or as plain JSON for clients that accept only JSON.
//!
//! The whole body is written into one buffer before its first byte is sent, so it has a Content-Length.

use bytes::Bytes;
use warp::http::header::{self, HeaderMap};

use crate::quality::name_and_weight;
use crate::reply::{Openings, Response};

const SDK_ACCEPT: &[u8] = b"application/json, text/event-stream";
const BEFORE: &[u8] = b"event: message\ndata: ";
const AFTER: &[u8] = b"\n\n";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Events,
    Json,
}

impl Format {
    /// JSON if the client accepts JSON and not events, events otherwise.
    pub(super) fn accepted(headers: &HeaderMap) -> Self {
        if headers.get(header::ACCEPT).is_some_and(|line| line.as_bytes() == SDK_ACCEPT) {
            return Self::Events;
        }
        let lines = headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
        let mut json = false;
        for range in lines.flat_map(|line| line.split(',')) {
            let (name, weight) = name_and_weight(range);
            match name.as_str() {
                _ if weight == 0 => {}
                "text/event-stream" | "text/*" | "*/*" => return Self::Events,
                "application/json" | "application/*" => json = true,
                _ => {}
            }
        }
        if json { Self::Json } else { Self::Events }
    }
}

/// The body of a 200 with one or more replies.
#[derive(Debug)]
pub(super) struct Replies {
    form: Format,
    is_batch: bool,
    body: Vec<u8>,
}

impl Replies {
    pub(super) fn new(form: Format, is_batch: bool) -> Self {
        Self { form, is_batch, body: Vec::new() }
    }

    /// Appends a reply of about `bytes` bytes, which `write` writes as JSON in one line.
    pub(super) fn add(&mut self, bytes: usize, write: impl FnOnce(&mut Vec<u8>)) {
        self.body.reserve(bytes + BEFORE.len() + AFTER.len());
        let before = match self.form {
            Format::Events => BEFORE,
            Format::Json if !self.is_batch => b"",
            Format::Json if self.body.is_empty() => b"[",
            Format::Json => b",",
        };
        self.body.extend_from_slice(before);
        let start = self.body.len();
        write(&mut self.body);
        debug_assert!(!self.body[start..].iter().any(|byte| matches!(byte, b'\n' | b'\r')), "one line");
        if self.form == Format::Events {
            self.body.extend_from_slice(AFTER);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.body.is_empty()
    }

    pub(super) fn response(mut self, openings: &Openings) -> Response {
        let headers = match self.form {
            Format::Events => openings.events(),
            Format::Json => openings.unstored(),
        };
        if self.form == Format::Json && self.is_batch {
            self.body.push(b']');
        }
        let mut response = Response::new(Bytes::from(self.body).into());
        *response.headers_mut() = headers.clone();
        response
    }
}

#[cfg(test)]
mod tests {
    use warp::http::header::HeaderValue;

    use super::*;

    fn form(accept: &[&'static str]) -> Format {
        let mut headers = HeaderMap::new();
        for line in accept {
            headers.append(header::ACCEPT, HeaderValue::from_static(line));
        }
        Format::accepted(&headers)
    }

    #[test]
    fn only_clients_that_accept_json_and_no_events_get_json() {
        assert_eq!(form(&[]), Format::Events);
        assert_eq!(form(&["application/json, text/event-stream"]), Format::Events);
        assert_eq!(form(&["application/json", "Text/Event-Stream;q=0.5"]), Format::Events);
        assert_eq!(form(&["*/*"]), Format::Events);
        assert_eq!(form(&["application/json"]), Format::Json);
        assert_eq!(form(&["application/json;q=0.9, text/event-stream;q=0"]), Format::Json);
    }

    #[test]
    fn each_reply_is_one_event_or_one_item_of_a_list() {
        let body = |form, is_batch| {
            let mut replies = Replies::new(form, is_batch);
            assert!(replies.is_empty());
            for reply in ["{\"a\":1}", "{\"b\":\"\u{2028}\"}"] {
                replies.add(reply.len(), |to| to.extend_from_slice(reply.as_bytes()));
            }
            replies
        };
        assert_eq!(
            String::from_utf8(body(Format::Events, false).body).unwrap(),
            "event: message\ndata: {\"a\":1}\n\nevent: message\ndata: {\"b\":\"\u{2028}\"}\n\n"
        );
        assert_eq!(
            String::from_utf8(body(Format::Json, true).body).unwrap(),
            "[{\"a\":1},{\"b\":\"\u{2028}\"}"
        );
    }
}
