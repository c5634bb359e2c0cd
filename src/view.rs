//! `nameplate view`: prints the view that assistants show for the tools' results.

use std::io::{self, Write};

use clap::Args;
use directory::Request;
use directory::api::split_target;
use directory::web::{ViewPreview, view_document};

use crate::content::{Content, Now, clock, load, snapshot};
use crate::outcome::{Outcome, Refusal};
use crate::query::require_path;

#[derive(Debug, Args)]
pub(crate) struct ViewArguments {
    /// Include the answer to this path and query, so that a browser shows it without an assistant
    #[arg(value_name = "PATH?QUERY")]
    target: Option<String>,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    now: Now,
}

pub(crate) fn run(arguments: &ViewArguments) -> Result<Outcome, Refusal> {
    let clock = clock(arguments.now.now);
    let Some(checked) = load(&arguments.content.folder, clock)? else { return Ok(Outcome::Problems) };
    let snapshot = snapshot(checked, clock.now());
    let document = match arguments.target.as_deref() {
        None => view_document(snapshot.directory(), None),
        Some(target) => {
            require_path(target)?;
            let (path, query) = split_target(target);
            let answer = Request::from_path_and_query(path, query)
                .map_err(|fault| fault.of(snapshot.directory().professions()))
                .and_then(|request| snapshot.answer(&request, clock.now()))
                .map_err(|fault| Refusal::new(format!("there is nothing to show: {}", fault.message())))?;
            view_document(snapshot.directory(), Some(ViewPreview { target, body: answer.body() }))
        }
    };
    let mut out = io::stdout().lock();
    out.write_all(document.as_bytes())?;
    out.flush()?;
    Ok(Outcome::Done)
}
