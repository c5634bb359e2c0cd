//! Runs the command as a process, with a minimal HTTP client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The time of these tests: a Saturday morning in winter.
pub(crate) const NOW: &str = "2026-11-21T12:00:00Z";

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn content() -> PathBuf {
    root().join("content")
}

pub(crate) fn nameplate(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Longer than any machine takes. It ends a hang, and decides nothing else.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(5);

/// Gives a service time for what it must not do. On a slow machine this finds less, and never fails.
pub(crate) fn give_it_time() {
    std::thread::sleep(Duration::from_millis(1500));
}

/// Waits until `is_true`, and fails after `timeout`.
pub(crate) fn within(timeout: Duration, what: &str, mut is_true: impl FnMut() -> bool) {
    let end = Instant::now() + timeout;
    while !is_true() {
        assert!(Instant::now() < end, "not within {timeout:?}: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nameplate"));
    command.current_dir(root()).args(arguments).env_remove("RUST_LOG");
    command
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A service in its own process, stopped when dropped.
pub(crate) struct Server {
    process: Option<Child>,
    address: SocketAddr,
    admin: Option<SocketAddr>,
    logged: Vec<String>,
    /// The lines of the log since.
    further: Receiver<String>,
}

impl Server {
    /// Starts `serve` or `dev` on a free port and waits until it logs that it serves.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_at(arguments, "127.0.0.1:0")
    }

    pub(crate) fn start_at(arguments: &[&str], listen: &str) -> Self {
        Self::start_as(command(arguments), listen)
    }

    pub(crate) fn start_as(mut command: Command, listen: &str) -> Self {
        // `dev` logs only warnings by default.
        if command.get_args().next().is_some_and(|name| name == "dev") {
            command.env("NAMEPLATE_LOG_LEVEL", "info");
        }
        command.args(["--listen", listen]).stderr(Stdio::piped()).stdin(Stdio::null());
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let mut logged = Vec::new();
        let mut admin = None;
        let named = |line: &str, name: &str| {
            let (_, rest) = line.split_once(name)?;
            Some(rest.split_whitespace().next()?.parse().unwrap())
        };
        let address = loop {
            let Some(line) = lines.next() else { panic!("the service did not start: {logged:#?}") };
            let line = line.unwrap();
            if let Some(address) = named(&line, "address=") {
                break address;
            }
            admin = admin.or_else(|| named(&line, "admin="));
            logged.push(line);
        };
        // Without a reader, the process would block on a full pipe.
        let (sender, further) = channel();
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(|line| drop(sender.send(line))));
        Self { process: Some(process), address, admin, logged, further }
    }

    /// A process that was started elsewhere and is stopped when this is dropped.
    pub(crate) fn running(process: Child, address: SocketAddr, admin: SocketAddr) -> Self {
        Self { process: Some(process), address, admin: Some(admin), logged: Vec::new(), further: channel().1 }
    }

    /// A server that this value does not stop.
    pub(crate) fn elsewhere(address: SocketAddr) -> Self {
        Self { process: None, address, admin: None, logged: Vec::new(), further: channel().1 }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn admin(&self) -> Option<SocketAddr> {
        self.admin
    }

    /// The lines of the log before it served.
    pub(crate) fn logged(&self) -> &[String] {
        &self.logged
    }

    /// Waits until the log has a line with this.
    pub(crate) fn logs(&self, what: &str) -> String {
        let mut lines = std::iter::from_fn(|| self.further.recv_timeout(TIMEOUT).ok());
        lines.find(|line| line.contains(what)).unwrap_or_else(|| panic!("not logged: {what}"))
    }

    /// The operators' server.
    pub(crate) fn operators(&self) -> Self {
        Self::elsewhere(self.admin.expect("--admin 127.0.0.1:0"))
    }

    /// Sends a signal such as `-HUP`.
    pub(crate) fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.id().to_string()]).status().unwrap().success());
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.as_ref().unwrap().id()
    }

    pub(crate) fn get(&self, target: &str) -> Reply {
        self.send(&format!("GET {target} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address))
    }

    pub(crate) fn get_with(&self, target: &str, field: &str) -> Reply {
        let host = self.address;
        self.send(&format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n{field}\r\nConnection: close\r\n\r\n"))
    }

    pub(crate) fn post(&self, target: &str) -> Reply {
        self.post_with(target, "")
    }

    /// Sends an order with these lines of its head.
    pub(crate) fn post_with(&self, target: &str, fields: &str) -> Reply {
        let host = self.address;
        self.send(&format!(
            "POST {target} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n{fields}Connection: close\r\n\r\n"
        ))
    }

    /// Accepts the content that /readyz shows as held, as an operator does.
    pub(crate) fn accept_content(&self) -> Reply {
        let ready: serde_json::Value = serde_json::from_slice(&self.get("/readyz").body).unwrap();
        let generation = ready["content"]["held"]["generation"].as_str().unwrap();
        self.post_with("/content/accept", &format!("If-Match: \"{generation}\"\r\n"))
    }

    pub(crate) fn post_mcp(&self, body: &str) -> Reply {
        self.send(&format!(
            "POST /api/mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            body.len()
        ))
    }

    /// Sends SIGTERM and waits for the exit code.
    pub(crate) fn terminate(mut self) -> Option<i32> {
        self.signal("-TERM");
        self.process.take().unwrap().wait().unwrap().code()
    }

    /// Sends raw bytes and reads until the server closes.
    pub(crate) fn send(&self, request: &str) -> Reply {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        Reply::parse(&bytes)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            _ = process.kill();
            _ = process.wait();
        }
    }
}

pub(crate) struct Reply {
    pub(crate) status: u16,
    fields: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("a whole head");
        let mut lines = text(&bytes[..end]).split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let fields = lines.map(|line| line.split_once(':').unwrap());
        let fields =
            fields.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect();
        let reply = Self { status, fields, body: bytes[end + 4..].to_vec() };
        if let Some(length) = reply.field("content-length") {
            assert_eq!(reply.body.len().to_string(), length, "the body is incomplete");
        }
        reply
    }

    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The JSON-RPC message of a response with one server-sent event.
    pub(crate) fn event(&self) -> serde_json::Value {
        assert_eq!(self.field("content-type"), Some("text/event-stream"));
        let text = text(&self.body);
        let data = text.strip_prefix("event: message\ndata: ").and_then(|rest| rest.strip_suffix("\n\n"));
        serde_json::from_str(data.expect("one event")).unwrap()
    }
}
