//! The arguments of `check`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use directory::calendar::FeedMode;

use super::Content;

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) content: Content,
    /// Text for people, JSON for programs, annotations of a pull request on GitHub, or a page in --out
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// The folder for the page of --format html, which must not exist yet or be empty
    #[arg(long, value_name = "DIR", required_if_eq("format", "html"))]
    pub(crate) out: Option<PathBuf>,
    /// A folder with templates and assets that replace the built-in files of the same names, for the page
    #[arg(long, value_name = "DIR", requires = "out")]
    pub(crate) site: Option<PathBuf>,
    /// Check a feed against the content instead: a file of slots, or a publisher's manifest
    #[arg(long, value_name = "FILE|URL")]
    pub(crate) feed: Option<String>,
    /// What the feed lists: busy time or open slots; needed for a file that is named neither busy nor open
    #[arg(long, value_enum, requires = "feed")]
    pub(crate) feed_mode: Option<Mode>,
    /// Use the mode and the Schedules of `[feed]` in this settings file, as `serve` does
    #[arg(long, value_name = "FILE", requires = "feed")]
    pub(crate) config: Option<PathBuf>,
}

/// The meaning of a feed's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    Busy,
    Open,
}

impl Mode {
    pub(crate) fn word(self) -> &'static str {
        FeedMode::from(self).word()
    }
}

impl From<Mode> for FeedMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Busy => Self::Busy,
            Mode::Open => Self::Open,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Github,
    Html,
}
