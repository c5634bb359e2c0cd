//! Answers a batch of messages, which one legacy revision allows.
//!
//! The response is a stream. Each reply is made only when hyper asks for more bytes, and each reserves memory first: so a
//! batch whose replies are not read holds few of them. The batch's own body is reserved until its last reply is made,
//! because the messages are parts of it.

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
use super::sse::{BatchPosition, Format};
use super::versions;
use crate::budget::{self, Budget, Reserved};
use crate::reply::Response;
use crate::store::Served;

/// The bytes that are reserved before a reply is made, because its length is unknown. Nearly all replies are shorter.
const REPLY: usize = 512 << 10;

/// A reply whose memory is reserved until it is written.
struct ReservedReply {
    bytes: Vec<u8>,
    _reserved: Reserved,
}

impl AsRef<[u8]> for ReservedReply {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The response to a batch, whose messages are parts of `body`.
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
    let head = format.headers(snapshot.header_templates()).clone();
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
            let position = BatchPosition { is_first: number == 0, is_last: number + 1 == count };
            let message = std::str::from_utf8(&request).unwrap_or_default();
            let bytes = format.item(position, |to| match rpc::read_one(message) {
                Ok(Message::Request(id, call)) => {
                    methods.write(to, id, snapshot, methods.reply(snapshot, &call, headers));
                }
                // Notifications have been left out.
                Ok(Message::Notification) => {}
                Err(error) => to.extend_from_slice(&rpc::error(None, &error)),
            });
            reserved.shrink_to(bytes.len());
            Ok::<_, std::convert::Infallible>(Bytes::from_owner(ReservedReply { bytes, _reserved: reserved }))
        }
    });
    let mut response = warp::reply::stream(replies).into_response();
    *response.headers_mut() = head;
    response
}
