//! `nameplate query`: exactly the body that the API gives.

use std::io::{self, Write};

use directory::Request;

use crate::args::QueryArguments;
use crate::content::{clock, load, snapshot};
use crate::outcome::{Outcome, Refusal};

pub(crate) fn run(arguments: &QueryArguments) -> Result<Outcome, Refusal> {
    let clock = clock(arguments.now.now);
    let Some(checked) = load(&arguments.content.folder, clock)? else {
        return Ok(Outcome::Problems);
    };
    let snapshot = snapshot(checked);
    let (path, query) = match arguments.target.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (arguments.target.as_str(), None),
    };
    let request = Request::from_path_and_query(path, query);
    let answer =
        request.as_ref().map_err(Clone::clone).and_then(|request| snapshot.answer(request, clock.now()));
    let mut out = io::stdout().lock();
    match answer {
        Ok(answer) => {
            out.write_all(answer.body())?;
            Ok(Outcome::Done)
        }
        Err(fault) => {
            out.write_all(&fault.body())?;
            Ok(Outcome::Problems)
        }
    }
}
