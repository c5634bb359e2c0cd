//! The HTTP client, which follows no redirects.

use std::error::Error;
use std::io::Read;
use std::iter::successors;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use flate2::read::MultiGzDecoder;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Url};

/// In bytes; published files are much smaller.
const MAX_BYTES: usize = 64 << 20;
/// For one response. Hosts' own proxies give up earlier.
const TIMEOUT: Duration = Duration::from_secs(30);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug, Clone)]
pub struct Host {
    client: Client,
    /// The address, without a slash at its end.
    pub base: String,
}

#[derive(Debug, Clone)]
pub struct Response {
    pub status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Host {
    pub fn new(address: &str, idle_connections: usize) -> Result<Self, String> {
        let wrong = |why: &str| {
            // What is before an @ may be a password.
            let shown = if address.contains('@') { "it".to_owned() } else { format!("\"{address}\"") };
            format!("{shown} isn't a host's address: {why}; use an address such as https://api.example")
        };
        if !address.contains("://") && !address.contains('@') {
            let how = "add http:// or https://, such as http://localhost:8080";
            return Err(format!("\"{address}\" isn't a host's address: {how}"));
        }
        let url: Url = address.parse().map_err(|_| wrong("it isn't a URL"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(wrong("only http and https are supported"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("it has a user name or password, which would be printed"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("it has a query or a fragment"));
        }
        feed::install_tls();
        let client = Client::builder()
            .user_agent(concat!("nameplate/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .pool_max_idle_per_host(idle_connections)
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(TIMEOUT)
            .build();
        let client = client.map_err(|error| {
            let cause = root_cause(&error).unwrap_or(&error);
            format!("HTTPS isn't available on this computer ({cause}): install root certificates")
        })?;
        Ok(Self { client, base: url.as_str().trim_end_matches('/').to_owned() })
    }

    /// Tries once more if the connection fails: one lost packet does not mean that the deployment is wrong.
    pub async fn send(
        &self,
        method: Method,
        target: &str,
        headers: &[(&'static str, &str)],
        body: &str,
    ) -> Result<Response, String> {
        let request = || {
            let mut request = self.client.request(method.clone(), format!("{}{target}", self.base));
            if !headers.iter().any(|(name, _)| *name == ACCEPT_ENCODING.as_str()) {
                request = request.header(ACCEPT_ENCODING, "identity");
            }
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            if body.is_empty() { request } else { request.body(body.to_owned()) }
        };
        match request().send().await {
            Err(error) if error.is_connect() => read(request().send().await).await,
            sent => read(sent).await,
        }
    }
}

impl Response {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// Returns the list in a header, which may have several lines.
    pub(crate) fn list(&self, name: &str) -> String {
        let lines = self.headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        lines.collect::<Vec<_>>().join(", ")
    }

    /// In lower case, without parameters.
    pub(crate) fn media_type(&self) -> String {
        let value = self.header(CONTENT_TYPE.as_str());
        value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// `None` if the host did not compress it.
    pub(crate) fn unzipped(&self) -> Option<Result<Bytes, String>> {
        if !self.header(CONTENT_ENCODING.as_str()).eq_ignore_ascii_case("gzip") {
            return None;
        }
        let mut plain = Vec::new();
        let read = MultiGzDecoder::new(&self.body[..]).take(MAX_BYTES as u64).read_to_end(&mut plain);
        Some(read.map(|_| plain.into()).map_err(|error| error.to_string()))
    }
}

async fn read(sent: reqwest::Result<reqwest::Response>) -> Result<Response, String> {
    let mut response = sent.map_err(|error| reasons(&error))?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| reasons(&error))? {
        if body.len() + chunk.len() > MAX_BYTES {
            return Err(format!("more than {MAX_BYTES} bytes"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Response { status, headers, body: body.freeze() })
}

fn reasons(error: &reqwest::Error) -> String {
    let is_refused = |root: &(dyn Error + 'static)| {
        root.downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::ConnectionRefused)
    };
    if root_cause(error).is_some_and(is_refused) {
        return "nothing answers at that address".to_owned();
    }
    if root_cause(error).is_some_and(|root| root.to_string().starts_with("failed to lookup address")) {
        return "this machine can't find that host".to_owned();
    }
    let what = if error.is_timeout() {
        "no response in time"
    } else if error.is_connect() {
        "the connection failed"
    } else {
        "a broken response"
    };
    root_cause(error).map_or_else(|| what.to_owned(), |root| format!("{what} ({root})"))
}

fn root_cause(error: &reqwest::Error) -> Option<&(dyn Error + 'static)> {
    successors(error.source(), |&error| error.source()).last()
}
