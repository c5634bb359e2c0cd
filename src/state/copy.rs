//! Copies of a content folder.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use directory::calendar::FeedMode;
use directory::content::{Folder, feed_path};
use walkdir::{DirEntry, WalkDir};

/// Makes `to` equal to `from`. A file of `to` with the same size and time stays; one of `other` is linked and not copied.
pub(super) fn copy_folder(from: &Path, to: &Path, other: Option<&Path>) -> Result<(), io::Error> {
    let opened = Folder::open(from)?;
    let linked = other.and_then(|other| Folder::open(other).ok());
    fs::create_dir_all(to)?;
    // First, removes entries that the content folder no longer has or has as another kind.
    for entry in WalkDir::new(to).min_depth(1).contents_first(true) {
        let entry = entry?;
        let path = entry.path().strip_prefix(to).unwrap_or(entry.path());
        let is_kept =
            fs::symlink_metadata(from.join(path)).is_ok_and(|found| found.file_type() == entry.file_type());
        if entry.file_type().is_dir() {
            if !is_kept {
                fs::remove_dir(entry.path())?;
            }
        } else if !is_kept || is_feed(path) {
            fs::remove_file(entry.path())?;
        }
    }
    let is_visible = |entry: &DirEntry| !entry.file_name().as_encoded_bytes().starts_with(b".");
    for entry in WalkDir::new(from).min_depth(1).into_iter().filter_entry(is_visible) {
        let entry = entry?;
        let path = entry.path().strip_prefix(from).unwrap_or(entry.path());
        let (target, before) = (to.join(path), other.map(|other| other.join(path)));
        if entry.file_type().is_dir() {
            fs::create_dir_all(&target)?;
        } else if entry.file_type().is_file() && !is_feed(path) {
            let found = entry.metadata()?;
            let copied = target.symlink_metadata();
            if copied.as_ref().is_ok_and(|copied| is_same(&found, copied)) {
                continue;
            }
            if copied.is_ok() {
                fs::remove_file(&target)?;
            }
            // Opened, since a folder on the way may be a link.
            let kept = linked.as_ref().and_then(|other| other.file(path).ok()?.metadata().ok());
            if let Some(before) = before.filter(|_| kept.is_some_and(|kept| is_same(&found, &kept)))
                && fs::hard_link(&before, &target).is_ok()
            {
                continue;
            }
            copy_file(&opened, path, &target)?;
        }
    }
    Ok(())
}

/// Copies a file with its time, and no link or pipe that took its place since it was seen.
fn copy_file(content: &Folder, path: &Path, target: &Path) -> Result<(), io::Error> {
    let mut file = content.file(path).map_err(io::Error::other)?;
    let mut copy = File::create_new(target)?;
    io::copy(&mut file, &mut copy)?;
    copy.set_modified(file.metadata()?.modified()?)
}

fn is_feed(path: &Path) -> bool {
    [FeedMode::Busy, FeedMode::Open].into_iter().any(|mode| path == Path::new(feed_path(mode)))
}

fn is_same(found: &Metadata, copied: &Metadata) -> bool {
    copied.is_file() && copied.len() == found.len() && copied.modified().ok() == found.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_behind_a_link_is_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to, other] = ["from", "to", "other"].map(|name| folder.path().join(name));
        fs::create_dir_all(from.join("a")).unwrap();
        fs::write(folder.path().join("secret"), "secret").unwrap();
        std::os::unix::fs::symlink("../secret", from.join("link")).unwrap();
        copy_folder(&from, &to, Some(&other)).unwrap();
        assert!(to.join("link").symlink_metadata().is_err());
        // The walk saw a file, and it is a link when it is opened.
        let opened = Folder::open(&from).unwrap();
        assert!(copy_file(&opened, Path::new("link"), &to.join("copied")).is_err());
        assert!(to.join("copied").symlink_metadata().is_err());
    }

    #[test]
    fn a_copy_follows_deleted_and_changed_files() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to, other] = ["from", "to", "other"].map(|name| folder.path().join(name));
        fs::create_dir_all(from.join("a")).unwrap();
        fs::write(from.join("a/one"), "1").unwrap();
        fs::write(from.join("two"), "2").unwrap();
        fs::create_dir_all(from.join(".git")).unwrap();
        fs::write(from.join(".git/index"), "3").unwrap();
        copy_folder(&from, &to, Some(&other)).unwrap();
        fs::remove_dir_all(from.join("a")).unwrap();
        fs::write(from.join("a"), "now a file").unwrap();
        fs::write(from.join("two"), "22").unwrap();
        copy_folder(&from, &to, Some(&other)).unwrap();
        assert_eq!(fs::read_to_string(to.join("a")).unwrap(), "now a file");
        assert_eq!(fs::read_to_string(to.join("two")).unwrap(), "22");
        assert_eq!(fs::read_dir(&to).unwrap().count(), 2);
    }
}
