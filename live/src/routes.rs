//! The table of routes, and nothing else: which path goes to whom.
//!
//! The API's own paths and those of MCP are read from `directory`; the health check and what is absent on purpose are
//! named here, once. Once a path has matched nothing is rejected any more: warp would otherwise mix the reasons
//! of several rows. Methods are judged by whoever answers.

use std::convert::Infallible;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;

use directory::api::{Fault, MCP_PATH, Operation, SSE_PATH, is_for_programs};
use warp::filters::path::FullPath;
use warp::http::Method;
use warp::{Filter, Rejection};

use crate::mcp::Mcp;
use crate::reply::{self, Response};
use crate::rest::Rest;
use crate::site::Site;

/// Says that the process is alive.
pub(crate) const HEALTH: &str = "/healthz";
/// What it says, to everybody and to operators.
pub(crate) const HEALTHY: &[u8] = br#"{"status":"ok"}"#;
/// What must not exist: anything but a plain 404 leads MCP clients to another transport or into OAuth.
const ABSENT: [&str; 2] = [SSE_PATH, "/.well-known/oauth-"];

/// Who answers what.
#[derive(Debug)]
pub(crate) struct Faces {
    pub(crate) rest: Rest,
    pub(crate) mcp: Mcp,
    pub(crate) site: Option<Site>,
}

/// The table, the most asked for first.
pub(crate) fn table(
    faces: Arc<Faces>,
) -> impl Filter<Extract = (Response,), Error = Infallible> + Clone + Send + Sync + 'static {
    let (for_rest, for_mcp, for_others) = (Arc::clone(&faces), Arc::clone(&faces), faces);

    // With a site, the published files of the API are there under their own names, too; no slug has a dot.
    let has_files = for_others.site.is_some();
    let is_file = move |path: &str| has_files && path.strip_suffix(".json").is_some();
    let rest = path_where(move |path| !is_file(path) && Operation::for_path(path).is_some())
        .and(warp::method())
        .and(query())
        .map(move |path: FullPath, method: Method, query: String| {
            for_rest.rest.answer(&method, path.as_str(), &query)
        });
    let mcp = path_where(|path| is(path, MCP_PATH))
        .map(|_| ())
        .untuple_one()
        .and(warp::method())
        .and(warp::header::headers_cloned())
        .and(warp::body::stream())
        .then(move |method, headers, body| {
            let faces = Arc::clone(&for_mcp);
            async move { faces.mcp.answer(&method, &headers, body).await }
        })
        // Each request moves the table's future about, and it has room for the largest row: not for this one.
        .boxed();
    let health =
        path_where(|path| is(path, HEALTH)).and(warp::method()).map(|_, method: Method| healthy(&method));
    let others = warp::path::full().and(warp::method()).then(move |path: FullPath, method: Method| {
        let faces = Arc::clone(&for_others);
        let answering = async move { elsewhere(faces.site.as_ref(), &method, path.as_str()).await };
        Box::pin(answering) as Pin<Box<dyn Future<Output = Response> + Send>>
    });

    rest.or(mcp).unify().or(health).unify().or(others).unify()
}

/// Matches where the still encoded path passes the test; rejects nothing for another reason.
fn path_where(
    test: impl Fn(&str) -> bool + Clone + Send + Sync + 'static,
) -> impl Filter<Extract = (FullPath,), Error = Rejection> + Clone {
    warp::path::full().and_then(move |path: FullPath| {
        ready(if test(path.as_str()) { Ok(path) } else { Err(warp::reject()) })
    })
}

/// The raw query; empty where there is none, which warp would reject.
fn query() -> impl Filter<Extract = (String,), Error = Infallible> + Clone {
    warp::query::raw().or(warp::any().map(String::new)).unify()
}

/// Whether a path is this one; one slash at the end is ignored.
fn is(path: &str, known: &str) -> bool {
    path.strip_suffix('/').unwrap_or(path) == known
}

fn healthy(method: &Method) -> Response {
    reply::for_other_methods(method).unwrap_or_else(|| reply::json(warp::http::StatusCode::OK, HEALTHY))
}

/// The site's files, and 404 for everything else.
async fn elsewhere(site: Option<&Site>, method: &Method, path: &str) -> Response {
    let absent = ABSENT.iter().any(|absent| path.starts_with(absent));
    let Some(site) = site.filter(|_| !absent) else {
        return nothing(method);
    };
    let for_programs = is_for_programs(path);
    let is_read = matches!(*method, Method::GET | Method::HEAD);
    if let Some(moved) = site.moved(path).filter(|_| is_read) {
        return moved;
    }
    match site.answer(method, path).await {
        Some(response) => response,

        None if for_programs => nothing(method),
        None if is_read => site.not_found().await.unwrap_or_else(|| nothing(method)),
        None => nothing(method),
    }
}

/// 404; a preflight is let through, so that a page can read the 404.
fn nothing(method: &Method) -> Response {
    match *method {
        Method::OPTIONS => reply::options(reply::READ_METHODS, "*"),
        _ => reply::fault(&Fault::not_found()),
    }
}

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tests;
