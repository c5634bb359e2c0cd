//! The documents of the demo, compared with examples of the specifications.

use std::path::Path;

use super::*;
use crate::test_fixture as fixture;

fn demo() -> Snapshot {
    fixture::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../content"))
}

fn document(files: &Files, path: &str) -> Bytes {
    let found = files.iter().find(|(file, _)| file.as_str() == path);
    found.unwrap_or_else(|| panic!("{path}")).1.clone()
}

fn json_of(files: &Files, path: &str) -> Value {
    serde_json::from_slice(&document(files, path)).unwrap()
}

#[test]
fn the_api_catalog_leads_to_both_interfaces() {
    let expected = json!({"linkset":[{"anchor":"https://api.larkspur.example/v1","service-desc":[{"href":"https://api.larkspur.example/v1/openapi.json","type":"application/json"}],"service-doc":[{"href":"https://larkspur.example/docs","type":"text/html"}]},
        {"anchor":"https://api.larkspur.example/api/mcp","service-desc":[{"href":"https://api.larkspur.example/api/mcp/server-card","type":"application/mcp-server-card+json"}]}]});
    assert_eq!(json_of(&documents(&demo()).unwrap(), ".well-known/api-catalog"), expected);
}

#[test]
fn the_card_names_the_endpoint_its_versions_and_the_icon() {
    let expected = json!({"$schema":"https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json","name":"example.larkspur.api/directory","version":env!("CARGO_PKG_VERSION"),"title":"Larkspur Health","description":"Find clinicians of Larkspur Health, the plans they accept, and openings","websiteUrl":"https://larkspur.example/docs/assistants",
        "icons":[{"src":"https://larkspur.example/assets/logo.png","mimeType":"image/png","sizes":["512x512"]}],
        "remotes":[{"type":"streamable-http","url":"https://api.larkspur.example/api/mcp","supportedProtocolVersions":["2024-11-05","2025-03-26","2025-06-18","2025-11-25","2026-07-28"]}]});
    let card = json_of(&documents(&demo()).unwrap(), "api/mcp/server-card");
    assert_eq!(card, expected);
    let entry = json_of(&of_site(demo().directory()).unwrap(), "server.json");
    for key in ["name", "version", "title", "description", "websiteUrl", "icons"] {
        assert_eq!(entry[key], card[key], "{key}");
    }
}

#[test]
fn the_catalog_for_agents_has_both_interfaces_with_questions_that_the_clinic_answers() {
    let files = documents(&demo()).unwrap();
    assert_eq!(document(&files, ".well-known/ard.json"), document(&files, ".well-known/ai-catalog.json"));
    let ard = json_of(&files, ".well-known/ard.json");
    // Most clinicians accept new patients in California and New York, and then in Colorado and five other states.
    let expected = json!({"specVersion":"1.0","host":{"displayName":"Larkspur Health","documentationUrl":"https://larkspur.example/docs"},
        "entries":[{"identifier":"urn:air:larkspur.example:mcp:directory","displayName":"Larkspur Health",
        "type":"application/mcp-server-card+json","url":"https://api.larkspur.example/api/mcp/server-card",
        "description":"Find clinicians of Larkspur Health, the plans they accept, and openings",
        "representativeQueries":["Who is accepting new patients in California?","Which clinicians in New York accept Hudson Lantern EPO?","When is the next opening in Colorado?"]},
        {"identifier":"urn:air:larkspur.example:api:directory","displayName":"Larkspur Health API","type":"application/openapi+json","url":"https://api.larkspur.example/v1/openapi.json",
        "representativeQueries":["Which insurance plans are accepted in California?","Which openings are there in Colorado?"]}]});
    assert_eq!(ard, expected);
}

#[test]
fn security_txt_and_the_challenge_stand_only_with_their_keys() {
    let plain = fixture::snapshot();
    let names = |files: &Files| files.iter().map(|(path, _)| path.to_string()).collect::<Vec<_>>();
    assert_eq!(names(&of_site(plain.directory()).unwrap()), ["server.json"]);
    assert!(!names(&documents(&plain).unwrap()).iter().any(|name| name.contains("challenge")));
    let content = fixture::copy();
    let keys = "[listing]\nopenai-challenge = \"abc-123\"\n[security]\ncontact = \"mailto:security@larkspur.example\"\nexpires = 2027-06-30\n";
    fixture::edit(content.path(), "directory.toml", |text| text + keys);
    let snapshot = fixture::load(content.path());
    let challenge = document(&documents(&snapshot).unwrap(), ".well-known/openai-apps-challenge");
    assert_eq!(challenge, "abc-123");
    let security = document(&of_site(snapshot.directory()).unwrap(), ".well-known/security.txt");
    assert_eq!(
        security,
        "Contact: mailto:security@larkspur.example\nExpires: 2027-06-30T23:59:59Z\n\
         Canonical: https://larkspur.example/.well-known/security.txt\n"
    );
}

/// A feed changes the live service's calendar and no document.
#[test]
fn documents_do_not_depend_on_the_calendar() {
    let snapshot = demo();
    let now = directory::calendar::Instant::ceil("2026-11-21T12:00:00Z".parse().unwrap());
    let empty = directory::calendar::Calendar::with_feed(
        snapshot.directory(),
        directory::calendar::FeedMode::Open,
        now,
    );
    assert_eq!(documents(&snapshot.with_calendar(empty)).unwrap(), documents(&snapshot).unwrap());
}
