//! A build: plan, render, publish.

mod planned;

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use chrono::DateTime;
use directory::Directory;
use directory::accuracy::{VERIFICATION_PATH, verification};
use directory::api::{Fault, Snapshot};
use directory::content::LARGEST_PORTRAIT;
use directory::model::Headshot;
use directory::web::elements_files;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use standards::{FHIR_RESOURCE_TYPES, FhirExport};

use crate::compress;
use crate::edge;
use crate::error::BuildError;
use crate::openapi;
use crate::options::BuildOptions;
use crate::pages::Pages;
use crate::path::{TreePath, disjoint};
use crate::plan::plan;
use crate::portraits::{self, Budget, PhotoSize, Photograph};
use crate::publish::changes::ProfileChanges;
use crate::publish::manifest::{Manifest, ManifestEntry};
use crate::publish::retire::RemovedProfiles;
use crate::publish::summary::{self, Summary};
use crate::publish::write::{self, LockedOutput, Output};
use crate::read::{self, ReadError};
use crate::site::Site;
use planned::{FileSource, PlannedFile, profile_slug};

/// Publishes a snapshot.
///
/// The same snapshot, site and portraits give the same bytes, on any machine and any number of threads.
/// If it fails, the output is unchanged.
pub fn build(snapshot: &Snapshot, options: &BuildOptions) -> Result<Summary, BuildError> {
    build_with_progress(snapshot, options, &|_| {})
}

