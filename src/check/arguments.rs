//! The arguments of `check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use directory::calendar::FeedMode;

use crate::content::Content;
use crate::settings::feed_mode;

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Apply safe repairs, which change notation but never meaning
    #[arg(long, conflicts_with_all = ["feed", "format"])]
    pub(super) fix: bool,
    /// Also apply likely repairs, where there is only one: review what they change
    #[arg(long, conflicts_with_all = ["feed", "format"])]
    pub(super) fix_likely: bool,
    /// Show the lines that --fix or --fix-likely would change, and write nothing
    #[arg(long, conflicts_with_all = ["feed", "format"])]
    pub(super) diff: bool,
    #[command(flatten)]
    pub(super) content: Content,
    /// Text for people, JSON for programs, annotations for a pull request on GitHub, or a page in --out
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// The folder for the page of --format html, which must be new or empty
    #[arg(long, value_name = "DIR", required_if_eq("format", "html"))]
    pub(super) out: Option<PathBuf>,
    /// A folder with templates and assets that replace the built-in files of the same names, for the page
    #[arg(long, value_name = "DIR", requires = "out")]
    pub(super) site: Option<PathBuf>,
    /// Check a feed against the content instead: a file of slots, a list of calendars, a publisher's manifest, or a NATS bucket
    #[arg(long, value_name = "FILE|URL")]
    pub(super) feed: Option<String>,
    /// What the feed lists: busy time or open slots; required unless the file is named busy or open
    #[arg(long, value_parser = feed_mode(), requires = "feed")]
    pub(super) feed_mode: Option<FeedMode>,
    /// Use the settings of `[feed]` in this file, as `serve` does
    #[arg(long, value_name = "FILE", requires = "feed")]
    pub(super) config: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
    Github,
    Html,
}
