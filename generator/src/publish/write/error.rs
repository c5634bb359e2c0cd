//! Why a tree was not written. Each message says what is wrong, where, and what to do.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("\"{0}\" does not end in a folder's name; give an output such as \"dist\"")]
    NoName(PathBuf),
    #[error("{0} is not a folder; remove it or choose another output")]
    NotAFolder(PathBuf),
    #[error(
        "{0} has files in it but no v1/manifest.json of this program, so it was not touched; empty it, choose another output, or replace it whole with --force"
    )]
    Foreign(PathBuf),
    #[error("another build is publishing to {0}; wait until it has ended and run this one again")]
    Busy(PathBuf),
    #[error(
        "{0} is not a plain file with one name, so nothing was written into it; remove it and run this again"
    )]
    OtherLock(PathBuf),
    #[error("cannot remove {path}, left by an earlier build: {source}; remove that folder and run this again", path = path.display())]
    Leftovers { path: PathBuf, source: io::Error },
    #[error(
        "{0} cannot be replaced in one step, as a mount point or a network folder cannot, so it was not \
         touched; choose an output inside a folder on a local disk"
    )]
    NoExchange(PathBuf),
    #[error("cannot {action} {path}: {source}; {advice}", path = path.display())]
    Io {
        /// What was attempted, as a verb.
        action: &'static str,
        path: PathBuf,
        advice: &'static str,
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
