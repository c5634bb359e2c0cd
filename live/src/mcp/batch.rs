//! Answers a batch, which one legacy revision allows, as a stream. Each reply but the first is made only when hyper asks for
//! more bytes, each in a turn of its own, and each reserves memory first: a batch whose replies are not read holds few of
//! them. Its body is reserved until the last reply is made, because the messages are parts of it.

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
use crate::turns::{Turn, Turns};

/// Reserved before a reply is made, because its length is unknown. Nearly all are shorter.
const REPLY: usize = 512 << 10;

pub(super) struct Batch {
    pub(super) methods: Arc<Methods>,
    pub(super) budget: Budget,
    pub(super) turns: Turns,
    pub(super) snapshot: Arc<Served>,
    pub(super) headers: HeaderMap,
    pub(super) format: Format,
    pub(super) _body: Reserved,
}

impl Batch {
    /// The messages are parts of `body`. The turn is that of the request, if it has one.
    pub(super) async fn answer(self, body: &Bytes, messages: &[&RawValue], turn: Option<Turn>) -> Response {
        let turn = match turn {
            Some(turn) => turn,
            None => self.turns.take().await,
        };
        let refuse =
            |why| error_response(StatusCode::BAD_REQUEST, None, &RpcError::new(INVALID_REQUEST, why));
        if !versions::allows_batch(&self.headers) {
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
                    return refuse("Invalid request: initialize isn't allowed in a batch");
                }
                _ => requests.push(body.slice_ref(message.get().as_bytes())),
            }
        }
        let mut requests = requests.into_iter();
        let Some(first) = requests.next() else { return accepted() };
        let following = requests.len();
        // The first reply is made here, so that a service without memory refuses the batch by 503.
        let mut reserved = Reserved::default();
        if !self.budget.grow(&mut reserved, REPLY, false) {
            let fault = budget::exhausted();
            return refused(fault.kind(), fault.message());
        }
        let first = self.reply(&first, (true, following == 0), reserved);
        drop(turn);
        let head = self.format.headers(&self.snapshot.prepared.header_templates).clone();
        let batch = Arc::new(self);
        let others = stream::iter(requests.enumerate()).then(move |(number, request)| {
            let batch = Arc::clone(&batch);
            async move {
                let (_turn, reserved) = batch.turn_with_memory().await;
                Ok(batch.reply(&request, (false, number + 1 == following), reserved))
            }
        });
        let replies = stream::iter([Ok::<_, std::convert::Infallible>(first)]).chain(others);
        let mut response = warp::reply::stream(replies).into_response();
        *response.headers_mut() = head;
        response
    }

    /// Memory is awaited outside a turn, because it may be until a client reads.
    async fn turn_with_memory(&self) -> (Turn, Reserved) {
        let mut reserved = Reserved::default();
        let turn = self.turns.take().await;
        if self.budget.grow(&mut reserved, REPLY, false) {
            return (turn, reserved);
        }
        drop(turn);
        let reserved = self.budget.reserve(REPLY).await;
        (self.turns.take().await, reserved)
    }

    fn reply(&self, request: &[u8], (is_first, is_last): (bool, bool), mut reserved: Reserved) -> Bytes {
        let message = std::str::from_utf8(request).unwrap_or_default();
        let bytes = self.format.item(is_first, is_last, |to| match rpc::read_one(message) {
            Ok(Message::Request(id, call)) => {
                self.methods.reply(&self.snapshot, &call, &self.headers).write(to, id, &self.snapshot);
            }
            Ok(Message::Notification) => {}
            Err(error) => to.extend_from_slice(&rpc::error(None, &error)),
        });
        reserved.shrink_to(bytes.len());
        budget::holding(bytes, reserved)
    }
}
