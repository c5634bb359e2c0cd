//! Compares a deployed host with the content that it should serve.
//!
//! A host has a tree of files, rules that map requests to files, and a live service for the other requests. Each can be
//! outdated, missing or incomplete, and looking at one page does not show it.
//!
//! - `reference` knows the right response to every request, an `expectation`, from a content folder.
//! - Every file of the manifest is requested and compared by its digest. `questions` makes the requests that are not for
//!   files; `designed` those that show whether a host ignores a parameter.
//! - `probe` requests a path, and a sample of the paths in each way that matters; `mcp` calls the tools.
//! - `judge` compares a response with the right ones; `report` prints the differences.
//!
//! A host of static files need not refuse methods, answer OPTIONS, send exact tags or list ignored parameters, because such
//! hosts cannot.

mod designed;
mod expectation;
mod host;
mod judge;
mod mcp;
mod probe;
mod questions;
mod reference;
mod report;

use std::collections::BTreeMap;
use std::time::Duration;

use directory::api::{MCP_PATH, OPERATIONS, Request};
use directory::web::is_of_the_host;
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

/// The number of requests at the same time: few, to stay below a host's own limits.
pub const CONCURRENCY: usize = 16;
/// The interval of requests to a host that does not have the tree yet.
const WAIT_INTERVAL: Duration = Duration::from_secs(5);
/// Every sixteenth file is requested in each way.
const SAMPLE_INTERVAL: usize = 16;
const SLOW: &str = "the host is slow: verify again, or allow more time with --timeout";

/// How a host is compared.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Whether the host is only the live service, without files.
    pub is_live: bool,
    /// How long to wait for the host to have this tree, after a deployment.
    pub wait: Duration,
    /// The maximum duration, after the waiting.
    pub limit: Duration,
}

/// Compares a host with the reference. `progress` is told the number of requests, and what it returns is called after each.
pub async fn verify<Step: Fn()>(
    options: Options,
    host: &Host,
    reference: &Reference,
    progress: impl FnOnce(usize) -> Step,
) -> Result<Findings, String> {
    let mut judge = Judge::new(host);
    let first = first_response(options, &mut judge, reference).await?;
    let end = Instant::now() + options.limit;
    if !compare_generation(&first, options.is_live, &mut judge, reference) {
        let note = "nothing else was compared: mend this first";
        judge.findings.notes.push(note.to_owned());
        return Ok(judge.findings);
    }
    let questions = questions::questions(&reference.snapshot, reference.now());
    let mut probes = Vec::new();
    if !options.is_live {
        let files = reference.manifest.files().iter().map(|entry| &*entry.path);
        probes.extend(
            files.filter(|path| is_served(path)).enumerate().map(|(nth, path)| Probe {
                target: format!("/{path}"),
                is_sampled: nth % SAMPLE_INTERVAL == 0,
            }),
        );
    }
    probes.extend(questions.iter().map(|question| Probe {
        target: question.clone(),
        // The requests that clients send most often.
        is_sampled: OPERATIONS.iter().any(|operation| operation.path == question),
    }));
    let results = run_probes(&probes, host, reference, end, progress(probes.len())).await;
    if results.len() < probes.len() {
        judge.request = format!("{} paths", probes.len());
        judge.differs("time", "a response to each", format!("{} in time", results.len()), SLOW);
    }
    for found in results {
        judge.findings.add(found);
    }
    let calls = first_of_each_operation(&questions);
    if let Ok(found) = timeout_at(end, mcp::check(host, reference, &calls)).await {
        judge.findings.add(found);
    } else {
        judge.request = format!("POST {MCP_PATH}");
        judge.differs("time", "responses", "none in time", SLOW);
    }
    if reference.with_feed {
        let note = "open slots come from a feed: their form was compared, but not their times";
        judge.findings.notes.push(note.to_owned());
    }
    Ok(judge.findings)
}

/// Requests the manifest, or live's first list. With `--wait`, it waits until the host has the right content.
async fn first_response(
    options: Options,
    judge: &mut Judge<'_>,
    reference: &Reference,
) -> Result<Response, String> {
    let path = if options.is_live { OPERATIONS[0].path.to_owned() } else { format!("/{MANIFEST_PATH}") };
    let until = Instant::now() + options.wait;
    let expected = reference.manifest.generation();
    let base = &judge.host.base;
    let response = loop {
        judge.findings.requests += 1;
        let sent = judge.host.send(Method::GET, &path, &[], "").await;
        let is_right = sent.as_ref().is_ok_and(|found| generation_of(found, options.is_live) == expected);
        if is_right || Instant::now() >= until {
            break sent
                .map_err(|why| format!("{base} cannot be verified: {why}; see that the address is right"))?;
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

/// The generation of live's first list, or of a manifest; empty if there is none.
fn generation_of(response: &Response, is_live: bool) -> String {
    if is_live {
        return response.header("nameplate-generation").to_owned();
    }
    Manifest::parse(&response.body).map(|manifest| manifest.generation().to_owned()).unwrap_or_default()
}

/// Compares the generation and the manifest's list of files. False: the host has other content, or no tree.
fn compare_generation(
    response: &Response,
    is_live: bool,
    judge: &mut Judge<'_>,
    reference: &Reference,
) -> bool {
    let (found, expected) = (generation_of(response, is_live), reference.manifest.generation());
    if !found.is_empty() && found != expected {
        let [expected, found] = [expected, &found].map(|name| format!("generation {}", shown(name)));
        let advice = "the host has other content: deploy this one, or compare with what was deployed";
        judge.differs("generation", expected, found, advice);
        return false;
    }
    if is_live {
        return true;
    }
    if let Some(manifest) = Manifest::parse(&response.body) {
        let paths = manifest.files().iter().map(|entry| &*entry.path);
        for path in paths.filter(|path| is_served(path) && reference.manifest.get(path).is_none()) {
            let advice =
                "the host's tree has other templates or options: deploy again, or give the same --site";
            judge.differs("extra file", format!("no file {path}"), "one", advice);
        }
    } else {
        let body = Body::Bytes(response.body.clone()).describe();
        let found = format!("status {} and {body}", response.status);
        let advice =
            "no tree is published there: deploy it, or give --live if this is the live service alone";
        judge.differs("manifest", "the list of the tree's files", found, advice);
        return false;
    }
    true
}

/// Runs the probes concurrently until the time is over.
async fn run_probes(
    probes: &[Probe],
    host: &Host,
    reference: &Reference,
    end: Instant,
    step: impl Fn(),
) -> Vec<Findings> {
    let unique = Clock::system().now().timestamp_micros().to_string();
    let runs = probes.iter().map(|probe| probe.run(host, reference, &unique));
    let found = stream::iter(runs).buffered(CONCURRENCY).inspect(|_| step());
    found.take_until(sleep_until(end)).collect().await
}

/// Whether hosts serve a file of the tree under its path. They read rules themselves, and serve a compressed file under
/// the path of the original.
fn is_served(path: &str) -> bool {
    !is_of_the_host(path) && path.strip_suffix(".gz").is_none()
}

/// The first valid question of each operation.
fn first_of_each_operation(questions: &[String]) -> Vec<String> {
    let mut first = BTreeMap::new();
    for question in questions {
        if let Ok(request) = Request::from_target(question) {
            first.entry(request.operation().id).or_insert_with(|| question.clone());
        }
    }
    first.into_values().collect()
}
