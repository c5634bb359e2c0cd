//! Content as numbered releases in an object store: `publish` writes them, and a service follows them.
//! `releases/<20 digits>.json` names a bundle, `bundles/<sha256>.tar.gz`. A release is created once and never changed, so two
//! publishers cannot overwrite each other. A service never goes back to a lower number, even if the store is a mirror that
//! lags. The release names the SHA-256 of its bundle; with `content-key` the release must be signed.

mod bucket;
mod bundle;
mod release;

pub use bucket::{Bucket, LARGEST_RELEASE, Object, Patience};
pub use bundle::{Packed, pack, sha256, unpack};
pub use release::Release;
