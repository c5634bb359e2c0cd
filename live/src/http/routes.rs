//! The table of routes. Paths of the API and of MCP come from `directory`. Only a path can reject a route, because warp
//! would combine the rejections of several; each handler checks the method.

use std::convert::Infallible;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;

use directory::api::{Fault, MCP_PATH, Operation, SSE_PATH, is_for_programs};
use directory::changes::CHANGES_PATH;
use directory::web::elements_script;
use warp::filters::path::FullPath;
use warp::http::{HeaderMap, Method};
use warp::{Filter, Rejection};

use crate::http::fhir::Fhir;
use crate::http::rest::Rest;
use crate::http::site::Site;
use crate::mcp::Mcp;
use crate::reply::{self, Response};
use crate::store::Store;
use crate::turns::Turns;
use crate::vitals::{HEALTH, HEALTHY};

/// Any answer but a plain 404 makes MCP clients try another transport, or OAuth.
const ABSENT: [&str; 2] = [SSE_PATH, "/.well-known/oauth-"];

#[derive(Debug)]
pub(crate) struct Handlers {
    pub(crate) rest: Rest,
    pub(crate) fhir: Fhir,
    pub(crate) mcp: Mcp,
    pub(crate) site: Option<Site>,
    pub(crate) store: Arc<Store>,
}

pub(crate) fn table(
    handlers: Arc<Handlers>,
) -> impl Filter<Extract = (Response,), Error = Infallible> + Clone + Send + Sync + 'static {
    let (for_rest, for_mcp, for_others) = (Arc::clone(&handlers), Arc::clone(&handlers), handlers);

    // With a site, the API's published files are served by their names, too. No slug has a dot.
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
        // The service inserts it.
        .and(warp::ext::get())
        .and(warp::body::stream())
        .then(move |method, headers, turns: (Turns, bool), body| {
            let handlers = Arc::clone(&for_mcp);
            async move { handlers.mcp.answer(&method, &headers, turns, body).await }
        })
        // Boxed, because the table's future is as large as its largest route and every request moves it.
        .boxed();
    let health =
        path_where(|path| is(path, HEALTH)).and(warp::method()).map(|_, method: Method| healthy(&method));
    let request = warp::path::full().and(warp::method()).and(warp::header::headers_cloned());
    let others = request.then(move |path: FullPath, method: Method, headers: HeaderMap| {
        let handlers = Arc::clone(&for_others);
        let answering = async move {
            if handlers.fhir.has(path.as_str()) {
                return handlers.fhir.answer(&method, path.as_str(), &headers).await;
            }
            if is(path.as_str(), CHANGES_PATH) {
                return changes(&handlers, &method).await;
            }
            site_or_404(&handlers, &method, path.as_str()).await
        };
        Box::pin(answering) as Pin<Box<dyn Future<Output = Response> + Send>>
    });

    rest.or(mcp).unify().or(health).unify().or(others).unify()
}

fn path_where(
    test: impl Fn(&str) -> bool + Clone + Send + Sync + 'static,
) -> impl Filter<Extract = (FullPath,), Error = Rejection> + Clone {
    warp::path::full().and_then(move |path: FullPath| {
        ready(if test(path.as_str()) { Ok(path) } else { Err(warp::reject()) })
    })
}

/// Empty without a query, for which warp's own filter rejects a request.
fn query() -> impl Filter<Extract = (String,), Error = Infallible> + Clone {
    warp::query::raw().or(warp::any().map(String::new)).unify()
}

/// With or without a slash at its end.
fn is(path: &str, known: &str) -> bool {
    path.strip_suffix('/').unwrap_or(path) == known
}

pub(super) fn healthy(method: &Method) -> Response {
    reply::for_other_methods(method).unwrap_or_else(|| reply::json(warp::http::StatusCode::OK, HEALTHY))
}

/// With a site, the changes of its tree, as on the hosts that serve the same tree.
async fn changes(handlers: &Handlers, method: &Method) -> Response {
    let published = match &handlers.site {
        Some(site) => site.answer(method, &format!("{CHANGES_PATH}.json")).await,
        None => None,
    };
    published.unwrap_or_else(|| handlers.rest.changes(method))
}

async fn site_or_404(handlers: &Handlers, method: &Method, path: &str) -> Response {
    if let Some(script) = elements_script(path) {
        return reply::for_other_methods(method).unwrap_or_else(|| reply::script(path, script));
    }
    let absent = ABSENT.iter().any(|absent| path.starts_with(absent));
    let document = || document(&handlers.store, method, path).unwrap_or_else(|| not_found(method));
    let Some(site) = handlers.site.as_ref().filter(|_| !absent) else { return document() };
    let for_programs = is_for_programs(path);
    let is_read = matches!(*method, Method::GET | Method::HEAD);
    if let Some(moved) = site.moved(path).filter(|_| is_read) {
        return moved;
    }
    match site.answer(method, path).await {
        Some(response) => response,
        None if is_read && !for_programs => site.not_found(path).await.unwrap_or_else(|| not_found(method)),
        None => document(),
    }
}

fn document(store: &Store, method: &Method, path: &str) -> Option<Response> {
    let current = store.current();
    let bytes = current.document(path.strip_prefix('/')?)?;
    Some(reply::for_other_methods(method).unwrap_or_else(|| reply::document(path, bytes.clone())))
}

/// A preflight succeeds, so that a web page can read the 404.
fn not_found(method: &Method) -> Response {
    match *method {
        Method::OPTIONS => reply::options(reply::READ_METHODS, "*"),
        _ => reply::fault(&Fault::not_found()),
    }
}

#[cfg(test)]
mod document_tests;
#[cfg(test)]
mod elements_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tests;
