//! `nameplate build`: writes the published tree.

use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;

use directory::api::Snapshot;
use directory::model::MaxShrink;
use generator::{BuildError, BuildOptions, Progress, build_with_progress};

use crate::args::{BuildArguments, Content, Tree};
use crate::content::{clock, count, load};
use crate::outcome::{Outcome, Refusal};
use crate::progress::Bar;

const MAX_SHRINK: &str = "NAMEPLATE_CONTENT_MAX_SHRINK";

pub(crate) fn run(arguments: &BuildArguments) -> Result<Outcome, Refusal> {
    let options = BuildOptions {
        target: arguments.target,
        with_pages: !arguments.no_pages,
        precompress: arguments.precompress,
        force: arguments.force,
        max_shrink: max_shrink(arguments)?,
        ..options(&arguments.content, &arguments.tree)
    };
    let bar = OnceLock::new();
    let report = |progress| match progress {
        Progress::Planned(files) => _ = bar.set(Bar::new(files, "files")),
        Progress::Rendered => _ = bar.get().map(Bar::step),
    };
    let Some(checked) = load(&arguments.content.folder, clock(None))? else { return Ok(Outcome::Problems) };
    let warnings = checked.warnings.warnings();
    let snapshot = Snapshot::for_publishing(checked.directory);
    let built = build_with_progress(&snapshot, &options, &report);
    // The process ends soon, and freeing a large clinic takes longer than exiting.
    std::mem::forget(snapshot);
    drop(bar);
    let mut summary = built?;
    if let number @ 1.. = warnings {
        let (found, folder) = (count(number, "warning"), arguments.content.folder.display());
        summary.notes.push(format!("the content has {found}: run nameplate check --content {folder}"));
    }
    writeln!(io::stdout(), "{}: {summary}", arguments.tree.out.display())?;
    if let Some(file) = &arguments.summary {
        write_summary(file, &summary.markdown())?;
    }
    Ok(Outcome::Done)
}

/// The share of clinicians that may vanish, from the flag or else from the variable that `serve` reads, too. `None`: all
/// may vanish.
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

impl From<BuildError> for Refusal {
    fn from(error: BuildError) -> Self {
        Self::new(error)
    }
}

#[expect(clippy::disallowed_methods, reason = "the summary is not part of the tree: the user names its path")]
fn write_summary(file: &Path, markdown: &str) -> Result<(), Refusal> {
    let written = std::fs::write(file, markdown);
    written.map_err(|error| {
        let file = file.display();
        Refusal::new(format!("the tree is published, but its summary cannot be written to {file}: {error}"))
    })
}
