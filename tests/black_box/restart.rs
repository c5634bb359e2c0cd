//! A service that is started again: what it knew before survives.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{NOW, Server, TIMEOUT, command, content, text, within};
use crate::publish::copy_of_content;

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
    let arguments = serve(&content, &state);
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

    let strict =
        command(&[&arguments[..], &["--strict", "--listen", "127.0.0.1:0"]].concat()).output().unwrap();
    assert_eq!(strict.status.code(), Some(1), "{}", text(&strict.stderr));

    let server = Server::start(&arguments);
    assert!(profile(&server).contains("Juno Nakashima"), "the newest good content");
    let state_of = ready(&server);
    assert_eq!(
        (&state_of["generation"], &state_of["content"]["isLastGood"]),
        (&generation.into(), &true.into())
    );
    let why = state_of["content"]["lastError"]["what"].as_str().unwrap();
    assert!(why.contains("isn't a valid gender"), "{why}");
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
    let arguments = serve(&content, &state);
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

    // The feed has gone with the content: what it said is remembered, and ages.
    fs::remove_dir_all(&content).unwrap();
    let server = Server::start(&arguments);
    assert_eq!(server.get("/v1/providers").status, 200);
    assert_eq!(starts(&server), (200, 0));
    assert_eq!(server.terminate(), Some(0));

    // Without that memory nothing is known.
    fs::remove_file(state.join("feed.json")).unwrap();
    let server = Server::start(&arguments);
    assert_eq!(starts(&server), (503, 0));
    within(TIMEOUT, "the feed was looked for", || {
        let ready: serde_json::Value =
            serde_json::from_slice(&server.operators().get("/readyz").body).unwrap();
        !ready["feed"]["lastError"].is_null()
    });
    assert_eq!(starts(&server), (503, 0));
}

/// The arguments of a service with a state folder.
/// The contact was right when the content was published.
#[test]
fn a_service_starts_on_any_day_after_its_security_contact_has_expired() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let directory = content.join("directory.toml");
    let before = fs::read_to_string(&directory).unwrap();
    fs::write(&directory, before.replace("expires = 2036-12-31", "expires = 2020-12-31")).unwrap();
    fs::write(content.join("busy.ndjson"), "").unwrap();
    let folder = content.to_str().unwrap();
    let checked = command(&["check", "--content", folder]).output().unwrap();
    assert!(text(&checked.stdout).contains("The security contact expired on 2020-12-31."), "{checked:?}");
    assert_eq!(checked.status.code(), Some(1));
    let server = Server::start(&["serve", "--content", folder, "--admin", "127.0.0.1:0"]);
    assert_eq!(server.get("/v1/states").status, 200);
    let ready = Server::elsewhere(server.admin().unwrap()).get("/readyz");
    assert!(ready.status == 200 && !text(&ready.body).contains("broken"), "{}", text(&ready.body));
}

pub(crate) fn serve<'a>(content: &'a Path, state: &'a Path) -> [&'a str; 9] {
    let [content, state] = [content, state].map(|path| path.to_str().unwrap());
    ["serve", "--content", content, "--state-dir", state, "--admin", "127.0.0.1:0", "--now", NOW]
}

/// Why nothing is kept in the state folder, as `/readyz` says, and whether the metrics say so.
fn state_error(server: &Server) -> (String, bool) {
    let admin = Server::elsewhere(server.admin().unwrap());
    let ready: serde_json::Value = serde_json::from_slice(&admin.get("/readyz").body).unwrap();
    let metrics = admin.get("/metrics");
    let is_failing = text(&metrics.body).contains("nameplate_state_failing{folder=\"state\"} 1\n");
    (ready["stateErrors"]["state"]["what"].as_str().unwrap_or_default().to_owned(), is_failing)
}

#[test]
fn a_state_folder_that_cannot_be_used_is_reported_and_the_content_is_served() {
    let folder = tempfile::tempdir().unwrap();
    // Also a superuser cannot make a folder there.
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for state in [file.clone(), file.join("state")] {
        let server = Server::start(&serve(&content(), &state));
        assert_eq!(server.get("/v1/states").status, 200);
        let (why, is_failing) = state_error(&server);
        assert!(
            is_failing && why.contains(&format!("can't use the state folder {}", state.display())),
            "{why}"
        );
        let log = server.logged().join("\n");
        assert!(
            log.contains("the served content can't be saved for the next start") && log.contains(&why),
            "{log}"
        );
    }
}

#[test]
fn a_copy_that_fails_is_reported_until_one_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let (content, state) = (folder.path().join("content"), folder.path().join("state"));
    copy_of_content(&content);
    // A folder in place of the file that makes a copy the current one.
    let current = state.join("current.json");
    fs::create_dir_all(&current).unwrap();
    let server = Server::start(&serve(&content, &state));
    within(TIMEOUT, "the failure", || state_error(&server).1);
    assert!(!state_error(&server).0.is_empty());
    edit(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    within(TIMEOUT, "the edit", || text(&server.get("/v1/providers/jun-nakashima").body).contains("Juno"));
    assert!(state_error(&server).1, "it failed again");
    fs::remove_dir(&current).unwrap();
    edit(&content, "\"Juno Nakashima\"", "\"Jun Nakashima\"");
    within(TIMEOUT, "a copy", || state_error(&server) == (String::new(), false));
    assert!(current.is_file());
}

