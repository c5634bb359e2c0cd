//! `nameplate completions`: prints a shell's completion script, generated from the command line's definition.

use std::io::{self, Write};

use clap::{Args, Command};

use crate::outcome::{Outcome, Refusal};

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell. For Bash, save the script as ~/.local/share/bash-completion/completions/nameplate
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

pub(crate) fn run(arguments: &CompletionsArguments, mut command: Command) -> Result<Outcome, Refusal> {
    // Into a buffer first: the generator panics if standard output is closed.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "nameplate", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Outcome::Done)
}
