//! The target of each request, as publishing.md lists it.

use super::*;
use crate::test_fixture as fixture;

/// A path, a query, and the expected target.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], String);

/// The target of a request, by Netlify's matching as the module's docs describe it.
fn target(rules: &[Redirect], path: &str, query: &[(&str, &str)]) -> String {
    let is_match = |rule: &&Redirect| {
        let from = rule.from.to_string();
        let is_path = match from.strip_suffix("/*") {
            Some(stem) => path == stem || path.starts_with(&format!("{stem}/")),
            None => match from.strip_suffix(":slug") {
                Some(stem) => path.strip_prefix(stem).is_some_and(|slug| !slug.contains('/')),
                None => from == path,
            },
        };
        is_path
            && rule.query.as_ref().is_none_or(|(name, value)| {
                let given = query.iter().rev().find(|(given, _)| *given == name.to_string());
                given.is_some_and(|(_, given)| {
                    value.to_string().starts_with(':') || *given == value.to_string()
                })
            })
    };
    let line = rules.iter().find(is_match).map(ToString::to_string).unwrap_or_default();
    line.rsplitn(3, ' ').take(2).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(" ")
}

#[test]
fn requests_lead_to_their_specified_targets() {
    let snapshot = fixture::snapshot();
    let rules = redirects(snapshot.directory(), &crate::answer_files(snapshot.directory()).unwrap()).unwrap();
    let live = "https://live.larkspur.example";
    let cases: &[Case<'_>] = &[
        ("/v1/availability", &[("state", "CA")], format!("{live}/v1/availability 200!")),
        ("/api/mcp", &[], format!("{live}/api/mcp 200!")),
        ("/api/sse", &[], "/v1/not-found.json 404!".into()),
        ("/v1/states", &[], "/v1/states.json 200".into()),
        ("/v1/insurances", &[], "/v1/insurances.json 200".into()),
        ("/v1/insurances", &[("state", "CA")], "/v1/insurances/CA.json 200".into()),
        ("/v1/insurances", &[("state", "ca")], "/v1/insurances/CA.json 200".into()),
        ("/v1/insurances", &[("state", "California")], "/v1/insurances/CA.json 200".into()),
        ("/v1/insurances", &[("state", "USVI")], "/v1/insurances/VI.json 200".into()),
        ("/v1/insurances", &[("state", "Washington DC")], format!("{live}/v1/insurances 200")),
        ("/v1/insurances", &[("state", "Ca")], format!("{live}/v1/insurances 200")),
        ("/v1/insurances", &[("state", "New York")], format!("{live}/v1/insurances 200")),
        ("/v1/insurances", &[("state", "ZZ")], format!("{live}/v1/insurances 200")),
        ("/v1/insurances", &[("state", "CA"), ("state", "NY")], "/v1/insurances/NY.json 200".into()),
        ("/v1/appointment-types", &[("state", "PR")], "/v1/appointment-types/PR.json 200".into()),
        ("/v1/providers", &[], "/v1/providers.json 200".into()),
        ("/v1/providers", &[("state", "CA")], "/v1/providers/state/CA.json 200".into()),
        ("/v1/providers", &[("utm", "x"), ("state", "CA")], "/v1/providers/state/CA.json 200".into()),
        ("/v1/providers", &[("state", "CA"), ("limit", "5")], format!("{live}/v1/providers 200")),
        ("/v1/providers", &[("gender", "male")], format!("{live}/v1/providers 200")),
        ("/v1/providers/ada-moreau", &[], "/v1/providers/ada-moreau.json 200".into()),
        ("/v1/providers/ada-laurent", &[], "/v1/providers/ada-moreau 301".into()),
        ("/providers/ada-laurent", &[], "/providers/ada-moreau 301".into()),
        ("/v1/providers/nobody", &[], format!("{live}/v1/providers/:slug 200")),
        ("/v1/nothing", &[], "/v1/not-found.json 404".into()),
        ("/.well-known/oauth-authorization-server", &[], "/v1/not-found.json 404".into()),
        ("/about", &[], String::new()),
    ];
    for (path, query, expected) in cases {
        assert_eq!(target(&rules, path, query), *expected, "{path} {query:?}");
    }
}

