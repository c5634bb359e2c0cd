use std::path::PathBuf;

use directory::api::Fault;
use directory::model::Shrunk;

use crate::edge::EdgeError;
use crate::pages::PageError;
use crate::path::PathError;
use crate::publish::write::WriteError;
use crate::read::ReadError;
use crate::site::SiteError;

/// The output is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("the answers can't be published as files: {0}")]
    Answers(PathError),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("{path} can't be published: {code}: {message}", code = .fault.kind().code(), message = .fault.message())]
    Answer { path: String, fault: Fault },
    #[error(transparent)]
    Page(#[from] PageError),
    #[error(transparent)]
    Site(#[from] SiteError),
    #[error("a portrait can't be published: {0}")]
    Portrait(#[from] ReadError),
    #[error("the host's rules can't be written: {0}")]
    Edge(#[from] EdgeError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(
        "{0}, so nothing was published: if the content folder is incomplete, restore it; if they left, list them in \
         retired.toml, or publish anyway with --accept-shrink"
    )]
    Shrunk(Shrunk),
    #[error(
        "the build reads {source_folder}, so it can't write to {out}; choose an output beside it, such as \"dist\""
    )]
    OutputInside { out: PathBuf, source_folder: PathBuf },
    #[error(
        "\"{out}\" contains \"{source_folder}\", and a build replaces its whole output folder; choose another, such as dist"
    )]
    SourceInside { out: PathBuf, source_folder: PathBuf },
}
