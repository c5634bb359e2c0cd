//! `nameplate completions`: prints a shell's completion script, generated from the command line's definition.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::args::{Arguments, CompletionsArguments};
use crate::outcome::{Outcome, Refusal};

pub(crate) fn run(arguments: &CompletionsArguments) -> Result<Outcome, Refusal> {
    // Into a buffer first: the generator panics if standard output is closed.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "nameplate", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Outcome::Done)
}
