//! Files that operating systems and office programs create by themselves.

use std::ffi::OsStr;

/// Files of Windows and macOS. Hidden files are passed over as well.
const OF_SYSTEMS: [&str; 4] = ["Thumbs.db", "ehthumbs.db", "desktop.ini", "Icon\r"];

/// Whether a file or folder of this name is ignored without a warning.
pub(super) fn passed_over(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || OF_SYSTEMS.iter().any(|known| name == *known)
}

/// The lock file that an office program creates beside an open file: `~$jane-doe.toml`.
pub(super) fn is_lock(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with("~$"))
}
