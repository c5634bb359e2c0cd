//! `nameplate query`: prints the body that the API answers.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use clap::Args;
use directory::Request;
use directory::api::split_target;
use live::Store;

use crate::content::{Content, Now, clock, load, snapshot};
use crate::outcome::{Outcome, Refusal};

#[derive(Debug, Args)]
pub(crate) struct QueryArguments {
    /// The path and query, such as '/v1/availability?state=CA'
    #[arg(value_name = "PATH?QUERY")]
    target: String,
    #[command(flatten)]
    content: Content,
    /// Print the status and the header fields first
    #[arg(long)]
    headers: bool,
    #[command(flatten)]
    now: Now,
}

pub(crate) fn run(arguments: &QueryArguments) -> Result<Outcome, Refusal> {
    let clock = clock(arguments.now.now);
    let Some(checked) = load(&arguments.content.folder, clock)? else { return Ok(Outcome::Problems) };
    let snapshot = snapshot(checked, clock.now());
    require_path(&arguments.target)?;
    let (path, query) = split_target(&arguments.target);
    let request = Request::from_path_and_query(path, query);
    let professions = snapshot.directory().professions();
    let request = request.map_err(|fault| fault.of(professions));
    let answer =
        request.as_ref().map_err(Clone::clone).and_then(|request| snapshot.answer(request, clock.now()));
    let ignored = request.as_ref().map(Request::ignored).unwrap_or_default();
    if !ignored.is_empty() {
        let names = ignored.join(", ");
        writeln!(io::stderr(), "warning: this path has no parameter named {names}, so it was ignored")?;
    }
    let mut out = io::stdout().lock();
    if arguments.headers {
        let store = Arc::new(Store::new(snapshot.clone()));
        out.write_all(live::head(store, clock, path, query.unwrap_or_default()).as_bytes())?;
    }
    match &answer {
        Ok(answer) => out.write_all(answer.body())?,
        Err(fault) => out.write_all(&fault.body())?,
    }
    // Elsewhere, the output is the body, byte for byte.
    if out.is_terminal() {
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(if answer.is_ok() { Outcome::Done } else { Outcome::Problems })
}

pub(crate) fn require_path(target: &str) -> Result<(), Refusal> {
    if target.starts_with('/') {
        return Ok(());
    }
    Err(Refusal::new(format!("\"{target}\" isn't a path: begin it with /, as in '/v1/states'")))
}
