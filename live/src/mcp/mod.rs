//! The MCP endpoint: the six operations as tools, over JSON-RPC in single POSTs, without sessions.
//!
//! A request is checked in this order, and each check has its own error: Host and Origin, method, content type, size,
//! JSON, JSON-RPC, revision, the protocol's method. Responses below 400 are server-sent events, or JSON for clients that
//! accept only JSON. Responses from 400 on are JSON with a JSON-RPC error. Session ids and event ids are ignored: there
//! is nothing to resume.

mod access;
mod instructions;
mod params;
mod refusal_log;
mod rpc;
mod sse;
mod tools;
mod versions;

use std::borrow::Cow;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use directory::api::{Fault, FaultKind, shown};
use futures_util::Stream;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use warp::http::header::{self, HeaderMap, HeaderValue};
use warp::http::{Method, StatusCode};

use self::params::Params;
use self::refusal_log::RefusalLog;
use self::rpc::{Call, INVALID_REQUEST, METHOD_NOT_FOUND, Message, Payload, RpcError};
use self::sse::{Format, Replies};
use self::tools::Outcome;
use self::versions::Era;
use crate::body;
use crate::clock::Clock;
use crate::config::{Access, Limits};
use crate::reply::{self, Response};
use crate::store::{Served, Store};

const METHODS: &str = "POST, OPTIONS";
const REQUEST_HEADERS: &str = "content-type, accept, mcp-protocol-version, mcp-method, mcp-name, \
     mcp-session-id, last-event-id";
const MAX_BATCH: usize = 20;
/// Bytes reserved for the envelope of a result, with the members that the modern revision adds.
const ENVELOPE: usize = 256;
/// How long a modern client may cache a list: as long as REST's catalogue.
const LIST_TTL_MS: u32 = 300_000;

#[derive(Debug)]
pub(crate) struct Mcp {
    store: Arc<Store>,
    clock: Clock,
    access: Access,
    refusals: RefusalLog,
    limits: Limits,
    /// The result of `tools/list`, which does not depend on the content.
    tools: Vec<u8>,
    /// The members that the modern revision adds to lists.
    list_members: Vec<u8>,
    /// The members that the modern revision adds to every result.
    result_members: Vec<u8>,
}

enum Reply<'a> {
    Result(Era, MethodResult<'a>),
    /// With the status of a response that has only this reply.
    Error(StatusCode, RpcError),
}

