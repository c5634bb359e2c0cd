//! `nameplate audit` checks whether the content is true. The `audit` crate has the rules; this reads files and prints.

mod ask;
mod file;
mod history;
mod report;
mod sources;

use std::io::{self, Write};
use std::path::PathBuf;

use audit::audit;
use clap::{Args, ValueEnum};
use directory::calendar::FeedMode;
use directory::content::FolderFeed;
use directory::statements::Strength;

use crate::content::{Content, Now, clock, load};
use crate::outcome::{Outcome, Refusal};
use crate::progress::while_slow;
use crate::terminal::has_colors;
use authoring::edit::finish_interrupted_edit;
use report::Report;
use sources::Sources;

#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    #[command(flatten)]
    content: Content,
    /// Also compare the content with the sources listed in this file
    #[arg(long, value_name = "FILE")]
    sources: Option<PathBuf>,
    /// Exit with code 1 if there is a finding of at least this strength
    #[arg(long, value_enum, value_name = "STRENGTH", default_value_t = FailOn::Certain)]
    fail_on: FailOn,
    /// Text for people, JSON for programs, or annotations for a pull request on GitHub
    #[arg(long, value_enum, default_value_t = AuditFormat::Text)]
    format: AuditFormat,
    /// Append a line with the counts to this file, and reject a source that lost more than half of its rows since the last run
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Write a confirmation request to this folder for each clinician whose confirmation is due
    #[arg(long, value_name = "DIR")]
    ask: Option<PathBuf>,
    /// Set the status from `when-lapsed` in the files of clinicians whose confirmations have lapsed
    #[arg(long)]
    fix: bool,
    #[command(flatten)]
    now: Now,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Certain,
    Likely,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AuditFormat {
    Text,
    Json,
    Github,
}

pub(crate) fn run(arguments: &AuditArguments) -> Result<Outcome, Refusal> {
    let clock = clock(arguments.now.now);
    let today = clock.now().date_naive();
    let folder = &arguments.content.folder;
    if arguments.fix {
        finish_interrupted_edit(folder)?;
    }
    // Reports errors in the content, such as two clinicians with one NPI, as `check` does.
    let Some(checked) = load(folder, clock)? else { return Ok(Outcome::Problems) };
    let directory = &checked.directory;
    let lines = arguments.history.as_deref().map(history::read).transpose()?.unwrap_or_default();
    let Sources { sources, mut notes } = match &arguments.sources {
        Some(path) => {
            let counts = history::last_row_counts(&lines);
            while_slow("Reading the sources", || sources::read(path, directory, &counts))?
        }
        None => Sources::default(),
    };
    let has_open_feed = checked.feed.as_ref().map(FolderFeed::mode) == Some(FeedMode::Open);
    let audit = audit(directory, &sources, has_open_feed, today);
    // Standard output has only the report, since it may be JSON.
    let (mut out, mut err) = (io::stdout().lock(), io::stderr().lock());
    if let Some(requests) = &arguments.ask {
        let summary = ask::write(requests, directory, &audit, today)?;
        writeln!(err, "{summary}")?;
    }
    if arguments.fix {
        ask::mark_lapsed(&mut err, folder, directory, today)?;
    }
    for source in sources.iter().filter(|source| source.is_old(today)) {
        notes.push(format!(
            "{}: its as-of date, {}, is too old for certain findings",
            source.file, source.as_of
        ));
    }
    for (name, until) in &audit.unused {
        notes.push(format!("allow.toml: \"{name}\" (until {until}) matches no finding of this run"));
    }
    let report = Report::new(folder, &audit, &notes, arguments.sources.is_some(), directory, today);
    match arguments.format {
        AuditFormat::Text => write!(out, "{}", report.text(has_colors(&out)))?,
        AuditFormat::Json => writeln!(out, "{}", report.json())?,
        AuditFormat::Github => write!(out, "{}", report.github())?,
    }
    if let Some(history) = &arguments.history {
        history::append(history, &history::line(&report, &sources))?;
    }
    let has = |strength| audit.with_strength(strength).next().is_some();
    let fails = match arguments.fail_on {
        FailOn::Certain => has(Strength::Certain),
        FailOn::Likely => has(Strength::Certain) || has(Strength::Likely),
        FailOn::Never => false,
    };
    Ok(if fails { Outcome::Problems } else { Outcome::Done })
}
