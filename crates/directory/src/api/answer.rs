//! An answer: a body with its caching and status metadata.

use std::sync::OnceLock;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use etag::EntityTag;

use super::request::Request;
use crate::calendar::Cursor;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caching {
    Catalog,
    Availability,
    /// Never changes: for released scripts, which are files and not answers of an operation.
    Immutable,
}

impl Caching {
    pub const fn cache_control(self) -> &'static str {
        match self {
            Self::Catalog => "public, max-age=300, stale-while-revalidate=300, stale-if-error=86400",
            Self::Availability => "public, max-age=60",
            Self::Immutable => "public, max-age=31536000, immutable",
        }
    }
}

/// The response headers that scripts of other origins may read: the value of `Access-Control-Expose-Headers`.
pub const EXPOSED_HEADERS: &str = "ETag, Retry-After, X-Ignored-Parameters, Link, Link-Template, Availability-As-Of, Availability-Status, Nameplate-Generation";

#[derive(Debug, Clone)]
pub struct Answer {
    body: Bytes,
    /// Computed on first use: tool results need no tag.
    etag: OnceLock<EntityTag>,
    caching: Caching,
    pub(super) moved_to: Option<String>,
    /// The last slot, if this page of slots is cut.
    pub(super) next: Option<Cursor>,
    /// Whether this is a page of no slots.
    pub(super) is_empty: bool,
    pub(super) as_of: Option<DateTime<Utc>>,
}

impl Answer {
    pub(super) fn new(body: impl Into<Bytes>, caching: Caching) -> Self {
        Self {
            body: body.into(),
            etag: OnceLock::new(),
            caching,
            moved_to: None,
            next: None,
            is_empty: false,
            as_of: None,
        }
    }

    pub fn body(&self) -> &Bytes {
        &self.body
    }

    pub fn etag(&self) -> &EntityTag {
        self.etag.get_or_init(|| EntityTag::from_data(&self.body))
    }

    pub fn caching(&self) -> Caching {
        self.caching
    }

    /// The current path, if the request named a former slug. REST redirects there; MCP ignores it.
    pub fn moved_path(&self) -> Option<&str> {
        self.moved_to.as_deref()
    }

    /// The path and query of the next page, if this page of slots is cut.
    pub fn next_path(&self, request: &Request) -> Option<String> {
        self.next.map(|cursor| request.after(cursor).path_and_query())
    }

    /// When the slots were last known to be right, if the feed is late.
    pub fn as_of(&self) -> Option<DateTime<Utc>> {
        self.as_of
    }
}
