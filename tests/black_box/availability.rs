//! Open times through the command: the cases on which five time libraries agree, and feeds.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Server, TIMEOUT, nameplate, text, within};

const CASES: &str = include_str!("../cases/time-cases.json");

/// A clinic with one provider, who has these hours, one state and one visit type.
fn write_clinic(content: &Path, duration: u64, availability: &str) {
    for folder in ["providers", "availability"] {
        fs::create_dir_all(content.join(folder)).unwrap();
    }
    let write = |path: &str, text: &str| fs::write(content.join(path), text).unwrap();
    write(
        "directory.toml",
        "name = \"C\"\ndescription = \"D\"\napi-url = \"https://a.example\"\n\
         mcp-url = \"https://a.example/api/mcp\"\nsite-url = \"https://s.example\"\n",
    );
    write("insurances.toml", "");
    write(
        "appointment-types.toml",
        &format!(
            "[[type]]\nid = 1\nname = \"Visit\"\ndescription = \"A visit.\"\nmodality = \"video\"\n\
             new-patient-eligible = true\nduration = \"{duration}m\"\nstates = \"all\"\n"
        ),
    );
    write(
        "providers/ann-one.toml",
        "id = \"p-1\"\ndisplay-name = \"Ann One\"\ncredentials = \"MD\"\nprovider-type = \"physician\"\n\
         gender = \"female\"\nbio = \"Ann.\"\nlicensed = [\"CA\"]\naccepting = [\"CA\"]\nappointment-types = [1]\n",
    );
    write("availability/ann-one.toml", availability);
}

fn window(window: &Value) -> String {
    format!("\"{}-{}\"", window["start"].as_str().unwrap(), window["end"].as_str().unwrap())
}

fn availability(case: &Value) -> String {
    let notice = case["notice_min"].as_u64().unwrap_or(0);
    let mut toml = vec![format!("timezone = {}\nnotice = \"{notice}m\"", case["timezone"])];
    if let Some(after) = case["buffer_after_min"].as_u64() {
        let before = case["buffer_before_min"].as_u64().unwrap_or(0);
        toml.push(format!("buffer = {{ before = \"{before}m\", after = \"{after}m\" }}"));
    }
    if let Value::Object(effective) = &case["effective"] {
        toml.push("[effective]".to_owned());
        toml.extend(effective.iter().map(|(key, date)| format!("{key} = {}", date.as_str().unwrap())));
    }
    for weekly in case["weekly"].as_array().unwrap() {
        let step = weekly["step_min"].as_u64().or(case["step_min"].as_u64()).unwrap();
        let (days, window) = (&weekly["days"], window(weekly));
        toml.push(format!("[[weekly]]\ndays = {days}\nhours = [{window}]\nstep = \"{step}m\""));
    }
    for exception in case["exceptions"].as_array().into_iter().flatten() {
        assert_eq!(exception["kind"], "replace", "the cases have no other kind");
        let hours: Vec<_> = exception["windows"].as_array().unwrap().iter().map(window).collect();
        let (date, hours) = (exception["date"].as_str().unwrap(), hours.join(", "));
        toml.push(format!(
            "[[exception]]\nkind = \"replace\"\ndate = {date}\nhours = [{hours}]\nstep = \"30m\""
        ));
    }
    toml.join("\n") + "\n"
}

