//! Walks the content folder and reads its files. Links are not followed, so that only files in the folder are published. A
//! feed is not published and may be a link, but only the service that listens to it follows the link: a report here would
//! show lines of any file. A file that can't be read becomes a problem; only a missing folder stops the run.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::entries::Entries;
use super::open::{Folder, kind};
use super::passed_over::passed_over;
use super::problem::{FileSpan, Problem};
use super::problems::Problems;
use super::sources::{Edited, FeedIs, MISSING, Opened, SourceFile, Sources, has_text_ending, is_feed, plain};

/// How the report of a folder begins that can't be opened.
pub(super) const UNREAD_FOLDER: &str = "This folder can't be read: ";
/// The deepest folder that is walked. Content files are at most two deep.
const DEEPEST: usize = 4;

#[derive(Debug, thiserror::Error)]
#[error("can't read the content folder {}: {reason}", folder.display())]
pub struct LoadError {
    pub folder: PathBuf,
    reason: String,
}

impl LoadError {
    pub fn is_missing(&self) -> bool {
        self.reason == MISSING
    }
}

pub(super) fn load(folder: &Path, feed: FeedIs) -> Result<(Sources, Problems), LoadError> {
    load_edited(folder, feed, Edited::new())
}

/// As [`load`], with the files as an edit would leave them.
pub(super) fn load_edited(
    folder: &Path,
    feed: FeedIs,
    edited: Edited,
) -> Result<(Sources, Problems), LoadError> {
    let refused = |reason: String| LoadError { folder: folder.to_owned(), reason };
    let opened = Folder::open(folder).map_err(|error| match error.kind() {
        io::ErrorKind::NotADirectory => refused("it's a file, not a folder".to_owned()),
        _ => refused(plain(&error)),
    })?;
    let mut problems = Problems::default();
    let mut found = Vec::new();
    let mut files = Vec::new();
    #[expect(clippy::disallowed_methods, reason = "this is the file that reads the content folder")]
    // The folder itself may be a link.
    let walk = WalkDir::new(folder).min_depth(1).max_depth(DEEPEST).into_iter();
    for entry in walk.filter_entry(|entry| !passed_over(entry.file_name())) {
        let entry = match entry {
            Ok(entry) => entry,
            // The content folder itself cannot be read.
            Err(error) if error.depth() == 0 => {
                return Err(refused(error.io_error().map_or_else(|| error.to_string(), plain)));
            }
            Err(error) => {
                let path = error.path().map_or_else(String::new, |path| relative(folder, path));
                let reason = error.io_error().map_or_else(|| error.to_string(), plain);
                let hint =
                    format!("Give your account access: chmod -R u+rwX {}", folder.join(&path).display());
                problems.push(Problem::in_file(&path, format!("{UNREAD_FOLDER}{reason}.")).hint(hint));
                continue;
            }
        };
        let path = relative(folder, entry.path());
        if entry.file_name().to_str().is_none() {
            let problem = Problem::in_file(&path, "This file's name isn't plain text.");
            problems.push(problem.hint("Rename it, for example to jane-doe.toml."));
        } else if entry.file_type().is_dir() {
            problems.extend(about_folder(&path, feed));
        } else if entry.file_type().is_file() {
            found.push(path);
        } else if is_feed(&path) && entry.path_is_symlink() {
            problems.extend(about_linked_feed(entry.path(), &path, feed));
            files.push((path, if feed.is_read() { SourceFile::LinkedFeed } else { SourceFile::Unread }));
        } else {
            let what = format!("This is {}; only files are read.", kind(entry.file_type()));
            let hint = if is_feed(&path) {
                "Write the feed to a file, then rename that file to this name."
            } else {
                "Put the file itself here."
            };
            problems.push(Problem::in_file(&path, what).hint(hint));
        }
    }
    found.retain(|path| !edited.contains_key(path));
    found.extend(edited.iter().filter(|(_, text)| text.is_some()).map(|(path, _)| path.clone()));
    let shown_folder = folder.to_string_lossy().trim_end_matches('/').to_owned();
    let opened = Opened::Folder(opened, edited);
    let (sources, unreadable) = Sources::read_all(opened, shown_folder, found, files, feed);
    problems.extend(unreadable);
    Ok((sources, problems))
}

