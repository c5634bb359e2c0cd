//! A service that is started again: what it knew before survives.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::harness::{NOW, Server, command, text, within};
use crate::publish::copy_of_content;

const TIMEOUT: Duration = Duration::from_secs(20);
const PROFILE: &str = "providers/jun-nakashima.toml";

fn edit(content: &Path, from: &str, to: &str) {
    let file = content.join(PROFILE);
    let before = fs::read_to_string(&file).unwrap();
    assert!(before.contains(from));
    fs::write(&file, before.replace(from, to)).unwrap();
}

#[test]
fn a_restart_with_broken_content_serves_the_last_good_content() {
    let folder = tempfile::tempdir().unwrap();
    let (content, state) = (folder.path().join("content"), folder.path().join("state"));
    copy_of_content(&content);
    let arguments = [
        "serve",
        "--content",
        content.to_str().unwrap(),
        "--state",
        state.to_str().unwrap(),
        "--admin",
        "127.0.0.1:0",
        "--now",
        NOW,
    ];
    let ready = |server: &Server| -> serde_json::Value {
        serde_json::from_slice(&Server::elsewhere(server.admin().unwrap()).get("/readyz").body).unwrap()
    };
    let profile = |server: &Server| text(&server.get("/v1/providers/jun-nakashima").body).to_owned();
    let kept = || fs::read_to_string(state.join("current.json")).unwrap_or_default();

    let server = Server::start(&arguments);
    within(TIMEOUT, "the first copy", || !kept().is_empty());
    edit(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    within(TIMEOUT, "the new name", || profile(&server).contains("Juno Nakashima"));
    let generation = ready(&server)["generation"].as_str().unwrap().to_owned();
    within(TIMEOUT, "the second copy", || kept().contains(&generation));
    assert_eq!(ready(&server)["content"]["isLastGood"], false);
    edit(&content, "\"nonBinary\"", "\"100%\"");
    assert_eq!(server.terminate(), Some(0));

    let strict = command(&[&arguments[..], &["--strict"]].concat()).output().unwrap();
    assert_eq!(strict.status.code(), Some(1), "{}", text(&strict.stderr));

    let server = Server::start(&arguments);
    assert!(profile(&server).contains("Juno Nakashima"), "the newest good content");
    let state_of = ready(&server);
    assert_eq!(
        (&state_of["generation"], &state_of["content"]["isLastGood"]),
        (&generation.into(), &true.into())
    );
    let why = state_of["content"]["lastError"]["what"].as_str().unwrap();
    assert!(why.contains("is not a gender"), "{why}");
    let metrics = Server::elsewhere(server.admin().unwrap()).get("/metrics");
    assert!(text(&metrics.body).contains("nameplate_content_last_good 1\n"));
    // The copy is as old as its reading, which was at the stopped clock's time.
    assert_eq!(state_of["content"]["readAt"], NOW);
    let read = "nameplate_content_read_timestamp_seconds 1795262400\n";
    assert!(text(&metrics.body).contains(read), "{}", text(&metrics.body));

    edit(&content, "\"100%\"", "\"nonBinary\"");
    within(TIMEOUT, "the corrected content", || ready(&server)["content"]["isLastGood"] == false);
    assert_eq!(server.terminate(), Some(0));

    // A content folder that is not there at all, as when a disk is not mounted.
    fs::rename(&content, folder.path().join("elsewhere")).unwrap();
    let server = Server::start(&arguments);
    assert!(profile(&server).contains("Juno Nakashima"));
    fs::rename(folder.path().join("elsewhere"), &content).unwrap();
    within(TIMEOUT, "the folder", || ready(&server)["content"]["isLastGood"] == false);
}

#[test]
fn the_last_good_content_of_a_clinic_with_a_busy_feed_offers_no_taken_time() {
    let folder = tempfile::tempdir().unwrap();
    let (content, state) = (folder.path().join("content"), folder.path().join("state"));
    copy_of_content(&content);
    let line = "{\"provider\":\"amara-okonkwo\",\"start\":\"2026-11-21T13:00:00Z\",\"end\":\"2026-11-21T14:00:00Z\",\
                \"status\":\"busy\"}\n";
    let arguments =
        ["serve", "--content", content.to_str().unwrap(), "--state", state.to_str().unwrap(), "--now", NOW];
    let asked = "/v1/availability?state=AZ&provider=amara-okonkwo&horizonDays=10&limit=200";
    let starts = |server: &Server| {
        let reply = server.get(asked);
        (reply.status, text(&reply.body).matches("2026-11-21T13:").count())
    };
    let server = Server::start(&arguments);
    let free = starts(&server).1;
    assert!(free > 0, "these times are free without a feed");
    assert_eq!(server.terminate(), Some(0));

    fs::write(content.join("availability/busy.ndjson"), line).unwrap();
    let server = Server::start(&arguments);
    within(TIMEOUT, "the copy with a feed", || {
        fs::read_to_string(state.join("current.json")).unwrap_or_default().contains("busy")
            && state.join("feed.json").exists()
    });
    assert_eq!(starts(&server), (200, 0));
    assert_eq!(server.terminate(), Some(0));

    // The feed has gone with the content: what it said is remembered, and grows old.
    fs::remove_dir_all(&content).unwrap();
    let server = Server::start(&arguments);
    assert_eq!(server.get("/v1/providers").status, 200);
    assert_eq!(starts(&server), (200, 0));
    assert_eq!(server.terminate(), Some(0));

    // Without that memory nothing is known.
    fs::remove_file(state.join("feed.json")).unwrap();
    let server = Server::start(&arguments);
    assert_eq!(starts(&server), (503, 0));
    thread::sleep(Duration::from_secs(2));
    assert_eq!(starts(&server), (503, 0));
}

#[test]
fn a_state_folder_that_cannot_be_written_is_refused_in_a_sentence() {
    let refused =
        command(&["serve", "--state", "/proc/nameplate", "--listen", "127.0.0.1:0"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let told = text(&refused.stderr);
    assert!(
        told.contains("cannot write into the state folder /proc/nameplate") && told.contains("--state DIR"),
        "{told}"
    );
}
