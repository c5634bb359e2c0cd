//! Paths in the published tree. Joined to a folder, a [`TreePath`] stays inside it, and in a host's rule, it cannot end the
//! line.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Segments of letters, digits, `-`, `_` and `.`, joined by `/`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreePath(Box<str>);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    #[error(
        "\"{0}\" can't be published: a path is made of letters, digits, \"-\", \"_\" and \".\", in segments \
         joined by \"/\" that aren't \".\" or \"..\""
    )]
    Form(String),
    #[error("two files would be published as {0}; rename one of them")]
    Twice(String),
    /// Some file systems do not distinguish letter case.
    #[error(
        "{0} and {1} differ only in letter case and would be one file on some systems; rename one of them"
    )]
    Case(String, String),
    #[error("{0} would be published as a file, but {1} needs it to be a folder; rename one of them")]
    FileAndFolder(String, String),
}

impl TreePath {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn under(&self, folder: &Path) -> PathBuf {
        let mut path = PathBuf::with_capacity(folder.as_os_str().len() + self.0.len() + 1);
        path.push(folder);
        path.extend(self.0.split('/'));
        path
    }

    pub(crate) fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    pub(crate) fn name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// The outermost first.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &str> {
        self.0.match_indices('/').map(|(end, _)| &self.0[..end])
    }
}

impl FromStr for TreePath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let is_segment =
            |segment: &str| !matches!(segment, "" | "." | "..") && segment.bytes().all(is_allowed);
        if text.split('/').all(is_segment) {
            Ok(Self(text.into()))
        } else {
            Err(PathError::Form(text.to_owned()))
        }
    }
}

impl fmt::Display for TreePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

/// Checks that the files can exist in one tree on any file system: no paths are equal except for letter case, and none is
/// another's folder.
pub(crate) fn disjoint<'a>(paths: impl Iterator<Item = &'a TreePath>) -> Result<(), PathError> {
    let mut sorted: Vec<&TreePath> = paths.collect();
    sorted.sort_unstable();
    if let Some([path, _]) = sorted.array_windows().find(|[path, next]| path == next) {
        return Err(PathError::Twice(path.to_string()));
    }
    let find_exact =
        |path: &str| sorted.binary_search_by(|other| other.as_str().cmp(path)).ok().map(|at| sorted[at]);
    // Nearly all paths are in lower case, so only the others need a map.
    let mut with_upper_case: BTreeMap<String, &TreePath> = BTreeMap::new();
    for &path in sorted.iter().filter(|path| path.0.bytes().any(|byte| byte.is_ascii_uppercase())) {
        let lower = path.as_str().to_ascii_lowercase();
        if let Some(other) = with_upper_case.get(&lower) {
            return Err(PathError::Case(other.to_string(), path.to_string()));
        }
        if let Some(other) = find_exact(&lower) {
            return Err(PathError::Case(path.to_string(), other.to_string()));
        }
        with_upper_case.insert(lower, path);
    }
    let mut checked_folder = "";
    for path in &sorted {
        if path.folder() == checked_folder {
            continue;
        }
        checked_folder = path.folder();
        for folder in path.folders() {
            let lower = folder.to_ascii_lowercase();
            if let Some(file) = find_exact(&lower).or_else(|| with_upper_case.get(&lower).copied()) {
                return Err(PathError::FileAndFolder(file.to_string(), path.to_string()));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(texts: &[&str]) -> Vec<TreePath> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn a_path_cannot_leave_the_tree_or_break_a_line() {
        for text in ["v1/states.json", "_headers", ".well-known/ai-catalog.json", "a..b/c"] {
            assert_eq!(text.parse::<TreePath>().unwrap().as_str(), text);
        }
        for text in ["", "/", "/a", "a/", "a//b", "..", "a/../b", "./a", "a b", "a\nb", "a\\b", "é", "a%2fb"]
        {
            assert_eq!(text.parse::<TreePath>(), Err(PathError::Form(text.to_owned())), "{text:?}");
        }
    }

    #[test]
    fn a_provider_called_state_does_not_conflict_with_the_folder_state() {
        let paths = paths(&["v1/providers.json", "v1/providers/state.json", "v1/providers/state/CA.json"]);
        assert_eq!(disjoint(paths.iter()), Ok(()));
    }

    #[test]
    fn conflicting_paths_are_refused_by_name() {
        let twice = paths(&["a/b", "c", "a/b"]);
        assert_eq!(disjoint(twice.iter()), Err(PathError::Twice("a/b".into())));
        let case = paths(&["v1/CA.json", "v1/ca.json"]);
        assert_eq!(disjoint(case.iter()), Err(PathError::Case("v1/CA.json".into(), "v1/ca.json".into())));
        let folder = paths(&["a/b/c", "a/B"]);
        assert_eq!(disjoint(folder.iter()), Err(PathError::FileAndFolder("a/B".into(), "a/b/c".into())));
    }
}
