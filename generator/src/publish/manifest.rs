//! The list of published files, with which `verify` and the next build compare. A build refuses to replace a folder without
//! one.

use std::io::{self, BufWriter, Write};

use directory::changes::Sha256Digest;
use directory::model::Generation;
use etag::EntityTag;
use serde::{Deserialize, Serialize};

use crate::path::TreePath;

pub const MANIFEST_PATH: &str = "v1/manifest.json";

/// Without the manifest itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    generation: String,
    files: Vec<ManifestEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    pub path: Box<str>,
    pub bytes: u64,
    pub sha256: Sha256Digest,
    /// The live service sends the same tag.
    pub etag: Box<str>,
}

impl ManifestEntry {
    pub(crate) fn new(path: &TreePath, body: &[u8]) -> Self {
        Self::with_tag(path, body, &EntityTag::from_data(body))
    }

    /// `None` if `published` has the same entity tag, which is much faster to compute than a SHA-256.
    pub(crate) fn if_changed(published: Option<&Self>, path: &TreePath, body: &[u8]) -> Option<Self> {
        let tag = EntityTag::from_data(body);
        let is_published = published.is_some_and(|published| {
            published.bytes == body.len() as u64 && published.opaque_tag() == Some(tag.tag())
        });
        (!is_published).then(|| Self::with_tag(path, body, &tag))
    }

    fn with_tag(path: &TreePath, body: &[u8], tag: &EntityTag) -> Self {
        Self {
            path: path.as_str().into(),
            bytes: body.len() as u64,
            sha256: Sha256Digest::hash(body),
            // As `Display` of a strong tag, but with one allocation.
            etag: ["\"", tag.tag(), "\""].concat().into(),
        }
    }

    fn opaque_tag(&self) -> Option<&str> {
        self.etag.strip_prefix('"')?.strip_suffix('"')
    }
}

impl Manifest {
    pub(crate) fn new(generation: &Generation, mut files: Vec<ManifestEntry>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self { generation: generation.as_str().to_owned(), files }
    }

    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let manifest: Self = serde_json::from_slice(bytes).ok()?;
        manifest.files.is_sorted_by(|a, b| a.path < b.path).then_some(manifest)
    }

    /// Of the content that the files were built from.
    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// Sorted by path.
    pub fn files(&self) -> &[ManifestEntry] {
        &self.files
    }

    pub fn get(&self, path: &str) -> Option<&ManifestEntry> {
        let at = self.files.binary_search_by(|entry| entry.path.as_ref().cmp(path)).ok()?;
        self.files.get(at)
    }
}

/// The files must be sorted by path.
pub(crate) fn write_json(to: &mut impl Write, generation: &str, files: &[&ManifestEntry]) -> io::Result<()> {
    #[derive(Serialize)]
    struct Listed<'a> {
        generation: &'a str,
        files: &'a [&'a ManifestEntry],
    }
    let mut to = BufWriter::with_capacity(1 << 16, to);
    serde_json::to_writer(&mut to, &Listed { generation, files })?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_json(manifest: &Manifest) -> Vec<u8> {
        let mut json = Vec::new();
        write_json(&mut json, manifest.generation(), &manifest.files.iter().collect::<Vec<_>>()).unwrap();
        json
    }

    fn entry(path: &str, body: &str) -> ManifestEntry {
        ManifestEntry::new(&path.parse().unwrap(), body.as_bytes())
    }

    #[test]
    fn an_entry_has_the_size_hash_and_tag_of_the_bytes() {
        let entry = entry("v1/states.json", "abc");
        assert_eq!(entry.bytes, 3);
        // The example in FIPS 180-4.
        assert_eq!(
            entry.sha256.to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert!(entry.etag.starts_with("\"3-"), "{}", entry.etag);
    }

    #[test]
    fn an_unchanged_file_has_no_new_entry() {
        let published = entry("a", "abc");
        let path = "a".parse().unwrap();
        assert_eq!(ManifestEntry::if_changed(Some(&published), &path, b"abc"), None);
        for other in ["abd", "ab", "abcd", ""] {
            let described = ManifestEntry::if_changed(Some(&published), &path, other.as_bytes());
            assert_eq!(described, Some(entry("a", other)), "{other}");
        }
        assert_eq!(ManifestEntry::if_changed(None, &path, b"abc"), Some(published));
    }

    #[test]
    fn only_what_write_json_writes_parses() {
        let files = vec![entry("b", "2"), entry("a", "1")];
        let manifest = Manifest { generation: "g".into(), files: files.into_iter().rev().collect() };
        let json = String::from_utf8(to_json(&manifest)).unwrap();
        assert!(json.starts_with(r#"{"generation":"g","files":[{"path":"a","bytes":1,"sha256":""#), "{json}");
        assert_eq!(Manifest::parse(json.as_bytes()), Some(manifest.clone()));
        assert_eq!(manifest.get("b").map(|entry| entry.bytes), Some(1));
        assert_eq!(manifest.get("c"), None);
        let digest = entry("a", "1").sha256.to_string();
        for wrong in
            ["", &digest[1..], &digest.to_uppercase(), &format!("{digest}00"), &digest.replace('6', "g")]
        {
            assert_eq!(Manifest::parse(json.replace(&digest, wrong).as_bytes()), None, "{wrong}");
        }
        for other in ["", "{}", "[]", r#"{"generation":1,"files":[]}"#, r#"{"files":[]}"#, "not json"] {
            assert_eq!(Manifest::parse(other.as_bytes()), None, "{other}");
        }
    }
}
