//! A hash of everything in a content folder, to decide whether a new build would give the same result.
//!
//! The [`Generation`] identifies what is published. It ignores line endings, the folder's feed and files that are not
//! read. These can decide whether content is accepted, so the [`Fingerprint`] includes them. Both are computed from the
//! bytes that were checked, without byte order marks.

use std::path::Path;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::generation::{self, FileHash};
use super::load;
use super::sources::{FeedIs, Source};
use crate::model::Generation;

/// A hash of a content folder as it was read. Equal fingerprints give the same directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    digest: FileHash,
    /// Portraits by name, sorted.
    portraits: Vec<(String, FileHash)>,
}

impl Fingerprint {
    /// Computes the fingerprint of a content folder without checking the content. `None` if a file cannot be read.
    #[must_use]
    pub fn read(folder: &Path) -> Option<Self> {
        let (sources, problems) = load::load(folder, FeedIs::Judged).ok()?;
        if !problems.is_empty() {
            return None;
        }
        let mut files = FileHashes::default();
        let mut later = Vec::new();
        for (path, source) in sources.iter() {
            match source {
                Source::Text(text) => files.add(path.to_owned(), TextHash::of(text)),
                Source::Later => later.push(path),
                source => files.add_other(path, source),
            }
        }
        let hash = |buffer: &mut Vec<u8>, path: &&str| {
            let text = sources.read(path, buffer).ok()?;
            Some(text.map(|text| ((*path).to_owned(), TextHash::of(text))))
        };
        let hashes: Option<Vec<_>> = later.par_iter().map_init(Vec::new, hash).collect();
        hashes?.into_iter().flatten().for_each(|(path, hash)| files.add(path, hash));
        Some(files.finish().1)
    }

