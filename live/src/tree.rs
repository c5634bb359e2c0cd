//! The built tree in the folder of `--static`: which content it is of, and where its files are.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;
use warp::http::header::HeaderValue;

/// The modification time of the tree's manifest, which is a function of its bytes.
pub(crate) type Stamp = Option<SystemTime>;

const MANIFEST: &str = "v1/manifest.json";

/// Cached until the folder's manifest changes.
#[derive(Debug, Default)]
pub(crate) struct TreeVersion {
    stamp: Stamp,
    generation: Option<HeaderValue>,
}

#[derive(Deserialize)]
struct GenerationOnly {
    generation: String,
}

impl TreeVersion {
    /// `None` without a manifest.
    pub(crate) fn generation(&mut self, folder: &Path) -> Option<String> {
        Some(self.read(folder).1?.to_str().ok()?.to_owned())
    }

    /// Reads the manifest again only if its stamp has changed.
    #[expect(clippy::disallowed_methods, reason = "this reads the tree that the service serves")]
    pub(crate) fn read(&mut self, folder: &Path) -> (Stamp, Option<HeaderValue>) {
        let file = folder.join(MANIFEST);
        let stamp = std::fs::metadata(&file).and_then(|metadata| metadata.modified()).ok();
        if stamp != self.stamp {
            let manifest =
                resolve(folder, Path::new(MANIFEST)).and_then(|(file, _)| std::fs::read(file)).ok();
            let manifest = manifest.and_then(|text| serde_json::from_slice::<GenerationOnly>(&text).ok());
            self.generation = manifest.and_then(|manifest| HeaderValue::try_from(manifest.generation).ok());
            self.stamp = stamp;
        }
        (self.stamp, self.generation.clone())
    }
}

/// The file without links, and its length.
#[expect(clippy::disallowed_methods, reason = "this finds the files that the service serves")]
pub(crate) fn resolve(folder: &Path, file: &Path) -> io::Result<(PathBuf, u64)> {
    let folder = std::fs::canonicalize(folder)?;
    let file = std::fs::canonicalize(folder.join(file))?;
    let metadata = std::fs::metadata(&file)?;
    if !file.starts_with(&folder) || !metadata.is_file() {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok((file, metadata.len()))
}
