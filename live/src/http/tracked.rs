//! Counts, times and logs each request by its id and route; never paths, queries or bodies.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use hyper::body::Body as _;
use tokio::time::Instant;
use warp::http::header::{CONTENT_LENGTH, HeaderValue};
use warp::http::{Method, Request};

use crate::reply::{REQUEST_ID as ID, Response};
use crate::vitals::{Route, Vitals};

const MAX_ID: usize = 128;
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"];

pub(crate) struct Tracked<'a> {
    vitals: &'a Vitals,
    id: HeaderValue,
    route: Route,
    began: Instant,
    method: Option<Method>,
}

impl<'a> Tracked<'a> {
    pub(crate) fn begin<B>(
        request: &Request<B>,
        began: Instant,
        vitals: &'a Vitals,
        access_log: bool,
    ) -> Self {
        vitals.begins();
        let given = request.headers().get(ID).filter(|id| is_valid_id(id.as_bytes()));
        Self {
            vitals,
            id: given.cloned().unwrap_or_else(new_id),
            route: Route::for_path(request.uri().path()),
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

    pub(crate) fn end(mut self, response: &mut Response) {
        let took = self.began.elapsed();
        let status = response.status().as_u16();
        self.vitals.answered(self.route, status, took);
        if let Some(method) = &self.method {
            let named = || response.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok();
            let bytes = response.body().size_hint().exact().or_else(named).unwrap_or_default();
            let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
            // The client chooses the method: only standard ones are logged as they are.
            let method = if METHODS.contains(&method.as_str()) { method.as_str() } else { "other" };
            tracing::info!(id = self.id(), method, route = self.route(), status, bytes, micros, "answered");
        }
        response.headers_mut().insert(ID, std::mem::replace(&mut self.id, HeaderValue::from_static("")));
    }
}

impl Drop for Tracked<'_> {
    fn drop(&mut self) {
        self.vitals.ends();
    }
}

/// It goes into the log and a header field.
fn is_valid_id(id: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':');
    (1..=MAX_ID).contains(&id.len()) && id.iter().all(is_plain)
}

/// 16 hexadecimal digits.
fn new_id() -> HeaderValue {
    static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let id = KEYS.hash_one(NEXT.fetch_add(1, Ordering::Relaxed));
    HeaderValue::try_from(format!("{id:016x}")).unwrap_or(HeaderValue::from_static("0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clients_id_is_used_only_if_it_is_short_and_plain() {
        for id in ["a", "7f3c:1.2-x_Y", &"x".repeat(128)] {
            assert!(is_valid_id(id.as_bytes()), "{id}");
        }
        for id in ["", "a b", "a\"b", "a=b", "é", "a\tb", &"x".repeat(129)] {
            assert!(!is_valid_id(id.as_bytes()), "{id}");
        }
    }

    #[test]
    fn new_ids_are_valid_and_unique() {
        let ids: std::collections::BTreeSet<_> =
            (0..1000).map(|_| new_id().to_str().unwrap().to_owned()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| id.len() == 16 && is_valid_id(id.as_bytes())));
    }
}
