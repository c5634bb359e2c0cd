//! Content as numbered releases in an object store: `publish` writes them, and a service follows them.
//!
//! `releases/<20 digits>.json` names a bundle, `bundles/<sha256>.tar.gz`. A release is created once and never changed,
//! so two publishers cannot overwrite each other. A service never goes back to a lower number, even if the store is a
//! mirror that lags. The release names the SHA-256 of its bundle; with `content-key` the release must be signed.

mod bucket;
mod bundle;
mod cache;
mod fetch;
mod follow;
mod release;
mod start;

pub(crate) use bucket::{Bucket, Object, Patience};
pub(crate) use bundle::{Packed, pack};
pub(crate) use fetch::{Found, check, find};
pub(crate) use release::Release;
pub(crate) use start::run;
