//! A command's result: its message and its exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use directory::visible;

pub(crate) use directory::told::Refusal;

use crate::log;

/// `EX_TEMPFAIL` of sysexits.h.
const MAY_PASS: u8 = 75;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// The content has problems, or the answer is an error. They were reported.
    Problems,
}

pub(crate) fn exit_code(done: Result<Outcome, Refusal>) -> ExitCode {
    match done {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Problems) => ExitCode::from(1),
        // The reader of a pipe, such as `head`, closed it.
        Err(refusal) if refusal.to_string().is_empty() => ExitCode::SUCCESS,
        Err(refusal) => {
            let sentence = refusal.to_string();
            if !log::json_error(|| sentence.clone()) {
                _ = writeln!(io::stderr(), "error: {}", visible::lines(&sentence));
            }
            ExitCode::from(if refusal.may_pass() { MAY_PASS } else { 2 })
        }
    }
}
