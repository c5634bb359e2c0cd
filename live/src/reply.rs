//! Makes HTTP responses of answers and faults. `http::finish` adds the common headers and evaluates conditions.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use directory::api::{
    Answer, Caching, EXPOSED_HEADERS, Fault, FaultKind, MAX_IGNORED, Request as ApiRequest,
};
use directory::model::Directory;
use directory::told::rfc3339;
use directory::web::found_file;
use etag::EntityTag;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use warp::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use warp::http::{Method, StatusCode};

pub(crate) type Response = warp::reply::Response;

pub(crate) const GENERATION: HeaderName = HeaderName::from_static("nameplate-generation");
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const LINK_TEMPLATE: HeaderName = HeaderName::from_static("link-template");
const BOOKING: &str = "https://schema.org/ReserveAction";
const IGNORED_PARAMETERS: HeaderName = HeaderName::from_static("x-ignored-parameters");
const AS_OF: HeaderName = HeaderName::from_static("availability-as-of");
/// `no` makes nginx send a response without buffering it.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
const STATUS: HeaderName = HeaderName::from_static("availability-status");

pub(crate) const READ_METHODS: &str = "GET, HEAD, OPTIONS";

const ANY_ORIGIN: HeaderValue = HeaderValue::from_static("*");
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
pub(crate) const BY_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const JAVASCRIPT: HeaderValue = HeaderValue::from_static("text/javascript; charset=utf-8");
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
const NO: HeaderValue = HeaderValue::from_static("no");
pub(crate) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
/// For errors that follow only from the URL: they hold until the content changes.
pub(crate) const BRIEFLY: HeaderValue = HeaderValue::from_static("public, max-age=60");

/// Enough for all fields of a response.
const FIELDS: usize = 16;

const IGNORED_BYTES: usize = 256;
const UNENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// By kind of answer. Cloning a prepared map is much faster than inserting the fields one by one.
#[derive(Debug)]
pub(crate) struct HeaderTemplates {
    pub(crate) generation: HeaderValue,
    catalog: HeaderMap,
    availability: HeaderMap,
    /// Neither stored nor buffered.
    pub(crate) events: HeaderMap,
    pub(crate) unstored: HeaderMap,
}

impl HeaderTemplates {
    pub(crate) fn new(directory: &Directory) -> Self {
        let generation = HeaderValue::from_str(directory.generation().as_str())
            .unwrap_or(HeaderValue::from_static("unknown"));
        let template = |media_type, further: &[(HeaderName, HeaderValue)]| {
            let mut headers = HeaderMap::with_capacity(FIELDS);
            headers.insert(header::CONTENT_TYPE, media_type);
            headers.extend(further.iter().cloned());
            headers.insert(GENERATION, generation.clone());
            insert_common(&mut headers);
            // Replaced for each request.
            headers.insert(REQUEST_ID, HeaderValue::from_static(""));
            headers
        };
        let tagged = |caching: Caching| {
            // Replaced for each answer.
            let tag = (header::ETAG, HeaderValue::from_static(""));
            let cached = (header::CACHE_CONTROL, HeaderValue::from_static(caching.cache_control()));
            template(JSON, &[tag, cached, (header::VARY, BY_ENCODING)])
        };
        let unstored =
            |media_type| template(media_type, &[(header::CACHE_CONTROL, NO_STORE), (BUFFERING, NO)]);
        let mut availability = tagged(Caching::Availability);
        if let Some(template) = directory.organization().booking_url.as_deref() {
            insert(&mut availability, LINK_TEMPLATE, format!("\"{template}\"; rel=\"{BOOKING}\""));
        }
        Self {
            catalog: tagged(Caching::Catalog),
            availability,
            events: unstored(EVENTS),
            unstored: unstored(JSON),
            generation,
        }
    }

    fn for_caching(&self, caching: Caching) -> &HeaderMap {
        match caching {
            // No answer is immutable.
            Caching::Catalog | Caching::Immutable => &self.catalog,
            Caching::Availability => &self.availability,
        }
    }
}

pub(crate) fn insert_common(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED_HEADERS));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
}