/// The result of a method: an object, to which the modern revision adds members.
enum MethodResult<'a> {
    Object(Cow<'a, [u8]>),
    /// An object that clients may cache.
    List(Cow<'a, [u8]>),
    Tool(Outcome),
}

impl Mcp {
    pub(crate) fn new(store: Arc<Store>, clock: Clock, access: Access, limits: Limits) -> Self {
        let bytes = |value: Value| value.to_string().into_bytes();
        let tools = bytes(json!({ "tools": tools::list() }));
        let list_members = bytes(json!({ "ttlMs": LIST_TTL_MS, "cacheScope": "public" }));
        let result_members = bytes(json!({
            "resultType": "complete",
            "_meta": { "io.modelcontextprotocol/serverInfo": server_info() },
        }));
        let refusals = RefusalLog::default();
        Self { store, clock, access, refusals, limits, tools, list_members, result_members }
    }

    pub(crate) async fn answer<S, B, E>(&self, method: &Method, headers: &HeaderMap, body: S) -> Response
    where
        S: Stream<Item = Result<B, E>>,
        B: Buf,
    {
        // Preflights are checked like the requests after them.
        if let Err(refusal) = self.access.check(headers, self.store.current().hosts()) {
            self.refusals.log(&refusal);
            return refused(FaultKind::Forbidden, &refusal.message());
        }
        if method == Method::OPTIONS {
            return reply::options(METHODS, REQUEST_HEADERS);
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
            Err(error) | Ok(Payload::One(Err(error))) => {
                error_response(StatusCode::BAD_REQUEST, None, &error)
            }
            Ok(Payload::One(Ok(Message::Notification))) => accepted(),
            Ok(Payload::One(Ok(Message::Request(id, call)))) => {
                let snapshot = self.store.current();
                match self.reply(&snapshot, &call, headers) {
                    Reply::Error(status, error) if status != StatusCode::OK => {
                        error_response(status, Some(id), &error)
                    }
                    reply => {
                        let mut replies = Replies::new(Format::accepted(headers), false);
                        self.add(&mut replies, id, reply);
                        replies.response(snapshot.openings())
                    }
                }
            }
            Ok(Payload::Batch(messages)) => self.batch(&messages, headers),
        }
    }

    async fn collect<S, B, E>(&self, headers: &HeaderMap, body: S) -> Result<Bytes, Fault>
    where
        S: Stream<Item = Result<B, E>>,
        B: Buf,
    {
        let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
        // A number that does not fit is above the limit, too.
        let announced = announced.map(|length| length.parse().unwrap_or(usize::MAX));
        body::collect(body, announced, self.limits.body_bytes, self.limits.body).await
    }

    /// Answers each request of a batch, which one legacy revision has.
    fn batch(&self, messages: &[Result<Message<'_>, RpcError>], headers: &HeaderMap) -> Response {
        let refuse =
            |why| error_response(StatusCode::BAD_REQUEST, None, &RpcError::new(INVALID_REQUEST, why));
        if !versions::allows_batch(headers) {
            return refuse("Invalid request: this protocol version has no batches");
        }
        if messages.is_empty() || messages.len() > MAX_BATCH {
            return refuse("Invalid request: a batch holds 1 to 20 messages");
        }
        let is_initialize = |message: &Result<Message<'_>, RpcError>| match message {
            Ok(Message::Request(_, call)) => call.method == versions::INITIALIZE,
            _ => false,
        };
        if messages.iter().any(is_initialize) {
            return refuse("Invalid request: initialize stands alone");
        }
        let snapshot = self.store.current();
        let mut replies = Replies::new(Format::accepted(headers), true);
        for message in messages {
            match message {
                Ok(Message::Notification) => {}
                Ok(Message::Request(id, call)) => {
                    let reply = self.reply(&snapshot, call, headers);
                    self.add(&mut replies, id, reply);
                }
                Err(error) => add_error(&mut replies, None, error),
            }
        }
        if replies.is_empty() { accepted() } else { replies.response(snapshot.openings()) }
    }

    fn reply(&self, snapshot: &Served, call: &Call<'_>, headers: &HeaderMap) -> Reply<'_> {
        let era = match versions::era_of(call, headers) {
            Ok(era) => era,
            Err(error) => return Reply::Error(StatusCode::BAD_REQUEST, error),
        };
        match self.result(era, call, snapshot) {
            Ok(result) => Reply::Result(era, result),
            Err(error) if era == Era::Modern && error.code == METHOD_NOT_FOUND => {
                Reply::Error(StatusCode::NOT_FOUND, error)
            }
            Err(error) => Reply::Error(StatusCode::OK, error),
        }
    }

    fn result(&self, era: Era, call: &Call<'_>, snapshot: &Served) -> Result<MethodResult<'_>, RpcError> {
        let clinic = snapshot.directory().organisation().name();
        Ok(match (era, call.method.as_ref()) {
            (Era::Legacy, versions::INITIALIZE) => {
                MethodResult::Object(initialize(clinic, &call.params).into())
            }
            (Era::Legacy, "ping") => MethodResult::Object(b"{}".into()),
            (Era::Modern, versions::DISCOVER) => MethodResult::List(discover(clinic).into()),
            (_, "tools/list") => MethodResult::List(Cow::Borrowed(&self.tools)),
            (_, "tools/call") => MethodResult::Tool(tools::call(snapshot, self.clock.now(), &call.params)?),
            (_, method) => {
                return Err(RpcError::new(METHOD_NOT_FOUND, format!("Method not found: {}", shown(method))));
            }
        })
    }

    fn add(&self, replies: &mut Replies, id: &RawValue, reply: Reply<'_>) {
        let (era, result) = match reply {
            Reply::Result(era, result) => (era, result),
            Reply::Error(_, error) => return add_error(replies, Some(id), &error),
        };
        let further = match (era, &result) {
            (Era::Legacy, _) => [None, None],
            (Era::Modern, MethodResult::List(_)) => [Some(&self.list_members), Some(&self.result_members)],
            (Era::Modern, _) => [None, Some(&self.result_members)],
        };
        let size = match &result {
            MethodResult::Object(object) | MethodResult::List(object) => object.len(),
            MethodResult::Tool(outcome) => outcome.size(),
        };
        replies.add(size + id.get().len() + ENVELOPE, |to| {
            rpc::begin(to, id);
            match result {
                MethodResult::Object(object) | MethodResult::List(object) => {
                    to.extend_from_slice(without_last_brace(&object));
                }
                MethodResult::Tool(outcome) => outcome.write(to),
            }
            for members in further.into_iter().flatten() {
                if !to.ends_with(b"{") {
                    to.push(b',');
                }
                to.extend_from_slice(&without_last_brace(members)[1..]);
            }
            to.push(b'}');
            to.push(rpc::END);
        });
    }
}

fn add_error(replies: &mut Replies, id: Option<&RawValue>, error: &RpcError) {
    let error = rpc::error(id, error);
    replies.add(error.len(), |to| to.extend_from_slice(&error));
}

fn initialize(clinic: &str, params: &Params<'_>) -> Vec<u8> {
    let result = json!({
        "protocolVersion": versions::negotiated(params),
        "capabilities": { "tools": {} },
        "serverInfo": server_info(),
        "instructions": instructions::for_clinic(clinic),
    });
    result.to_string().into_bytes()
}

fn discover(clinic: &str) -> Vec<u8> {
    let result = json!({
        "supportedVersions": [versions::MODERN],
        "capabilities": { "tools": {} },
        "instructions": instructions::for_clinic(clinic),
    });
    result.to_string().into_bytes()
}

fn server_info() -> Value {
    json!({ "name": "nameplate", "title": "Nameplate provider directory", "version": env!("CARGO_PKG_VERSION") })
}

fn without_last_brace(object: &[u8]) -> &[u8] {
    object.strip_suffix(b"}").unwrap_or(object)
}

fn accepted() -> Response {
    let mut response = Response::new(Bytes::new().into());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

fn refused(kind: FaultKind, message: &str) -> Response {
    error_response(reply::status_of(kind), None, &RpcError::new(INVALID_REQUEST, message.to_owned()))
}

fn error_response(status: StatusCode, id: Option<&RawValue>, error: &RpcError) -> Response {
    reply::json(status, rpc::error(id, error))
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return false };
    if value == "application/json" {
        return true;
    }
    let value = value.to_str().ok();
    let media_type = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests;
