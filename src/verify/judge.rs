//! One answer beside what it should be.

use std::collections::BTreeSet;
use std::path::Path;

use directory::api::{Caching, EXPOSED_HEADERS, is_for_programs};
use generator::Sha256Digest;
use serde_json::Value;

use super::host::Came;
use super::local::{Body, Expectation, Local};
use super::report::{Difference, shown};

/// The types under which hosts serve what a tree holds; where there are two, both are right.
const TYPES: [(&str, &[&str]); 13] = [
    ("css", &["text/css"]),
    ("gif", &["image/gif"]),
    ("html", &["text/html"]),
    ("ico", &["image/x-icon", "image/vnd.microsoft.icon"]),
    ("jpeg", &["image/jpeg"]),
    ("jpg", &["image/jpeg"]),
    ("js", &["text/javascript", "application/javascript"]),
    ("json", &["application/json"]),
    ("png", &["image/png"]),
    ("svg", &["image/svg+xml"]),
    ("txt", &["text/plain"]),
    ("webp", &["image/webp"]),
    ("xml", &["application/xml", "text/xml"]),
];

/// Collects what is wrong with the answer to one request.
pub(super) struct Judge<'a> {
    pub(super) asked: &'a str,
    pub(super) came: &'a Came,
    pub(super) differences: Vec<Difference>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(asked: &'a str, came: &'a Came) -> Self {
        Self { asked, came, differences: Vec::new() }
    }

    pub(super) fn find(
        &mut self,
        expected: impl Into<String>,
        came: impl Into<String>,
        advice: &'static str,
    ) {
        let (expected, came) = (expected.into(), came.into());
        self.differences.push(Difference { asked: self.asked.to_owned(), expected, came, advice });
    }

    /// Compares everything. `path` is what was asked for, without its query.
    pub(super) fn all(&mut self, path: &str, right: &[Expectation], is_file: bool, local: &Local) {
        let came = self.came;
        let is_right = |one: &&Expectation| {
            (one.status == came.status || one.status == 0) && has(&one.body, came, local)
        };
        let Some(one) = right.iter().find(is_right).or(right.first()) else { return };
        self.status_and_body(one, is_file, local);
        if came.status == one.status || one.status == 0 {
            if one.location.is_none() {
                self.media_type(path, is_file);
            }
            // Hosts put no header of ours on a redirect of their own; live does, and names its generation.
            if one.location.is_none() || !came.header("nameplate-generation").is_empty() {
                self.fields(path, one.caching);
            }
        }
    }

    /// Compares what a tool says with what REST says.
    pub(super) fn body(&mut self, right: &[Body], is_error: bool, local: &Local) {
        const ADVICE: &str =
            "the tool must say what REST says: see that live has this content, and this program's version";
        let came = self.came;
        let is_right = |body: &Body| has(body, came, local);
        if let Some(first) = right.first()
            && (is_error || !right.iter().any(is_right))
        {
            let found = describe(&Body::Bytes(came.body.clone()));
            self.find(describe(first), if is_error { format!("an error, {found},") } else { found }, ADVICE);
        }
    }

    fn status_and_body(&mut self, one: &Expectation, is_file: bool, local: &Local) {
        let came = self.came;
        if one.status != 0 && came.status != one.status {
            let advice = match (one.status, came.status) {
                (200, 404) if is_file => "the file is missing on the host: deploy the tree again",
                (200, 503) => "live says that it cannot tell: look at its feed and at its log",
                (200, _) if is_file => "deploy the tree again, with its rules",
                (301, _) => {
                    "a former slug must lead to the current one: deploy the tree again, with its rules"
                }
                (400.., 200) => "a client takes this for an answer: the host's rules must send it to live",
                _ => {
                    "see that the host's rules are those of this tree, and that live is up and has this content"
                }
            };
            let expected = match &one.location {
                Some(location) => format!("status {} to {location}", one.status),
                None => format!("status {}", one.status),
            };
            self.find(expected, format!("status {} ({})", came.status, glimpse(came)), advice);
            if came.status >= 400 && !is_file {
                self.error_form();
            }
            return;
        }
        if let Some(location) = &one.location {
            let led = came.header("location");
            let path =
                led.find("://").and_then(|at| led[at + 3..].find('/').map(|slash| &led[at + 3 + slash..]));
            if path.unwrap_or(led) != location {
                let advice =
                    "a former slug must lead to the current one: deploy the tree again, with its rules";
                self.find(format!("location {location}"), format!("location {}", shown(led)), advice);
            }
            return;
        }
        if !has(&one.body, came, local) {
            let (expected, found) = (describe(&one.body), describe(&Body::Bytes(came.body.clone())));
            self.find(expected, found, body_advice(one, came, is_file));
        }
    }

    /// Errors of the API are JSON with code and message, whoever says them.
    fn error_form(&mut self) {
        let body: Option<Value> = serde_json::from_slice(&self.came.body).ok();
        let is_text = |name: &str| body.as_ref().is_some_and(|body| body[name].is_string());
        if !is_text("code") || !is_text("message") {
            let found = format!("{} ({})", self.came.media_type(), glimpse(self.came));
            self.find(
                "an error as JSON with code and message",
                found,
                "programs read this: the host's own error page must not show below /v1, /api and /.well-known",
            );
        }
    }

    fn media_type(&mut self, path: &str, is_file: bool) {
        let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
        let known = TYPES.iter().find(|(known, _)| extension == Some(known)).map(|(_, types)| *types);
        let right: &[&str] = match known {
            _ if !is_file => &["application/json"],
            Some(types) => types,
            None => return,
        };
        let found = self.came.media_type();
        if !right.contains(&found.as_str()) {
            let advice = if is_file {
                "let the host tell the type by the file's name"
            } else {
                "programs expect JSON: see that the host's rules are those of this tree"
            };
            self.find(
                format!("content-type {}", right[0]),
                format!("content-type \"{}\"", shown(&found)),
                advice,
            );
        }
    }

    /// The fields that every answer carries, and those of its class.
    fn fields(&mut self, path: &str, caching: Option<Caching>) {
        const HEADERS: &str = "the host does not send the tree's headers: deploy its header rules too";
        let came = self.came;
        if is_for_programs(path) {
            let allowed = came.header("access-control-allow-origin");
            if allowed != "*" {
                let found = format!("access-control-allow-origin \"{}\"", shown(allowed));
                let advice = "pages of other sites cannot read this: deploy the tree's header rules too";
                self.find("access-control-allow-origin *", found, advice);
            }
        }
        if path.starts_with("/v1/") && came.status == 200 {
            let exposed = words(came.header("access-control-expose-headers"));
            if !words(EXPOSED_HEADERS).is_subset(&exposed) {
                let found = shown(came.header("access-control-expose-headers"));
                let found = format!("access-control-expose-headers \"{found}\"");
                self.find(format!("access-control-expose-headers {EXPOSED_HEADERS}"), found, HEADERS);
            }
        }
        let sniffing = came.header("x-content-type-options");
        if !sniffing.eq_ignore_ascii_case("nosniff") {
            let found = format!("x-content-type-options \"{}\"", shown(sniffing));
            self.find("x-content-type-options nosniff", found, HEADERS);
        }
        if came.status == 200 && came.header("nameplate-generation").is_empty() {
            self.find("a header nameplate-generation", "none", HEADERS);
        }
        let kept = came.header("cache-control");
        match caching.map(Caching::cache_control) {
            Some(right) if words(kept) != words(right) => {
                let found = format!("cache-control \"{}\"", shown(kept));
                let advice = "caches would keep it too long or too short: deploy the tree's header rules too, and \
                              see that the host lays no rule of its own over them";
                self.find(format!("cache-control \"{right}\""), found, advice);
            }
            _ => {}
        }
    }
}

