//! `nameplate verify`: is a deployed host what it should be?
//!
//! A host of these answers is a tree of files, rules that lead questions to files, and a live service for the
//! rest. Each of them can be old, missing or incomplete, and a person who looks at one page does not see it.
//! So everything is asked for and compared:
//!
//! - [`local`] knows what is right: from a content folder every answer, from a built tree every file.
//! - [`questions`] makes the questions beyond the files, from `OPERATIONS` and a seed; [`designed`] makes those that
//!   show whether each parameter is heeded.
//! - [`probe`] asks for one path in each way that matters, [`mcp`] speaks the protocol; [`host`] is their client.
//! - [`judge`] compares one answer with what is right; [`report`] tells the differences.
//!
//! What a host of static files need not do (methods, OPTIONS, exact tags, ignored parameters) is not asked of its
//! files. Nothing here decides what an answer is: that is `directory`'s; where its file lies is `generator`'s.

mod designed;
mod host;
mod judge;
mod local;
mod mcp;
mod probe;
mod questions;
mod report;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use directory::api::{MCP_PATH, OPERATIONS, is_of_the_host};
use generator::{MANIFEST_PATH, Manifest};
use live::Clock;
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::args::{VerifyArguments, VerifyFormat};
use crate::outcome::{Outcome, Refusal};
use crate::progress::Bar;

use host::Host;
use judge::Judge;
use local::Local;
use probe::{Probed, Target};
use questions::Random;
use report::{Findings, shown};

/// How many requests are under way at once: few, so that a host's own limits are not met.
const AT_ONCE: usize = 16;
/// How often to look at a host that does not have the tree yet.
const LOOK_AGAIN: Duration = Duration::from_secs(5);
/// One file of so many is asked for compressed and for its head, too.
const THOROUGHLY: usize = 16;
const SLOW: &str = "the host is slow: ask again, or give more time with --timeout";

pub(crate) fn run(arguments: &VerifyArguments) -> Result<Outcome, Refusal> {
    let host = Host::new(&arguments.host)?;
    let Some(local) = Local::read(arguments)? else { return Ok(Outcome::Problems) };
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime
        .map_err(|error| Refusal::new(format!("the machine does not let requests be made: {error}")))?;
    let generation = local.manifest().generation().to_owned();
    let findings = runtime.block_on(verify(arguments, &host, local))?;
    let mut out = io::stdout().lock();
    match arguments.format {
        VerifyFormat::Text => findings.tell(&mut out, host.base(), &generation)?,
        VerifyFormat::Json => writeln!(out, "{}", findings.as_json(host.base(), &generation))?,
    }
    Ok(if findings.differences.is_empty() { Outcome::Done } else { Outcome::Problems })
}

async fn verify(arguments: &VerifyArguments, host: &Host, local: Local) -> Result<Findings, Refusal> {
    let end = Instant::now() + Duration::from_secs(arguments.timeout);
    let mut findings = Findings::default();
    if !has_this_content(arguments, host, &local, &mut findings).await? {
        let note = "nothing else was compared: with other content every answer differs";
        findings.notes.push(note.to_owned());
        return Ok(findings);
    }
    let questions =
        local.vocabulary().questions(&mut Random::new(arguments.seed), arguments.queries as usize);
    let mut targets = Vec::new();
    if !arguments.live {
        let served = local.manifest().files().iter().filter(|entry| is_served(entry.path()));
        targets.extend(served.enumerate().map(|(nth, entry)| Target {
            path_and_query: format!("/{}", entry.path()),
            thoroughly: nth % THOROUGHLY == 0,
        }));
    }
    targets.extend(questions.iter().map(|question| Target {
        path_and_query: question.clone(),
        // Each list, as it is asked most often.
        thoroughly: OPERATIONS.iter().any(|operation| operation.path == question),
    }));
    let local = Arc::new(local);
    ask(&targets, host, &local, end, &mut findings).await;

    // One call of each tool: its operation's first valid question.
    let calls = first_of_each(&questions);
    match timeout_at(end, mcp::check(host, &local, &calls)).await {
        Ok(spoken) => findings.add(spoken),
        Err(_) => note(&mut findings, format!("POST {MCP_PATH}"), "answers", "none in time"),
    }
    findings.notes.extend(local.note().map(str::to_owned));
    Ok(findings)
}

/// Notes that the time was over.
fn note(findings: &mut Findings, asked: String, expected: &str, came: &str) {
    let mut judge = Judge::new(asked);
    judge.differs("time", expected, came, SLOW);
    findings.differences.append(&mut judge.differences);
}

