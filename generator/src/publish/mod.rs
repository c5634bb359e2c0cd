//! The published tree: its manifest, how it is replaced, and what a new one changes.

pub(crate) mod changes;
pub(crate) mod manifest;
pub(crate) mod retire;
pub(crate) mod summary;
pub(crate) mod write;

pub use manifest::{MANIFEST_PATH, Manifest, ManifestEntry, Sha256Digest};
pub use summary::Summary;
pub use write::WriteError;
