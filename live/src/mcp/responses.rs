//! Responses without a result: acceptance and errors.

use bytes::Bytes;
use directory::api::FaultKind;
use serde_json::value::RawValue;
use warp::http::StatusCode;

use super::rpc::{self, INVALID_REQUEST, RpcError};
use crate::reply::{self, Response};

pub(super) fn accepted() -> Response {
    let mut response = Response::new(Bytes::new().into());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

pub(super) fn refused(kind: FaultKind, message: &str) -> Response {
    error_response(reply::status_of(kind), None, &RpcError::new(INVALID_REQUEST, message.to_owned()))
}

pub(super) fn error_response(status: StatusCode, id: Option<&RawValue>, error: &RpcError) -> Response {
    reply::json(status, rpc::error(id, error))
}
