//! The files of a tree before they are rendered.

use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use directory::api::{Operation, OperationId, Request};
use standards::FhirResourceType;

use crate::compress;
use crate::pages::TranslatedPage;
use crate::path::{PathError, TreePath};
use crate::portraits::{PhotoSize, Photograph};

/// A file of the tree, with the source of its body.
#[derive(Debug)]
pub(super) struct PlannedFile {
    pub(super) path: TreePath,
    pub(super) source: FileSource,
    /// Whether this is the gzip file beside a plain one.
    pub(super) is_compressed: bool,
}

impl PlannedFile {
    pub(super) fn new(path: TreePath, source: FileSource) -> Self {
        Self { path, source, is_compressed: false }
    }

    /// Returns the gzip file to publish beside this one, if its type is compressible.
    pub(super) fn compressed(&self) -> Option<Result<Self, PathError>> {
        compress::is_compressible(self.path.as_str()).then(|| {
            let path = format!("{}.gz", self.path).parse()?;
            Ok(Self { path, source: self.source.clone(), is_compressed: true })
        })
    }
}

/// Returns the slug if this is the path of a profile.
pub(super) fn profile_slug(path: &str) -> Option<&str> {
    let route = path.strip_suffix(".json")?;
    let target = format!("/{route}");
    let (operation, slug) = Operation::for_path(&target)?;
    let slug = slug.filter(|_| operation.id == OperationId::Provider)?;
    route.strip_suffix(slug).map(|stem| &route[stem.len()..])
}

#[derive(Debug, Clone)]
pub(super) enum FileSource {
    Answer(Request),
    /// The steps from earlier trees to this one.
    Changes,
    /// The same for feed readers.
    Feed,
    /// The FHIR export's file for a type of resource.
    Fhir(&'static FhirResourceType),
    Page(TranslatedPage),
    /// The Markdown twin of a page.
    Twin(TranslatedPage),
    /// A picture in the content folder: a portrait in SVG, the logo, or the share image.
    Unchanged {
        path: PathBuf,
        /// The SHA-256 of the bytes that were checked.
        digest: [u8; 32],
    },
    Photo {
        photograph: Arc<Photograph>,
        size: PhotoSize,
        /// The path of the small size, which contains the photograph's hash. If that path is published, both sizes are reused.
        small: TreePath,
    },
    Bytes(Bytes),
}

impl AsRef<TreePath> for PlannedFile {
    fn as_ref(&self) -> &TreePath {
        &self.path
    }
}
