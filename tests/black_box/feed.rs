//! Feeds from outside: `check --feed`, what docs/FEED.md shows, and what a service says when its feed fails.

mod configured;

use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

use directory::calendar::ExportManifest;
use serde_json::{Value, json};

use crate::documents::{examples_in, write_examples};
use crate::harness::{Server, TIMEOUT, command, nameplate, text, within};

fn line(provider: &str, start: &str, status: &str) -> String {
    json!({"provider": provider, "start": format!("{start}:00Z"), "end": format!("{start}:59Z"), "status": status})
        .to_string()
        + "\n"
}

/// The exit code of `check --feed` and what it printed.
fn check(content: &Path, feed: &Path, more: &[&str]) -> (Option<i32>, String) {
    let arguments = ["check", "--content", content.to_str().unwrap(), "--feed", feed.to_str().unwrap()];
    let output = nameplate(&[&arguments[..], more].concat());
    (output.status.code(), format!("{}{}", text(&output.stdout), text(&output.stderr)))
}

fn check_json(content: &Path, feed: &Path, more: &[&str]) -> (Option<i32>, Value) {
    let (code, printed) = check(content, feed, &[&["--format", "json"], more].concat());
    (code, serde_json::from_str(&printed).unwrap_or_else(|_| panic!("{printed}")))
}

#[test]
fn the_examples_of_the_feed_guide_are_read_as_described() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    write_examples(&content);
    let feeds = examples_in("docs/FEED.md", "ndjson");
    let names: Vec<_> = feeds.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["busy.ndjson", "open.ndjson", "fhir.ndjson"]);
    // The entries that each example has for the mode that it is read in.
    for ((name, lines), (mode, entries)) in feeds.iter().zip([("busy", 3), ("open", 2), ("open", 1)]) {
        let path = folder.path().join(name);
        fs::write(&path, lines).unwrap();
        let (code, told) = check_json(&content, &path, &["--feed-mode", mode]);
        assert_eq!((code, &told["problems"]), (Some(0), &json!([])), "{name}: {told}");
        assert_eq!(
            (&told["mode"], &told["matched"]),
            (&json!(mode), &json!({"entries": entries, "providers": 1}))
        );
    }
    let [(_, settings), _] = &examples_in("docs/FEED.md", "toml")[..] else {
        panic!("two examples of settings")
    };
    let (path, slots) = (folder.path().join("nameplate.toml"), folder.path().join("mapped.ndjson"));
    fs::write(&path, settings).unwrap();
    let (_, fhir) = &feeds[2];
    fs::write(&slots, fhir.replace("Practitioner/prov-0001", "Practitioner/unknown")).unwrap();
    let (code, told) = check(&content, &slots, &["--config", path.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("busy time") && told.contains("matched: 1 entry of 1 provider"), "{told}");
    let [(_, manifest)] = &examples_in("docs/FEED.md", "json")[..] else { panic!("one manifest") };
    assert_eq!(ExportManifest::read(manifest).unwrap().files.len(), 2);
}

#[test]
fn the_feed_guide_names_every_key_reason_and_setting() {
    let page = fs::read_to_string(crate::harness::root().join("docs/FEED.md")).unwrap();
    for reason in directory::calendar::SkipReason::ALL {
        assert!(page.contains(&format!("`{}`", reason.word())), "{}", reason.word());
    }
    let output = nameplate(&["serve", "--print-config"]);
    let settings = text(&output.stdout).lines().skip_while(|line| !line.contains("[feed]")).skip(1);
    let keys = settings.take_while(|line| !line.contains("[feed.") && !line.trim().is_empty());
    let names =
        keys.filter_map(|line| Some(line.trim_start_matches("# ").split_once('=')?.0.trim().to_owned()));
    for name in names.filter(|name| name != "kind") {
        assert!(page.contains(&name), "docs/FEED.md does not name feed.{name}");
    }
}

