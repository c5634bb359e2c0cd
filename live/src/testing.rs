//! Shared by this crate's tests: a small clinic, a server on a free port, and a client that reads and writes raw bytes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use directory::api::{Request, Snapshot};
use directory::calendar::{Calendar, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::{Access, Clock, Drained, Limits, Listener, Options, Service, Store};

const TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) fn now() -> DateTime<Utc> {
    "2026-03-02T15:00:00Z".parse().unwrap()
}

pub(crate) fn snapshot() -> Snapshot {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture");
    let checked = directory::content::load_and_check(&folder, now().date_naive());
    Snapshot::new(checked.unwrap_or_else(|error| panic!("{error:?}")).directory)
}

/// The content of the tests after an edit of its folder.
#[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
pub(crate) fn edited(edit: impl FnOnce(&Path)) -> Snapshot {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture");
    for part in ["", "providers", "availability"] {
        std::fs::create_dir_all(folder.path().join(part)).unwrap();
        for file in std::fs::read_dir(fixture.join(part)).unwrap().map(Result::unwrap) {
            if file.path().is_file() {
                std::fs::copy(file.path(), folder.path().join(part).join(file.file_name())).unwrap();
            }
        }
    }
    edit(folder.path());
    let checked = directory::content::load_and_check(folder.path(), now().date_naive());
    Snapshot::new(checked.unwrap_or_else(|error| panic!("{error:?}")).directory)
}

/// A file of the [`crowd`] that is several hundred kilobytes long.
pub(crate) const LONG_FILE: &str = "/fhir/slots/2026-03-02.ndjson";

/// Two hundred clinicians who are published in FHIR.
#[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
pub(crate) fn crowd() -> Snapshot {
    let snapshot = edited(|folder| {
        let text = |path: &str| std::fs::read_to_string(folder.join(path)).unwrap();
        let write = |path: &str, text: &str| std::fs::write(folder.join(path), text).unwrap();
        write("directory.toml", &format!("{}\n[standards]\n", text("directory.toml")));
        let provider = text("providers/jane-doe.toml").replace("former-slugs = [\"jane-smith\"]\n", "");
        let hours = text("availability/jane-doe.toml");
        for number in 0..200 {
            let provider = provider.replace("prov-0001", &format!("crowd-{number}"));
            write(&format!("providers/jane-doe-{number}.toml"), &provider);
            write(&format!("availability/jane-doe-{number}.toml"), &hours);
        }
    });
    let calendar = Calendar::from_hours(snapshot.directory(), Instant::ceil(now()));
    snapshot.with_calendar(calendar)
}

pub(crate) fn body_of(path_and_query: &str) -> Vec<u8> {
    let request = Request::from_target(path_and_query).unwrap();
    snapshot().answer(&request, now()).unwrap().body().to_vec()
}

/// The limits of a service without settings.
impl Default for Limits {
    fn default() -> Self {
        let settings: toml::Table = include_str!("../../src/settings/defaults.toml").parse().unwrap();
        settings["limits"].clone().try_into().unwrap()
    }
}

pub(crate) fn options() -> Options {
    Options::new(Access::loopback(), Limits::default())
}

pub(crate) fn with_site(folder: &Path) -> Options {
    Options { site: Some(folder.to_owned()), ..options() }
}

pub(crate) fn store() -> Arc<Store> {
    Arc::new(Store::new(snapshot()))
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<Drained>,
}

impl Server {
    pub(crate) async fn start(options: Options) -> Self {
        Self::around(Service::new(store(), Clock::frozen(now()), options)).await
    }

    pub(crate) async fn with_limits(change: impl FnOnce(&mut Limits)) -> Self {
        let mut limits = Limits::default();
        change(&mut limits);
        Self::start(Options { limits, ..options() }).await
    }

    #[expect(
        clippy::unused_async,
        reason = "a socket needs the runtime, in which the callers of an async function are"
    )]
    pub(crate) async fn around(service: Service) -> Self {
        let listener = Listener::bind(([127, 0, 0, 1], 0).into(), false).unwrap();
        let address = listener.address();
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(listener.serve(service, async {
            let _ = stopped.await;
        }));
        Self { address, stop, serving }
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    pub(crate) async fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = self.connect().await;
        // The server may have refused and closed before everything is written.
        let _ = stream.write_all(bytes).await;
        until_closed(&mut stream).await
    }

    pub(crate) async fn request(&self, method: &str, target: &str, headers: &[&str], body: &str) -> Reply {
        let mut message = format!("{method} {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
        for line in headers {
            message.push_str(line);
            message.push_str("\r\n");
        }
        if !body.is_empty() {
            let _ = write!(message, "content-length: {}\r\n", body.len());
        }
        message.push_str("\r\n");
        message.push_str(body);
        Reply::parse(&self.raw(message.as_bytes()).await)
    }

    /// Asks for a target by this Host.
    pub(crate) async fn get_as(&self, host: &str, target: &str) -> Reply {
        let message = format!("GET {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        Reply::parse(&self.raw(message.as_bytes()).await)
    }

    pub(crate) async fn get(&self, target: &str) -> Reply {
        self.request("GET", target, &[], "").await
    }

    pub(crate) async fn stop(self) -> Drained {
        self.stop.send(()).unwrap();
        tokio::time::timeout(TIMEOUT, self.serving).await.expect("the server stops").unwrap()
    }
}

pub(crate) async fn until_closed(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let reading = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut bytes)).await;
    // A reset after the response is accepted, too.
    let _ = reading.expect("the server closes");
    bytes
}

/// A chunked body's content (RFC 9112, 7.1).
fn without_chunks(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = chunks.windows(2).position(|pair| pair == b"\r\n").expect("a chunk's size");
        let size = std::str::from_utf8(&chunks[..end]).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return body;
        }
        let (chunk, rest) = chunks[end + 2..].split_at(size);
        body.extend_from_slice(chunk);
        chunks = rest.strip_prefix(b"\r\n").expect("the end of a chunk");
    }
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(bytes)));
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = BTreeMap::new();
        for line in lines {
            let (name, value) = line.split_once(": ").unwrap();
            let before = headers.insert(name.to_owned(), value.to_owned());
            assert_eq!(before, None, "{name} is there twice");
        }
        let body = &bytes[end + 4..];
        let is_chunked = headers.get("transfer-encoding").is_some_and(|coding| coding == "chunked");
        Self { status, headers, body: if is_chunked { without_chunks(body) } else { body.to_vec() } }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn event(&self) -> serde_json::Value {
        let [event] = &self.events()[..] else { panic!("not one event: {}", self.text()) };
        event.clone()
    }

    pub(crate) fn events(&self) -> Vec<serde_json::Value> {
        assert_eq!(self.header("content-type"), Some("text/event-stream"), "{}", self.text());
        let events = self.text().strip_suffix("\n\n").unwrap().split("\n\n");
        events
            .map(|event| {
                let data = event.strip_prefix("event: message\ndata: ").unwrap();
                assert!(!data.contains(['\n', '\r']));
                serde_json::from_str(data).unwrap()
            })
            .collect()
    }
}
