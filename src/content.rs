//! Loads the content folder that the arguments name, and reports its mistakes.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use clap::Args;
use directory::Snapshot;
use directory::calendar::{Calendar, Freshness, Instant};
use directory::content::{
    Checked, ContentError, FolderFeed, LoadError, Problem, Report, Severity, load_and_check,
};
use directory::told::count;
use directory::visible;
use feed::Clock;

use crate::log;
use crate::outcome::Refusal;
use crate::progress::while_slow;
use crate::settings::is_there;
use crate::terminal::{has_colors, is_quiet};
use authoring::edit::{Edits, read_between_edits};

#[derive(Debug, Args)]
pub(crate) struct Content {
    /// The content folder
    #[arg(long = "content", value_name = "DIR", default_value = "content", value_parser = folder)]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Now {
    /// Use this as the current time, such as 2026-11-26T09:00:00Z (for tests and demos)
    #[arg(long, value_name = "RFC3339", value_parser = instant)]
    pub(crate) now: Option<DateTime<Utc>>,
}

pub(crate) fn clock(now: Option<DateTime<Utc>>) -> Clock {
    now.map_or_else(Clock::system, Clock::frozen)
}

/// Loads and checks content. `None`: it has errors, which were reported.
pub(crate) fn load(folder: &Path, clock: Clock) -> Result<Option<Checked>, Refusal> {
    refuse_inner(folder)?;
    let today = clock.now().date_naive();
    match while_slow("Reading the content", || read_between_edits(folder, || load_and_check(folder, today)))?
    {
        Ok(checked) => Ok(Some(checked)),
        Err(error) => report_error(error),
    }
}

/// The flag that a command needs for this folder; none for the usual one.
pub(crate) fn content_flag(folder: &Path) -> String {
    match in_shell(folder) {
        usual if usual == "content" => String::new(),
        other => format!(" --content {other}"),
    }
}

