//! What operators are answered, on an address of their own: never reachable from where patients are.

use std::convert::Infallible;
use std::sync::Arc;

use warp::Filter;
use warp::filters::path::FullPath;
use warp::http::header::{self, HeaderValue};
use warp::http::{Method, StatusCode};

use crate::config::Limits;
use crate::reply::{self, Response};
use crate::routes::HEALTH;
use crate::service::Service;
use crate::vitals::Vitals;

const READY: &str = "/readyz";
const METRICS: &str = "/metrics";
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

/// The address of operators.
#[derive(Debug)]
pub struct Admin;

impl Admin {
    /// Answers `/readyz`, `/metrics` and `/healthz` about a service, from before it has anything to serve.
    #[must_use]
    pub fn service(vitals: Arc<Vitals>, limits: Limits) -> Service {
        Service::for_operators(limits, table(vitals))
    }
}

fn table(
    vitals: Arc<Vitals>,
) -> impl Filter<Extract = (Response,), Error = Infallible> + Clone + Send + Sync + 'static {
    warp::path::full()
        .and(warp::method())
        .map(move |path: FullPath, method: Method| answer(&vitals, path.as_str(), &method))
}

fn answer(vitals: &Vitals, path: &str, method: &Method) -> Response {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return reply::method_not_allowed("GET, HEAD");
    }
    match path {
        HEALTH => reply::json(StatusCode::OK, &br#"{"status":"ok"}"#[..]),
        READY => {
            let (is_ready, told) = vitals.readiness();
            let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
            reply::json(status, told.to_string())
        }
        METRICS => {
            let mut response = reply::json(StatusCode::OK, vitals.metrics());
            response.headers_mut().insert(header::CONTENT_TYPE, TEXT);
            response
        }
        _ => {
            let what = format!("operators are answered {READY}, {METRICS} and {HEALTH}");
            reply::json(
                StatusCode::NOT_FOUND,
                serde_json::json!({"code": "NOT_FOUND", "message": what}).to_string(),
            )
        }
    }
}

#[cfg(test)]
mod tests;
