//! JSON-RPC 2.0 messages. An id is returned exactly as it was written and is never parsed as a number.

use std::borrow::Cow;
use std::fmt;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::params::{self, Params, Text};

pub(super) const MAX_BATCH: usize = 20;

pub(super) const PARSE_ERROR: i32 = -32700;
pub(super) const INVALID_REQUEST: i32 = -32600;
pub(super) const METHOD_NOT_FOUND: i32 = -32601;
pub(super) const INVALID_PARAMS: i32 = -32602;

/// As opposed to a tool's failure.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RpcError {
    pub(super) code: i32,
    pub(super) message: Cow<'static, str>,
    pub(super) data: Option<Value>,
}

impl RpcError {
    pub(super) fn new(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), data: None }
    }
}

#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) method: Cow<'a, str>,
    pub(super) params: Params<'a>,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a request has one, and a box would cost each an allocation")]
pub(super) enum Message<'a> {
    Request(&'a RawValue, Call<'a>),
    Notification,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a request has one, and a box would cost each an allocation")]
pub(super) enum Payload<'a> {
    One(Result<Message<'a>, RpcError>),
    /// Not yet parsed: at most one more than a batch may have.
    Batch(Vec<&'a RawValue>),
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    jsonrpc: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "raw")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "params::object")]
    params: Params<'a>,
}

/// A null id is `Some`, so that it differs from a missing one.
fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Fails if the body is not JSON.
pub(super) fn read(body: &[u8]) -> Result<Payload<'_>, RpcError> {
    let body = std::str::from_utf8(body).map_err(|_| not_json())?;
    if begins_with(body, '[') {
        let Batch(messages) = serde_json::from_str(body).map_err(|error| refused(&error, body))?;
        return Ok(Payload::Batch(messages));
    }
    match read_one(body) {
        Err(error) if error.code == PARSE_ERROR => Err(error),
        message => Ok(Payload::One(message)),
    }
}

/// At most one more than a batch may have. The rest is checked and dropped.
struct Batch<'a>(Vec<&'a RawValue>);

impl<'de> Deserialize<'de> for Batch<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct First;

        impl<'de> Visitor<'de> for First {
            type Value = Batch<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list of messages")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Batch<'de>, A::Error> {
                let mut messages = Vec::new();
                while messages.len() <= MAX_BATCH {
                    let Some(message) = list.next_element()? else { return Ok(Batch(messages)) };
                    messages.push(message);
                }
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Batch(messages))
            }
        }

        deserializer.deserialize_seq(First)
    }
}

pub(super) fn read_one(message: &str) -> Result<Message<'_>, RpcError> {
    let invalid = |message| Err(RpcError::new(INVALID_REQUEST, message));
    if !begins_with(message, '{') {
        // serde's derived code would accept a list of the members' values as the object.
        return Err(if is_json(message) { not_a_request() } else { not_json() });
    }
    let envelope: Envelope<'_> = serde_json::from_str(message).map_err(|error| refused(&error, message))?;
    if envelope.jsonrpc.is_none_or(|Text(version)| version != "2.0") {
        return invalid("Invalid request: \"jsonrpc\" must be \"2.0\"");
    }
    let Some(Text(method)) = envelope.method else {
        return invalid(
            "Invalid request: \"method\" is missing; this server sends no requests, so it accepts no responses",
        );
    };
    match envelope.id {
        None => Ok(Message::Notification),
        Some(id) if is_id(id) => Ok(Message::Request(id, Call { method, params: envelope.params })),
        Some(_) => invalid("Invalid request: \"id\" must be a string or a number"),
    }
}

fn is_id(id: &RawValue) -> bool {
    id.get().starts_with(|first: char| first == '"' || first == '-' || first.is_ascii_digit())
}

fn begins_with(json: &str, first: char) -> bool {
    json.trim_ascii_start().starts_with(first)
}

fn refused(error: &serde_json::Error, text: &str) -> RpcError {
    if error.is_data() {
        return not_a_request();
    }
    if !is_json(text) {
        return not_json();
    }
    // RFC 8259 (6, 8.2 and 9) allows these, and lets each program have limits.
    let why = error.to_string();
    let what = if why.starts_with("number out of range") {
        "a number is outside the range of a 64-bit float: send a smaller one"
    } else if why.starts_with("recursion limit") {
        "its values are nested too deeply: send at most 100 levels"
    } else {
        "a string has an unpaired surrogate (\\ud800 to \\udfff): send whole characters"
    };
    let (line, column) = (error.line(), error.column());
    RpcError::new(INVALID_REQUEST, format!("Invalid request: at line {line}, column {column}, {what}"))
}

/// Also if it has values that no type here can hold.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn not_a_request() -> RpcError {
    let message = "Invalid request: not a JSON-RPC request object (whose \"params\", if any, are an object)";
    RpcError::new(INVALID_REQUEST, message)
}

fn not_json() -> RpcError {
    RpcError::new(PARSE_ERROR, "Parse error: the body isn't valid JSON")
}

