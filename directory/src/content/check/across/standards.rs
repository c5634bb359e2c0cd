//! Whether healthcare's own readers can read the exports.

use super::context::DirectoryContext;
use crate::content::problem::{Place, Problem};
use crate::content::problems::Problems;

/// The most clinicians whose open times readers can fetch as files: some two gigabytes.
const MOST: usize = 10_000;

/// Warns a clinic with more clinicians: their open times are too large to be fetched as files.
pub(super) fn exports_are_of_a_readable_size(context: &DirectoryContext<'_>, problems: &mut Problems) {
    let (directory, count) = (context.directory, context.directory.providers().len());
    if directory.organisation().standards().is_none() || count <= MOST {
        return;
    }
    let what = format!(
        "[standards] lists every open time in files, and those of {count} clinicians are too large for their readers"
    );
    let hint =
        "delete [standards], and point readers to /v1/availability, which answers for one state at a time";
    problems.push(Problem::warning(Place::file("directory.toml"), what).hint(hint));
}
