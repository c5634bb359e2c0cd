//! `nameplate export FILE` and `nameplate import FILE`: clinicians as rows of a sheet. `authoring::sheet` makes and reads it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use authoring::edit::refuse_unfinished_edit;
use authoring::sheet::{
    EXPORTED, Format, Reserved, SheetFault, Tabs, compare, content_faults, describe_changes, new_warnings,
    read_profiles, read_retired_ids, read_sheet, write_sheet,
};
use clap::Args;
use directory::content::ContentError;
use directory::told::{count, reason};
use directory::visible;

use crate::content::{Content, Now, clock, content_flag, in_shell, load, lock, report_error};
use crate::outcome::{Outcome, Refusal};
use crate::terminal::{notes, notes_or_results};

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// A spreadsheet from `export`, with your changes: .xlsx or .csv
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    content: Content,
    /// Show what would change without writing it
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    now: Now,
}

pub(crate) fn export(path: &Path, content: &Path) -> Result<Outcome, Refusal> {
    let format = Format::from_path(path).map_err(|_| {
        let xlsx = path.with_extension("xlsx");
        Refusal::new(format!("export writes .xlsx or .csv: try {}", xlsx.display()))
    })?;
    if load(content, clock(None))?.is_none() {
        return Ok(Outcome::Problems);
    }
    let profiles = read_profiles(&lock(content)?)?;
    let bytes = write_sheet(&profiles, format)?;
    write_new(path, &bytes).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Refusal::new(format!(
            "{0} already exists and may have edits: import it, delete it, or choose another name",
            path.display()
        )),
        io::ErrorKind::NotFound => Refusal::new(format!(
            "the folder {} doesn't exist: create it first",
            path.parent().unwrap_or(path).display()
        )),
        _ => Refusal::new(format!(
            "{} can't be written: {}; choose a folder that you can write into",
            path.display(),
            reason(&error)
        )),
    })?;
    let (shown, clinicians, flag) =
        (path.display(), count(profiles.len(), "clinician"), content_flag(content));
    let path = in_shell(path);
    writeln!(notes(), "{shown}: {clinicians}\n\n  nameplate import {path}{flag}     writes your edits back")?;
    Ok(Outcome::Done)
}

/// Writes a file that is not there yet. If that fails, the file is removed.
#[expect(clippy::disallowed_methods, reason = "this command writes a sheet")]
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    if written.is_err() {
        _ = std::fs::remove_file(path);
    }
    written
}

/// Writes what a sheet changes into the clinicians' files: all of it, or nothing.
pub(crate) fn import(arguments: &ImportArguments) -> Result<Outcome, Refusal> {
    if arguments.dry_run {
        refuse_unfinished_edit(&arguments.content.folder)?;
    }
    let path = &arguments.file;
    let (grid, tabs) = read_sheet(path)?;
    let clock = clock(arguments.now.now);
    let mut edits = lock(&arguments.content.folder)?;
    let Some(before) = load(&arguments.content.folder, clock)? else { return Ok(Outcome::Problems) };
    let (mut out, mut refused) = (notes_or_results(arguments.dry_run), io::stdout());
    if let Some(note) = tabs.and_then(|tabs| note_of_others(&tabs)) {
        // If the output cannot be written, the import is made all the same.
        _ = writeln!(out, "{}", visible::line(&note));
    }
    let reserved =
        Reserved { ids: read_retired_ids(&edits)?, is_slug_taken: &|slug| before.directory.remembers(slug) };
    let mut sheet_edits = match compare(&grid, read_profiles(&edits)?, reserved) {
        Ok(sheet_edits) => sheet_edits,
        Err(faults) => return refuse(&mut refused, path, &faults),
    };
    for row in &sheet_edits.rows {
        edits.add_change(row.profile.path(), row.before.clone(), Some(row.profile.text.clone()));
    }
    let mut found = std::mem::take(&mut sheet_edits.faults);
    let after = match edits.check(clock.now().date_naive()) {
        Ok(after) if found.is_empty() => after,
        Ok(_) => return refuse(&mut refused, path, &found),
        Err(ContentError::Invalid(report)) => {
            found.extend(content_faults(&report, &sheet_edits));
            return refuse(&mut refused, path, &found);
        }
        Err(error) => return report_error::<()>(error).map(|_| Outcome::Problems),
    };
    // Before the output: the reader of a pipe, such as `head`, may close it.
    let written = if arguments.dry_run { None } else { Some(edits.apply()?) };
    for line in describe_changes(&sheet_edits) {
        writeln!(out, "{}", visible::line(&line))?;
    }
    let (warnings, more) = new_warnings(&before.warnings, &after.warnings, &sheet_edits);
    for warning in warnings {
        writeln!(out, "warning: {}: {}", warning.place, visible::lines(&warning.message))?;
    }
    if more > 0 {
        let more = count(more, "more warning");
        if arguments.dry_run {
            writeln!(out, "… and {more}")?;
        } else {
            let folder = arguments.content.folder.display().to_string();
            writeln!(out, "… and {more}; `nameplate check --content {}` lists them", visible::line(&folder))?;
        }
    }
    if !sheet_edits.has_exported_column {
        writeln!(
            out,
            "note: the sheet has no column `{EXPORTED}`, so edits made to the files after its export can't be detected"
        )?;
    }
    match written {
        None => writeln!(out, "nothing was written: this was a dry run")?,
        Some(number) => writeln!(out, "{} written", count(number, "file"))?,
    }
    Ok(Outcome::Done)
}

pub(crate) fn note_of_others(Tabs { read, others }: &Tabs) -> Option<String> {
    const NAMED: usize = 10;
    let more = if others.len() > NAMED { ", …" } else { "" };
    let named: Vec<String> = others.iter().take(NAMED).map(|name| format!("\"{name}\"")).collect();
    let (named, number) = (named.join(", "), count(others.len(), "other tab"));
    (!others.is_empty()).then(|| {
        format!(
            "note: only the tab \"{read}\" was read, not the {number}: {named}{more}. To read a different tab, name it clinicians"
        )
    })
}

fn refuse(out: &mut impl Write, path: &Path, faults: &[SheetFault]) -> Result<Outcome, Refusal> {
    writeln!(out, "{}", mistakes(path, faults))?;
    Ok(Outcome::Problems)
}

pub(crate) fn mistakes(path: &Path, faults: &[SheetFault]) -> String {
    const SHOWN: usize = 200;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let line = |fault: &SheetFault| {
        let place = if fault.place == "the sheet" { String::new() } else { format!(" {}", fault.place) };
        format!("{}{place}: {}\n", visible::line(&name), visible::lines(&fault.message))
    };
    let mut lines: String = faults.iter().take(SHOWN).map(line).collect();
    if faults.len() > SHOWN {
        lines += "… and more\n";
    }
    lines + &count(faults.len(), "mistake") + "; nothing was written"
}