/// The result's JSON and [`END`] follow.
pub(super) fn begin(to: &mut Vec<u8>, id: &RawValue) {
    to.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    to.extend_from_slice(id.get().as_bytes());
    to.extend_from_slice(br#","result":"#);
}

pub(super) const END: u8 = b'}';

/// Without an id if the message is not a valid request.
pub(super) fn error(id: Option<&RawValue>, error: &RpcError) -> Vec<u8> {
    let mut body = json!({ "code": error.code, "message": error.message });
    if let Some(data) = &error.data {
        body["data"] = data.clone();
    }
    let id = id.map_or("null", RawValue::get);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{body}}}"#).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_growth::assert_grows_with_its_size;

    fn code(body: &str) -> i32 {
        match read(body.as_bytes()) {
            Err(error) | Ok(Payload::One(Err(error))) => error.code,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn invalid_json_is_a_parse_error_and_other_json_is_an_invalid_request() {
        for body in ["", "{", "nonsense", "[1,", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\ud80\"}"] {
            assert_eq!(code(body), PARSE_ERROR, "{body}");
        }
        let broken = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"more\":\"\xff\"}";
        assert!(matches!(read(broken), Err(error) if error.code == PARSE_ERROR));
        let deep =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"x":{}}}}}"#, "[".repeat(30_000));
        assert_eq!(code(&deep), PARSE_ERROR);
        for body in [
            "1",
            "null",
            "\"text\"",
            "{}",
            r#"{"id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":7}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"name":"a","name":"b"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        ] {
            assert_eq!(code(body), INVALID_REQUEST, "{body}");
        }
    }

    #[test]
    fn a_value_that_cannot_be_used_is_named_and_is_not_called_invalid_json() {
        let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
        for (value, what) in [
            ("1e400", "a number is outside the range of a 64-bit float"),
            ("[-1e400]", "a number is outside the range of a 64-bit float"),
            (r#""\ud800""#, "an unpaired surrogate"),
            (r#""\ud800x""#, "an unpaired surrogate"),
            (r#""\ud800\u0041""#, "an unpaired surrogate"),
            (r#""\udc00""#, "an unpaired surrogate"),
            (deep.as_str(), "nested too deeply"),
        ] {
            let call = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"arguments":{{"limit":{value}}}}}}}"#
            );
            let Ok(Payload::One(Err(error))) = read(call.as_bytes()) else { panic!("{value}") };
            assert_eq!(error.code, INVALID_REQUEST, "{value}");
            assert!(
                error.message.contains(what) && error.message.contains("line 1, column"),
                "{}",
                error.message
            );
        }
    }

    #[test]
    fn an_id_is_returned_as_it_was_written() {
        for written in ["1", "\"a\\u0062\"", "123456789012345678901234567890", "-1.50e3", "1e400", "\"\""] {
            let body = format!(r#"{{"jsonrpc":"2.0", "id" : {written} ,"method":"ping"}}"#);
            let Ok(Payload::One(Ok(Message::Request(id, _)))) = read(body.as_bytes()) else {
                panic!("{body}")
            };
            assert_eq!(id.get(), written);
            let mut reply = Vec::new();
            begin(&mut reply, id);
            let reply = String::from_utf8(reply).unwrap();
            assert_eq!(reply, format!(r#"{{"jsonrpc":"2.0","id":{written},"result":"#));
        }
    }

    #[test]
    fn the_work_grows_with_the_length_of_the_body() {
        for (before, part) in [
            ("[", "7,"),
            ("[", "{},"),
            ("", "["),
            ("{\"id\":", "["),
            ("{\"method\":\"", "\\n"),
            ("{", "\"a\":1,"),
        ] {
            assert_grows_with_its_size(part, 100_000, |body| {
                let body = format!("{before}{body}");
                if let Ok(Payload::Batch(messages)) = read(body.as_bytes()) {
                    assert!(messages.len() <= MAX_BATCH + 1);
                }
            });
        }
    }

    #[test]
    fn a_message_without_an_id_is_a_notification_and_a_list_is_a_batch() {
        let body = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert!(matches!(read(body), Ok(Payload::One(Ok(Message::Notification)))));
        let body = br#" [{"jsonrpc":"2.0","id":1,"method":"ping"}, 7]"#;
        let Ok(Payload::Batch(messages)) = read(body) else { panic!() };
        let messages: Vec<_> = messages.iter().map(|message| read_one(message.get())).collect();
        assert!(matches!(messages[..], [Ok(Message::Request(..)), Err(_)]));
        let values_alone = br#"[["2.0",1,"ping"]]"#;
        assert!(
            matches!(read(values_alone), Ok(Payload::Batch(messages)) if read_one(messages[0].get()).is_err())
        );
        assert!(matches!(read(b"[]"), Ok(Payload::Batch(messages)) if messages.is_empty()));
        let long = format!("[{}7]", "7,".repeat(120_000));
        assert!(
            matches!(read(long.as_bytes()), Ok(Payload::Batch(messages)) if messages.len() == MAX_BATCH + 1)
        );
    }
}
