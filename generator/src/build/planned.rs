use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use directory::api::{Operation, OperationId, Request};
use standards::FhirResourceType;

use crate::compress;
use crate::pages::TranslatedPage;
use crate::path::{PathError, TreePath};
use crate::portraits::{PhotoSize, Photograph};

#[derive(Debug)]
pub(super) struct PlannedFile {
    pub(super) path: TreePath,
    pub(super) source: FileSource,
    /// The gzip file beside a plain one.
    pub(super) is_compressed: bool,
}

impl PlannedFile {
    pub(super) fn new(path: TreePath, source: FileSource) -> Self {
        Self { path, source, is_compressed: false }
    }

    pub(super) fn compressed(&self) -> Option<Result<Self, PathError>> {
        compress::is_compressible(self.path.as_str()).then(|| {
            let path = format!("{}.gz", self.path).parse()?;
            Ok(Self { path, source: self.source.clone(), is_compressed: true })
        })
    }
}

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
    Changes,
    /// The changes for feed readers.
    Feed,
    Fhir(&'static FhirResourceType),
    Page(TranslatedPage),
    Twin(TranslatedPage),
    /// A portrait in SVG, the logo, or the share image.
    Unchanged {
        path: PathBuf,
        digest: [u8; 32],
    },
    Photo {
        photograph: Arc<Photograph>,
        size: PhotoSize,
        /// Contains the photograph's hash. If it is published, both sizes are reused.
        small: TreePath,
    },
    Bytes(Bytes),
}

impl AsRef<TreePath> for PlannedFile {
    fn as_ref(&self) -> &TreePath {
        &self.path
    }
}
