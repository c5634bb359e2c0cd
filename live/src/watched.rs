//! A request as operators see it: its id, its route, how long it took. Never what was asked.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use hyper::body::Body as _;
use tokio::time::Instant;
use warp::http::header::HeaderValue;
use warp::http::{Method, Request};

use crate::reply::{REQUEST_ID as ID, Response};
use crate::vitals::{Route, Vitals};

/// Longer ids than this are somebody's joke.
const LONGEST: usize = 128;

/// A request under way.
pub(crate) struct Watched<'a> {
    vitals: &'a Vitals,
    id: HeaderValue,
    route: Route,
    began: Instant,
    /// For the access log, where there is one.
    method: Option<Method>,
}

impl<'a> Watched<'a> {
    /// A request whose head was complete at `began`.
    pub(crate) fn begin<B>(
        request: &Request<B>,
        began: Instant,
        vitals: &'a Vitals,
        access_log: bool,
    ) -> Self {
        vitals.begins();
        let given = request.headers().get(ID).filter(|id| is_sane(id.as_bytes()));
        Self {
            vitals,
            id: given.cloned().unwrap_or_else(new_id),
            route: Route::of(request.uri().path()),
            began,
            method: access_log.then(|| request.method().clone()),
        }
    }

    pub(crate) fn id(&self) -> &str {
        self.id.to_str().unwrap_or_default()
    }

    pub(crate) fn route(&self) -> &'static str {
        self.route.template()
    }

    /// The request is answered.
    pub(crate) fn end(mut self, response: &mut Response) {
        let took = self.began.elapsed();
        let status = response.status().as_u16();
        self.vitals.answered(self.route, status, took);
        if let Some(method) = &self.method {
            let bytes = response.body().size_hint().exact().unwrap_or_default();
            let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
            // A method is the client's own word, too: one that nobody knows is not repeated.
            let method = if is_known(method) { method.as_str() } else { "other" };
            tracing::info!(id = self.id(), method, route = self.route(), status, bytes, micros, "answered");
        }
        response.headers_mut().insert(ID, std::mem::replace(&mut self.id, HeaderValue::from_static("")));
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.vitals.ends();
    }
}

fn is_known(method: &Method) -> bool {
    let known = [
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::OPTIONS,
        Method::PUT,
        Method::DELETE,
        Method::PATCH,
    ];
    known.contains(method)
}

/// Whether an id that came along can stand in a log as it is.
fn is_sane(id: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':');
    (1..=LONGEST).contains(&id.len()) && id.iter().all(is_plain)
}

/// An id that this process gives once, and hardly any other process: a counter that begins anywhere, mixed by the
/// finaliser of `SplitMix64`, which is one to one.
fn new_id() -> HeaderValue {
    static NEXT: LazyLock<AtomicU64> = LazyLock::new(|| AtomicU64::new(RandomState::new().hash_one(0_u8)));
    let mut mixed = NEXT.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    let digits = mixed.to_be_bytes().map(|byte| {
        let digit = |half: u8| b"0123456789abcdef"[usize::from(half)];
        [digit(byte >> 4), digit(byte & 15)]
    });
    HeaderValue::from_bytes(digits.as_flattened()).unwrap_or(HeaderValue::from_static("0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_came_along_is_kept_only_if_it_cannot_do_harm() {
        for id in ["a", "7f3c:1.2-x_Y", &"x".repeat(128)] {
            assert!(is_sane(id.as_bytes()), "{id}");
        }
        for id in ["", "a b", "a\"b", "a=b", "é", "a\tb", &"x".repeat(129)] {
            assert!(!is_sane(id.as_bytes()), "{id}");
        }
    }

    #[test]
    fn made_ids_are_sane_and_differ() {
        let ids: std::collections::BTreeSet<_> =
            (0..1000).map(|_| new_id().to_str().unwrap().to_owned()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| id.len() == 16 && is_sane(id.as_bytes())));
    }
}
