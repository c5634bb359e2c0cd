//! nginx: a query without a filter, or with only a state, is mapped to a file. Other requests go to `@live`, whose answers
//! are cached, also while live is unreachable, or to `@live_uncached`: an old answer could offer times that are taken.
//!
//! nginx derives a file's tag from its modification time, which is a function of the bytes; `Last-Modified` would show that
//! artificial time. One nginx may include the files of several clinics.

mod live;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use directory::api::{OPERATIONS, Operation, PROGRAM_ROOTS, ParameterKind, SSE_PATH};
use directory::changes::CHANGES_PATH;
use directory::model::{Directory, StateCode, address_words};
use directory::web::{ELEMENTS_PATH, ELEMENTS_ROOT, MARKDOWN, PORTRAIT_ROOT, found_files};
use standards::{BULK_PUBLISH_PATH, FHIR_RESOURCE_TYPES, FHIR_ROOT, FhirTarget, NDJSON, SLOTS_PATH};

use self::live::{HSTS, Live};
use super::headers::{self, HeaderRule};
use super::token::{EdgeError, HeaderValue, Token};
use super::{Edge, NOT_FOUND_PATH, bases, file, lists, moved};
use crate::answers::AnswerFiles;
use crate::pages::profile_route;

/// Never exists, so `try_files` goes on to the live service.
const NO_FILE: &str = "/_nginx/none";
const JSON: &str = "application/json";

pub(super) fn rules(directory: &Directory, answers: &AnswerFiles) -> Result<Edge, EdgeError> {
    let names = names(directory);
    let live = directory.organization().live_url.as_deref();
    let live = live.map(|live| Live::parse(live, names.clone())).transpose()?;
    let headers = headers::rules(directory)?;
    let (published, unpublished) = lists(answers);
    // Variables have the generation, because their names may have only 46 letters.
    let own = format!("nameplate_{}_", directory.generation().as_str().get(..6).unwrap_or_default());
    let server = server(directory, (&published, &unpublished), &headers, live.as_ref())?;
    let http = http(&published, &names, live.as_ref())?;
    let files = [("_nginx/http.conf", &http), ("_nginx/server.conf", &server)];
    Edge::new(directory, files.map(|(path, text)| (path, text.replace("nameplate_", &own).into())))
}

/// The upstream, the zones and the cache begin with it: clinics share these names, so it has the address of the site.
fn names(directory: &Directory) -> String {
    let site = &directory.organization().site_url;
    format!("nameplate-{}", address_words(site.split_once("://").map_or(site, |(_, host)| host)))
}

fn http(published: &[&Operation], names: &str, live: Option<&Live>) -> Result<String, EdgeError> {
    let head = format!(
        "# Inside http {{ … }}, beside: proxy_cache_path /var/cache/nginx/{names} keys_zone={names}:10m max_size=200m \
         inactive=2d;\n"
    );
    let hsts = "# HSTS: browsers use HTTPS for a year. Subdomains aren't included.\nmap $https $nameplate_hsts {\n  default \"\";\n  on max-age=31536000;\n}\n";
    let live = live.map(Live::http).unwrap_or_default();
    Ok(format!("{head}{hsts}{live}{}", maps(published)?))
}

fn maps(published: &[&Operation]) -> Result<String, EdgeError> {
    let mut parameters = published.iter().flat_map(|row| row.parameters);
    let Some(state) = parameters.find(|parameter| parameter.kind == ParameterKind::State) else {
        return Ok(String::new());
    };
    let mut text = state_maps(state.name)?;
    for row in published {
        text += &file_maps(row, state.name)?;
    }
    Ok(text)
}

/// Empty without a state, and `-` for an unknown spelling.
fn state_maps(state: &str) -> Result<String, EdgeError> {
    let mut text = format!(
        "map $args $nameplate_given {{\n  default \"\";\n  \"~(?:^|&){state}=(?<nameplate_value>[^&]*)\" $nameplate_value;\n}}\n\
         map $nameplate_given $nameplate_state {{\n  default -;\n  \"\" \"\";\n"
    );
    // Maps ignore letter case. Spaces and commas have several encodings.
    for code in StateCode::all() {
        let is_plain = |name: &&str| name.bytes().all(|b| b.is_ascii_alphabetic() || b" .,".contains(&b));
        let names = code.spellings().filter(is_plain);
        let spaced = names.flat_map(|name| ["+", "%20"].map(|space| name.replace(' ', space)));
        let spellings: BTreeSet<_> = spaced.flat_map(|name| [name.replace(',', "%2C"), name]).collect();
        for spelling in spellings {
            _ = writeln!(text, "  {} {code};", spelling.parse::<Token>()?);
        }
    }
    Ok(text + "}\n")
}

