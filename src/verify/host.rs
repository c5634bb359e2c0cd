//! The HTTP client: bounded in time and in bytes, and it follows no redirect.

use std::error::Error;
use std::io::Read;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use flate2::read::MultiGzDecoder;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Url};

use crate::outcome::Refusal;

/// The most bytes of one answer: no published file is nearly as large.
const MOST_BYTES: usize = 64 << 20;
/// The time limit of one answer: longer than that of the hosts' own proxies.
const PATIENCE: Duration = Duration::from_secs(30);
const CONNECT: Duration = Duration::from_secs(10);

/// The host that is verified.
#[derive(Debug, Clone)]
pub(super) struct Host {
    client: Client,
    /// Without a slash at its end.
    base: String,
}

/// One request.
#[derive(Debug, Clone, Default)]
pub(super) struct Ask<'a> {
    pub(super) method: Method,
    pub(super) target: &'a str,
    /// Header fields beside those that the client sends itself.
    pub(super) fields: &'a [(&'static str, &'a str)],
    pub(super) body: Option<String>,
}

/// One answer, whole.
#[derive(Debug, Clone)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Host {
    /// # Errors
    /// The address is not one of a host, or the machine has no HTTPS.
    pub(super) fn new(address: &str) -> Result<Self, Refusal> {
        let wrong = |why: &str| {
            Refusal::new(format!(
                "\"{address}\" is not the address of a host: {why}; write it like https://api.example"
            ))
        };
        let url: Url = address.parse().map_err(|error| wrong(&format!("{error}")))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(wrong("only http and https are supported"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("it has a query"));
        }
        // An error says that a provider is installed already.
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

    /// Sends a request. A connection that fails is tried once more: one lost packet is no fault of a deployment.
    ///
    /// # Errors
    /// No whole answer came; the text says why.
    pub(super) async fn ask(&self, ask: &Ask<'_>) -> Result<Response, String> {
        let request = || {
            let mut request = self.client.request(ask.method.clone(), format!("{}{}", self.base, ask.target));
            if !ask.fields.iter().any(|(name, _)| *name == ACCEPT_ENCODING.as_str()) {
                request = request.header(ACCEPT_ENCODING, "identity");
            }
            for (name, value) in ask.fields {
                request = request.header(*name, *value);
            }
            match &ask.body {
                Some(body) => request.body(body.clone()),
                None => request,
            }
        };
        match request().send().await {
            Err(error) if error.is_connect() => whole(request().send().await).await,
            sent => whole(sent).await,
        }
    }

    /// # Errors
    /// As [`Host::ask`].
    pub(super) async fn get(&self, target: &str) -> Result<Response, String> {
        self.ask(&Ask { target, ..Ask::default() }).await
    }
}

impl Response {
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
    /// The body is not gzip, although its header says so.
    pub(super) fn unzipped(&self) -> Option<Result<Bytes, String>> {
        if !self.header(CONTENT_ENCODING.as_str()).eq_ignore_ascii_case("gzip") {
            return None;
        }
        let mut plain = Vec::new();
        let read = MultiGzDecoder::new(&self.body[..]).take(MOST_BYTES as u64).read_to_end(&mut plain);
        Some(read.map(|_| plain.into()).map_err(|error| error.to_string()))
    }
}

async fn whole(sent: reqwest::Result<reqwest::Response>) -> Result<Response, String> {
    let mut response = sent.map_err(|error| reasons(&error))?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| reasons(&error))? {
        if body.len() + chunk.len() > MOST_BYTES {
            return Err(format!("more than {MOST_BYTES} bytes"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Response { status, headers, body: body.freeze() })
}

/// An error and its root cause.
fn reasons(error: &reqwest::Error) -> String {
    let what = if error.is_timeout() {
        "no answer in time"
    } else if error.is_connect() {
        "nothing answers there"
    } else {
        "an answer that breaks off"
    };
    let mut root: Option<&dyn Error> = error.source();
    while let Some(deeper) = root.and_then(Error::source) {
        root = Some(deeper);
    }
    root.map_or_else(|| what.to_owned(), |root| format!("{what} ({root})"))
}
