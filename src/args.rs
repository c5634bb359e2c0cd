//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use directory::model::MaxShrink;
use generator::Target;

mod accuracy;
mod check;
mod editor;
mod export;
mod nats;
mod publish;
mod push;
mod sheet;

pub(crate) use accuracy::{AttestArguments, AuditArguments, AuditFormat, FailOn};
pub(crate) use check::{CheckArguments, Format, Mode};
pub(crate) use editor::EditorArguments;
pub(crate) use export::ExportArguments;
pub(crate) use publish::PublishArguments;
pub(crate) use push::FeedCommand;
#[cfg(feature = "replicas")]
pub(crate) use push::PushArguments;
pub(crate) use sheet::{ImportArguments, RenameCommand, RenameNames};

/// The longest time to wait, in seconds.
const DAY: u64 = 86_400;

/// A public provider directory: static JSON for any CDN, a live service, and an MCP endpoint, from plain files.
#[derive(Debug, Parser)]
#[command(name = "nameplate", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
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

#[derive(Debug, Args)]
pub(crate) struct Content {
    /// The content folder
    #[arg(long = "content", value_name = "DIR", default_value = "content", value_parser = folder)]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Now {
    /// Stop the clock at this time, such as 2026-11-26T09:00:00Z: for tests and demos
    #[arg(long, value_name = "RFC3339", value_parser = instant)]
    pub(crate) now: Option<DateTime<Utc>>,
}

#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The content folder, which must not exist yet or be empty
    #[arg(value_name = "DIR", required_unless_present = "site")]
    pub(crate) folder: Option<PathBuf>,
    /// Copy the built-in templates and assets into this folder, for `build --site` and `dev --site`
    #[arg(long, value_name = "DIR")]
    pub(crate) site: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Tree {
    /// The folder to publish into
    #[arg(long, value_name = "DIR", default_value = "dist")]
    pub(crate) out: PathBuf,
    /// A folder with templates and assets that replace the built-in files of the same names
    #[arg(long, value_name = "DIR")]
    pub(crate) site: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent flags")]
pub(crate) struct BuildArguments {
    #[command(flatten)]
    pub(crate) content: Content,
    #[command(flatten)]
    pub(crate) tree: Tree,
    /// The host that the tree is for
    #[arg(long, value_parser = target(), default_value_t)]
    pub(crate) target: Target,
    /// Publish only the API, without the site's pages
    #[arg(long)]
    pub(crate) no_pages: bool,
    /// Write a .gz beside each file that it makes smaller, for hosts that do not compress
    #[arg(long)]
    pub(crate) precompress: bool,
    /// Replace the output even if this program did not write it: everything in it is lost
    #[arg(long)]
    pub(crate) force: bool,
    /// Publish even if many clinicians vanish from the published tree
    #[arg(long)]
    pub(crate) accept_shrink: bool,
    /// Refuse to publish if more than this share of the clinicians vanish from the published tree; five or fewer are
    /// always allowed [default: 0.2]
    #[arg(long, value_name = "SHARE")]
    pub(crate) content_max_shrink: Option<MaxShrink>,
    /// Also write the changes to this file, as Markdown for a pull request
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,
}

fn target() -> impl TypedValueParser<Value = Target> {
    let names = Target::ALL.map(|target| PossibleValue::new(target.name()).help(target.doc()));
    PossibleValuesParser::new(names).try_map(|name| {
        Target::ALL.into_iter().find(|target| target.name() == name).ok_or("there is no such host")
    })
}

/// Flags of `serve` and `dev` that the environment and a file can set, too.
#[derive(Debug, Args)]
pub(crate) struct Configuration {
    /// Read settings from this TOML file; `NAMEPLATE_*` variables override it, and flags override both
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print every setting and its origin, as such a file, and stop
    #[arg(long)]
    pub(crate) print_config: bool,
    /// The content folder; for `serve` also the address of an object store, as for `publish` [default: content]
    #[arg(long, value_name = "DIR|STORE")]
    pub(crate) content: Option<PathBuf>,
    /// Hold back new content in which more than this share of the clinicians vanish; five or fewer are always allowed
    /// [default: 0.2]
    #[arg(long, value_name = "SHARE")]
    pub(crate) content_max_shrink: Option<MaxShrink>,
    /// The address to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR:PORT", value_parser = address)]
    pub(crate) listen: Option<SocketAddr>,
    /// The address for operators: /readyz, /metrics, /feed/accept, /feed/end and /content/accept
    #[arg(long, value_name = "ADDR:PORT", value_parser = address)]
    pub(crate) admin: Option<SocketAddr>,
    /// The format of the log [default: text]
    #[arg(long, value_enum)]
    pub(crate) log_format: Option<LogFormat>,
    /// The level of the log, such as warn or info,live=debug [default: info]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) log_level: Option<String>,
    /// Log each request with its route, but without its path, query or body
    #[arg(long)]
    pub(crate) access_log: bool,
}

/// Text, or a JSON object on each line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    Text,
    Json,
}

