//! The arguments of `feed push`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use directory::calendar::{FeedMode, is_site, not_a_site};
use directory::model::MaxShrink;
use serde::Serialize;

use crate::settings::feed_mode;

#[derive(Debug, Subcommand)]
pub(crate) enum FeedCommand {
    /// Read a feed repeatedly, and write the changes to a NATS bucket
    #[command(
        after_help = "Example:\n  nameplate feed push busy.ndjson --to tls://nats.example.org --site oakland"
    )]
    Push(PushArguments),
}

#[derive(Debug, Args)]
pub(crate) struct PushArguments {
    /// The feed: a file of slots, a publisher's manifest, or - for standard input, which is read once
    #[arg(value_name = "FILE|URL|-", required_unless_present_any = ["kind", "calendars"], conflicts_with_all = ["kind", "calendars"])]
    pub(super) source: Option<String>,
    /// Read calendars, listed in --calendars or `NAMEPLATE_CALENDARS`
    #[arg(long, value_name = "KIND", value_parser = ["ics"])]
    pub(super) kind: Option<String>,
    /// The file with a line for each calendar: a clinician's slug and the calendar's secret address
    #[arg(long, value_name = "FILE")]
    pub(super) calendars: Option<String>,
    /// The servers' addresses, separated by commas
    #[arg(long, value_name = "tls://N1,tls://N2")]
    pub(super) to: String,
    /// The name of the clinic or system whose times these are: lowercase letters, digits, and hyphens
    #[arg(long, value_name = "NAME", value_parser = site)]
    pub(super) site: String,
    /// What the feed lists: busy time or open slots; required unless the file is named busy or open
    #[arg(long, value_parser = feed_mode())]
    pub(super) mode: Option<FeedMode>,
    #[command(flatten)]
    pub(super) nats: NatsArguments,
    /// The time between readings [default: 10s, or 5m for calendars]
    #[arg(long, value_name = "DURATION", value_parser = every, conflicts_with = "once")]
    pub(super) every: Option<Duration>,
    /// Read and write once, and exit
    #[arg(long)]
    pub(super) once: bool,
    /// Write nothing if more than this share of the entries or keys would be lost; four or fewer are always allowed
    #[arg(long, value_name = "SHARE", default_value = "0.5")]
    pub(super) max_shrink: MaxShrink,
    /// Write even if many entries are lost
    #[arg(long)]
    pub(super) accept_shrink: bool,
}

/// How a bucket is reached, without its servers.
#[derive(Debug, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct NatsArguments {
    /// The NATS bucket
    #[arg(long, value_name = "NAME", default_value = feed::BUCKET)]
    bucket: String,
    /// The NATS user's credentials file
    #[arg(long, value_name = "FILE", conflicts_with = "nkey")]
    creds: Option<PathBuf>,
    /// The file with the NATS user's nkey seed
    #[arg(long, value_name = "FILE")]
    nkey: Option<PathBuf>,
    /// Trust these certificate authorities for NATS instead of the system's
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// The client certificate for NATS
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the client certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

fn site(text: &str) -> Result<String, String> {
    if is_site(text) { Ok(text.to_owned()) } else { Err(not_a_site(text)) }
}

fn every(text: &str) -> Result<Duration, String> {
    let range = Duration::from_secs(1)..=Duration::from_hours(1);
    let every = feed::parse_duration(text).filter(|every| range.contains(every));
    every.ok_or_else(|| "write a time from 1s to 1h, such as 10s".to_owned())
}
