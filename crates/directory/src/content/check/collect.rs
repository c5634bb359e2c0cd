//! Reads the files of `providers/` and `availability/`, which are named after slugs, in parallel.

use rayon::prelude::*;

use super::super::bounds::cost;
use super::super::generation::{FileHash, hash_text};
use super::super::mistakes::slug_meant;
use super::super::problem::Problem;
use super::super::problems::Problems;
use super::super::sources::{SourceFile, Sources, has_text_ending};
use super::lints::{self, Findings};
use crate::model::Slug;

/// How many files one task reads: few, so that no thread waits long for another.
const FILES_PER_TASK: usize = 16;
/// What the files that are checked at one time may cost together, however many threads there are: some 128 MB.
const COST_AT_ONCE: usize = 512 << 10;
/// A clinician's file costs less, so it never waits for others.
const LEAST_SHARE: usize = 8 << 10;
/// The largest text that is kept for the report, in bytes.
const KEPT: usize = 64 << 10;

#[derive(Clone, Default)]
pub(super) struct FolderScan {
    pub(super) hashes: Vec<(String, FileHash)>,
    pub(super) findings: Findings,
}

impl FolderScan {
    pub(super) fn start(sources: &Sources) -> Self {
        let mut scan = Self::default();
        for (path, source) in sources.iter() {
            match source {
                SourceFile::Text(text) => scan.add(path.to_owned(), scanned(path, text)),
                SourceFile::Portrait { hash, .. } => scan.hashes.push((path.to_owned(), *hash)),
                _ => {}
            }
        }
        scan
    }

    fn add(&mut self, path: String, (hash, findings): FileScan) {
        self.hashes.push((path, hash));
        self.findings.kept.extend(findings.kept);
        self.findings.cut.extend(findings.cut);
    }
}

type FileScan = (FileHash, Findings);

fn scanned(path: &str, text: &str) -> FileScan {
    (hash_text(text), lints::in_file(path, text))
}

pub(super) struct Input<'a> {
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    pub(super) slug: Slug,
    pub(super) problems: &'a mut Problems,
}

struct FileResult<T> {
    value: Option<T>,
    problems: Problems,
    scan: Option<FileScan>,
    /// The text of a small file with problems, because the report shows lines of it.
    text: Option<String>,
}

/// Keeps only the texts of files with problems, as the report shows their lines.
pub(super) fn collect<T: Send>(
    folder: &str,
    sources: &mut Sources,
    scan: &mut FolderScan,
    problems: &mut Problems,
    read: impl Fn(Input<'_>) -> Option<T> + Sync,
) -> Vec<T> {
    let paths = sources.later(folder);
    let share = (COST_AT_ONCE / rayon::current_num_threads()).max(LEAST_SHARE);
    let results: Vec<Option<FileResult<T>>> = paths
        .par_iter()
        .with_max_len(FILES_PER_TASK)
        .map_init(Vec::new, |buffer, path| read_file(path, folder, sources, buffer, share, &read))
        .collect();
    let mut values = Vec::with_capacity(paths.len());
    for (path, result) in paths.into_iter().zip(results) {
        let alone = || read_file(&path, folder, sources, &mut Vec::new(), usize::MAX, &read);
        let Some(result) = result.or_else(alone) else { continue };
        values.extend(result.value);
        problems.append(result.problems);
        if result.scan.is_none() || result.text.is_some() {
            sources.keep(&path, result.text);
        }
        if let Some(file) = result.scan {
            scan.add(path, file);
        }
    }
    values
}

/// `None` if the file costs more than `share`: then it is not checked beside others.
fn read_file<T>(
    path: &str,
    folder: &str,
    sources: &Sources,
    buffer: &mut Vec<u8>,
    share: usize,
    read: &impl Fn(Input<'_>) -> Option<T>,
) -> Option<FileResult<T>> {
    let unread = |problems| Some(FileResult { value: None, problems, scan: None, text: None });
    let mut problems = Problems::default();
    let slug = slug_of(path, folder, sources, &mut problems);
    let text = match sources.read(path, buffer) {
        Ok(Some(text)) => text,
        // Deleted since the folder was listed.
        Ok(None) => return unread(Problems::default()),
        Err(problem) => {
            problems.push(*problem);
            return unread(problems);
        }
    };
    if cost(text) > share {
        return None;
    }
    let value = slug.and_then(|slug| read(Input { path, text, slug, problems: &mut problems }));
    let scan = Some(scanned(path, text));
    // The report reads a larger file again.
    let text = (!problems.is_empty() && text.len() <= KEPT).then(|| text.to_owned());
    Some(FileResult { value, problems, scan, text })
}

fn slug_of(path: &str, folder: &str, sources: &Sources, problems: &mut Problems) -> Option<Slug> {
    let stem = path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".toml")?;
    if let Some((inner, _)) = stem.rsplit_once('/') {
        // `load` reports a folder with a name that ends in .toml.
        if !has_text_ending(inner) {
            let problem = Problem::in_file(path, "This file is ignored: it's in a subfolder.");
            problems.push(problem.hint(format!("Move it up to {folder}/.")));
        }
        return None;
    }
    match stem.parse() {
        Ok(slug) => Some(slug),
        Err(rule) => {
            let rule = rule.to_string().replace("a slug is", "use");
            let meant = slug_meant(stem).unwrap_or_else(|| "jane-doe".to_owned());
            let (what, hint) = if sources.get(&format!("{folder}/{meant}.toml")).is_some() {
                let what = format!("This looks like a copy of {meant}.toml. Its name isn't a valid slug.");
                (what, format!("Copy what you need to {meant}.toml, and delete this file."))
            } else {
                let what = format!("\"{stem}\" can't be the name of a clinician's file: {rule}.");
                (what, format!("Rename the file to {meant}.toml."))
            };
            problems.push(Problem::in_file(path, what).hint(hint));
            None
        }
    }
}
