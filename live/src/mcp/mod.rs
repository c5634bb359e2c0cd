//! The MCP endpoint: JSON-RPC in single POSTs, without sessions. Each check has its own error, in this order: Host and
//! Origin, method, content type, size, JSON, JSON-RPC, revision, the protocol's method. Responses below 400 are server-sent
//! events, or JSON for clients that accept only that; others are JSON with a JSON-RPC error.

mod batch;
mod instructions;
mod methods;
mod params;
mod responses;
mod rpc;
mod sse;
mod tools;
mod versions;
mod view;

use std::sync::Arc;

use bytes::{Buf, Bytes};
use directory::api::{Fault, FaultKind};
use futures_util::Stream;
use warp::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use warp::http::{Method, StatusCode};

use self::batch::Batch;
pub use self::methods::tool_list;
use self::methods::{Methods, Reply};
use self::responses::{accepted, error_response, refused};
use self::rpc::{INVALID_REQUEST, Message, Payload, RpcError};
use self::sse::Format;
use crate::body;
use crate::budget::{self, Budget, Reserved};
use crate::config::{Access, Limits};
use crate::refusal_log::RefusalLog;
use crate::reply::{self, Response};
use crate::store::Store;
use crate::turns::Turns;
use crate::vitals::Vitals;
use feed::Clock;

/// The fields that are read here.
pub(crate) const FIELDS: [HeaderName; 9] = [
    header::HOST,
    header::ORIGIN,
    header::CONTENT_TYPE,
    header::CONTENT_LENGTH,
    header::CONTENT_ENCODING,
    header::ACCEPT,
    versions::VERSION_HEADER,
    versions::METHOD_HEADER,
    versions::NAME_HEADER,
];
/// For a body of this length, the request itself has reserved memory.
pub(crate) const SHORT_BODY: usize = 8 * 1024;

const METHODS: &str = "POST, OPTIONS";
const REQUEST_HEADERS: &str = "content-type, accept, mcp-protocol-version, mcp-method, mcp-name, \
     mcp-session-id, last-event-id";

#[derive(Debug)]
pub(crate) struct Mcp {
    store: Arc<Store>,
    access: Access,
    refusals: RefusalLog,
    limits: Limits,
    budget: Budget,
    methods: Arc<Methods>,
}

impl Mcp {
    pub(crate) fn new(
        store: Arc<Store>,
        clock: Clock,
        access: Access,
        limits: Limits,
        budget: Budget,
        vitals: Arc<Vitals>,
    ) -> Self {
        let refusals = RefusalLog::default();
        let methods = Arc::new(Methods::new(clock, vitals));
        Self { store, access, refusals, limits, budget, methods }
    }

    pub(crate) async fn answer<S, B, E>(
        &self,
        method: &Method,
        headers: &HeaderMap,
        (turns, is_in_bulk): (Turns, bool),
        body: S,
    ) -> Response
    where
        S: Stream<Item = Result<B, E>>,
        B: Buf,
    {
        // Preflights are checked like the requests after them.
        if let Err(refusal) = self.access.check(headers, &self.store.current().prepared.hosts) {
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
        let has_coding = headers.get(header::CONTENT_ENCODING).is_some_and(|coding| coding != "identity");
        if has_coding {
            return refused(
                FaultKind::UnsupportedMediaType,
                "Unsupported coding: send the body uncompressed",
            );
        }
        let Some(format) = Format::accepted(headers) else {
            let message = "Not acceptable: accept text/event-stream or application/json";
            return error_response(
                StatusCode::NOT_ACCEPTABLE,
                None,
                &RpcError::new(INVALID_REQUEST, message),
            );
        };
        let (body, reserved) = match self.collect(headers, body).await {
            Ok(collected) => collected,
            Err(fault) => return refused(fault.kind(), &format!("Invalid request: {}", fault.message())),
        };
        let turn = if is_in_bulk { Some(turns.take().await) } else { None };
        match rpc::read(&body) {
            Err(error) | Ok(Payload::One(Err(error))) => {
                error_response(StatusCode::BAD_REQUEST, None, &error)
            }
            Ok(Payload::One(Ok(Message::Notification))) => accepted(),
            Ok(Payload::One(Ok(Message::Request(id, call)))) => {
                let snapshot = self.store.current();
                match self.methods.reply(&snapshot, &call, headers) {
                    Reply::Error(status, error) if status != StatusCode::OK => {
                        error_response(status, Some(id), &error)
                    }
                    reply => {
                        let body = format.single(reply.size(), |to| reply.write(to, id, &snapshot));
                        let mut response = Response::new(Bytes::from(body).into());
                        *response.headers_mut() = format.headers(&snapshot.prepared.header_templates).clone();
                        response
                    }
                }
            }
            Ok(Payload::Batch(messages)) => {
                let batch = Batch {
                    methods: Arc::clone(&self.methods),
                    budget: self.budget.clone(),
                    turns,
                    snapshot: self.store.current(),
                    headers: headers.clone(),
                    format,
                    _body: reserved,
                };
                batch.answer(&body, &messages, turn).await
            }
        }
    }

    /// Reserves twice as much each time, as the buffer grows beyond a short body.
    async fn collect<S, B, E>(&self, headers: &HeaderMap, body: S) -> Result<(Bytes, Reserved), Fault>
    where
        S: Stream<Item = Result<B, E>>,
        B: Buf,
    {
        let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
        // A number that does not fit is above the limit, too.
        let announced = announced.map(|length| length.parse().unwrap_or(usize::MAX));
        let mut reserved = Reserved::default();
        let reserve = |bytes: usize| {
            let is_short = bytes <= SHORT_BODY;
            // Bodies take shared bytes only.
            let has_room = is_short || self.budget.grow(&mut reserved, bytes.next_power_of_two(), false);
            has_room.then_some(()).ok_or_else(budget::exhausted)
        };
        let limits = &self.limits;
        let body = body::collect(body, announced, limits.body_bytes, limits.body, reserve).await?;
        reserved.shrink_to(body.len());
        Ok((body, reserved))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests;
