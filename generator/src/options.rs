//! The options of a build.

use std::path::{Path, PathBuf};

use directory::model::MaxShrink;

use crate::edge::Target;
use crate::error::BuildError;
use crate::read;

#[derive(Debug, Clone)]
pub struct BuildOptions {
    pub(crate) content: PathBuf,
    pub(crate) out: PathBuf,
    pub(crate) site: Option<PathBuf>,
    pub(crate) target: Target,
    pub(crate) with_pages: bool,
    pub(crate) precompress: bool,
    pub(crate) force: bool,
    /// How many clinicians may vanish from the published tree; `None` allows any number.
    pub(crate) max_shrink: Option<MaxShrink>,
}

impl BuildOptions {
    /// Publishes to `out`. `content` is the folder that the directory was read from; portraits are read from its
    /// `headshots`.
    pub fn new(content: impl Into<PathBuf>, out: impl Into<PathBuf>) -> Self {
        Self {
            content: content.into(),
            out: out.into(),
            site: None,
            target: Target::default(),
            with_pages: true,
            precompress: false,
            force: false,
            max_shrink: Some(MaxShrink::default()),
        }
    }

    /// Overrides the embedded templates and assets with those of a folder.
    #[must_use]
    pub fn with_site(self, site: impl Into<PathBuf>) -> Self {
        Self { site: Some(site.into()), ..self }
    }

    #[must_use]
    pub fn without_pages(self) -> Self {
        Self { with_pages: false, ..self }
    }

    /// Also publishes a gzip file beside each file that compresses, for hosts that do not compress.
    #[must_use]
    pub fn precompressed(self) -> Self {
        Self { precompress: true, ..self }
    }

    /// Replaces the output even if it has files but no manifest of this program.
    #[must_use]
    pub fn forced(self) -> Self {
        Self { force: true, ..self }
    }

    /// Refuses to publish if more clinicians than this would vanish from the published tree.
    #[must_use]
    pub fn with_max_shrink(self, max_shrink: MaxShrink) -> Self {
        Self { max_shrink: Some(max_shrink), ..self }
    }

    #[must_use]
    pub fn accepting_shrink(self) -> Self {
        Self { max_shrink: None, ..self }
    }

    #[must_use]
    pub fn with_target(self, target: Target) -> Self {
        Self { target, ..self }
    }

    #[must_use]
    pub fn out(&self) -> &Path {
        &self.out
    }

    /// Refuses an output that contains a folder which the build reads, or lies inside one.
    pub(crate) fn refuse_overlap(&self) -> Result<(), BuildError> {
        let out = read::resolved(&self.out);
        for folder in [Some(&self.content), self.site.as_ref()].into_iter().flatten() {
            let source = read::resolved(folder);
            let (out_folder, source_folder) = (self.out.clone(), folder.clone());
            if out.starts_with(&source) {
                return Err(BuildError::OutputInside { out: out_folder, source_folder });
            }
            if source.starts_with(&out) {
                return Err(BuildError::SourceInside { out: out_folder, source_folder });
            }
        }
        Ok(())
    }
}
