//! nginx: `_nginx/http.conf` for the `http` block, and `_nginx/server.conf` for the `server` block.
//!
//! A query without a filter, or with only a state, is mapped to a file. Every other request goes to the live service, by one
//! of two locations:
//! 1. `@live` for lists and profiles. nginx caches these answers, and uses the cache while the live service is unreachable.
//! 2. `@live_uncached` for availability. It is never cached, because an old answer could offer times that are taken. The live
//!    service's own 503 is passed on.
//!
//! nginx derives a file's tag from its modification time and size. The time is a function of the bytes, so the tag changes
//! with them. `Last-Modified` would show that artificial time, so it is hidden.
//!
//! The operator's own configuration includes these files. It sets the tree (`root`) and the cache (`proxy_cache_path`), and
//! can override the only absolute path here: Debian's file of trusted certificates.

mod live;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use directory::api::{OPERATIONS, Operation, PROGRAM_ROOTS, ParameterKind, Request, SSE_PATH};
use directory::model::{Directory, StateCode};
use directory::web::{ELEMENTS_PATH, ELEMENTS_ROOT, PORTRAIT_ROOT};
use standards::{BULK_PUBLISH_PATH, FHIR_RESOURCES, FHIR_ROOT, FhirTarget, NDJSON, SLOTS_PATH};

use self::live::{HSTS, Live};
use super::headers::{self, HeaderRule};
use super::token::{EdgeError, HeaderValue, Token};
use super::{Edge, NOT_FOUND_PATH, has_slug, note_without_live};
use crate::answers::{AnswerFiles, answer_path};
use crate::pages::profile_route;

/// A path that never exists. It makes `try_files` go on to the live service.
const NO_FILE: &str = "/_nginx/none";

pub(super) fn rules(directory: &Directory, answers: &AnswerFiles) -> Result<Edge, EdgeError> {
    let live = directory.organisation().live_url.as_deref().map(Live::parse).transpose()?;
    let headers = headers::rules(directory)?;
    let published: Vec<&Operation> =
        OPERATIONS.iter().filter(|row| !has_slug(row) && answers.include(row.id)).collect();
    let server = server(directory, answers, &published, &headers, live.as_ref())?;
    Ok(Edge {
        files: vec![
            ("_nginx/http.conf".parse()?, http(&published, live.as_ref())?.into()),
            ("_nginx/server.conf".parse()?, server.into()),
        ],
        notes: note_without_live(directory).into_iter().collect(),
    })
}

/// Returns the file for the `http` block: the upstream, the zones and the maps.
fn http(published: &[&Operation], live: Option<&Live>) -> Result<String, EdgeError> {
    let head = "# Inside http { … }, beside: proxy_cache_path /var/cache/nginx/nameplate keys_zone=nameplate:10m \
                max_size=200m inactive=2d;\n";
    let hsts = "# A browser that came by HTTPS once comes by HTTPS for a year. Other names of the domain are not bound by \
                it.\nmap $https $nameplate_hsts {\n  default \"\";\n  on max-age=31536000;\n}\n";
    let live = live.map(Live::http).unwrap_or_default();
    Ok(format!("{head}{hsts}{live}{}", maps(published)?))
}