fn file_maps(row: &Operation, state: &str) -> Result<String, EdgeError> {
    let variable = variable(row);
    // Not plain: an encoded parameter name, a repeated state, or another filter.
    let mut text = format!(
        "map $args ${variable}_plain {{\n  default 1;\n  \"~(?:^|&)[^=&]*[%+]\" 0;\n  \
         \"~(?:^|&){state}(?:=[^&]*)?&(?:.*&)?{state}(?:=|&|$)\" 0;\n"
    );
    let others = row.parameters.iter().filter(|parameter| parameter.kind != ParameterKind::State);
    let others: Vec<_> = others.map(|parameter| parameter.name).collect();
    if !others.is_empty() {
        _ = writeln!(text, "  \"~(?:^|&)(?:{})(?:=|&|$)\" 0;", others.join("|"));
    }
    _ = writeln!(
        text,
        "}}\nmap ${variable}_plain:$nameplate_state ${variable}_file {{\n  default {NO_FILE};"
    );
    if let Some(file) = file(row.path, None)? {
        _ = writeln!(text, "  \"1:\" {file};");
    }
    for code in StateCode::all() {
        if let Some(file) = file(row.path, Some((state, code.code())))? {
            _ = writeln!(text, "  \"1:{code}\" {file};");
        }
    }
    Ok(text + "}\n")
}

struct Locations<'a> {
    directory: &'a Directory,
    headers: &'a [HeaderRule],
    text: String,
}

fn server(
    directory: &Directory,
    (published, unpublished): (&[&Operation], &[&Operation]),
    headers: &[HeaderRule],
    live: Option<&Live>,
) -> Result<String, EdgeError> {
    // nginx ignores the header here in locations that have headers of their own.
    let text = format!(
        "# Inside server {{ … }}, beside: root /where/the/tree/is;\n\
         # A catalog question that no file answers goes to @live; availability goes to @live_uncached.\n\
         charset off;\netag on;\nif_modified_since off;\nabsolute_redirect off;\ngzip_static on;\ngzip_vary on;\n{HSTS}\n"
    );
    let mut locations = Locations { directory, headers, text };
    let [v1, others @ ..] = PROGRAM_ROOTS.map(|root| format!("{root}/"));
    let api = header_directives(headers, &v1)?;
    for row in published {
        let files = format!("${}_file @live", variable(row));
        locations.add_files(&format!("~ ^{}/?$", row.path), &v1, JSON, &files)?;
    }
    for (stem, _) in OPERATIONS.iter().filter_map(|row| row.path.split_once('{')) {
        locations.add_former_slugs(stem, &api);
        let head = format!("~ ^{stem}(?<nameplate_slug>[a-z0-9-]+)/?$");
        locations.add_files(&head, &v1, JSON, &format!("{stem}$nameplate_slug.json @live"))?;
    }
    for row in unpublished {
        locations.add(&format!("~ ^{}/?$", row.path), &format!("try_files {NO_FILE} @live_uncached;"));
    }
    let json = format!("types {{ }}\n  default_type {JSON};");
    let elsewhere = header_directives(headers, &others[0])?;
    let not_found = format!("{json}\n  {elsewhere}\n  error_page 404 /{NOT_FOUND_PATH};");
    locations.add(&format!("= {SSE_PATH}"), &format!("{not_found}\n  return 404;"));
    for route in &others {
        locations.add(route, &format!("{not_found}\n  try_files $uri =404;"));
    }
    let (head, changes) = (format!("~ ^{CHANGES_PATH}/?$"), format!("{CHANGES_PATH}.json @live"));
    locations.add_files(&head, &v1, JSON, &changes)?;
    locations.add_files(&v1, &v1, JSON, "$uri @live")?;
    let script = "\"text/javascript; charset=utf-8\"";
    locations.add_files(&format!("= {ELEMENTS_PATH}"), ELEMENTS_PATH, script, "$uri @live")?;
    locations.add_files(ELEMENTS_ROOT, ELEMENTS_ROOT, script, "$uri @live")?;
    for file in found_files(directory.organization()) {
        let media_type = file.media_type.parse::<HeaderValue>()?.quoted()?;
        locations.add_files(&format!("= {}", file.path), file.path, &media_type, "$uri @live")?;
    }
    if directory.organization().standards.is_some() {
        locations.add_fhir()?;
    }
    locations.add(&format!("= /{NOT_FOUND_PATH}"), &format!("{json}\n  {api}"));
    // The host's rules are not part of the site, and contain the live service's address.
    locations.add("/_nginx/", "return 404;");
    locations.add_pages()?;
    Ok(locations.text + &live::locations(live, &super::unreachable(), &json, &elsewhere))
}

