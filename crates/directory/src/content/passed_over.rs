//! Names of files that operating systems and office programs create.

use std::ffi::OsStr;

const SYSTEM_FILES: [&str; 4] = ["Thumbs.db", "ehthumbs.db", "desktop.ini", "Icon\r"];

/// Whether a file or folder is ignored without a warning: a hidden one, or one of the system.
pub(super) fn passed_over(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || SYSTEM_FILES.iter().any(|known| name == *known)
}

/// The lock file that an office program creates beside an open file: `~$jane-doe.toml`.
pub(super) fn is_lock(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with("~$"))
}