fn maps(published: &[&Operation]) -> Result<String, EdgeError> {
    let mut text = String::new();
    let state = published.iter().flat_map(|row| row.parameters).find(|p| p.kind == ParameterKind::State);
    let Some(state) = state.map(|parameter| parameter.name) else { return Ok(text) };
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    line(format!(
        "map $args $nameplate_given {{\n  default \"\";\n  \"~(?:^|&){state}=(?<nameplate_value>[^&]*)\" $nameplate_value;\n}}"
    ));
    // Maps ignore letter case. Each name is listed with every encoding of its spaces and commas.
    line("map $nameplate_given $nameplate_state {\n  default -;\n  \"\" \"\";".to_owned());
    for code in StateCode::all() {
        let is_plain = |name: &&str| name.bytes().all(|b| b.is_ascii_alphabetic() || b" .,".contains(&b));
        let names = code.spellings().filter(is_plain);
        let spaced = names.flat_map(|name| ["+", "%20"].map(|space| name.replace(' ', space)));
        let spellings: BTreeSet<_> = spaced.flat_map(|name| [name.replace(',', "%2C"), name]).collect();
        for spelling in spellings {
            line(format!("  {} {code};", spelling.parse::<Token>()?));
        }
    }
    line("}".to_owned());
    for row in published {
        let others: Vec<_> = row.parameters.iter().filter(|p| p.kind != ParameterKind::State).collect();
        let names: Vec<_> = others.iter().map(|parameter| parameter.name).collect();
        let variable = variable(row);
        // A query is not plain if it has an encoded parameter name, a repeated state, or another filter.
        line(format!("map $args ${variable}_plain {{\n  default 1;\n  \"~(?:^|&)[^=&]*[%+]\" 0;"));
        line(format!("  \"~(?:^|&){state}(?:=[^&]*)?&(?:.*&)?{state}(?:=|&|$)\" 0;"));
        if !names.is_empty() {
            line(format!("  \"~(?:^|&)(?:{})(?:=|&|$)\" 0;", names.join("|")));
        }
        line("}".to_owned());
        line(format!("map ${variable}_plain:$nameplate_state ${variable}_file {{\n  default {NO_FILE};"));
        if let Some(file) = file(row, None)? {
            line(format!("  \"1:\" {file};"));
        }
        for code in StateCode::all() {
            if let Some(file) = file(row, Some((state, code)))? {
                line(format!("  \"1:{code}\" {file};"));
            }
        }
        line("}".to_owned());
    }
    Ok(text)
}

/// Returns the file for the `server` block: the locations.
fn server(
    directory: &Directory,
    answers: &AnswerFiles,
    published: &[&Operation],
    headers: &[HeaderRule],
    live: Option<&Live>,
) -> Result<String, EdgeError> {
    let mut text = String::from(
        "# Inside server { … }, beside: root /where/the/tree/is;\n\
         # A catalogue question that no file answers goes to @live; availability goes to @live_uncached.\n\
         charset off;\netag on;\nif_modified_since off;\nabsolute_redirect off;\ngzip_static on;\ngzip_vary on;\n",
    );
    // nginx ignores this in locations that have headers of their own, so those repeat it.
    let _ = writeln!(text, "{HSTS}");
    let [v1, others @ ..] = PROGRAM_ROOTS.map(|root| format!("{root}/"));
    let api = header_directives(headers, &v1)?;
    let elsewhere = header_directives(headers, &others[0])?;
    let json = "types { }\n  default_type application/json;";
    // A POST, which nginx refuses with 405, goes to @live. `recursive_error_pages` keeps @live's error pages.
    let missing = format!(
        "recursive_error_pages on;\n  error_page 403 404 /{NOT_FOUND_PATH};\n  error_page 405 = @live;"
    );
    let mut block = |head: &str, body: &str| _ = writeln!(text, "location {head} {{\n  {body}\n}}");
    for row in published {
        let body = format!("{json}\n  {api}\n  {missing}\n  try_files ${}_file @live;", variable(row));
        block(&format!("~ ^{}/?$", row.path), &body);
    }
    for row in OPERATIONS.iter().filter(|row| has_slug(row)) {
        let Some((stem, _)) = row.path.split_once('{') else { continue };
        for provider in directory.providers() {
            for former in &provider.former_slugs {
                let slug = &provider.slug;
                block(&format!("= {stem}{former}"), &format!("{api}\n  return 301 {stem}{slug};"));
                for base in directory.texts().iter().map(|texts| texts.base.as_str()) {
                    let page = format!("return 301 {base}{};", profile_route(slug));
                    block(&format!("= {base}{}", profile_route(former)), &page);
                }
            }
        }
        let body = format!("{json}\n  {api}\n  {missing}\n  try_files {stem}$nameplate_slug.json @live;");
        block(&format!("~ ^{stem}(?<nameplate_slug>[a-z0-9-]+)/?$"), &body);
    }
    for row in OPERATIONS.iter().filter(|row| !has_slug(row) && !answers.include(row.id)) {
        block(&format!("~ ^{}/?$", row.path), &format!("try_files {NO_FILE} @live_uncached;"));
    }
    let not_found = format!("{json}\n  {elsewhere}\n  error_page 404 /{NOT_FOUND_PATH};");
    block(&format!("= {SSE_PATH}"), &format!("{not_found}\n  return 404;"));
    for route in &others {
        block(route, &format!("{not_found}\n  try_files $uri =404;"));
    }
    block(&v1, &format!("{json}\n  {api}\n  {missing}\n  try_files $uri @live;"));
    let script = "types { }\n  default_type \"text/javascript; charset=utf-8\";";
    for (head, path) in [(format!("= {ELEMENTS_PATH}"), ELEMENTS_PATH), (ELEMENTS_ROOT.into(), ELEMENTS_ROOT)]
    {
        let fields = header_directives(headers, path)?;
        block(&head, &format!("{script}\n  {fields}\n  {missing}\n  try_files $uri @live;"));
    }
    if directory.organisation().standards.is_some() {
        let typed = |media_type: &str| format!("types {{ }}\n  default_type {media_type};");
        let mut fhir = |head: &str, path: &str, media_type: &str, next: &str| -> Result<(), EdgeError> {
            let fields = header_directives(headers, path)?;
            block(head, &format!("{}\n  {fields}\n  {missing}\n  try_files $uri {next};", typed(media_type)));
            Ok(())
        };
        for row in &FHIR_RESOURCES {
            let file = FhirTarget::File(row);
            fhir(&format!("= {}", file.path()), &file.path(), file.media_type(), "@live")?;
        }
        let manifest = FhirTarget::Manifest.media_type();
        fhir(&format!("= {BULK_PUBLISH_PATH}"), BULK_PUBLISH_PATH, manifest, "@live_uncached")?;
        fhir(SLOTS_PATH, SLOTS_PATH, NDJSON, "@live_uncached")?;
        let below = format!("{FHIR_ROOT}/");
        fhir(&below, &below, "application/json", "@live")?;
    }
    block(&format!("= /{NOT_FOUND_PATH}"), &format!("{json}\n  {api}"));
    // The host's rules are not part of the site, and contain the live service's address.
    block("/_nginx/", "return 404;");
    block(PORTRAIT_ROOT, &format!("{}\n  try_files $uri =404;", header_directives(headers, PORTRAIT_ROOT)?));
    let fields = header_directives(headers, "/")?;
    for base in directory.texts().iter().map(|texts| texts.base.as_str()) {
        let pages = format!("{fields}\n  error_page 404 {base}/404.html;");
        block(&format!("{base}/"), &format!("{pages}\n  try_files $uri $uri.html $uri/index.html =404;"));
    }
    text.push_str(&live::locations(live, &super::unreachable(), json, &elsewhere));
    Ok(text)
}

