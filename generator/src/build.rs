mod planned;

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use chrono::DateTime;
use directory::Directory;
use directory::accuracy::{VERIFICATION_PATH, verification};
use directory::api::{Fault, Snapshot};
use directory::changes::{Contents, History};
use directory::content::LARGEST_PORTRAIT;
use directory::model::{Artwork, Headshot};
use directory::web::{FEED_PATH, elements_files};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use standards::{FHIR_RESOURCE_TYPES, FhirExport};

use crate::answers::{AnswerFiles, answer_files};
use crate::compress;
use crate::documents::{self, documents};
use crate::edge;
use crate::error::BuildError;
use crate::options::BuildOptions;
use crate::pages::{Pages, feed};
use crate::path::{PathError, TreePath, disjoint};
use crate::portraits::{self, Budget, PhotoSize, Photograph};
use crate::publish::changes::ProfileChanges;
use crate::publish::history::{PreviousTree, changes_file};
use crate::publish::manifest::{Manifest, ManifestEntry};
use crate::publish::retire::RemovedProfiles;
use crate::publish::summary::{self, Summary};
use crate::publish::write::{self, LockedOutput, Output};
use crate::read::{self, ReadError};
use crate::site::Site;
use planned::{FileSource, PlannedFile, profile_slug};

/// The same input, previous tree and time give the same bytes, on any computer and any number of threads. An error leaves
/// the output unchanged.
pub fn build(snapshot: &Snapshot, options: &BuildOptions) -> Result<Summary, BuildError> {
    build_with_progress(snapshot, options, &|_| {})
}

