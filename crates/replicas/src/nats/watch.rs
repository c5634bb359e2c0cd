//! A consumer of a bucket: its messages in order, or why it cannot go on.

use std::time::Duration;

use async_nats::{Client, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::time::{Instant as Tick, timeout_at};

use super::mirror::Message;
use super::position::{GapWatch, MessagePosition};

/// The longest time without a message or heartbeat. The consumer sends a heartbeat each second.
pub(super) const SILENCE: Duration = Duration::from_millis(2_500);
/// The header of a deleted key.
pub(super) const OPERATION: &str = "KV-Operation";
/// The status of heartbeats and of flow control.
const CONTROL: u16 = 100;

#[derive(Debug)]
pub(super) struct Watch {
    client: Client,
    subscriber: Subscriber,
    pub(super) consumer: String,
    prefix: String,
    order: GapWatch,
    /// The number of messages that waited when it was made.
    pub(super) pending: u64,
}

/// What a consumer sends.
#[derive(Debug)]
pub(super) enum Heard {
    Message(Message),
    /// A heartbeat, a flow-control request, or a message that is ignored.
    Nothing,
}

impl Watch {
    pub(super) fn new(
        client: Client,
        subscriber: Subscriber,
        consumer: String,
        bucket: &str,
        pending: u64,
    ) -> Self {
        let prefix = format!("$KV.{bucket}.");
        Self { client, subscriber, consumer, prefix, order: GapWatch::default(), pending }
    }

    /// Waits for the next message or heartbeat.
    /// After an error another consumer is needed.
    pub(super) async fn next(&mut self) -> Result<Heard, String> {
        // Messages may have queued while the last batch was applied, so silence is measured from now.
        match self.next_until(Tick::now() + SILENCE).await {
            Some(heard) => heard,
            None => Err(format!("neither a message nor a heartbeat for {SILENCE:?}")),
        }
    }

    /// The next message or heartbeat before a moment.
    pub(super) async fn next_until(&mut self, until: Tick) -> Option<Result<Heard, String>> {
        let message = timeout_at(until, self.subscriber.next()).await.ok()?;
        let Some(message) = message else { return Some(Err("the connection was closed".to_owned())) };
        Some(self.read(message).await)
    }

    async fn read(&mut self, message: async_nats::Message) -> Result<Heard, String> {
        let header = |name: &str| message.headers.as_ref()?.get(name).map(ToString::to_string);
        match message.status.map(|status| status.as_u16()) {
            None => {}
            Some(CONTROL) => {
                if let Some(sent) = header("Nats-Last-Consumer").and_then(|text| text.parse().ok())
                    && !self.order.is_complete_at(sent)
                {
                    return Err("a message is missing before a heartbeat".to_owned());
                }
                // A request of the flow control, or a heartbeat of a consumer that waits for the answer to one.
                let answer = message.reply.map(|reply| reply.to_string());
                if let Some(to) = answer.or_else(|| header("Nats-Consumer-Stalled")) {
                    _ = self.client.publish(to, Bytes::new()).await;
                }
                return Ok(Heard::Nothing);
            }
            Some(status) => {
                let what = message.description.unwrap_or_default();
                return Err(format!("the consumer is gone: {status} {what}"));
            }
        }
        let Some(at) = message.reply.as_deref().and_then(MessagePosition::parse) else {
            return Ok(Heard::Nothing);
        };
        if !self.order.takes(at.consumer) {
            return Err("a message is missing".to_owned());
        }
        let is_gone = header(OPERATION).is_some_and(|operation| operation != "PUT")
            || header("Nats-Marker-Reason").is_some();
        let Some(key) = message.subject.strip_prefix(self.prefix.as_str()) else { return Ok(Heard::Nothing) };
        let value = (!is_gone).then_some(message.payload);
        Ok(Heard::Message(Message { key: key.to_owned(), at, value }))
    }
}
