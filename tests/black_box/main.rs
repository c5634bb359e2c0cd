//! Tests of the whole product: the command as users run it, and its interfaces against each other.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and prepare files of their own"
)]

mod accuracy;
mod arrows;
mod availability;
mod browser;
mod calendars;
mod changes;
mod command;
#[cfg(feature = "replicas")]
mod demo;
mod deploy_examples;
mod dev;
mod documents;
mod edges;
mod editor;
mod feed;
mod fix;
mod guides;
mod harness;
mod help_page;
mod init;
mod listing;
mod logs;
mod lost_feed;
mod modules;
mod nats;
mod parity;
mod professions;
mod publish;
#[cfg(feature = "replicas")]
mod releases;
mod reload;
mod rename;
mod reports;
mod restart;
mod runbook;
mod sheet;
mod shrink;
mod standards;
mod stop;
mod translations;
mod verify;
mod workflow_scripts;
mod workflows;
mod wrong_clock;
