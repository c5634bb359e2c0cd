use std::collections::BTreeSet;
use std::path::Path;

use directory::api::{Caching, EXPOSED_HEADERS, is_for_programs};
use directory::web::{PORTRAIT_ROOT, PORTRAIT_SHARING};
use reqwest::Method;
use serde_json::Value;

use super::expectation::{Body, Expectation};
use super::report::{Difference, Findings, OTHER_OPENINGS, beginning, shown};
use crate::host::{Host, Response};

/// The expected part of a content type after the slash. The part before it may vary, as for JavaScript.
fn subtype(extension: &str) -> Option<&str> {
    match extension {
        "atom" => Some("atom+xml"),
        "css" | "gif" | "html" | "jpeg" | "json" | "png" | "webp" | "xml" => Some(extension),
        "jpg" => Some("jpeg"),
        "js" => Some("javascript"),
        "ndjson" => Some("fhir+ndjson"),
        "svg" => Some("svg+xml"),
        "txt" => Some("plain"),
        _ => None,
    }
}

/// Headers in which caches report whether they answered, and whether the answer was stale.
const CACHE_REPORTS: [&str; 5] =
    ["cache-status", "x-cache", "x-cache-status", "cf-cache-status", "x-proxy-cache"];
/// Seconds for which caches may keep a 4xx response: as long as a list.
const MAX_ERROR_AGE: u64 = 300;
/// Seconds for which caches may keep open slots, plus two for rounding.
const MAX_SLOTS_AGE: u64 = 62;

const RULES: &str = "the host doesn't send the tree's headers: deploy its header rules too";
const OLD_FILE: &str = "the host has an older tree or older header rules: deploy again and purge the cache";
const OLD_LIVE: &str = "live and the files have different content: give live this content, or restart it";
const CORS: &str = "pages on other sites can't read this: deploy the tree's header rules too";
const CACHING: &str = "caches would keep this too long or not long enough: deploy the tree's header rules too, and \
                       check that no other rule overrides them";
const REDIRECT: &str =
    "a former slug must redirect to the current one: deploy the tree again, with its rules";
const STALE: &str = "a patient could choose a time that is taken: the host must not use stale answers for \
                     availability, and may keep an answer about it for at most a minute";
const ERROR_CACHED: &str =
    "caches would show the error long after it is fixed: the host must not cache errors";

/// The words that a header's value must have, in any order and letter case.
pub(super) enum ExpectedWords<'a> {
    Exactly(&'a str),
    Including(&'a str),
}

/// Sends requests, and collects the differences between their responses and the expected ones.
pub(super) struct Judge<'a> {
    pub(super) host: &'a Host,
    pub(super) findings: Findings,
    /// The request to which the next differences belong.
    pub(super) request: String,
}

impl<'a> Judge<'a> {
    pub(super) fn new(host: &'a Host) -> Self {
        Self { host, findings: Findings::default(), request: String::new() }
    }

    pub(super) async fn get(&mut self, target: &str) -> Option<Response> {
        self.send(Method::GET, target, "", &[], "").await
    }

