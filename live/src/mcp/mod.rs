//! The MCP endpoint: the six operations as tools, over JSON-RPC in single POSTs, without any state.
//!
//! A request passes these doors in order, and each has an answer of its own: Host and Origin, method,
//! content type, size, JSON, JSON-RPC, revision, method of the protocol. Answers below 400 travel as
//! server-sent events (or as JSON to clients that take nothing else); from 400 on they are JSON, always with
//! a JSON-RPC error inside. Session ids and event ids that clients bring along are ignored: there is nothing
//! to resume.

mod access;
mod fields;
mod instructions;
mod params;
mod refused;
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

pub(crate) use self::access::Hosts;
use self::fields::Fields;
use self::params::Params;
use self::refused::Refused;
use self::rpc::{Body, Call, INVALID_REQUEST, METHOD_NOT_FOUND, Message, RpcError};
use self::sse::{Form, Replies};
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
/// Messages in one batch.
const BATCH: usize = 20;
/// Bytes that stand round a result, with what a modern one says of itself.
const ROUND_A_RESULT: usize = 256;
/// For how long a modern client may keep the lists; as long as REST's catalogue.
const KEEP: u32 = 300_000;

/// Answers the endpoint.
#[derive(Debug)]
pub(crate) struct Mcp {
    store: Arc<Store>,
    clock: Clock,
    access: Access,
    refused: Refused,
    limits: Limits,
    /// The result of `tools/list`: it does not depend on the content.
    tools: Vec<u8>,
    /// What modern lists say of themselves.
    kept: Vec<u8>,
    /// What every modern result says of itself.
    complete: Vec<u8>,
}

/// What a request is answered with.
enum Reply<'a> {
    Done(Era, Done<'a>),
    /// Under this status, if it goes alone.
    Failed(StatusCode, RpcError),
}

