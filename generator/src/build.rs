//! A build, from one end to the other: plan, render, publish.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use chrono::DateTime;
use directory::Directory;
use directory::api::{Fault, Operation, OperationId, Request, Snapshot};
use directory::content::{Fingerprint, LARGEST_PORTRAIT};
use directory::model::{Headshot, Shrunk};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::changes::Collector;
use crate::compress;
use crate::edge::{self, EdgeError};
use crate::inputs;
use crate::manifest::{Manifest, ManifestEntry};
use crate::openapi;
use crate::options::BuildOptions;
use crate::pages::{Page, PageError, Pages};
use crate::path::{PathError, TreePath, disjoint};
use crate::plan::{PlanError, plan};
use crate::read::{self, ReadError};
use crate::retire::Gone;
use crate::site::{Site, SiteError};
use crate::summary::{self, Summary};
use crate::write::{self, Held, Memory, Output, WriteError};

/// Why nothing was published. The output is as it was.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The answers cannot be laid out as files.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The files cannot be laid out as a tree.
    #[error(transparent)]
    Path(#[from] PathError),
    /// An answer that should be published cannot be given.
    #[error("{path} cannot be published: {code}: {message}", code = .fault.kind().code(), message = .fault.message())]
    Answer {
        /// The file.
        path: String,
        /// Why not.
        fault: Fault,
    },
    /// A page cannot be made.
    #[error(transparent)]
    Page(#[from] PageError),
    /// The site's folder cannot be used.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// A portrait cannot be read.
    #[error("a portrait cannot be published: {0}")]
    Portrait(#[from] ReadError),
    /// The host's rules cannot be written.
    #[error("the host's rules cannot be written: {0}")]
    Edge(#[from] EdgeError),
    /// The tree cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// More clinicians would vanish from the published tree than may.
    #[error(
        "{0}, so nothing was published: if the content folder is not whole, restore it; if they left, list them in \
         retired.toml, or publish all the same with --accept-shrink"
    )]
    Shrunk(Shrunk),
    /// The output would lie in a folder that is read.
    #[error(
        "the output {out} lies inside {source_folder}, which the tree is made from; choose an output beside it, such as \"dist\"",
        out = .out.display(), source_folder = .source_folder.display()
    )]
    OutputInside {
        /// The output.
        out: PathBuf,
        /// The folder around it.
        source_folder: PathBuf,
    },
    /// A folder that is read lies in the output.
    #[error(
        "{source_folder} lies inside the output {out}, which is replaced as a whole; choose another output, or move it out of there",
        out = .out.display(), source_folder = .source_folder.display()
    )]
    SourceInside {
        /// The output.
        out: PathBuf,
        /// The folder inside it.
        source_folder: PathBuf,
    },
}

/// Publishes a snapshot.
///
/// The same snapshot, site and portraits give the same bytes, on any machine and any number of threads.
///
/// # Errors
/// What kept the tree from being published, as a sentence; the output is then as it was.
pub fn build(snapshot: &Snapshot, options: &BuildOptions) -> Result<Summary, BuildError> {
    build_and_tell(snapshot, options, None, &|_| {})
}

/// The same, and tells how far it has come, from any thread. Where it is known what the content was, the next build is
/// left a memory of what came of it.
pub(crate) fn build_and_tell(
    snapshot: &Snapshot,
    options: &BuildOptions,
    checked: Option<&Fingerprint>,
    tell: &(dyn Fn(Progress) + Sync),
) -> Result<Summary, BuildError> {
    options.apart()?;
    let output = Output { folder: &options.out, force: options.force };
    // None needs another, and all have work in them: the manifest of a large tree is megabytes, as is the program.
    let (layout, (held, program)) = rayon::join(
        || Layout::new(snapshot, options, checked),
        || rayon::join(|| output.hold::<BuildError>(), || checked.and_then(|_| inputs::program())),
    );
    let (layout, held) = (layout?, held?);
    guard_against_shrinking(snapshot.directory(), &held, options)?;
    tell(Progress::Planned(layout.files.len()));
    let (words, gone) = (Collector::default(), Gone::default());
    let changes = write::publish(
        &held,
        snapshot.directory().generation(),
        &layout.files,
        |file, buffer| {
            let body = layout.body(file, buffer);
            tell(Progress::Rendered);
            body
        },
        |path, before, after| {
            if profile_slug(path).is_some() {
                words.note(before, after);
                gone.note(before, after);
            }
        },
    )?;
    if let Some(((content, site), program)) = layout.inputs().zip(program) {
        let inputs = inputs::fold(&program, options, content, site);
        held.remember(&Memory { inputs, manifest: changes.manifest, notes: layout.notes.clone() });
    }
    let Layout { pages, files, mut notes, .. } = layout;
    // Tens of thousands of small pieces each.
    rayon::join(|| drop(pages), || drop((files, held)));
    notes.extend(summary::foreign(&changes.foreign, &options.out));
    notes.extend(gone.notes(snapshot.directory()));
    Ok(Summary {
        files: changes.files,
        written: changes.written,
        removed: changes.removed,
        bytes: changes.bytes,
        generation: snapshot.directory().generation().to_string(),
        notes,
        changes: words.sentences(),
    })
}

