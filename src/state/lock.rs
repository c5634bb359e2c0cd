//! A folder that belongs to one service for as long as it runs.

use std::fmt::Display;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;

use directory::content::{read_file, replace_file};
use live::Vitals;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::outcome::Refusal;

/// The file with the process id of the service that has the folder.
const HOLDER: &str = "pid";

#[derive(Debug)]
pub(crate) enum Closed {
    /// The service must not start with it.
    Refused(Refusal),
    /// The service starts without it.
    Unusable(String),
}

impl Closed {
    /// The system refused. `what` is the kind of folder, and `flag` names another one.
    pub(crate) fn failed(what: &str, folder: &Path, flag: &str, error: impl Display) -> Self {
        let folder = folder.display();
        Self::Unusable(format!(
            "can't use the {what} folder {folder}: {error}; correct that or name another with {flag} DIR, and restart"
        ))
    }
}

/// A folder that was opened, if it can be used. Otherwise the service starts without it and says why.
pub(crate) fn opened<T>(
    name: &'static str,
    opened: Option<Result<T, Closed>>,
    vitals: &Vitals,
) -> Result<Option<T>, Refusal> {
    opened.transpose().or_else(|closed| match closed {
        Closed::Refused(refusal) => Err(refusal),
        Closed::Unusable(why) => {
            vitals.state_kept(name, Some(why));
            Ok(None)
        }
    })
}

/// A locked folder. The system ends the lock with the process.
#[derive(Debug)]
pub(crate) struct Lock {
    pub(crate) folder: PathBuf,
    handle: File,
}

impl Lock {
    /// Locks a state folder, and creates it if it is missing. With `is_shared`, it may still be locked by another service, and
    /// [`Self::ensure`] locks it later. Nothing is written.
    pub(crate) fn acquire(folder: &Path, is_shared: bool) -> Result<Self, Closed> {
        let opened = fs::create_dir_all(folder).and_then(|()| File::open(folder));
        let handle = opened.map_err(|error| {
            if folder.is_symlink() && !folder.exists() {
                return Closed::failed("state", folder, "--state-dir", "it is a broken symlink");
            }
            Closed::failed("state", folder, "--state-dir", error)
        })?;
        let lock = Self { folder: folder.to_owned(), handle };
        match flock(&lock.handle, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) if is_shared => {}
            Err(Errno::WOULDBLOCK) => {
                let (folder, holder) = (folder.display(), lock.holder());
                let refusal = format!(
                    "the state folder {folder} is in use by {holder}: stop it, or name another folder with --state-dir DIR"
                );
                return Err(Closed::Refused(Refusal::new(refusal).passing()));
            }
            Err(error) => return Err(Closed::failed("state", folder, "--state-dir", error)),
        }
        Ok(lock)
    }

    /// Locks the folder if another service had it at the start, and shows that it can be written.
    pub(crate) fn ensure(&self) -> io::Result<()> {
        flock(&self.handle, FlockOperation::NonBlockingLockExclusive).map_err(|error| match error {
            Errno::WOULDBLOCK => {
                let (folder, holder) = (self.folder.display(), self.holder());
                io::Error::other(format!("{folder} is in use by {holder}"))
            }
            error => error.into(),
        })?;
        let written = replace_file(&self.folder.join(HOLDER), process::id().to_string().as_bytes());
        written.map_err(|error| {
            let folder = self.folder.display();
            io::Error::new(error.kind(), format!("{folder} can't be written: {error}"))
        })
    }

    fn holder(&self) -> String {
        let read = read_file(&self.folder.join(HOLDER), 20).ok();
        let id = read.and_then(|bytes| str::from_utf8(&bytes).ok()?.parse::<u32>().ok());
        id.map_or_else(|| "another service".to_owned(), |id| format!("another service (process {id})"))
    }
}