pub(crate) fn answer(answer: &Answer, templates: &HeaderTemplates, request: &ApiRequest) -> Response {
    let moved_to = answer.moved_path().and_then(|path| HeaderValue::try_from(path).ok());
    let mut response = if let Some(location) = moved_to {
        let mut response = redirect(location);
        let cached = HeaderValue::from_static(answer.caching().cache_control());
        response.headers_mut().insert(header::CACHE_CONTROL, cached);
        response.headers_mut().insert(GENERATION, templates.generation.clone());
        response
    } else {
        tagged(answer.body(), answer.etag(), templates.for_caching(answer.caching()))
    };
    let headers = response.headers_mut();
    if let Some(as_of) = answer.as_of() {
        insert_age(headers, as_of);
    }
    if let Some(path) = answer.next_path(request) {
        insert(headers, header::LINK, format!("<{path}>; rel=\"next\""));
    }
    insert_ignored(headers, request.ignored());
    response
}

fn tagged(body: &Bytes, tag: &EntityTag, template: &HeaderMap) -> Response {
    let mut response = Response::new(body.clone().into());
    *response.headers_mut() = template.clone();
    insert(response.headers_mut(), header::ETAG, ["\"", tag.tag(), "\""].concat());
    response
}

pub(crate) fn changes(body: &Bytes, templates: &HeaderTemplates) -> Response {
    tagged(body, &EntityTag::from_data(body), &templates.catalog)
}

/// So that the map does not grow step by step.
fn with_capacity(body: Bytes) -> Response {
    let mut response = Response::new(body.into());
    *response.headers_mut() = HeaderMap::with_capacity(FIELDS);
    response
}

pub(crate) fn moved(path: &str) -> Response {
    let mut response = HeaderValue::try_from(path).map_or_else(|_| fault(&Fault::not_found()), redirect);
    let cached = HeaderValue::from_static(Caching::Catalog.cache_control());
    response.headers_mut().insert(header::CACHE_CONTROL, cached);
    response
}

fn redirect(location: HeaderValue) -> Response {
    let mut response = with_capacity(Bytes::new());
    *response.status_mut() = StatusCode::MOVED_PERMANENTLY;
    response.headers_mut().insert(header::LOCATION, location);
    response
}

pub(crate) fn fault(fault: &Fault) -> Response {
    let kind = fault.kind();
    let mut response = json(status_of(kind), fault.body());
    let headers = response.headers_mut();
    if kind.is_cacheable() {
        headers.insert(header::CACHE_CONTROL, BRIEFLY);
    }
    if let Some(seconds) = kind.retry_after() {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Names the ignored parameters: a misspelled one is often the cause.
pub(crate) fn refusal(reason: &Fault, ignored: &[String]) -> Response {
    let mut response = fault(reason);
    insert_ignored(response.headers_mut(), ignored);
    response
}

pub(crate) fn json(status: StatusCode, body: impl Into<Bytes>) -> Response {
    let mut response = with_capacity(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response.headers_mut().insert(header::CACHE_CONTROL, NO_STORE);
    response
}

pub(crate) fn document(path: &str, bytes: Bytes) -> Response {
    file(path, bytes, JSON, Caching::Catalog)
}

fn file(path: &str, bytes: Bytes, media_type: HeaderValue, caching: Caching) -> Response {
    let tag = EntityTag::from_data(&bytes).to_string();
    let mut response = with_capacity(bytes);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, media_type);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching.cache_control()));
    insert_found(headers, path);
    insert(headers, header::ETAG, tag);
    response
}

pub(crate) fn insert_found(headers: &mut HeaderMap, path: &str) {
    if let Some(file) = found_file(path) {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.media_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(file.cache_control));
        if let Some(link) = file.link {
            headers.insert(header::LINK, HeaderValue::from_static(link));
        }
    }
}

pub(crate) fn script(path: &str, script: &'static str) -> Response {
    file(path, Bytes::from_static(script.as_bytes()), JAVASCRIPT, Caching::of_file(path))
}

pub(crate) fn status_of(kind: FaultKind) -> StatusCode {
    StatusCode::from_u16(kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// `None` for GET and HEAD.
pub(crate) fn for_other_methods(method: &Method) -> Option<Response> {
    match *method {
        Method::GET | Method::HEAD => None,
        Method::OPTIONS => Some(options(READ_METHODS, "*")),
        _ => Some(method_not_allowed(READ_METHODS)),
    }
}

pub(crate) fn method_not_allowed(allowed: &'static str) -> Response {
    let message = format!("this path answers {allowed} only");
    let mut response = fault(&Fault::of_transport(FaultKind::MethodNotAllowed, &message));
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}

pub(crate) fn options(allowed: &'static str, request_headers: &'static str) -> Response {
    let mut response = Response::new(Bytes::new().into());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ALLOW, HeaderValue::from_static(allowed));
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(allowed));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(request_headers));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    response
}

