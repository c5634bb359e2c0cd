//! The flags of `editor`.

use std::path::PathBuf;

use clap::Args;

use super::Content;

#[derive(Debug, Args)]
pub(crate) struct EditorArguments {
    #[command(flatten)]
    pub(crate) content: Content,
    /// The folder to write the form into
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// The `node_modules` folder with the form's programs, made from the lock file in deploy/editor
    #[arg(long, value_name = "DIR", default_value = "node_modules")]
    pub(crate) modules: PathBuf,
}
