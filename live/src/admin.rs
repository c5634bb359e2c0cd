//! The operators' address, which patients must not reach.

use std::convert::Infallible;
use std::sync::Arc;

use directory::api::{Fault, FaultKind};
use directory::calendar::Instant;
use directory::visible;
use warp::Filter;
use warp::filters::path::FullPath;
use warp::http::header::{self, HeaderMap, HeaderValue};
use warp::http::{Method, StatusCode};

use crate::config::{Access, Limits};
use crate::http::Service;
use crate::reply::{self, Response};
use crate::vitals::{HEALTH, HEALTHY, Vitals};
use feed::{Accepted, Clock, Ended};

const READY: &str = "/readyz";
const METRICS: &str = "/metrics";
const ACCEPT_FEED: &str = "/feed/accept";
/// Ends the feed whose file is gone.
const END_FEED: &str = "/feed/end";
const ACCEPT_CONTENT: &str = "/content/accept";
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

#[derive(Debug)]
pub struct Admin;

impl Admin {
    /// Answers from before there is anything to serve, to a Host that is an address, loopback or named by `access`. The
    /// clock is the service's.
    pub fn service(vitals: Arc<Vitals>, clock: Clock, limits: Limits, access: Access) -> Service {
        Service::for_operators(limits, access, table(vitals, clock))
    }
}

fn table(
    vitals: Arc<Vitals>,
    clock: Clock,
) -> impl Filter<Extract = (Response,), Error = Infallible> + Clone + Send + Sync + 'static {
    warp::path::full().and(warp::method()).and(warp::header::headers_cloned()).then(
        move |path: FullPath, method: Method, headers: HeaderMap| {
            let vitals = Arc::clone(&vitals);
            async move {
                match path.as_str() {
                    order @ (ACCEPT_FEED | END_FEED | ACCEPT_CONTENT) => {
                        if let Some(refused) = not_an_operator(&method, &headers) {
                            return refused;
                        }
                        let named = named(&headers);
                        match order {
                            ACCEPT_FEED => to_its_end(accept_feed(vitals, named)).await,
                            END_FEED => to_its_end(end_feed(vitals, clock)).await,
                            _ => to_its_end(accept_content(vitals, named, clock)).await,
                        }
                    }
                    path => answer(&vitals, path, &method),
                }
            }
        },
    )
}

fn not_an_operator(method: &Method, headers: &HeaderMap) -> Option<Response> {
    if method != Method::POST {
        return Some(reply::method_not_allowed("POST"));
    }
    // Any web page can make an operator's browser send this; the browser adds the page's Origin, or where it was asked from.
    if headers.contains_key(header::ORIGIN) || headers.contains_key("sec-fetch-site") {
        let message = "this is for operators, not web pages: send no Origin, as curl does";
        return Some(reply::fault(&Fault::of_transport(FaultKind::Forbidden, message)));
    }
    None
}

/// In its own task, because a request ends when its client goes away.
async fn to_its_end(order: impl Future<Output = Response> + Send + 'static) -> Response {
    // A panic there is a panic of the request, which becomes a 500.
    tokio::spawn(order).await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
}

/// What an operator accepts. The quotes of an entity tag may be left out.
fn named(headers: &HeaderMap) -> Option<String> {
    let named = headers.get(header::IF_MATCH)?.to_str().unwrap_or_default();
    Some(named.trim_matches('"').to_owned())
}

async fn accept_content(vitals: Arc<Vitals>, named: Option<String>, clock: Clock) -> Response {
    let is_named = named.is_some();
    answer_accepted(vitals.accept_content(named, Instant::ceil(clock.now())).await, is_named)
}

async fn accept_feed(vitals: Arc<Vitals>, named: Option<String>) -> Response {
    let Some(feed) = vitals.feed() else {
        return conflict("NO_FEED", "there is no feed, or it hasn't been found yet");
    };
    let is_named = named.is_some();
    answer_accepted(feed.accept_held(named).await, is_named)
}

fn answer_accepted(accepted: Accepted, is_named: bool) -> Response {
    match accepted {
        Accepted::Applied(effect) => answer_with(StatusCode::OK, "APPLIED", &format!("accepted: {effect}")),
        Accepted::NothingHeld => conflict("NOTHING_HELD", "nothing is held, and nothing was changed"),
        Accepted::Other { token, what } => {
            let (status, code, problem) = if is_named {
                (StatusCode::PRECONDITION_FAILED, "PRECONDITION_FAILED", "something else is held now")
            } else {
                (StatusCode::PRECONDITION_REQUIRED, "PRECONDITION_REQUIRED", "If-Match is required")
            };
            let message = format!(
                "{problem}; nothing was changed. To accept what is held now, send the header If-Match: {token} (held: {what})"
            );
            answer_with(status, code, &message)
        }
        Accepted::Refused(why) => conflict("REFUSED", &format!("what is held can't be applied: {why}")),
    }
}

async fn end_feed(vitals: Arc<Vitals>, clock: Clock) -> Response {
    match vitals.end_feed(Instant::ceil(clock.now())).await {
        Ended::Done => {
            answer_with(StatusCode::OK, "ENDED", "the feed has ended: all weekly hours are offered now")
        }
        Ended::NoFeed => conflict("NO_FEED", "there is no feed, so nothing changed"),
        Ended::Refused(why) => conflict("REFUSED", &format!("the feed wasn't ended: {why}")),
    }
}

fn conflict(code: &str, message: &str) -> Response {
    answer_with(StatusCode::CONFLICT, code, message)
}

fn answer_with(status: StatusCode, code: &str, message: &str) -> Response {
    operators_json(status, &serde_json::json!({"code": code, "message": message}))
}

/// Quotes feeds and files, without what controls a terminal.
fn operators_json(status: StatusCode, body: &serde_json::Value) -> Response {
    reply::json(status, visible::line(&body.to_string()).into_owned())
}

fn answer(vitals: &Vitals, path: &str, method: &Method) -> Response {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return reply::method_not_allowed("GET, HEAD");
    }
    match path {
        HEALTH => reply::json(StatusCode::OK, HEALTHY),
        READY => {
            let (is_ready, state) = vitals.readiness();
            let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
            operators_json(status, &state)
        }
        METRICS => {
            let mut response = reply::json(StatusCode::OK, vitals.metrics());
            response.headers_mut().insert(header::CONTENT_TYPE, TEXT);
            response
        }
        _ => {
            let what = format!(
                "this address answers {READY}, {METRICS}, {HEALTH}, POST {ACCEPT_FEED}, POST {END_FEED} and POST \
                 {ACCEPT_CONTENT}"
            );
            answer_with(StatusCode::NOT_FOUND, "NOT_FOUND", &what)
        }
    }
}

#[cfg(test)]
mod tests;
