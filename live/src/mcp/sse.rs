//! How a reply travels: as server-sent events, or as plain JSON for clients that accept nothing else.
//!
//! A reply is complete before its first byte is sent: one body with its length, in one write.

use bytes::Bytes;
use warp::http::header::{self, HeaderMap, HeaderName, HeaderValue};

use crate::reply::Response;

const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

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
    pub(super) fn accepted(headers: &HeaderMap) -> Self {
        let lines = headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
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

/// 200 with these replies: one event for each, or their JSON (a list, where the client sent one).
pub(super) fn reply(form: Form, replies: &[Vec<u8>], as_list: bool) -> Response {
    let body = match form {
        Form::Events => events(replies),
        Form::Json if as_list => [b"[", &replies.join(&b","[..])[..], b"]"].concat(),
        Form::Json => replies.concat(),
    };
    let mut response = Response::new(Bytes::from(body).into());
    let headers = response.headers_mut();
    let media_type = match form {
        Form::Events => "text/event-stream",
        Form::Json => "application/json",
    };
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(BUFFERING, HeaderValue::from_static("no"));
    response
}

fn events(replies: &[Vec<u8>]) -> Vec<u8> {
    let mut body = Vec::with_capacity(replies.iter().map(|reply| reply.len() + 24).sum());
    for reply in replies {
        body.extend_from_slice(b"event: message\ndata: ");
        let start = body.len();
        body.extend_from_slice(reply);
        // In JSON a bare line break can only stand between tokens, where a space means the same. There is mostly
        // none, and looking for one is much faster than looking at each byte.
        if reply.contains(&b'\n') || reply.contains(&b'\r') {
            for byte in &mut body[start..] {
                if matches!(byte, b'\n' | b'\r') {
                    *byte = b' ';
                }
            }
        }
        body.extend_from_slice(b"\n\n");
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(accept: &[&'static str]) -> Form {
        let mut headers = HeaderMap::new();
        for line in accept {
            headers.append(header::ACCEPT, HeaderValue::from_static(line));
        }
        Form::accepted(&headers)
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
    fn a_reply_is_one_event_and_one_line() {
        let replies = [b"{\"a\":\n1}".to_vec(), "{\"b\":\"\u{2028}\"}".into()];
        assert_eq!(
            String::from_utf8(events(&replies)).unwrap(),
            "event: message\ndata: {\"a\": 1}\n\nevent: message\ndata: {\"b\":\"\u{2028}\"}\n\n"
        );
    }
}
