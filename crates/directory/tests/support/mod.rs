//! Helpers of the content tests.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of these tests.
pub(crate) fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// A copy of the clinic's folder, which exists as long as the first value.
pub(crate) fn clinic() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    let clinic = tests().join("clinic");
    for entry in walkdir::WalkDir::new(&clinic) {
        let entry = entry.unwrap();
        let target = content.join(entry.path().strip_prefix(&clinic).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
    (folder, content)
}
