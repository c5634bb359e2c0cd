//! The last step of every public response: compression, 304 for a tag that the client has, the common headers, HEAD.
//!
//! `nameplate dev` lets only pages of this machine read its answers: they may be drafts, and every site that is open in
//! the editor's browser can ask for them.

use std::sync::Arc;

use bytes::Bytes;
use hyper::body::Body;
use smallvec::SmallVec;
use warp::http::header::{self, HeaderName, HeaderValue};
use warp::http::{Method, Request, StatusCode, Version};

use crate::hosts;
use crate::http::conditional;
use crate::http::encoding::{self, GzipCache};
use crate::reply::{self, Response};
use crate::store::Store;

/// They describe a body, so a 304 does not repeat them (RFC 9110, 15.4.5).
const BODY_FIELDS: [HeaderName; 3] = [header::CONTENT_TYPE, header::CONTENT_LENGTH, header::CONTENT_ENCODING];

#[derive(Debug)]
pub(crate) struct Finisher {
    store: Arc<Store>,
    gzip: GzipCache,
    for_development: bool,
}

impl Finisher {
    /// In development, pages that are not of this machine get no CORS permission.
    pub(crate) fn new(store: Arc<Store>, for_development: bool) -> Self {
        Self { store, gzip: GzipCache::default(), for_development }
    }
}

/// Taken from the request before the routes consume it.
#[derive(Debug)]
pub(crate) struct RequestFacts {
    method: Method,
    none_match: SmallVec<[HeaderValue; 1]>,
    accepts_gzip: bool,
    last_of_connection: bool,
    asked_by_foreign_page: bool,
}

impl RequestFacts {
    pub(crate) fn read<B>(request: &Request<B>) -> Self {
        let method = request.method().clone();
        let reads = is_read(&method);
        let (mut none_match, mut names_encodings, mut last_of_connection) = (SmallVec::new(), false, false);
        let mut asked_by_foreign_page = false;
        // One pass over the fields is faster than a lookup for each name.
        for (name, value) in request.headers() {
            if name == header::IF_NONE_MATCH && reads {
                none_match.push(value.clone());
            } else if name == header::ACCEPT_ENCODING {
                names_encodings = true;
            } else if name == header::TRANSFER_ENCODING {
                // hyper has removed a Content-Length beside it, which a proxy in front may have used instead: the
                // next bytes on this connection may not be a request, so it is closed.
                last_of_connection = request.version() == Version::HTTP_11;
            } else if name == header::ORIGIN {
                asked_by_foreign_page |= !is_of_this_machine(value);
            }
        }
        let accepts_gzip = reads && names_encodings && encoding::accepts_gzip(request.headers());
        Self { method, none_match, accepts_gzip, last_of_connection, asked_by_foreign_page }
    }

    /// HTTP/2 connections are closed by other means.
    pub(crate) fn close(&mut self, version: Version) {
        self.last_of_connection |= version <= Version::HTTP_11;
    }

    pub(crate) fn finish(&self, mut response: Response, finisher: &Finisher) -> Response {
        let is_prepared = response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN);
        if is_read(&self.method) && response.status() == StatusCode::OK {
            self.compress(&mut response, is_prepared, &finisher.gzip);
            if self.client_has(&response) {
                make_not_modified(&mut response);
            }
        }
        let headers = response.headers_mut();
        if !is_prepared {
            reply::insert_common(headers);
            let generation = || finisher.store.current().prepared.header_templates.generation.clone();
            headers.entry(reply::GENERATION).or_insert_with(generation);
        }
        if finisher.for_development {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding, origin"));
            if self.asked_by_foreign_page {
                headers.remove(header::ACCESS_CONTROL_ALLOW_ORIGIN);
            }
        }
        if self.last_of_connection {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if self.method == Method::HEAD {
            drop_body(&mut response);
        }
        response
    }

    fn compress(&self, response: &mut Response, is_prepared: bool, cache: &GzipCache) {
        if !is_prepared {
            if !encoding::is_compressible(response) {
                return;
            }
            encoding::vary(response);
        }
        if self.accepts_gzip && encoding::has_length_to_compress(response) {
            encoding::retag(response);
            if !self.client_has(response) {
                cache.compress(response);
            }
        }
    }

    fn client_has(&self, response: &Response) -> bool {
        let is_named = |tag: &HeaderValue| conditional::any_matches(&self.none_match, tag);
        !self.none_match.is_empty() && response.headers().get(header::ETAG).is_some_and(is_named)
    }
}

fn is_read(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

fn is_of_this_machine(origin: &HeaderValue) -> bool {
    origin.to_str().ok().and_then(hosts::host_of_url).is_some_and(hosts::is_loopback)
}

fn make_not_modified(response: &mut Response) {
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    *response.body_mut() = Bytes::new().into();
    for name in BODY_FIELDS {
        response.headers_mut().remove(name);
    }
}

/// Keeps the Content-Length, which hyper adds only to bodies that it sends, unless the response names it already.
fn drop_body(response: &mut Response) {
    let has_length = !matches!(response.status(), StatusCode::NOT_MODIFIED | StatusCode::NO_CONTENT);
    if let Some(length) = response.body().size_hint().exact().filter(|_| has_length) {
        response.headers_mut().entry(header::CONTENT_LENGTH).or_insert_with(|| HeaderValue::from(length));
    }
    *response.body_mut() = Bytes::new().into();
}
