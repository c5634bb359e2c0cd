//! The table of routes, and nothing else: which path goes to whom.
//!
//! The API's own paths are read from `directory`'s operations; the few that are not operations are named
//! here, once. Once a path has matched nothing is rejected any more: warp would otherwise mix the reasons
//! of several rows. Methods are judged by whoever answers.

use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;

use directory::api::{Fault, MCP_PATH, Operation, SSE_PATH};
use warp::filters::path::FullPath;
use warp::http::Method;
use warp::{Filter, Rejection};

use crate::mcp::Mcp;
use crate::reply::{self, Response};
use crate::rest::Rest;
use crate::site::Site;

/// Says that the process is alive.
pub(crate) const HEALTH: &str = "/healthz";
/// What must not exist: anything but a plain 404 leads MCP clients to another transport or into OAuth.
const ABSENT: [&str; 2] = [SSE_PATH, "/.well-known/oauth-"];
/// Where the readers are programs, and a 404 is JSON.
const FOR_PROGRAMS: [&str; 3] = ["/v1", "/api", "/.well-known"];

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

    // A tree's files are there under their own names too; no slug has a dot.
    let with_files = for_rest.site.is_some();
    let is_file =
        move |slug: Option<&str>| with_files && slug.is_some_and(|slug| slug.strip_suffix(".json").is_some());
    let is_question = move |path: &str| Operation::for_path(path).is_some_and(|(_, slug)| !is_file(slug));
    let rest = path_where(is_question).and(warp::method()).and(query()).map(
        move |path: FullPath, method: Method, query: String| {
            for_rest.rest.answer(&method, path.as_str(), &query)
        },
    );
    let mcp = path_where(|path| is(path, MCP_PATH))
        .map(|_| ())
        .untuple_one()
        .and(warp::method())
        .and(warp::header::headers_cloned())
        .and(warp::body::stream())
        .then(move |method, headers, body| {
            let faces = Arc::clone(&for_mcp);
            async move { faces.mcp.answer(&method, &headers, body).await }
        });
    let health =
        path_where(|path| is(path, HEALTH)).and(warp::method()).map(|_, method: Method| healthy(&method));
    let others = warp::path::full().and(warp::method()).then(move |path: FullPath, method: Method| {
        let faces = Arc::clone(&for_others);
        async move { elsewhere(faces.site.as_ref(), &method, path.as_str()).await }
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
    reply::for_other_methods(method)
        .unwrap_or_else(|| reply::json(warp::http::StatusCode::OK, &br#"{"status":"ok"}"#[..]))
}

/// The site's files, and 404 for everything else.
async fn elsewhere(site: Option<&Site>, method: &Method, path: &str) -> Response {
    let absent = ABSENT.iter().any(|absent| path.starts_with(absent));
    let Some(site) = site.filter(|_| !absent) else {
        return nothing(method);
    };
    let for_programs = FOR_PROGRAMS
        .iter()
        .any(|root| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    match site.answer(method, path).await {
        Some(response) => response,
        None if for_programs => nothing(method),
        None => match *method {
            Method::GET | Method::HEAD => site.not_found().await.unwrap_or_else(|| nothing(method)),
            _ => nothing(method),
        },
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
mod tests;