    /// The report shows `label` after the target.
    pub(super) async fn send(
        &mut self,
        method: Method,
        target: &str,
        label: &str,
        headers: &[(&'static str, &str)],
        body: &str,
    ) -> Option<Response> {
        self.findings.requests += 1;
        self.request = format!("{method} {target}{label}");
        let sent = self.host.send(method, target, headers, body).await;
        let advice = "the host or a proxy in front of it failed: check its log, and verify again";
        sent.map_err(|why| self.add("no response", "a whole response", why, advice)).ok()
    }

    pub(super) fn add(
        &mut self,
        what: &'static str,
        expected: impl Into<String>,
        found: impl Into<String>,
        advice: &'static str,
    ) {
        let (request, expected, found) = (self.request.clone(), expected.into(), found.into());
        self.findings.differences.push(Difference { what, request, expected, found, advice });
    }

    pub(super) fn check_header(
        &mut self,
        response: &Response,
        name: &'static str,
        expected: &ExpectedWords<'_>,
        advice: &'static str,
    ) {
        let value = &response.list(name);
        let found = words(value);
        let (is_expected, expected) = match expected {
            // Browsers reject the header if it occurs twice.
            ExpectedWords::Exactly("*") => (value == "*", &"*"),
            ExpectedWords::Exactly(list) => (found == words(list), list),
            ExpectedWords::Including(list) => (words(list).is_subset(&found), list),
        };
        if !is_expected {
            let found =
                if value.is_empty() { format!("no {name}") } else { format!("{name} \"{}\"", shown(value)) };
            self.add(name, format!("{name} \"{expected}\""), found, advice);
        }
    }

    pub(super) fn check_cors(&mut self, response: &Response) {
        self.check_header(response, "access-control-allow-origin", &ExpectedWords::Exactly("*"), CORS);
    }

    /// Compares a response with one of the correct ones: with one that has its status and body, else with the first, which
    /// is the most likely one.
    pub(super) fn compare(
        &mut self,
        response: &Response,
        path: &str,
        all_expected: &[Expectation],
        generation: &str,
    ) {
        let is_match = |expected: &&Expectation| {
            expected.status == response.status && expected.body.matches(&response.body)
        };
        let Some(expected) = all_expected.iter().find(is_match).or(all_expected.first()) else { return };
        if expected.status != response.status {
            self.add_status(response, expected);
        } else if let Some(location) = &expected.location {
            self.check_location(response, location);
        } else {
            self.check_body(response, path, expected);
            self.check_headers(response, path, expected.caching);
            if response.status == 200 {
                let advice = match response.header("nameplate-generation") {
                    "" => RULES,
                    _ if expected.is_file => OLD_FILE,
                    _ => OLD_LIVE,
                };
                let generation = ExpectedWords::Exactly(generation);
                self.check_header(response, "nameplate-generation", &generation, advice);
            }
        }
        self.check_error_caching(response);
    }

    fn check_error_caching(&mut self, response: &Response) {
        let max_age = if response.status >= 500 { 0 } else { MAX_ERROR_AGE };
        let cache_control = &response.list("cache-control");
        if response.status >= 400 && seconds_cached(cache_control) > max_age {
            let expected = match max_age {
                0 => "cache-control no-store".to_owned(),
                _ => format!("cache-control with {max_age} seconds at most"),
            };
            let found = format!("cache-control \"{}\"", shown(cache_control));
            self.add("cache-control", expected, found, ERROR_CACHED);
        }
    }

    fn add_status(&mut self, response: &Response, expected: &Expectation) {
        let Expectation { status, is_file, location, .. } = expected;
        let advice = match (status, response.status) {
            (200, 404) if *is_file => "the file is missing on the host: deploy the tree again",
            (200, 503) => "live reports that availability is unknown: check its feed and its log",
            (200, _) if *is_file => "deploy the tree again, with its rules",
            (301, _) => REDIRECT,
            (404, 200) => {
                "this doesn't exist, so the status must be 404: deploy the tree again, with its rules, and purge the cache"
            }
            (400.., 200) => {
                "clients would take this for an answer: the host's rules must send the request to live"
            }
            _ => "check that the host has this tree's rules, and that live is up and has this content",
        };
        let expected = match location {
            Some(location) => format!("status {status} to {location}"),
            None => format!("status {status}"),
        };
        let found = format!("status {} ({})", response.status, excerpt(response));
        self.add("status", expected, found, advice);
        if response.status >= 400 && !is_file {
            self.check_error_body(response);
        }
    }

    /// An API error has a code and a message in JSON, even if the host sends it and not live.
    fn check_error_body(&mut self, response: &Response) {
        let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
        if !body["code"].is_string() || !body["message"].is_string() {
            self.add(
                "error",
                "an error as JSON with code and message",
                format!("{} ({})", response.media_type(), excerpt(response)),
                "programs read this: the host must not use its own error pages for /v1, /api, and /.well-known",
            );
        }
    }

    fn check_location(&mut self, response: &Response, expected: &str) {
        let location = response.header("location");
        let path = match location.split_once("://") {
            Some((_scheme, rest)) => rest.find('/').map_or("/", |slash| &rest[slash..]),
            None => location,
        };
        if path != expected {
            let found = format!("location {}", shown(location));
            self.add("location", format!("location {expected}"), found, REDIRECT);
        }
    }

    fn check_body(&mut self, response: &Response, path: &str, expected: &Expectation) {
        if !expected.body.matches(&response.body) {
            let found = Body::Bytes(response.body.clone()).describe();
            self.add("body", expected.body.describe(), found, body_advice(expected, response));
        }
        let extension = if expected.is_file { Path::new(path).extension() } else { Some("json".as_ref()) };
        let Some(subtype) = extension.and_then(|extension| subtype(extension.to_str()?)) else { return };
        let found = response.media_type();
        if found.split('/').nth(1) != Some(subtype) {
            let advice = if expected.is_file {
                "configure the host to set the type by the file's extension"
            } else {
                "programs expect JSON: check that the host has this tree's rules"
            };
            let found = format!("content-type \"{}\"", shown(&found));
            self.add("content-type", format!("a content-type of {subtype}"), found, advice);
        }
    }

    fn check_headers(&mut self, response: &Response, path: &str, caching: Option<Caching>) {
        let is_200 = response.status == 200;
        let cache_control = caching.map_or("", Caching::cache_control);
        let is_api = is_200 && path.starts_with("/v1/");
        let is_portrait = is_200 && path.starts_with(PORTRAIT_ROOT);
        for (applies, name, expected, advice) in [
            (is_for_programs(path), "access-control-allow-origin", ExpectedWords::Exactly("*"), CORS),
            (is_api, "access-control-expose-headers", ExpectedWords::Including(EXPOSED_HEADERS), RULES),
            (is_portrait, "cross-origin-resource-policy", ExpectedWords::Exactly(PORTRAIT_SHARING), RULES),
            (true, "x-content-type-options", ExpectedWords::Exactly("nosniff"), RULES),
            (caching.is_some(), "cache-control", ExpectedWords::Exactly(cache_control), CACHING),
        ] {
            if applies {
                self.check_header(response, name, &expected, advice);
            }
        }
        if caching == Some(Caching::Availability) {
            self.check_age(response);
        }
    }

    fn check_age(&mut self, response: &Response) {
        let expected = "openings of the last minute";
        let age = response.header("age");
        if age.trim().parse().is_ok_and(|seconds: u64| seconds > MAX_SLOTS_AGE) {
            self.add("age", expected, format!("age {}", shown(age)), STALE);
        }
        for name in CACHE_REPORTS {
            let found = response.list(name);
            if found.split(',').any(is_stale) {
                self.add("stale", expected, format!("{name} {}", shown(&found)), STALE);
            }
        }
        let [status, as_of] =
            ["availability-status", "availability-as-of"].map(|name| shown(response.header(name)));
        if status.is_empty() != as_of.is_empty() {
            self.add(
                "availability-status",
                "availability-status and availability-as-of, or neither",
                format!("availability-status \"{status}\" and availability-as-of \"{as_of}\""),
                "clients can't see that the times are old: pass on both of live's headers",
            );
        }
    }
}

fn body_advice(expected: &Expectation, response: &Response) -> &'static str {
    let is_availability = expected.caching == Some(Caching::Availability);
    let has_no_slots = |bytes: &[u8]| bytes.starts_with(br#"{"slots":[],"#);
    match &expected.body {
        _ if expected.is_file => {
            "the host or a cache has a different file: deploy the tree again and purge the cache"
        }
        Body::Bytes(bytes) if is_availability && has_no_slots(&response.body) && !has_no_slots(bytes) => {
            "there are openings, so an empty list is wrong; if live doesn't know them, it must send a 503"
        }
        Body::Changes(..) => {
            "readers would read everything again and again: check that live and the files have this content"
        }
        Body::Slots(..) => "these can't be the open slots of this search: check caches and live's content",
        _ if is_availability => OTHER_OPENINGS,
        _ => {
            "this is the answer to another request: check that the host's rules and caches respect the query, and that \
             live has this content"
        }
    }
}

/// Whether a cache reports that it sent a stale answer. In Cache-Status, `fwd=stale` alone means that it requested a new
/// one; with a hit beside it, or if the new request failed, it sent the stale answer.
fn is_stale(report: &str) -> bool {
    let report = report.to_ascii_lowercase();
    let words = || report.split(';').map(str::trim);
    // The first word of Cache-Status is the cache's name, so it is not a hit. In the other headers it is the report, such as
    // `STALE`, and `fwd=stale`, beside which alone a hit matters, does not occur.
    let has_hit = words().skip(1).any(|word| word.starts_with("hit"));
    let new_request_failed = report.contains("fwd-status=5");
    words().any(|word| word.contains("stale") && (word != "fwd=stale" || has_hit || new_request_failed))
}

fn excerpt(response: &Response) -> String {
    match response.header("location") {
        "" if response.body.is_empty() => "empty".to_owned(),
        "" => beginning(&response.body),
        location => format!("to {}", shown(location)),
    }
}

fn words(list: &str) -> BTreeSet<String> {
    list.split(',').map(|word| word.trim().to_ascii_lowercase()).filter(|word| !word.is_empty()).collect()
}

fn seconds_cached(cache_control: &str) -> u64 {
    let words = words(cache_control);
    if words.contains("no-store") {
        return 0;
    }
    let ages = words.iter().filter_map(|word| word.split_once('='));
    let ages = ages.filter(|(name, _)| matches!(*name, "max-age" | "s-maxage"));
    ages.filter_map(|(_, seconds)| seconds.trim_matches('"').parse().ok()).max().unwrap_or_default()
}

#[cfg(test)]
mod tests;
