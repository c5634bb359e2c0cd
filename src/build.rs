//! `nameplate build`: the published tree.

use std::io::{self, Write};

use directory::Snapshot;
use generator::{BuildOptions, Summary};

use crate::args::{BuildArguments, Content, Tree};
use crate::content::{clock, load};
use crate::outcome::{Outcome, Refusal};

pub(crate) fn run(arguments: &BuildArguments) -> Result<Outcome, Refusal> {
    let Some(checked) = load(&arguments.content.folder, clock(None))? else {
        return Ok(Outcome::Problems);
    };
    // A report keeps the text of every file, which nobody asks for any more.
    drop(checked.warnings);
    let summary = publish(&Snapshot::new(checked.directory), &arguments.content, &arguments.tree)?;
    writeln!(io::stdout(), "{}: {summary}", arguments.tree.out.display())?;
    Ok(Outcome::Done)
}

/// Publishes a snapshot as these arguments say.
pub(crate) fn publish(snapshot: &Snapshot, content: &Content, tree: &Tree) -> Result<Summary, Refusal> {
    let mut options = BuildOptions::new(&content.folder, &tree.out);
    if let Some(site) = &tree.site {
        options = options.with_site(site);
    }
    generator::build(snapshot, &options).map_err(Refusal::new)
}