#[test]
fn what_a_publisher_writes_cannot_control_a_terminal_or_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    write_examples(&content);
    let feed = folder.path().join("open\u{9b}.ndjson");
    let schedule = "x\\nERROR forged\u{202e}\u{9b}2J\\u001b[31m";
    let slot = json!({
        "resourceType": "Slot", "status": "free", "schedule": {"reference": "Schedule/ID"},
        "start": "2026-12-01T16:00:00Z", "end": "2026-12-01T16:30:00Z",
    });
    let location = "{\"resourceType\": \"Location\"}\n";
    let jane = json!({
        "provider": "jane-doe", "status": "free", "start": "2026-12-01T17:00:00Z", "end": "2026-12-01T18:00:00Z",
    });
    fs::write(&feed, format!("{}\n{location}{location}{jane}\n", slot.to_string().replace("ID", schedule)))
        .unwrap();
    let is_bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    let (code, told) = check(&content, &feed, &["--feed-mode", "open"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("resources other than Slot and Schedule: 2 Location\n"), "{told}");
    assert!(told.contains("ERROR forged") && !told.contains(is_bad) && !told.contains("\nERROR"), "{told:?}");
    let (_, told) = check_json(&content, &feed, &["--feed-mode", "open"]);
    assert_eq!(told["otherResources"], json!({"Location": 2}));

    let settings = folder.path().join("nameplate.toml");
    fs::write(&settings, format!("[feed]\npath = {}\nmode = \"open\"\n", json!(feed))).unwrap();
    let arguments = [
        "serve",
        "--content",
        content.to_str().unwrap(),
        "--config",
        settings.to_str().unwrap(),
        "--admin",
        "127.0.0.1:0",
    ];
    let server = Server::start(&arguments);
    let logged = server.logged().join("\n");
    assert!(
        logged.contains("forged") && !logged.contains(is_bad) && !logged.contains("\nERROR"),
        "{logged:?}"
    );
    let ready = Server::elsewhere(server.admin().unwrap()).get("/readyz");
    assert!(text(&ready.body).contains("\"Location\":2") && !text(&ready.body).contains(is_bad));

    // The names of files and the lines of them, too.
    fs::write(content.join("insurances.toml"), "[[plan]]\nname = \"a\u{9b}b\u{202e}c\" x\n").unwrap();
    let named = folder.path().join("content\u{1b}[31m\u{9b}");
    fs::rename(&content, &named).unwrap();
    for more in [&[][..], &["--format", "github"], &["--feed", "/nowhere\u{1b}"]] {
        let output = nameplate(&[&["check", "--content", named.to_str().unwrap()], more].concat());
        let told = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert!(!told.is_empty() && !told.contains(is_bad), "{told:?}");
    }
}

