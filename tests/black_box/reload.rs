//! A service that runs while its content, its feed and its operators do what they do.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use crate::harness::{NOW, Server, command, nameplate, text, within};
use crate::publish::copy_of_content;

const PATIENCE: Duration = Duration::from_secs(20);

/// Another name for one clinician, and the old text.
fn rename(content: &Path, from: &str, to: &str) {
    let file = content.join("providers/jun-nakashima.toml");
    let before = fs::read_to_string(&file).unwrap();
    assert!(before.contains(from));
    fs::write(&file, before.replace(from, to)).unwrap();
}

#[test]
fn serve_takes_up_changed_content_whole_and_keeps_the_last_good() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let server = Server::start(&[
        "serve",
        "--content",
        content.to_str().unwrap(),
        "--admin",
        "127.0.0.1:0",
        "--now",
        NOW,
    ]);
    let admin = Server::elsewhere(server.admin().unwrap());
    let profile = || text(&server.get("/v1/providers/jun-nakashima").body).to_owned();
    let ready = || -> serde_json::Value { serde_json::from_slice(&admin.get("/readyz").body).unwrap() };
    let first = ready()["generation"].clone();

    // Under load: every answer is whole, of one generation, and none is an error.
    let (address, is_over) = (server.address(), Arc::new(AtomicBool::new(false)));
    let clients: Vec<_> = (0..2)
        .map(|_| {
            let is_over = Arc::clone(&is_over);
            thread::spawn(move || {
                let server = Server::elsewhere(address);
                let (mut seen, mut count) = (std::collections::BTreeSet::new(), 0);
                while !is_over.load(Ordering::Relaxed) {
                    let reply = server.get("/v1/providers/jun-nakashima");
                    assert_eq!(reply.status, 200);
                    let name = if text(&reply.body).contains("Juno") { "Juno" } else { "Jun" };
                    seen.insert((reply.field("nameplate-generation").unwrap().to_owned(), name));
                    let slots = server.get("/v1/availability?state=AZ");
                    assert_eq!(slots.status, 200);
                    count += 2;
                }
                (seen, count)
            })
        })
        .collect();
    thread::sleep(Duration::from_millis(300));
    rename(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    within(PATIENCE, "the new name", || profile().contains("Juno Nakashima"));
    thread::sleep(Duration::from_millis(300));
    is_over.store(true, Ordering::Relaxed);
    for client in clients {
        let (seen, count) = client.join().unwrap();
        let generations: std::collections::BTreeSet<_> =
            seen.iter().map(|(generation, _)| generation).collect();
        assert_eq!((generations.len(), seen.len()), (2, 2), "one body for each generation: {seen:?}");
        assert!(count > 10);
    }
    within(PATIENCE, "the new generation", || ready()["generation"] != first);

    // A broken edit is told where operators look, word for word as `check` tells it.
    rename(&content, "\"nonBinary\"", "\"100%\"");
    within(PATIENCE, "the refusal", || !ready()["content"]["lastError"].is_null());
    assert_eq!(admin.get("/readyz").status, 200);
    let told = ready()["content"]["lastError"]["what"].as_str().unwrap().to_owned();
    let checked = nameplate(&["check", "--content", content.to_str().unwrap()]);
    assert!(told.contains("is not a gender") && text(&checked.stdout).contains(told.trim()), "{told}");
    assert!(profile().contains("Juno Nakashima"));
    assert!(text(&admin.get("/metrics").body).contains("nameplate_content_refused 1\n"));

    rename(&content, "\"100%\"", "\"nonBinary\"");
    within(PATIENCE, "the mended content", || ready()["content"]["lastError"].is_null());
}

