//! `nameplate check`: every mistake of the content folder in one run.

use std::io::{self, Write};

use directory::content::{ContentError, load_and_check};
use live::Clock;

use crate::args::CheckArguments;
use crate::content::tell;
use crate::outcome::{Outcome, Refusal};

pub(crate) fn run(arguments: &CheckArguments) -> Result<Outcome, Refusal> {
    let mut out = io::stdout().lock();
    match load_and_check(&arguments.content.folder, Clock::system().now().date_naive()) {
        Err(ContentError::Load(error)) => {
            Err(Refusal::new(format!("{error}; name the content folder with --content DIR")))
        }
        Err(ContentError::Invalid(report)) => {
            tell(&mut out, &report)?;
            Ok(Outcome::Problems)
        }
        Ok(checked) => {
            tell(&mut out, &checked.warnings)?;
            let directory = &checked.directory;
            writeln!(
                out,
                "{} is fine: {} providers, {} visit types, {} plans, generation {}",
                arguments.content.folder.display(),
                directory.providers().len(),
                directory.visit_types().len(),
                directory.plans().len(),
                directory.generation()
            )?;
            Ok(Outcome::Done)
        }
    }
}
