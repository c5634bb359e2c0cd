//! Why a tree was not written. Each message says what is wrong, where, and what to do.

use std::io;
use std::path::{Path, PathBuf};

/// Why the tree was not written. The output is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The output's path does not end in a name.
    #[error("\"{0}\" does not end in a folder's name; give an output such as \"dist\"")]
    NoName(PathBuf),
    /// The output exists and is not a folder.
    #[error("{0} is not a folder; remove it or choose another output")]
    NotAFolder(PathBuf),
    /// The output has files but no manifest of this program.
    #[error(
        "{0} has files in it but no v1/manifest.json of this program, so it was not touched; empty it, choose another output, or replace it whole with --force"
    )]
    Foreign(PathBuf),
    /// Another build holds the lock.
    #[error("another build is publishing to {0}; wait until it has ended and run this one again")]
    Busy(PathBuf),
    /// The lock file is not a plain file with one name.
    #[error(
        "{0} is not a plain file with one name, so nothing was written into it; remove it and run this again"
    )]
    OtherLock(PathBuf),
    /// The stage of an earlier build cannot be removed.
    #[error("cannot remove {path}, left by an earlier build: {source}; remove that folder and run this again", path = path.display())]
    Leftovers {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file system cannot swap two folders in one step.
    #[error(
        "{0} cannot be replaced in one step, as a mount point or a network folder cannot, so it was not \
         touched; choose an output inside a folder on a local disk"
    )]
    NoExchange(PathBuf),
    /// The file system refused something.
    #[error("cannot {action} {path}: {source}; {advice}", path = path.display())]
    Io {
        /// What was attempted, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What to do.
        advice: &'static str,
        /// The system's error.
        source: io::Error,
    },
}

impl WriteError {
    /// For `map_err`: the attempted action and its path.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { action, path, advice: advice(source.kind()), source }
    }
}

fn advice(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space there and run this again"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "choose an output where you may write"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file is where a folder should be: remove it or choose another output"
        }
        _ => "the published tree is unchanged: fix this and run again",
    }
}