/// Whether the body is the one that is expected.
fn has(body: &Body, came: &Came, local: &Local) -> bool {
    match body {
        Body::Any => true,
        Body::Bytes(bytes) => *bytes == came.body,
        Body::Digest(length, digest) => {
            came.body.len() as u64 == *length && Sha256Digest::of(&came.body) == *digest
        }
        Body::Json => serde_json::from_slice::<Value>(&came.body).is_ok_and(|body| body.is_object()),
        Body::Slots(state) => {
            let Ok(body) = serde_json::from_slice::<Value>(&came.body) else { return false };
            let Some(slots) = body["slots"].as_array() else { return false };
            let starts: Vec<_> = slots.iter().map(|slot| slot["startTime"].as_str()).collect();
            let is_ours =
                |slot: &Value| slot["providerSlug"].as_str().is_some_and(|slug| local.accepts(slug, *state));
            body["state"] == state.code()
                && starts.is_sorted()
                && starts.iter().all(Option::is_some)
                && body["nextAvailable"].as_str() == starts.first().copied().flatten()
                && slots.iter().all(is_ours)
        }
    }
}

/// What a wrong body most likely means.
fn body_advice(one: &Expectation, came: &Came, is_file: bool) -> &'static str {
    let is_availability = one.caching == Some(Caching::Availability);
    let no_slots = |bytes: &[u8]| bytes.starts_with(br#"{"slots":[],"#);
    match &one.body {
        _ if is_file => {
            "the host has another file, or a cache an old one: deploy the tree again and purge the cache"
        }
        Body::Bytes(bytes) if is_availability && no_slots(&came.body) && !no_slots(bytes) => {
            "there are open times, so an empty list is false; a live that cannot tell must say 503"
        }
        Body::Slots(_) => "these are no open slots of that state: see which content live has",
        _ if is_availability => {
            "these are not that question's open slots: see that no cache leaves out the query, \
                                 and that live has this content"
        }
        _ => {
            "the answer is another one: see that the host's rules heed the query, and that live has this content"
        }
    }
}

/// A body in a few words.
pub(super) fn describe(body: &Body) -> String {
    match body {
        Body::Bytes(bytes) if bytes.is_empty() => "an empty body".to_owned(),
        Body::Bytes(bytes) => {
            format!("{} bytes {} (sha256 {:.12})", bytes.len(), beginning(bytes), Sha256Digest::of(bytes))
        }
        Body::Digest(length, digest) => format!("{length} bytes (sha256 {digest:.12})"),
        Body::Slots(state) => format!("slots of providers who take patients in {state}, in order"),
        Body::Json => "a JSON object".to_owned(),
        Body::Any => "any body".to_owned(),
    }
}

/// What an answer says of itself.
fn glimpse(came: &Came) -> String {
    match came.header("location") {
        "" if came.body.is_empty() => "empty".to_owned(),
        "" => beginning(&came.body),
        location => format!("to {}", shown(location)),
    }
}

/// How a body begins.
fn beginning(bytes: &[u8]) -> String {
    shown(&String::from_utf8_lossy(&bytes[..bytes.len().min(320)]))
}

/// The words of a list, in lower case.
fn words(list: &str) -> BTreeSet<String> {
    list.split(',').map(|word| word.trim().to_ascii_lowercase()).filter(|word| !word.is_empty()).collect()
}
