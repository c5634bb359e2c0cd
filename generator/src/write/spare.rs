//! How the published files that have not changed come into the stage, and what a stage that was a tree before loses.
//!
//! After an exchange the tree of before lies in the stage. Nearly all of its files are those of the published tree under
//! a second name: the next build leaves these where they are, instead of removing and linking each of them anew. Nothing
//! in a spare tree is believed: a file stays if it *is* the published one, which was looked at, by its identity on the
//! disk. Whatever else lies there, of an older tree or of anybody, makes way. So it does not matter who has been at a
//! spare tree, nor when the build that left it was killed.
#![expect(clippy::disallowed_methods, reason = "this is the room that writes the tree")]

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::error::WriteError;
use super::folder::{self, Folder, Found, Identity};
use super::stage::Stage;
use crate::path::TreePath;

/// A file of the new tree: which published one it is, or that it was written into the stage.
pub(super) type Wanted<'a> = (&'a TreePath, Option<Identity>);

impl Stage<'_> {
    /// Takes over the published files among these, which are all of the new tree but its manifest, and removes what is
    /// none of them. One thread is at work in a folder: the system lets only one change it at a time.
    pub(super) fn join(&self, files: &[Wanted<'_>]) -> Result<(), WriteError> {
        self.make()?;
        let mut folders: BTreeMap<&str, Vec<Wanted<'_>>> = BTreeMap::from([("", Vec::new())]);
        folders.extend(self.folders.iter().map(|folder| (*folder, Vec::new())));
        for &(path, identity) in files {
            folders.entry(path.folder()).or_default().push((path, identity));
        }
        let folders: Vec<_> = folders.into_iter().collect();
        folders.par_iter().try_for_each(|(folder, files)| self.join_folder(folder, files))
    }

    fn join_folder(&self, folder: &str, files: &[Wanted<'_>]) -> Result<(), WriteError> {
        let (from, to) = (self.place.out.join(folder), self.place.stage.join(folder));
        let open = |folder: &Path| Folder::open(folder).map_err(WriteError::io("open the folder", folder));
        let to_folder = open(&to)?;
        let missing = if self.is_spare {
            self.clean(folder, &to, &to_folder, files).map_err(WriteError::io("make way in", &to))?
        } else {
            files.iter().filter_map(|(path, kept)| kept.is_some().then_some(*path)).collect()
        };
        if missing.is_empty() {
            return Ok(());
        }
        let from_folder = open(&from)?;
        missing.iter().try_for_each(|path| {
            let linked = from_folder.link(path.name(), &to_folder).or_else(|_| {
                // Some file systems have no hard links, and all have a limit for one file.
                self.is_linked.store(false, Ordering::Relaxed);
                let (from, to) = (from.join(path.name()), to.join(path.name()));
                fs::copy(&from, &to)?;
                let time = fs::symlink_metadata(&from)?.modified()?;
                File::options().write(true).open(&to)?.set_modified(time)
            });
            linked.map_err(WriteError::io("link", &path.under(&self.place.stage)))
        })
    }

    /// Removes from a folder of a spare tree what does not belong there now, and tells which published files are not
    /// there.
    fn clean<'p>(
        &self,
        folder: &str,
        path: &Path,
        open: &Folder,
        files: &[Wanted<'p>],
    ) -> io::Result<Vec<&'p TreePath>> {
        let mut there = folder::found(path, open)?;
        let mut missing = Vec::new();
        for &(file, kept) in files {
            let found = there.remove(OsStr::new(file.name()));
            let Some(kept) = kept else { continue };
            if found.as_ref().and_then(|found| found.identity) == Some(kept) {
                continue;
            }
            missing.push(file);
            if let Some(found) = found {
                remove(path, open, OsStr::new(file.name()), &found)?;
            }
        }
        self.remove_all_but_folders(folder, path, open, there)?;
        Ok(missing)
    }

    fn remove_all_but_folders(
        &self,
        folder: &str,
        path: &Path,
        open: &Folder,
        there: HashMap<OsString, Found>,
    ) -> io::Result<()> {
        let is_needed = |name: &OsStr| {
            let name = name
                .to_str()
                .map(|name| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") });
            name.is_some_and(|name| self.folders.contains(name.as_str()))
        };
        let extra = there.into_iter().filter(|(name, found)| !(found.is_folder && is_needed(name)));
        for (name, found) in extra {
            remove(path, open, &name, &found)?;
        }
        Ok(())
    }
}

/// Removes something from a folder, whatever it is. What is a link is not followed.
fn remove(folder: &Path, open: &Folder, name: &OsStr, found: &Found) -> io::Result<()> {
    if found.is_folder { folder::remove(&folder.join(name)) } else { open.remove(name) }
}
