//! `nameplate completions`: the command's own words for a shell, taken from the same table that parses them.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::args::{Arguments, CompletionsArguments};
use crate::outcome::{Outcome, Refusal};

pub(crate) fn run(arguments: &CompletionsArguments) -> Result<Outcome, Refusal> {
    // Written at once: the generator panics when the reader goes away, and an error is what we tell.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "nameplate", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Outcome::Done)
}
