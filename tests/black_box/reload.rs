//! A running service whose content and feed change.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use crate::harness::{NOW, Server, TIMEOUT, command, nameplate, text, within};
use crate::publish::copy_of_content;

fn edit(content: &Path, from: &str, to: &str) {
    let file = content.join("providers/jun-nakashima.toml");
    let before = fs::read_to_string(&file).unwrap();
    assert!(before.contains(from));
    fs::write(&file, before.replace(from, to)).unwrap();
}

#[test]
fn serve_replaces_content_as_a_whole_and_keeps_the_last_good() {
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

    // Under load, each answer belongs to one generation and none is an error.
    let (address, is_over) = (server.address(), Arc::new(AtomicBool::new(false)));
    let asked = Arc::new(AtomicUsize::new(0));
    let further = |count: usize| {
        let least = asked.load(Ordering::Relaxed) + count;
        within(TIMEOUT, "further answers", || asked.load(Ordering::Relaxed) >= least);
    };
    let clients: Vec<_> = (0..2)
        .map(|_| {
            let (is_over, asked) = (Arc::clone(&is_over), Arc::clone(&asked));
            thread::spawn(move || {
                let server = Server::elsewhere(address);
                let mut seen = std::collections::BTreeSet::new();
                while !is_over.load(Ordering::Relaxed) {
                    let reply = server.get("/v1/providers/jun-nakashima");
                    assert_eq!(reply.status, 200);
                    let name = if text(&reply.body).contains("Juno") { "Juno" } else { "Jun" };
                    seen.insert((reply.field("nameplate-generation").unwrap().to_owned(), name));
                    let slots = server.get("/v1/availability?state=AZ");
                    assert_eq!(slots.status, 200);
                    asked.fetch_add(1, Ordering::Relaxed);
                }
                seen
            })
        })
        .collect();
    further(20);
    edit(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    within(TIMEOUT, "the new name", || profile().contains("Juno Nakashima"));
    further(20);
    is_over.store(true, Ordering::Relaxed);
    for client in clients {
        let seen = client.join().unwrap();
        let generations: std::collections::BTreeSet<_> =
            seen.iter().map(|(generation, _)| generation).collect();
        assert_eq!((generations.len(), seen.len()), (2, 2), "one body for each generation: {seen:?}");
    }
    within(TIMEOUT, "the new generation", || ready()["generation"] != first);

    // Operators see a broken edit's mistakes exactly as `check` prints them.
    edit(&content, "\"nonBinary\"", "\"100%\"");
    within(TIMEOUT, "the refusal", || !ready()["content"]["lastError"].is_null());
    assert_eq!(admin.get("/readyz").status, 200);
    let error = ready()["content"]["lastError"]["what"].as_str().unwrap().to_owned();
    let checked = nameplate(&["check", "--content", content.to_str().unwrap()]);
    assert!(
        error.contains("isn't a valid gender") && text(&checked.stdout).contains(error.trim()),
        "{error}"
    );
    assert!(profile().contains("Juno Nakashima"));
    assert!(text(&admin.get("/metrics").body).contains("nameplate_content_refused 1\n"));

    edit(&content, "\"100%\"", "\"nonBinary\"");
    within(TIMEOUT, "the corrected content", || ready()["content"]["lastError"].is_null());
}

#[test]
fn a_static_folder_of_other_content_or_none_is_reported_while_the_service_stays_ready() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out, away) = ["content", "dist", "away"].map(|name| folder.path().join(name)).into();
    copy_of_content(&content);
    let [content_path, out_path] = [&content, &out].map(|path| path.to_str().unwrap());
    let build = || nameplate(&["build", "--content", content_path, "--out", out_path]);
    assert!(build().status.success());
    let of_folder = || {
        let manifest = fs::read(out.join("v1/manifest.json")).unwrap();
        serde_json::from_slice::<serde_json::Value>(&manifest).unwrap()["generation"].clone()
    };
    // The folder is of older content from the start.
    edit(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    let arguments = ["serve", "--content", content_path, "--static", out_path, "--admin", "127.0.0.1:0"];
    let server = Server::start(&[&arguments[..], &["--now", NOW]].concat());
    let admin = server.operators();
    let ready = || -> serde_json::Value { serde_json::from_slice(&admin.get("/readyz").body).unwrap() };
    let shown = |is_current: bool, error: Option<&str>| {
        let (state, metrics) = (ready(), admin.get("/metrics"));
        let (state, status) = (state["static"].clone(), state["status"].clone());
        let told = state["lastError"]["what"].as_str();
        let of = |name: &str, value: bool| {
            text(&metrics.body).contains(&format!("nameplate_static_{name} {}\n", u8::from(value)))
        };
        status == "ready"
            && state["isCurrent"] == is_current
            && told.is_some() == error.is_some()
            && told.unwrap_or_default().contains(error.unwrap_or_default())
            && of("current", is_current)
            && of("failing", error.is_some())
    };
    let warned = server.logs("the --static folder was built from other content");
    let generation = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let (old, new) = (generation(&of_folder()), generation(&ready()["generation"]));
    assert!(
        warned.contains("WARN") && warned.contains(&format!("({old}, now {new}): run `nameplate build`"))
    );
    within(TIMEOUT, "an old folder", || shown(false, None));
    assert_eq!(ready()["static"]["generation"], old);

    assert!(build().status.success());
    server.logs("the --static folder has the served content again");
    within(TIMEOUT, "the new folder", || shown(true, None) && ready()["static"]["generation"] == new);

    // An edit of a running service.
    edit(&content, "\"Juno Nakashima\"", "\"June Nakashima\"");
    server.logs("the --static folder was built from other content");
    within(TIMEOUT, "the edit", || shown(false, None));
    assert!(build().status.success());
    server.logs("the --static folder has the served content again");

    // The website is gone, and the API answers.
    fs::rename(&out, &away).unwrap();
    assert!(server.logs("the --static folder is missing").contains("ERROR"));
    within(TIMEOUT, "no folder", || shown(false, Some("missing")));
    let statuses = ["/", "/v1/states"].map(|path| server.get(path).status);
    assert_eq!((statuses, admin.get("/readyz").status), ([503, 200], 200));
    fs::rename(&away, &out).unwrap();
    within(TIMEOUT, "the folder", || shown(true, None));
    assert_eq!(server.get("/").status, 200);
    fs::remove_file(out.join("v1/manifest.json")).unwrap();
    within(TIMEOUT, "no manifest", || shown(false, Some("v1/manifest.json")));
}

