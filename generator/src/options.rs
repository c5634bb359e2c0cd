//! What a build takes, where it puts it, and what shape the tree gets.

use std::path::{Path, PathBuf};

use directory::model::MaxShrink;

use crate::build::BuildError;
use crate::edge::Target;
use crate::read;

/// What a build takes and where it puts it.
#[derive(Debug, Clone)]
pub struct BuildOptions {
    pub(crate) content: PathBuf,
    pub(crate) out: PathBuf,
    pub(crate) site: Option<PathBuf>,
    pub(crate) target: Target,
    pub(crate) with_pages: bool,
    pub(crate) precompress: bool,
    pub(crate) force: bool,
    /// How many clinicians may vanish from the published tree; `None`: any number.
    pub(crate) max_shrink: Option<MaxShrink>,
}

impl BuildOptions {
    /// Publishes as `out`. `content` is the folder that the directory was read from: the portraits are
    /// taken from its `headshots`.
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

    /// Lays the templates and assets of a folder over those that the program brings along.
    #[must_use]
    pub fn with_site(self, site: impl Into<PathBuf>) -> Self {
        Self { site: Some(site.into()), ..self }
    }

    /// Publishes the API alone, for a clinic that has a site of its own.
    #[must_use]
    pub fn without_pages(self) -> Self {
        Self { with_pages: false, ..self }
    }

    /// Lays a gzip-compressed file beside each one that becomes smaller by it, for hosts that do not compress
    /// by themselves.
    #[must_use]
    pub fn precompressed(self) -> Self {
        Self { precompress: true, ..self }
    }

    /// Replaces the output whole, even if it has files in it and no manifest of ours.
    #[must_use]
    pub fn forced(self) -> Self {
        Self { force: true, ..self }
    }

    /// Refuses to publish where more clinicians would vanish from the published tree than this.
    #[must_use]
    pub fn with_max_shrink(self, max_shrink: MaxShrink) -> Self {
        Self { max_shrink: Some(max_shrink), ..self }
    }

    /// Publishes however many clinicians would vanish from the published tree.
    #[must_use]
    pub fn accepting_shrink(self) -> Self {
        Self { max_shrink: None, ..self }
    }

    /// Writes the rules of another kind of host.
    #[must_use]
    pub fn with_target(self, target: Target) -> Self {
        Self { target, ..self }
    }

    /// Where the tree is published.
    #[must_use]
    pub fn out(&self) -> &Path {
        &self.out
    }

    /// What of it shapes the tree, and nothing else: what is read is hashed by itself, and where it goes is no matter.
    pub(crate) fn shape(&self) -> String {
        // All of them by name: a new option that were forgotten here would leave a stale tree.
        let Self { content: _, out: _, site: _, target, with_pages, precompress, force: _, max_shrink: _ } =
            self;
        format!("{:?}", (target, with_pages, precompress))
    }

    /// Refuses an output that shares a folder with what it is made from: one of the two would be lost.
    pub(crate) fn apart(&self) -> Result<(), BuildError> {
        let out = read::place_of(&self.out);
        for folder in [Some(&self.content), self.site.as_ref()].into_iter().flatten() {
            let read = read::place_of(folder);
            let (out_folder, source_folder) = (self.out.clone(), folder.clone());
            if out.starts_with(&read) {
                return Err(BuildError::OutputInside { out: out_folder, source_folder });
            }
            if read.starts_with(&out) {
                return Err(BuildError::SourceInside { out: out_folder, source_folder });
            }
        }
        Ok(())
    }
}
