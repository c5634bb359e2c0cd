//! The files of a tree before they are made.

use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use directory::api::{Operation, OperationId, Request};
use standards::FhirResourceType;

use crate::compress;
use crate::pages::PlacedPage;
use crate::path::{PathError, TreePath};
use crate::portraits::{PhotoSize, Photograph};

/// A file of the tree, and where its body comes from.
#[derive(Debug)]
pub(super) struct PlannedFile {
    pub(super) path: TreePath,
    pub(super) source: FileSource,
    /// Whether this is the gzip file beside the plain one.
    pub(super) is_compressed: bool,
}

impl PlannedFile {
    /// The gzip file to publish beside this one, if its type is compressible.
    pub(super) fn compressed(&self) -> Option<Result<Self, PathError>> {
        compress::is_compressible(self.path.as_str()).then(|| {
            let path = format!("{}.gz", self.path).parse()?;
            Ok(Self { path, source: self.source.clone(), is_compressed: true })
        })
    }
}

/// A profile's slug, borrowed from `path`; else `None`.
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
    /// The file of a type of the FHIR export.
    Fhir(&'static FhirResourceType),
    Page(PlacedPage),
    /// A drawing of the content, and the SHA-256 of the bytes that were checked.
    Drawing {
        path: PathBuf,
        digest: [u8; 32],
    },
    Size {
        photograph: Arc<Photograph>,
        size: PhotoSize,
        /// The small size's path, which has the photograph's hash: if it is published, reuse both.
        small: TreePath,
    },
    Bytes(Bytes),
}

impl AsRef<TreePath> for PlannedFile {
    fn as_ref(&self) -> &TreePath {
        &self.path
    }
}
