use bytes::Bytes;
use directory::api::FaultKind;
use serde_json::value::RawValue;
use warp::http::StatusCode;
use warp::http::header::{self, HeaderValue};

use super::rpc::{self, INVALID_REQUEST, RpcError};
use crate::reply::{self, Response};

pub(super) fn accepted() -> Response {
    let mut response = Response::new(Bytes::new().into());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

pub(super) fn refused(kind: FaultKind, message: &str) -> Response {
    let error = RpcError::new(INVALID_REQUEST, message.to_owned());
    let mut response = error_response(reply::status_of(kind), None, &error);
    if let Some(seconds) = kind.retry_after() {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

pub(super) fn error_response(status: StatusCode, id: Option<&RawValue>, error: &RpcError) -> Response {
    reply::json(status, rpc::error(id, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_without_memory_says_when_to_ask_again() {
        let fault = crate::budget::exhausted();
        let response = refused(fault.kind(), fault.message());
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers()[header::RETRY_AFTER], "1");
        assert!(!refused(FaultKind::Forbidden, "no").headers().contains_key(header::RETRY_AFTER));
    }
}
