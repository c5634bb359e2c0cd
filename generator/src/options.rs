use std::path::PathBuf;

use chrono::{DateTime, Utc};
use directory::model::MaxShrink;

use crate::edge::Target;
use crate::error::BuildError;
use crate::read;

#[derive(Debug, Clone)]
pub struct BuildOptions {
    /// Portraits are read from its `headshots`.
    pub content: PathBuf,
    pub out: PathBuf,
    /// Templates and assets that replace the embedded ones.
    pub site: Option<PathBuf>,
    pub target: Target,
    pub with_pages: bool,
    /// For hosts that do not compress.
    pub precompress: bool,
    /// Replace an output that has files but no manifest of this program.
    pub force: bool,
    /// A previous tree, or its `v1/manifest.json`, `v1/changes.json` and `changes.atom` alone. Read if the output is not a
    /// tree.
    pub previous: Option<PathBuf>,
    /// When the changes of this build are published.
    pub time: DateTime<Utc>,
    /// How many clinicians may disappear; `None` allows any number.
    pub max_shrink: Option<MaxShrink>,
}

impl BuildOptions {
    pub fn new(content: impl Into<PathBuf>, out: impl Into<PathBuf>) -> Self {
        Self {
            content: content.into(),
            out: out.into(),
            site: None,
            target: Target::default(),
            with_pages: true,
            precompress: false,
            force: false,
            previous: None,
            time: DateTime::UNIX_EPOCH,
            max_shrink: Some(MaxShrink::default()),
        }
    }

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