    #[must_use]
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The SHA-256 of a portrait's bytes, by its name inside `headshots`.
    pub(super) fn portrait(&self, name: &str) -> Option<&[u8; 32]> {
        let at = self.portraits.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
        self.portraits.get(at).map(|(_, hash)| hash)
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct TextHash {
    /// With LF as line ends.
    normalized: FileHash,
    /// With its own line ends, if the text has a CR.
    exact: Option<FileHash>,
}

impl TextHash {
    pub(super) fn of(text: &str) -> Self {
        let exact = text.contains('\r').then(|| Sha256::digest(text.as_bytes()).into());
        Self { normalized: generation::hash_text(text), exact }
    }
}

#[derive(Debug, Default)]
pub(super) struct FileHashes {
    /// What the generation covers.
    published: Vec<(String, FileHash)>,
    /// What only the fingerprint covers.
    other: Vec<(String, FileHash)>,
    portraits: Vec<(String, FileHash)>,
}

impl FileHashes {
    /// Adds a text. Each path must be added only once.
    pub(super) fn add(&mut self, path: String, hash: TextHash) {
        if let Some(exact) = hash.exact {
            self.other.push((path.clone(), exact));
        }
        self.published.push((path, hash.normalized));
    }

    /// Adds any other file.
    pub(super) fn add_other(&mut self, path: &str, source: &Source) {
        match source {
            Source::Portrait { hash, .. } => {
                self.published.push((path.to_owned(), *hash));
                if let Some(name) = path.strip_prefix("headshots/") {
                    self.portraits.push((name.to_owned(), *hash));
                }
            }
            Source::Feed(text) => {
                self.other.push((path.to_owned(), Sha256::digest(text.as_bytes()).into()));
            }
            // Their content is not read here, so only the path counts.
            Source::LinkedFeed | Source::Unread => self.other.push((path.to_owned(), FileHash::default())),
            Source::Text(_) | Source::Later => {}
        }
    }

    pub(super) fn finish(mut self) -> (Generation, Fingerprint) {
        let published = generation::combine(self.published);
        let other = generation::combine(self.other);
        let digest = Sha256::new().chain_update(published).chain_update(other).finalize().into();
        self.portraits.sort_unstable();
        (generation::name(&published), Fingerprint { digest, portraits: self.portraits })
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "these tests write their own folders")]
mod tests {
    use std::fs;

    use super::*;
    use crate::content::load_and_check;

    /// A copy of the demo clinic.
    fn clinic() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../content");
        for entry in walkdir::WalkDir::new(&from) {
            let entry = entry.unwrap();
            let to = folder.path().join(entry.path().strip_prefix(&from).unwrap());
            if entry.file_type().is_dir() {
                fs::create_dir_all(to).unwrap();
            } else {
                fs::copy(entry.path(), to).unwrap();
            }
        }
        folder
    }

    #[test]
    fn reading_alone_and_checking_give_the_same_fingerprint() {
        let folder = clinic();
        let at = |name: &str| folder.path().join(name);
        let checked = || load_and_check(folder.path(), chrono::NaiveDate::default()).unwrap();
        let first = checked();
        assert_eq!(Fingerprint::read(folder.path()), Some(first.fingerprint.clone()));

        let mut seen = vec![first.fingerprint];
        let mut differs = |what: &str| {
            let checked = checked();
            assert_eq!(Fingerprint::read(folder.path()), Some(checked.fingerprint.clone()), "{what}");
            assert!(!seen.contains(&checked.fingerprint), "{what}");
            seen.push(checked.fingerprint);
            checked.directory.generation().clone()
        };
        let text = fs::read_to_string(at("directory.toml")).unwrap();
        fs::write(at("directory.toml"), text.replace('\n', "\r\n")).unwrap();
        let windows = differs("line ends");
        assert_eq!(&windows, first.directory.generation(), "the same is published");
        fs::write(at("directory.toml"), format!("{text}# a comment\n")).unwrap();
        differs("a list");
        let provider = at("providers/jun-nakashima.toml");
        let text = fs::read_to_string(&provider).unwrap();
        fs::write(&provider, format!("{text}# a comment\n")).unwrap();
        differs("a provider's file");
        let portrait = at("headshots/jun-nakashima.svg");
        fs::write(&portrait, fs::read_to_string(&portrait).unwrap() + " ").unwrap();
        differs("a portrait");
        let line = r#"{"provider":"jun-nakashima","start":"2026-12-01T10:00:00Z","end":"2026-12-01T11:00:00Z","status":"busy"}"#;
        fs::write(at("availability/busy.ndjson"), line).unwrap();
        differs("a feed");
        fs::write(at("notes.txt"), "a").unwrap();
        differs("a file that nothing reads");
        // The content of this file is not read.
        fs::write(at("notes.txt"), "b").unwrap();
        assert_eq!(Fingerprint::read(folder.path()), Some(checked().fingerprint));
        assert_eq!(Fingerprint::read(folder.path()).as_ref(), seen.last());
    }

    #[test]
    fn a_portrait_is_found_by_its_name() {
        let folder = clinic();
        let bytes = fs::read(folder.path().join("headshots/jun-nakashima.svg")).unwrap();
        let fingerprint = Fingerprint::read(folder.path()).unwrap();
        assert_eq!(fingerprint.portrait("jun-nakashima.svg"), Some(&Sha256::digest(bytes).into()));
        assert_eq!(fingerprint.portrait("nobody.svg"), None);
    }

    #[test]
    fn a_folder_that_cannot_be_read_has_no_fingerprint() {
        let folder = clinic();
        fs::create_dir(folder.path().join("providers/folder.toml")).unwrap();
        assert_eq!(Fingerprint::read(folder.path()), None);
        fs::remove_dir(folder.path().join("providers/folder.toml")).unwrap();
        assert!(Fingerprint::read(folder.path()).is_some());
        fs::write(folder.path().join("providers/jun-nakashima.toml"), b"\xff").unwrap();
        assert_eq!(Fingerprint::read(folder.path()), None);
        assert_eq!(Fingerprint::read(&folder.path().join("nowhere")), None);
    }
}
