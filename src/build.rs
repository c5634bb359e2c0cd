//! `nameplate build`: the published tree.

use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;

use directory::Snapshot;
use generator::{BuildOptions, Progress};

use crate::args::{BuildArguments, Content, Tree};
use crate::content::{clock, load};
use crate::outcome::{Outcome, Refusal};
use crate::progress::Bar;

pub(crate) fn run(arguments: &BuildArguments) -> Result<Outcome, Refusal> {
    let Some(checked) = load(&arguments.content.folder, clock(None))? else {
        return Ok(Outcome::Problems);
    };
    // Nobody asks for the warnings any more, and they keep what they point into.
    drop(checked.warnings);
    let mut options = options(&arguments.content, &arguments.tree).with_target(arguments.target);
    if arguments.no_pages {
        options = options.without_pages();
    }
    if arguments.precompress {
        options = options.precompressed();
    }
    if arguments.force {
        options = options.forced();
    }
    let snapshot = Snapshot::for_publishing(checked.directory);
    let bar = OnceLock::new();
    let tell = |progress| match progress {
        Progress::Planned(files) => _ = bar.set(Bar::new(files, "files")),
        Progress::Rendered => _ = bar.get().map(Bar::step),
    };
    let built = generator::build_and_tell(&snapshot, &options, &tell);
    drop(bar);
    let summary = built.map_err(Refusal::new)?;
    writeln!(io::stdout(), "{}: {summary}", arguments.tree.out.display())?;
    if let Some(file) = &arguments.summary {
        write_summary(file, &summary.markdown())?;
    }
    // The program ends here, and the system takes a large clinic back faster than piece by piece.
    std::mem::forget(snapshot);
    Ok(Outcome::Done)
}

/// What these arguments say about a tree.
pub(crate) fn options(content: &Content, tree: &Tree) -> BuildOptions {
    let options = BuildOptions::new(&content.folder, &tree.out);
    match &tree.site {
        Some(site) => options.with_site(site),
        None => options,
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the summary is no part of the tree: it goes where it was asked for"
)]
fn write_summary(file: &Path, markdown: &str) -> Result<(), Refusal> {
    let written = std::fs::write(file, markdown);
    written.map_err(|error| {
        let file = file.display();
        Refusal::new(format!("the tree is published, but its summary cannot be written to {file}: {error}"))
    })
}
