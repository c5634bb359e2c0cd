//! Files that programs and systems put into folders by themselves.

use std::ffi::OsStr;

/// What Windows and macOS write beside the files of people; hidden files are passed over as well.
const OF_SYSTEMS: [&str; 4] = ["Thumbs.db", "ehthumbs.db", "desktop.ini", "Icon\r"];

/// Whether a file or folder of this name is passed over without a word.
pub(super) fn passed_over(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || OF_SYSTEMS.iter().any(|known| name == *known)
}

/// The file that an office program keeps beside one that it has open: `~$jane-doe.toml`.
pub(super) fn is_lock(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with("~$"))
}
