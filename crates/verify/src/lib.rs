//! Compares a deployed host with the content that it should serve.
//!
//! `reference` computes each correct response (an `expectation`); `targets` and `designed` list requests to the API; `probe`
//! and `mcp` send them; `judge` compares the responses; `report` prints the differences. Static hosts can't refuse methods,
//! answer OPTIONS, send exact tags or list ignored parameters, so none of that is checked.

mod designed;
mod expectation;
mod host;
mod judge;
mod mcp;
mod probe;
mod reference;
mod report;
mod targets;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use directory::api::{OPERATIONS, Request};
use directory::web::is_host_configuration;
use feed::Clock;
use futures_util::{StreamExt as _, stream};
use generator::{MANIFEST_PATH, Manifest};
use reqwest::Method;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

use expectation::Body;
use host::Response;
use judge::Judge;
use probe::Probe;
use report::shown;

pub use host::Host;
pub use reference::Reference;
pub use report::Findings;

/// Requests at the same time, below the limits of common hosts.
pub const CONCURRENCY: usize = 16;
const WAIT_INTERVAL: Duration = Duration::from_secs(5);
/// One file in this many also gets conditional, compressed and HEAD requests. So does the first target of each operation.
const SAMPLE_INTERVAL: usize = 16;
const SLOW: &str = "the host is slow: verify again, or allow more time with --timeout";

#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Whether the host is only the live service, without files.
    pub is_live: bool,
    /// How long to wait for the host to have this tree.
    pub wait: Duration,
    /// The time for all comparisons, after any waiting.
    pub timeout: Duration,
}

/// `progress` gets the number of probes. The function that it returns is called after each.
pub async fn verify<Step: Fn()>(
    options: Options,
    host: &Host,
    reference: &Reference,
    progress: impl FnOnce(usize) -> Step,
) -> Result<Findings, String> {
    let mut judge = Judge::new(host);
    let first = first_response(options, &mut judge, reference).await?;
    if is_dev(host).await {
        return Err(format!(
            "{} is `nameplate dev`, which changes pages on their way: build the site, and verify `nameplate serve --static dist`",
            host.base
        ));
    }
    let end = Instant::now() + options.timeout;
    if !check_generation_and_files(&first, options.is_live, &mut judge, reference) {
        let note = "nothing else was compared: fix this first";
        judge.findings.notes.push(note.to_owned());
        return Ok(judge.findings);
    }
    let targets = targets::api_targets(&reference.snapshot, reference.now());
    let sample = first_of_each_operation(&targets);
    let mut probes = if options.is_live { Vec::new() } else { file_probes(&reference.manifest) };
    let api_probe = |target: String| Probe { is_sampled: sample.contains(&target), target };
    probes.extend(targets.into_iter().map(api_probe));
    let results = run_probes(&probes, host, reference, end, progress(probes.len())).await;
    if results.len() < probes.len() {
        judge.request = format!("{} paths", probes.len());
        judge.add("time", "a response to each", format!("{} in time", results.len()), SLOW);
    }
    for findings in results.into_values() {
        judge.findings.append(findings);
    }
    if timeout_at(end, mcp::check(&mut judge, reference, &sample)).await.is_err() {
        judge.add("time", "a response", "none in time", SLOW);
    }
    if reference.has_feed {
        let note = "open slots come from a feed, so their times weren't compared";
        judge.findings.notes.push(note.to_owned());
    }
    Ok(judge.findings)
}

async fn is_dev(host: &Host) -> bool {
    let state = host.send(Method::GET, "/.nameplate/state", &[], "").await;
    state.is_ok_and(|state| state.status == 200 && state.body.starts_with(b"{\"state\""))
}

