//! Answers a batch, which one legacy revision allows, as a stream. Each reply is made only when hyper asks for more bytes,
//! and each reserves memory first: a batch whose replies are not read holds few of them. Its body is reserved until the last
//! reply is made, because the messages are parts of it.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use serde_json::value::RawValue;
use warp::Reply as _;
use warp::http::StatusCode;
use warp::http::header::HeaderMap;

use super::methods::Methods;
use super::responses::{accepted, error_response, refused};
use super::rpc::{self, INVALID_REQUEST, MAX_BATCH, Message, RpcError};
use super::sse::Format;
use super::versions;
use crate::budget::{self, Budget, Reserved};
use crate::reply::Response;
use crate::store::Served;

/// Reserved before a reply is made, because its length is unknown. Nearly all are shorter.
const REPLY: usize = 512 << 10;

/// The messages are parts of `body`.
pub(super) fn answer(
    methods: &Arc<Methods>,
    budget: &Budget,
    snapshot: Arc<Served>,
    (body, body_reserved): (&Bytes, Reserved),
    messages: &[&RawValue],
    headers: &HeaderMap,
) -> Response {
    let refuse = |why| error_response(StatusCode::BAD_REQUEST, None, &RpcError::new(INVALID_REQUEST, why));
    if !versions::allows_batch(headers) {
        return refuse("Invalid request: this protocol version doesn't support batches");
    }
    if messages.is_empty() || messages.len() > MAX_BATCH {
        return refuse("Invalid request: a batch must have 1 to 20 messages");
    }
    let mut requests = Vec::new();
    for message in messages {
        match rpc::read_one(message.get()) {
            Ok(Message::Notification) => {}
            Ok(Message::Request(_, call)) if call.method == versions::INITIALIZE => {
                return refuse("Invalid request: initialize is not allowed in a batch");
            }
            _ => requests.push(body.slice_ref(message.get().as_bytes())),
        }
    }
    if requests.is_empty() {
        return accepted();
    }
    let mut first = Reserved::default();
    if !budget.grow(&mut first, REPLY, false) {
        let fault = budget::exhausted();
        return refused(fault.kind(), fault.message());
    }
    let (format, count) = (Format::accepted(headers), requests.len());
    let head = format.headers(&snapshot.prepared.header_templates).clone();
    let shared = Arc::new((Arc::clone(methods), budget.clone(), snapshot, headers.clone(), body_reserved));
    // The first reply is reserved here, so that a service without memory refuses the batch by 503.
    let mut first = Some(first);
    let replies = stream::iter(requests.into_iter().enumerate()).then(move |(number, request)| {
        let reserved = first.take();
        let shared = Arc::clone(&shared);
        async move {
            let (methods, budget, snapshot, headers, _) = &*shared;
            let mut reserved = match reserved {
                Some(reserved) => reserved,
                None => budget.reserve(REPLY).await,
            };
            let message = std::str::from_utf8(&request).unwrap_or_default();
            let bytes = format.item(number == 0, number + 1 == count, |to| match rpc::read_one(message) {
                Ok(Message::Request(id, call)) => {
                    methods.reply(snapshot, &call, headers).write(to, id, snapshot);
                }
                Ok(Message::Notification) => {}
                Err(error) => to.extend_from_slice(&rpc::error(None, &error)),
            });
            reserved.shrink_to(bytes.len());
            Ok::<_, std::convert::Infallible>(budget::holding(bytes, reserved))
        }
    });
    let mut response = warp::reply::stream(replies).into_response();
    *response.headers_mut() = head;
    response
}