#[test]
fn check_reports_each_bad_line_of_a_feed_with_help() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    write_examples(&content);
    let feed = folder.path().join("busy.ndjson");
    fs::write(
        &feed,
        line("jane-doe", "2026-12-01T10:00", "busy") + "{\n" + &line("jane-doe", "2026-12-02T10:00", "away"),
    )
    .unwrap();
    let (code, told) = check(&content, &feed, &[]);
    assert_eq!(code, Some(1), "{told}");
    for part in
        ["busy.ndjson:2:1: this isn't JSON", "busy.ndjson:3:", "unknown variant `away`", "help: ", "refused"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    // Taken time of a misspelled slug may be anyone's, and the advice fixes it.
    fs::write(&feed, line("jane-deo", "2026-12-01T10:00", "busy")).unwrap();
    let (code, told) = check_json(&content, &feed, &[]);
    assert_eq!(
        (code, &told["errors"], &told["problems"][0]["line"]),
        (Some(1), &json!(2), &json!(1)),
        "{told}"
    );
    assert_eq!(told["problems"][0]["help"], "did you mean \"jane-doe\"?");
    assert_eq!(told["matched"], json!({"entries": 0, "providers": 0}));
    assert!(
        told["problems"][1]["what"].as_str().unwrap().contains("no line of the feed is about a clinician")
    );
    fs::write(
        &feed,
        line("jane-doe", "2026-12-01T10:00", "busy") + &line("old-doc", "2026-12-01T11:00", "busy"),
    )
    .unwrap();
    let (code, told) = check_json(&content, &feed, &[]);
    assert_eq!(
        (code, &told["skipped"], &told["withheld"]),
        (Some(0), &json!({"retired": 1}), &json!([])),
        "{told}"
    );
    // A feed that says nothing isn't a feed; neither is one without an entry that its mode counts.
    fs::write(&feed, "").unwrap();
    assert_eq!(check(&content, &feed, &[]).0, Some(1));
    for (status, mode, other) in [("free", "busy", "open"), ("busy", "open", "busy")] {
        fs::write(&feed, line("jane-doe", "2026-12-01T10:00", status)).unwrap();
        let (code, told) = check(&content, &feed, &["--feed-mode", mode]);
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains(&format!("set its mode to {other}")), "{told}");
        assert_eq!(check(&content, &feed, &["--feed-mode", other]).0, Some(0));
    }
    // Whom a busy feed does not mention keeps all hours, and that is said.
    let jane = fs::read_to_string(content.join("providers/jane-doe.toml")).unwrap();
    let john = jane.replace("prov-0001", "prov-0002").replace("Jane", "John");
    let is_own = |line: &&str| !line.starts_with("npi") && !line.starts_with("former-slugs");
    let john = john.lines().filter(is_own).collect::<Vec<_>>().join("\n");
    fs::write(content.join("providers/john-roe.toml"), john).unwrap();
    let (code, told) = check(&content, &feed, &[]);
    assert!(
        code == Some(0) && told.contains("not mentioned, all their hours are offered: john-roe"),
        "{told}"
    );
    let (_, told) = check_json(&content, &feed, &[]);
    assert_eq!(told["notMentioned"], json!(["john-roe"]), "{told}");
    // An emptied file is not used, and offers no hours.
    fs::write(&feed, "").unwrap();
    let (code, told) = check(&content, &feed, &[]);
    assert!(code == Some(1) && told.contains("the feed has no lines"), "{told}");
    assert!(!told.contains("are offered"), "{told}");
    // A file whose entries have all passed is used with a warning.
    fs::write(&feed, line("jane-doe", "2020-12-01T10:00", "busy")).unwrap();
    let (code, told) = check(&content, &feed, &[]);
    assert!(code == Some(0) && told.contains("warning: ") && told.contains("are in the past"), "{told}");
    // The program doesn't guess what a file of another name lists, and the advice works.
    let other = folder.path().join("slots.ndjson");
    fs::copy(&feed, &other).unwrap();
    let (code, told) = check(&content, &other, &[]);
    assert!(code == Some(2) && told.contains("--feed-mode busy or open"), "{told}");
    assert_eq!(check(&content, &other, &["--feed-mode", "busy"]).0, Some(0));
    // A file that is not there, and an address where nothing answers.
    assert_eq!(check(&content, &folder.path().join("gone.ndjson"), &[]).0, Some(2));
    let (code, told) = check(&content, Path::new("http://127.0.0.1:9/manifest"), &[]);
    assert_eq!(code, Some(2), "{told}");
    let (code, told) = check(&folder.path().join("nowhere"), &feed, &[]);
    assert_eq!(code, Some(2), "{told}");
}

#[test]
fn check_names_whom_a_schedule_of_an_unknown_clinician_withholds() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    write_examples(&content);
    let (_, fhir) = &examples_in("docs/FEED.md", "ndjson")[2];
    let feed = folder.path().join("busy.ndjson");
    fs::write(
        &feed,
        fhir.replace("prov-0001", "prov-0001-new") + &line("jane-doe", "2026-12-01T10:00", "busy"),
    )
    .unwrap();
    // Jane is described by a line of her own, so the other Schedule is someone else's.
    let (code, told) = check_json(&content, &feed, &[]);
    assert_eq!((code, &told["withheld"]), (Some(0), &json!([])), "{told}");
    fs::write(&feed, fhir.replace("prov-0001", "prov-0001-new")).unwrap();
    let (code, told) = check_json(&content, &feed, &[]);
    assert_eq!((code, &told["withheld"]), (Some(1), &json!(["jane-doe"])), "{told}");
    assert!(told["problems"][0]["help"].as_str().unwrap().contains("[feed.schedules.17]"), "{told}");
}

