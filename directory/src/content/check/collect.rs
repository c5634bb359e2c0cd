//! Reads each file of the folders whose files are named after slugs.

use rayon::prelude::*;

use super::super::fingerprint::{Files, TextHash};
use super::super::load::{Source, Sources, has_text_ending};
use super::super::problem::{Place, Problem};
use super::super::problems::Problems;
use super::super::words::slug_meant;
use super::lints::{self, Findings};
use crate::model::Slug;

/// How many files one task reads: few, so that no thread waits long for another.
const IN_A_PIECE: usize = 16;
/// The largest text that is kept for the report, in bytes.
const KEPT: usize = 64 << 10;

/// What is needed of each file, of whatever kind.
#[derive(Default)]
pub(super) struct EachFile {
    pub(super) hashes: Files,
    pub(super) findings: Findings,
}

impl EachFile {
    /// The files that are in memory already.
    pub(super) fn of(sources: &Sources) -> Self {
        let mut each = Self::default();
        for (path, source) in sources.iter() {
            match source {
                Source::Text(text) => each.add(path.to_owned(), Scanned::of(path, text)),
                source => each.hashes.add_beside(path, source),
            }
        }
        each
    }

    fn add(&mut self, path: String, scanned: Scanned) {
        self.hashes.add(path, scanned.hash);
        self.findings.kept.extend(scanned.findings.kept);
        self.findings.cut.extend(scanned.findings.cut);
    }
}

/// The hash and the findings of a file.
struct Scanned {
    hash: TextHash,
    findings: Findings,
}

impl Scanned {
    fn of(path: &str, text: &str) -> Self {
        Self { hash: TextHash::of(text), findings: lints::in_file(path, text) }
    }
}

/// A file that one provider's data are read from.
pub(super) struct Input<'a> {
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    pub(super) slug: Slug,
    pub(super) problems: &'a mut Problems,
}

/// The result of one file.
struct Looked<T> {
    value: Option<T>,
    problems: Problems,
    /// `None` if the file could not be read.
    scanned: Option<Scanned>,
    /// The text of a small file with problems, because the report shows lines of it.
    text: Option<String>,
}

/// Reads each file of a folder. Drops the texts of files without problems.
pub(super) fn collect<T: Send>(
    folder: &str,
    sources: &mut Sources,
    each: &mut EachFile,
    problems: &mut Problems,
    read: impl Fn(Input<'_>) -> Option<T> + Sync,
) -> Vec<T> {
    let paths = sources.later(folder);
    let looked: Vec<Looked<T>> = paths
        .par_iter()
        .with_max_len(IN_A_PIECE)
        .map_init(Vec::new, |buffer, path| look_at(path, folder, sources, buffer, &read))
        .collect();
    let mut values = Vec::with_capacity(paths.len());
    for (path, looked) in paths.into_iter().zip(looked) {
        values.extend(looked.value);
        problems.append(looked.problems);
        if looked.scanned.is_none() || looked.text.is_some() {
            sources.keep(&path, looked.text);
        }
        if let Some(scanned) = looked.scanned {
            each.add(path, scanned);
        }
    }
    values
}

fn look_at<T>(
    path: &str,
    folder: &str,
    sources: &Sources,
    buffer: &mut Vec<u8>,
    read: &impl Fn(Input<'_>) -> Option<T>,
) -> Looked<T> {
    let nothing = |problems| Looked { value: None, problems, scanned: None, text: None };
    let mut problems = Problems::default();
    let slug = slug_of(path, folder, sources, &mut problems);
    let text = match sources.read(path, buffer) {
        Ok(Some(text)) => text,
        // Deleted since the folder was listed.
        Ok(None) => return nothing(Problems::default()),
        Err(problem) => {
            problems.push(*problem);
            return nothing(problems);
        }
    };
    let value = slug.and_then(|slug| read(Input { path, text, slug, problems: &mut problems }));
    let scanned = Some(Scanned::of(path, text));
    // The report reads a larger file again.
    let text = (!problems.is_empty() && text.len() <= KEPT).then(|| text.to_owned());
    Looked { value, problems, scanned, text }
}

/// The slug in a file's name.
fn slug_of(path: &str, folder: &str, sources: &Sources, problems: &mut Problems) -> Option<Slug> {
    let stem = path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".toml")?;
    if let Some((inner, _)) = stem.rsplit_once('/') {
        // Reported as a folder with the name of a file.
        if !has_text_ending(inner) {
            let problem = Problem::error(Place::file(path), "nothing reads files in a folder of this folder");
            problems.push(problem.hint(format!("move it up into {folder}/")));
        }
        return None;
    }
    match stem.parse() {
        Ok(slug) => Some(slug),
        Err(rule) => {
            let meant = slug_meant(stem).unwrap_or_else(|| "jane-doe".to_owned());
            let (what, hint) = if sources.get(&format!("{folder}/{meant}.toml")).is_some() {
                let what =
                    format!("this looks like a copy of {meant}.toml, and \"{stem}\" is not a slug: {rule}");
                (what, format!("keep what is right in {meant}.toml, and delete this file"))
            } else {
                let what =
                    format!("the file's name is the provider's slug, and \"{stem}\" is not a slug: {rule}");
                (what, format!("rename the file: {meant}.toml"))
            };
            problems.push(Problem::error(Place::file(path), what).hint(hint));
            None
        }
    }
}
