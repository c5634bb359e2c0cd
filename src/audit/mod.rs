//! `nameplate audit`: whether the content is true. The rules are in the `audit` crate; this opens files and prints.

mod ask;
mod file;
mod history;
mod report;
mod sources;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use audit::{FRESH, Source, audit};
use clap::{Args, ValueEnum};
use directory::calendar::FeedMode;
use directory::content::FolderFeed;
use directory::statements::Strength;

use crate::content::{Content, Now, clock, load};
use crate::outcome::{Outcome, Refusal};
use authoring::edit::finish_interrupted_edit;
use report::Report;

#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    #[command(flatten)]
    content: Content,
    /// Also compare with the sources that this file names and maps
    #[arg(long, value_name = "FILE")]
    sources: Option<PathBuf>,
    /// The weakest finding that makes the exit code 1
    #[arg(long, value_enum, value_name = "STRENGTH", default_value_t = FailOn::Certain)]
    fail_on: FailOn,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = AuditFormat::Text)]
    format: AuditFormat,
    /// Append a line with the counts to this file, and compare the sources with its last line
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Write a request for each clinician who is to be asked into this folder
    #[arg(long, value_name = "DIR")]
    ask: Option<PathBuf>,
    /// Write the status that `when-lapsed` proposes into the files of entries that have lapsed
    #[arg(long)]
    fix: bool,
    #[command(flatten)]
    now: Now,
}

/// What makes the audit fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A certain finding
    Certain,
    /// A likely one, too
    Likely,
    /// None
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AuditFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// Annotations of a pull request on GitHub
    Github,
}

pub(crate) fn run(arguments: &AuditArguments) -> Result<Outcome, Refusal> {
    let clock = clock(arguments.now.now);
    let today = clock.now().date_naive();
    let folder = &arguments.content.folder;
    if arguments.fix {
        finish_interrupted_edit(folder)?;
    }
    // Content with errors, such as two clinicians with one NPI, is reported as `check` does.
    let Some(checked) = load(folder, clock)? else {
        return Ok(Outcome::Problems);
    };
    let directory = &checked.directory;
    let earlier = arguments.history.as_deref().map(history::read).transpose()?.unwrap_or_default();
    let read = match &arguments.sources {
        Some(path) => sources::read(path, directory, &history::rows_before(&earlier))?,
        None => sources::Sources::default(),
    };
    let has_open_feed = checked.feed.as_ref().map(FolderFeed::mode) == Some(FeedMode::Open);
    let found = audit(directory, &read.sources, has_open_feed, today);
    // Standard output is the report alone: it may be JSON.
    let (mut out, mut notes) = (io::stdout().lock(), io::stderr().lock());
    if let Some(asked) = &arguments.ask {
        let asked = ask::write(asked, directory, &found, today)?;
        writeln!(notes, "{asked}")?;
    }
    if arguments.fix {
        ask::mark_lapsed(&mut notes, folder, directory, today)?;
    }
    let mut told = read.notes;
    let is_old = |source: &&Source| source.as_of.checked_add_days(FRESH).is_some_and(|until| until < today);
    for source in read.sources.iter().filter(is_old) {
        told.push(format!("{}: it is of {}, too old to make anything certain", source.file, source.as_of));
    }
    for (name, until) in &found.unused {
        told.push(format!(
            "allow.toml: \"{name}\" (until {until}) accepts nothing that was found in this run"
        ));
    }
    let report = Report::new(folder, &found, &told, directory, today);
    match arguments.format {
        AuditFormat::Text => write!(out, "{}", report.text(out.is_terminal()))?,
        AuditFormat::Json => writeln!(out, "{}", report.json())?,
        AuditFormat::Github => write!(out, "{}", report.github())?,
    }
    if let Some(history) = &arguments.history {
        history::append(history, &history::line(&report, &read.sources))?;
    }
    let has = |strength| found.of(strength).next().is_some();
    let fails = match arguments.fail_on {
        FailOn::Certain => has(Strength::Certain),
        FailOn::Likely => has(Strength::Certain) || has(Strength::Likely),
        FailOn::Never => false,
    };
    Ok(if fails { Outcome::Problems } else { Outcome::Done })
}
