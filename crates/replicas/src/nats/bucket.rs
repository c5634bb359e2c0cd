//! A bucket's servers: the connection, and the five requests of `JetStream`'s API that a replica and a writer need. Only the
//! fields in use are read, so other fields may differ between server versions.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event, HeaderMap, Request, RequestErrorKind};
use bytes::Bytes;
use serde_json::{Value, json};
use tokio::time::Instant as Tick;

use super::watch::{OPERATION, Watch};
use crate::read_secret;
use feed::NatsOptions;

const PING: Duration = Duration::from_secs(2);
const CONNECT: Duration = Duration::from_secs(2);
/// The maximum age of a server's message that is quoted when a request has no answer.
const LATELY: Duration = Duration::from_secs(30);
/// The messages that may wait for a replica that is busy.
const WAITING: usize = 1 << 18;
/// `JetStream`'s code for a key that has another revision than expected.
const WRONG_REVISION: u64 = 10_071;
/// The header with the revision that a key must have.
const EXPECTED: &str = "Nats-Expected-Last-Subject-Sequence";

#[derive(Debug, Clone)]
pub struct FeedBucket {
    client: Client,
    name: String,
    /// The last message of the servers, and when it came. Servers report a missing permission once, when the connection
    /// begins.
    note: Arc<Mutex<Option<(Tick, String)>>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StreamState {
    pub(super) created: String,
    pub(super) last: u64,
    /// The number of keys. A deleted key counts, too, because its marker is kept.
    pub(super) subjects: u64,
}

impl StreamState {
    /// Whether the stream was recreated or lost messages since an earlier state. A purge of the stream removes keys
    /// without a message, so the number of keys is compared. (As many new keys in the same moment hide it.)
    pub(super) fn has_lost_since(&self, before: &Self) -> bool {
        self.created != before.created || self.last < before.last || self.subjects < before.subjects
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PutError {
    /// The key has another revision: another writer wrote it, or this one did without hearing so.
    OtherRevision,
    /// There was no answer: it may be written or not.
    Unknown(String),
    Refused(String),
}

impl FeedBucket {
    /// Connects in the background, and again whenever the connection is lost. `who` is the end of the inbox's name, which the
    /// servers' permissions contain: `live` for a replica, the site for a writer.
    pub async fn connect(options: &NatsOptions, who: &str) -> Result<Self, String> {
        feed::install_tls();
        let note = Arc::default();
        let noted: Arc<Mutex<_>> = Arc::clone(&note);
        let mut connection = ConnectOptions::new()
            .name(format!("nameplate {who}"))
            .custom_inbox_prefix(format!("_INBOX_{who}"))
            .ping_interval(PING)
            .connection_timeout(CONNECT)
            .require_tls(options.needs_tls())
            .subscription_capacity(WAITING)
            .reconnect_delay_callback(|tries| {
                Duration::from_millis(100 * 2_u64.saturating_pow(u32::try_from(tries.min(5)).unwrap_or(5)))
            })
            .retry_on_initial_connect()
            .event_callback(move |event| {
                let text = match event {
                    Event::ServerError(error) => Some(error.to_string()),
                    Event::ClientError(error) => Some(error.to_string()),
                    Event::Disconnected => Some("the connection was lost".to_owned()),
                    event => {
                        tracing::debug!("NATS: {event}");
                        None
                    }
                };
                if let Some(text) = text {
                    *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some((Tick::now(), text));
                }
                async {}
            });
        if let Some(file) = &options.creds {
            connection = connection.credentials(&read_secret(file)?).map_err(|error| {
                format!("{}: it isn't a credentials file as nsc writes it: {error}; for a plain seed use --nkey, or nkey in the settings", file.display())
            })?;
        }
        if let Some(file) = &options.nkey {
            let text = read_secret(file)?;
            let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU"));
            let what = "it has no user seed, which is a line that begins with SU (nsc generate nkey --user)";
            connection =
                connection.nkey(seed.ok_or_else(|| format!("{}: {what}", file.display()))?.to_owned());
        }
        if let Some(file) = &options.tls_ca {
            read_secret(file)?;
            connection = connection.add_root_certificates(file.clone());
        }
        if let (Some(cert), Some(key)) = (&options.tls_cert, &options.tls_key) {
            read_secret(cert)?;
            read_secret(key)?;
            connection = connection.add_client_certificate(cert.clone(), key.clone());
        }
        let client =
            connection.connect(options.servers.as_slice()).await.map_err(|error| error.to_string())?;
        Ok(Self { client, name: options.bucket.clone(), note })
    }

    pub fn server(&self) -> Option<(String, String)> {
        let is_there = self.client.connection_state() == async_nats::connection::State::Connected;
        let info = is_there.then(|| self.client.try_server_info()).flatten()?;
        Some((format!("{} ({}:{})", info.server_name, info.host, info.port), info.version))
    }

    pub(super) async fn leave_server(&self) {
        // An error means that the client has ended.
        _ = self.client.force_reconnect().await;
    }

    async fn ask(&self, subject: String, body: &Value, within: Duration) -> Result<Value, String> {
        let request = Request::new().payload(body.to_string().into()).timeout(Some(within));
        let what = subject.trim_start_matches("$JS.API.").to_owned();
        let answer = self.client.send_request(subject, request).await.map_err(|error| {
            let why = match error.kind() {
                RequestErrorKind::NoResponders => {
                    "the servers have no JetStream for this account, or no leader at the moment".to_owned()
                }
                _ => self.unanswered(within),
            };
            format!("{what}: {why}")
        })?;
        let answer: Value = serde_json::from_slice(&answer.payload)
            .map_err(|error| format!("{what}: the answer isn't JSON: {error}"))?;
        match refusal(&answer) {
            None => Ok(answer),
            Some((_, why)) => Err(format!("{what}: {why}")),
        }
    }

    fn unanswered(&self, within: Duration) -> String {
        let note = self.note.lock().unwrap_or_else(PoisonError::into_inner);
        let last = note.as_ref().filter(|(at, _)| at.elapsed() < LATELY);
        let last = last.map(|(_, text)| format!("; the last message of the servers is: {text}"));
        format!("no answer within {within:?}{}", last.unwrap_or_default())
    }

    fn stream(&self) -> String {
        format!("KV_{}", self.name)
    }

    pub(super) async fn state(&self, within: Duration) -> Result<StreamState, String> {
        let answer = self.ask(format!("$JS.API.STREAM.INFO.{}", self.stream()), &json!({}), within).await?;
        let created = answer.get("created").and_then(Value::as_str);
        let last = answer.pointer("/state/last_seq").and_then(Value::as_u64);
        // Left out of the answer while it is 0.
        let subjects = answer.pointer("/state/num_subjects").and_then(Value::as_u64).unwrap_or_default();
        match (created, last) {
            (Some(created), Some(last)) => Ok(StreamState { created: created.to_owned(), last, subjects }),
            _ => Err("STREAM.INFO: the answer has no created and no last_seq".to_owned()),
        }
    }

    /// Begins to follow the keys below a prefix: from a number of the stream, or all that there are.
    pub(super) async fn watch(
        &self,
        consumer: &str,
        keys: &str,
        from: Option<u64>,
        within: Duration,
    ) -> Result<Watch, String> {
        let filter = format!("$KV.{}.{keys}", self.name);
        let inbox = self.client.new_inbox();
        // Subscribed before the consumer exists, so that none of its messages is missed.
        let subscriber = self.client.subscribe(inbox.clone()).await.map_err(|error| error.to_string())?;
        let mut config = json!({
            "name": consumer,
            "description": "follows the bucket for Nameplate",
            "deliver_subject": inbox,
            "deliver_policy": "last_per_subject",
            "ack_policy": "none",
            "max_deliver": 1,
            "replay_policy": "instant",
            "filter_subject": filter,
            "flow_control": true,
            "idle_heartbeat": 1_000_000_000_u64,
            "inactive_threshold": 30_000_000_000_u64,
            "num_replicas": 1,
            "mem_storage": true,
        });
        if let Some(from) = from {
            config["deliver_policy"] = "by_start_sequence".into();
            config["opt_start_seq"] = from.into();
        }
        let stream = self.stream();
        let subject = format!("$JS.API.CONSUMER.CREATE.{stream}.{consumer}.{filter}");
        let body = json!({"stream_name": stream, "config": config, "action": "create"});
        let end = format!("$JS.API.CONSUMER.DELETE.{stream}.{consumer}");
        // Made before the answer: without one the consumer may exist, and is to end.
        let (client, prefix) = (self.client.clone(), format!("$KV.{}.", self.name));
        let mut watch = Watch { client, subscriber, end, prefix, last: 0, pending: 0 };
        let answer = self.ask(subject, &body, within).await?;
        watch.pending = answer.get("num_pending").and_then(Value::as_u64).unwrap_or_default();
        Ok(watch)
    }

    /// Writes a key that has this revision now (0: the stream has no message of it), and returns the new one.
    /// `None` as the value deletes the key.
    pub async fn put(
        &self,
        key: &str,
        value: Option<Bytes>,
        revision: u64,
        within: Duration,
    ) -> Result<u64, PutError> {
        let mut headers = HeaderMap::new();
        headers.insert(EXPECTED, revision.to_string());
        if value.is_none() {
            headers.insert(OPERATION, "DEL");
        }
        let request = Request::new().headers(headers).payload(value.unwrap_or_default());
        let request = request.timeout(Some(within));
        let subject = format!("$KV.{}.{key}", self.name);
        let answer =
            self.client.send_request(subject, request).await.map_err(|error| match error.kind() {
                RequestErrorKind::MaxPayloadExceeded => {
                    PutError::Refused(format!("{key}: it is larger than the servers accept: {error}"))
                }
                _ => PutError::Unknown(format!("{key}: {}", self.unanswered(within))),
            })?;
        let answer: Value = serde_json::from_slice(&answer.payload)
            .map_err(|error| PutError::Unknown(format!("{key}: the answer isn't JSON: {error}")))?;
        match (refusal(&answer), answer.get("seq").and_then(Value::as_u64)) {
            (None, Some(revision)) => Ok(revision),
            (Some((WRONG_REVISION, _)), _) => Err(PutError::OtherRevision),
            (Some((_, why)), _) => Err(PutError::Refused(format!("{key}: {why}"))),
            (None, None) => Err(PutError::Unknown(format!("{key}: the answer has no number"))),
        }
    }

    pub async fn flush(&self) {
        _ = self.client.flush().await;
    }
}

fn refusal(answer: &Value) -> Option<(u64, &str)> {
    let error = answer.get("error")?;
    Some((error.get("err_code")?.as_u64()?, error.get("description")?.as_str()?))
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// The first byte that a client sends after the server's INFO does not ask for TLS.
    async fn first_byte(options: impl FnOnce(&str) -> NatsOptions) -> u8 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("nats://{}", listener.local_addr().unwrap());
        let _bucket = FeedBucket::connect(&options(&address), "live").await.unwrap();
        let (mut socket, _) = listener.accept().await.unwrap();
        let info = r#"INFO {"server_id":"a","server_name":"a","version":"2.15.0","go":"","host":"a","port":1,"headers":true,"max_payload":1048576,"proto":1}"#;
        socket.write_all(format!("{info}\r\n").as_bytes()).await.unwrap();
        socket.read_u8().await.unwrap()
    }

    fn plain(address: &str) -> NatsOptions {
        serde_json::from_value(json!({ "url": address })).unwrap()
    }

    #[test]
    fn a_stream_has_lost_messages_when_it_is_another_or_has_a_lower_number_or_fewer_keys() {
        let before = StreamState { created: "monday".to_owned(), last: 9, subjects: 3 };
        assert!(!before.has_lost_since(&before));
        let later = StreamState { last: 12, subjects: 5, ..before.clone() };
        assert!(!later.has_lost_since(&before));
        for lost in [
            StreamState { created: "tuesday".to_owned(), ..later.clone() },
            StreamState { last: 8, ..later.clone() },
            StreamState { subjects: 2, ..later },
        ] {
            assert!(lost.has_lost_since(&before), "{lost:?}");
        }
    }

    #[tokio::test]
    async fn a_server_cannot_switch_tls_off() {
        // RFC 8446: a handshake record has the type 22. Without TLS the client sends CONNECT.
        assert_eq!(first_byte(plain).await, b'C');
        let authorities = tempfile::NamedTempFile::new().unwrap();
        let with_authorities =
            |address: &str| NatsOptions { tls_ca: Some(authorities.path().to_owned()), ..plain(address) };
        assert_eq!(first_byte(with_authorities).await, 22);
    }
}