#[test]
fn an_edit_that_is_not_finished_is_not_served() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let content_path = content.to_str().unwrap();
    let arguments = ["serve", "--content", content_path, "--admin", "127.0.0.1:0", "--now", NOW];
    let server = Server::start(&arguments);
    let admin = Server::elsewhere(server.admin().unwrap());
    let profile = || text(&server.get("/v1/providers/jun-nakashima").body).to_owned();
    let error = || {
        let ready: serde_json::Value = serde_json::from_slice(&admin.get("/readyz").body).unwrap();
        ready["content"]["lastError"]["what"].as_str().unwrap_or_default().to_owned()
    };
    // What a command that was killed leaves behind.
    let journal = content.join(".nameplate-edit");
    fs::create_dir(&journal).unwrap();
    edit(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    within(TIMEOUT, "the refusal", || error().contains("run that command again"));
    assert!(profile().contains("\"Jun Nakashima\""));
    let refused = nameplate(&["serve", "--content", content_path, "--listen", "127.0.0.1:0"]);
    assert!(text(&refused.stderr).contains("run that command again"), "{}", text(&refused.stderr));
    assert_eq!(refused.status.code(), Some(75), "the command may be run again");

    fs::remove_dir(&journal).unwrap();
    within(TIMEOUT, "the whole edit", || profile().contains("Juno Nakashima"));
    within(TIMEOUT, "no error", || error().is_empty());
}

