//! `nameplate verify`: is a deployed host what it should be?
//!
//! A host of these answers is a tree of files, rules that lead questions to files, and a live service for the
//! rest. Each of them can be old, missing or half there, and a person who looks at one page sees none of it.
//! So everything is asked for and compared:
//!
//! - [`local`] knows what is right: from a content folder every answer, from a built tree every file.
//! - [`questions`] makes what is asked beyond the files, from `OPERATIONS` and a seed.
//! - [`probe`] asks for one path in every manner, [`mcp`] calls the tools; [`host`] is the client under both.
//! - [`judge`] lays what came beside what is right; [`report`] tells each difference in one line.
//!
//! What a host of static files need not do (methods, OPTIONS, exact tags, ignored parameters) is not asked.
//! Nothing here decides what an answer is: that is `directory`'s; where its file lies is `generator`'s.

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

use directory::api::is_of_the_host;
use generator::{MANIFEST_PATH, Manifest};
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::args::{VerifyArguments, VerifyFormat};
use crate::outcome::{Outcome, Refusal};
use crate::progress::Bar;

use host::{Host, Manner};
use local::Local;
use probe::{Probed, Target};
use questions::Random;
use report::{Difference, Findings, shown};

/// How many requests are under way at once: a host's own limits must not be what is measured.
const AT_ONCE: usize = 16;
/// How often a host is looked at that does not have the tree yet.
const LOOK_AGAIN: Duration = Duration::from_secs(5);
/// Every so many files are asked for in every manner.
const THOROUGHLY: usize = 16;

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
    if !arguments.live {
        look(arguments, host, &local, &mut findings).await?;
    }
    let questions =
        local.vocabulary().questions(&mut Random::new(arguments.seed), arguments.queries as usize);
    let mut targets = Vec::new();
    if !arguments.live {
        let served = local.manifest().files().iter().filter(|entry| is_served(entry.path()));
        targets.extend(served.enumerate().map(|(nth, entry)| Target {
            path_and_query: format!("/{}", entry.path()),
            file: Some(probe::file(entry)),
            thoroughly: nth % THOROUGHLY == 0,
        }));
    }
    targets.extend(questions.iter().map(|question| Target {
        path_and_query: question.clone(),
        file: None,
        // Each operation, as it is asked most often.
        thoroughly: !question.contains('?'),
    }));
    let local = Arc::new(local);
    ask(&targets, host, &local, end, &mut findings).await;

    // One call of each tool: its operation's first question that is a good one.
    let calls: Vec<String> = first_of_each(&questions);
    match timeout_at(end, mcp::check(host, &local, &calls)).await {
        Ok(mut spoken) => {
            findings.asked += spoken.asked;
            findings.differences.append(&mut spoken.differences);
            if spoken.is_absent {
                findings.notes.push("this host has no MCP endpoint, as it has no live service".to_owned());
            }
        }
        Err(_) => findings.differences.push(Difference {
            asked: format!("POST {}", directory::api::MCP_PATH),
            expected: "answers".to_owned(),
            came: "none in time".to_owned(),
            advice: "the host is slow: ask again, or give more time with --timeout",
        }),
    }
    if !local.has_content() {
        let note = "compared with a built tree: what no file answers was only looked at for its form; verify \
                    against the content folder to compare everything";
        findings.notes.push(note.to_owned());
    } else if local.with_feed() {
        let note = "open slots come from a feed: whose they are was compared, but not their times";
        findings.notes.push(note.to_owned());
    }
    Ok(findings)
}

