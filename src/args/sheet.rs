//! Arguments of `import` and `rename`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Content, Now};

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// A sheet that `export` wrote, with your changes: .xlsx or .csv
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) content: Content,
    /// Say what would change, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) now: Now,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RenameCommand {
    /// Give a clinician another slug; the old one leads to the new one
    Provider(RenameNames),
    /// Give a plan another name, in insurances.toml and with every clinician who takes it
    Plan(RenameNames),
}

#[derive(Debug, Args)]
pub(crate) struct RenameNames {
    /// The present name
    #[arg(value_name = "OLD")]
    pub(crate) old: String,
    /// The new name
    #[arg(value_name = "NEW")]
    pub(crate) new: String,
    #[command(flatten)]
    pub(crate) content: Content,
    /// Say what would change, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) now: Now,
}