#[test]
fn pages_in_another_language_have_a_404_page_and_their_moved_profiles() {
    let snapshot = fixture::in_english_and_spanish();
    let answers = crate::answer_files(snapshot.directory()).unwrap();
    let rules = redirects(snapshot.directory(), &answers).unwrap();
    for (path, expected) in [
        ("/es/nothing/here", "/es/404.html 404"),
        ("/es/providers/ada-laurent", "/es/providers/ada-moreau 301"),
        ("/providers/ada-laurent", "/providers/ada-moreau 301"),
        ("/nothing", ""),
    ] {
        assert_eq!(target(&rules, path, &[]), expected, "{path}");
    }
}

#[test]
fn without_a_live_service_filtered_requests_are_not_found() {
    let snapshot = fixture::snapshot_without_live();
    let answers = crate::answer_files(snapshot.directory()).unwrap();
    let redirects = redirects(snapshot.directory(), &answers).unwrap();
    assert_eq!(target(&redirects, "/v1/providers", &[("gender", "male")]), "/v1/not-found.json 404!");
    assert_eq!(target(&redirects, "/v1/providers", &[("state", "CA")]), "/v1/providers/state/CA.json 200");
    assert_eq!(target(&redirects, "/api/mcp", &[]), "/v1/not-found.json 404!");
    assert_eq!(rules(snapshot.directory(), &answers).unwrap().notes.len(), 1);
}

#[test]
fn above_five_hundred_providers_their_route_goes_to_the_live_service() {
    let is_profile =
        |from: &str| from.starts_with("/v1/providers/") && !from.starts_with("/v1/providers/summary");
    let slug_rules = |snapshot: &directory::api::Snapshot| {
        let rules =
            redirects(snapshot.directory(), &crate::answer_files(snapshot.directory()).unwrap()).unwrap();
        let rules = rules.iter().filter(|rule| is_profile(&rule.from.to_string()));
        rules.map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(slug_rules(&fixture::crowd(498)).len(), 502);
    assert_eq!(
        slug_rules(&fixture::crowd(499)),
        [
            "/v1/providers/ada-laurent /v1/providers/ada-moreau 301",
            "/v1/providers/:slug https://live.larkspur.example/v1/providers/:slug 200",
        ]
    );
}

#[test]
fn the_fhir_exports_own_paths_follow_from_standards() {
    let folder = fixture::copy();
    fixture::edit(folder.path(), "directory.toml", |text| format!("{text}[standards]\n"));
    let snapshot = fixture::load(folder.path());
    let directory = snapshot.directory();
    let rules = redirects(directory, &crate::answer_files(directory).unwrap()).unwrap();
    for path in ["/fhir/$bulk-publish", "/fhir/slots/2026-11-23.ndjson", "/fhir/metadata"] {
        assert_eq!(target(&rules, path, &[]), "https://live.larkspur.example/fhir/:splat 200");
    }
    let headers = lines(&headers::rules(directory).unwrap());
    for rule in [
        "/fhir/*\n  Access-Control-Allow-Origin: *\n",
        "/fhir/Schedule.ndjson\n  Content-Type: application/fhir+ndjson\n  Cache-Control: public, max-age=300\n",
        "/fhir/slots/*\n  Content-Type: application/fhir+ndjson\n  Cache-Control: public, max-age=60\n",
        "/fhir/$bulk-publish\n  Content-Type: application/json\n  Cache-Control: public, max-age=60\n",
    ] {
        assert!(headers.contains(rule), "{headers}");
    }
    fixture::edit(folder.path(), "directory.toml", |text| text.replace("live-url", "# live-url"));
    let snapshot = fixture::load(folder.path());
    let directory = snapshot.directory();
    let rules = redirects(directory, &crate::answer_files(directory).unwrap()).unwrap();
    assert_eq!(target(&rules, "/fhir/$bulk-publish", &[]), "/v1/not-found.json 404");
}