/// Refuses a directory in which too many of the published clinicians are missing.
fn guard_against_shrinking(
    directory: &Directory,
    held: &Held,
    options: &BuildOptions,
) -> Result<(), BuildError> {
    let (Some(max_shrink), Some(published)) = (options.max_shrink, held.manifest()) else { return Ok(()) };
    let profiles = || published.files().iter().filter_map(|file| Some((profile_slug(file.path())?, file)));
    let slugs: Vec<&str> = profiles().map(|(slug, _)| slug).collect();
    let files: HashMap<&str, &ManifestEntry> = profiles().collect();
    let id_of = |slug: &str| {
        let profile: serde_json::Value = serde_json::from_slice(&held.body(files.get(slug)?)?).ok()?;
        Some(profile["id"].as_str()?.to_owned())
    };
    max_shrink.compare_slugs(&slugs, id_of, directory).map_err(BuildError::Shrunk)
}

/// The manifest of the tree that [`build`] would publish, without a look at the output and without a write:
/// what a host of these answers is compared with.
///
/// # Errors
/// What would keep the tree from being published.
pub fn preview(snapshot: &Snapshot, options: &BuildOptions) -> Result<Manifest, BuildError> {
    let layout = Layout::new(snapshot, options, None)?;
    let entries: Vec<Result<Option<ManifestEntry>, BuildError>> = layout
        .files
        .par_iter()
        .map_init(Vec::new, |buffer, file| {
            Ok(layout.body(file, buffer)?.map(|body| ManifestEntry::of(&file.path, body)))
        })
        .collect();
    let entries: Vec<Option<ManifestEntry>> = entries.into_iter().collect::<Result<_, _>>()?;
    Ok(Manifest::new(snapshot.directory().generation(), entries.into_iter().flatten().collect()))
}

/// How far a build has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// So many files there will be.
    Planned(usize),
    /// One more of them is rendered and compared.
    Rendered,
}

/// About as many files as there are besides answers and pages.
const MOST_OTHERS: usize = 128;

/// Every file of a tree, and what it is made of.
struct Layout<'a> {
    snapshot: &'a Snapshot,
    pages: Option<Pages<'a>>,
    files: Vec<PlannedFile>,
    notes: Vec<String>,
    /// The hash of the site's folder.
    overlay: [u8; 32],
    /// What the content was when it was checked, if somebody wants to know.
    checked: Option<&'a Fingerprint>,
    /// Whether a portrait, which is read for a second time, is no longer what was checked.
    has_changed: AtomicBool,
}

impl<'a> Layout<'a> {
    fn new(
        snapshot: &'a Snapshot,
        options: &BuildOptions,
        checked: Option<&'a Fingerprint>,
    ) -> Result<Self, BuildError> {
        let directory = snapshot.directory();
        let site = Site::load(options.site.as_deref())?;
        // None of these needs another, and each has work for one thread in it.
        let (described, (site_of_pages, plan)) = rayon::join(
            || openapi::files(snapshot),
            || {
                let pages = || -> Result<_, BuildError> {
                    let pages = Pages::new(snapshot, &site)?;
                    let all = pages.all()?;
                    let beside = pages.files(&all)?;
                    Ok((pages, all, beside))
                };
                rayon::join(|| options.with_pages.then(pages).transpose(), || plan(directory))
            },
        );
        let (site_of_pages, plan, described) = (site_of_pages?, plan?, described?);
        let edge = edge::rules(options.target, directory, &plan)?;

        let (pages, all, beside) = match site_of_pages {
            Some((pages, all, beside)) => (Some(pages), all, beside),
            None => (None, Vec::new(), Vec::new()),
        };
        let mut files = Vec::with_capacity(plan.entries().len() + all.len() + MOST_OTHERS);
        let mut add =
            |path: TreePath, source: Source| files.push(PlannedFile { path, source, is_compressed: false });
        for (path, request) in plan.into_entries() {
            add(path, Source::Answer(request));
        }
        add(edge::NOT_FOUND_PATH.parse()?, Source::Bytes(Fault::not_found().body()));
        for (path, page) in all {
            add(path, Source::Page(page));
        }
        for provider in directory.providers() {
            if let (Some(Headshot::File { name, .. }), Some(path)) =
                (provider.headshot(), provider.portrait_path())
            {
                add(path.parse()?, Source::Portrait(portrait(&options.content, name)?));
            }
        }
        let assets = site.assets.into_iter().filter(|_| options.with_pages);
        for (path, bytes) in beside.into_iter().chain(assets).chain(edge.files).chain(described) {
            add(path, Source::Bytes(bytes));
        }
        if options.precompress {
            let compressed: Vec<_> =
                files.iter().filter_map(PlannedFile::compressed).collect::<Result<_, _>>()?;
            files.extend(compressed);
        }
        // No two paths are equal in the end, and sorting in place takes no second list.
        files.par_sort_unstable_by(|a, b| a.path.cmp(&b.path));
        disjoint(files.iter().map(AsRef::as_ref))?;
        let (overlay, has_changed) = (site.overlay, AtomicBool::new(false));
        Ok(Self { snapshot, pages, files, notes: edge.notes, overlay, checked, has_changed })
    }

