//! The list of what is published, itself published as `v1/manifest.json`.
//!
//! It is how a deployed host is verified, how the next build sees what has changed, and how a folder is
//! recognised as one that may be replaced: a folder without it is somebody else's.

use directory::model::Generation;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::path::TreePath;

/// Where the manifest stands in the tree.
pub const MANIFEST_PATH: &str = "v1/manifest.json";

/// Everything that a tree holds, apart from the manifest itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    generation: String,
    files: Vec<ManifestEntry>,
}

/// One published file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    path: String,
    bytes: u64,
    sha256: String,
    etag: String,
}

impl ManifestEntry {
    /// Describes a file by its bytes.
    pub(crate) fn of(path: &TreePath, body: &[u8]) -> Self {
        use std::fmt::Write as _;
        let digest = Sha256::digest(body);
        let mut sha256 = String::with_capacity(2 * digest.len());
        for byte in digest {
            // Writing into a string cannot fail.
            let _ = write!(sha256, "{byte:02x}");
        }
        Self {
            path: path.as_str().to_owned(),
            bytes: body.len() as u64,
            sha256,
            etag: etag::EntityTag::from_data(body).to_string(),
        }
    }

    /// The path in the tree.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// How many bytes the file has.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The SHA-256 of the bytes, in lower-case hexadecimal digits.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The entity tag that live gives to the same bytes.
    #[must_use]
    pub fn etag(&self) -> &str {
        &self.etag
    }
}

impl Manifest {
    /// Lists files, sorted by path.
    pub(crate) fn new(generation: &Generation, mut files: Vec<ManifestEntry>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self { generation: generation.as_str().to_owned(), files }
    }

    /// Reads a manifest; `None` when the bytes are not one.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let manifest: Self = serde_json::from_slice(bytes).ok()?;
        manifest.files.is_sorted_by(|a, b| a.path < b.path).then_some(manifest)
    }

    /// The manifest as it is published.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        // Serializing into memory fails only for maps whose keys are not text, and there is none.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The generation of the content that the files were made from.
    #[must_use]
    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// The files, sorted by path.
    #[must_use]
    pub fn files(&self) -> &[ManifestEntry] {
        &self.files
    }

    /// The entry of a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&ManifestEntry> {
        let at = self.files.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        self.files.get(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str, body: &str) -> ManifestEntry {
        ManifestEntry::of(&path.parse().unwrap(), body.as_bytes())
    }

    #[test]
    fn a_file_is_described_by_its_bytes() {
        let entry = entry("v1/states.json", "abc");
        assert_eq!(entry.bytes(), 3);
        // FIPS 180-4's own example.
        assert_eq!(entry.sha256(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert!(entry.etag().starts_with("\"3-"), "{}", entry.etag());
    }

    #[test]
    fn it_reads_what_it_writes_and_nothing_else() {
        let files = vec![entry("b", "2"), entry("a", "1")];
        let manifest = Manifest { generation: "g".into(), files: files.into_iter().rev().collect() };
        let json = String::from_utf8(manifest.to_json()).unwrap();
        assert!(json.starts_with(r#"{"generation":"g","files":[{"path":"a","bytes":1,"sha256":""#), "{json}");
        assert_eq!(Manifest::parse(json.as_bytes()), Some(manifest.clone()));
        assert_eq!(manifest.get("b").map(ManifestEntry::bytes), Some(1));
        assert_eq!(manifest.get("c"), None);
        for other in ["", "{}", "[]", r#"{"generation":1,"files":[]}"#, r#"{"files":[]}"#, "not json"] {
            assert_eq!(Manifest::parse(other.as_bytes()), None, "{other}");
        }
    }
}
