//! `nameplate build`: writes the published tree.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use chrono::{DateTime, Utc};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use directory::api::Snapshot;
use directory::model::MaxShrink;
use generator::{BuildOptions, Progress, Target, build_with_progress};

use crate::content::{Content, clock, content_flag, examples, load};
use crate::outcome::{Outcome, Refusal};
use crate::progress::Bar;
use crate::terminal::notes;
use directory::told::count;

// Headings of the help.
const CHANGES: &str = "What changed";
const SAFEGUARDS: &str = "Safeguards";

const MAX_SHRINK: &str = "NAMEPLATE_CONTENT_MAX_SHRINK";

#[derive(Debug, Args)]
pub(crate) struct Tree {
    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = "dist")]
    pub(crate) out: PathBuf,
    /// A folder with templates and assets that replace the built-in files of the same names
    #[arg(long, value_name = "DIR")]
    pub(crate) site: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent flags")]
pub(crate) struct BuildArguments {
    /// The host to build for [default: netlify]
    #[arg(long, value_parser = target())]
    target: Option<Target>,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    tree: Tree,
    /// Publish only the API, without the site's pages
    #[arg(long)]
    no_pages: bool,
    /// Also write a .gz of each file that gets smaller, for hosts that don't compress
    #[arg(long)]
    precompress: bool,
    /// The previous tree, if the output folder has none: `v1/changes` then lists what changed since. Only its files
    /// v1/manifest.json, v1/changes.json, and changes.atom are needed
    #[arg(long, value_name = "DIR", help_heading = CHANGES)]
    previous: Option<PathBuf>,
    /// Replace the output folder even if this program didn't write it: everything in it is lost
    #[arg(long, help_heading = SAFEGUARDS)]
    force: bool,
    /// Publish even if many clinicians disappear from the published files
    #[arg(long, help_heading = SAFEGUARDS)]
    accept_shrink: bool,
    /// Refuse to publish if more than this share of the clinicians disappear from the published files; five or fewer are
    /// always allowed, unless none are left [default: 0.2]
    #[arg(long, value_name = "SHARE", help_heading = SAFEGUARDS)]
    content_max_shrink: Option<MaxShrink>,
    /// Also write the changes to this file, as Markdown for a pull request
    #[arg(long, value_name = "FILE", help_heading = CHANGES)]
    summary: Option<PathBuf>,
}

fn target() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::ALL.map(Target::name)).try_map(|name| {
        Target::ALL.into_iter().find(|target| target.name() == name).ok_or("there is no such host")
    })
}

pub(crate) fn run(arguments: &BuildArguments) -> Result<Outcome, Refusal> {
    let options = BuildOptions {
        target: arguments.target.unwrap_or_default(),
        with_pages: !arguments.no_pages,
        precompress: arguments.precompress,
        force: arguments.force,
        previous: arguments.previous.clone(),
        time: time()?,
        max_shrink: max_shrink(arguments)?,
        ..options(&arguments.content, &arguments.tree)
    };
    let bar = OnceLock::new();
    let report = |progress| match progress {
        Progress::Planned(files) => _ = bar.set(Bar::new(files, "files")),
        Progress::Rendered => _ = bar.get().map(Bar::step),
    };
    let Some(checked) = load(&arguments.content.folder, clock(None))? else { return Ok(Outcome::Problems) };
    let (warnings, of_example) = (checked.warnings.warnings(), examples(&checked.warnings));
    let snapshot = Snapshot::for_publishing(checked.directory);
    let built = build_with_progress(&snapshot, &options, &report);
    // The process ends soon, and freeing a large clinic takes longer than exiting.
    std::mem::forget(snapshot);
    drop(bar);
    let mut summary = built.map_err(Refusal::new)?;
    // Only a static host needs `live-url`, and `--target` names one.
    if arguments.target.is_none() {
        summary.notes.retain(|note| !is_of_publishing(note));
    }
    if let number @ 1.. = warnings - of_example {
        let (found, flag) = (count(number, "warning"), content_flag(&arguments.content.folder));
        summary.notes.push(format!("the content has {found}: run `nameplate check{flag}`"));
    }
    if let number @ 1.. = of_example {
        let placeholders = count(number, "placeholder");
        writeln!(
            io::stderr(),
            "warning: the files have {placeholders} that `nameplate init` wrote: replace these before you publish \
             (`nameplate check` lists them)"
        )?;
    }
    writeln!(notes(), "The files to publish are in {}: {summary}", arguments.tree.out.display())?;
    if let Some(file) = &arguments.summary {
        write_summary(file, &summary.markdown())?;
    }
    Ok(Outcome::Done)
}

const EPOCH: &str = "SOURCE_DATE_EPOCH";

/// When the tree is built: with the same content and previous tree, this variable makes builds reproducible.
fn time() -> Result<DateTime<Utc>, Refusal> {
    let Ok(text) = std::env::var(EPOCH) else { return Ok(clock(None).now()) };
    let time = text.parse().ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    time.ok_or_else(|| {
        Refusal::new(format!("{EPOCH} is \"{text}\": write the seconds since 1970, such as 1795262400"))
    })
}

/// From the flag, or else from the variable that `serve` reads, too. `None`: all clinicians may vanish.
fn max_shrink(arguments: &BuildArguments) -> Result<Option<MaxShrink>, Refusal> {
    if arguments.accept_shrink {
        return Ok(None);
    }
    if let Some(flag) = arguments.content_max_shrink {
        return Ok(Some(flag));
    }
    let variable = std::env::var(MAX_SHRINK).ok().filter(|text| !text.is_empty());
    let max_shrink = variable.map(|text| {
        text.parse::<MaxShrink>().map_err(|rule| Refusal::new(format!("{MAX_SHRINK} is \"{text}\": {rule}")))
    });
    Ok(Some(max_shrink.transpose()?.unwrap_or_default()))
}

pub(crate) fn options(content: &Content, tree: &Tree) -> BuildOptions {
    BuildOptions { site: tree.site.clone(), ..BuildOptions::new(&content.folder, &tree.out) }
}

#[expect(clippy::disallowed_methods, reason = "the summary is not part of the tree: the user names its path")]
fn write_summary(file: &Path, markdown: &str) -> Result<(), Refusal> {
    let written = std::fs::write(file, markdown);
    written.map_err(|error| {
        let file = file.display();
        Refusal::new(format!("the tree is published, but its summary can't be written to {file}: {error}"))
    })
}

/// `check` and `build` say these: they don't matter to someone who only looks at the site.
pub(crate) fn is_of_publishing(told: &str) -> bool {
    ["[notices] is missing", "directory.toml has no live-url"].iter().any(|what| told.starts_with(what))
}
