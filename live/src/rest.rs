//! REST: a path and a query in, the answer of `directory` out.

use std::sync::Arc;

use directory::api::Request;
use warp::http::Method;

use crate::clock::Clock;
use crate::reply::{self, Response};
use crate::store::Store;

/// Answers the operations' paths.
#[derive(Debug, Clone)]
pub(crate) struct Rest {
    store: Arc<Store>,
    clock: Clock,
}

impl Rest {
    pub(crate) fn new(store: Arc<Store>, clock: Clock) -> Self {
        Self { store, clock }
    }

    /// Answers one request. Path and query are still percent-encoded.
    pub(crate) fn answer(&self, method: &Method, path: &str, query: &str) -> Response {
        if let Some(response) = reply::for_other_methods(method) {
            return response;
        }
        let snapshot = self.store.current();
        let request = match Request::from_path_and_query(path, Some(query)) {
            Ok(request) => request,
            Err(fault) => return reply::fault(&fault),
        };
        match snapshot.answer(&request, self.clock.now()) {
            Ok(answer) => reply::answer(&answer, snapshot.directory().generation(), request.ignored()),
            Err(fault) => reply::fault(&fault),
        }
    }
}
