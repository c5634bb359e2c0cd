//! Content as numbered releases in an object store: `publish` writes them, and a service follows them.
//!
//! `releases/<20 digits>.json` names a bundle, `bundles/<sha256>.tar.gz`. A release is created once and never changed, and
//! the highest number is served, so two publishers cannot overwrite each other, and a mirror that lags leads no replica back.
//! What is trusted is the SHA-256 of the bundle.

mod bucket;
mod bundle;
mod cache;
mod fetch;
mod follow;
mod release;
mod start;

pub(crate) use bucket::{Bucket, Patience};
pub(crate) use bundle::{Packed, pack};
pub(crate) use fetch::{check, find};
pub(crate) use release::Release;
pub(crate) use start::run;