/// A path as an argument in a shell.
pub(crate) fn in_shell(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |sign: char| sign.is_alphanumeric() || "._/-".contains(sign);
    if path.chars().all(is_plain) { path } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// Refuses a folder inside the content folder, such as the one with the clinicians.
pub(crate) fn refuse_inner(folder: &Path) -> Result<(), Refusal> {
    let is_content = |outer: &&Path| is_there(&outer.join("directory.toml").to_string_lossy());
    if let Some(outer) = folder.parent().filter(is_content)
        && ["providers", "availability", "holidays", "headshots", "translations"]
            .iter()
            .any(|name| folder.ends_with(name))
    {
        let (inner, outer) = (folder.display(), outer.display());
        let outer = if outer.to_string().is_empty() { ".".to_owned() } else { outer.to_string() };
        return Err(Refusal::new(format!("{inner} is a folder inside the content folder: name {outer}")));
    }
    let inner = folder.join("content");
    if is_content(&inner.as_path()) && !is_content(&folder) {
        let inner = if folder == Path::new(".") { Path::new("content") } else { &inner };
        return Err(Refusal::new(format!(
            "{} isn't a content folder: it has no directory.toml; name the folder in it, {}",
            folder.display(),
            in_shell(inner)
        )));
    }
    Ok(())
}

pub(crate) fn no_folder(error: &LoadError) -> Refusal {
    if !error.is_missing() {
        return Refusal::new(format!("{error}; name the content folder with --content DIR"));
    }
    missing(&error.folder)
}

/// Locks a folder for edits.
pub(crate) fn lock(folder: &Path) -> Result<Edits, Refusal> {
    if is_there(&folder.to_string_lossy()) { Edits::lock(folder) } else { Err(missing(folder)) }
}

fn missing(folder: &Path) -> Refusal {
    let here = if folder.is_absolute() { "" } else { " here" };
    let folder = folder.display();
    let advice = if is_there("directory.toml") {
        "; this folder is a content folder: run `cd ..`, or add --content .".to_owned()
    } else {
        format!(
            ": go to the folder that has it, use --content DIR, or start one with `nameplate init {folder}`"
        )
    };
    Refusal::new(format!("there is no folder \"{folder}\"{here}{advice}"))
}

pub(crate) fn report_error<T>(error: ContentError) -> Result<Option<T>, Refusal> {
    match error {
        ContentError::Load(error) => Err(no_folder(&error)),
        ContentError::Invalid(report) => {
            report_errors(&report)?;
            Ok(None)
        }
    }
}

/// The snapshot of a directory and the folder's feed. A linked feed is not read here: open times are unknown then.
pub(crate) fn snapshot(checked: Checked, now: DateTime<Utc>) -> Snapshot {
    let snapshot = Snapshot::new(checked.directory);
    let (directory, now) = (snapshot.directory(), Instant::ceil(now));
    let calendar = match checked.feed {
        None => Calendar::from_hours(directory, now),
        Some(FolderFeed::Linked(mode)) => Calendar::with_feed(directory, mode, now),
        Some(FolderFeed::Read { mode, providers, withheld }) => {
            let calendar = Calendar::with_feed(directory, mode, now).apply(directory, &providers);
            // It was just read. A service checks its age from now on.
            calendar.with_freshness(directory, Freshness::Fresh, &withheld)
        }
    };
    snapshot.with_calendar(calendar)
}

/// Reports invalid content: in a JSON log, else on standard error.
pub(crate) fn report_errors(report: &Report) -> Result<(), Refusal> {
    let errors = count(report.errors(), "error");
    if log::json_error(|| {
        format!("the content has {errors} and isn't served\n{}", report.drawn_down_to(Severity::Error, false))
    }) {
        return Ok(());
    }
    let mut to = io::stderr().lock();
    let drawn = report.drawn_down_to(Severity::Error, has_colors(&to));
    Ok(writeln!(to, "{drawn}{errors}")?)
}

/// The number of texts that `nameplate init` wrote, and that are still there.
pub(crate) fn examples(report: &Report) -> usize {
    report.problems().iter().filter(|warning| warning.is_of_example()).count()
}

/// Placeholders are counted apart, as they are shown: in one place.
pub(crate) fn warnings_in_words(report: &Report) -> String {
    let examples = examples(report);
    let texts = (examples > 0).then(|| count(examples, "placeholder"));
    let others = report.warnings() - examples;
    let warnings = (others > 0 || texts.is_none()).then(|| count(others, "warning"));
    warnings.into_iter().chain(texts).collect::<Vec<_>>().join(" and ")
}

pub(crate) fn print_report(to: &mut (impl Write + IsTerminal), report: &Report) -> Result<(), Refusal> {
    let least = if is_quiet() { Severity::Error } else { Severity::Warning };
    write!(to, "{}", report.drawn_down_to(least, has_colors(to)))?;
    if report.errors() > 0 && (is_quiet() || report.warnings() == 0) {
        writeln!(to, "{}", count(report.errors(), "error"))?;
    } else if report.errors() > 0 {
        let (errors, warnings) = (count(report.errors(), "error"), warnings_in_words(report));
        match warnings.split_once(" and ") {
            Some((warnings, texts)) => writeln!(to, "{errors}, {warnings}, and {texts}")?,
            None => writeln!(to, "{errors} and {warnings}")?,
        }
    }
    // Warnings come last, and may push the errors out of the window.
    let is_error = |problem: &&Problem| problem.severity() == Severity::Error;
    let many = report.warnings() > 0 && report.errors() + report.warnings() > 2;
    if let Some(error) = report.problems().iter().find(is_error).filter(|_| many) {
        let place = report.position(error);
        writeln!(to, "The first error is in {}, line {}.", visible::line(&place.path), place.line)?;
    }
    Ok(())
}

pub(crate) fn folder(text: &str) -> Result<PathBuf, String> {
    if text.is_empty() {
        return Err("--content is empty: name a content folder".to_owned());
    }
    if text.contains("://") {
        return Err("only serve reads an object store: name a content folder".to_owned());
    }
    Ok(text.into())
}

/// Seconds, a day at most.
pub(crate) fn seconds<const LEAST: u64>(text: &str) -> Result<u64, String> {
    let seconds = text.parse().ok().filter(|seconds| (LEAST..=86_400).contains(seconds));
    seconds.ok_or_else(|| format!("write a number of seconds from {LEAST} to 86400, such as 300"))
}

fn instant(text: &str) -> Result<DateTime<Utc>, String> {
    DateTime::parse_from_rfc3339(text)
        .map(|instant| instant.to_utc())
        .map_err(|_| "write it like 2026-11-26T09:00:00Z".to_owned())
}
