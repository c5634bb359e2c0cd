//! `/v1/changes` of a running service, against its own profiles and across reloads and restarts.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{NOW, Server, TIMEOUT, command, nameplate, text, within};
use crate::publish::copy_of_content;

pub(crate) fn changes(server: &Server) -> Value {
    let reply = server.get("/v1/changes");
    assert_eq!(reply.status, 200, "{}", text(&reply.body));
    serde_json::from_slice(&reply.body).unwrap()
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut digits, byte| {
        _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// The digest of all profiles, as the service answers them one by one.
fn digest(server: &Server) -> String {
    let list: Value = serde_json::from_slice(&server.get("/v1/providers/summary?limit=100").body).unwrap();
    let slugs = list["providers"].as_array().unwrap().iter();
    let mut slugs: Vec<_> = slugs.map(|provider| provider["slug"].as_str().unwrap().to_owned()).collect();
    slugs.sort_unstable();
    assert_eq!(changes(server)["clinicians"], slugs.len());
    let line =
        |slug: &String| format!("{slug} {}\n", hash(&server.get(&format!("/v1/providers/{slug}")).body));
    hash(slugs.iter().map(line).collect::<String>().as_bytes())
}

fn edit(content: &Path, from: &str, to: &str) {
    let file = content.join("providers/jun-nakashima.toml");
    let before = fs::read_to_string(&file).unwrap();
    assert!(before.contains(from));
    fs::write(&file, before.replace(from, to)).unwrap();
}

#[test]
fn a_service_lists_each_reload_and_continues_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let (content, state) = (folder.path().join("content"), folder.path().join("state"));
    copy_of_content(&content);
    let (content_path, state_path) = (content.to_str().unwrap(), state.to_str().unwrap());
    let arguments = ["serve", "--content", content_path, "--state-dir", state_path, "--now", NOW];
    let server = Server::start(&arguments);
    let first = server.get("/v1/changes");
    assert_eq!(first.field("cache-control").unwrap().split(", ").nth(1), Some("max-age=300"));
    assert_eq!(first.field("access-control-allow-origin"), Some("*"));
    assert_eq!(first.field("content-type"), Some("application/json"));
    let tag = format!("If-None-Match: {}", first.field("etag").unwrap());
    assert_eq!(server.get_with("/v1/changes/?ignored=1", &tag).status, 304);
    assert_eq!(server.post("/v1/changes").status, 405);
    let start = changes(&server);
    assert_eq!(start["steps"], json!([]));
    assert_eq!(start["digest"], digest(&server));
    assert_eq!(start["generation"], *first.field("nameplate-generation").unwrap());

    edit(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    let steps = |server: &Server| changes(server)["steps"].as_array().unwrap().len();
    within(TIMEOUT, "a step", || steps(&server) == 1);
    let second = changes(&server);
    let step = json!({
        "from": start["generation"], "to": second["generation"], "added": [], "changed": ["jun-nakashima"],
        "removed": [], "catalogs": [], "all": false
    });
    assert_eq!(second["steps"], json!([step]));
    assert_eq!(second["digest"], digest(&server));
    let kept = || fs::read_to_string(state.join("changes.json")).unwrap_or_default();
    within(TIMEOUT, "what is kept", || kept().contains("\"changed\":[\"jun-nakashima\"]"));
    assert_eq!(server.terminate(), Some(0));

    let server = Server::start(&arguments);
    assert_eq!(changes(&server), second);
    assert_eq!(server.terminate(), Some(0));

    edit(&content, "\"Juno Nakashima\"", "\"June Nakashima\"");
    let server = Server::start(&arguments);
    let third = changes(&server);
    assert_eq!((&third["steps"][0]["from"], &third["steps"][1]), (&second["generation"], &step));
    within(TIMEOUT, "what is kept", || kept().contains(third["generation"].as_str().unwrap()));
    assert_eq!(server.terminate(), Some(0));

    fs::write(state.join("changes.json"), "{").unwrap();
    let server = Server::start(&arguments);
    assert_eq!((&changes(&server)["steps"], &changes(&server)["digest"]), (&json!([]), &third["digest"]));
}

#[test]
fn with_a_tree_a_service_lists_what_the_tree_lists() {
    let folder = tempfile::tempdir().unwrap();
    let (content, tree) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let (content_path, out) = (content.to_str().unwrap(), tree.to_str().unwrap());
    let build = ["build", "--content", content_path, "--out", out];
    assert_eq!(nameplate(&build).status.code(), Some(0));
    edit(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    assert_eq!(command(&build).env("SOURCE_DATE_EPOCH", "1795262400").status().unwrap().code(), Some(0));
    let published = fs::read(tree.join("v1/changes.json")).unwrap();
    assert!(text(&published).contains("\"changed\":[\"jun-nakashima\"]"));
    let feed = fs::read_to_string(tree.join("changes.atom")).unwrap();
    assert!(
        feed.contains(
            "<title>Juno Nakashima's profile changed</title><updated>2026-11-21T12:00:00Z</updated>"
        )
    );

    let server = Server::start(&["serve", "--content", content_path, "--static", out, "--now", NOW]);
    for path in ["/v1/changes", "/v1/changes.json"] {
        assert_eq!(server.get(path).body, published, "{path}");
    }
    assert_eq!(server.get("/changes.atom").field("content-type"), Some("application/atom+xml"));
    assert_eq!(changes(&server)["digest"], digest(&server));
    // A host whose steps are others is right, and one with other content is not.
    let address = format!("http://{}", server.address());
    let verified = nameplate(&["verify", &address, "--content", content_path, "--now", NOW]);
    assert_eq!(verified.status.code(), Some(0), "{}", text(&verified.stdout));
    let wrong = text(&published).replacen("\"digest\":\"", "\"digest\":\"0", 1);
    fs::write(tree.join("v1/changes.json"), wrong).unwrap();
    let verified = nameplate(&["verify", &address, "--content", content_path, "--now", NOW]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(text(&verified.stdout).contains("/v1/changes"), "{}", text(&verified.stdout));

    let wrong = command(&build).env("SOURCE_DATE_EPOCH", "yesterday").output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("seconds since 1970"), "{}", text(&wrong.stderr));
}
