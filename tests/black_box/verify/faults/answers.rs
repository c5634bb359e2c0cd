//! Faults of ignored parameters and of outdated answers.

use super::{Planted, becomes, on};
use crate::verify::host::Fault;

/// Answers one request with the real host's body for another.
fn answers_like(line: &'static str, other: &'static str) -> Box<Fault> {
    Box::new(move |request, answer| {
        if request.line == line && !request.is_conditional {
            answer.body = request.real(other).body;
        }
    })
}

pub(super) fn of_parameters() -> Vec<Planted> {
    let advice = "check that ";
    vec![
        ("horizonDays is ignored", without("horizonDays=30"), "GET /v1/availability?", advice),
        ("the smallest horizonDays is ignored", without("horizonDays=1"), "GET /v1/availability?", advice),
        (
            "the limit of slots is capped",
            capped("/v1/availability", "limit=200", 100),
            "GET /v1/availability?",
            advice,
        ),
        ("the limit of slots is ignored", without("limit=200"), "GET /v1/availability?", advice),
        (
            "the limit of a page is capped",
            capped("/v1/providers", "limit=100", 20),
            "GET /v1/providers?",
            advice,
        ),
        ("offset is ignored", without("offset=1"), "GET /v1/providers?offset=1: expected ", advice),
        ("gender is ignored", without("gender="), "GET /v1/providers?gender=", advice),
        ("providerType is ignored", without("providerType="), "GET /v1/providers?providerType=", advice),
        ("insurance is ignored", without("insurance="), "GET /v1/providers?insurance=", advice),
        ("appointmentType is ignored", without("appointmentType="), "GET /v1/availability?state=", advice),
        ("provider is ignored", without("provider="), "GET /v1/availability?state=", advice),
    ]
}

/// A host that ignores one parameter of the designed requests.
fn without(pair: &'static str) -> Box<Fault> {
    Box::new(move |request, answer| {
        let Some((path, query)) = request.line.split_once('?') else { return };
        let kept: Vec<_> = query.split('&').filter(|one| !one.starts_with(pair)).collect();
        if kept.len() + 1 != query.split('&').count() || query.contains('+') || request.is_conditional {
            return;
        }
        let line = if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) };
        let real = request.real(&line);
        if real.status == 200 && answer.status == 200 {
            answer.body = real.body;
        }
    })
}

fn capped(path: &'static str, pair: &'static str, most: usize) -> Box<Fault> {
    Box::new(move |request, answer| {
        let is_request = request.line.starts_with(&format!("GET {path}?")) && request.line.ends_with(pair);
        if is_request && answer.status == 200 && !request.is_conditional {
            let line = request.line.replace(pair, &format!("limit={most}"));
            answer.body = request.real(&line).body;
        }
    })
}

pub(super) fn of_age() -> Vec<Planted> {
    vec![
        (
            "cached slots while live sends a 503",
            Box::new(|request, answer| {
                if request.line.starts_with("GET /v1/availability?state=AZ&nameplate-verify=") {
                    let body = r#"{"code":"AVAILABILITY_UNAVAILABLE","message":"availability is unknown"}"#;
                    becomes(answer, 503, "application/json", body);
                }
            }),
            "GET /v1/availability?state=AZ: expected status 503, as for the same request without caches",
            "must not use stale answers for availability",
        ),
        (
            "a response from an hour ago",
            on("GET /v1/availability?state=AZ", |answer| answer.set("age", "3600")),
            "GET /v1/availability?state=AZ: expected openings of the last minute, but found age 3600",
            "must not use stale answers for availability",
        ),
        (
            "a cache that reports a stale response",
            on("GET /v1/availability?state=AZ", |answer| answer.set("x-cache-status", "STALE")),
            "GET /v1/availability?state=AZ: expected openings of the last minute, but found x-cache-status STALE",
            "",
        ),
        (
            "old slots without a status",
            on("GET /v1/availability?state=AZ", |answer| {
                answer.set("availability-as-of", "2026-11-21T11:00:00Z");
            }),
            "GET /v1/availability?state=AZ: expected availability-status and availability-as-of, or neither",
            "",
        ),
        (
            "an error that caches keep for a day",
            on("GET /v1/providers/nobody-at-all", |answer| {
                answer.set("cache-control", "public, max-age=86400");
            }),
            "GET /v1/providers/nobody-at-all: expected cache-control with 300 seconds at most, but found cache-control \"public, max-age=86400\"",
            "must not cache errors",
        ),
        (
            "a 503 that caches keep",
            on("GET /v1/availability?state=AZ", |answer| {
                becomes(answer, 503, "application/json", r#"{"code":"OVERLOADED","message":"full"}"#);
                answer.set("cache-control", "public, max-age=60");
            }),
            "GET /v1/availability?state=AZ: expected cache-control no-store, but found cache-control ",
            "must not cache errors",
        ),
        (
            "the profile of a clinician who has left",
            Box::new(|request, answer| {
                if request.line == "GET /v1/providers/owen-tarrant" {
                    *answer = request.real("GET /v1/providers/wulandari");
                }
            }),
            "GET /v1/providers/owen-tarrant: expected status 404, but found status 200",
            "this doesn't exist, so the status must be 404",
        ),
        (
            "the file of a clinician who has left",
            Box::new(|request, answer| {
                if request.line == "GET /v1/providers/beatrice-hollowell.json" {
                    *answer = request.real("GET /v1/providers/wulandari.json");
                }
            }),
            "GET /v1/providers/beatrice-hollowell.json: expected status 404, but found status 200",
            "this doesn't exist, so the status must be 404",
        ),
        (
            "another clinician's profile under a slug",
            answers_like("GET /v1/providers/tamika-broussard", "GET /v1/providers/wulandari"),
            "GET /v1/providers/tamika-broussard: expected ",
            "this is the answer to another request",
        ),
        (
            "a 304 without CORS",
            Box::new(|request, answer| {
                if request.is_conditional && request.line == "GET /v1/states" {
                    answer.remove("access-control-allow-origin");
                }
            }),
            "GET /v1/states with If-None-Match: expected access-control-allow-origin \"*\"",
            "pages on other sites can't read this",
        ),
    ]
}
