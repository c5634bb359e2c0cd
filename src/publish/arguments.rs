//! The arguments of `publish`.

use std::path::PathBuf;

use clap::Args;

use crate::content::{folder, seconds};

const BUCKET_HELP: &str = "The object store: s3://bucket/prefix, gs://bucket/prefix, az://container/prefix, or \
                          file:///folder; credentials come from the environment";

#[derive(Debug, Args)]
#[command(allow_missing_positional = true, override_usage = "nameplate publish [OPTIONS] [CONTENT] <STORE>")]
pub(crate) struct PublishArguments {
    /// The content folder
    #[arg(value_name = "CONTENT", required_unless_present_any = ["rollback", "list", "keep"], value_parser = folder)]
    pub(super) content: Option<PathBuf>,
    /// The object store; credentials come from the environment
    #[arg(value_name = "STORE", required = true, help = BUCKET_HELP)]
    pub(super) bucket: String,
    /// Publish an earlier generation again instead of a folder
    #[arg(long, value_name = "GENERATION", conflicts_with = "content")]
    pub(super) rollback: Option<String>,
    /// List the releases, newest first, and exit
    #[arg(long, conflicts_with_all = ["content", "rollback", "keep", "wait"])]
    pub(super) list: bool,
    /// Then remove all but this number of the newest releases; the newest three and those less than a day old always stay
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) keep: Option<u32>,
    /// Who publishes, for the list of releases [default: the user name]
    #[arg(long, value_name = "NAME")]
    pub(super) by: Option<String>,
    /// Then wait until 20 new connections in a row to this service answer with the new generation
    #[arg(long, value_name = "URL")]
    pub(super) wait: Option<String>,
    /// The maximum number of seconds to wait
    #[arg(long, value_name = "SECONDS", default_value_t = 120, requires = "wait", value_parser = seconds::<1>)]
    pub(super) timeout: u64,
    /// Sign the release with the seed of an nkey in this file, for services with `content-key`
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub(super) sign_key: Option<PathBuf>,
    /// Publish a folder that has a feed file: releases don't include feeds, so each service needs `[feed]` in its settings
    #[arg(long)]
    pub(super) without_feed: bool,
}