/// Like [`build`]. Calls `report` from any thread.
pub fn build_with_progress(
    snapshot: &Snapshot,
    options: &BuildOptions,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Summary, BuildError> {
    options.refuse_overlap()?;
    let output = Output { folder: &options.out, force: options.force };
    let (layout, output) = rayon::join(|| Layout::new(snapshot, options), || output.lock::<BuildError>());
    let (layout, output) = (layout?, output?);
    guard_against_shrinking(snapshot.directory(), &output, options)?;
    report(Progress::Planned(layout.files.len()));
    let (changes, removed) = (ProfileChanges::default(), RemovedProfiles::default());
    let published = write::publish(
        &output,
        snapshot.directory().generation(),
        &layout.files,
        |file, buffer| {
            let body = layout.body(file, buffer, Some(&output));
            report(Progress::Rendered);
            body
        },
        |path, before, after| {
            if profile_slug(path).is_some() {
                changes.add(before, after);
                removed.add(before, after);
            }
        },
    )?;
    let mut notes = layout.notes();
    let Layout { pages, files, .. } = layout;
    // Parallel: they have many allocations.
    rayon::join(|| drop(pages), || drop((files, output)));
    notes.extend(summary::foreign(&published.foreign, &options.out));
    notes.extend(removed.notes(snapshot.directory()));
    Ok(Summary {
        files: published.files,
        written: published.written,
        removed: published.removed,
        bytes: published.bytes,
        generation: snapshot.directory().generation().to_string(),
        notes,
        changes: changes.sentences(),
    })
}

fn guard_against_shrinking(
    directory: &Directory,
    output: &LockedOutput,
    options: &BuildOptions,
) -> Result<(), BuildError> {
    let (Some(max_shrink), Some(published)) = (options.max_shrink, output.manifest()) else { return Ok(()) };
    let profiles = || published.files().iter().filter_map(|file| Some((profile_slug(&file.path)?, file)));
    let slugs: Vec<&str> = profiles().map(|(slug, _)| slug).collect();
    let files: HashMap<&str, &ManifestEntry> = profiles().collect();
    let id_of = |slug: &str| {
        let profile: serde_json::Value = serde_json::from_slice(&output.body(files.get(slug)?)?).ok()?;
        Some(profile["id"].as_str()?.to_owned())
    };
    max_shrink.compare_slugs(&slugs, id_of, directory).map_err(BuildError::Shrunk)
}

/// The manifest of the tree that [`build`] would publish. Neither reads nor writes the output; `verify` compares a host
/// with it.
pub fn preview(snapshot: &Snapshot, options: &BuildOptions) -> Result<Manifest, BuildError> {
    let layout = Layout::new(snapshot, options)?;
    let entries: Vec<Result<Option<ManifestEntry>, BuildError>> = layout
        .files
        .par_iter()
        .map_init(Vec::new, |buffer, file| {
            Ok(layout.body(file, buffer, None)?.map(|body| ManifestEntry::of(&file.path, body)))
        })
        .collect();
    let entries: Vec<Option<ManifestEntry>> = entries.into_iter().collect::<Result<_, _>>()?;
    Ok(Manifest::new(snapshot.directory().generation(), entries.into_iter().flatten().collect()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The number of files is known.
    Planned(usize),
    /// One more file is rendered and compared.
    Rendered,
}

/// The expected number of files that are neither answers nor pages.
const OTHER_FILES_CAPACITY: usize = 128;

/// All files of the tree, planned but not rendered.
struct Layout<'a> {
    snapshot: &'a Snapshot,
    content: &'a Path,
    pages: Option<Pages<'a>>,
    files: Vec<PlannedFile>,
    notes: Vec<String>,
    /// The pixels of photographs that are in memory.
    budget: Budget,
    /// The photographs that cannot be decoded.
    damaged: Mutex<Vec<String>>,
}

impl<'a> Layout<'a> {
    fn new(snapshot: &'a Snapshot, options: &'a BuildOptions) -> Result<Self, BuildError> {
        let directory = snapshot.directory();
        let site = Site::load(options.site.as_deref())?;
        let (openapi_files, (rendered_site, plan)) = rayon::join(
            || openapi::files(snapshot),
            || {
                let pages = || -> Result<_, BuildError> {
                    let pages = Pages::new(snapshot, &site)?;
                    let all = pages.all()?;
                    let page_files = pages.files(&all)?;
                    Ok((pages, all, page_files))
                };
                rayon::join(|| options.with_pages.then(pages).transpose(), || plan(directory))
            },
        );
        let (rendered_site, plan, openapi_files) =
            (rendered_site?, plan.map_err(BuildError::Plan)?, openapi_files?);
        let edge = edge::rules(options.target, directory, &plan)?;

        let (pages, all, page_files) = match rendered_site {
            Some((pages, all, page_files)) => (Some(pages), all, page_files),
            None => (None, Vec::new(), Vec::new()),
        };
        let mut files = Vec::with_capacity(plan.0.len() + all.len() + OTHER_FILES_CAPACITY);
        let mut add = |path: TreePath, source: FileSource| {
            files.push(PlannedFile { path, source, is_compressed: false });
        };
        for (path, request) in plan.0 {
            add(path, FileSource::Answer(request));
        }
        add(edge::NOT_FOUND_PATH.parse()?, FileSource::Bytes(Fault::not_found().body()));
        for (path, script) in elements_files() {
            add(
                path.trim_start_matches('/').parse()?,
                FileSource::Bytes(Bytes::from_static(script.as_bytes())),
            );
        }
        if let Some(bytes) = verification(directory) {
            add(VERIFICATION_PATH.parse()?, FileSource::Bytes(bytes.into()));
        }
        if FhirExport::new(directory).is_some() {
            for resource_type in &FHIR_RESOURCE_TYPES {
                add(resource_type.file_path().parse()?, FileSource::Fhir(resource_type));
            }
        }
        for (path, page) in all {
            add(path, FileSource::Page(page));
        }
        for provider in directory.providers() {
            if let (Some(Headshot::File { name, digest, .. }), Some(path)) =
                (provider.headshot.as_ref(), provider.portrait_path())
            {
                let file = portrait(&options.content, name)?;
                match portraits::sizes(provider) {
                    Some(sizes) => {
                        let small: TreePath = sizes.small.parse()?;
                        let photograph = Arc::new(Photograph::new(file, *digest));
                        for (size, path) in
                            [(PhotoSize::Small, small.clone()), (PhotoSize::Large, path.parse()?)]
                        {
                            let (photograph, small) = (Arc::clone(&photograph), small.clone());
                            add(path, FileSource::Size { photograph, size, small });
                        }
                    }
                    None => add(path.parse()?, FileSource::Drawing { path: file, digest: *digest }),
                }
            }
        }
        let assets = site.assets.into_iter().filter(|_| options.with_pages);
        for (path, bytes) in page_files.into_iter().chain(assets).chain(edge.files).chain(openapi_files) {
            add(path, FileSource::Bytes(bytes));
        }
        if options.precompress {
            let compressed: Vec<_> =
                files.iter().filter_map(PlannedFile::compressed).collect::<Result<_, _>>()?;
            files.extend(compressed);
        }
        files.par_sort_unstable_by(|a, b| a.path.cmp(&b.path));
        disjoint(files.iter().map(AsRef::as_ref))?;
        let content = &options.content;
        Ok(Self {
            snapshot,
            content,
            pages,
            files,
            notes: edge.notes,
            budget: Budget::default(),
            damaged: Mutex::default(),
        })
    }

    /// What the editor should know. Complete only after all files are rendered.
    fn notes(&self) -> Vec<String> {
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner).clone();
        damaged.sort_unstable();
        damaged.dedup();
        let note = |path: &String| {
            format!(
                "{path} is damaged, so pages show a grey circle: open it in Preview, Photos or Paint, export it as JPEG, and put \
                 that file in its place"
            )
        };
        self.notes.iter().cloned().chain(damaged.iter().map(note)).collect()
    }

    /// Reads a portrait if its SHA-256 is still `digest`. A file that changed since was not checked, and its small size
    /// would have the wrong name.
    fn read_checked(&self, path: &Path, digest: &[u8; 32]) -> Result<Vec<u8>, ReadError> {
        let bytes = read::file(self.content, path, LARGEST_PORTRAIT)?;
        if *digest != <[u8; 32]>::from(Sha256::digest(&bytes)) {
            return Err(ReadError::Changed(self.content.join(path)));
        }
        Ok(bytes)
    }

    fn size(&self, photograph: &Photograph, size: PhotoSize) -> Result<Vec<u8>, ReadError> {
        let read = || self.read_checked(&photograph.path, &photograph.digest);
        photograph.file(size, &self.budget, read, || self.note_damage(photograph))
    }

    fn note_damage(&self, photograph: &Photograph) {
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        damaged.push(self.content.join(&photograph.path).display().to_string());
    }

    /// The body of a file, in `buffer` unless `file` holds it. `None` if compression does not save space. Sizes of
    /// portraits are taken from the published tree if it has them.
    fn body<'b>(
        &self,
        file: &'b PlannedFile,
        buffer: &'b mut Vec<u8>,
        published: Option<&LockedOutput>,
    ) -> Result<Option<&'b [u8]>, BuildError> {
        buffer.clear();
        match (&file.source, &self.pages) {
            (FileSource::Bytes(bytes), _) if !file.is_compressed => return Ok(Some(bytes)),
            (FileSource::Bytes(bytes), _) => buffer.extend_from_slice(bytes),
            (FileSource::Page(page), Some(pages)) => pages.render(page, buffer)?,
            // Unreachable: without `pages` none is planned.
            (FileSource::Page(_), None) => {}
            (FileSource::Drawing { path, digest }, _) => *buffer = self.read_checked(path, digest)?,
            (FileSource::Size { photograph, size, small }, _) => {
                let known = published.and_then(|published| {
                    if portraits::is_grey(&published.intact_body(small)?) {
                        self.note_damage(photograph);
                    }
                    published.intact_body(&file.path)
                });
                *buffer = known.map_or_else(|| self.size(photograph, *size), Ok)?;
            }
            (FileSource::Fhir(resource_type), _) => {
                if let Some(export) = FhirExport::new(self.snapshot.directory()) {
                    *buffer = export.resource_file(resource_type);
                }
            }
            // No planned request depends on the time.
            (FileSource::Answer(request), _) => match self.snapshot.answer(request, DateTime::UNIX_EPOCH) {
                Ok(answer) => buffer.extend_from_slice(answer.body()),
                Err(fault) => return Err(BuildError::Answer { path: file.path.to_string(), fault }),
            },
        }
        if file.is_compressed {
            let Some(compressed) = compress::gzip(buffer) else { return Ok(None) };
            *buffer = compressed;
        }
        Ok(Some(buffer))
    }
}

/// The path of a portrait in the content folder: a file directly inside `headshots`. Any name that `check` accepts is
/// allowed, since the portrait is published under the clinician's slug.
fn portrait(content: &Path, name: &str) -> Result<PathBuf, ReadError> {
    let path = Path::new("headshots").join(name);
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(path),
        _ => Err(ReadError::Name(content.join(path))),
    }
}

#[cfg(test)]
mod output_tests;
#[cfg(test)]
mod photograph_tests;
#[cfg(test)]
#[cfg(unix)]
mod refusal_tests;
#[cfg(test)]
mod tests;
