//! The MCP endpoint: the six operations as tools, over JSON-RPC in single POSTs, without any state.
//!
//! A request passes these doors in order, and each has an answer of its own: method, Host and Origin,
//! content type, size, JSON, JSON-RPC, revision, method of the protocol. Answers below 400 travel as
//! server-sent events (or as JSON to clients that take nothing else); from 400 on they are JSON, always with
//! a JSON-RPC error inside. Session ids and event ids that clients bring along are ignored: there is nothing
//! to resume.

mod access;
mod instructions;
mod rpc;
mod sse;
mod tools;
mod versions;

use std::sync::Arc;

use bytes::{Buf, Bytes};
use directory::api::{Fault, FaultKind};
use futures_util::Stream;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use warp::http::header::{self, HeaderMap, HeaderValue};
use warp::http::{Method, StatusCode};

use self::rpc::{Body, Call, INVALID_REQUEST, METHOD_NOT_FOUND, Message, RpcError};
use self::sse::Form;
use self::versions::Era;
use crate::body;
use crate::clock::Clock;
use crate::config::{Access, Limits};
use crate::reply::{self, Response};
use crate::store::Store;

const METHODS: &str = "POST, OPTIONS";
const REQUEST_HEADERS: &str = "content-type, accept, mcp-protocol-version, mcp-method, mcp-name, \
     mcp-session-id, last-event-id";
/// Messages in one batch.
const BATCH: usize = 20;
/// For how long a modern client may keep the lists; as long as REST's catalogue.
const KEEP: u32 = 300_000;

/// Answers the endpoint.
#[derive(Debug)]
pub(crate) struct Mcp {
    store: Arc<Store>,
    clock: Clock,
    access: Access,
    limits: Limits,
    /// The result of `tools/list`: it does not depend on the content.
    tools: Vec<u8>,
}

/// A reply to one request, and the status under which it goes when it goes alone.
struct Reply {
    status: StatusCode,
    bytes: Vec<u8>,
}

impl Mcp {
    pub(crate) fn new(store: Arc<Store>, clock: Clock, access: Access, limits: Limits) -> Self {
        let tools = json!({ "tools": tools::list() }).to_string().into_bytes();
        Self { store, clock, access, limits, tools }
    }

