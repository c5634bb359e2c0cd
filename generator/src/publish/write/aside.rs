//! Replaced trees. They stay beside the output for a while, so that a program that has begun to read one reads it to
//! its end.
//!
//! Nothing in a replaced tree is ever written: the next tree is a new folder, whose unchanged files are links to the same
//! bytes. A program reads one generation if it enters the folder once (`cd dist`) and opens files from there.
#![expect(clippy::disallowed_methods, reason = "this module renames and removes trees, and needs their age")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::error::WriteError;
use super::folder::remove;
use super::output::OutputPaths;
use crate::publish::manifest::MANIFEST_PATH;

/// How long a replaced tree is kept. A later build removes it.
const KEPT_FOR: Duration = Duration::from_mins(15);
/// How many replaced trees are kept: `nameplate dev` makes one with each edit.
const KEPT_AT_MOST: usize = 8;

/// Sets aside the old tree, now at the stage's path.
pub(super) fn set_aside(paths: &OutputPaths) -> io::Result<()> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    fs::rename(&paths.stage, paths.parent.join(format!("{}{}", paths.aside, now.as_nanos())))
}

/// Removes the stage of a killed build, or sets it aside if it may be a replaced tree. Requires the lock.
pub(super) fn sweep(paths: &OutputPaths) -> Result<(), WriteError> {
    let is_whole = fs::symlink_metadata(paths.stage.join(MANIFEST_PATH)).is_ok();
    if is_whole && set_aside(paths).is_ok() {
        return Ok(());
    }
    match remove(&paths.stage) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(WriteError::Leftovers { path: paths.stage.clone(), source: error })
        }
        _ => Ok(()),
    }
}

/// Removes the replaced trees that are old enough. What cannot be removed waits for the next build.
pub(super) fn remove_old(paths: &OutputPaths) {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mut trees = replaced(paths);
    trees.sort_unstable_by(|(one, _), (other, _)| other.cmp(one));
    for (at, (then, path)) in trees.iter().enumerate() {
        // The clock may have been set back.
        if at >= KEPT_AT_MOST || now.abs_diff(*then) >= KEPT_FOR {
            _ = remove(path);
        }
    }
}

/// The replaced trees, with the times at which they were replaced.
fn replaced(paths: &OutputPaths) -> Vec<(Duration, PathBuf)> {
    let time = |path: &Path| {
        let nanoseconds: u64 = path.file_name()?.to_str()?.strip_prefix(&paths.aside)?.parse().ok()?;
        Some(Duration::from_nanos(nanoseconds))
    };
    let entries = fs::read_dir(&paths.parent).into_iter().flatten().flatten();
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
            let path = folder.path().join(format!("{}{}", paths.aside, now.saturating_sub(age).as_nanos()));
            fs::create_dir_all(path.join("v1")).unwrap();
            path
        };
        let (old, new) = (make(KEPT_FOR), make(KEPT_FOR / 2));
        let other = folder.path().join(format!("{}mine", paths.aside));
        fs::write(&other, "").unwrap();
        remove_old(&paths);
        assert!(!old.exists() && new.exists() && other.exists());
        let newest: Vec<_> = (0..8).map(|age| make(Duration::from_secs(age))).collect();
        remove_old(&paths);
        assert!(!new.exists() && newest.iter().all(|tree| tree.exists()));
    }
}