impl Locations<'_> {
    fn add(&mut self, head: &str, body: &str) {
        _ = writeln!(self.text, "location {head} {{\n  {body}\n}}");
    }

    /// The first of `files` that exists is sent, with the headers of `path`.
    fn add_files(&mut self, head: &str, path: &str, media_type: &str, files: &str) -> Result<(), EdgeError> {
        let headers = header_directives(self.headers, path)?;
        // nginx refuses a POST with 405, which goes to @live. `recursive_error_pages` keeps @live's error pages.
        let body = format!(
            "types {{ }}\n  default_type {media_type};\n  {headers}\n  recursive_error_pages on;\n  \
             error_page 403 404 /{NOT_FOUND_PATH};\n  error_page 405 = @live;\n  try_files {files};"
        );
        self.add(head, &body);
        Ok(())
    }

    fn add_former_slugs(&mut self, stem: &str, api: &str) {
        let directory = self.directory;
        for (former, slug) in moved(directory) {
            self.add(&format!("= {stem}{former}"), &format!("{api}\n  return 301 {stem}{slug};"));
            for base in bases(directory) {
                let page = format!("return 301 {base}{};", profile_route(slug));
                self.add(&format!("= {base}{}", profile_route(former)), &page);
            }
        }
    }

    fn add_fhir(&mut self) -> Result<(), EdgeError> {
        for resource in &FHIR_RESOURCE_TYPES {
            let file = FhirTarget::File(resource);
            self.add_files(&format!("= {}", file.path()), &file.path(), file.media_type(), "$uri @live")?;
        }
        let (head, manifest) = (format!("= {BULK_PUBLISH_PATH}"), FhirTarget::Manifest.media_type());
        self.add_files(&head, BULK_PUBLISH_PATH, manifest, "$uri @live_uncached")?;
        self.add_files(SLOTS_PATH, SLOTS_PATH, NDJSON, "$uri @live_uncached")?;
        let below = format!("{FHIR_ROOT}/");
        self.add_files(&below, &below, JSON, "$uri @live")
    }

    fn add_pages(&mut self) -> Result<(), EdgeError> {
        let headers = header_directives(self.headers, PORTRAIT_ROOT)?;
        self.add(PORTRAIT_ROOT, &format!("{headers}\n  try_files $uri =404;"));
        let headers = header_directives(self.headers, "/")?;
        self.add("= /", &format!("{headers}\n  try_files /index.html =404;"));
        let headers = header_directives(self.headers, "/404.html")?;
        let markdown = MARKDOWN.parse::<HeaderValue>()?.quoted()?;
        let twin = format!("types {{ }}\n  default_type {markdown};\n  {headers}");
        self.add("~ \\.md$", &format!("{twin}\n  error_page 404 /404.html;\n  try_files $uri =404;"));
        for base in bases(self.directory) {
            let body = format!(
                "{headers}\n  error_page 404 {base}/404.html;\n  try_files $uri $uri.html $uri/index.html =404;"
            );
            self.add(&format!("{base}/"), &body);
        }
        Ok(())
    }
}

/// Each header once: nginx would send a repeated one twice.
fn header_directives(rules: &[HeaderRule], path: &str) -> Result<String, EdgeError> {
    let mut headers: BTreeMap<&str, &HeaderValue> = BTreeMap::new();
    for rule in rules.iter().filter(|rule| {
        let pattern = rule.pattern.to_string();
        pattern.strip_suffix('*').map_or(pattern == path, |stem| path.starts_with(stem))
    }) {
        headers.extend(rule.headers.iter().map(|(name, value)| (*name, value)));
    }
    // The location sets the type.
    headers.remove("Content-Type");
    let mut lines = vec!["add_header Last-Modified \"\";".to_owned(), HSTS.to_owned()];
    for (name, value) in headers {
        // Errors must not be cached.
        let always = if name == "Cache-Control" { "" } else { " always" };
        lines.push(format!("add_header {name} {}{always};", value.quoted()?));
    }
    Ok(lines.join("\n  "))
}

fn variable(row: &Operation) -> String {
    format!("nameplate_{}", row.path.trim_start_matches("/v1/").replace(['/', '-'], "_"))
}

#[cfg(test)]
mod tests;
