use std::sync::Arc;

use directory::api::Request as ApiRequest;
use hyper::body::Body as _;
use warp::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use warp::http::{HeaderName, HeaderValue, Method, Request};

use crate::http::finish::{Finisher, RequestFacts};
use crate::reply::{self, Response};
use crate::store::Store;
use feed::Clock;

#[derive(Debug, Clone)]
pub(crate) struct Rest {
    store: Arc<Store>,
    clock: Clock,
}

impl Rest {
    pub(crate) fn new(store: Arc<Store>, clock: Clock) -> Self {
        Self { store, clock }
    }

    pub(crate) fn head(&self, path: &str, query: &str) -> String {
        let request = Request::new(());
        let response = self.answer(request.method(), path, query);
        let mut response =
            RequestFacts::read(&request).finish(response, &Finisher::new(Arc::clone(&self.store), false));
        response.headers_mut().remove(reply::REQUEST_ID);
        let has_type = response.headers().contains_key(CONTENT_TYPE);
        if let Some(length) = response.body().size_hint().exact().filter(|_| has_type) {
            response.headers_mut().insert(CONTENT_LENGTH, length.into());
        }
        let status = format!("HTTP/1.1 {}", response.status());
        let field = |(name, value): (&HeaderName, &HeaderValue)| {
            format!("{name}: {}", String::from_utf8_lossy(value.as_bytes()))
        };
        let lines: Vec<_> = std::iter::once(status).chain(response.headers().iter().map(field)).collect();
        lines.join("\n") + "\n\n"
    }

    /// `/v1/changes` depends on what was served before, so it isn't an operation.
    pub(crate) fn changes(&self, method: &Method) -> Response {
        reply::for_other_methods(method).unwrap_or_else(|| {
            let served = self.store.current();
            reply::changes(&served.told.body, &served.prepared.header_templates)
        })
    }

    /// The query is raw.
    pub(crate) fn answer(&self, method: &Method, path: &str, query: &str) -> Response {
        if let Some(response) = reply::for_other_methods(method) {
            return response;
        }
        let snapshot = self.store.current();
        let request = match ApiRequest::from_path_and_query(path, Some(query)) {
            Ok(request) => request,
            Err(fault) => {
                let fault = fault.of(snapshot.directory().professions());
                return reply::refusal(&fault, &ApiRequest::ignored_of(path, query));
            }
        };
        match snapshot.answer(&request, self.clock.now()) {
            Ok(answer) => reply::answer(&answer, &snapshot.prepared.header_templates, &request),
            Err(fault) => reply::refusal(&fault, request.ignored()),
        }
    }
}
