use chrono::{DateTime, Utc};
use directory::calendar::Instant;
use standards::{FhirChange, FhirExport, FhirTarget};
use warp::http::Method;
use warp::http::header::{self, HeaderMap, HeaderValue};

use crate::http::{conditional, encoding};
use crate::reply::{self, Response};
use crate::store::Served;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) generation: HeaderValue,
    /// For documents that depend on the feed.
    pub(super) served: Option<u64>,
    pub(super) change: FhirChange,
}

pub(super) struct Made {
    pub(super) version: Version,
    pub(super) body: Vec<u8>,
    pub(super) tag: HeaderValue,
    pub(super) as_of: Option<Instant>,
}

pub(super) struct Asked<'a> {
    pub(super) method: &'a Method,
    pub(super) none_match: Vec<HeaderValue>,
    pub(super) accepts_gzip: bool,
}

impl Version {
    pub(super) fn new(
        served: &Served,
        export: &FhirExport<'_>,
        target: &FhirTarget,
        now: DateTime<Utc>,
    ) -> Self {
        let change = export.change(target, served.calendar(), now);
        Self {
            generation: served.prepared.header_templates.generation.clone(),
            served: (change != FhirChange::Content).then_some(served.number),
            change,
        }
    }
}

impl<'a> Asked<'a> {
    pub(super) fn by(method: &'a Method, headers: &HeaderMap) -> Self {
        let none_match = headers.get_all(header::IF_NONE_MATCH).into_iter().cloned().collect();
        Self { method, none_match, accepts_gzip: encoding::accepts_gzip(headers) }
    }

    pub(super) fn needs_body_of(&self, tag: &HeaderValue) -> bool {
        *self.method == Method::GET && !conditional::any_matches(&self.none_match, tag)
    }
}

pub(super) fn described(
    mut response: Response,
    target: &FhirTarget,
    generation: HeaderValue,
    tag: HeaderValue,
    as_of: Option<Instant>,
) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(target.media_type()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(target.cache_control()));
    headers.insert(header::ETAG, tag);
    headers.insert(reply::GENERATION, generation);
    if let Some(as_of) = as_of {
        reply::insert_age(headers, as_of.into());
    }
    response
}
