//! `nameplate export FILE` and `nameplate import FILE`: clinicians as rows of a sheet.
//!
//! `grid` reads and writes sheets, `column` says what a cell means, `profile` is a file as cells, `mark` remembers what the
//! cells were, `plan` compares a sheet with the files, `told` says in words what changes.

mod advice;
mod column;
mod fault;
mod grid;
mod header;
mod letters;
mod mark;
mod plan;
mod profile;
mod told;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use directory::content::{ContentError, OpenError, open_linked};
use directory::visible;

use crate::content::{Content, Now, clock, count, load, report_error};
use crate::edit::{Edits, refuse_unfinished};
use crate::outcome::{Outcome, Refusal};
use column::{Column, MARK};
use fault::Fault;
use grid::workbook::{self, Heading};
use grid::xlsx::Tabs;
use grid::{Grid, csv, xlsx};
use mark::mark;
use plan::{Reserved, plan};
use profile::Profile;

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// A sheet that `export` wrote, with your changes: .xlsx or .csv
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    content: Content,
    /// Say what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    now: Now,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Csv,
    Xlsx,
}

impl Format {
    /// The format by the ending of a file's name.
    fn of(path: &Path) -> Result<Self, Refusal> {
        let ending =
            path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let what = match ending.as_str() {
            "csv" => return Ok(Self::Csv),
            "xlsx" => return Ok(Self::Xlsx),
            "xlsm" => "a workbook with macros is not read: save it as XLSX",
            "xls" | "xlsb" | "ods" | "numbers" => "save the sheet as XLSX, or as \"CSV UTF-8\"",
            _ => "name a file that ends in .xlsx or .csv",
        };
        Err(Refusal::new(format!("{} is not a sheet: {what}", path.display())))
    }
}

/// Whether a file's name ends as a sheet's does. Not each of these kinds can be read and written.
pub(crate) fn is_name_of_sheet(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["csv", "xlsx", "xlsm", "xls", "xlsb", "ods", "numbers"]
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

/// Writes every clinician's file into a sheet, a row each.
pub(crate) fn export(path: &Path, content: &Path) -> Result<Outcome, Refusal> {
    let format = Format::of(path)?;
    if load(content, clock(None))?.is_none() {
        return Ok(Outcome::Problems);
    }
    let profiles = profiles(&Edits::begin(content)?)?;
    let bytes = sheet(&profiles, format)?;
    write_new(path, &bytes).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Refusal::new(format!(
            "{0} is there already, and may have edits: import it, or delete it, or choose another name",
            path.display()
        )),
        _ => Refusal::new(format!("{} cannot be written: {error}", path.display())),
    })?;
    writeln!(io::stdout(), "{}: {}", path.display(), count(profiles.len(), "clinician"))?;
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

fn profiles(edits: &Edits) -> Result<Vec<Profile>, Refusal> {
    let parse = |(slug, text): (String, String)| {
        Profile::parse(&slug, text).map_err(|why| Refusal::new(format!("providers/{slug}.toml: {why}")))
    };
    edits.providers()?.into_iter().map(parse).collect()
}

/// The ids in `retired.toml`, which are not given again.
fn retired_ids(edits: &Edits) -> Result<BTreeSet<String>, Refusal> {
    let text = edits.read("retired.toml")?.unwrap_or_default();
    let file: toml::Table = toml::from_str(text.trim_start_matches('\u{feff}')).unwrap_or_default();
    let entries = file.get("provider").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    Ok(entries.into_iter().filter_map(|entry| Some(entry.get("id")?.as_str()?.to_owned())).collect())
}

fn sheet(profiles: &[Profile], format: Format) -> Result<Vec<u8>, Refusal> {
    // A column for each state in use, and those that every sheet has.
    let states = profiles.iter().flat_map(Profile::states).map(Column::PlansIn);
    let columns: Vec<Column> = Column::fixed().chain(states.collect::<BTreeSet<_>>()).collect();
    let rows: Vec<Vec<String>> = profiles
        .iter()
        .map(|profile| {
            let mut cells: Vec<String> = columns.iter().map(|column| profile.cell(*column)).collect();
            let mark = mark(columns.iter().copied().zip(cells.iter().map(String::as_str)));
            cells.push(mark);
            cells
        })
        .collect();
    if let Some((profile, column)) = too_long(profiles, &columns, &rows) {
        return Err(Refusal::new(format!(
            "`{}` of {} is longer than a spreadsheet's cell can be: shorten it in the file",
            column.name(),
            profile.slug
        )));
    }
    let names: Vec<String> = columns.iter().map(|column| column.name()).chain([MARK.to_owned()]).collect();
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect();
    let written = match format {
        Format::Csv => csv::write(std::iter::once(names.iter().map(String::as_str).collect()).chain(rows)),
        Format::Xlsx => {
            let headings: Vec<Heading<'_>> = names
                .iter()
                .enumerate()
                .map(|(at, name)| {
                    let column = columns.get(at).copied();
                    Heading {
                        name,
                        width: column.map_or(10, Column::width),
                        is_hidden: column.is_none(),
                        choices: column.map(Column::choices).unwrap_or_default(),
                    }
                })
                .collect();
            workbook::write(&headings, &rows)
        }
    };
    written.map_err(|why| Refusal::new(format!("the sheet cannot be written: {why}")))
}

