//! A consumer of a bucket: its messages in order, or why it cannot go on.

use std::time::Duration;

use async_nats::{Client, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::runtime::Handle;
use tokio::time::{Instant as Tick, timeout_at};

use super::keys::MessagePosition;
use super::mirror::Message;

/// The longest time without a message or heartbeat. The consumer sends a heartbeat each second.
pub(super) const SILENCE: Duration = Duration::from_millis(2_500);
pub(super) const OPERATION: &str = "KV-Operation";
/// The status of heartbeats and of flow control.
const CONTROL: u16 = 100;

/// A consumer, which ends when this is dropped.
pub(super) struct Watch {
    pub(super) client: Client,
    pub(super) subscriber: Subscriber,
    /// Where its end is asked for.
    pub(super) end: String,
    pub(super) prefix: String,
    /// The number of the last message among those that the consumer has sent. One that is missing leaves a gap.
    pub(super) last: u64,
    /// The number of messages that waited when it was made.
    pub(super) pending: u64,
}

impl Watch {
    /// Waits for the next message; `None` is a heartbeat, a request of the flow control, or a message that is ignored.
    /// After an error another consumer is needed.
    pub(super) async fn next(&mut self) -> Result<Option<Message>, String> {
        // Messages may have queued while the last batch was applied, so silence is measured from now.
        let heard = self.next_until(Tick::now() + SILENCE).await;
        heard.unwrap_or_else(|| Err(format!("neither a message nor a heartbeat for {SILENCE:?}")))
    }

    pub(super) async fn next_until(&mut self, until: Tick) -> Option<Result<Option<Message>, String>> {
        let message = timeout_at(until, self.subscriber.next()).await.ok()?;
        let Some(message) = message else { return Some(Err("the connection was closed".to_owned())) };
        Some(self.read(message).await)
    }

    async fn read(&mut self, message: async_nats::Message) -> Result<Option<Message>, String> {
        let header = |name: &str| message.headers.as_ref()?.get(name).map(ToString::to_string);
        match message.status.map(|status| status.as_u16()) {
            None => {}
            Some(CONTROL) => {
                if let Some(sent) = header("Nats-Last-Consumer").and_then(|text| text.parse::<u64>().ok())
                    && sent > self.last
                {
                    return Err("a message is missing before a heartbeat".to_owned());
                }
                // A request of the flow control, or a heartbeat of a consumer that waits for the answer to one.
                let answer = message.reply.map(|reply| reply.to_string());
                if let Some(to) = answer.or_else(|| header("Nats-Consumer-Stalled")) {
                    _ = self.client.publish(to, Bytes::new()).await;
                }
                return Ok(None);
            }
            Some(status) => {
                let what = message.description.unwrap_or_default();
                return Err(format!("the consumer is gone: {status} {what}"));
            }
        }
        let Some(at) = message.reply.as_deref().and_then(MessagePosition::parse) else { return Ok(None) };
        if at.consumer != self.last + 1 {
            return Err("a message is missing".to_owned());
        }
        self.last = at.consumer;
        let is_gone = header(OPERATION).is_some_and(|operation| operation != "PUT")
            || header("Nats-Marker-Reason").is_some();
        let Some(key) = message.subject.strip_prefix(self.prefix.as_str()) else { return Ok(None) };
        let value = (!is_gone).then_some(message.payload);
        Ok(Some(Message { key: key.to_owned(), at, value }))
    }
}

impl Drop for Watch {
    /// No answer is awaited: an abandoned consumer ends after 30 seconds.
    fn drop(&mut self) {
        let (client, end) = (self.client.clone(), std::mem::take(&mut self.end));
        if let Ok(runtime) = Handle::try_current() {
            runtime
                .spawn(async move { client.publish_with_reply(end, client.new_inbox(), Bytes::new()).await });
        }
    }
}
