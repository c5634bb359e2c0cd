//! One HTTP request, from its parsed head to the response. Handlers make a [`Response`](crate::reply::Response); `finish`
//! then answers conditional requests, compresses, and adds the common headers. `tracked` counts and logs the request.

mod conditional;
mod encoding;
mod fhir;
mod finish;
mod guard;
mod rest;
mod routes;
mod service;
mod site;
mod tracked;
mod waiting;

pub(crate) use rest::Rest;
pub use service::Service;
pub use waiting::waiting;
