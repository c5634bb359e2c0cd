//! A publisher on loopback with given answers.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::real_now;

/// A path that was asked for, and the tag of If-None-Match.
type Asked = (String, Option<String>);

#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) status: &'static str,
    pub(super) headers: Vec<String>,
    pub(super) body: Vec<u8>,
    /// A tag that is compared with If-None-Match.
    pub(super) tag: Option<String>,
    /// The length that is announced, where it is not the true one.
    pub(super) length: Option<usize>,
    /// How long to wait before each byte; nothing means all at once.
    pub(super) drip: Option<Duration>,
}

impl Answer {
    pub(super) fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self { status: "200 OK", headers: vec![], body: body.into(), tag: None, length: None, drip: None }
    }

    pub(super) fn status(status: &'static str) -> Self {
        Self { status, ..Self::ok("{}") }
    }

    pub(super) fn to(address: &str) -> Self {
        Self { headers: vec![format!("location: {address}")], ..Self::status("302 Found") }
    }

    pub(super) fn tagged(self, tag: &str) -> Self {
        Self { tag: Some(format!("\"{tag}\"")), ..self }
    }

    pub(super) fn gzip(mut self) -> Self {
        self.body = gzip(&self.body);
        self.headers.push("content-encoding: gzip".to_owned());
        self
    }
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The publisher: it lives as long as the test's runtime.
#[derive(Debug, Clone)]
pub(super) struct Publisher {
    pub(super) address: SocketAddr,
    answers: Arc<Mutex<BTreeMap<String, Answer>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// How many are being answered, and how many ever were at once.
    at_once: Arc<Mutex<(usize, usize)>>,
}

impl Publisher {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let publisher = Self {
            address: listener.local_addr().unwrap(),
            answers: Arc::default(),
            asked: Arc::default(),
            at_once: Arc::default(),
        };
        let this = publisher.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let this = this.clone();
                // A client may close the connection early.
                tokio::spawn(async move { this.serve(stream).await });
            }
        });
        publisher
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(super) fn answers(&self, path: &str, answer: Answer) {
        self.answers.lock().unwrap().insert(path.to_owned(), answer);
    }

    /// A manifest at `/feed/manifest.json` that lists these files of slots.
    pub(super) fn lists(&self, files: &[&str]) {
        // A clock that is a little ahead: most of these tests are about the age of readings.
        self.lists_as_of(real_now() + TimeDelta::minutes(4), files, "");
    }

    /// The same with this transactionTime, and this as its list of errors.
    pub(super) fn lists_as_of(&self, at: DateTime<Utc>, files: &[&str], errors: &str) {
        let outputs: Vec<_> = files.iter().map(|url| format!(r#"{{"type":"Slot","url":"{url}"}}"#)).collect();
        let at = at.to_rfc3339();
        let text = format!(
            r#"{{"transactionTime":"{at}","request":"x","output":[{{"type":"Location","url":"gopher://x/"}},{}],"error":[{errors}]}}"#,
            outputs.join(",")
        );
        let tag = format!("m-{at}-{}", text.len() + files.concat().len());
        self.answers("/feed/manifest.json", Answer::ok(text).tagged(&tag));
    }

    /// Which paths were asked for since the last call, and with which tag.
    pub(super) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }

    /// How many requests were ever answered at once.
    pub(super) fn most_at_once(&self) -> usize {
        self.at_once.lock().unwrap().1
    }

    async fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.ok()?);
        }
        let head = String::from_utf8(head).ok()?.to_lowercase();
        let path = head.split(' ').nth(1)?.to_owned();
        let known = head.lines().find_map(|line| line.strip_prefix("if-none-match: ")).map(str::to_owned);
        assert!(head.contains("user-agent: nameplate/"), "{head}");
        self.asked.lock().unwrap().push((path.clone(), known.clone()));
        let answer = self.answers.lock().unwrap().get(&path).cloned();
        let answer = answer.unwrap_or_else(|| Answer::status("404 Not Found"));
        let is_known = known.is_some() && known == answer.tag && answer.status == "200 OK";
        let (status, body) =
            if is_known { ("304 Not Modified", Vec::new()) } else { (answer.status, answer.body) };
        let mut message = format!("HTTP/1.1 {status}\r\nconnection: close\r\n");
        for header in answer.headers.iter().cloned().chain(answer.tag.map(|tag| format!("etag: {tag}"))) {
            message.push_str(&header);
            message.push_str("\r\n");
        }
        if !answer.headers.iter().any(|header| header.starts_with("transfer-encoding")) {
            let length = answer.length.unwrap_or(body.len());
            message.push_str("content-length: ");
            message.push_str(&length.to_string());
            message.push_str("\r\n");
        }
        message.push_str("\r\n");
        let message = [message.into_bytes(), body].concat();
        if let Some(wait) = answer.drip {
            {
                let mut at_once = self.at_once.lock().unwrap();
                at_once.0 += 1;
                at_once.1 = at_once.1.max(at_once.0);
            }
            for byte in message {
                tokio::time::sleep(wait).await;
                stream.write_all(&[byte]).await.ok()?;
            }
            self.at_once.lock().unwrap().0 -= 1;
        } else {
            stream.write_all(&message).await.ok()?;
        }
        stream.shutdown().await.ok()
    }
}