#[test]
fn without_watching_only_a_hangup_reads_the_content_again() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let settings = folder.path().join("nameplate.toml");
    fs::write(&settings, format!("reload = false\ncontent = {:?}\n", content.to_str().unwrap())).unwrap();
    let server = Server::start(&["serve", "--config", settings.to_str().unwrap()]);
    let profile = || text(&server.get("/v1/providers/jun-nakashima").body).to_owned();
    rename(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    thread::sleep(Duration::from_secs(2));
    assert!(profile().contains("\"Jun Nakashima\""));
    assert!(Command::new("kill").args(["-HUP", &server.id().to_string()]).status().unwrap().success());
    within(PATIENCE, "the new name", || profile().contains("Juno Nakashima"));
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_feed_that_appears_is_taken_up_and_survives_new_content() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let feed = content.join("availability/open.ndjson");
    let server = Server::start(&["serve", "--content", content.to_str().unwrap(), "--now", NOW]);
    let slots = || {
        let reply = server.get("/v1/availability?state=AZ&horizonDays=30&limit=200");
        text(&reply.body).matches("startTime").count()
    };
    let by_hours = slots();
    assert!(by_hours > 1, "{by_hours}");
    let provider = {
        let reply = server.get("/v1/availability?state=AZ&limit=1");
        let answer: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
        answer["slots"][0]["providerSlug"].as_str().unwrap().to_owned()
    };
    // Half a line is no feed, and the hours may be taken: nothing is known.
    fs::write(&feed, "{\"provider\":").unwrap();
    within(PATIENCE, "503", || server.get("/v1/availability?state=AZ").status == 503);
    let line = format!(
        "{{\"provider\":\"{provider}\",\"start\":\"2026-11-24T17:07:00Z\",\"end\":\"2026-11-24T18:07:00Z\",\"status\":\"free\"}}\n"
    );
    fs::write(&feed, line).unwrap();
    within(PATIENCE, "the feed's one slot", || slots() == 1);
    rename(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    within(PATIENCE, "the new name", || {
        text(&server.get("/v1/providers/jun-nakashima").body).contains("Juno Nakashima")
    });
    assert_eq!(slots(), 1, "new content keeps what the feed has said");
    // Gone is not empty: the last good data is shown while it is fresh.
    fs::remove_file(&feed).unwrap();
    thread::sleep(Duration::from_millis(1500));
    assert_eq!(slots(), 1);
}

#[test]
fn a_feed_that_breaks_keeps_its_last_good_data_and_holds_back_no_edit() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let feed = content.join("availability/open.ndjson");
    let hours = Server::start(&["serve", "--content", content.to_str().unwrap(), "--now", NOW]);
    let reply = hours.get("/v1/availability?state=AZ&limit=1");
    let answer: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
    let provider = answer["slots"][0]["providerSlug"].as_str().unwrap();
    drop(hours);
    let line = format!(
        "{{\"provider\":\"{provider}\",\"start\":\"2026-11-24T17:07:00Z\",\"end\":\"2026-11-24T18:07:00Z\",\"status\":\"free\"}}\n"
    );
    fs::write(&feed, &line).unwrap();
    let arguments = ["serve", "--content", content.to_str().unwrap(), "--admin", "127.0.0.1:0", "--now", NOW];
    let server = Server::start(&arguments);
    let admin = Server::elsewhere(server.admin().unwrap());
    let ready = || -> serde_json::Value { serde_json::from_slice(&admin.get("/readyz").body).unwrap() };
    let slots = || {
        let reply = server.get("/v1/availability?state=AZ&horizonDays=30&limit=200");
        text(&reply.body).matches("startTime").count()
    };
    assert_eq!(slots(), 1);

    // Bytes that are no text: neither lines nor JSON.
    fs::write(&feed, b"\xff\xfe not a line\n").unwrap();
    within(PATIENCE, "the feed's error", || ready()["feed"]["lastError"].is_string());
    rename(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    within(PATIENCE, "the new name", || {
        text(&server.get("/v1/providers/jun-nakashima").body).contains("Juno Nakashima")
    });
    assert_eq!(slots(), 1, "the last good data");
    let told = ready();
    assert!(told["content"]["lastError"].is_null() && told["feed"]["lastError"].is_string(), "{told}");
    // Whoever publishes content still learns of it.
    let checked = nameplate(&["check", "--content", content.to_str().unwrap()]);
    assert_eq!(checked.status.code(), Some(1));

    fs::write(&feed, format!("{line}{}", line.replace("T17", "T19").replace("T18", "T20"))).unwrap();
    within(PATIENCE, "the mended feed's two slots", || slots() == 2);
    assert!(ready()["feed"]["lastError"].is_null());
}

#[test]
fn a_feed_that_is_not_there_yet_or_is_no_file_keeps_nobody_from_starting() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let feed = content.join("availability/open.ndjson");
    std::os::unix::fs::symlink(folder.path().join("not-yet"), &feed).unwrap();
    for _ in 0..2 {
        let server = Server::start(&["serve", "--content", content.to_str().unwrap(), "--now", NOW]);
        assert_eq!(server.get("/v1/states").status, 200);
        assert_eq!(server.get("/v1/availability?state=AZ").status, 503);
        // The same where a folder stands in its place.
        _ = fs::remove_file(&feed);
        fs::create_dir_all(&feed).unwrap();
        rename(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
        within(PATIENCE, "an edit beside it", || {
            text(&server.get("/v1/providers/jun-nakashima").body).contains("Juno Nakashima")
        });
        rename(&content, "\"Juno Nakashima\"", "\"Jun Nakashima\"");
    }
}

#[test]
fn settings_come_from_three_places_and_mistakes_are_shown_at_theirs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nameplate.toml");
    let file = file.to_str().unwrap();
    fs::write(file, "listen = \"127.0.0.1:18199\"\n[log]\nformat = \"json\"\n").unwrap();
    let printed = nameplate(&["serve", "--config", file, "--listen", "127.0.0.1:18198", "--print-config"]);
    assert_eq!(printed.status.code(), Some(0));
    let said = text(&printed.stdout);
    assert!(said.contains("listen = \"127.0.0.1:18198\" # --listen\n"), "{said}");
    assert!(said.contains(&format!("format = \"json\" # {file}:3\n")), "{said}");
    fs::write(file, "lissen = \"127.0.0.1:18199\"\n[log]\nformat = \"xml\"\n").unwrap();
    let refused = nameplate(&["serve", "--config", file]);
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(said.contains(&format!("{file}:1:1")) && said.contains("did you mean \"listen\"?"), "{said}");
    assert!(
        said.contains(&format!("{file}:3:10")) && said.contains("the configuration has 2 errors"),
        "{said}"
    );
    let absent = nameplate(&["serve", "--config", "nowhere.toml"]);
    assert_eq!(absent.status.code(), Some(2));
    assert!(text(&absent.stderr).contains("cannot read the configuration nowhere.toml: it is not there"));
}

#[test]
fn who_asks_for_new_content_while_the_first_is_being_read_is_heard_when_it_is_served() {
    let mut command = command(&["serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"]);
    let mut process = command.stderr(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(process.stderr.take().unwrap()).lines();
    let (say, said) = mpsc::channel();
    thread::spawn(move || lines.map_while(Result::ok).for_each(|line| drop(say.send(line))));
    let until = |what: &str| {
        while !said.recv_timeout(PATIENCE).expect(what).contains(what) {}
    };
    until("admin=");
    let signal = |name: &str| {
        let sent = Command::new("kill").args([name, &process.id().to_string()]).status().unwrap();
        assert!(sent.success());
    };
    signal("-HUP");
    until("asked to read the content again");
    until("nothing is new in it");
    signal("-TERM");
    assert_eq!(process.wait().unwrap().code(), Some(0));
}