/// The result of a method: an object, to which the modern revision adds members.
enum Done<'a> {
    Object(Cow<'a, [u8]>),
    /// That may be kept for a time.
    List(Cow<'a, [u8]>),
    Tool(Outcome),
}

impl Mcp {
    pub(crate) fn new(store: Arc<Store>, clock: Clock, access: Access, limits: Limits) -> Self {
        let bytes = |value: Value| value.to_string().into_bytes();
        let tools = bytes(json!({ "tools": tools::list() }));
        let kept = bytes(json!({ "ttlMs": KEEP, "cacheScope": "public" }));
        let complete = bytes(json!({
            "resultType": "complete",
            "_meta": { "io.modelcontextprotocol/serverInfo": server_info() },
        }));
        Self { store, clock, access, refused: Refused::default(), limits, tools, kept, complete }
    }

    /// Answers one HTTP request.
    pub(crate) async fn answer<S, B, E>(&self, method: &Method, headers: &HeaderMap, body: S) -> Response
    where
        S: Stream<Item = Result<B, E>>,
        B: Buf,
    {
        let fields = &Fields::of(headers);
        // A preflight is refused as the request after it would be.
        if let Err(refusal) = self.access.check(fields, self.store.current().hosts()) {
            self.refused.log(&refusal);
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
        if !is_json(fields) {
            let message = "Unsupported media type: send application/json";
            return refused(FaultKind::UnsupportedMediaType, message);
        }
        let body = match self.collect(fields, body).await {
            Ok(body) => body,
            Err(fault) => return refused(fault.kind(), &format!("Invalid request: {}", fault.message())),
        };
        match rpc::read(&body) {
            Err(error) | Ok(Body::One(Err(error))) => alone(StatusCode::BAD_REQUEST, None, &error),
            Ok(Body::One(Ok(Message::Notification))) => accepted(),
            Ok(Body::One(Ok(Message::Request(id, call)))) => {
                let snapshot = self.store.current();
                match self.reply(&snapshot, &call, fields) {
                    Reply::Failed(status, error) if status != StatusCode::OK => {
                        alone(status, Some(id), &error)
                    }
                    reply => {
                        let mut replies = Replies::new(Form::accepted(fields), false);
                        self.add(&mut replies, id, reply);
                        replies.response(snapshot.openings())
                    }
                }
            }
            Ok(Body::Batch(messages)) => self.batch(&messages, fields),
        }
    }

    async fn collect<S, B, E>(&self, fields: &Fields<'_>, body: S) -> Result<Bytes, Fault>
    where
        S: Stream<Item = Result<B, E>>,
        B: Buf,
    {
        let announced = fields.content_length.and_then(|length| length.to_str().ok());
        // What is beyond any number is beyond the limit, too.
        let announced = announced.map(|length| length.parse().unwrap_or(usize::MAX));
        body::collect(body, announced, self.limits.body_bytes, self.limits.body).await
    }

    /// The older revision's batches: each request is answered for itself.
    fn batch(&self, messages: &[Result<Message<'_>, RpcError>], fields: &Fields<'_>) -> Response {
        let refuse = |why| alone(StatusCode::BAD_REQUEST, None, &RpcError::new(INVALID_REQUEST, why));
        if !versions::allows_batch(fields) {
            return refuse("Invalid request: this protocol version has no batches");
        }
        if messages.is_empty() || messages.len() > BATCH {
            return refuse("Invalid request: a batch holds 1 to 20 messages");
        }
        let begins = |message: &Result<Message<'_>, RpcError>| match message {
            Ok(Message::Request(_, call)) => call.method == versions::INITIALIZE,
            _ => false,
        };
        if messages.iter().any(begins) {
            return refuse("Invalid request: initialize stands alone");
        }
        let snapshot = self.store.current();
        let mut replies = Replies::new(Form::accepted(fields), true);
        for message in messages {
            match message {
                Ok(Message::Notification) => {}
                Ok(Message::Request(id, call)) => {
                    let reply = self.reply(&snapshot, call, fields);
                    self.add(&mut replies, id, reply);
                }
                Err(error) => add_error(&mut replies, None, error),
            }
        }
        if replies.is_empty() { accepted() } else { replies.response(snapshot.openings()) }
    }

    fn reply(&self, snapshot: &Served, call: &Call<'_>, fields: &Fields<'_>) -> Reply<'_> {
        let era = match versions::judge(call, fields) {
            Ok(era) => era,
            Err(error) => return Reply::Failed(StatusCode::BAD_REQUEST, error),
        };
        match self.result(era, call, snapshot) {
            Ok(done) => Reply::Done(era, done),
            Err(error) if era == Era::Modern && error.code == METHOD_NOT_FOUND => {
                Reply::Failed(StatusCode::NOT_FOUND, error)
            }
            Err(error) => Reply::Failed(StatusCode::OK, error),
        }
    }

    /// The result of a method of the protocol.
    fn result(&self, era: Era, call: &Call<'_>, snapshot: &Served) -> Result<Done<'_>, RpcError> {
        let clinic = snapshot.directory().organisation().name();
        Ok(match (era, call.method.as_ref()) {
            (Era::Legacy, versions::INITIALIZE) => Done::Object(initialized(clinic, &call.params).into()),
            (Era::Legacy, "ping") => Done::Object(b"{}".into()),
            (Era::Modern, versions::DISCOVER) => Done::List(discovered(clinic).into()),
            (_, "tools/list") => Done::List(Cow::Borrowed(&self.tools)),
            (_, "tools/call") => Done::Tool(tools::call(snapshot, self.clock.now(), &call.params)?),
            (_, method) => {
                return Err(RpcError::new(METHOD_NOT_FOUND, format!("Method not found: {}", shown(method))));
            }
        })
    }

    /// Adds a reply, with what each revision wants in a result.
    fn add(&self, replies: &mut Replies, id: &RawValue, reply: Reply<'_>) {
        let (era, done) = match reply {
            Reply::Done(era, done) => (era, done),
            Reply::Failed(_, error) => return add_error(replies, Some(id), &error),
        };
        let further = match (era, &done) {
            (Era::Legacy, _) => [None, None],
            (Era::Modern, Done::List(_)) => [Some(&self.kept), Some(&self.complete)],
            (Era::Modern, _) => [None, Some(&self.complete)],
        };
        let size = match &done {
            Done::Object(object) | Done::List(object) => object.len(),
            Done::Tool(outcome) => outcome.size(),
        };
        replies.add(size + id.get().len() + ROUND_A_RESULT, |to| {
            rpc::begin(to, id);
            match done {
                Done::Object(object) | Done::List(object) => to.extend_from_slice(open(&object)),
                Done::Tool(outcome) => outcome.write(to),
            }
            for members in further.into_iter().flatten() {
                if !to.ends_with(b"{") {
                    to.push(b',');
                }
                to.extend_from_slice(&open(members)[1..]);
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

fn initialized(clinic: &str, params: &Params<'_>) -> Vec<u8> {
    let result = json!({
        "protocolVersion": versions::negotiated(params),
        "capabilities": { "tools": {} },
        "serverInfo": server_info(),
        "instructions": instructions::for_clinic(clinic),
    });
    result.to_string().into_bytes()
}

fn discovered(clinic: &str) -> Vec<u8> {
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

/// An object but for its last brace.
fn open(object: &[u8]) -> &[u8] {
    object.strip_suffix(b"}").unwrap_or(object)
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

fn is_json(fields: &Fields<'_>) -> bool {
    let Some(value) = fields.content_type else { return false };
    if value == "application/json" {
        return true;
    }
    let value = value.to_str().ok();
    let media_type = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests;
