//! `nameplate verify` against hosts with planted faults: each is found, and named in one line.
//!
//! Between the command and a real `serve --static` stands a host of the test's own, which spoils some answers.

mod faults;
mod host;

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use self::host::{Answer, Asked, Memory, Spoilt};
use crate::harness::{NOW, Server, nameplate, text};
use crate::publish::copy_of_content;

/// A small clinic, built, and a real host of it.
struct Clinic {
    _folder: tempfile::TempDir,
    content: PathBuf,
    dist: PathBuf,
    real: Server,
}

impl Clinic {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (content, dist) = (folder.path().join("content"), folder.path().join("dist"));
        copy_of_content(&content);
        let [from, to] = [&content, &dist].map(|folder| folder.to_str().unwrap().to_owned());
        assert!(nameplate(&["build", "--content", &from, "--out", &to, "--no-pages"]).status.success());
        let real = Server::start(&["serve", "--content", &from, "--static", &to, "--now", NOW]);
        Self { _folder: folder, content, dist, real }
    }

    fn arguments(&self) -> [&str; 3] {
        ["--no-pages", "--against", self.content.to_str().unwrap()]
    }
}

#[test]
fn every_planted_fault_is_found_and_named_and_a_clean_host_passes() {
    let clinic = Clinic::new();
    let memory = Memory::default();
    let host = |fault| Spoilt::start(clinic.real.address(), &memory, fault);
    let clean = host(Box::new(|_: &Asked<'_>, _: &mut Answer| {}));
    let (code, said) = clean.verify(&clinic.arguments());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains(" is as it should be: ") && said.lines().count() == 1, "{said}");

    let faults = faults::all();
    assert!(faults.len() >= 60, "{}", faults.len());
    let mut missed = Vec::new();
    for (name, fault, beginning, part) in faults {
        let (code, said) = host(fault).verify(&clinic.arguments());
        let is_named = |line: &str| line.contains(beginning) && line.contains(part);
        // One fault is not told as a dozen: differences of one kind share a line, and the last line sums up.
        if code != Some(1) || !said.lines().any(is_named) || said.lines().count() > 7 {
            missed.push(format!("{name}: {code:?} {said}"));
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn with_a_feed_times_that_are_past_are_found() {
    let clinic = Clinic::new();
    let memory = Memory::default();
    let arguments = [&clinic.arguments()[..], &["--with-feed"]].concat();
    let clean = Spoilt::start(clinic.real.address(), &memory, Box::new(|_: &Asked<'_>, _: &mut Answer| {}));
    let (code, said) = clean.verify(&arguments);
    assert_eq!(code, Some(0), "{said}");
    let last_year = |asked: &Asked<'_>, answer: &mut Answer| {
        if asked.line.contains(" /v1/availability") {
            answer.body = text(&answer.body).replace("2026-", "2025-").into_bytes();
        }
    };
    let (code, said) = Spoilt::start(clinic.real.address(), &memory, Box::new(last_year)).verify(&arguments);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("these cannot be the open slots that were asked for"), "{said}");
}

#[test]
fn a_built_tree_alone_is_enough_to_compare_its_files() {
    let clinic = Clinic::new();
    let host = format!("http://{}", clinic.real.address());
    let against = ["verify", &host, "--against", clinic.dist.to_str().unwrap(), "--now", NOW];
    let clean = nameplate(&against);
    assert_eq!(clean.status.code(), Some(0), "{}", text(&clean.stdout));
    assert!(text(&clean.stdout).starts_with("note: compared with a built tree"), "{}", text(&clean.stdout));

    fs::write(clinic.dist.join("v1/states.json"), "{}").unwrap();
    let spoilt = nameplate(&against);
    assert_eq!(spoilt.status.code(), Some(1));
    assert!(text(&spoilt.stdout).starts_with("GET /v1/states.json: expected "), "{}", text(&spoilt.stdout));
}

#[test]
fn other_content_is_named_in_one_line_and_nothing_else_is() {
    let clinic = Clinic::new();
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("content");
    copy_of_content(&other);
    let file = other.join("providers/jun-nakashima.toml");
    let edited = fs::read_to_string(&file).unwrap().replace("Jun Nakashima", "Juno Nakashima");
    fs::write(&file, edited).unwrap();
    let host = format!("http://{}", clinic.real.address());
    let arguments = ["verify", &host, "--now", NOW, "--no-pages", "--against", other.to_str().unwrap()];
    for (mode, beginning) in [
        (&[][..], "GET /v1/manifest.json: expected generation "),
        (&["--live"], "GET /v1/states: expected generation "),
    ] {
        let done = nameplate(&[&arguments, mode].concat());
        assert_eq!(done.status.code(), Some(1));
        let lines: Vec<_> = text(&done.stdout).lines().collect();
        assert!(lines[0].starts_with(beginning), "{lines:#?}");
        assert!(lines.len() == 3 && lines[1].starts_with("note: nothing else was compared"), "{lines:#?}");
    }
}

#[test]
fn many_differences_of_one_kind_share_a_line() {
    let clinic = Clinic::new();
    let memory = Memory::default();
    let host = Spoilt::start(
        clinic.real.address(),
        &memory,
        Box::new(|_: &Asked<'_>, answer: &mut Answer| answer.set("cache-control", "private")),
    );
    let (code, said) = host.verify(&clinic.arguments());
    assert_eq!(code, Some(1), "{said}");
    let line = said.lines().find(|line| line.contains(" × cache-control, e.g. GET /v1/")).expect(&said);
    let number: usize = line.split(' ').next().unwrap().parse().unwrap();
    assert!(number > 100, "{line}");
    assert!(said.lines().count() <= 6, "{said}");
}

#[test]
fn programs_can_read_what_is_found() {
    let clinic = Clinic::new();
    fs::remove_file(clinic.dist.join("v1/states.json")).unwrap();
    let host = format!("http://{}", clinic.real.address());
    let mut arguments = vec!["verify", &host, "--now", NOW, "--format", "json", "--queries", "0"];
    arguments.extend(clinic.arguments());
    let done = nameplate(&arguments);
    assert_eq!(done.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(found["host"], host);
    assert_eq!(found["differences"][0]["asked"], "GET /v1/states.json");
    assert_eq!(found["differences"].as_array().unwrap().len(), 1, "{found}");
}

#[test]
fn what_is_no_host_is_said_in_one_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = format!("http://{}", taken.local_addr().unwrap());
    drop(taken);
    for (arguments, sentence) in [
        (vec![nobody.as_str()], "cannot be verified: nothing answers there"),
        (vec!["api.example"], "\"api.example\" is not the address of a host"),
        (vec!["ftp://api.example"], "only http and https are supported"),
        (
            vec![nobody.as_str(), "--against", "no-such-folder"],
            "name a content folder or a built tree with --against DIR",
        ),
    ] {
        let mut all = vec!["verify"];
        all.extend(&arguments);
        let done = nameplate(&all);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        assert!(text(&done.stderr).contains(sentence), "{arguments:?}: {}", text(&done.stderr));
    }
}

#[test]
fn a_host_that_hangs_and_a_host_that_is_late_are_waited_for_as_long_as_is_said() {
    let clinic = Clinic::new();
    let memory = Memory::default();
    let slow = Box::new(|asked: &Asked<'_>, _: &mut Answer| {
        if asked.line == "GET /v1/nothing" {
            std::thread::sleep(Duration::from_secs(30));
        }
    });
    let (from, mut arguments) = (Instant::now(), clinic.arguments().to_vec());
    arguments.extend(["--timeout", "2"]);
    let (code, said) = Spoilt::start(clinic.real.address(), &memory, slow).verify(&arguments);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains(" in time came: the host is slow"), "{said}");
    assert!(from.elapsed() < Duration::from_secs(20), "{:?}", from.elapsed());

    // The first look finds the tree of before, as it does while a deployment is on its way.
    let looks = AtomicUsize::new(0);
    let late = Box::new(move |asked: &Asked<'_>, answer: &mut Answer| {
        if asked.line == "GET /v1/manifest.json" && looks.fetch_add(1, Ordering::Relaxed) == 0 {
            answer.replace("\"generation\":\"", "\"generation\":\"0");
        }
    });
    let mut arguments = clinic.arguments().to_vec();
    arguments.extend(["--wait", "60"]);
    let (code, said) = Spoilt::start(clinic.real.address(), &memory, late).verify(&arguments);
    assert_eq!(code, Some(0), "{said}");
}
