//! Keeps replaced trees beside the output for a while, so that programs can finish reading them.
#![expect(clippy::disallowed_methods, reason = "this module renames and removes trees, and needs their age")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::error::WriteError;
use super::folder::remove;
use super::output::OutputPaths;
use crate::publish::manifest::MANIFEST_PATH;

const MAX_AGE: Duration = Duration::from_mins(15);
/// `nameplate dev` replaces a tree with each edit.
const MAX_TREES: usize = 8;
const PREFIX: &str = "before-";

/// The old tree is at the stage's path now.
pub(super) fn set_aside(paths: &OutputPaths) -> io::Result<()> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    fs::rename(&paths.stage, paths.work.join(format!("{PREFIX}{}", now.as_nanos())))
}

/// The stage of a killed build is set aside if it may be a replaced tree. Requires the lock.
pub(super) fn clear_stage(paths: &OutputPaths) -> Result<(), WriteError> {
    let is_complete = fs::symlink_metadata(paths.stage.join(MANIFEST_PATH)).is_ok();
    if is_complete && set_aside(paths).is_ok() {
        return Ok(());
    }
    match remove(&paths.stage) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(WriteError::Leftovers { path: paths.stage.clone(), source: error })
        }
        _ => Ok(()),
    }
}

/// If a tree cannot be removed, the next build tries again.
pub(super) fn remove_old(paths: &OutputPaths) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mut trees = replaced_trees(paths);
    trees.sort_unstable_by(|(one, _), (other, _)| other.cmp(one));
    for (at, (replaced_at, path)) in trees.iter().enumerate() {
        // `abs_diff`, because the clock may have been set back.
        if at >= MAX_TREES || now.abs_diff(*replaced_at) >= MAX_AGE {
            _ = remove(path);
        }
    }
}

/// With the times at which they were replaced.
fn replaced_trees(paths: &OutputPaths) -> Vec<(Duration, PathBuf)> {
    let time = |path: &Path| {
        let nanoseconds: u64 = path.file_name()?.to_str()?.strip_prefix(PREFIX)?.parse().ok()?;
        Some(Duration::from_nanos(nanoseconds))
    };
    let entries = fs::read_dir(&paths.work).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((time(&entry.path())?, entry.path()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_trees_and_those_beyond_the_newest_eight_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let paths = OutputPaths::new(&folder.path().join("dist")).unwrap();
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        let make = |age: Duration| {
            let path = paths.work.join(format!("{PREFIX}{}", now.saturating_sub(age).as_nanos()));
            fs::create_dir_all(path.join("v1")).unwrap();
            path
        };
        let (old, new) = (make(MAX_AGE), make(MAX_AGE / 2));
        let other = paths.work.join(format!("{PREFIX}mine"));
        fs::write(&other, "").unwrap();
        remove_old(&paths);
        assert!(!old.exists() && new.exists() && other.exists());
        let newest: Vec<_> = (0..8).map(|age| make(Duration::from_secs(age))).collect();
        remove_old(&paths);
        assert!(!new.exists() && newest.iter().all(|tree| tree.exists()));
    }
}
