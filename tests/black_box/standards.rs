//! The files for FHIR clients: the same bytes from `build`, `export` and live.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::harness::{NOW, Server, nameplate, root, text};

const CASE: &str = "tests/cases/standards/content";
const CASE_NOW: &str = "2026-11-22T18:00:00Z";

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    entries
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let name = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

fn export(out: &Path, arguments: &[&str]) -> String {
    let done = nameplate(&[&["export", out.to_str().unwrap()], arguments].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    text(&done.stdout).to_owned()
}

#[test]
fn build_export_and_live_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (dist, bucket) = (folder.path().join("dist"), folder.path().join("bucket"));
    assert!(nameplate(&["build", "--out", dist.to_str().unwrap()]).status.success());
    export(&bucket, &["--now", NOW]);
    let live = Server::start(&["serve", "--now", NOW]);
    let exported = files(&bucket);
    assert_eq!(exported.len(), 6 + 32 + 1);
    let mut slots = 0;
    for (name, body) in &exported {
        let reply = live.get(&format!("/{name}"));
        assert_eq!((reply.status, text(&reply.body)), (200, text(body)), "{name}");
        slots += usize::from(name.contains("slots/") && !body.is_empty());
    }
    assert!(slots > 20, "{slots}");
    let built = files(&dist.join("fhir"));
    assert_eq!(built.len(), 6);
    for (name, body) in built {
        assert_eq!(text(&body), text(&exported[&format!("fhir/{name}")]), "{name}");
        // A tree serves it by live's own type.
        assert_eq!(live.get(&format!("/fhir/{name}")).field("content-type"), Some("application/fhir+ndjson"));
    }
}

#[test]
fn the_exported_files_are_the_expected_ones() {
    let folder = tempfile::tempdir().unwrap();
    let bucket = folder.path().join("bucket");
    let said = export(&bucket, &["--content", CASE, "--now", CASE_NOW]);
    assert!(said.contains("39 files (39 new or changed), with 35 openings; 0 removed"), "{said}");
    let exported = files(&bucket);
    let expected = files(&root().join("tests/cases/standards/expected"));
    for (name, body) in &expected {
        assert_eq!(text(&exported[name]), text(body), "{name}");
    }
}

#[test]
fn an_export_is_refused_where_the_settings_have_a_feed_that_it_does_not_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("nameplate.toml"), "[feed]\ncalendars = \"calendars.txt\"\n").unwrap();
    let content = root().join(CASE).display().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_nameplate"));
    let out = command
        .current_dir(folder.path())
        .args(["export", "bucket", "--content", &content])
        .output()
        .unwrap();
    let said = text(&out.stderr);
    assert!(said.contains("booked times would be listed as free"), "{said}");
    assert!(!out.status.success() && !folder.path().join("bucket").exists());
    // Also if a variable names the settings.
    fs::rename(folder.path().join("nameplate.toml"), folder.path().join("other.toml")).unwrap();
    command.env("NAMEPLATE_CONFIG", "other.toml");
    let said = command.output().unwrap().stderr;
    assert!(text(&said).starts_with("error: other.toml has a [feed]"), "{}", text(&said));
}

#[test]
fn an_export_touches_what_changed_and_removes_past_days() {
    let folder = tempfile::tempdir().unwrap();
    let bucket = folder.path().join("bucket");
    let at = |now: &str| export(&bucket, &["--content", CASE, "--now", now]);
    at(CASE_NOW);
    for other in ["fhir/slots/notes.txt", "fhir/slots/2026-11-01.ndjson.bak", "index.html"] {
        fs::write(bucket.join(other), "mine").unwrap();
    }
    assert!(at(CASE_NOW).contains("(0 new or changed), with 35 openings; 0 removed"));
    // A day later: a new last day, and another time in the manifest.
    let said = at("2026-11-23T12:00:00Z");
    assert!(said.contains("(2 new or changed)"), "{said}");
    assert!(!bucket.join("fhir/slots/2026-11-22.ndjson").exists());
    for other in ["fhir/slots/notes.txt", "fhir/slots/2026-11-01.ndjson.bak", "index.html"] {
        assert!(bucket.join(other).exists(), "{other}");
    }
    let manifest: Value =
        serde_json::from_slice(&fs::read(bucket.join("fhir/$bulk-publish")).unwrap()).unwrap();
    assert_eq!(manifest["transactionTime"], "2026-11-23T12:00:00Z");
}

#[test]
fn what_cannot_be_exported_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("out"));
    crate::publish::copy_of_content(&content);
    let refused = |arguments: &[&str]| {
        let content = content.to_str().unwrap();
        let done = nameplate(&[&["export", "--content", content], arguments].concat());
        assert_eq!(done.status.code(), Some(2), "{}", text(&done.stdout));
        assert!(!out.exists());
        text(&done.stderr).to_owned()
    };
    let target = out.to_str().unwrap();
    // The times of a linked feed are not known here.
    let feed = content.join("availability/open.ndjson");
    let elsewhere = folder.path().join("slots.ndjson");
    fs::write(&elsewhere, "").unwrap();
    std::os::unix::fs::symlink(&elsewhere, &feed).unwrap();
    assert!(refused(&[target]).contains("nothing was exported: availability is unknown"));
    fs::remove_file(&feed).unwrap();
    let file = content.join("directory.toml");
    let all = fs::read_to_string(&file).unwrap();
    let (before, _) = all.split_once("[standards]").unwrap();
    fs::write(&file, before).unwrap();
    assert!(refused(&[target]).contains("has no [standards]"));
    // Without it, no such path exists anywhere.
    let dist = folder.path().join("dist");
    let (content, tree) = (content.to_str().unwrap(), dist.to_str().unwrap());
    assert!(nameplate(&["build", "--content", content, "--out", tree]).status.success());
    assert!(!dist.join("fhir").exists());
    for rules in ["_redirects", "_headers"] {
        assert!(!fs::read_to_string(dist.join(rules)).unwrap().contains("fhir"), "{rules}");
    }
    let live = Server::start(&["serve", "--content", content, "--static", tree]);
    let unknown = live.get("/nothing");
    for path in ["/fhir/$bulk-publish", "/fhir/metadata", "/fhir/Organization.ndjson", "/fhir"] {
        let reply = live.get(path);
        assert_eq!((reply.status, text(&reply.body)), (404, text(&unknown.body)), "{path}");
    }
}

/// What is only for the exports is in no answer and on no page.
#[test]
fn private_keys_stay_out_of_the_api_and_the_pages() {
    let folder = tempfile::tempdir().unwrap();
    let dist = folder.path().join("dist");
    assert!(nameplate(&["build", "--content", CASE, "--out", dist.to_str().unwrap()]).status.success());
    let mut read = 0;
    for (name, body) in files(&dist) {
        if name.starts_with("fhir/") {
            continue;
        }
        let mut body = String::from_utf8_lossy(&body).into_owned();
        // With `publish-npis`, a profile's data for search engines has the clinician's NPI.
        if !name.starts_with("v1/") {
            body = body.replace("\"usNPI\":\"9120047185\"", "");
        }
        for private in ["9120047185", "9941339100", "207V00000X", "de la Doe, Jane"] {
            assert!(!body.contains(private), "{name} has {private}");
        }
        read += 1;
    }
    assert!(read > 250, "{read}");
}
