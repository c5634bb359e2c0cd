//! A feed that the content folder had, and has no more: its clinicians' taken time is never offered.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::harness::{NOW, Reply, Server, TIMEOUT, nameplate, text, within};
use crate::publish::copy_of_content;

const BUSY: &str = "{\"provider\":\"amara-okonkwo\",\"start\":\"2026-11-21T13:00:00Z\",\"end\":\"2026-11-21T14:00:00Z\",\
                    \"status\":\"busy\"}\n";

/// A clinic with a busy feed in its content folder.
struct Clinic {
    folder: tempfile::TempDir,
}

impl Clinic {
    fn new() -> Self {
        let clinic = Self { folder: tempfile::tempdir().unwrap() };
        copy_of_content(&clinic.path("content"));
        fs::write(clinic.feed(), BUSY).unwrap();
        clinic
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn feed(&self) -> PathBuf {
        self.path("content/availability/busy.ndjson")
    }

    fn start(&self, more: &[&str]) -> Server {
        let (content, state) = (self.path("content"), self.path("state"));
        let (content, state) = (content.to_str().unwrap(), state.to_str().unwrap());
        let arguments =
            ["serve", "--content", content, "--state", state, "--admin", "127.0.0.1:0", "--now", NOW];
        Server::start(&[&arguments[..], more].concat())
    }

    /// What is kept of the content folder.
    fn kept(&self) -> Value {
        let kept = fs::read(self.path("state/current.json")).unwrap_or_default();
        serde_json::from_slice(&kept).unwrap_or_default()
    }
}

fn admin(server: &Server) -> Server {
    Server::elsewhere(server.admin().unwrap())
}

fn feed_of(server: &Server) -> Value {
    serde_json::from_slice::<Value>(&admin(server).get("/readyz").body).unwrap()["feed"].clone()
}

fn code(reply: &Reply) -> (u16, String) {
    let body: Value = serde_json::from_slice(&reply.body).unwrap();
    (reply.status, body["code"].as_str().unwrap().to_owned())
}

/// The status of an answer about the openings, and how many of them are taken in the feed.
fn taken(server: &Server) -> (u16, usize) {
    let reply = server.get("/v1/availability?state=AZ&provider=amara-okonkwo&horizonDays=10&limit=200");
    (reply.status, text(&reply.body).matches("2026-11-21T13:").count())
}

#[test]
fn a_feed_file_that_has_vanished_is_missed_until_an_operator_ends_the_feed() {
    let clinic = Clinic::new();
    let server = clinic.start(&[]);
    within(TIMEOUT, "the memory", || {
        clinic.path("state/feed.json").exists() && clinic.kept()["feed"] == "busy"
    });
    assert_eq!(taken(&server), (200, 0));
    assert_eq!(code(&admin(&server).post("/feed/end")), (409, "REFUSED".to_owned()), "its file is there");

    // It vanishes while the service runs, and the content changes after that.
    fs::rename(clinic.feed(), clinic.path("busy.ndjson")).unwrap();
    within(TIMEOUT, "the loss", || feed_of(&server)["lastError"].to_string().contains("/feed/end"));
    let plans = clinic.path("content/insurances.toml");
    fs::write(&plans, fs::read_to_string(&plans).unwrap() + "\n# A comment.\n").unwrap();
    let before = clinic.kept()["generation"].clone();
    within(TIMEOUT, "the new copy", || clinic.kept()["generation"] != before);
    assert_eq!((clinic.kept()["feed"].as_str(), taken(&server)), (Some("busy"), (200, 0)));
    assert_eq!(server.terminate(), Some(0));

    let server = clinic.start(&[]);
    let logged = server.logged();
    assert!(logged.iter().any(|line| line.contains("WARN") && line.contains("had the feed")), "{logged:#?}");
    assert!(!logged.iter().any(|line| line.contains("no feed is configured")), "{logged:#?}");
    assert_eq!(taken(&server).1, 0);
    assert!(feed_of(&server)["lastError"].as_str().unwrap().contains("/feed/end"), "{}", feed_of(&server));
    assert!(text(&admin(&server).get("/metrics").body).contains("nameplate_feed_status{status="));
    assert_eq!(server.terminate(), Some(0));

    // The copy of the content remembers it, too.
    fs::remove_file(clinic.path("state/feed.json")).unwrap();
    let server = clinic.start(&[]);
    assert_eq!(taken(&server), (503, 0));

    assert_eq!(code(&admin(&server).post("/feed/end")), (200, "ENDED".to_owned()));
    let (status, open) = taken(&server);
    assert!(status == 200 && open > 0, "{status} {open}");
    assert_eq!(feed_of(&server), Value::Null);
    assert_eq!(code(&admin(&server).post("/feed/end")), (409, "NO_FEED".to_owned()));
    assert_eq!(server.terminate(), Some(0));

    let server = clinic.start(&[]);
    assert_eq!(taken(&server), (200, open), "the end is remembered");
    fs::rename(clinic.path("busy.ndjson"), clinic.feed()).unwrap();
    within(TIMEOUT, "the new feed", || taken(&server) == (200, 0));
}

#[test]
fn a_feed_that_was_never_usable_is_missed_too() {
    let clinic = Clinic::new();
    fs::rename(clinic.feed(), clinic.path("busy.ndjson")).unwrap();
    let server = clinic.start(&[]);
    let (status, open) = taken(&server);
    assert!(status == 200 && open > 0, "{status} {open}");
    fs::write(clinic.feed(), "no line of a feed\n").unwrap();
    within(TIMEOUT, "the broken feed", || taken(&server).0 == 503);
    // Open times are unknown a moment before that is remembered.
    within(TIMEOUT, "its memory", || clinic.path("state/feed.json").exists());
    fs::remove_file(clinic.feed()).unwrap();
    assert_eq!(server.terminate(), Some(0));

    let server = clinic.start(&[]);
    assert_eq!(taken(&server), (503, 0));
    assert_eq!(code(&admin(&server).post("/feed/end")), (200, "ENDED".to_owned()));
    assert_eq!(taken(&server), (200, open));
}

#[test]
fn a_feed_does_not_end_while_the_folder_has_another() {
    let clinic = Clinic::new();
    let other = clinic.path("content/availability/open.ndjson");
    fs::rename(clinic.feed(), clinic.path("busy.ndjson")).unwrap();
    fs::write(&other, BUSY.replace("\"busy\"", "\"free\"")).unwrap();
    let server = clinic.start(&[]);
    fs::copy(clinic.path("busy.ndjson"), clinic.feed()).unwrap();
    fs::remove_file(other).unwrap();
    within(TIMEOUT, "the advice", || feed_of(&server)["lastError"].to_string().contains("restart nameplate"));
    assert_eq!(code(&admin(&server).post("/feed/end")), (409, "REFUSED".to_owned()));
    assert_eq!(server.terminate(), Some(0));
    assert_eq!(taken(&clinic.start(&[])), (200, 0), "the advice leads to the other feed");
}

#[test]
fn a_state_folder_inside_the_content_is_refused() {
    let clinic = Clinic::new();
    for state in ["content", "content/state"] {
        let (content, state) = (clinic.path("content"), clinic.path(state));
        let refused =
            nameplate(&["serve", "--content", content.to_str().unwrap(), "--state", state.to_str().unwrap()]);
        let logged = text(&refused.stderr);
        assert!(logged.contains("is inside the content folder"), "{logged}");
    }
}

#[test]
fn a_memory_that_cannot_be_used_is_reported() {
    let clinic = Clinic::new();
    fs::rename(clinic.feed(), clinic.path("busy.ndjson")).unwrap();
    let settings = |path: &str| {
        let file = clinic.path("nameplate.toml");
        fs::write(&file, format!("[feed]\npath = \"{path}\"\nmode = \"busy\"\n")).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let folder = clinic.folder.path().display().to_string();
    let memory_error = |path: &str| {
        let server = clinic.start(&["--config", &settings(path)]);
        let error = feed_of(&server)["memoryError"].as_str().unwrap_or_default().to_owned();
        let logged = server
            .logged()
            .iter()
            .any(|line| line.contains("WARN") && line.contains("compared with nothing"));
        let metrics = admin(&server).get("/metrics");
        let measured = text(&metrics.body).contains("nameplate_feed_memory_unusable 1\n");
        assert_eq!((logged, measured), (!error.is_empty(), !error.is_empty()), "{error}");
        assert_eq!(taken(&server), (200, 0));
        within(TIMEOUT, "the memory", || clinic.path("state/feed.json").exists());
        assert_eq!(server.terminate(), Some(0));
        error
    };
    assert_eq!(memory_error(&format!("{folder}/busy.ndjson")), "");
    assert_eq!(
        memory_error(&format!("{folder}/./content/../busy.ndjson")),
        "",
        "another spelling of the path"
    );
    fs::copy(clinic.path("busy.ndjson"), clinic.path("other.ndjson")).unwrap();
    let error = memory_error(&format!("{folder}/other.ndjson"));
    assert!(error.contains("is about the feed") && error.contains("busy.ndjson"), "{error}");
    fs::write(clinic.path("state/feed.json"), "{\"feed\":").unwrap();
    let error = memory_error(&format!("{folder}/other.ndjson"));
    assert!(error.contains("feed.json is damaged"), "{error}");
}

#[test]
fn a_broken_feed_is_described_by_what_is_offered_until_it_is_fixed() {
    let clinic = Clinic::new();
    let server = clinic.start(&[]);
    // Before it is read, the feed is known only by its name.
    let memory = || fs::read_to_string(clinic.path("state/feed.json")).unwrap_or_default();
    within(TIMEOUT, "the memory", || memory().contains("\"parts\""));
    assert_eq!(taken(&server), (200, 0));
    assert_eq!(server.terminate(), Some(0));
    fs::write(clinic.feed(), "no line of a feed\n").unwrap();
    for (is_remembered, meanwhile) in
        [(true, "its data from before the restart is used"), (false, "there are no openings")]
    {
        if !is_remembered {
            fs::remove_file(clinic.path("state/feed.json")).unwrap();
        }
        let server = clinic.start(&[]);
        let logged = server.logged();
        let is_said = |line: &String| line.contains("the feed is broken") && line.contains(meanwhile);
        assert!(logged.iter().any(is_said), "{logged:#?}");
        assert_eq!(taken(&server), (if is_remembered { 200 } else { 503 }, 0));
    }
}

#[test]
fn a_damaged_copy_of_the_content_is_reported() {
    let clinic = Clinic::new();
    let server = clinic.start(&[]);
    within(TIMEOUT, "the copy", || clinic.kept()["feed"] == "busy");
    assert_eq!(taken(&server), (200, 0));
    assert_eq!(server.terminate(), Some(0));
    for file in ["state/current.json", "state/current-2.json"] {
        fs::write(clinic.path(file), "{").unwrap();
    }
    let (content, state) = (clinic.path("elsewhere"), clinic.path("state"));
    let refused =
        nameplate(&["serve", "--content", content.to_str().unwrap(), "--state", state.to_str().unwrap()]);
    let logged = text(&refused.stderr);
    assert!(logged.contains("the copy of the last good content isn't served"), "{logged}");
    assert!(logged.contains("current.json is damaged"), "{logged}");
}
