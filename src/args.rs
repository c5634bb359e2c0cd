//! What can be typed after `nameplate`.

use std::net::SocketAddr;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use directory::model::MaxShrink;
use generator::Target;

/// As many seconds as `verify` waits at the most.
const DAY: u64 = 86_400;
/// As many questions by chance as `verify` keeps at the most.
const MOST_QUERIES: i64 = 100_000;

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
    /// Check the content folder and tell every mistake in it
    Check(CheckArguments),
    /// Build the published tree: JSON, pages, and the host's rules
    Build(BuildArguments),
    /// Answer REST and MCP from the content folder
    Serve(ServeArguments),
    /// Build, serve site, API and MCP on one port, and rebuild on every change
    Dev(DevArguments),
    /// Print the body that the API gives for a path and query
    Query(QueryArguments),
    /// Ask a deployed host for everything and compare it with what it should say
    Verify(VerifyArguments),
    /// Print what a shell needs to complete this command
    Completions(CompletionsArguments),
}

#[derive(Debug, Args)]
pub(crate) struct Content {
    /// The content folder
    #[arg(long = "content", value_name = "DIR", default_value = "content")]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Now {
    /// Stop the clock at this moment, such as 2026-11-26T09:00:00Z: for tests and demos
    #[arg(long, value_name = "RFC3339", value_parser = moment)]
    pub(crate) now: Option<DateTime<Utc>>,
}

#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The content folder: one that is not there yet, or is empty
    #[arg(value_name = "DIR", required_unless_present = "site")]
    pub(crate) folder: Option<PathBuf>,
    /// Copy the built-in templates and assets out into this folder, for `build --site` and `dev --site`
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
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) content: Content,
    /// For people, for programs, or as annotations of a pull request
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Check a feed against the content instead: a file of slots, or the manifest of a publisher
    #[arg(long, value_name = "FILE|URL")]
    pub(crate) feed: Option<String>,
    /// What the feed lists: time that is taken, or free slots; needed for a file that is neither named busy nor open
    #[arg(long, value_enum, requires = "feed")]
    pub(crate) feed_mode: Option<Mode>,
    /// Read `[feed]` of these settings, as `serve` does: its mode and its map of Schedules
    #[arg(long, value_name = "FILE", requires = "feed")]
    pub(crate) config: Option<PathBuf>,
}

/// What the entries of a feed mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    Busy,
    Open,
}

impl Mode {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::Open => "open",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Github,
}

