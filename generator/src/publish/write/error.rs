use std::io;
use std::path::{Path, PathBuf};

use directory::told::reason;

#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("\"{0}\" doesn't end in a folder name; use an output such as \"dist\"")]
    NoName(PathBuf),
    #[error("{0} isn't a folder; remove it or choose another output")]
    NotAFolder(PathBuf),
    #[error("{0} is a symlink: name the folder itself")]
    Symlink(PathBuf),
    #[error(
        "{0} isn't a Nameplate build, so nothing was changed; empty it, choose another output, or replace everything in it with --force"
    )]
    Foreign(PathBuf),
    #[error("another build is publishing to {0}; wait until it has finished, and run this again")]
    Busy(PathBuf),
    #[error(
        "the lock file {0} is a link or not a regular file, so nothing was written to it; remove it and run this again"
    )]
    OtherLock(PathBuf),
    #[error("can't remove {path}, left by an earlier build: {source}; remove that folder and run this again", path = path.display())]
    Leftovers { path: PathBuf, source: io::Error },
    #[error(
        "{0} can't be replaced in one step, so it wasn't touched; it may be a mount point or a network folder: \
         choose an output inside a folder on a local disk"
    )]
    NoExchange(PathBuf),
    #[error("can't {action} {path}: {}; {advice}", reason(source), path = path.display())]
    Io {
        /// Such as "write".
        action: &'static str,
        path: PathBuf,
        advice: &'static str,
        source: io::Error,
    },
}

impl WriteError {
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
            "choose a folder where you may write, with --out"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file is where a folder should be: remove it or choose another output"
        }
        _ => "the published tree is unchanged: fix this and run again",
    }
}