#[test]
fn query_answers_the_time_cases() {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    let cases = cases["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 22);
    for case in cases {
        let folder = tempfile::tempdir().unwrap();
        let content = folder.path().join("content");
        let duration = case["weekly"][0]["duration_min"].as_u64().or(case["duration_min"].as_u64()).unwrap();
        write_clinic(&content, duration, &availability(case));
        if let Value::Array(busy) = &case["busy"] {
            let line = |busy: &Value| {
                json!({"provider": "ann-one", "start": busy["start"], "end": busy["end"], "status": "busy"})
                    .to_string()
            };
            let lines: Vec<_> = busy.iter().map(line).collect();
            fs::write(content.join("availability/busy.ndjson"), lines.join("\n") + "\n").unwrap();
        }
        let (from, to) = (case["range"]["from"].as_str().unwrap(), case["range"]["to"].as_str().unwrap());
        let printed = nameplate(&[
            "query",
            "--content",
            content.to_str().unwrap(),
            "--now",
            from,
            "/v1/availability?state=CA&horizonDays=30&limit=200",
        ]);
        assert_eq!(printed.status.code(), Some(0), "{}: {}", case["description"], text(&printed.stderr));
        let answer: Value = serde_json::from_slice(&printed.stdout).unwrap();
        let starts: Vec<&str> = answer["slots"]
            .as_array()
            .unwrap()
            .iter()
            .map(|slot| slot["startTime"].as_str().unwrap())
            // The case's range is shorter than the horizon.
            .filter(|start| *start < to)
            .collect();
        assert_eq!(json!(starts), case["expected_utc_starts"], "{}", case["description"]);
    }
}

/// Hours with three starts a week, each half an hour.
const THURSDAY: &str = "timezone = \"UTC\"\n[[weekly]]\ndays = [\"thu\"]\nhours = [\"14:00-15:30\"]\n";

#[test]
fn a_busy_feed_is_subtracted_and_followed_and_a_broken_one_reported() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    write_clinic(&content, 30, THURSDAY);
    let feed = content.join("availability/busy.ndjson");
    let line = |start: &str, end: &str| {
        format!(
            "{{\"provider\":\"ann-one\",\"start\":\"2026-06-04T{start}:00Z\",\"end\":\"2026-06-04T{end}:00Z\",\"status\":\"busy\"}}\n"
        )
    };
    fs::write(&feed, line("14:00", "14:30")).unwrap();
    let arguments = ["--content", content.to_str().unwrap(), "--now", "2026-06-04T00:00:00Z"];
    let server = Server::start(&[&["serve", "--admin", "127.0.0.1:0"], &arguments[..]].concat());
    let starts = || {
        let reply = server.get("/v1/availability?state=CA&horizonDays=1");
        let answer: Value = serde_json::from_slice(&reply.body).unwrap();
        let slots = answer["slots"].as_array().unwrap().clone();
        slots.iter().map(|slot| slot["startTime"].as_str().unwrap()[11..16].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(starts(), ["14:30", "15:00"]);
    fs::write(&feed, line("14:30", "15:00") + &line("15:00", "15:01")).unwrap();
    within(TIMEOUT, "the other busy time", || starts() == ["14:00"]);
    // A broken line changes no answer, and `check` reports it.
    fs::write(&feed, "{\"provider\":\"ann-one\"}\n").unwrap();
    within(TIMEOUT, "the broken line is reported", || {
        let ready: Value = serde_json::from_slice(&server.operators().get("/readyz").body).unwrap();
        !ready["feed"]["lastError"].is_null()
    });
    assert_eq!(starts(), ["14:00"]);
    let checked = nameplate(&["check", "--content", content.to_str().unwrap()]);
    assert_eq!(checked.status.code(), Some(1));
    assert!(text(&checked.stdout).contains("availability/busy.ndjson:1:22"), "{}", text(&checked.stdout));
}

#[test]
fn a_feed_broken_at_the_start_only_removes_its_slots() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    write_clinic(&content, 30, THURSDAY);
    let feed = content.join("availability/busy.ndjson");
    fs::write(&feed, "{\"provider\":\"ann-one\"}\n").unwrap();
    let arguments = ["--content", content.to_str().unwrap(), "--now", "2026-06-04T00:00:00Z"];
    let server = Server::start(&[&["serve", "--admin", "127.0.0.1:0"], &arguments[..]].concat());
    let slots = || server.get("/v1/availability?state=CA&horizonDays=1");
    assert_eq!(server.get("/v1/states").status, 200);
    let refused = slots();
    assert_eq!((refused.status, refused.field("retry-after")), (503, Some("60")));
    let refused: Value = serde_json::from_slice(&refused.body).unwrap();
    assert_eq!(refused["code"], "AVAILABILITY_UNAVAILABLE");
    let never = "availability is unknown: nothing could be read from the scheduling system yet";
    assert_eq!(refused["message"], never);
    let ready = Server::elsewhere(server.admin().unwrap()).get("/readyz");
    let report: Value = serde_json::from_slice(&ready.body).unwrap();
    assert_eq!((ready.status, &report["feed"]["status"]), (200, &json!("expired")));
    assert!(report["feed"]["lastError"].as_str().unwrap().contains("busy.ndjson"), "{report}");
    // After a correction all requests are answered again.
    let busy = json!({"provider": "ann-one", "start": "2026-06-04T14:00:00Z", "end": "2026-06-04T15:00:00Z", "status": "busy"});
    fs::write(&feed, format!("{busy}\n")).unwrap();
    within(TIMEOUT, "the corrected feed", || slots().status == 200);
    let answer: Value = serde_json::from_slice(&slots().body).unwrap();
    assert_eq!(answer["slots"].as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(answer["nextAvailable"], "2026-06-04T15:00:00Z");

    // A link to the same file gives the same answer from the start. With a broken link only slots fail, and `check`
    // reports it.
    let elsewhere = folder.path().join("elsewhere.ndjson");
    fs::rename(&feed, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &feed).unwrap();
    let linked = Server::start(&[&["serve"], &arguments[..]].concat());
    assert_eq!(text(&linked.get("/v1/availability?state=CA&horizonDays=1").body), answer.to_string());
    drop(linked);
    let checked = nameplate(&[&["check"], &arguments[..2]].concat());
    assert_eq!(checked.status.code(), Some(0));
    assert!(
        text(&checked.stdout).contains("This is a symlink. The live service reads the file"),
        "{}",
        text(&checked.stdout)
    );
    let asked = nameplate(&[&["query", "/v1/availability?state=CA"], &arguments[..]].concat());
    assert!(text(&asked.stdout).contains("AVAILABILITY_UNAVAILABLE"), "{}", text(&asked.stdout));
    fs::remove_file(&elsewhere).unwrap();
    let waiting = Server::start(&[&["serve"], &arguments[..]].concat());
    let target = "/v1/availability?state=CA&horizonDays=1";
    assert_eq!((waiting.get("/v1/states").status, waiting.get(target).status), (200, 503));
    let refused = nameplate(&[&["check"], &arguments[..2]].concat());
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stdout).contains("its target can't be read"), "{}", text(&refused.stdout));
    fs::write(&elsewhere, format!("{busy}\n")).unwrap();
    within(TIMEOUT, "the link's new target", || waiting.get(target).status == 200);
    drop(waiting);
    fs::remove_file(&feed).unwrap();

    // Two contradicting feeds, or a mistake outside the feed, prevent the start. `check` refuses a broken feed as before.
    fs::write(&feed, "{\"provider\":\"ann-one\"}\n").unwrap();
    let refusal = |command: &[&str]| {
        let output = nameplate(&[command, &arguments[..2]].concat());
        (output.status.code(), text(&output.stderr).to_owned() + text(&output.stdout))
    };
    assert_eq!(refusal(&["check"]).0, Some(1));
    fs::write(content.join("availability/open.ndjson"), "").unwrap();
    let (code, printed) = refusal(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("Both open.ndjson and busy.ndjson are here"), "{printed}");
    fs::remove_file(content.join("availability/open.ndjson")).unwrap();
    fs::write(content.join("availability/nobody.toml"), "timezone = \"UTC\"\n").unwrap();
    let (code, printed) = refusal(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("nobody"), "{printed}");
}
