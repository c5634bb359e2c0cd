//! Compares one answer with what it should be.

use std::collections::BTreeSet;
use std::path::Path;

use chrono::{DateTime, TimeDelta};
use directory::api::{Caching, EXPOSED_HEADERS, SlotSearch, is_for_programs};
use generator::Sha256Digest;
use serde_json::Value;

use super::host::Response;
use super::local::{Body, Expectation, Local};
use super::report::{Difference, shown};

/// The types under which hosts serve the files of a tree; where there are two, both are right.
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

/// Where caches say how they answered; the word `stale` there means that the answer is past its time.
const CACHE_REPORTS: [&str; 5] =
    ["cache-status", "x-cache", "x-cache-status", "cf-cache-status", "x-proxy-cache"];
/// For how many seconds a 4xx may be kept: as long as an answer of the catalogue.
const LONGEST_ERROR: u64 = 300;
/// The `max-age` of availability, and two seconds for rounding.
const OLDEST_SLOTS: u64 = 62;

const RULES: &str = "the host does not send the tree's headers: deploy its header rules too";
const LEAD: &str = "a former slug must lead to the current one: deploy the tree again, with its rules";
const STALE: &str = "a patient could book a time that is taken: the host must not use stale answers for \
                     availability, nor keep them for more than a minute";

/// Collects what is wrong with the answer to one request.
pub(super) struct Judge {
    asked: String,
    pub(super) differences: Vec<Difference>,
}

impl Judge {
    pub(super) fn new(asked: impl Into<String>) -> Self {
        Self { asked: asked.into(), differences: Vec::new() }
    }

    pub(super) fn differs(
        &mut self,
        what: &'static str,
        expected: impl Into<String>,
        came: impl Into<String>,
        advice: &'static str,
    ) {
        let (asked, expected, came) = (self.asked.clone(), expected.into(), came.into());
        self.differences.push(Difference { what, asked, expected, came, advice });
    }

    /// Compares a header field's value, in any letter case.
    pub(super) fn header(
        &mut self,
        came: &Response,
        name: &'static str,
        expected: &str,
        advice: &'static str,
    ) -> bool {
        let found = came.header(name);
        let is_right = found.eq_ignore_ascii_case(expected);
        if !is_right {
            self.differs(name, format!("{name} {expected}"), format!("{name} \"{}\"", shown(found)), advice);
        }
        is_right
    }

    /// Compares everything. `path` is the request's, without its query.
    pub(super) fn all(&mut self, came: &Response, path: &str, right: &[Expectation], local: &Local) {
        let is_right =
            |one: &&Expectation| one.is_status(came.status) && body_matches(&one.body, came, local);
        let Some(one) = right.iter().find(is_right).or(right.first()) else { return };
        if one.is_status(came.status) {
            self.body_or_location(came, one, local);
            if one.location.is_none() {
                self.media_type(came, path, one.is_file);
            }
            // Hosts put no header of ours on a redirect of their own; live does, and names its generation.
            if one.location.is_none() || !came.header("nameplate-generation").is_empty() {
                self.fields(came, path);
                self.caching(came, one.caching);
            }
        } else {
            self.status(came, one);
        }
        if came.status >= 400 {
            self.error_is_brief(came);
        }
    }

    /// Compares the text of a tool's result with the bodies that REST may answer.
    pub(super) fn text(&mut self, text: &Response, right: &[Body], local: &Local) {
        const ADVICE: &str =
            "the tool must say what REST says: see that live has this content, and this program's version";
        if let Some(first) = right.first()
            && !right.iter().any(|body| body_matches(body, text, local))
        {
            self.differs("tool", describe(first), describe(&Body::Bytes(text.body.clone())), ADVICE);
        }
    }

    fn status(&mut self, came: &Response, one: &Expectation) {
        let advice = match (one.status, came.status) {
            (200, 404) if one.is_file => "the file is missing on the host: deploy the tree again",
            (200, 503) => "live says that it cannot tell: look at its feed and at its log",
            (200, _) if one.is_file => "deploy the tree again, with its rules",
            (301, _) => LEAD,
            (404, 200) => {
                "what is not there must be a 404: deploy the tree again, with its rules, and purge the cache"
            }
            (400.., 200) => "a client takes this for an answer: the host's rules must send it to live",
            _ => "see that the host's rules are those of this tree, and that live is up and has this content",
        };
        let expected = match &one.location {
            Some(location) => format!("status {} to {location}", one.status),
            None => format!("status {}", one.status),
        };
        self.differs("status", expected, format!("status {} ({})", came.status, glimpse(came)), advice);
        if came.status >= 400 && !one.is_file {
            self.error_form(came);
        }
    }

