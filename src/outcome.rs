//! How a command ends: in words for people and a number for scripts.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::log;

/// How a command ended when it did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything was done.
    Done,
    /// The content has problems, or the answer is an error; it has been said.
    Problems,
}

/// Why a command could not do its work: one sentence that says what, where, and what to do.
#[derive(Debug)]
pub(crate) struct Refusal(String);

impl Refusal {
    pub(crate) fn new(sentence: impl fmt::Display) -> Self {
        Self(sentence.to_string())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<io::Error> for Refusal {
    /// What was printed could not be written.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self(String::new()) } else { Self::new(error) }
    }
}

/// The exit code of a command.
pub(crate) fn exit_code(done: Result<Outcome, Refusal>) -> ExitCode {
    match done {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Problems) => ExitCode::from(1),
        // The reader went away (`| head`): it has what it wanted.
        Err(Refusal(sentence)) if sentence.is_empty() => ExitCode::SUCCESS,
        Err(Refusal(sentence)) => {
            if !log::took_error(|| sentence.clone()) {
                // Nothing more can be done if standard error is closed, too.
                _ = writeln!(io::stderr(), "nameplate: {sentence}");
            }
            ExitCode::from(2)
        }
    }
}

/// The exit code of wrong usage; asking for help is no mistake.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    _ = error.print();
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}
