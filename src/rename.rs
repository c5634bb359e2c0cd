//! `nameplate rename provider|plan OLD NEW`: gives a clinician's file or a plan another name. `authoring::rename` does it.

use std::io::{self, Write};

use authoring::edit::{Edits, refuse_unfinished_edit};
use authoring::rename::{Renaming, carry_over, rename_plan, rename_provider};
use clap::{Args, Subcommand};
use directory::content::{Checked, ContentError};
use directory::told::count;

use crate::content::{Content, Now, clock, load, lock, print_report, report_error};
use crate::outcome::{Outcome, Refusal};
use crate::terminal::notes_or_results;

#[derive(Debug, Subcommand)]
pub(crate) enum RenameCommand {
    /// Give a clinician a new slug; the old one redirects to it
    #[command(after_help = "Example:\n  nameplate rename provider jane-doe jane-roe")]
    Provider(RenameNames),
    /// Give a plan a new name, in insurances.toml and for every clinician who accepts it
    #[command(after_help = "Example:\n  nameplate rename plan 'Aetna PPO' 'Aetna Choice PPO'")]
    Plan(RenameNames),
}

#[derive(Debug, Args)]
pub(crate) struct RenameNames {
    /// The current one
    #[arg(value_name = "OLD")]
    old: String,
    /// The new name
    #[arg(value_name = "NEW")]
    new: String,
    #[command(flatten)]
    content: Content,
    /// Show what would change without writing it
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    now: Now,
}

pub(crate) fn run(command: &RenameCommand) -> Result<Outcome, Refusal> {
    let (RenameCommand::Provider(names) | RenameCommand::Plan(names)) = command;
    let RenameNames { old, new, content, dry_run, now } = names;
    if *dry_run {
        refuse_unfinished_edit(&content.folder)?;
    }
    let clock = clock(now.now);
    let today = clock.now().date_naive();
    let edits = lock(&content.folder)?;
    let Some(before) = load(&content.folder, clock)? else { return Ok(Outcome::Problems) };
    if old == new {
        return Err(Refusal::new(format!(
            "{old} is already its name: write the current name, then the new one"
        )));
    }
    // Like those after the edits, these are without those of the feed and of files that are not read.
    let Some(unchanged) = checked(&edits, today)? else { return Ok(Outcome::Problems) };
    let warnings_before = unchanged.warnings.warnings();
    let renames_clinician = matches!(command, RenameCommand::Provider(_));
    let mut renaming = Renaming { old, new, renames_clinician, edits, messages: Vec::new() };
    match command {
        RenameCommand::Provider(_) => rename_provider(&mut renaming, &before)?,
        RenameCommand::Plan(_) => rename_plan(&mut renaming, &before)?,
    }
    let Some(renamed) = checked(&renaming.edits, today)? else { return Ok(Outcome::Problems) };
    carry_over(&mut renaming, &before, &renamed, today)?;
    let Some(after) = checked(&renaming.edits, today)? else { return Ok(Outcome::Problems) };
    // Before the output: the reader of a pipe, such as `head`, may close it.
    let changed = if *dry_run { None } else { Some(renaming.edits.apply()?) };
    let renamed = renaming.messages.iter().filter(|line| line.contains(".toml becomes ")).count();
    let mut out = notes_or_results(*dry_run);
    for line in &renaming.messages {
        writeln!(out, "{}", directory::visible::line(line))?;
    }
    if after.warnings.warnings() > warnings_before {
        let more = after.warnings.warnings() - warnings_before;
        writeln!(out, "`nameplate check` finds {} more than before: review them", count(more, "warning"))?;
    }
    if renames_clinician {
        writeln!(
            out,
            "also change {old} to {new} in your file of calendars, or in your feed, if it is there"
        )?;
    }
    match changed {
        None => writeln!(out, "nothing was written: this was a dry run")?,
        // A renamed file is one that is gone and one that is new.
        Some(number) => writeln!(out, "{} changed", count(number - renamed, "file"))?,
    }
    Ok(Outcome::Done)
}

fn checked(edits: &Edits, today: chrono::NaiveDate) -> Result<Option<Checked>, Refusal> {
    match edits.check(today) {
        Ok(checked) => Ok(Some(checked)),
        Err(ContentError::Invalid(report)) => {
            let mut out = io::stderr().lock();
            print_report(&mut out, &report)?;
            writeln!(
                out,
                "the content would have these mistakes, so nothing was written. Fix what they name and try again"
            )?;
            Ok(None)
        }
        Err(error) => report_error(error),
    }
}
