//! Refuses requests before the routes. `server::refusal` answers heads that hyper cannot parse.

use std::ops::ControlFlow::{self, Break, Continue};

use directory::api::{Fault, FaultKind};
use warp::http::header::{self, HeaderValue};
use warp::http::uri::Authority;
use warp::http::{Method, Request, Version};

use crate::config::Limits;
use crate::hosts;
use crate::reply::{self, Response};

/// hyper's for HTTP/1.
const MAX_FIELDS: usize = 100;
/// As HTTP/2 counts a field besides its name and value (RFC 7541, 4.1).
const FIELD: usize = 32;

/// The bytes of the head, or the response to a request that must not reach the routes.
pub(crate) fn measure<B>(request: &Request<B>, limits: &Limits) -> ControlFlow<Response, usize> {
    let refused = |kind, message: &str| Break(reply::fault(&Fault::of_transport(kind, message)));
    let bad = |message| refused(FaultKind::BadRequest, message);
    // It becomes the Host field.
    let mut field_bytes = request.uri().authority().map_or(0, |authority| authority.as_str().len());
    let (mut hosts, mut host) = (0, None);
    for (name, value) in request.headers() {
        field_bytes += name.as_str().len() + value.len();
        if name == header::HOST {
            hosts += 1;
            host = Some(value);
        }
    }
    if !has_one_host(request, hosts, host) {
        return bad("a request must name exactly one valid Host");
    }
    // CONNECT's target has no path, on which warp's path filters panic.
    if request.method() == Method::CONNECT {
        return Break(reply::method_not_allowed(reply::READ_METHODS));
    }
    let Some(target) = request.uri().path_and_query() else {
        return bad("a request's target must be a path");
    };
    if target.as_str() == "*" && request.method() == Method::OPTIONS {
        return Break(reply::options(reply::READ_METHODS, "*"));
    }
    if !target.path().starts_with('/') {
        return bad("a request's target must be a path");
    }
    if target.as_str().len() > limits.target_bytes {
        let message = format!("a path with its query may have at most {} bytes", limits.target_bytes);
        return refused(FaultKind::UriTooLong, &message);
    }
    if field_bytes > limits.field_bytes {
        let message = format!("header fields may have at most {} bytes in total", limits.field_bytes);
        return refused(FaultKind::HeadersTooLarge, &message);
    }
    let fields = request.headers().len();
    if fields > MAX_FIELDS {
        let message = format!("a request may have at most {MAX_FIELDS} header fields");
        return refused(FaultKind::HeadersTooLarge, &message);
    }
    Continue(target.as_str().len() + field_bytes + fields * FIELD)
}

/// An absolute target takes precedence over the Host field (RFC 9112, 3.2.2), and HTTP/2 has the host only there.
pub(crate) fn set_host_from_target<B>(request: &mut Request<B>) {
    let host = request.uri().authority().map(|authority| HeaderValue::from_str(authority.as_str()));
    if let Some(Ok(host)) = host {
        request.headers_mut().insert(header::HOST, host);
    }
}

/// RFC 9112 (3.2): HTTP/1.1 requires one Host, even with an absolute target. Other versions may omit it.
fn has_one_host<B>(request: &Request<B>, hosts: usize, host: Option<&HeaderValue>) -> bool {
    match (hosts, host) {
        (1, Some(host)) => {
            let is_other =
                |authority: &Authority| !host.as_bytes().eq_ignore_ascii_case(authority.as_str().as_bytes());
            // RFC 9113, 8.3.1: over HTTP/2, `:authority` and Host are the same.
            let names_two =
                request.version() == Version::HTTP_2 && request.uri().authority().is_some_and(is_other);
            !names_two && (hosts::is_plain(host.as_bytes()) || host.to_str().is_ok_and(is_valid))
        }
        (0, _) => match request.version() {
            Version::HTTP_2 => request.uri().authority().is_some(),
            Version::HTTP_11 => false,
            _ => true,
        },
        _ => false,
    }
}

fn is_valid(host: &str) -> bool {
    host.parse::<Authority>()
        .is_ok_and(|authority| !authority.host().is_empty() && !authority.as_str().contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authority_of_a_target_counts_as_a_field() {
        let bytes = |zeros: usize| {
            let target = format!("http://localhost:{}/v1/states", "0".repeat(zeros));
            measure(
                &Request::get(target).header(header::HOST, "localhost").body(()).unwrap(),
                &Limits::default(),
            )
        };
        let (Continue(short), Continue(long)) = (bytes(1), bytes(1001)) else { panic!("both are short") };
        assert_eq!(long - short, 1000);
        let Break(refused) = bytes(20_000) else { panic!("it is longer than all fields may be") };
        assert_eq!(refused.status().as_u16(), 431);
    }

    #[test]
    fn a_plain_host_is_valid() {
        for host in ["a", "live.example", "127.0.0.1:80", "a-b.c:65535", "A.B", "xn--a:1"] {
            assert!(hosts::is_plain(host.as_bytes()) && is_valid(host), "{host}");
        }
        for host in ["", ":80", "a:", "a:b", "a b", "u@a", "[::1]", "a/b", "a:123456", "a:1:2", "é"] {
            assert!(!hosts::is_plain(host.as_bytes()), "{host}");
        }
    }
}