    fn body_or_location(&mut self, came: &Response, one: &Expectation, local: &Local) {
        if let Some(location) = &one.location {
            let led = came.header("location");
            let path =
                led.find("://").and_then(|at| led[at + 3..].find('/').map(|slash| &led[at + 3 + slash..]));
            if path.unwrap_or(led) != location {
                let found = format!("location {}", shown(led));
                self.differs("location", format!("location {location}"), found, LEAD);
            }
        } else if !body_matches(&one.body, came, local) {
            let (expected, found) = (describe(&one.body), describe(&Body::Bytes(came.body.clone())));
            self.differs("body", expected, found, body_advice(one, came));
        }
    }

    /// Errors of the API are JSON with code and message, whichever program sends them.
    fn error_form(&mut self, came: &Response) {
        let body: Option<Value> = serde_json::from_slice(&came.body).ok();
        let is_text = |name: &str| body.as_ref().is_some_and(|body| body[name].is_string());
        if !is_text("code") || !is_text("message") {
            let found = format!("{} ({})", came.media_type(), glimpse(came));
            self.differs(
                "error",
                "an error as JSON with code and message",
                found,
                "programs read this: the host's own error page must not show below /v1, /api and /.well-known",
            );
        }
    }

    fn media_type(&mut self, came: &Response, path: &str, is_file: bool) {
        let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
        let known = TYPES.iter().find(|(known, _)| extension == Some(known)).map(|(_, types)| *types);
        let (right, advice): (&[&str], _) = match known {
            _ if !is_file => (
                &["application/json"],
                "programs expect JSON: see that the host's rules are those of this tree",
            ),
            Some(types) => (types, "let the host tell the type by the file's name"),
            None => return,
        };
        let found = came.media_type();
        if !right.contains(&found.as_str()) {
            let expected = format!("content-type {}", right[0]);
            self.differs("content-type", expected, format!("content-type \"{}\"", shown(&found)), advice);
        }
    }

    /// Pages of other sites may read what is for programs.
    pub(super) fn cors(&mut self, came: &Response) {
        let advice = "pages of other sites cannot read this: deploy the tree's header rules too";
        self.header(came, "access-control-allow-origin", "*", advice);
    }

    /// The fields that every answer carries.
    fn fields(&mut self, came: &Response, path: &str) {
        const EXPOSE: &str = "access-control-expose-headers";
        if is_for_programs(path) {
            self.cors(came);
        }
        let is_answer = came.status == 200;
        if path.starts_with("/v1/") && is_answer {
            let found = came.header(EXPOSE);
            if !words(EXPOSED_HEADERS).is_subset(&words(found)) {
                let found = format!("{EXPOSE} \"{}\"", shown(found));
                self.differs(EXPOSE, format!("{EXPOSE} {EXPOSED_HEADERS}"), found, RULES);
            }
        }
        self.header(came, "x-content-type-options", "nosniff", RULES);
        if is_answer && came.header("nameplate-generation").is_empty() {
            self.differs("nameplate-generation", "a header nameplate-generation", "none", RULES);
        }
    }

    /// How long an answer is kept, and for how long it has been.
    fn caching(&mut self, came: &Response, caching: Option<Caching>) {
        let Some(caching) = caching else { return };
        let (kept, right) = (came.header("cache-control"), caching.cache_control());
        if words(kept) != words(right) {
            let advice = "caches would keep it too long or too short: deploy the tree's header rules too, and \
                          see that the host lays no rule of its own over them";
            let found = format!("cache-control \"{}\"", shown(kept));
            self.differs("cache-control", format!("cache-control \"{right}\""), found, advice);
        }
        if caching == Caching::Availability {
            self.slots_are_of_now(came);
        }
    }

    /// What an answer about open slots says of its own age.
    fn slots_are_of_now(&mut self, came: &Response) {
        let age = came.header("age");
        if age.trim().parse().is_ok_and(|seconds: u64| seconds > OLDEST_SLOTS) {
            self.differs("age", "open times of the last minute", format!("age {}", shown(age)), STALE);
        }
        for name in CACHE_REPORTS {
            let found = came.header(name);
            if found.to_ascii_lowercase().contains("stale") {
                self.differs(
                    "stale",
                    "open times of the last minute",
                    format!("{name} {}", shown(found)),
                    STALE,
                );
            }
        }
        let [status, as_of] = ["availability-status", "availability-as-of"].map(|name| came.header(name));
        if status.is_empty() != as_of.is_empty() {
            self.differs(
                "availability-status",
                "availability-status and availability-as-of, or neither",
                format!(
                    "availability-status \"{}\" and availability-as-of \"{}\"",
                    shown(status),
                    shown(as_of)
                ),
                "clients cannot see that the times are old: let both of live's headers through",
            );
        }
    }

    /// An error that is kept for long outlives its reason.
    fn error_is_brief(&mut self, came: &Response) {
        let kept = came.header("cache-control");
        let most = if came.status >= 500 { 0 } else { LONGEST_ERROR };
        if kept_for(kept) > most {
            self.differs(
                "cache-control",
                if most == 0 {
                    "cache-control no-store".to_owned()
                } else {
                    format!("{most} seconds at most")
                },
                format!("cache-control \"{}\"", shown(kept)),
                "caches would show the error long after it is mended: the host must not keep errors",
            );
        }
    }

