//! What `nameplate dev` answers while the content has had mistakes since the start.

use bytes::Bytes;
use warp::Filter as _;
use warp::http::StatusCode;
use warp::http::header::{self, HeaderValue};

use super::Service;
use crate::config::{Access, Limits};
use crate::reply;

/// A browser asks again by itself.
pub fn waiting(limits: Limits, access: Access) -> Service {
    let page = || {
        let body = Bytes::from_static(include_bytes!("waiting.html"));
        let mut response = reply::json(StatusCode::SERVICE_UNAVAILABLE, body);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(header::REFRESH, HeaderValue::from_static("2"));
        response
    };
    Service::for_operators(limits, access, warp::any().then(move || std::future::ready(page())))
}