/// When open times were last known to be right, if the feed is late.
pub(crate) fn insert_age(headers: &mut HeaderMap, as_of: DateTime<Utc>) {
    insert(headers, AS_OF, rfc3339(as_of));
    headers.insert(STATUS, HeaderValue::from_static("stale"));
}

/// A text that is not a valid field value is left out.
pub(crate) fn insert(headers: &mut HeaderMap, name: HeaderName, text: String) {
    if let Ok(value) = HeaderValue::try_from(text) {
        headers.insert(name, value);
    }
}

/// Up to a number and a length. If some are left out, the list ends with `...`.
fn insert_ignored(headers: &mut HeaderMap, ignored: &[String]) {
    let mut list = String::new();
    let mut is_whole = ignored.len() <= MAX_IGNORED;
    for name in ignored.iter().take(MAX_IGNORED) {
        let name = utf8_percent_encode(name, UNENCODED).to_string();
        let separator = if list.is_empty() { "" } else { ", " };
        if list.len() + separator.len() + name.len() <= IGNORED_BYTES {
            list.push_str(separator);
            list.push_str(&name);
        } else {
            is_whole = false;
        }
    }
    if !is_whole {
        list.push_str(if list.is_empty() { "..." } else { ", ..." });
    }
    if !list.is_empty() {
        insert(headers, IGNORED_PARAMETERS, list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignored(names: &[&str]) -> Option<String> {
        let names: Vec<_> = names.iter().map(ToString::to_string).collect();
        let mut headers = HeaderMap::new();
        insert_ignored(&mut headers, &names);
        headers.get(IGNORED_PARAMETERS).map(|value| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn ignored_parameters_are_encoded_and_bounded() {
        assert_eq!(ignored(&[]), None);
        assert_eq!(ignored(&["sort", "a b", "é\r\n"]).as_deref(), Some("sort, a%20b, %C3%A9%0D%0A"));
        let long = "n".repeat(257);
        assert_eq!(ignored(&[&long]).as_deref(), Some("..."));
        assert_eq!(ignored(&[&long, "short"]).as_deref(), Some("short, ..."));
        let ten = ["a"; 10];
        assert_eq!(ignored(&ten).unwrap(), ten.join(", "));
        assert_eq!(ignored(&["a"; 11]).unwrap(), format!("{}, ...", ten.join(", ")));
        let exact = "n".repeat(256);
        assert_eq!(ignored(&[&exact, "m"]).unwrap(), format!("{exact}, ..."));
    }

    #[test]
    fn faults_have_the_contracts_headers() {
        let of = |kind| fault(&Fault::of_transport(kind, "why"));
        for kind in FaultKind::ALL {
            let response = of(kind);
            assert_eq!(response.status().as_u16(), kind.status());
            assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
        }
        let unavailable = of(FaultKind::AvailabilityUnavailable);
        assert_eq!(unavailable.headers()[header::RETRY_AFTER], "60");
        assert_eq!(unavailable.headers()[header::CACHE_CONTROL], "no-store");
        assert!(of(FaultKind::Overloaded).headers().contains_key(header::RETRY_AFTER));
        assert_eq!(of(FaultKind::Internal).headers()[header::CACHE_CONTROL], "no-store");
        assert_eq!(of(FaultKind::InvalidState).headers()[header::CACHE_CONTROL], "public, max-age=60");
    }

    #[test]
    fn options_is_204_and_writing_methods_are_405() {
        assert!(for_other_methods(&Method::GET).is_none());
        assert!(for_other_methods(&Method::HEAD).is_none());
        assert_eq!(for_other_methods(&Method::OPTIONS).unwrap().status(), 204);
        let refused = for_other_methods(&Method::DELETE).unwrap();
        assert_eq!(refused.status(), 405);
        assert_eq!(refused.headers()[header::ALLOW], "GET, HEAD, OPTIONS");
    }
}
