//! `nameplate check --feed`: reads a feed once, as a service does, and reports what a service would use.

use std::io::{self, Write};
use std::path::Path;

use directory::Directory;
use directory::calendar::{FeedMode, SkipReason};
use directory::content::{ContentError, load_and_check_beside_feed};
use directory::visible;
use feed::{CALENDARS_VARIABLE, Clock, FeedOptions, Polled, Reading, SourceError, read_once};
#[cfg(feature = "replicas")]
use replicas::nats::NatsSource;
use serde_json::{Value, json};

use super::{CheckArguments, Format, calendars};
use crate::content::{content_flag, no_folder, print_report};
use crate::outcome::{Outcome, Refusal};
use crate::settings::FeedName;
use crate::settings::USUAL;
use crate::terminal::{is_quiet, notes};
use crate::{settings, threads};
use directory::told::count;

const MAX_LISTED: usize = 100;

struct Finding {
    severity: &'static str,
    path: String,
    /// From 1; `None` for the whole feed.
    line: Option<usize>,
    column: Option<usize>,
    what: String,
    help: String,
    lines: usize,
}

pub(crate) fn run(feed: &str, arguments: &CheckArguments) -> Result<Outcome, Refusal> {
    if arguments.format == Format::Github {
        return Err(Refusal::new("a feed is checked with --format text or --format json"));
    }
    if feed.is_empty() {
        return Err(Refusal::new("--feed is empty: name a feed, or a file with a list of calendars"));
    }
    let is_file = feed != CALENDARS_VARIABLE && !feed.contains("://");
    if is_file && !settings::is_there(feed) {
        return Err(Refusal::new(format!("can't read {feed}: it doesn't exist")));
    }
    if is_file && Path::new(feed).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ics")) {
        return Err(Refusal::new(format!(
            "{feed} is a calendar: write a line with the clinician's slug and the calendar's https address into a file, and \
             name that file"
        )));
    }
    let mode = arguments.feed_mode;
    let options =
        settings::feed(arguments.config.as_deref(), FeedName::Any(feed), mode, ("--feed", "--feed-mode"))?;
    if settings::has_unread_feed(arguments.config.as_deref()) {
        let flag = content_flag(&arguments.content.folder);
        let mode = mode.map_or_else(String::new, |mode| format!(" --feed-mode {}", mode.word()));
        writeln!(
            notes(),
            "note: {USUAL} in this folder isn't read: run `nameplate check{flag} --feed {feed}{mode} --config {USUAL}`"
        )?;
    }
    let folder = &arguments.content.folder;
    let directory = match load_and_check_beside_feed(folder, Clock::system().now().date_naive()) {
        Ok(checked) => checked.directory,
        Err(ContentError::Load(error)) => return Err(no_folder(&error)),
        Err(ContentError::Invalid(report)) => {
            print_report(&mut io::stderr().lock(), &report)?;
            return Ok(Outcome::Problems);
        }
    };
    let threads = threads::start("to read the feed")?;
    if let Some(of_calendars) = options.calendars() {
        let mut out = io::stdout().lock();
        let work = calendars::run(&mut out, of_calendars, directory, arguments.format);
        return match threads.block_on(work) {
            Ok(told) => Ok(told?),
            Err(error) => Err(Refusal::new(error.to_string())),
        };
    }
    let (name, mode) = (options.name(), options.mode());
    let (reading, findings) = match threads.block_on(read(&options, &directory)) {
        Ok(reading) => {
            let findings = of_reading(&reading, mode);
            (Some(reading), findings)
        }
        Err(SourceError::Unreadable(why)) => return Err(Refusal::new(why)),
        Err(error) => (None, of_error(&name, &error)),
    };
    let errors = findings.iter().filter(|finding| finding.severity == "error").map(|error| error.lines).sum();
    let used = reading.as_ref().filter(|reading| reading.set.held.is_none());
    let not_mentioned = used.map(|reading| not_mentioned(&directory, reading, mode));
    let not_mentioned = not_mentioned.as_deref();
    let mut out = io::stdout().lock();
    if arguments.format == Format::Json {
        writeln!(out, "{}", as_json(&name, mode, reading.as_ref(), not_mentioned, &findings, errors))?;
    } else if errors > 0 || !is_quiet() {
        as_text(&mut out, &name, mode, reading.as_ref(), not_mentioned.unwrap_or_default(), &findings)?;
    }
    Ok(if errors == 0 { Outcome::Done } else { Outcome::Problems })
}

impl Finding {
    fn new(severity: &'static str, path: &str, what: impl Into<String>, help: impl Into<String>) -> Self {
        let (path, what, help) = (path.to_owned(), what.into(), help.into());
        Self { severity, path, line: None, column: None, what, help, lines: 1 }
    }
}

async fn read(options: &FeedOptions, directory: &Directory) -> Result<Reading, SourceError> {
    #[cfg(feature = "replicas")]
    if let Some(bucket) = NatsSource::from_options(options) {
        return read_once(bucket, options, directory).await;
    }
    read_once(Polled::of(options)?, options, directory).await
}

fn of_reading(reading: &Reading, mode: FeedMode) -> Vec<Finding> {
    let name = &reading.name;
    let lines = reading.set.skipped.lines.iter().map(|line| {
        // Busy time that may be anyone's withholds clinicians until it is corrected.
        let is_wrong = mode == FeedMode::Busy && line.reason == SkipReason::Unresolved;
        let severity = if is_wrong { "error" } else { "warning" };
        Finding { line: Some(line.line), ..Finding::new(severity, &line.file, &line.what, &line.help) }
    });
    let mut findings: Vec<_> = lines.collect();
    if findings.len() >= MAX_LISTED {
        let what = format!("no more than {} skipped lines are listed", findings.len());
        let help = "the counts by reason cover all entries; fix these lines first";
        findings.push(Finding::new("warning", name, what, help));
    }
    let help = "fix the program that publishes the feed";
    findings.extend(reading.notes.iter().map(|note| Finding::new("warning", name, note, help)));
    if let Some(held) = &reading.set.held {
        let what = format!("{held}: a service doesn't use this feed and has no openings");
        findings.push(Finding::new("error", name, what, help));
    }
    findings
}

