//! Why a build publishes nothing.

use std::path::PathBuf;

use directory::api::Fault;
use directory::model::Shrunk;

use crate::edge::EdgeError;
use crate::pages::PageError;
use crate::path::PathError;
use crate::plan::PlanError;
use crate::publish::write::WriteError;
use crate::read::ReadError;
use crate::site::SiteError;

/// Why nothing was published. The output is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The answers cannot be laid out as files.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The files cannot be laid out as a tree.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A planned request has no answer.
    #[error("{path} cannot be published: {code}: {message}", code = .fault.kind().code(), message = .fault.message())]
    Answer {
        /// The file.
        path: String,
        /// Why there is no answer.
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
    /// More clinicians would vanish from the published tree than the limit allows.
    #[error(
        "{0}, so nothing was published: if the content folder is not whole, restore it; if they left, list them in \
         retired.toml, or publish all the same with --accept-shrink"
    )]
    Shrunk(Shrunk),
    /// The output lies in a folder that the build reads.
    #[error(
        "the output {out} lies inside {source_folder}, which the build reads; choose an output beside it, such as \"dist\"",
        out = .out.display(), source_folder = .source_folder.display()
    )]
    OutputInside {
        /// The output.
        out: PathBuf,
        /// The folder around it.
        source_folder: PathBuf,
    },
    /// A folder that the build reads lies in the output.
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
