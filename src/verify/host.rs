//! The deployed host, as a client meets it: bounded in time and in bytes, and never redirected.

use std::error::Error;
use std::io::Read;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use flate2::read::MultiGzDecoder;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, IF_NONE_MATCH};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Url};

use crate::outcome::Refusal;

/// The most that is read of one answer: no published file is nearly as large.
const MOST_BYTES: usize = 64 << 20;
/// For how long one answer is waited for: longer than the patience of the hosts' own proxies.
const PATIENCE: Duration = Duration::from_secs(30);
const CONNECT: Duration = Duration::from_secs(10);

/// Where the tree and the API are said to be.
#[derive(Debug, Clone)]
pub(super) struct Host {
    client: Client,
    /// Without a slash at its end.
    base: String,
}

/// How a request is made, beside its path.
#[derive(Debug, Clone, Default)]
pub(super) struct Manner {
    pub(super) head_only: bool,
    pub(super) gzip: bool,
    pub(super) none_match: Option<String>,
}

/// What came back.
#[derive(Debug, Clone)]
pub(super) struct Came {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Host {
    /// # Errors
    /// An address that is none, or a machine without HTTPS.
    pub(super) fn new(address: &str) -> Result<Self, Refusal> {
        let wrong = |why: &str| {
            Refusal::new(format!(
                "\"{address}\" is no address of a host: {why}; write it like https://api.example"
            ))
        };
        let url: Url = address.parse().map_err(|error| wrong(&format!("{error}")))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(wrong("only http and https are spoken"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("it has a query"));
        }
        // Whoever was first has chosen; an error says that somebody was.
        _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(concat!("nameplate-verify/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .connect_timeout(CONNECT)
            .timeout(PATIENCE)
            .build();
        let client = client.map_err(|error| {
            Refusal::new(format!(
                "no HTTPS on this machine: {}; install its root certificates",
                reasons(&error)
            ))
        })?;
        Ok(Self { client, base: url.as_str().trim_end_matches('/').to_owned() })
    }

    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Asks for a path and query. A connection that fails is tried once more: one lost packet is no fault of a
    /// deployment.
    ///
    /// # Errors
    /// Nothing whole came back; the text says why.
    pub(super) async fn get(&self, target: &str, manner: &Manner) -> Result<Came, String> {
        let method = if manner.head_only { Method::HEAD } else { Method::GET };
        let ask = || {
            let encoding = if manner.gzip { "gzip" } else { "identity" };
            let url = format!("{}{target}", self.base);
            let mut request = self.client.request(method.clone(), url).header(ACCEPT_ENCODING, encoding);
            if let Some(tag) = &manner.none_match {
                request = request.header(IF_NONE_MATCH, tag);
            }
            request
        };
        match ask().send().await {
            Err(error) if error.is_connect() => whole(ask().send().await).await,
            sent => whole(sent).await,
        }
    }

    /// Sends a JSON-RPC message.
    ///
    /// # Errors
    /// As [`Host::get`].
    pub(super) async fn post(&self, path: &str, body: String) -> Result<Came, String> {
        let request = self.client.post(format!("{}{path}", self.base));
        let request = request
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json, text/event-stream")
            .body(body);
        whole(request.send().await).await
    }
}

impl Came {
    /// A text that came inside another answer.
    pub(super) fn of_text(text: &str) -> Self {
        Self { status: 200, headers: HeaderMap::new(), body: text.to_owned().into() }
    }

    /// A header's value; empty where there is none.
    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The type without its parameters, in lower case.
    pub(super) fn media_type(&self) -> String {
        let value = self.header(CONTENT_TYPE.as_str());
        value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// The body with its gzip undone; `None` where the host did not compress.
    ///
    /// # Errors
    /// What calls itself gzip is none.
    pub(super) fn unzipped(&self) -> Option<Result<Bytes, String>> {
        if !self.header(CONTENT_ENCODING.as_str()).eq_ignore_ascii_case("gzip") {
            return None;
        }
        let mut plain = Vec::new();
        let read = MultiGzDecoder::new(&self.body[..]).take(MOST_BYTES as u64).read_to_end(&mut plain);
        Some(read.map(|_| plain.into()).map_err(|error| error.to_string()))
    }
}

async fn whole(sent: reqwest::Result<reqwest::Response>) -> Result<Came, String> {
    let mut response = sent.map_err(|error| reasons(&error))?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| reasons(&error))? {
        if body.len() + chunk.len() > MOST_BYTES {
            return Err(format!("more than {MOST_BYTES} bytes"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Came { status, headers, body: body.freeze() })
}

/// An error and what led to it.
fn reasons(error: &reqwest::Error) -> String {
    let what = if error.is_timeout() {
        "no answer in time"
    } else if error.is_connect() {
        "nobody answers there"
    } else {
        "an answer that breaks off"
    };
    let mut root: Option<&dyn Error> = error.source();
    while let Some(deeper) = root.and_then(Error::source) {
        root = Some(deeper);
    }
    root.map_or_else(|| what.to_owned(), |root| format!("{what} ({root})"))
}
