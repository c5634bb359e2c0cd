//! Caddy: `_caddy/site.caddy`, to import in the block of a site. The `route` block keeps the order of the rules. Headers
//! come after the rules that pass a request on, because live sends its own.

use std::fmt::Write as _;

use directory::api::FaultKind;
use directory::model::Directory;

use super::headers::{self, HeaderRule};
use super::redirects::{Redirect, redirects};
use super::token::EdgeError;
use super::{Edge, NOT_FOUND_PATH, authority, bases, unreachable};
use crate::answers::AnswerFiles;

const PASS: &str = "{\nheader_up Host {upstream_hostport}\n\
                    transport http {\ndial_timeout 3s\nresponse_header_timeout 26s\n}\n}";

pub(super) fn rules(directory: &Directory, answers: &AnswerFiles) -> Result<Edge, EdgeError> {
    let live = directory.organization().live_url.as_deref();
    let redirects = redirects(directory, answers)?;
    let headers: String = headers::rules(directory)?.iter().map(header).collect::<Result<_, _>>()?;
    let mut text = "# Inside the block of a site, beside: root * /where/the/tree/is\nroute {\n\
                    request_header -If-Modified-Since\nheader -Last-Modified\nerror /_caddy/* 404\n"
        .to_owned();
    if let Some(live) = live {
        authority(live)?;
        text += "@nameplate_changes {\npath /v1/*\nnot method GET HEAD\n}\n";
        _ = writeln!(text, "reverse_proxy @nameplate_changes {live} {PASS}");
    }
    for (number, rule) in redirects.iter().enumerate() {
        text += &directives(number, rule, live);
    }
    _ = write!(
        text,
        "{headers}try_files {{path}} {{path}}.html {{path}}/index.html\nfile_server {{\nprecompressed gzip\n}}\n}}\n\
         handle_errors {{\n{headers}@nameplate_unreachable expression {{err.status_code}} > 499\n\
         handle @nameplate_unreachable {{\nheader Content-Type application/json\nheader Retry-After 1\n\
         header Access-Control-Allow-Origin *\nheader Cache-Control no-store\nrespond `{}` {}\n}}\n\
         @nameplate_api path /v1/* /api/* /.well-known/* /fhir/*\n\
         handle @nameplate_api {{\nheader Cache-Control no-store\nrewrite * /{NOT_FOUND_PATH}\nfile_server\n}}\n",
        String::from_utf8_lossy(&unreachable().body()),
        FaultKind::Overloaded.status(),
    );
    for base in bases(directory).rev() {
        _ = writeln!(text, "handle {base}/* {{\nrewrite * {base}/404.html\nfile_server\n}}");
    }
    text += "}\n";
    Edge::new(directory, [("_caddy/site.caddy", text.into())])
}

fn directives(number: usize, rule: &Redirect, live: Option<&str>) -> String {
    let (from, to, name) = (rule.from.to_string(), rule.to.to_string(), format!("@nameplate_{number}"));
    let is_exact = !from.ends_with('*') && !from.ends_with(":slug");
    let path = if is_exact { format!("{from} {from}/") } else { from.replace(":slug", "*") };
    let mut text = format!("{name} {{\npath {path}\n");
    if !is_exact {
        text += "not file {path} {path}.html {path}/index.html\n";
    }
    if let Some((parameter, value)) = &rule.query {
        let value = value.to_string();
        // Of a repeated parameter, Caddy has all values, joined by commas.
        let value = if value.starts_with(':') { "*".to_owned() } else { value };
        _ = writeln!(text, "query {parameter}={value}");
        if value != "*" {
            _ = writeln!(text, "expression !{{query.{parameter}}}.contains(\",\")");
        }
    }
    match rule.status.0 {
        301 => _ = writeln!(text, "}}\nredir {name} {to} 301"),
        404 => _ = writeln!(text, "}}\nerror {name} 404"),
        _ if to.starts_with('/') => _ = writeln!(text, "}}\nrewrite {name} {to}"),
        _ => _ = writeln!(text, "}}\nreverse_proxy {name} {} {PASS}", live.unwrap_or_default()),
    }
    text
}

fn header(rule: &HeaderRule) -> Result<String, EdgeError> {
    let pattern = rule.pattern.to_string();
    // Only a named matcher may begin with an asterisk, and behind a slash one ends at the next slash.
    let mut text = match pattern.strip_prefix("/*.") {
        Some(extension) => {
            let name = format!("@nameplate_{extension}");
            format!("{name} path *.{extension}\nheader {name} {{\n")
        }
        None => format!("header {pattern} {{\n"),
    };
    for (name, value) in &rule.headers {
        _ = writeln!(text, "{name} {}", value.quoted()?);
    }
    Ok(text + "}\n")
}