#[test]
fn a_second_service_with_the_same_state_folder_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let content = content();
    let arguments = serve(&content, &state);
    let first = Server::start(&arguments);
    let mut second = command(&arguments);
    second.args(["--listen", "127.0.0.1:0"]).stderr(Stdio::piped());
    let mut second = second.spawn().unwrap();
    let end = Instant::now() + TIMEOUT;
    while second.try_wait().unwrap().is_none() && Instant::now() < end {
        thread::sleep(Duration::from_millis(20));
    }
    // One that serves must not go on after this test.
    _ = second.kill();
    let second = second.wait_with_output().unwrap();
    let told = text(&second.stderr);
    assert_eq!(second.status.code(), Some(75), "{told}");
    let named = format!("{} is in use by another service (process {})", state.display(), first.id());
    assert!(told.contains(&named), "{told}");
    assert_eq!(first.get("/v1/states").status, 200);
    assert_eq!(first.terminate(), Some(0));
    assert_eq!(state_error(&Server::start(&arguments)), (String::new(), false));
}

#[test]
fn the_state_folder_of_another_clinic_is_neither_served_nor_changed() {
    let folder = tempfile::tempdir().unwrap();
    let [ours, theirs, state] = ["ours", "theirs", "state"].map(|name| folder.path().join(name));
    for content in [&ours, &theirs] {
        copy_of_content(content);
        fs::write(content.join("availability/busy.ndjson"), "").unwrap();
    }
    let directory = theirs.join("directory.toml");
    let text_of_theirs = fs::read_to_string(&directory).unwrap();
    let table: toml::Table = toml::from_str(&text_of_theirs).unwrap();
    let site = table["site-url"].as_str().unwrap();
    fs::write(&directory, text_of_theirs.replace(site, "https://theirs.example")).unwrap();
    let server = Server::start(&serve(&theirs, &state));
    let current = || fs::read_to_string(state.join("current.json")).unwrap_or_default();
    within(TIMEOUT, "their copy", || current().contains("https://theirs.example"));
    assert_eq!(server.terminate(), Some(0));
    let before = (current(), fs::read(state.join("feed.json")).ok());

    // The feed's memory is not used either.
    let server = Server::start(&serve(&ours, &state));
    assert_eq!(server.get("/v1/states").status, 200);
    let (why, is_failing) = state_error(&server);
    assert!(is_failing && why.contains("belongs to https://theirs.example") && why.contains(site), "{why}");
    edit(&ours, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    within(TIMEOUT, "the edit", || text(&server.get("/v1/providers/jun-nakashima").body).contains("Juno"));
    assert_eq!(server.terminate(), Some(0));
    edit(&ours, "\"nonBinary\"", "\"100%\"");
    let broken = command(&serve(&ours, &state)).args(["--listen", "127.0.0.1:0"]).output().unwrap();
    assert_eq!(broken.status.code(), Some(1), "{}", text(&broken.stderr));
    assert!(text(&broken.stderr).contains("belongs to https://theirs.example"), "{}", text(&broken.stderr));
    assert_eq!((current(), fs::read(state.join("feed.json")).ok()), before);
}

#[test]
fn pipes_links_and_a_damaged_copy_in_the_state_folder_cost_no_start_and_nothing_outside() {
    let folder = tempfile::tempdir().unwrap();
    let [content, state, outside] = ["content", "state", "outside"].map(|name| folder.path().join(name));
    copy_of_content(&content);
    copy_of_content(&outside);
    fs::create_dir(&state).unwrap();
    for name in ["current.json", "feed.json", "pid.new", "feed.json.new"] {
        assert!(Command::new("mkfifo").arg(state.join(name)).status().unwrap().success());
    }
    symlink("../outside", state.join("content-1")).unwrap();
    let outside = || walkdir::WalkDir::new(&outside).into_iter().count();
    let before = outside();
    let arguments = serve(&content, &state);
    let server = Server::start(&arguments);
    let kept = || fs::read_to_string(state.join("current.json")).unwrap_or_default();
    within(TIMEOUT, "the first copy", || state.join("current.json").is_file() && kept().contains("content"));
    edit(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    within(TIMEOUT, "the second copy", || kept().starts_with("{\"copy\":1"));
    assert_eq!(outside(), before, "nothing behind the link is removed");
    assert_eq!(server.terminate(), Some(0));

    // The other copy has the same file of each clinician who did not change.
    fs::write(state.join("content-1").join(PROFILE), "").unwrap();
    edit(&content, "\"nonBinary\"", "\"100%\"");
    let server = Server::start(&arguments);
    assert!(text(&server.get("/v1/providers/jun-nakashima").body).contains("\"Jun Nakashima\""));
    assert!(
        server.logged().iter().any(|line| line.contains("using the one before it")),
        "{:?}",
        server.logged()
    );
}