/// Returns the directives that set the headers of files below a path, each once: nginx would send a repeated one twice.
fn header_directives(rules: &[HeaderRule], path: &str) -> Result<String, EdgeError> {
    let mut headers: BTreeMap<&str, &HeaderValue> = BTreeMap::new();
    for rule in rules.iter().filter(|rule| path.starts_with(rule.pattern.to_string().trim_end_matches('*'))) {
        headers.extend(rule.headers.iter().map(|(name, value)| (*name, value)));
    }
    // The location sets the type.
    headers.remove("Content-Type");
    let mut lines = vec!["add_header Last-Modified \"\";".to_owned(), HSTS.to_owned()];
    for (name, value) in headers {
        let value = value.to_string();
        if value.contains(['"', '\\', '$']) {
            return Err(EdgeError::HeaderValue(value));
        }
        // Errors must not be cached.
        let always = if name == "Cache-Control" { "" } else { " always" };
        lines.push(format!("add_header {name} \"{value}\"{always};"));
    }
    Ok(lines.join("\n  "))
}

/// Returns the path of the file that answers a list's request.
fn file(row: &Operation, state: Option<(&str, StateCode)>) -> Result<Option<String>, EdgeError> {
    let query = state.map(|(name, code)| format!("{name}={code}"));
    let request = Request::from_path_and_query(row.path, query.as_deref()).ok();
    let file = request.as_ref().and_then(answer_path).transpose()?;
    Ok(file.map(|path| format!("/{path}")))
}

fn variable(row: &Operation) -> String {
    format!("nameplate_{}", row.name)
}

#[cfg(test)]
mod tests;
