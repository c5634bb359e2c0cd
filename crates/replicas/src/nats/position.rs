//! Where a message stands in the stream, as its reply subject says.

use chrono::{DateTime, Utc};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MessagePosition {
    /// Its number in the stream.
    pub(super) stream: u64,
    /// Its number among those that this consumer was sent.
    pub(super) consumer: u64,
    /// When the server stored it.
    pub(super) stored_at: DateTime<Utc>,
    /// The number of messages that follow it.
    pub(super) pending: u64,
}

impl MessagePosition {
    /// Reads `$JS.ACK.<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<nanoseconds>.<pending>`, or the
    /// later form with a domain and an account before the stream and a token at the end.
    pub(super) fn parse(reply: &str) -> Option<Self> {
        let mut tokens = reply.strip_prefix("$JS.ACK.")?.split('.');
        let before = match tokens.clone().count() {
            7 => 3,
            9.. => 5,
            _ => return None,
        };
        tokens.nth(before - 1)?;
        let mut number = || tokens.next()?.parse::<u64>().ok();
        let (stream, consumer, nanoseconds, pending) = (number()?, number()?, number()?, number()?);
        let stored_at = DateTime::from_timestamp_nanos(i64::try_from(nanoseconds).ok()?);
        Some(Self { stream, consumer, stored_at, pending })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_the_reply_are_read() {
        let at = DateTime::from_timestamp_nanos(1_700_000_000_123_456_789);
        let position = MessagePosition { stream: 17, consumer: 5, stored_at: at, pending: 2 };
        for reply in [
            "$JS.ACK.KV_nameplate.live-1.1.17.5.1700000000123456789.2",
            "$JS.ACK.hub.ACC.KV_nameplate.live-1.1.17.5.1700000000123456789.2.token",
            "$JS.ACK._.ACC.KV_nameplate.live-1.1.17.5.1700000000123456789.2",
        ] {
            assert_eq!(MessagePosition::parse(reply), Some(position), "{reply}");
        }
        for reply in
            ["", "$JS.ACK.a.b", "$JS.FC.KV_nameplate.live-1.x", "$JS.ACK.KV_nameplate.live-1.1.x.5.1.2"]
        {
            assert_eq!(MessagePosition::parse(reply), None, "{reply}");
        }
    }
}
