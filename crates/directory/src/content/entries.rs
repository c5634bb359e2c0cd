//! The files of a content folder in memory, as a packed copy of it holds them. A name that could lead out of a folder, or
//! that two systems could read differently, is refused.

use std::collections::BTreeMap;
use std::io;

use bytes::Bytes;

use super::open::OpenError;

/// A clinician has three files at most.
const MOST: usize = 4_000_000;
const LONGEST: usize = 255;

#[derive(Debug, Clone, Default)]
pub struct Entries {
    files: BTreeMap<String, Bytes>,
}

#[derive(Debug, thiserror::Error)]
#[error("\"{}\": {why}", crate::visible::line(path))]
pub struct EntryError {
    path: String,
    why: &'static str,
}

impl Entries {
    pub fn add(&mut self, path: &str, bytes: Bytes) -> Result<(), EntryError> {
        let refused = |why| Err(EntryError { path: path.chars().take(LONGEST).collect(), why });
        if let Some(why) = fault_of(path) {
            return refused(why);
        }
        if self.files.len() >= MOST {
            return refused("there are too many files before this one");
        }
        let mut folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        if folders.any(|folder| self.files.contains_key(folder)) {
            return refused("another file has the name of one of this file's folders");
        }
        let below = format!("{path}/");
        if self.files.range(below.clone()..).next().is_some_and(|(other, _)| other.starts_with(&below)) {
            return refused("a folder has this name");
        }
        if self.files.insert(path.to_owned(), bytes).is_some() {
            return refused("this name appears twice");
        }
        Ok(())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Bytes)> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes))
    }

    /// Files whose paths were read from a folder.
    pub(super) fn known(files: impl Iterator<Item = (String, Bytes)>) -> Self {
        Self { files: files.collect() }
    }

    pub(super) fn read(&self, path: &str, largest: u64, buffer: &mut Vec<u8>) -> Result<(), OpenError> {
        buffer.clear();
        let bytes = self.files.get(path).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        if bytes.len() as u64 > largest {
            return Err(OpenError::TooLarge(largest));
        }
        buffer.extend_from_slice(bytes);
        Ok(())
    }
}

fn fault_of(path: &str) -> Option<&'static str> {
    let is_special = |sign: char| sign == '\\' || sign.is_control();
    let faults = [
        (path.is_empty(), "the name is empty"),
        (path.len() > LONGEST, "the name is longer than 255 bytes"),
        (path.starts_with('/'), "the name starts at the root of the file system"),
        (path.contains(is_special), "the name has a backslash or a control character"),
        (path.split('/').any(|part| part == ".."), "the name leads out of the folder"),
        (path.split('/').any(|part| ["", "."].contains(&part)), "part of the name is empty or a dot"),
    ];
    faults.into_iter().find(|(is_wrong, _)| *is_wrong).map(|(_, why)| why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_and_names_given_twice_are_refused() {
        let mut entries = Entries::default();
        entries.add("providers/jane-doe.toml", Bytes::from_static(b"a")).unwrap();
        entries.add("directory.toml", Bytes::new()).unwrap();
        let long = "a".repeat(256);
        for (path, why) in [
            ("", "is empty"),
            (long.as_str(), "longer than 255 bytes"),
            ("/etc/passwd", "starts at the root"),
            ("..", "leads out"),
            ("providers/../../a", "leads out"),
            ("a\\b", "backslash"),
            ("a\nb", "control character"),
            ("a\0b", "control character"),
            ("a//b", "empty or a dot"),
            ("./a", "empty or a dot"),
            ("a/", "empty or a dot"),
            ("providers", "a folder has this name"),
            ("directory.toml/a", "another file has the name of one of this file's folders"),
            ("directory.toml", "appears twice"),
        ] {
            let refused = entries.add(path, Bytes::new()).unwrap_err().to_string();
            assert!(refused.contains(why), "{path:?}: {refused}");
        }
        let shown = entries.add("a\u{1b}[31m/..", Bytes::new()).unwrap_err().to_string();
        assert!(!shown.contains('\u{1b}'), "{shown}");
    }

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let mut entries = Entries::default();
        entries.add("a", Bytes::from_static(b"1234")).unwrap();
        let mut buffer = b"before".to_vec();
        entries.read("a", 4, &mut buffer).unwrap();
        assert_eq!(buffer, b"1234");
        assert!(matches!(entries.read("a", 3, &mut buffer), Err(OpenError::TooLarge(3))));
        assert!(
            matches!(entries.read("b", 3, &mut buffer), Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound)
        );
    }
}
