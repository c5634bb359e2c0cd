//! A conditional GET from a server that is not trusted: times, bytes and redirects are limited, https never redirects to
//! http, and [`Reach`] limits the networks that a feed may lead into. Gzip is recognized by its first two bytes, because
//! object stores often send no Content-Encoding; no JSON text begins with these bytes.

mod reach;
mod text_budget;

use std::error::Error;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use flate2::read::MultiGzDecoder;
use reqwest::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, ETAG, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LAST_MODIFIED, RETRY_AFTER,
};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Response, StatusCode, Url};
use tokio::time::{Instant, timeout_at};

pub(super) use self::reach::Reach;
pub(super) use self::text_budget::TextBudget;

use self::reach::GuardedNames;
use self::text_budget::{Claim, HeldText};
use super::clock::real_now;

const REDIRECTS: usize = 5;
const GZIP: [u8; 2] = [0x1f, 0x8b];
const STEP: usize = 64 << 10;

/// The headers of a conditional request, from the validators of the last answer. There are none before the first.
#[derive(Debug, Clone, Default)]
pub(super) struct Validators(HeaderMap);

pub(super) struct Fetched {
    pub(super) text: HeldText,
    /// Its address after redirects.
    pub(super) url: Url,
    pub(super) validators: Validators,
}

pub(super) struct NoText {
    pub(super) why: String,
    /// How long the server asks not to be contacted.
    pub(super) pause: Option<Duration>,
}

impl From<String> for NoText {
    fn from(why: String) -> Self {
        Self { why, pause: None }
    }
}

/// A client that waits at most `connect` for a connection, and `quiet` between two reads.
pub(super) fn client(connect: Duration, quiet: Duration, reach: &Arc<Reach>) -> Result<Client, String> {
    crate::install_tls();
    let redirects = Arc::clone(reach);
    Client::builder()
        .user_agent(concat!("nameplate/", env!("CARGO_PKG_VERSION")))
        .referer(false)
        .redirect(Policy::custom(move |attempt| redirect(attempt, &redirects)))
        .dns_resolver(Arc::new(GuardedNames(Arc::clone(reach))))
        .connect_timeout(connect)
        .read_timeout(quiet)
        .build()
        .map_err(|error| {
            format!("no HTTPS on this machine: {}; install its root certificates", reasons(&error))
        })
}

fn redirect(attempt: Attempt<'_>, reach: &Reach) -> reqwest::redirect::Action {
    let began_secure = attempt.previous().first().is_some_and(|url| url.scheme() == "https");
    match attempt.url().scheme() {
        _ if attempt.previous().len() > REDIRECTS => attempt.error("it redirects too often"),
        "http" if began_secure => attempt.error("it redirects from https to http"),
        "https" | "http" => match reach.admits(attempt.url()) {
            Ok(()) => attempt.follow(),
            Err(why) => attempt.error(why),
        },
        _ => attempt.error("it redirects to something that isn't http or https"),
    }
}

/// `None` if the text has not changed since `known`. An error does not name the address, which may be a secret.
pub(super) async fn get(
    client: &Client,
    url: &Url,
    known: Validators,
    wire_bytes: usize,
    budget: &Arc<TextBudget>,
    until: Instant,
) -> Result<Option<Fetched>, NoText> {
    let began = Instant::now();
    let answer = timeout_at(until, ask(client, url, known, wire_bytes)).await;
    let late = |_| Err(format!("it takes too long: it hadn't arrived after {:.0?}", began.elapsed()).into());
    let Some((body, url_there, validators)) = answer.unwrap_or_else(late)? else { return Ok(None) };
    let claim = budget.claim();
    let text = tokio::task::spawn_blocking(move || text(body, claim)).await;
    let text = text.unwrap_or_else(|error| Err(error.to_string()))?;
    Ok(Some(Fetched { text, url: url_there, validators }))
}

async fn ask(
    client: &Client,
    url: &Url,
    known: Validators,
    wire_bytes: usize,
) -> Result<Option<(Vec<u8>, Url, Validators)>, NoText> {
    let is_known = !known.0.is_empty();
    let request = client.get(url.clone()).header(ACCEPT_ENCODING, "gzip").headers(known.0);
    let response = request.send().await.map_err(|error| reasons(&error))?;
    match response.status() {
        StatusCode::OK => {}
        StatusCode::NOT_MODIFIED if is_known => return Ok(None),
        status => {
            let pause = response.headers().get(RETRY_AFTER).and_then(|told| pause(told, real_now()));
            return Err(NoText { why: format!("it answers {status}"), pause });
        }
    }
    let is_known = |encoding: &HeaderValue| {
        let known = ["gzip", "x-gzip", "identity"];
        known.iter().any(|known| encoding.as_bytes().eq_ignore_ascii_case(known.as_bytes()))
    };
    if !response.headers().get(CONTENT_ENCODING).is_none_or(is_known) {
        return Err("it uses an encoding that wasn't requested".to_owned().into());
    }
    let (url, validators) = (response.url().clone(), Validators::from_answer(response.headers()));
    Ok(Some((body(response, wire_bytes).await?, url, validators)))
}