fn too_long<'a>(
    profiles: &'a [Profile],
    columns: &[Column],
    rows: &[Vec<String>],
) -> Option<(&'a Profile, Column)> {
    profiles.iter().zip(rows).find_map(|(profile, row)| {
        let long = |(_, cell): &(&Column, &String)| cell.encode_utf16().count() > workbook::LONGEST;
        columns.iter().zip(row).find(long).map(|(column, _)| (profile, *column))
    })
}

/// Writes what a sheet changes into the clinicians' files: all of it, or nothing.
pub(crate) fn import(arguments: &ImportArguments) -> Result<Outcome, Refusal> {
    if arguments.dry_run {
        refuse_unfinished(&arguments.content.folder)?;
    }
    let path = &arguments.file;
    let (grid, tabs) = read(path)?;
    let clock = clock(arguments.now.now);
    let mut edits = Edits::begin(&arguments.content.folder)?;
    let Some(before) = load(&arguments.content.folder, clock)? else {
        return Ok(Outcome::Problems);
    };
    let mut out = io::stdout().lock();
    if let Some(note) = tabs.and_then(|tabs| note_of_others(&tabs)) {
        // If the output cannot be written, the import is made all the same.
        _ = writeln!(out, "{}", visible::line(&note));
    }
    let reserved = Reserved { ids: retired_ids(&edits)?, is_slug: &|slug| before.directory.remembers(slug) };
    let mut plan = match plan(&grid, profiles(&edits)?, reserved) {
        Ok(plan) => plan,
        Err(faults) => return refuse(&mut out, path, &faults),
    };
    for row in &plan.rows {
        edits.change(row.profile.path(), row.before.clone(), Some(row.profile.text.clone()));
    }
    let mut faults = std::mem::take(&mut plan.faults);
    let after = match edits.check(clock.now().date_naive()) {
        Ok(after) if faults.is_empty() => after,
        Ok(_) => return refuse(&mut out, path, &faults),
        Err(ContentError::Invalid(report)) => {
            faults.extend(told::faults(&report, &plan));
            return refuse(&mut out, path, &faults);
        }
        Err(error) => return report_error::<()>(error).map(|_| Outcome::Problems),
    };
    // Before the output: the reader of a pipe, such as `head`, may close it.
    let written = if arguments.dry_run { None } else { Some(edits.apply()?) };
    for line in told::changes(&plan) {
        writeln!(out, "{}", visible::line(&line))?;
    }
    let (warnings, more) = told::new_warnings(&before.warnings, &after.warnings, &plan);
    for warning in warnings {
        writeln!(out, "warning: {}: {}", warning.place, visible::lines(&warning.what))?;
    }
    if more > 0 {
        let more = count(more, "more warning");
        if arguments.dry_run {
            writeln!(out, "… and {more}")?;
        } else {
            let folder = arguments.content.folder.display().to_string();
            writeln!(out, "… and {more} that `nameplate check --content {}` tells", visible::line(&folder))?;
        }
    }
    if !plan.has_marks {
        writeln!(
            out,
            "note: the sheet has no column `{MARK}`, so edits of the files after its export were not looked for"
        )?;
    }
    match written {
        None => writeln!(out, "nothing was written: this was a dry run")?,
        Some(number) => writeln!(out, "{} written", count(number, "file"))?,
    }
    Ok(Outcome::Done)
}

/// Says which tabs of a workbook were not read.
fn note_of_others(Tabs { read, others }: &Tabs) -> Option<String> {
    const NAMED: usize = 10;
    let more = if others.len() > NAMED { ", …" } else { "" };
    let named: Vec<String> = others.iter().take(NAMED).map(|name| format!("\"{name}\"")).collect();
    let (named, number) = (named.join(", "), count(others.len(), "other tab"));
    (!others.is_empty()).then(|| {
        format!(
            "note: only the tab \"{read}\" was read, and not the {number}: {named}{more}; to read another one, give it alone the \
             name clinicians"
        )
    })
}

fn refuse(out: &mut impl Write, path: &Path, faults: &[Fault]) -> Result<Outcome, Refusal> {
    /// The most mistakes that are printed.
    const SHOWN: usize = 200;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    for fault in faults.iter().take(SHOWN) {
        writeln!(out, "{} {}: {}", visible::line(&name), fault.place, visible::lines(&fault.what))?;
    }
    if faults.len() > SHOWN {
        writeln!(out, "… and {} more", faults.len() - SHOWN)?;
    }
    writeln!(out, "{}; nothing was written", count(faults.len(), "mistake"))?;
    Ok(Outcome::Problems)
}

/// Reads a sheet, of a bounded size.
fn read(path: &Path) -> Result<(Grid, Option<Tabs>), Refusal> {
    let format = Format::of(path)?;
    let refused =
        |why: &dyn std::fmt::Display| Refusal::new(format!("{} cannot be read: {why}", path.display()));
    let file = open_linked(path).map_err(|error| match error {
        OpenError::Io(error) if error.kind() == io::ErrorKind::NotFound => refused(&"there is no such file"),
        error => refused(&error),
    })?;
    let mut bytes = Vec::new();
    file.take(grid::LARGEST + 1).read_to_end(&mut bytes).map_err(|error| refused(&error))?;
    if bytes.len() as u64 > grid::LARGEST {
        let limit = grid::LARGEST >> 20;
        return Err(refused(&format!("it is larger than {limit} MB: export a new one, and edit that")));
    }
    let grid = match format {
        Format::Csv => csv::read(&bytes).map(|grid| (grid, None)),
        Format::Xlsx => xlsx::read(&bytes).map(|(grid, tabs)| (grid, Some(tabs))),
    };
    grid.map_err(|why| refused(&why))
}