/// Looks at the host's manifest: that somebody answers there, and which tree it is. Waits for the right one where
/// that is asked for.
async fn look(
    arguments: &VerifyArguments,
    host: &Host,
    local: &Local,
    findings: &mut Findings,
) -> Result<(), Refusal> {
    let path = format!("/{MANIFEST_PATH}");
    let patience = Instant::now() + Duration::from_secs(arguments.wait);
    let right = local.manifest();
    loop {
        findings.asked += 1;
        let answer = timeout(LOOK_AGAIN * 6, host.get(&path, &Manner::default())).await;
        let answer = answer.unwrap_or_else(|_| Err("no answer in time".to_owned()));
        let found = answer.as_ref().ok().and_then(|came| Manifest::parse(&came.body));
        let is_there = found.as_ref().is_some_and(|found| found.generation() == right.generation());
        if !is_there && Instant::now() < patience {
            sleep(LOOK_AGAIN).await;
            continue;
        }
        let mut difference = |expected: String, came: String, advice| {
            findings.differences.push(Difference { asked: format!("GET {path}"), expected, came, advice });
        };
        match (answer, found) {
            (Err(why), _) => {
                let base = host.base();
                return Err(Refusal::new(format!(
                    "{base} cannot be verified: {why}; see that the address is right"
                )));
            }
            (Ok(came), _) if (300..400).contains(&came.status) => {
                let (base, to) = (host.base(), shown(came.header("location")));
                return Err(Refusal::new(format!(
                    "{base} redirects to {to}: verify the host that it leads to"
                )));
            }
            (Ok(came), None) => difference(
                "the list of the tree's files".to_owned(),
                format!("status {} and {}", came.status, judge::describe(&local::Body::Bytes(came.body))),
                "no tree is published there: deploy it, or give --live if this is the live service alone",
            ),
            (Ok(_), Some(found)) if !is_there => difference(
                format!("generation {}", right.generation()),
                format!("generation {}", shown(found.generation())),
                "the host has the tree of other content: deploy this one, or compare with what was deployed",
            ),
            (Ok(_), Some(found)) => {
                let listed = found.files().iter().filter(|entry| is_served(entry.path()));
                for entry in listed.filter(|entry| right.get(entry.path()).is_none()) {
                    difference(
                        format!("no file {}", entry.path()),
                        "one".to_owned(),
                        "the tree there is of other templates or options: deploy again, or give the same --site",
                    );
                }
            }
        }
        return Ok(());
    }
}

/// Asks for everything, so many at a time, and keeps what was found in the order of the targets.
async fn ask(targets: &[Target], host: &Host, local: &Arc<Local>, end: Instant, findings: &mut Findings) {
    let (permits, mut tasks) = (Arc::new(Semaphore::new(AT_ONCE)), JoinSet::new());
    for (nth, target) in targets.iter().cloned().enumerate() {
        let (permits, host, local) = (Arc::clone(&permits), host.clone(), Arc::clone(local));
        tasks.spawn(async move {
            // The semaphore is never closed.
            let _permit = permits.acquire().await;
            (nth, target.probe(&host, &local).await)
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
        findings.differences.push(Difference {
            asked: format!("{} paths", targets.len()),
            expected: "an answer to each".to_owned(),
            came: format!("{} in time", probed.len()),
            advice: "the host is slow: ask again, or give more time with --timeout",
        });
    }
    let right = local.manifest().generation();
    // What names another generation: the first one that did, and how many.
    let mut skewed: BTreeMap<(bool, String), (usize, usize)> = BTreeMap::new();
    for (nth, mut found) in probed {
        findings.asked += found.asked;
        findings.differences.append(&mut found.differences);
        if let Some(generation) = found.generation.filter(|generation| generation != right) {
            let is_file = targets.get(nth).is_some_and(Target::is_file);
            skewed.entry((is_file, generation)).or_insert((nth, 0)).1 += 1;
        }
    }
    for ((is_file, generation), (nth, count)) in skewed {
        let first = targets.get(nth).map_or("", |target| &target.path_and_query);
        let others = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
        let advice = if is_file {
            "the host has an older tree, or its header rules do: deploy again and purge the cache"
        } else {
            "live and the files are of different content: give live this content, or restart it"
        };
        findings.differences.push(Difference {
            asked: format!("GET {first}{others}"),
            expected: format!("nameplate-generation {right}"),
            came: format!("nameplate-generation {generation}"),
            advice,
        });
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
