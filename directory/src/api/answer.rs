//! An answer: a body with what a cache and a client may know of it.

use std::sync::OnceLock;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use etag::EntityTag;

use crate::calendar::Instant;

/// How long an answer may be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caching {
    /// Changes with the content.
    Catalogue,
    /// Changes by the minute.
    Availability,
}

impl Caching {
    /// The value of `Cache-Control`.
    #[must_use]
    pub fn cache_control(self) -> &'static str {
        match self {
            Self::Catalogue => "public, max-age=300, stale-while-revalidate=300, stale-if-error=86400",
            Self::Availability => "public, max-age=60",
        }
    }
}

/// The response headers that scripts of other origins may read: the value of `Access-Control-Expose-Headers`.
pub const EXPOSED_HEADERS: &str =
    "ETag, Retry-After, X-Ignored-Parameters, Availability-As-Of, Availability-Status, Nameplate-Generation";

/// An answer, whole.
#[derive(Debug, Clone)]
pub struct Answer {
    body: Bytes,
    /// Computed at the first use: a tool's result needs none.
    etag: OnceLock<EntityTag>,
    caching: Caching,
    moved_to: Option<String>,
    as_of: Option<DateTime<Utc>>,
}

impl Answer {
    pub(super) fn new(body: impl Into<Bytes>, caching: Caching) -> Self {
        Self { body: body.into(), etag: OnceLock::new(), caching, moved_to: None, as_of: None }
    }

    /// An answer that will be given many times: its tag is computed now.
    pub(super) fn prepared(body: impl Into<Bytes>, caching: Caching) -> Self {
        let answer = Self::new(body, caching);
        _ = answer.etag();
        answer
    }

    /// Known to be true at that moment, and not since.
    pub(super) fn stale_since(self, as_of: Instant) -> Self {
        Self { as_of: Some(as_of.into()), ..self }
    }

    pub(super) fn moved_to(self, path: String) -> Self {
        Self { moved_to: Some(path), ..self }
    }

    /// The body: JSON.
    #[must_use]
    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// The strong entity tag of the body's bytes.
    #[must_use]
    pub fn etag(&self) -> &EntityTag {
        self.etag.get_or_init(|| EntityTag::from_data(&self.body))
    }

    /// How long it may be kept.
    #[must_use]
    pub fn caching(&self) -> Caching {
        self.caching
    }

    /// The path of today, where a former one was asked for: REST redirects there, other doors just answer.
    #[must_use]
    pub fn moved_path(&self) -> Option<&str> {
        self.moved_to.as_deref()
    }

    /// When the slots were last known to be true, where the feed behind them is late.
    #[must_use]
    pub fn as_of(&self) -> Option<DateTime<Utc>> {
        self.as_of
    }
}