/// Requests the manifest, or the first operation, which needs no parameters, of a host without files. Asks again until the
/// host has the expected generation or the time is over. A permanent redirect ends the waiting: no deployment ends it.
async fn first_response(
    options: Options,
    judge: &mut Judge<'_>,
    reference: &Reference,
) -> Result<Response, String> {
    let path = if options.is_live { OPERATIONS[0].path.to_owned() } else { format!("/{MANIFEST_PATH}") };
    let deadline = Instant::now() + options.wait;
    let expected = reference.manifest.generation();
    let base = &judge.host.base;
    let response = loop {
        judge.findings.requests += 1;
        let sent = judge.host.send(Method::GET, &path, &[], "").await;
        let is_final = |found: &Response| {
            matches!(found.status, 301 | 308) || generation_of(found, options.is_live) == expected
        };
        if sent.as_ref().is_ok_and(is_final) || Instant::now() >= deadline {
            break sent.map_err(|why| {
                format!(
                    "{base} can't be verified: {why}; check the address, that a service runs there, and this machine's network and DNS"
                )
            })?;
        }
        sleep(WAIT_INTERVAL).await;
    };
    judge.request = format!("GET {path}");
    if (300..400).contains(&response.status) {
        let location = shown(response.header("location"));
        return Err(format!("{base} redirects to {location}: verify that address instead"));
    }
    Ok(response)
}

fn generation_of(response: &Response, is_live: bool) -> String {
    if is_live {
        return response.header("nameplate-generation").to_owned();
    }
    Manifest::parse(&response.body).map(|manifest| manifest.generation().to_owned()).unwrap_or_default()
}

/// Returns whether comparing the rest makes sense. Also looks for files that only the host has.
fn check_generation_and_files(
    response: &Response,
    is_live: bool,
    judge: &mut Judge<'_>,
    reference: &Reference,
) -> bool {
    let (found, expected) = (generation_of(response, is_live), reference.manifest.generation());
    // A missing generation is reported elsewhere: a missing manifest below, and a missing header by `Judge::compare`.
    if !found.is_empty() && found != expected {
        let [expected, found] = [expected, &found].map(|name| format!("generation {}", shown(name)));
        let advice = "the host has other content: deploy this content, or verify with the deployed content";
        judge.add("generation", expected, found, advice);
        return false;
    }
    if is_live {
        return true;
    }
    let Some(manifest) = Manifest::parse(&response.body) else {
        let body = Body::Bytes(response.body.clone()).describe();
        let found = format!("status {} and {body}", response.status);
        let advice =
            "no tree is published there: deploy one, or use --live for a host with only the live service";
        judge.add("manifest", "the list of the tree's files", found, advice);
        return false;
    };
    let paths = manifest.files().iter().map(|entry| &*entry.path);
    for path in paths.filter(|path| is_served(path) && reference.manifest.get(path).is_none()) {
        let advice =
            "the host's tree was built with other templates or options: deploy again, or use the same --site";
        judge.add("extra file", format!("no file {path}"), "one", advice);
    }
    true
}

fn file_probes(manifest: &Manifest) -> Vec<Probe> {
    let paths = manifest.files().iter().map(|entry| &*entry.path).filter(|path| is_served(path));
    let probe = |(at, path): (usize, &str)| {
        let is_sampled = at.is_multiple_of(SAMPLE_INTERVAL);
        Probe { target: format!("/{path}"), is_sampled }
    };
    paths.enumerate().map(probe).collect()
}

/// Returns the findings of each probe that ended in time, by its index.
async fn run_probes(
    probes: &[Probe],
    host: &Host,
    reference: &Reference,
    end: Instant,
    step: impl Fn(),
) -> BTreeMap<usize, Findings> {
    let cache_buster = &Clock::system().now().timestamp_micros().to_string();
    let runs = probes.iter().enumerate();
    let runs = runs.map(async |(at, probe)| (at, probe.run(host, reference, cache_buster).await));
    let found = stream::iter(runs).buffer_unordered(CONCURRENCY).inspect(|_| step());
    found.take_until(sleep_until(end)).collect().await
}

/// Hosts serve compressed files under the path of the original.
fn is_served(path: &str) -> bool {
    !is_host_configuration(path) && Path::new(path).extension() != Some("gz".as_ref())
}

fn first_of_each_operation(targets: &[String]) -> Vec<String> {
    let valid = |target: &String| Some((Request::from_target(target).ok()?.operation().id, target.clone()));
    // Reversed, so that the first of an operation replaces the others.
    let first: BTreeMap<_, _> = targets.iter().rev().filter_map(valid).collect();
    first.into_values().collect()
}
