//! The arguments of `export`.

use std::path::PathBuf;

use clap::Args;

use super::{Content, Now};

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// A file whose name ends in .xlsx or .csv: the sheet of all clinicians, to change and to import. Any other name: a
    /// folder for the FHIR export, which has a file for each type, the open times of each day, and the manifest
    #[arg(value_name = "FILE|DIR")]
    pub(crate) target: PathBuf,
    #[command(flatten)]
    pub(crate) content: Content,
    #[command(flatten)]
    pub(crate) now: Now,
}