pub(super) fn load_entries(entries: Entries, feed: FeedIs) -> (Sources, Problems) {
    let mut problems = Problems::default();
    let is_walked = |path: &&str| {
        path.split('/').count() <= DEEPEST && !path.split('/').any(|name| passed_over(OsStr::new(name)))
    };
    let found: Vec<String> =
        entries.iter().map(|(path, _)| path).filter(is_walked).map(str::to_owned).collect();
    let folders = found.iter().flat_map(|path| path.match_indices('/').map(|(end, _)| &path[..end]));
    for folder in folders.collect::<BTreeSet<_>>() {
        problems.extend(about_folder(folder, feed));
    }
    let (sources, unreadable) =
        Sources::read_all(Opened::Memory(entries), String::new(), found, Vec::new(), feed);
    problems.extend(unreadable);
    (sources, problems)
}

fn about_folder(path: &str, feed: FeedIs) -> Option<Problem> {
    if !has_text_ending(path) && !is_feed(path) {
        return None;
    }
    let (place, what) = (FileSpan::file(path), "This is a folder, but it must be a file.");
    // Mounting a feed file that does not exist creates a folder in its place. A service can wait for its feed: this must
    // not hold back the content.
    let is_awaited = is_feed(path) && !feed.is_read();
    let problem = if is_awaited { Problem::warning(place, what) } else { Problem::error(place, what) };
    Some(problem.hint("Move its contents out, and delete the folder."))
}

/// Only a warning for a service that listens to it: the target of the link can change at any time without an edit.
fn about_linked_feed(link: &Path, path: &str, feed: FeedIs) -> Option<Problem> {
    #[expect(clippy::disallowed_methods, reason = "this is the file that reads the content folder")]
    let leads_to_file = fs::metadata(link).is_ok_and(|metadata| metadata.is_file());
    let place = FileSpan::file(path);
    if leads_to_file {
        let what = "This is a symlink. The live service reads the file it points to, but nothing is \
                    checked here.";
        let problem =
            || Problem::warning(place, what).hint("To check the lines, check a copy of the file itself.");
        return feed.is_read().then(problem);
    }
    let what = "This is a symlink, and its target can't be read.";
    let problem = if feed.is_read() { Problem::error(place, what) } else { Problem::warning(place, what) };
    Some(problem.hint("Point it to the feed's file, or delete it."))
}

fn relative(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::check;
    use crate::content::offer::Repaired;
    use crate::content::sources::BUSY_PATH;

    /// It is not a missing feed.
    #[test]
    fn a_folder_in_the_place_of_a_feed_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        #[expect(clippy::disallowed_methods, reason = "a test makes what it reads")]
        std::fs::create_dir_all(folder.path().join(BUSY_PATH)).unwrap();
        let (_, problems) = load(folder.path(), FeedIs::Judged).unwrap();
        assert!(problems.iter().any(|problem| problem.what().contains("must be a file")));
    }

    /// Its files would be reported as missing, and their counterparts as strays to delete.
    #[test]
    fn a_folder_that_cannot_be_opened_is_reported_alone() {
        let hours = ("availability/a.toml".to_owned(), bytes::Bytes::from_static(b"timezone = \"UTC\""));
        let (sources, mut problems) = load_entries(Entries::known([hours].into_iter()), FeedIs::Judged);
        problems.push(Problem::in_file("providers", format!("{UNREAD_FOLDER}permission denied.")));
        let today = chrono::NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
        let checked = check::check(sources, problems, today, |_, _, _| Repaired::default());
        let report = checked.unwrap_err();
        assert_eq!(report.problems().iter().map(Problem::path).collect::<Vec<_>>(), ["providers"]);
    }
}
