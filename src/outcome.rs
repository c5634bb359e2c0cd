//! A command's result: its message and its exit code.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use directory::visible;

use crate::log;

/// `EX_TEMPFAIL` of sysexits.h.
const MAY_PASS: u8 = 75;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// The content has problems, or the answer is an error. They were reported.
    Problems,
}

/// Why a command could not do its work, in one sentence: what is wrong, where, and what to do.
#[derive(Debug)]
pub(crate) struct Refusal {
    sentence: String,
    /// Whether the same command may succeed later.
    may_pass: bool,
}

impl Refusal {
    pub(crate) fn new(sentence: impl fmt::Display) -> Self {
        Self { sentence: sentence.to_string(), may_pass: false }
    }

    /// The same refusal where waiting can help. systemd starts such a service again.
    pub(crate) fn passing(self) -> Self {
        Self { may_pass: true, ..self }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.sentence)
    }
}

impl From<io::Error> for Refusal {
    /// An error of writing to standard output; empty if its reader has closed it.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::new("") } else { Self::new(error) }
    }
}

pub(crate) fn exit_code(done: Result<Outcome, Refusal>) -> ExitCode {
    match done {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Problems) => ExitCode::from(1),
        // The reader of a pipe, such as `head`, closed it.
        Err(Refusal { sentence, .. }) if sentence.is_empty() => ExitCode::SUCCESS,
        Err(Refusal { sentence, may_pass }) => {
            if !log::json_error(|| sentence.clone()) {
                _ = writeln!(io::stderr(), "nameplate: {}", visible::lines(&sentence));
            }
            ExitCode::from(if may_pass { MAY_PASS } else { 2 })
        }
    }
}
