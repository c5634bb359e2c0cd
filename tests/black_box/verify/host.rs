//! A proxy to a real host that changes some of the responses.
//!
//! The real host's responses are cached, so that each fault is tested quickly.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use crate::harness::{NOW, TIMEOUT, nameplate, text};

pub(super) struct Request<'a> {
    real: SocketAddr,
    key: &'a Key,
    cache: &'a Cache,
    /// Method and target, such as `GET /v1/states`.
    pub(super) line: String,
    pub(super) body: String,
    pub(super) is_conditional: bool,
    pub(super) wants_gzip: bool,
}

impl Request<'_> {
    /// The real host's response to another request line, with the same fields.
    pub(super) fn real(&self, line: &str) -> Response {
        let (_, body, fields) = self.key;
        cached(self.real, self.cache, &(line.to_owned(), body.clone(), fields.clone())).unwrap()
    }
}

#[derive(Clone)]
pub(super) struct Response {
    pub(super) status: u16,
    fields: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    /// The number of bytes of the body that are announced but not sent.
    pub(super) held_back: usize,
}

impl Response {
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        self.fields.push((name.to_owned(), value.to_owned()));
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.fields.retain(|(known, _)| known != name);
    }

    pub(super) fn replace(&mut self, from: &str, to: &str) {
        let changed = text(&self.body).replace(from, to);
        assert!(changed.as_bytes() != self.body, "the fault changes nothing");
        self.body = changed.into();
    }
}

pub(super) type Fault = dyn Fn(&Request<'_>, &mut Response) + Send + Sync;

pub(super) type Cache = Arc<Mutex<HashMap<Key, Response>>>;

/// A request: its line, its body and the forwarded fields.
type Key = (String, String, Vec<String>);

pub(super) struct FaultyHost {
    address: SocketAddr,
}

impl FaultyHost {
    pub(super) fn start(real: SocketAddr, cache: &Cache, fault: Box<Fault>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (cache, fault) = (Arc::clone(cache), Arc::<Fault>::from(fault));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (cache, fault) = (Arc::clone(&cache), Arc::clone(&fault));
                // A client may close the connection early.
                std::thread::spawn(move || _ = serve(stream, real, &cache, &*fault));
            }
        });
        Self { address }
    }

    pub(super) fn verify(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let host = format!("http://{}", self.address);
        let mut all = vec!["verify", &host, "--now", NOW];
        all.extend(arguments);
        let done = nameplate(&all);
        (done.status.code(), format!("{}{}", text(&done.stdout), text(&done.stderr)))
    }
}

fn serve(mut stream: TcpStream, real: SocketAddr, cache: &Cache, fault: &Fault) -> std::io::Result<()> {
    stream.set_read_timeout(Some(TIMEOUT))?;
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
        let forwarded: Vec<_> = ["if-none-match", "accept-encoding", "accept", "content-type"]
            .into_iter()
            .filter_map(|name| Some(format!("{name}: {}", field(name)?)))
            .collect();
        let key = (line.clone(), body.clone(), forwarded);
        let request = Request {
            real,
            key: &key,
            cache,
            is_conditional: field("if-none-match").is_some(),
            wants_gzip: field("accept-encoding") == Some("gzip"),
            line,
            body,
        };
        let mut answer = cached(real, cache, &key)?;
        fault(&request, &mut answer);
        let mut head = format!("HTTP/1.1 {} X\r\n", answer.status);
        for (name, value) in &answer.fields {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        if !matches!(answer.status, 204 | 304) && !request.line.starts_with("HEAD ") {
            write!(head, "content-length: {}\r\n", answer.body.len() + answer.held_back).unwrap();
        }
        stream.write_all(format!("{head}\r\n").as_bytes())?;
        stream.write_all(&answer.body)?;
        if answer.held_back > 0 {
            return Ok(());
        }
    }
}

fn cached(real: SocketAddr, cache: &Cache, key: &Key) -> std::io::Result<Response> {
    // Each run of the command adds a new value against caches.
    let (line, _) = key.0.split_once("&nameplate-verify=").unwrap_or((&key.0, ""));
    let key = &(line.to_owned(), key.1.clone(), key.2.clone());
    let known = cache.lock().unwrap().get(key).cloned();
    if let Some(answer) = known {
        return Ok(answer);
    }
    let answer = ask(real, key)?;
    cache.lock().unwrap().insert(key.clone(), answer.clone());
    Ok(answer)
}

fn ask(real: SocketAddr, (line, body, fields): &Key) -> std::io::Result<Response> {
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
    Ok(Response { status, fields: fields.collect(), body: bytes[end + 4..].to_vec(), held_back: 0 })
}