#[derive(Debug, Args)]
pub(crate) struct Tree {
    /// The folder to publish into
    #[arg(long, value_name = "DIR", default_value = "dist")]
    pub(crate) out: PathBuf,
    /// Templates and assets that replace the built-in ones, file by file
    #[arg(long, value_name = "DIR")]
    pub(crate) site: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct BuildArguments {
    #[command(flatten)]
    pub(crate) content: Content,
    #[command(flatten)]
    pub(crate) tree: Tree,
    /// The kind of host that the tree is for
    #[arg(long, value_parser = host(), default_value_t)]
    pub(crate) target: Target,
    /// Publish the API alone, without the site's pages
    #[arg(long)]
    pub(crate) no_pages: bool,
    /// Lay a .gz beside each file that becomes smaller by it, for hosts that do not compress
    #[arg(long)]
    pub(crate) precompress: bool,
    /// Replace the output even if it is no tree of this program: everything in it is lost
    #[arg(long)]
    pub(crate) force: bool,
    /// Publish however many clinicians vanish from the published tree
    #[arg(long)]
    pub(crate) accept_shrink: bool,
    /// Refuse to publish when more than this share of the clinicians vanish from the published tree; five always
    /// may [default: 0.2]
    #[arg(long, value_name = "SHARE")]
    pub(crate) content_max_shrink: Option<MaxShrink>,
    /// Also write what changed into this file, as Markdown for a pull request
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,
}

/// The hosts that the generator knows.
fn host() -> impl TypedValueParser<Value = Target> {
    let names = Target::ALL.map(|target| PossibleValue::new(target.name()).help(target.doc()));
    PossibleValuesParser::new(names).try_map(|name| {
        Target::ALL.into_iter().find(|target| target.name() == name).ok_or("there is no such host")
    })
}

/// What `serve` and `dev` can also be told by the environment and by a file.
#[derive(Debug, Args)]
pub(crate) struct Configuration {
    /// Read settings from this TOML file; `NAMEPLATE_*` variables win over it, and flags over both
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print every setting with where it comes from, as such a file, and stop
    #[arg(long)]
    pub(crate) print_config: bool,
    /// The content folder [default: content]
    #[arg(long, value_name = "DIR")]
    pub(crate) content: Option<PathBuf>,
    /// Hold back new content in which more than this share of the clinicians vanish; five always may [default: 0.2]
    #[arg(long, value_name = "SHARE")]
    pub(crate) content_max_shrink: Option<MaxShrink>,
    /// The address to answer on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR:PORT", value_parser = address)]
    pub(crate) listen: Option<SocketAddr>,
    /// The address for operators: /readyz, /metrics, /feed/accept and /content/accept
    #[arg(long, value_name = "ADDR:PORT", value_parser = address)]
    pub(crate) admin: Option<SocketAddr>,
    /// How the log is written [default: text]
    #[arg(long, value_enum)]
    pub(crate) log_format: Option<LogFormat>,
    /// How much is logged, such as warn or info,live=debug [default: info]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) log_level: Option<String>,
    /// Log each request: its route, never what was asked
    #[arg(long)]
    pub(crate) access_log: bool,
}

/// For people, or a JSON object on each line.
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
        known.ok_or_else(|| format!("\"{word}\" is no format of a log: write \"text\" or \"json\""))
    }
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Serve the built site in this folder too
    #[arg(long = "static", value_name = "DIR")]
    pub(crate) site: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) now: Now,
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
    /// Print the status and the headers first
    #[arg(long)]
    pub(crate) headers: bool,
    #[command(flatten)]
    pub(crate) now: Now,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The host's address, with http or https
    #[arg(value_name = "URL")]
    pub(crate) host: String,
    /// What it should say: a content folder, or a built tree
    #[arg(long, visible_alias = "content", value_name = "DIR", default_value = "content")]
    pub(crate) against: PathBuf,
    /// The templates and assets that the tree was built with
    #[arg(long, value_name = "DIR")]
    pub(crate) site: Option<PathBuf>,
    /// The tree was built without the site's pages
    #[arg(long)]
    pub(crate) no_pages: bool,
    /// The host is the live service alone: it has no files
    #[arg(long)]
    pub(crate) live: bool,
    /// Live listens to a feed that is not in the content folder: slots' times cannot be compared
    #[arg(long)]
    pub(crate) with_feed: bool,
    /// How many questions to ask by chance
    #[arg(long, value_name = "NUMBER", default_value_t = 200, value_parser = clap::value_parser!(u32).range(..=MOST_QUERIES))]
    pub(crate) queries: u32,
    /// Which questions those are: the same seed asks the same
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// For how many seconds to wait until the host has this tree, after a deployment
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=DAY))]
    pub(crate) wait: u64,
    /// After how many seconds to end, whatever is still to be asked
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=DAY))]
    pub(crate) timeout: u64,
    /// For people or for programs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: VerifyFormat,
    #[command(flatten)]
    pub(crate) now: Now,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum VerifyFormat {
    #[default]
    Text,
    Json,
}

pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write an address and a port, like 127.0.0.1:8080 or [::1]:8080".to_owned())
}

fn moment(text: &str) -> Result<DateTime<Utc>, String> {
    DateTime::parse_from_rfc3339(text)
        .map(|moment| moment.to_utc())
        .map_err(|_| "write it like 2026-11-26T09:00:00Z".to_owned())
}