fn of_error(name: &str, error: &SourceError) -> Vec<Finding> {
    let SourceError::Lines(error) = error else {
        let help = "docs/FEED.md describes the form of a manifest";
        return vec![Finding::new("error", name, error.to_string(), help)];
    };
    let lines = error.lines.iter().map(|bad| Finding {
        line: Some(bad.line).filter(|line| *line > 0),
        column: Some(bad.column).filter(|_| bad.line > 0),
        ..Finding::new("error", &bad.file, &bad.what, &bad.help)
    });
    let mut findings: Vec<_> = lines.collect();
    let more = error.count - error.lines.len();
    if more > 0 {
        let what = format!("{more} more lines are wrong");
        findings.push(Finding { lines: more, ..Finding::new("error", name, what, "correct these first") });
    }
    findings
}

fn matched(reading: &Reading) -> usize {
    reading.set.providers.iter().map(|feed| feed.entries.len()).sum()
}

fn as_json(
    name: &str,
    mode: FeedMode,
    reading: Option<&Reading>,
    not_mentioned: Option<&[String]>,
    findings: &[Finding],
    errors: usize,
) -> Value {
    let problems = findings.iter().map(|finding| {
        json!({
            "severity": finding.severity,
            "path": finding.path,
            "line": finding.line,
            "column": finding.column,
            "what": finding.what,
            "help": finding.help,
        })
    });
    let skipped = reading.map(|reading| {
        let counts = reading.set.skipped.counts();
        counts
            .map(|(reason, count)| (reason.word().to_owned(), count.into()))
            .collect::<serde_json::Map<_, _>>()
    });
    json!({
        "feed": name,
        "mode": mode.word(),
        "errors": errors,
        "warnings": findings.iter().filter(|finding| finding.severity == "warning").count(),
        "problems": problems.collect::<Vec<_>>(),
        "matched": reading.map(|reading| json!({"entries": matched(reading), "providers": reading.set.listed.len()})),
        "skipped": skipped,
        "otherResources": reading.map(|reading| &reading.set.skipped.other_resources),
        "withheld": reading.map(|reading| reading.set.withheld.iter().map(ToString::to_string).collect::<Vec<_>>()),
        "notMentioned": not_mentioned,
    })
}

/// The clinicians whose hours are all offered, because a busy feed does not mention them.
fn not_mentioned(directory: &Directory, reading: &Reading, mode: FeedMode) -> Vec<String> {
    let set = &reading.set;
    let slugs =
        directory.providers().iter().map(|provider| &provider.slug).filter(|_| mode == FeedMode::Busy);
    slugs
        .filter(|slug| !set.listed.contains(*slug) && !set.withheld.contains(*slug))
        .map(ToString::to_string)
        .collect()
}

fn as_text(
    out: &mut impl Write,
    name: &str,
    mode: FeedMode,
    reading: Option<&Reading>,
    not_mentioned: &[String],
    findings: &[Finding],
) -> io::Result<()> {
    // What a publisher writes must not control the terminal.
    for Finding { severity, path, line, column, what, help, .. } in findings {
        let numbers = [*line, *column].into_iter().flatten();
        let place = numbers.fold(String::new(), |place, number| format!("{place}:{number}"));
        writeln!(out, "{}", visible::line(&format!("{severity}: {path}{place}: {what}")))?;
        writeln!(out, "{}", visible::line(&format!("  help: {help}")))?;
    }
    let name = visible::line(name);
    let meaning = match mode {
        FeedMode::Open => "free slots",
        FeedMode::Busy => "busy time",
    };
    writeln!(out, "{name}, read as {meaning} (mode {})", mode.word())?;
    let Some(reading) = reading else {
        return writeln!(
            out,
            "  refused: a running service keeps what it read before; a starting one has no openings"
        );
    };
    let providers = count(reading.set.listed.len(), "provider");
    writeln!(out, "  matched: {} of {providers}", entries(matched(reading)))?;
    let skipped: Vec<_> = reading.set.skipped.counts().collect();
    let total = skipped.iter().map(|(_, count)| count).sum();
    let by_reason: Vec<_> =
        skipped.iter().map(|(reason, count)| format!("{count} {}", reason.word())).collect();
    let by_reason = if skipped.is_empty() { String::new() } else { format!(": {}", by_reason.join(", ")) };
    writeln!(out, "  skipped: {}{by_reason}", entries(total))?;
    let others: Vec<_> =
        reading.set.skipped.other_resources.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if !others.is_empty() {
        writeln!(out, "  ignored, resources other than Slot and Schedule: {}", others.join(", "))?;
    }
    let withheld: Vec<_> = reading.set.withheld.iter().map(ToString::to_string).collect();
    let withheld = if withheld.is_empty() { "no provider".to_owned() } else { withheld.join(", ") };
    writeln!(out, "  withheld: {withheld}")?;
    if !not_mentioned.is_empty() {
        writeln!(out, "  not mentioned, all their hours are offered: {}", not_mentioned.join(", "))?;
    }
    Ok(())
}

fn entries(number: usize) -> String {
    format!("{number} {}", if number == 1 { "entry" } else { "entries" })
}