#[test]
fn without_watching_only_sighup_reads_the_content_again() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let settings = folder.path().join("nameplate.toml");
    fs::write(&settings, format!("reload = false\ncontent = {:?}\n", content.to_str().unwrap())).unwrap();
    let server = Server::start(&["serve", "--config", settings.to_str().unwrap()]);
    let profile = || text(&server.get("/v1/providers/jun-nakashima").body).to_owned();
    // Another one watches the same folder.
    let watching = Server::start(&["serve", "--content", content.to_str().unwrap()]);
    edit(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    within(TIMEOUT, "the change is seen", || {
        text(&watching.get("/v1/providers/jun-nakashima").body).contains("Juno Nakashima")
    });
    assert!(profile().contains("\"Jun Nakashima\""));
    server.signal("-HUP");
    within(TIMEOUT, "the new name", || profile().contains("Juno Nakashima"));
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_new_feed_file_is_read_and_survives_new_content() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let feed = content.join("availability/open.ndjson");
    let arguments = ["serve", "--content", content.to_str().unwrap(), "--admin", "127.0.0.1:0", "--now", NOW];
    let server = Server::start(&arguments);
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
    // Half a line isn't a feed, and the hours may be taken: nothing is known.
    fs::write(&feed, "{\"provider\":").unwrap();
    within(TIMEOUT, "503", || server.get("/v1/availability?state=AZ").status == 503);
    let line = format!(
        "{{\"provider\":\"{provider}\",\"start\":\"2026-11-24T17:07:00Z\",\"end\":\"2026-11-24T18:07:00Z\",\"status\":\"free\"}}\n"
    );
    fs::write(&feed, line).unwrap();
    within(TIMEOUT, "the feed's one slot", || slots() == 1);
    edit(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    within(TIMEOUT, "the new name", || {
        text(&server.get("/v1/providers/jun-nakashima").body).contains("Juno Nakashima")
    });
    assert_eq!(slots(), 1, "new content keeps the feed's data");
    // A missing feed is not an empty one: its last good data is shown while it is fresh.
    fs::remove_file(&feed).unwrap();
    within(TIMEOUT, "the loss is reported", || {
        let ready: serde_json::Value =
            serde_json::from_slice(&server.operators().get("/readyz").body).unwrap();
        !ready["feed"]["lastError"].is_null()
    });
    assert_eq!(slots(), 1);
}

#[test]
fn a_broken_feed_keeps_its_last_good_data_and_does_not_block_edits() {
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

    fs::write(&feed, b"\xff\xfe not a line\n").unwrap();
    within(TIMEOUT, "the feed's error", || ready()["feed"]["lastError"].is_string());
    edit(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
    within(TIMEOUT, "the new name", || {
        text(&server.get("/v1/providers/jun-nakashima").body).contains("Juno Nakashima")
    });
    assert_eq!(slots(), 1, "the last good data");
    let report = ready();
    assert!(report["content"]["lastError"].is_null() && report["feed"]["lastError"].is_string(), "{report}");
    let checked = nameplate(&["check", "--content", content.to_str().unwrap()]);
    assert_eq!(checked.status.code(), Some(1));

    fs::write(&feed, format!("{line}{}", line.replace("T17", "T19").replace("T18", "T20"))).unwrap();
    within(TIMEOUT, "the corrected feed's two slots", || slots() == 2);
    assert!(ready()["feed"]["lastError"].is_null());
}

#[test]
fn a_missing_feed_file_does_not_prevent_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let feed = content.join("availability/open.ndjson");
    std::os::unix::fs::symlink(folder.path().join("not-yet"), &feed).unwrap();
    for _ in 0..2 {
        let server = Server::start(&["serve", "--content", content.to_str().unwrap(), "--now", NOW]);
        assert_eq!(server.get("/v1/states").status, 200);
        assert_eq!(server.get("/v1/availability?state=AZ").status, 503);
        // The second round: a folder instead of the link.
        _ = fs::remove_file(&feed);
        fs::create_dir_all(&feed).unwrap();
        edit(&content, "\"Jun Nakashima\"", "\"Juno Nakashima\"");
        within(TIMEOUT, "an edit beside it", || {
            text(&server.get("/v1/providers/jun-nakashima").body).contains("Juno Nakashima")
        });
        edit(&content, "\"Juno Nakashima\"", "\"Jun Nakashima\"");
    }
}

#[test]
fn settings_name_their_origins_and_mistakes_their_positions() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nameplate.toml");
    let file = file.to_str().unwrap();
    fs::write(file, "listen = \"127.0.0.1:18199\"\n[log]\nformat = \"json\"\n").unwrap();
    let printed = nameplate(&["serve", "--config", file, "--listen", "127.0.0.1:18198", "--print-config"]);
    assert_eq!(printed.status.code(), Some(0));
    let printed = text(&printed.stdout);
    assert!(printed.contains("listen = \"127.0.0.1:18198\" # --listen\n"), "{printed}");
    assert!(printed.contains(&format!("format = \"json\" # {file}:3\n")), "{printed}");
    fs::write(file, "lissen = \"127.0.0.1:18199\"\n[log]\nformat = \"xml\"\n").unwrap();
    let refused = nameplate(&["serve", "--config", file]);
    assert_eq!(refused.status.code(), Some(2));
    let printed = text(&refused.stderr);
    assert!(
        printed.contains(&format!("{file}:1:1")) && printed.contains("did you mean \"listen\"?"),
        "{printed}"
    );
    assert!(
        printed.contains(&format!("{file}:3:10")) && printed.contains("the configuration has 2 errors"),
        "{printed}"
    );
    let absent = nameplate(&["serve", "--config", "nowhere.toml"]);
    assert_eq!(absent.status.code(), Some(2));
    assert!(text(&absent.stderr).contains("can't read the configuration nowhere.toml: it doesn't exist"));
}

#[test]
fn a_sighup_during_the_start_reloads_after_it() {
    let mut command = command(&["serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"]);
    let mut process = command.stderr(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(process.stderr.take().unwrap()).lines();
    let (sender, logged) = mpsc::channel();
    thread::spawn(move || lines.map_while(Result::ok).for_each(|line| drop(sender.send(line))));
    let until = |what: &str| {
        while !logged.recv_timeout(TIMEOUT).expect(what).contains(what) {}
    };
    until("admin=");
    let signal = |name: &str| {
        let sent = Command::new("kill").args([name, &process.id().to_string()]).status().unwrap();
        assert!(sent.success());
    };
    signal("-HUP");
    until("reading the content again on SIGHUP");
    until("content unchanged");
    signal("-TERM");
    assert_eq!(process.wait().unwrap().code(), Some(0));
}