    /// An old answer is shown where live, asked past the caches, has none.
    pub(super) fn old_slots(&mut self, fresh: &Response) {
        self.differs(
            "stale",
            format!("status {}, as to the same question past all caches", fresh.status),
            "status 200 with open times",
            "a patient could book a time that is taken. An answer may be kept for a minute: verify again after \
             that; if this stays, the host must not use stale answers for availability",
        );
    }
}

/// Whether the body is the one that is expected.
fn body_matches(body: &Body, came: &Response, local: &Local) -> bool {
    match body {
        Body::Any => true,
        Body::Bytes(bytes) => *bytes == came.body,
        Body::Digest(length, digest) => {
            came.body.len() as u64 == *length && Sha256Digest::of(&came.body) == *digest
        }
        Body::Json => serde_json::from_slice::<Value>(&came.body).is_ok_and(|body| body.is_object()),
        Body::Slots(search) => {
            serde_json::from_slice(&came.body).is_ok_and(|body| are_slots(&body, search, local))
        }
    }
}

/// Whether these can be the open slots that were asked for, whichever times the feed has.
fn are_slots(body: &Value, search: &SlotSearch, local: &Local) -> bool {
    let Some(slots) = body["slots"].as_array() else { return false };
    let starts: Vec<_> = slots.iter().map(|slot| slot["startTime"].as_str()).collect();
    let provider = search.provider.as_deref().map(|slug| local.current_slug(slug));
    let is_ours = |slot: &Value| {
        let slug = slot["providerSlug"].as_str();
        slug.is_some_and(|slug| local.accepts(slug, search.state) && provider.is_none_or(|one| one == slug))
    };
    // A minute for the two clocks, and at the beginning one for caches.
    let begin = local.now() - TimeDelta::minutes(2);
    let end = local.now() + TimeDelta::days(search.horizon_days) + TimeDelta::minutes(1);
    let is_within =
        |start: &&str| DateTime::parse_from_rfc3339(start).is_ok_and(|start| begin < start && start < end);
    body["state"] == search.state.code()
        && body["appointmentType"].as_i64() == search.appointment_type
        && body["provider"].as_str() == provider
        && slots.len() as u64 <= search.limit.unsigned_abs()
        && starts.is_sorted()
        && starts.iter().all(|start| start.as_ref().is_some_and(is_within))
        && body["nextAvailable"].as_str() == starts.first().copied().flatten()
        && slots.iter().all(is_ours)
}

/// What a wrong body most likely means.
fn body_advice(one: &Expectation, came: &Response) -> &'static str {
    let is_availability = one.caching == Some(Caching::Availability);
    let no_slots = |bytes: &[u8]| bytes.starts_with(br#"{"slots":[],"#);
    match &one.body {
        _ if one.is_file => {
            "the host has another file, or a cache an old one: deploy the tree again and purge the cache"
        }
        Body::Bytes(bytes) if is_availability && no_slots(&came.body) && !no_slots(bytes) => {
            "there are open times, so an empty list is false; a live that cannot tell must say 503"
        }
        Body::Slots(_) => "these cannot be the open slots that were asked for: see which content live has",
        _ if is_availability => {
            "these are not that question's open slots: see that no cache leaves out the query, and that live \
             has this content; where live reads a feed, verify with --with-feed"
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
        Body::Slots(search) => format!("slots of providers who take patients in {}, in order", search.state),
        Body::Json => "a JSON object".to_owned(),
        Body::Any => "any body".to_owned(),
    }
}

/// A short excerpt of an answer.
fn glimpse(came: &Response) -> String {
    match came.header("location") {
        "" if came.body.is_empty() => "empty".to_owned(),
        "" => beginning(&came.body),
        location => format!("to {}", shown(location)),
    }
}

/// The first characters of a body.
fn beginning(bytes: &[u8]) -> String {
    shown(&String::from_utf8_lossy(&bytes[..bytes.len().min(320)]))
}

/// The words of a list, in lower case.
pub(super) fn words(list: &str) -> BTreeSet<String> {
    list.split(',').map(|word| word.trim().to_ascii_lowercase()).filter(|word| !word.is_empty()).collect()
}

/// For how many seconds caches may keep an answer.
fn kept_for(cache_control: &str) -> u64 {
    let words = words(cache_control);
    if words.contains("no-store") {
        return 0;
    }
    let ages = words.iter().filter_map(|word| word.split_once('='));
    let ages = ages.filter(|(name, _)| matches!(*name, "max-age" | "s-maxage"));
    ages.filter_map(|(_, seconds)| seconds.trim_matches('"').parse().ok()).max().unwrap_or_default()
}
