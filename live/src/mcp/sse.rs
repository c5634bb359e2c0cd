//! How a reply travels: as server-sent events, or as plain JSON for clients that accept nothing else.
//!
//! A reply is complete before its first byte is sent: one body with its length, in one write. It is written once,
//! at the place where it will stand.

use bytes::Bytes;

use super::fields::Fields;
use crate::reply::{Openings, Response};

/// What the official SDKs accept.
const OF_THE_SDKS: &[u8] = b"application/json, text/event-stream";
const BEFORE: &[u8] = b"event: message\ndata: ";
const AFTER: &[u8] = b"\n\n";

/// What the client can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `text/event-stream`.
    Events,
    /// `application/json`.
    Json,
}

impl Form {
    /// Events, unless the client says that it takes JSON and does not say that it takes events.
    pub(super) fn accepted(fields: &Fields<'_>) -> Self {
        if fields.accept().next().is_some_and(|line| line.as_bytes() == OF_THE_SDKS) {
            return Self::Events;
        }
        let lines = fields.accept().filter_map(|line| line.to_str().ok());
        let mut json = false;
        for range in lines.flat_map(|line| line.split(',')) {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default().to_ascii_lowercase();
            let refused = parts.any(|parameter| {
                let quality = parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q="));
                quality.and_then(|quality| quality.parse::<f32>().ok()).is_some_and(|quality| quality <= 0.0)
            });
            match name.as_str() {
                _ if refused => {}
                "text/event-stream" | "text/*" | "*/*" => return Self::Events,
                "application/json" | "application/*" => json = true,
                _ => {}
            }
        }
        if json { Self::Json } else { Self::Events }
    }
}

/// Replies, as the body of a response that is 200.
#[derive(Debug)]
pub(super) struct Replies {
    form: Form,
    /// The client sent a list.
    as_list: bool,
    body: Vec<u8>,
}

impl Replies {
    pub(super) fn new(form: Form, as_list: bool) -> Self {
        Self { form, as_list, body: Vec::new() }
    }

    /// Lets one more be appended, of about this many bytes: JSON in one line.
    pub(super) fn add(&mut self, bytes: usize, write: impl FnOnce(&mut Vec<u8>)) {
        self.body.reserve(bytes + BEFORE.len() + AFTER.len());
        let before = match self.form {
            Form::Events => BEFORE,
            Form::Json if !self.as_list => b"",
            Form::Json if self.body.is_empty() => b"[",
            Form::Json => b",",
        };
        self.body.extend_from_slice(before);
        let start = self.body.len();
        write(&mut self.body);
        debug_assert!(!self.body[start..].iter().any(|byte| matches!(byte, b'\n' | b'\r')), "one line");
        if self.form == Form::Events {
            self.body.extend_from_slice(AFTER);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.body.is_empty()
    }

    /// 200, with one event for each, or with their JSON.
    pub(super) fn response(mut self, openings: &Openings) -> Response {
        let headers = match self.form {
            Form::Events => openings.events(),
            Form::Json => openings.unstored(),
        };
        if self.form == Form::Json && self.as_list {
            self.body.push(b']');
        }
        let mut response = Response::new(Bytes::from(self.body).into());
        *response.headers_mut() = headers.clone();
        response
    }
}

#[cfg(test)]
mod tests {
    use warp::http::header::{self, HeaderMap, HeaderValue};

    use super::*;

    fn form(accept: &[&'static str]) -> Form {
        let mut headers = HeaderMap::new();
        for line in accept {
            headers.append(header::ACCEPT, HeaderValue::from_static(line));
        }
        Form::accepted(&Fields::of(&headers))
    }

    #[test]
    fn events_are_sent_to_everybody_who_does_not_take_json_alone() {
        assert_eq!(form(&[]), Form::Events);
        assert_eq!(form(&["application/json, text/event-stream"]), Form::Events);
        assert_eq!(form(&["application/json", "Text/Event-Stream;q=0.5"]), Form::Events);
        assert_eq!(form(&["*/*"]), Form::Events);
        assert_eq!(form(&["application/json"]), Form::Json);
        assert_eq!(form(&["application/json;q=0.9, text/event-stream;q=0"]), Form::Json);
    }

    #[test]
    fn each_reply_is_one_event_or_one_of_a_list() {
        let body = |form, as_list| {
            let mut replies = Replies::new(form, as_list);
            assert!(replies.is_empty());
            for reply in ["{\"a\":1}", "{\"b\":\"\u{2028}\"}"] {
                replies.add(reply.len(), |to| to.extend_from_slice(reply.as_bytes()));
            }
            replies
        };
        assert_eq!(
            String::from_utf8(body(Form::Events, false).body).unwrap(),
            "event: message\ndata: {\"a\":1}\n\nevent: message\ndata: {\"b\":\"\u{2028}\"}\n\n"
        );
        assert_eq!(
            String::from_utf8(body(Form::Json, true).body).unwrap(),
            "[{\"a\":1},{\"b\":\"\u{2028}\"}"
        );
    }
}
