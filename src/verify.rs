//! `nameplate verify` compares a deployed host with the content that it should serve.

use std::path::PathBuf;
use std::time::Duration;

use ::verify::{CONCURRENCY, Host, Options, Reference, verify};
use chrono::TimeDelta;
use clap::Args;
use directory::content::FolderFeed;
use tokio::runtime::Builder;

use crate::content::{Content, Now, clock, load, seconds, snapshot};
use crate::outcome::{Outcome, Refusal};
use crate::progress::{Bar, while_slow};
use crate::terminal::notes_or_results;

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// The host's URL, with http or https
    #[arg(value_name = "URL")]
    host: String,
    #[command(flatten)]
    content: Content,
    /// The templates and assets that the tree was built with
    #[arg(long, value_name = "DIR")]
    site: Option<PathBuf>,
    /// The tree was built without the site's pages
    #[arg(long)]
    no_pages: bool,
    /// Verify a host that has only the live service, without files
    #[arg(long)]
    live: bool,
    /// The live service has a feed outside the content folder, so the times of slots can't be compared
    #[arg(long)]
    with_feed: bool,
    /// How many seconds to wait until the host has this tree, after a deployment
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = seconds::<0>)]
    wait: u64,
    /// The maximum number of seconds for the comparisons, after any waiting
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = seconds::<1>)]
    timeout: u64,
    #[command(flatten)]
    now: Now,
}

pub(crate) fn run(arguments: &VerifyArguments) -> Result<Outcome, Refusal> {
    let host = Host::new(&arguments.host, CONCURRENCY).map_err(Refusal::new)?;
    let Some((reference, generation)) = reference(arguments)? else { return Ok(Outcome::Problems) };
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Refusal::new(format!("the network isn't available: {error}")))?;
    let options = Options {
        is_live: arguments.live,
        wait: Duration::from_secs(arguments.wait),
        timeout: Duration::from_secs(arguments.timeout),
    };
    let progress = |total| {
        let bar = Bar::new(total, "requests");
        move || bar.step()
    };
    let findings =
        while_slow("Waiting for the host", || runtime.block_on(verify(options, &host, &reference, progress)))
            .map_err(Refusal::new)?;
    let is_match = findings.is_match();
    findings.print(&mut notes_or_results(!is_match), &host.base, &generation)?;
    Ok(if is_match { Outcome::Done } else { Outcome::Problems })
}

/// Computes the reference and its generation. `None` means that the content has errors, which were printed.
fn reference(arguments: &VerifyArguments) -> Result<Option<(Reference, String)>, Refusal> {
    let (folder, clock) = (&arguments.content.folder, clock(arguments.now.now));
    let Some(mut checked) = load(folder, clock)? else { return Ok(None) };
    let has_feed = arguments.with_feed || checked.feed.is_some();
    // Only the service reads a linked feed.
    checked.feed = checked.feed.filter(|feed| !matches!(feed, FolderFeed::Linked(_)));
    // The calendar must reach back to the oldest response.
    let snapshot = snapshot(checked, clock.now() - TimeDelta::days(1));
    let options = generator::BuildOptions {
        site: arguments.site.clone(),
        with_pages: !arguments.no_pages,
        ..generator::BuildOptions::new(folder, "dist")
    };
    let manifest = generator::preview(&snapshot, &options).map_err(Refusal::new)?;
    let generation = manifest.generation().to_owned();
    Ok(Some((Reference::new(snapshot, manifest, has_feed, clock), generation)))
}