    /// Answers one HTTP request.
    pub(crate) async fn answer<S, B, E>(&self, method: &Method, headers: &HeaderMap, body: S) -> Response
    where
        S: Stream<Item = Result<B, E>>,
        B: Buf,
    {
        if method == Method::OPTIONS {
            return reply::options(METHODS, REQUEST_HEADERS);
        }
        if !self.access.admits(headers, self.store.current().directory().organisation()) {
            return refused(FaultKind::Forbidden, "Forbidden: this Host or Origin is not served here");
        }
        if method != Method::POST {
            let mut response = refused(FaultKind::MethodNotAllowed, "Method not allowed: send a POST");
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(METHODS));
            return response;
        }
        if !is_json(headers) {
            let message = "Unsupported media type: send application/json";
            return refused(FaultKind::UnsupportedMediaType, message);
        }
        let body = match self.collect(headers, body).await {
            Ok(body) => body,
            Err(fault) => return refused(fault.kind(), &format!("Invalid request: {}", fault.message())),
        };
        match rpc::read(&body) {
            Err(error) | Ok(Body::One(Err(error))) => alone(StatusCode::BAD_REQUEST, None, &error),
            Ok(Body::One(Ok(Message::Notification))) => accepted(),
            Ok(Body::One(Ok(Message::Request(id, call)))) => {
                let reply = self.reply(id, &call, headers);
                if reply.status == StatusCode::OK {
                    sse::reply(Form::accepted(headers), &[reply.bytes], false)
                } else {
                    reply::json(reply.status, reply.bytes)
                }
            }
            Ok(Body::Batch(messages)) => self.batch(&messages, headers),
        }
    }

    async fn collect<S, B, E>(&self, headers: &HeaderMap, body: S) -> Result<Bytes, Fault>
    where
        S: Stream<Item = Result<B, E>>,
        B: Buf,
    {
        let most = self.limits.body_bytes;
        let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
        if announced.and_then(|length| length.parse::<u64>().ok()).is_some_and(|length| length > most as u64)
        {
            return Err(body::too_large(most));
        }
        body::collect(body, most, self.limits.body).await
    }

    /// The older revision's batches: each request is answered for itself.
    fn batch(&self, messages: &[Result<Message<'_>, RpcError>], headers: &HeaderMap) -> Response {
        let refuse = |why| alone(StatusCode::BAD_REQUEST, None, &RpcError::new(INVALID_REQUEST, why));
        if !versions::allows_batch(headers) {
            return refuse("Invalid request: this protocol version has no batches");
        }
        if messages.is_empty() || messages.len() > BATCH {
            return refuse("Invalid request: a batch holds 1 to 20 messages");
        }
        let begins = |message: &Result<Message<'_>, RpcError>| matches!(message, Ok(Message::Request(_, call)) if call.method == versions::INITIALIZE);
        if messages.iter().any(begins) {
            return refuse("Invalid request: initialize stands alone");
        }
        let replies: Vec<_> = messages
            .iter()
            .filter_map(|message| match message {
                Ok(Message::Notification) => None,
                Ok(Message::Request(id, call)) => Some(self.reply(id, call, headers).bytes),
                Err(error) => Some(rpc::error(None, error)),
            })
            .collect();
        if replies.is_empty() { accepted() } else { sse::reply(Form::accepted(headers), &replies, true) }
    }

    fn reply(&self, id: &RawValue, call: &Call<'_>, headers: &HeaderMap) -> Reply {
        let era = match versions::judge(call, headers) {
            Ok(era) => era,
            Err(error) => {
                return Reply { status: StatusCode::BAD_REQUEST, bytes: rpc::error(Some(id), &error) };
            }
        };
        match self.result(era, call) {
            Ok(result) => Reply { status: StatusCode::OK, bytes: rpc::result(id, &result) },
            Err(error) => {
                let gone = era == Era::Modern && error.code == METHOD_NOT_FOUND;
                let status = if gone { StatusCode::NOT_FOUND } else { StatusCode::OK };
                Reply { status, bytes: rpc::error(Some(id), &error) }
            }
        }
    }

    /// The result of a method of the protocol.
    fn result(&self, era: Era, call: &Call<'_>) -> Result<Vec<u8>, RpcError> {
        let result = match (era, call.method.as_ref()) {
            (Era::Legacy, versions::INITIALIZE) => self.initialized(&call.params),
            (Era::Legacy, "ping") => b"{}".to_vec(),
            (Era::Modern, versions::DISCOVER) => self.discovered(),
            (Era::Legacy, "tools/list") => self.tools.clone(),
            (Era::Modern, "tools/list") => with(self.tools.clone(), &kept()),
            (_, "tools/call") => {
                let snapshot = self.store.current();
                tools::call(&snapshot, self.clock.now(), &call.params)?
            }
            (_, method) => {
                let method: String = method.chars().take(64).collect();
                return Err(RpcError::new(METHOD_NOT_FOUND, format!("Method not found: {method}")));
            }
        };
        Ok(match era {
            Era::Legacy => result,
            Era::Modern => with(result, &complete()),
        })
    }

    fn initialized(&self, params: &Map<String, Value>) -> Vec<u8> {
        let snapshot = self.store.current();
        let result = json!({
            "protocolVersion": versions::negotiated(params),
            "capabilities": { "tools": {} },
            "serverInfo": server_info(),
            "instructions": instructions::for_clinic(snapshot.directory().organisation().name()),
        });
        result.to_string().into_bytes()
    }

    fn discovered(&self) -> Vec<u8> {
        let snapshot = self.store.current();
        let result = json!({
            "supportedVersions": [versions::MODERN],
            "capabilities": { "tools": {} },
            "instructions": instructions::for_clinic(snapshot.directory().organisation().name()),
        });
        with(result.to_string().into_bytes(), &kept())
    }
}

fn server_info() -> Value {
    json!({ "name": "nameplate", "title": "Nameplate provider directory", "version": env!("CARGO_PKG_VERSION") })
}

/// What modern lists say of themselves.
fn kept() -> Value {
    json!({ "ttlMs": KEEP, "cacheScope": "public" })
}

/// What every modern result says of itself.
fn complete() -> Value {
    json!({
        "resultType": "complete",
        "_meta": { "io.modelcontextprotocol/serverInfo": server_info() },
    })
}

/// An object with further members, without reading what it holds.
fn with(mut object: Vec<u8>, members: &Value) -> Vec<u8> {
    let members = members.to_string();
    object.pop();
    if object.len() > 1 {
        object.push(b',');
    }
    object.extend_from_slice(&members.as_bytes()[1..]);
    object
}

fn accepted() -> Response {
    let mut response = Response::new(Bytes::new().into());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// A failure of HTTP, told as JSON-RPC.
fn refused(kind: FaultKind, message: &str) -> Response {
    alone(reply::status_of(kind), None, &RpcError::new(INVALID_REQUEST, message.to_owned()))
}

fn alone(status: StatusCode, id: Option<&RawValue>, error: &RpcError) -> Response {
    reply::json(status, rpc::error(id, error))
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests;
