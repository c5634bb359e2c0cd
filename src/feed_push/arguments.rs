//! The arguments of `feed push`.

use clap::{Args, Subcommand};
use directory::calendar::{is_site, not_a_site};

use super::Mode;
use super::nats::NatsArguments;

#[derive(Debug, Subcommand)]
pub(crate) enum FeedCommand {
    /// Read a feed again and again, and write what differs into a bucket of NATS
    Push(PushArguments),
}

#[derive(Debug, Args)]
pub(crate) struct PushArguments {
    /// The feed: a file of slots, a publisher's manifest, or - for standard input, which is read once
    #[arg(value_name = "FILE|URL|-")]
    pub(crate) source: String,
    /// The servers' addresses, with commas between them
    #[arg(long, value_name = "tls://N1,tls://N2")]
    pub(crate) to: String,
    /// The name of the clinic or system whose times these are: lower-case letters, digits and hyphens
    #[arg(long, value_name = "NAME", value_parser = site)]
    pub(crate) site: String,
    /// What the feed lists: busy time or open slots; needed unless the file is named busy or open
    #[arg(long, value_enum)]
    pub(crate) mode: Option<Mode>,
    #[command(flatten)]
    pub(crate) nats: NatsArguments,
    /// The time between two readings and two beats
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = every, conflicts_with = "once")]
    pub(crate) every: std::time::Duration,
    /// Read and write once, and stop
    #[arg(long)]
    pub(crate) once: bool,
    /// Write nothing if more than this share of the entries or of the keys would be lost; four or fewer are always allowed
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = share)]
    pub(crate) max_shrink: f64,
    /// Write even if much is lost
    #[arg(long)]
    pub(crate) accept_shrink: bool,
}

fn site(text: &str) -> Result<String, String> {
    if is_site(text) { Ok(text.to_owned()) } else { Err(not_a_site(text)) }
}

fn every(text: &str) -> Result<std::time::Duration, String> {
    let range = std::time::Duration::from_secs(1)..=std::time::Duration::from_hours(1);
    let every = live::duration_of(text).filter(|every| range.contains(every));
    every.ok_or_else(|| "write a time from 1s to 1h, such as 10s".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a share from 0 to 1, such as 0.5".to_owned())
}