/// Calls `report` from several threads.
pub fn build_with_progress(
    snapshot: &Snapshot,
    options: &BuildOptions,
    report: &(dyn Fn(Progress) + Sync),
) -> Result<Summary, BuildError> {
    options.refuse_overlap()?;
    let output = Output { folder: &options.out, force: options.force };
    let (layout, output) = rayon::join(|| Layout::new(snapshot, options), || output.lock::<BuildError>());
    let (mut layout, output) = (layout?, output?);
    guard_against_shrinking(snapshot.directory(), &output, options)?;
    layout.follow(&output, options);
    report(Progress::Planned(layout.files.len()));
    let (changes, removed) = (ProfileChanges::default(), RemovedProfiles::default());
    let (pages, answers) = (AtomicUsize::new(0), AtomicUsize::new(0));
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
            if Path::new(path).extension().is_some_and(|end| end == "html") {
                pages.fetch_add(1, Ordering::Relaxed);
            } else if path.starts_with("v1/") {
                answers.fetch_add(1, Ordering::Relaxed);
            }
            if profile_slug(path).is_some() {
                let parse = |body: &[u8]| serde_json::from_slice(body).ok();
                let (before, after) = (before.and_then(parse), after.and_then(parse));
                changes.add(before.as_ref(), after.as_ref());
                removed.add(before.as_ref(), after.as_ref());
            }
        },
    )?;
    let mut notes = layout.notes();
    let Layout { pages: rendered, files, .. } = layout;
    // Dropping all these allocations takes time, so two threads share it.
    rayon::join(|| drop(rendered), || drop((files, output)));
    notes.extend(summary::foreign(&published.foreign, &published.kept, &options.out));
    notes.extend(removed.notes(snapshot.directory()));
    Ok(Summary {
        files: published.files,
        written: published.written,
        pages: pages.into_inner(),
        answers: answers.into_inner(),
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

/// `verify` compares a host with the manifest of the tree that [`build`] would publish.
pub fn preview(snapshot: &Snapshot, options: &BuildOptions) -> Result<Manifest, BuildError> {
    let layout = Layout::new(snapshot, options)?;
    let entry = |buffer: &mut Vec<u8>, file: &PlannedFile| -> Result<_, BuildError> {
        Ok(layout.body(file, buffer, None)?.map(|body| ManifestEntry::new(&file.path, body)))
    };
    let entries: Vec<_> = layout.files.par_iter().map_init(Vec::new, entry).collect();
    let entries: Vec<Option<ManifestEntry>> = entries.into_iter().collect::<Result<_, _>>()?;
    Ok(Manifest::new(snapshot.directory().generation(), entries.into_iter().flatten().collect()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    Planned(usize),
    Rendered,
}

struct Layout<'a> {
    snapshot: &'a Snapshot,
    content: &'a Path,
    pages: Option<Pages<'a>>,
    files: Vec<PlannedFile>,
    notes: Vec<String>,
    history: History,
    feed: Bytes,
    /// Of photographs in memory.
    budget: Budget,
    /// Paths of photographs that cannot be decoded.
    damaged: Mutex<Vec<String>>,
}

impl<'a> Layout<'a> {
    fn new(snapshot: &'a Snapshot, options: &'a BuildOptions) -> Result<Self, BuildError> {
        let directory = snapshot.directory();
        let site = Site::load(options.site.as_deref())?;
        let ((found_files, contents), (site_pages, answers)) = rayon::join(
            || rayon::join(|| documents(snapshot), || Contents::of(snapshot)),
            || {
                let site_pages = || -> Result<_, BuildError> {
                    let pages = Pages::new(snapshot, &site)?;
                    let placed = pages.all()?;
                    let other_files = pages.files(&placed)?;
                    let twins = pages.twins(&placed)?;
                    Ok((pages, placed, twins, other_files))
                };
                rayon::join(
                    || options.with_pages.then(site_pages).transpose(),
                    || answer_files(directory).map_err(BuildError::Answers),
                )
            },
        );
        let (site_pages, answers, found_files) = (site_pages?, answers?, found_files?);
        let edge = edge::rules(options.target, directory, &answers)?;

        let mut files = api_files(directory, answers)?;
        files.extend(portrait_files(directory, &options.content)?);
        let mut ready = edge.files;
        ready.extend(found_files);
        let mut rendered = None;
        if let Some((pages, placed, twins, page_files)) = site_pages {
            files.push(PlannedFile::new(FEED_PATH[1..].parse()?, FileSource::Feed));
            files.extend(
                placed.into_iter().map(|(path, page)| PlannedFile::new(path, FileSource::Page(page))),
            );
            files
                .extend(twins.into_iter().map(|(path, page)| PlannedFile::new(path, FileSource::Twin(page))));
            let artwork = artwork_files(directory)?;
            // The clinic's logo takes the place of the product's mark.
            let is_replaced = |path: &TreePath| artwork.iter().any(|file| file.path == *path);
            ready.extend(site.assets.into_iter().filter(|(path, _)| !is_replaced(path)));
            ready.extend(page_files);
            ready.extend(documents::of_site(directory)?);
            files.extend(artwork);
            rendered = Some(pages);
        }
        files.extend(ready.into_iter().map(|(path, bytes)| PlannedFile::new(path, FileSource::Bytes(bytes))));
        if options.precompress {
            let compressed: Vec<_> =
                files.iter().filter_map(PlannedFile::compressed).collect::<Result<_, _>>()?;
            files.extend(compressed);
        }
        files.par_sort_unstable_by(|a, b| a.path.cmp(&b.path));
        disjoint(files.iter().map(AsRef::as_ref))?;
        let history = History::new(contents);
        Ok(Self {
            snapshot,
            content: &options.content,
            pages: rendered,
            files,
            notes: edge.notes,
            feed: feed(directory, &history, options.time, |_, _| None).into(),
            history,
            budget: Budget::default(),
            damaged: Mutex::default(),
        })
    }

    /// Adds the steps from the tree that this one follows.
    fn follow(&mut self, output: &LockedOutput, options: &BuildOptions) {
        let published = output.manifest().map(|manifest| PreviousTree::of(&options.out, manifest));
        let before = match (published, &options.previous) {
            (Some(published), _) => published,
            (None, None) => return,
            (None, Some(folder)) => {
                let Some(previous) = PreviousTree::read(folder) else {
                    let folder = folder.display();
                    self.notes.push(format!(
                        "there is no previous tree in {folder}: the list of changes starts over"
                    ));
                    return;
                };
                previous
            }
        };
        self.history = before.history.followed_by(self.history.contents().clone());
        let is_new = self.history.steps().first() != before.history.steps().first();
        let time = |step: usize, key: &str| match step {
            0 if is_new => Some(options.time),
            _ => before.times.get(key).copied(),
        };
        let since = before.times.get("").copied().unwrap_or(options.time);
        self.feed = feed(self.snapshot.directory(), &self.history, since, time).into();
    }

    /// Call this after all files are rendered.
    fn notes(&self) -> Vec<String> {
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner).clone();
        damaged.sort_unstable();
        damaged.dedup();
        let note = |path: &String| {
            format!(
                "{path} is damaged, so pages show a gray circle: open it in Preview, Photos, or Paint, export it as JPEG, and put \
                 that file in its place"
            )
        };
        self.notes.iter().cloned().chain(damaged.iter().map(note)).collect()
    }

    /// Refuses bytes that were not checked.
    fn read_checked(&self, path: &Path, digest: &[u8; 32]) -> Result<Vec<u8>, ReadError> {
        let bytes = read::file(self.content, path, LARGEST_PORTRAIT)?;
        if *digest != <[u8; 32]>::from(Sha256::digest(&bytes)) {
            return Err(ReadError::Changed(self.content.join(path)));
        }
        Ok(bytes)
    }

    fn photo(&self, photograph: &Photograph, size: PhotoSize) -> Result<Vec<u8>, ReadError> {
        let read = || self.read_checked(&photograph.path, &photograph.digest);
        photograph.file(size, &self.budget, read, || self.note_damage(photograph))
    }

    fn note_damage(&self, photograph: &Photograph) {
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        damaged.push(self.content.join(&photograph.path).display().to_string());
    }

    /// `None` if compression would not save space. Reuses published photographs.
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
            (FileSource::Twin(page), Some(pages)) => pages.render_twin(page, buffer)?,
            // Unreachable.
            (FileSource::Page(_) | FileSource::Twin(_), None) => {}
            (FileSource::Unchanged { path, digest }, _) => *buffer = self.read_checked(path, digest)?,
            (FileSource::Photo { photograph, size, small }, _) => {
                let reused = published.and_then(|published| {
                    if portraits::is_gray(&published.intact_body(small)?) {
                        self.note_damage(photograph);
                    }
                    published.intact_body(&file.path)
                });
                *buffer = reused.map_or_else(|| self.photo(photograph, *size), Ok)?;
            }
            (FileSource::Fhir(resource), _) => {
                if let Some(export) = FhirExport::new(self.snapshot.directory()) {
                    *buffer = export.resource_file(resource);
                }
            }
            (FileSource::Changes, _) => *buffer = self.history.body(),
            (FileSource::Feed, _) => buffer.extend_from_slice(&self.feed),
            // No answer in a file depends on the time.
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

fn api_files(directory: &Directory, answers: AnswerFiles) -> Result<Vec<PlannedFile>, BuildError> {
    let answers = answers.0.into_iter();
    let mut files: Vec<_> =
        answers.map(|(path, request)| PlannedFile::new(path, FileSource::Answer(request))).collect();
    let mut add = |path: &str, source: FileSource| -> Result<(), PathError> {
        files.push(PlannedFile::new(path.parse()?, source));
        Ok(())
    };
    add(&changes_file(), FileSource::Changes)?;
    add(edge::NOT_FOUND_PATH, FileSource::Bytes(Fault::not_found().body()))?;
    for (path, script) in elements_files() {
        add(path.trim_start_matches('/'), FileSource::Bytes(Bytes::from_static(script.as_bytes())))?;
    }
    if let Some(bytes) = verification(directory) {
        add(VERIFICATION_PATH, FileSource::Bytes(bytes.into()))?;
    }
    if FhirExport::new(directory).is_some() {
        for resource in &FHIR_RESOURCE_TYPES {
            add(&resource.file_path(), FileSource::Fhir(resource))?;
        }
    }
    Ok(files)
}

fn artwork_files(directory: &Directory) -> Result<Vec<PlannedFile>, PathError> {
    let discovery = &directory.organization().discovery;
    let artwork = [&discovery.logo, &discovery.share_image].into_iter().flatten();
    let file = |artwork: &Artwork| {
        let source = FileSource::Unchanged { path: (&artwork.name).into(), digest: artwork.digest };
        Ok(PlannedFile::new(artwork.path.parse()?, source))
    };
    artwork.map(file).collect()
}

fn portrait_files(directory: &Directory, content: &Path) -> Result<Vec<PlannedFile>, BuildError> {
    let mut files = Vec::new();
    for provider in directory.providers() {
        let (Some(Headshot::File { name, digest, .. }), Some(path)) =
            (provider.headshot.as_ref(), provider.portrait_path())
        else {
            continue;
        };
        let (path, file) = (path.parse()?, portrait_in_content(content, name)?);
        let Some(paths) = portraits::photo_paths(provider) else {
            files.push(PlannedFile::new(path, FileSource::Unchanged { path: file, digest: *digest }));
            continue;
        };
        let small: TreePath = paths.small.parse()?;
        let photograph = Arc::new(Photograph::new(file, *digest));
        for (size, path) in [(PhotoSize::Small, small.clone()), (PhotoSize::Large, path)] {
            let (photograph, small) = (Arc::clone(&photograph), small.clone());
            files.push(PlannedFile::new(path, FileSource::Photo { photograph, size, small }));
        }
    }
    Ok(files)
}

/// The name may have any characters: the portrait is published under the clinician's slug.
fn portrait_in_content(content: &Path, name: &str) -> Result<PathBuf, ReadError> {
    let path = Path::new("headshots").join(name);
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(path),
        _ => Err(ReadError::Name(content.join(path))),
    }
}

#[cfg(test)]
mod changes_tests;
#[cfg(test)]
mod output_tests;
#[cfg(test)]
mod photograph_tests;
#[cfg(test)]
mod program_tests;
#[cfg(test)]
mod refusal_tests;
#[cfg(test)]
mod tests;