/// Looks at the manifest, or at live's first list: whether the host answers at all, and with which content. Waits for
/// the right one where `--wait` asks for that.
async fn has_this_content(
    arguments: &VerifyArguments,
    host: &Host,
    local: &Local,
    findings: &mut Findings,
) -> Result<bool, Refusal> {
    let path = if arguments.live { OPERATIONS[0].path.to_owned() } else { format!("/{MANIFEST_PATH}") };
    let patience = Instant::now() + Duration::from_secs(arguments.wait);
    let right = local.manifest();
    let mut judge = Judge::new(format!("GET {path}"));
    let base = host.base();
    let (came, tree) = loop {
        findings.requests += 1;
        let answer = timeout(LOOK_AGAIN * 6, host.get(&path)).await;
        let answer = answer.unwrap_or_else(|_| Err("no answer in time".to_owned()));
        let tree = answer.as_ref().ok().and_then(|came| Manifest::parse(&came.body));
        let named = |came: &host::Response| came.header("nameplate-generation") == right.generation();
        let is_there = match &tree {
            _ if arguments.live => answer.as_ref().is_ok_and(named),
            tree => tree.as_ref().is_some_and(|tree| tree.generation() == right.generation()),
        };
        if is_there || Instant::now() >= patience {
            let wrong = |why| {
                Refusal::new(format!("{base} cannot be verified: {why}; see that the address is right"))
            };
            break (answer.map_err(wrong)?, tree);
        }
        sleep(LOOK_AGAIN).await;
    };
    if (300..400).contains(&came.status) {
        let to = shown(came.header("location"));
        return Err(Refusal::new(format!("{base} redirects to {to}: verify the host that it leads to")));
    }
    let named = match &tree {
        _ if arguments.live => came.header("nameplate-generation"),
        Some(tree) => tree.generation(),
        None => "",
    };
    if named != right.generation() && !named.is_empty() {
        let advice = "the host has other content: deploy this one, or compare with what was deployed";
        let [expected, found] =
            [right.generation(), &shown(named)].map(|named| format!("generation {named}"));
        judge.differs("generation", expected, found, advice);
    } else if let Some(tree) = tree {
        let listed = tree.files().iter().filter(|entry| is_served(entry.path()));
        for entry in listed.filter(|entry| right.get(entry.path()).is_none()) {
            let advice =
                "the tree there is of other templates or options: deploy again, or give the same --site";
            judge.differs("extra file", format!("no file {}", entry.path()), "one", advice);
        }
    } else if !arguments.live {
        let body = judge::describe(&local::Body::Bytes(came.body.clone()));
        let advice =
            "no tree is published there: deploy it, or give --live if this is the live service alone";
        let found = format!("status {} and {body}", came.status);
        judge.differs("manifest", "the list of the tree's files", found, advice);
    }
    let is_other = judge.differences.iter().any(|difference| difference.what == "generation");
    findings.differences.append(&mut judge.differences);
    Ok(!is_other)
}

/// Asks for everything, several at a time, and keeps the findings in the order of the targets.
async fn ask(targets: &[Target], host: &Host, local: &Arc<Local>, end: Instant, findings: &mut Findings) {
    // A value that no cache has seen, for this run.
    let run: Arc<str> = Clock::system().now().timestamp_micros().to_string().into();
    let (permits, mut tasks) = (Arc::new(Semaphore::new(AT_ONCE)), JoinSet::new());
    for (nth, target) in targets.iter().cloned().enumerate() {
        let (permits, host, local) = (Arc::clone(&permits), host.clone(), Arc::clone(local));
        let run = Arc::clone(&run);
        tasks.spawn(async move {
            // The semaphore is never closed.
            let _permit = permits.acquire().await;
            (nth, target.probe(&host, &local, &run).await)
        });
    }
    let bar = Bar::new(targets.len(), "requests");
    let mut probed: BTreeMap<usize, Probed> = BTreeMap::new();
    while let Ok(Some(done)) = timeout_at(end, tasks.join_next()).await {
        if let Ok((nth, found)) = done {
            probed.insert(nth, found);
        }
        bar.step();
    }
    drop(bar);
    if probed.len() < targets.len() {
        let came = format!("{} in time", probed.len());
        note(findings, format!("{} paths", targets.len()), "an answer to each", &came);
    }
    let right = local.manifest().generation();
    // The generations of other content: where the first of each was seen, and how often.
    let mut skewed: BTreeMap<(bool, String), (&str, usize)> = BTreeMap::new();
    for (nth, found) in probed {
        findings.add(found.findings);
        if let Some(generation) = found.generation.filter(|generation| generation != right) {
            let target = targets.get(nth).map_or("", |target| target.path_and_query.as_str());
            let is_file = local.manifest().get(target.trim_start_matches('/')).is_some();
            skewed.entry((is_file, generation)).or_insert((target, 0)).1 += 1;
        }
    }
    for ((is_file, generation), (first, count)) in skewed {
        let others = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
        let advice = if is_file {
            "the host has an older tree, or its header rules do: deploy again and purge the cache"
        } else {
            "live and the files are of different content: give live this content, or restart it"
        };
        let mut judge = Judge::new(format!("GET {first}{others}"));
        let [expected, came] = [right, &generation].map(|named| format!("nameplate-generation {named}"));
        judge.differs("nameplate-generation", expected, came, advice);
        findings.differences.append(&mut judge.differences);
    }
}

/// Whether hosts serve a file of the tree under its path: rules are read by the host, and a compressed file is
/// served under the path of what it compresses.
fn is_served(path: &str) -> bool {
    !is_of_the_host(path) && path.strip_suffix(".gz").is_none()
}

/// The first question of each operation that is understood.
fn first_of_each(questions: &[String]) -> Vec<String> {
    let mut first = BTreeMap::new();
    for question in questions {
        if let Ok(request) = directory::Request::from_target(question) {
            first.entry(request.operation().id).or_insert_with(|| question.clone());
        }
    }
    first.into_values().collect()
}
