//! The command line.

use clap::{Parser, Subcommand};

use crate::attest::AttestArguments;
use crate::audit::AuditArguments;
use crate::build::BuildArguments;
use crate::check::CheckArguments;
use crate::completions::CompletionsArguments;
#[cfg(feature = "demo")]
use crate::demo::DemoArguments;
use crate::dev::DevArguments;
use crate::editor::EditorArguments;
use crate::export::ExportArguments;
use crate::feed_push::FeedCommand;
use crate::init::InitArguments;
use crate::publish::PublishArguments;
use crate::query::QueryArguments;
use crate::rename::RenameCommand;
use crate::sheet::ImportArguments;
use crate::start::ServeArguments;
use crate::verify::VerifyArguments;
use crate::view::ViewArguments;

/// A public provider directory: static JSON for any CDN, a live service, and an MCP endpoint, from plain files.
#[derive(Debug, Parser)]
#[command(name = "nameplate", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the demo clinic, which is part of this program, on a free port
    #[cfg(feature = "demo")]
    Demo(DemoArguments),
    /// Write a small commented content folder to start from, or the site's templates to change
    Init(InitArguments),
    /// Check the content folder and report every mistake in it
    Check(CheckArguments),
    /// Write into clinicians' files who confirmed them and when
    Attest(AttestArguments),
    /// Ask whether the content is true: compare it with itself and with registries, boards and rosters
    Audit(AuditArguments),
    /// Write what was changed in a sheet of `export` into the clinicians' files
    Import(ImportArguments),
    /// Give a clinician's file or a plan another name, wherever it is mentioned
    #[command(subcommand)]
    Rename(RenameCommand),
    /// Write the form with which people change the content in a browser
    Editor(EditorArguments),
    /// Build the published tree: JSON, pages, and the host's rules
    Build(BuildArguments),
    /// Answer REST and MCP from the content folder
    Serve(ServeArguments),
    /// Build, serve site, API and MCP on one port, and rebuild on every change
    Dev(DevArguments),
    /// Put content into an object store as the next release, for the services that follow it
    Publish(PublishArguments),
    /// Write the content in other forms: a sheet of the clinicians (FILE.xlsx or FILE.csv), or files for healthcare's own readers
    Export(ExportArguments),
    /// Print the body that the API gives for a path and query
    Query(QueryArguments),
    /// Print the view that assistants show for the tools' results: one HTML document
    View(ViewArguments),
    /// Request everything from a deployed host and compare it with the expected answers
    Verify(VerifyArguments),
    /// Send a feed to the bucket that services follow
    #[command(subcommand)]
    Feed(FeedCommand),
    /// Print a shell's completion script
    Completions(CompletionsArguments),
}