/// Runs a service with a feed that ages fast, and gives back its log as JSON when it has said this.
#[test]
fn an_expired_feed_is_an_error_in_the_log_with_plain_fields() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    write_examples(&content);
    let (feed, settings, log) =
        (folder.path().join("busy.ndjson"), folder.path().join("s.toml"), folder.path().join("log"));
    fs::write(&feed, line("jane-doe", "2026-12-01T10:00", "busy")).unwrap();
    // Stale for an hour, or not at all.
    for (max_stale, level, status) in [("1h", "WARN", "stale"), ("1s", "ERROR", "expired")] {
        fs::write(&feed, line("jane-doe", "2026-12-01T10:00", "busy")).unwrap();
        let table = format!(
            "[feed]\npath = {feed:?}\nmode = \"busy\"\npoll = \"200ms\"\nfresh-for = \"1s\"\nmax-stale = \"{max_stale}\"\n"
        );
        fs::write(&settings, format!("content = {content:?}\nlisten = \"127.0.0.1:0\"\n{table}")).unwrap();
        let mut serve = command(&["serve", "--config", settings.to_str().unwrap(), "--log-format", "json"]);
        serve.stderr(File::create(&log).unwrap()).stdout(Stdio::null());
        let mut process = serve.spawn().unwrap();
        let with = |is_it: &dyn Fn(&Value) -> bool| {
            let text = fs::read_to_string(&log).unwrap();
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).find(is_it)
        };
        within(TIMEOUT, "the feed is read", || with(&|line| line["status"].is_string()).is_some());
        fs::remove_file(&feed).unwrap();
        let told = |line: &Value| line["level"] == level && line["status"] == status;
        within(TIMEOUT, status, || with(&told).is_some());
        process.kill().unwrap();
        process.wait().unwrap();
        let told = with(&told).unwrap();
        assert!(told["as_of"].as_str().is_none_or(|as_of| as_of.ends_with('Z')), "{told}");
        assert!(status == "expired" || told["as_of"].is_string(), "{told}");
        let whole = fs::read_to_string(&log).unwrap();
        assert!(!whole.contains("Stale {") && !whole.contains("Expired"), "{whole}");
    }
}

#[test]
fn a_misspelled_slug_in_a_busy_file_offers_no_taken_time() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    write_examples(&content);
    let feed = content.join("availability/busy.ndjson");
    let taken = json!({"provider": "jane-doe", "start": "2026-12-01T00:00:00Z", "end": "2026-12-31T00:00:00Z", "status": "busy"});
    fs::write(&feed, format!("{taken}\n")).unwrap();
    let now = "2026-12-01T12:00:00Z";
    let arguments = ["serve", "--content", content.to_str().unwrap(), "--now", now, "--admin", "127.0.0.1:0"];
    let slots = |server: &Server| {
        let reply = server.get("/v1/availability?state=CA&horizonDays=14");
        (reply.status, text(&reply.body).matches("startTime").count())
    };
    let server = Server::start(&arguments);
    assert_eq!(slots(&server), (200, 0));
    fs::write(&feed, format!("{taken}\n").replace("jane-doe", "jane-deo")).unwrap();
    let admin = Server::elsewhere(server.admin().unwrap());
    within(TIMEOUT, "the reason", || text(&admin.get("/readyz").body).contains("did you mean"));
    // `/readyz` has the reason a moment before the calendar changes.
    within(TIMEOUT, "no answer", || slots(&server).0 == 503);
    drop(server);
    // After a restart, too.
    let server = Server::start(&arguments);
    assert_eq!(slots(&server).0, 503);
    let checked = nameplate(&["check", "--content", content.to_str().unwrap()]);
    assert_eq!(checked.status.code(), Some(1), "{}", text(&checked.stdout));
    assert!(text(&checked.stdout).contains("Did you mean \"jane-doe\"?"));
}

#[test]
fn check_counts_the_lines_beyond_the_hundred_that_it_lists() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    write_examples(&content);
    let feed = folder.path().join("open.ndjson");
    let good = line("jane-doe", "2026-12-01T10:00", "free");
    let unknown: String =
        (0..130).map(|n| line(&format!("unknown-{n}"), "2026-12-01T10:00", "free")).collect();
    fs::write(&feed, good.clone() + &unknown).unwrap();
    let (code, told) = check_json(&content, &feed, &[]);
    assert_eq!(
        (code, &told["skipped"]["unresolved"], &told["warnings"]),
        (Some(0), &json!(130), &json!(101))
    );
    assert_eq!(told["problems"][100]["what"], "no more than 100 skipped lines are listed");
    fs::write(&feed, good + &"{\n".repeat(130)).unwrap();
    let (code, told) = check_json(&content, &feed, &[]);
    assert_eq!((code, &told["errors"]), (Some(1), &json!(130)), "{told}");
}
