//! The one exit: what every response carries, and what follows from the request's conditions.
//!
//! What is needed of the request is taken from it before the routes consume it. Behind the routes:
//! 1. A 200 that may be compressed says so in Vary, and is, for who takes it; its tag becomes another one.
//! 2. A 200 whose tag the client already has becomes 304; it repeats what RFC 9110 (15.4.5) asks for.
//! 3. The headers of every answer are put on: CORS for everybody, nosniff, the generation.
//! 4. HEAD loses the body and keeps its length.

use std::sync::Arc;

use bytes::Bytes;
use hyper::body::Body;
use smallvec::SmallVec;
use warp::http::header::{self, HeaderName, HeaderValue};
use warp::http::{Method, Request, StatusCode, Version};

use crate::conditional;
use crate::encoding::{self, Zipped};
use crate::reply::{self, Response};
use crate::store::Store;

/// What describes a body, and so does not belong to a 304: of the fields that a 200 would have, it repeats ETag,
/// Cache-Control, Vary and the like (RFC 9110, 15.4.5).
const OF_THE_BODY: [HeaderName; 3] = [header::CONTENT_TYPE, header::CONTENT_LENGTH, header::CONTENT_ENCODING];

/// What the exit keeps.
#[derive(Debug)]
pub(crate) struct Exit {
    store: Arc<Store>,
    zipped: Zipped,
}

impl Exit {
    pub(crate) fn new(store: Arc<Store>) -> Self {
        Self { store, zipped: Zipped::default() }
    }
}

/// What the exit must know of a request.
#[derive(Debug)]
pub(crate) struct Asked {
    reading: Reading,
    /// Hardly anybody sends the field twice.
    none_match: SmallVec<[HeaderValue; 1]>,
    takes_gzip: bool,
    last_of_connection: bool,
}

/// What a request wants to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Whole,
    HeadOnly,
    Nothing,
}

impl Asked {
    /// Notes it.
    pub(crate) fn of<B>(request: &Request<B>) -> Self {
        let reading = match *request.method() {
            Method::GET => Reading::Whole,
            Method::HEAD => Reading::HeadOnly,
            _ => Reading::Nothing,
        };
        let reads = reading != Reading::Nothing;
        let (mut none_match, mut names_encodings, mut last_of_connection) = (SmallVec::new(), false, false);
        // Once over the few fields that there are is less than looking for each by its name.
        for (name, value) in request.headers() {
            if name == header::IF_NONE_MATCH && reads {
                none_match.push(value.clone());
            } else if name == header::ACCEPT_ENCODING {
                names_encodings = true;
            } else if name == header::TRANSFER_ENCODING {
                // A Content-Length beside it would have been dropped before we could see it, and a proxy in
                // front of us may have believed that one: whatever follows on this connection is not trusted.
                last_of_connection = request.version() == Version::HTTP_11;
            }
        }
        let takes_gzip = reads && names_encodings && encoding::takes_gzip(request.headers());
        Self { reading, none_match, takes_gzip, last_of_connection }
    }

    /// The connection ends with this answer: what comes after it on it is not trusted.
    pub(crate) fn close(&mut self, version: Version) {
        self.last_of_connection |= version <= Version::HTTP_11;
    }

    /// Completes the response.
    pub(crate) fn finish(self, mut response: Response, exit: &Exit) -> Response {
        let reads = self.reading != Reading::Nothing;
        // Most answers begin with all of it.
        let began_whole = response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN);
        if reads && response.status() == StatusCode::OK && (began_whole || encoding::may_vary(&response)) {
            if !began_whole {
                encoding::vary(&mut response);
            }
            if self.takes_gzip && encoding::is_worth_it(&response) {
                encoding::retag(&mut response);
                if !self.has_already(&response) {
                    exit.zipped.compress(&mut response);
                }
            }
        }
        if reads && response.status() == StatusCode::OK && self.has_already(&response) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.body_mut() = Bytes::new().into();
            for name in OF_THE_BODY {
                response.headers_mut().remove(name);
            }
        }
        // hyper says it of the bodies that it sends, and cannot know it of those that HEAD loses.
        let with_body = !matches!(response.status(), StatusCode::NOT_MODIFIED | StatusCode::NO_CONTENT);
        let length =
            response.body().size_hint().exact().filter(|_| self.reading == Reading::HeadOnly && with_body);
        let headers = response.headers_mut();
        if !began_whole {
            reply::carry(headers);
            if !headers.contains_key(reply::GENERATION) {
                reply::name_generation(headers, exit.store.current().directory().generation());
            }
        }
        if self.last_of_connection {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if let Some(length) = length {
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        }
        if self.reading == Reading::HeadOnly {
            *response.body_mut() = Bytes::new().into();
        }
        response
    }

    fn has_already(&self, response: &Response) -> bool {
        !self.none_match.is_empty()
            && response
                .headers()
                .get(header::ETAG)
                .is_some_and(|tag| conditional::none_match_names(&self.none_match, tag))
    }
}