impl LogFormat {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
        }
    }

    pub(crate) fn of(word: &str) -> Result<Self, String> {
        let known = [Self::Text, Self::Json].into_iter().find(|format| format.word() == word);
        known
            .ok_or_else(|| format!("\"{word}\" is not a valid format of the log: write \"text\" or \"json\""))
    }
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    #[command(flatten)]
    pub(crate) own: ServeFlags,
    #[command(flatten)]
    pub(crate) now: Now,
}

/// Flags of `serve` that the environment and a file can set, too.
#[derive(Debug, Default, Args)]
pub(crate) struct ServeFlags {
    /// Also serve the built site in this folder
    #[arg(long = "static", value_name = "DIR")]
    pub(crate) site: Option<PathBuf>,
    /// Keep a copy of the last good content in this folder, and start with it if the content is broken
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,
    /// Do not start with the last good content if the content is broken
    #[arg(long)]
    pub(crate) strict: bool,
    /// Keep the releases that were served in this folder, and start with them while the object store is down
    #[arg(long, value_name = "DIR")]
    pub(crate) content_cache: Option<PathBuf>,
    /// How often the object store is asked for a newer release [default: 5s]
    #[arg(long, value_name = "TIME")]
    pub(crate) content_poll: Option<String>,
    /// Serve only releases that are signed with the seed of this public key; may be given again for another key
    #[arg(long, value_name = "PUBLICKEY")]
    pub(crate) content_key: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DevArguments {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    #[command(flatten)]
    pub(crate) tree: Tree,
    #[command(flatten)]
    pub(crate) now: Now,
}

#[derive(Debug, Args)]
pub(crate) struct QueryArguments {
    /// The path and query, such as '/v1/availability?state=CA'
    #[arg(value_name = "PATH?QUERY")]
    pub(crate) target: String,
    #[command(flatten)]
    pub(crate) content: Content,
    /// Print the status and the header fields first
    #[arg(long)]
    pub(crate) headers: bool,
    #[command(flatten)]
    pub(crate) now: Now,
}

#[derive(Debug, Args)]
pub(crate) struct ViewArguments {
    /// Put the answer to this path and query into the document, so that a browser shows it without an assistant
    #[arg(value_name = "PATH?QUERY")]
    pub(crate) target: Option<String>,
    #[command(flatten)]
    pub(crate) content: Content,
    #[command(flatten)]
    pub(crate) now: Now,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The host's URL, with http or https
    #[arg(value_name = "URL")]
    pub(crate) host: String,
    #[command(flatten)]
    pub(crate) content: Content,
    /// The templates and assets that the tree was built with
    #[arg(long, value_name = "DIR")]
    pub(crate) site: Option<PathBuf>,
    /// The tree was built without the site's pages
    #[arg(long)]
    pub(crate) no_pages: bool,
    /// The host is only the live service, without files
    #[arg(long)]
    pub(crate) live: bool,
    /// The live service has a feed outside the content folder: the times of slots cannot be compared
    #[arg(long)]
    pub(crate) with_feed: bool,
    /// How many seconds to wait for the host to have this tree, after a deployment
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=DAY))]
    pub(crate) wait: u64,
    /// The maximum duration in seconds, after the waiting
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=DAY))]
    pub(crate) timeout: u64,
    #[command(flatten)]
    pub(crate) now: Now,
}

pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write an address and a port, like 127.0.0.1:8080 or [::1]:8080".to_owned())
}

/// A folder. The address of an object store is refused here.
fn folder(text: &str) -> Result<PathBuf, String> {
    if text.contains("://") {
        return Err("only serve reads an object store: name a content folder".to_owned());
    }
    Ok(text.into())
}

fn instant(text: &str) -> Result<DateTime<Utc>, String> {
    DateTime::parse_from_rfc3339(text)
        .map(|instant| instant.to_utc())
        .map_err(|_| "write it like 2026-11-26T09:00:00Z".to_owned())
}
