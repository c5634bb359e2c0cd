//! A host that passes on what it is asked to a real one, and spoils some of the answers.
//!
//! What the real one has said once is remembered, so that each fault costs little.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::harness::{NOW, nameplate, text};

/// A request as the host of the test sees it.
pub(super) struct Asked<'a> {
    real: SocketAddr,
    key: &'a Key,
    memory: &'a Memory,
    /// Method and target, such as `GET /v1/states`.
    pub(super) line: String,
    pub(super) body: String,
    pub(super) is_conditional: bool,
    pub(super) wants_gzip: bool,
}

impl Asked<'_> {
    /// What the real host answers to another line, asked with the same fields.
    pub(super) fn real(&self, line: &str) -> Answer {
        let (_, body, fields) = self.key;
        remembered(self.real, self.memory, &(line.to_owned(), body.clone(), fields.clone())).unwrap()
    }
}

/// An answer that can be spoilt.
#[derive(Clone)]
pub(super) struct Answer {
    pub(super) status: u16,
    fields: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    /// So many bytes of the body are announced but not sent.
    pub(super) held_back: usize,
}

impl Answer {
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        self.fields.push((name.to_owned(), value.to_owned()));
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.fields.retain(|(known, _)| known != name);
    }

    pub(super) fn replace(&mut self, from: &str, to: &str) {
        let spoilt = text(&self.body).replace(from, to);
        assert!(spoilt.as_bytes() != self.body, "the fault changes nothing");
        self.body = spoilt.into();
    }
}

pub(super) type Fault = dyn Fn(&Asked<'_>, &mut Answer) + Send + Sync;

/// What the real host has said.
pub(super) type Memory = Arc<Mutex<HashMap<Key, Answer>>>;

/// A request: its line, its body and the fields that matter.
type Key = (String, String, Vec<String>);

/// A host of the test's own.
pub(super) struct Spoilt {
    address: SocketAddr,
}

impl Spoilt {
    pub(super) fn start(real: SocketAddr, memory: &Memory, fault: Box<Fault>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (memory, fault) = (Arc::clone(memory), Arc::<Fault>::from(fault));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (memory, fault) = (Arc::clone(&memory), Arc::clone(&fault));
                // A client that goes away in the middle is no matter.
                std::thread::spawn(move || _ = serve(stream, real, &memory, &*fault));
            }
        });
        Self { address }
    }

    pub(super) fn verify(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let host = format!("http://{}", self.address);
        let mut all = vec!["verify", &host, "--now", NOW, "--seed", "5", "--queries", "60"];
        all.extend(arguments);
        let done = nameplate(&all);
        (done.status.code(), format!("{}{}", text(&done.stdout), text(&done.stderr)))
    }
}

/// One connection: request after request, until the client has enough.
fn serve(mut stream: TcpStream, real: SocketAddr, memory: &Memory, fault: &Fault) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    stream.set_nodelay(true)?;
    let mut bytes = Vec::new();
    loop {
        let end = loop {
            if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                break at + 4;
            }
            let mut part = [0; 4096];
            match stream.read(&mut part)? {
                0 => return Ok(()),
                length => bytes.extend_from_slice(&part[..length]),
            }
        };
        let head = text(&bytes[..end]).to_owned();
        let field = |name: &str| {
            let lines = head.lines().filter_map(|line| line.split_once(": "));
            lines.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
        };
        let length: usize = field("content-length").map_or(0, |length| length.parse().unwrap());
        while bytes.len() < end + length {
            let mut part = [0; 4096];
            let more = stream.read(&mut part)?;
            bytes.extend_from_slice(&part[..more]);
        }
        let body = text(&bytes[end..end + length]).to_owned();
        bytes.drain(..end + length);
        let line = head.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned();
        let passed_on: Vec<_> = ["if-none-match", "accept-encoding", "accept", "content-type"]
            .into_iter()
            .filter_map(|name| Some(format!("{name}: {}", field(name)?)))
            .collect();
        let key = (line.clone(), body.clone(), passed_on);
        let asked = Asked {
            real,
            key: &key,
            memory,
            is_conditional: field("if-none-match").is_some(),
            wants_gzip: field("accept-encoding") == Some("gzip"),
            line,
            body,
        };
        let mut answer = remembered(real, memory, &key)?;
        fault(&asked, &mut answer);
        let mut head = format!("HTTP/1.1 {} X\r\n", answer.status);
        for (name, value) in &answer.fields {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        if !matches!(answer.status, 204 | 304) && !asked.line.starts_with("HEAD ") {
            write!(head, "content-length: {}\r\n", answer.body.len() + answer.held_back).unwrap();
        }
        stream.write_all(format!("{head}\r\n").as_bytes())?;
        stream.write_all(&answer.body)?;
        if answer.held_back > 0 {
            return Ok(());
        }
    }
}

/// The real host's answer; it is asked once.
fn remembered(real: SocketAddr, memory: &Memory, key: &Key) -> std::io::Result<Answer> {
    // Each run of the command makes up a word that no cache has seen.
    let (line, _) = key.0.split_once("&nameplate-verify=").unwrap_or((&key.0, ""));
    let key = &(line.to_owned(), key.1.clone(), key.2.clone());
    let known = memory.lock().unwrap().get(key).cloned();
    if let Some(answer) = known {
        return Ok(answer);
    }
    let answer = ask(real, key)?;
    memory.lock().unwrap().insert(key.clone(), answer.clone());
    Ok(answer)
}

/// Asks the real host.
fn ask(real: SocketAddr, (line, body, fields): &Key) -> std::io::Result<Answer> {
    let mut stream = TcpStream::connect(real)?;
    let fields: String = fields.iter().fold(String::new(), |all, field| all + field + "\r\n");
    let length = body.len();
    let request = format!(
        "{line} HTTP/1.1\r\nHost: {real}\r\n{fields}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes())?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let mut lines = text(&bytes[..end]).split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let fields = lines.filter_map(|line| line.split_once(": "));
    let fields = fields.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
    let fields =
        fields.filter(|(name, _)| !matches!(name.as_str(), "content-length" | "connection" | "date"));
    Ok(Answer { status, fields: fields.collect(), body: bytes[end + 4..].to_vec(), held_back: 0 })
}
