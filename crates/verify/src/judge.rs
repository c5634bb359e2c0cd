//! Sends requests and compares their responses with the expected ones.

use std::collections::BTreeSet;
use std::path::Path;

use directory::api::{Caching, EXPOSED_HEADERS, is_for_programs};
use directory::web::{PORTRAIT_ROOT, PORTRAIT_SHARING};
use reqwest::Method;
use serde_json::Value;

use super::expectation::{Body, Expectation};
use super::report::{Difference, Findings, beginning, shown};
use crate::host::{Host, Response};

/// The second part of a file's content type. The first may differ: `text/javascript` is `application/javascript`, too.
fn kind_of(extension: &str) -> Option<&str> {
    match extension {
        "css" | "gif" | "html" | "jpeg" | "json" | "png" | "webp" | "xml" => Some(extension),
        "jpg" => Some("jpeg"),
        "js" => Some("javascript"),
        "ndjson" => Some("fhir+ndjson"),
        "svg" => Some("svg+xml"),
        "txt" => Some("plain"),
        _ => None,
    }
}

/// Headers in which caches report a hit; the word `stale` in them means that the response is outdated.
const CACHE_REPORTS: [&str; 5] =
    ["cache-status", "x-cache", "x-cache-status", "cf-cache-status", "x-proxy-cache"];
/// The maximum seconds for which caches may keep a 4xx: as long as a response of the catalogue.
const MAX_ERROR_AGE: u64 = 300;
/// The `max-age` of availability, and two seconds for rounding.
const MAX_SLOTS_AGE: u64 = 62;

const RULES: &str = "the host does not send the tree's headers: deploy its header rules too";
const OLD_FILE: &str = "the host has an older tree, or its header rules do: deploy again and purge the cache";
const OLD_LIVE: &str = "live and the files are of different content: give live this content, or restart it";
const CORS: &str = "pages of other sites cannot read this: deploy the tree's header rules too";
const CACHING: &str = "caches would keep it too long or too short: deploy the tree's header rules too, and see that \
                       no rule of the host overrides them";
const REDIRECT: &str =
    "a former slug must redirect to the current one: deploy the tree again, with its rules";
const STALE: &str = "a patient could book a time that is taken: the host must not use stale answers for \
                     availability, nor keep them for more than a minute";
const ERROR_KEPT: &str =
    "caches would show the error long after it is corrected: the host must not keep errors";

/// The rule of a header's value, which is a list of words in any order and case.
pub(super) enum Rule<'a> {
    Exactly(&'a str),
    Includes(&'a str),
}

/// Sends requests, and collects the differences of their responses.
pub(super) struct Judge<'a> {
    pub(super) host: &'a Host,
    pub(super) findings: Findings,
    /// The request that the next differences are about.
    pub(super) request: String,
}

impl<'a> Judge<'a> {
    pub(super) fn new(host: &'a Host) -> Self {
        Self { host, findings: Findings::default(), request: String::new() }
    }

