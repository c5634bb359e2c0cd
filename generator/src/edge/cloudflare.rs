//! Cloudflare Pages. Its `_redirects` ignore queries, so a small worker routes the API, after a constant with the facts of
//! this build: JSON, so no text in it can break the worker. `_routes.json` limits it to the API: other requests are free.

use std::fmt::Write as _;

use bytes::Bytes;
use directory::api::{Fault, FaultKind, MCP_PATH, OPERATIONS, Operation, PROGRAM_ROOTS, ParameterKind};
use directory::changes::CHANGES_PATH;
use directory::model::{Directory, StateCode};
use serde_json::{Map, Value, json};
use standards::FHIR_ROOT;

use super::headers::{self, HeaderRule};
use super::token::EdgeError;
use super::{Edge, bases, file, lines, lists, moved};
use crate::answers::AnswerFiles;
use crate::pages::profile_route;

const WORKER: &str = concat!(include_str!("plain.js"), "\n", include_str!("cloudflare/worker.js"));

pub(super) fn rules(directory: &Directory, answers: &AnswerFiles) -> Result<Edge, EdgeError> {
    let headers = headers::rules(directory)?;
    let facts = facts(directory, answers, &headers)?;
    let roots = PROGRAM_ROOTS.into_iter().chain(fhir_root(directory));
    let include: Vec<_> = roots.map(|root| format!("{root}/*")).collect();
    let routes = json!({ "version": 1, "include": include, "exclude": [] });
    let files = [
        ("_worker.js", format!("const FACTS = {facts};\n\n{WORKER}").into()),
        ("_routes.json", routes.to_string().into()),
        ("_headers", lines(&headers).into()),
        ("_redirects", moved_pages(directory)),
    ];
    Edge::new(directory, files)
}

pub(super) fn facts(
    directory: &Directory,
    answers: &AnswerFiles,
    headers: &[HeaderRule],
) -> Result<Value, EdgeError> {
    let (published, unpublished) = lists(answers);
    let lists = published.into_iter().map(|row| Ok((row.path.to_owned(), list(row)?)));
    let changes =
        json!({ "file": format!("{CHANGES_PATH}.json"), "folder": null, "state": null, "others": [] });
    let lists = lists.chain([Ok((CHANGES_PATH.to_owned(), changes))]);
    let moved = moved(directory).map(|(former, slug)| (former.to_string(), Value::from(slug.as_str())));
    // The worker only compares ASCII. Requests with other spellings go to the live service.
    let names = StateCode::all().flat_map(|state| {
        let names = state.spellings().filter(|name| name.is_ascii());
        names.map(move |name| (name.to_ascii_lowercase(), Value::from(state.code())))
    });
    let stem = OPERATIONS.iter().find_map(|row| row.path.split_once('{')).map(|(stem, _)| stem);
    let not_allowed = Fault::of_transport(FaultKind::MethodNotAllowed, "this path answers GET, HEAD only");
    Ok(json!({
        "live": {
            "url": directory.organization().live_url.as_deref(),
            "paths": unpublished.iter().map(|row| row.path).chain([MCP_PATH]).collect::<Vec<_>>(),
        },
        "lists": lists.collect::<Result<Map<_, _>, EdgeError>>()?,
        "profiles": stem,
        "fhir": fhir_root(directory).map(|root| format!("{root}/")),
        "moved": moved.collect::<Map<_, _>>(),
        "states": names.collect::<Map<_, _>>(),
        "headers": headers.iter().map(header).collect::<Vec<_>>(),
        "notFound": failure(&Fault::not_found(), &[]),
        "methodNotAllowed": failure(&not_allowed, &[("Allow", "GET, HEAD")]),
        "unreachable": failure(&super::unreachable(), &[("Retry-After", "1")]),
    }))
}

fn fhir_root(directory: &Directory) -> Option<&'static str> {
    directory.organization().standards.as_ref().map(|_| FHIR_ROOT)
}

fn list(row: &Operation) -> Result<Value, EdgeError> {
    let (state, others): (Vec<_>, Vec<_>) =
        row.parameters.iter().partition(|parameter| parameter.kind == ParameterKind::State);
    let state = state.first().map(|parameter| parameter.name);
    let folder = match StateCode::all().next().zip(state) {
        Some((code, name)) => file(row.path, Some((name, code.code())))?
            .and_then(|path| path.strip_suffix(&format!("{code}.json")).map(str::to_owned)),
        None => None,
    };
    Ok(json!({
        "file": file(row.path, None)?,
        "folder": folder,
        "state": state,
        "others": others.iter().map(|parameter| parameter.name).collect::<Vec<_>>(),
    }))
}

/// A path, or its beginning and `*`, and the headers.
fn header(rule: &HeaderRule) -> Value {
    let fields: Vec<_> = rule.headers.iter().map(|(name, value)| json!([name, value.to_string()])).collect();
    json!([rule.pattern.to_string(), fields])
}

fn failure(fault: &Fault, headers: &[(&str, &str)]) -> Value {
    let body = String::from_utf8_lossy(&fault.body()).into_owned();
    json!({ "status": fault.kind().status(), "body": body, "headers": headers })
}

/// The worker redirects the API's profiles.
fn moved_pages(directory: &Directory) -> Bytes {
    let mut text = String::new();
    for (former, slug) in moved(directory) {
        for base in bases(directory) {
            let (from, to) = (profile_route(former), profile_route(slug));
            _ = writeln!(text, "{base}{from} {base}{to} 301");
        }
    }
    text.into()
}

#[cfg(test)]
mod tests;
