pub(crate) mod changes;
pub(crate) mod history;
pub(crate) mod manifest;
pub(crate) mod retire;
pub(crate) mod summary;
pub(crate) mod write;

pub use manifest::{MANIFEST_PATH, Manifest, ManifestEntry};
pub use summary::Summary;
pub use write::{Watching, WriteError};