    /// Sends a request. The label follows its method and path in the report. `None`: there is no whole response, which is
    /// reported.
    pub(super) async fn send(
        &mut self,
        method: Method,
        target: &str,
        label: &str,
        fields: &[(&'static str, &str)],
        body: &str,
    ) -> Option<Response> {
        self.findings.requests += 1;
        self.request = format!("{method} {target}{label}");
        let sent = self.host.send(method, target, fields, body).await;
        let advice = "the host or a proxy in front of it failed: look at its log, and verify again";
        sent.map_err(|why| self.differs("no response", "a whole response", why, advice)).ok()
    }

    /// Adds a difference of the present request.
    pub(super) fn differs(
        &mut self,
        what: &'static str,
        expected: impl Into<String>,
        found: impl Into<String>,
        advice: &'static str,
    ) {
        let (request, expected, found) = (self.request.clone(), expected.into(), found.into());
        self.findings.differences.push(Difference { what, request, expected, found, advice });
    }

    pub(super) fn header(
        &mut self,
        response: &Response,
        name: &'static str,
        rule: &Rule<'_>,
        advice: &'static str,
    ) {
        let value = response.header(name);
        let found = words(value);
        let (is_right, expected) = match rule {
            Rule::Exactly(right) => (found == words(right), format!("{name} \"{right}\"")),
            Rule::Includes(right) => (words(right).is_subset(&found), format!("{name} \"{right}\"")),
        };
        if !is_right {
            let found =
                if value.is_empty() { format!("no {name}") } else { format!("{name} \"{}\"", shown(value)) };
            self.differs(name, expected, found, advice);
        }
    }

    /// Checks that pages of other sites may read a response.
    pub(super) fn cors(&mut self, response: &Response) {
        self.header(response, "access-control-allow-origin", &Rule::Exactly("*"), CORS);
    }

    /// Compares a response to `GET path` with the right ones.
    pub(super) fn compare(
        &mut self,
        response: &Response,
        path: &str,
        expected: &[Expectation],
        generation: &str,
    ) {
        let is_right = |one: &&Expectation| one.status == response.status && one.body.matches(&response.body);
        let Some(one) = expected.iter().find(is_right).or(expected.first()) else { return };
        if one.status != response.status {
            self.status(response, one);
        } else if let Some(location) = &one.location {
            self.location(response, location);
        } else {
            self.body(response, path, one);
            self.headers(response, path, one.caching);
            if response.status == 200 {
                let advice = match response.header("nameplate-generation") {
                    "" => RULES,
                    _ if one.is_file => OLD_FILE,
                    _ => OLD_LIVE,
                };
                self.header(response, "nameplate-generation", &Rule::Exactly(generation), advice);
            }
        }
        let max_age = if response.status >= 500 { 0 } else { MAX_ERROR_AGE };
        let kept = response.header("cache-control");
        if response.status >= 400 && max_age_of(kept) > max_age {
            let expected = match max_age {
                0 => "cache-control no-store".to_owned(),
                _ => format!("cache-control with {max_age} seconds at most"),
            };
            self.differs("cache-control", expected, format!("cache-control \"{}\"", shown(kept)), ERROR_KEPT);
        }
    }

    fn status(&mut self, response: &Response, one: &Expectation) {
        let status = one.status;
        let advice = match (status, response.status) {
            (200, 404) if one.is_file => "the file is missing on the host: deploy the tree again",
            (200, 503) => "live reports that availability is unknown: look at its feed and at its log",
            (200, _) if one.is_file => "deploy the tree again, with its rules",
            (301, _) => REDIRECT,
            (404, 200) => {
                "what does not exist must be a 404: deploy the tree again, with its rules, and purge the cache"
            }
            (400.., 200) => {
                "clients would use this as an answer: the host's rules must send the request to live"
            }
            _ => "see that the host's rules are those of this tree, and that live is up and has this content",
        };
        let expected = match &one.location {
            Some(location) => format!("status {status} to {location}"),
            None => format!("status {status}"),
        };
        let found = format!("status {} ({})", response.status, excerpt(response));
        self.differs("status", expected, found, advice);
        if response.status >= 400 && !one.is_file {
            self.error_body(response);
        }
    }

    /// The API's errors are JSON with code and message, whichever program sends them.
    fn error_body(&mut self, response: &Response) {
        let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
        if !body["code"].is_string() || !body["message"].is_string() {
            self.differs(
                "error",
                "an error as JSON with code and message",
                format!("{} ({})", response.media_type(), excerpt(response)),
                "programs read this: the host must not use its own error page below /v1, /api and /.well-known",
            );
        }
    }

    fn location(&mut self, response: &Response, expected: &str) {
        let location = response.header("location");
        let after_scheme = location.split_once("://").map_or("", |(_, rest)| rest);
        let path = after_scheme.find('/').map_or(location, |slash| &after_scheme[slash..]);
        if path != expected {
            let found = format!("location {}", shown(location));
            self.differs("location", format!("location {expected}"), found, REDIRECT);
        }
    }

    fn body(&mut self, response: &Response, path: &str, one: &Expectation) {
        if !one.body.matches(&response.body) {
            let found = Body::Bytes(response.body.clone()).describe();
            self.differs("body", one.body.describe(), found, body_advice(one, response));
        }
        let extension = if one.is_file { Path::new(path).extension() } else { Some("json".as_ref()) };
        let Some(right) = extension.and_then(|extension| kind_of(extension.to_str()?)) else { return };
        let found = response.media_type();
        if found.split('/').nth(1) != Some(right) {
            let advice = if one.is_file {
                "configure the host to set the type by the file's extension"
            } else {
                "programs expect JSON: see that the host's rules are those of this tree"
            };
            let found = format!("content-type \"{}\"", shown(&found));
            self.differs("content-type", format!("a content-type of {right}"), found, advice);
        }
    }

    fn headers(&mut self, response: &Response, path: &str, caching: Option<Caching>) {
        let is_200 = response.status == 200;
        let cache_control = caching.map_or("", Caching::cache_control);
        let exposes = is_200 && path.starts_with("/v1/");
        let is_portrait = is_200 && path.starts_with(PORTRAIT_ROOT);
        for (applies, name, rule, advice) in [
            (is_for_programs(path), "access-control-allow-origin", Rule::Exactly("*"), CORS),
            (exposes, "access-control-expose-headers", Rule::Includes(EXPOSED_HEADERS), RULES),
            (is_portrait, "cross-origin-resource-policy", Rule::Exactly(PORTRAIT_SHARING), RULES),
            (true, "x-content-type-options", Rule::Exactly("nosniff"), RULES),
            (caching.is_some(), "cache-control", Rule::Exactly(cache_control), CACHING),
        ] {
            if applies {
                self.header(response, name, &rule, advice);
            }
        }
        if caching == Some(Caching::Availability) {
            self.slots_age(response);
        }
    }

    /// Checks the headers of a response about open slots that show its age.
    fn slots_age(&mut self, response: &Response) {
        let expected = "open times of the last minute";
        let age = response.header("age");
        if age.trim().parse().is_ok_and(|seconds: u64| seconds > MAX_SLOTS_AGE) {
            self.differs("age", expected, format!("age {}", shown(age)), STALE);
        }
        for name in CACHE_REPORTS {
            let found = response.header(name);
            if found.to_ascii_lowercase().contains("stale") {
                self.differs("stale", expected, format!("{name} {}", shown(found)), STALE);
            }
        }
        let [status, as_of] =
            ["availability-status", "availability-as-of"].map(|name| shown(response.header(name)));
        if status.is_empty() != as_of.is_empty() {
            self.differs(
                "availability-status",
                "availability-status and availability-as-of, or neither",
                format!("availability-status \"{status}\" and availability-as-of \"{as_of}\""),
                "clients cannot see that the times are old: let both of live's headers through",
            );
        }
    }
}

/// The most likely cause of a wrong body, and what to do.
fn body_advice(one: &Expectation, response: &Response) -> &'static str {
    let is_availability = one.caching == Some(Caching::Availability);
    let no_slots = |bytes: &[u8]| bytes.starts_with(br#"{"slots":[],"#);
    match &one.body {
        _ if one.is_file => {
            "the file on the host or in a cache is another one: deploy the tree again and purge the cache"
        }
        Body::Bytes(bytes) if is_availability && no_slots(&response.body) && !no_slots(bytes) => {
            "there are open times, so an empty list is wrong; if live does not know them, it must send a 503"
        }
        Body::Slots(..) => "these cannot be the open slots of this search: see which content live has",
        _ if is_availability => {
            "these are not the open slots of this search: see that no cache ignores the query, and that live \
             has this content; if live reads a feed, verify with --with-feed"
        }
        _ => {
            "this is the answer to another request: see that the host's rules and caches respect the query, and that \
             live has this content"
        }
    }
}

/// The target of a redirect, or the beginning of the body.
fn excerpt(response: &Response) -> String {
    match response.header("location") {
        "" if response.body.is_empty() => "empty".to_owned(),
        "" => beginning(&response.body),
        location => format!("to {}", shown(location)),
    }
}

/// The words of a list, in lower case.
fn words(list: &str) -> BTreeSet<String> {
    list.split(',').map(|word| word.trim().to_ascii_lowercase()).filter(|word| !word.is_empty()).collect()
}

/// The number of seconds for which caches may keep a response.
fn max_age_of(cache_control: &str) -> u64 {
    let words = words(cache_control);
    if words.contains("no-store") {
        return 0;
    }
    let ages = words.iter().filter_map(|word| word.split_once('='));
    let ages = ages.filter(|(name, _)| matches!(*name, "max-age" | "s-maxage"));
    ages.filter_map(|(_, seconds)| seconds.trim_matches('"').parse().ok()).max().unwrap_or_default()
}