    /// The content and the site that all of this was made of, if they are known. To be asked when all is made.
    fn inputs(&self) -> Option<(&Fingerprint, &[u8; 32])> {
        let checked = self.checked.filter(|_| !self.has_changed.load(Ordering::Relaxed))?;
        Some((checked, &self.overlay))
    }

    /// Looks whether a portrait is the one that was checked.
    fn compare(&self, path: &Path, bytes: &[u8]) {
        let Some(checked) = self.checked else { return };
        let known = path.file_name().and_then(|name| checked.portrait(name.to_str()?));
        if known != Some(&Sha256::digest(bytes).into()) {
            self.has_changed.store(true, Ordering::Relaxed);
        }
    }

    /// What is published as this file, which may be made in the buffer; `None` where it would be a compressed file
    /// that is no smaller.
    fn body<'b>(
        &self,
        file: &'b PlannedFile,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8]>, BuildError> {
        buffer.clear();
        match (&file.source, &self.pages) {
            (Source::Bytes(bytes), _) if !file.is_compressed => return Ok(Some(bytes)),
            (Source::Bytes(bytes), _) => buffer.extend_from_slice(bytes),
            (Source::Page(page), Some(pages)) => pages.render(page, buffer)?,
            // Where there are pages in the layout, there is what renders them.
            (Source::Page(_), None) => {}
            (Source::Portrait(path), _) => {
                *buffer = read::file(path, LARGEST_PORTRAIT)?;
                self.compare(path, buffer);
            }
            // No planned question depends on the time.
            (Source::Answer(request), _) => match self.snapshot.answer(request, DateTime::UNIX_EPOCH) {
                Ok(answer) => buffer.extend_from_slice(answer.body()),
                Err(fault) => return Err(BuildError::Answer { path: file.path.to_string(), fault }),
            },
        }
        if file.is_compressed {
            let Some(smaller) = compress::smaller(buffer) else { return Ok(None) };
            *buffer = smaller;
        }
        Ok(Some(buffer))
    }
}

/// One file of the tree, before it is made.
#[derive(Debug)]
struct PlannedFile {
    path: TreePath,
    source: Source,
    /// Whether it is published as gzip, beside the file itself.
    is_compressed: bool,
}

impl PlannedFile {
    /// The same file, compressed; `None` where that never pays.
    fn compressed(&self) -> Option<Result<Self, PathError>> {
        compress::may_pay(self.path.as_str()).then(|| {
            let path = format!("{}.gz", self.path).parse()?;
            Ok(Self { path, source: self.source.clone(), is_compressed: true })
        })
    }
}

/// The slug of a profile, from its path as the plan lays it out; `None` for any other file.
fn profile_slug(path: &str) -> Option<&str> {
    let route = Operation::get(OperationId::Provider).path.trim_start_matches('/');
    let (stem, _) = route.split_once('{')?;
    path.strip_prefix(stem)?.strip_suffix(".json").filter(|slug| !slug.contains('/'))
}

/// Where a file's bytes come from.
#[derive(Debug, Clone)]
enum Source {
    Answer(Request),
    Page(Page),
    Portrait(PathBuf),
    Bytes(Bytes),
}

impl AsRef<TreePath> for PlannedFile {
    fn as_ref(&self) -> &TreePath {
        &self.path
    }
}

/// Where a portrait lies: a name right inside `headshots`. It may be any name that `check` accepts, since the portrait
/// is published under the clinician's slug.
fn portrait(content: &Path, name: &str) -> Result<PathBuf, ReadError> {
    let folder = content.join("headshots");
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(folder.join(name)),
        _ => Err(ReadError::Name(folder.join(name))),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod refusals;
#[cfg(test)]
mod tests;