async fn body(mut response: Response, most: usize) -> Result<Vec<u8>, String> {
    let too_large = || format!("it sends more than {most} bytes");
    let announced = response.content_length().and_then(|length| usize::try_from(length).ok());
    if announced.is_some_and(|length| length > most) {
        return Err(too_large());
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| reasons(&error))? {
        let length = body.len() + chunk.len();
        if length > most {
            return Err(too_large());
        }
        if length > body.capacity() {
            // A vector that grows automatically takes up to twice the bound.
            body.reserve_exact(length.max(2 * body.capacity()).min(most) - body.len());
        }
        body.extend_from_slice(&chunk);
    }
    body.shrink_to_fit();
    Ok(body)
}

/// How long a Retry-After asks to wait: seconds, or until a time.
fn pause(told: &HeaderValue, now: DateTime<Utc>) -> Option<Duration> {
    let told = told.to_str().ok()?.trim();
    if let Ok(seconds) = told.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let then = DateTime::parse_from_rfc2822(told).ok()?;
    Some((then.to_utc() - now).to_std().unwrap_or_default())
}

fn text(body: Vec<u8>, mut claim: Claim) -> Result<HeldText, String> {
    let body = if body.starts_with(&GZIP) {
        let (mut expanded, mut step) = (Vec::new(), vec![0; STEP]);
        let mut decoder = MultiGzDecoder::new(&body[..]);
        loop {
            match decoder.read(&mut step).map_err(|error| format!("its gzip is broken: {error}"))? {
                0 => break expanded,
                read => {
                    let room = claim.room(expanded.len() + read)?;
                    expanded.reserve_exact(room - expanded.len());
                    expanded.extend_from_slice(&step[..read]);
                }
            }
        }
    } else {
        claim.grow(body.len())?;
        body
    };
    let text = String::from_utf8(body).map_err(|_| "it isn't UTF-8 text".to_owned())?;
    Ok(HeldText { text, _claim: claim })
}

pub(super) fn join(reach: &Reach, base: &Url, address: &str) -> Result<Url, String> {
    let url = base.join(address).map_err(|error| {
        let shown = address.split(['?', '#']).next().unwrap_or_default();
        format!("\"{shown}\" isn't a valid address: {error}")
    })?;
    match url.scheme() {
        "http" if base.scheme() == "https" => Err(format!("{} would leave https", shown(&url))),
        "https" | "http" => reach.admits(&url).map(|()| url),
        scheme => Err(format!("{scheme} addresses aren't supported: use http or https")),
    }
}

/// An address for logs, without the query: presigned addresses have their secret there.
pub(super) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // Fails only for addresses that cannot have either.
    _ = url.set_password(None);
    _ = url.set_username("");
    url.into()
}

/// An error and its first cause, without the address.
fn reasons(error: &reqwest::Error) -> String {
    let causes = || std::iter::successors(error.source(), |&error| error.source()).map(ToString::to_string);
    let what = if error.is_timeout() {
        "it takes too long"
    } else if causes().any(|cause| cause.starts_with("dns error")) {
        return "this machine can't find that host: check the address for typos, and this machine's network and DNS".to_owned();
    } else if error.is_connect() {
        "no server answers there"
    } else if error.is_redirect() {
        "a redirect isn't followed"
    } else {
        "the response ended early"
    };
    let first = causes().last().unwrap_or_default();
    let first = first.split(" (os error").next().unwrap_or_default();
    if first.is_empty() { what.to_owned() } else { format!("{what}: {first}") }
}

impl Validators {
    fn from_answer(answer: &HeaderMap) -> Self {
        let pairs = [(IF_NONE_MATCH, ETAG), (IF_MODIFIED_SINCE, LAST_MODIFIED)];
        Self(pairs.into_iter().filter_map(|(to, from)| Some((to, answer.get(from)?.clone()))).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn spaces(bytes: usize, gzip: bool) -> Vec<u8> {
        let spaces = vec![b' '; bytes];
        if !gzip {
            return spaces;
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&spaces).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn texts_in_memory_at_once_share_one_budget_and_give_it_back() {
        for gzip in [false, true] {
            let budget = TextBudget::new(256 << 10, 512 << 10);
            let expand = |kilobytes: usize| text(spaces(kilobytes << 10, gzip), budget.claim());
            let full = "all files together expand to more than 524288 bytes";
            // Four of the largest would be twice the room.
            let mut there: Vec<_> = (0..2).map(|_| expand(256).unwrap()).collect();
            for _ in 0..2 {
                assert_eq!(expand(256).unwrap_err(), full);
            }
            assert_eq!(expand(1).unwrap_err(), full);
            there.pop();
            assert_eq!(expand(257).unwrap_err(), "it expands to more than 262144 bytes");
            // A refused text has given back its bytes.
            let again = expand(256).unwrap();
            assert_eq!(again.text.len(), 256 << 10);
            assert_eq!(again.text.capacity(), 256 << 10);
            assert_eq!(expand(1).unwrap_err(), full);
        }
    }

    #[test]
    fn a_retry_after_is_seconds_or_a_date() {
        // The dates are those of RFC 9110, 10.2.3 and 5.6.7.
        let now = "1999-12-31T23:59:00Z".parse().unwrap();
        let paused =
            |told: &str| pause(&HeaderValue::from_str(told).unwrap(), now).map(|pause| pause.as_secs());
        for (told, seconds) in [
            ("120", Some(120)),
            ("Fri, 31 Dec 1999 23:59:59 GMT", Some(59)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(0)),
            ("-1", None),
            ("99999999999999999999999", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(paused(told), seconds, "{told}");
        }
    }
}
