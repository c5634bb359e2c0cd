//! `nameplate verify` finds each of many planted faults and names it in one line.
//!
//! A proxy between the command and a real `serve --static` changes some responses.

mod faults;
mod host;

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use self::host::{Cache, FaultyHost, Request, Response};
use crate::harness::{NOW, Server, nameplate, text};
use crate::publish::copy_of_content;

struct Clinic {
    _folder: tempfile::TempDir,
    content: PathBuf,
    real: Server,
}

impl Clinic {
    fn new() -> Self {
        Self::with(|_| {})
    }

    fn with(edit: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (content, dist) = (folder.path().join("content"), folder.path().join("dist"));
        copy_of_content(&content);
        let file = content.join("directory.toml");
        let booking = "booking-url = \"https://book.example/{providerSlug}{?startTime}\"\n\n[address]";
        fs::write(&file, fs::read_to_string(&file).unwrap().replacen("[address]", booking, 1)).unwrap();
        edit(&content);
        let [from, to] = [&content, &dist].map(|folder| folder.to_str().unwrap().to_owned());
        assert!(nameplate(&["build", "--content", &from, "--out", &to, "--no-pages"]).status.success());
        let real = Server::start(&["serve", "--content", &from, "--static", &to, "--now", NOW]);
        Self { _folder: folder, content, real }
    }

    fn arguments(&self) -> [&str; 3] {
        ["--no-pages", "--content", self.content.to_str().unwrap()]
    }
}

#[test]
fn every_planted_fault_is_named_and_a_clean_host_passes() {
    let clinic = Clinic::new();
    let (real, arguments, cache) = (clinic.real.address(), clinic.arguments(), Cache::default());
    let host = |fault| FaultyHost::start(real, &cache, fault);
    let clean = host(Box::new(|_: &Request<'_>, _: &mut Response| {}));
    let (code, printed) = clean.verify(&arguments);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains(" matches its content: ") && printed.lines().count() == 1, "{printed}");

    let faults = faults::all();
    assert!(faults.len() >= 50, "{}", faults.len());
    let (faults, missed) = (Mutex::new(faults.into_iter()), Mutex::new(Vec::new()));
    let next = || faults.lock().unwrap().next();
    let plant_all = || {
        while let Some((name, fault, beginning, part)) = next() {
            let (code, printed) = host(fault).verify(&arguments);
            let is_named = |line: &str| line.contains(beginning) && line.contains(part);
            // Differences of one kind share a line, so one fault gives few lines; the last line is the summary.
            if code != Some(1) || !printed.lines().any(is_named) || printed.lines().count() > 7 {
                missed.lock().unwrap().push(format!("{name}: {code:?} {printed}"));
            }
        }
    };
    // This test is the longest one and the last to start: alone it would leave a core idle.
    std::thread::scope(|scope| {
        scope.spawn(plant_all);
        scope.spawn(plant_all);
    });
    let missed = missed.into_inner().unwrap();
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn with_a_feed_slots_in_the_past_and_ignored_filters_are_differences() {
    let clinic = Clinic::new();
    let cache = Cache::default();
    let arguments = [&clinic.arguments()[..], &["--with-feed"]].concat();
    let clean =
        FaultyHost::start(clinic.real.address(), &cache, Box::new(|_: &Request<'_>, _: &mut Response| {}));
    let (code, printed) = clean.verify(&arguments);
    assert_eq!(code, Some(0), "{printed}");
    let last_year = |request: &Request<'_>, response: &mut Response| {
        if request.line.contains(" /v1/availability") {
            response.body = text(&response.body).replace("2026-", "2025-").into_bytes();
        }
    };
    let (code, printed) =
        FaultyHost::start(clinic.real.address(), &cache, Box::new(last_year)).verify(&arguments);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("these can't be the open slots of this search"), "{printed}");

    // A cache that ignores this parameter.
    let any_gender = |request: &Request<'_>, response: &mut Response| {
        if let Some((path, query)) = request.line.split_once('?')
            && path == "GET /v1/availability"
        {
            let kept: Vec<_> = query.split('&').filter(|pair| !pair.starts_with("gender=")).collect();
            let real = request.real(&format!("{path}?{}", kept.join("&")));
            if real.status == 200 && response.status == 200 {
                response.body = real.body;
            }
        }
    };
    let (code, printed) =
        FaultyHost::start(clinic.real.address(), &cache, Box::new(any_gender)).verify(&arguments);
    assert_eq!(code, Some(1), "{printed}");
    let line = printed.lines().find(|line| line.contains("gender=")).expect(&printed);
    assert!(line.contains("these can't be the open slots of this search"), "{printed}");
}

#[test]
fn a_clinic_without_clinicians_can_be_verified() {
    let clinic = Clinic::with(|content| {
        for folder in ["providers", "availability", "headshots"] {
            fs::remove_dir_all(content.join(folder)).unwrap();
        }
    });
    let cache = Cache::default();
    let clean =
        FaultyHost::start(clinic.real.address(), &cache, Box::new(|_: &Request<'_>, _: &mut Response| {}));
    let (code, printed) = clean.verify(&clinic.arguments());
    assert_eq!(code, Some(0), "{printed}");
}

#[test]
fn other_content_is_one_difference() {
    let clinic = Clinic::new();
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("content");
    copy_of_content(&other);
    let file = other.join("providers/jun-nakashima.toml");
    let edited = fs::read_to_string(&file).unwrap().replace("Jun Nakashima", "Juno Nakashima");
    fs::write(&file, edited).unwrap();
    let host = format!("http://{}", clinic.real.address());
    let arguments = ["verify", &host, "--now", NOW, "--no-pages", "--content", other.to_str().unwrap()];
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
    let cache = Cache::default();
    let host = FaultyHost::start(
        clinic.real.address(),
        &cache,
        Box::new(|_: &Request<'_>, answer: &mut Response| answer.set("cache-control", "private")),
    );
    let (code, printed) = host.verify(&clinic.arguments());
    assert_eq!(code, Some(1), "{printed}");
    let line = printed.lines().find(|line| line.contains(" × cache-control, e.g. GET /v1/")).expect(&printed);
    let number: usize = line.split(' ').next().unwrap().parse().unwrap();
    assert!(number > 100, "{line}");
    assert!(printed.lines().count() <= 6, "{printed}");
}

#[test]
fn dev_is_recognized() {
    let out = tempfile::tempdir().unwrap();
    let dev = Server::start(&["dev", "--out", out.path().join("dist").to_str().unwrap()]);
    let done = nameplate(&["verify", &format!("http://{}", dev.address())]);
    let said = text(&done.stderr);
    assert!(
        done.status.code() == Some(2) && said.contains("is `nameplate dev`, which changes pages"),
        "{done:?}"
    );
}

#[test]
fn an_invalid_host_is_one_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = format!("http://{}", taken.local_addr().unwrap());
    drop(taken);
    for (arguments, sentence) in [
        (vec![closed.as_str()], "can't be verified: nothing answers at that address"),
        (
            vec!["api.example"],
            "\"api.example\" isn't a host's address: add http:// or https://, such as http",
        ),
        (vec!["localhost:8080"], "\"localhost:8080\" isn't a host's address: add http:// or https://"),
        (vec!["ftp://api.example"], "only http and https are supported"),
        (vec![closed.as_str(), "--content", "no-such-folder"], "use --content DIR"),
    ] {
        let mut all = vec!["verify"];
        all.extend(&arguments);
        let done = nameplate(&all);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        assert!(text(&done.stderr).contains(sentence), "{arguments:?}: {}", text(&done.stderr));
    }
}

/// Verifies a host that hangs, with more time until a difference of what does not hang is found: a busy machine needs more.
fn with_more_and_more_time(
    difference: &str,
    verify: impl Fn(&'static str) -> (Option<i32>, String),
) -> String {
    for seconds in ["2", "8", "32", "128"] {
        let (code, printed) = verify(seconds);
        assert_eq!(code, Some(1), "{printed}");
        if printed.contains(difference) {
            return printed;
        }
    }
    panic!("a path that hangs hides the differences of others: {difference}")
}

#[test]
fn verify_respects_timeout_and_wait() {
    let clinic = Clinic::new();
    let cache = Cache::default();
    // The first portrait is answered once the command has ended. A file of the API, which is requested later, is missing.
    let printed = with_more_and_more_time("the file is missing on the host", |seconds| {
        let (ended, waits) = mpsc::channel::<()>();
        let waits = Mutex::new(waits);
        let slow = Box::new(move |request: &Request<'_>, answer: &mut Response| {
            if request.line == "GET /headshots/amara-okonkwo.svg" {
                _ = waits.lock().unwrap().recv();
            } else if request.line == "GET /v1/appointment-types.json" {
                answer.status = 404;
            }
        });
        let mut arguments = clinic.arguments().to_vec();
        arguments.extend(["--timeout", seconds]);
        let verified = FaultyHost::start(clinic.real.address(), &cache, slow).verify(&arguments);
        drop(ended);
        verified
    });
    assert!(printed.contains(" in time: the host is slow"), "{printed}");

    // Neither does a call of MCP that hangs.
    let printed = with_more_and_more_time("expected protocolVersion 2025-06-18", |seconds| {
        let (ended, waits) = mpsc::channel::<()>();
        let waits = Mutex::new(waits);
        let slow = Box::new(move |request: &Request<'_>, answer: &mut Response| {
            if request.body.contains("\"initialize\"") {
                answer.replace("2025-06-18", "2024-11-05");
            } else if request.body.contains("\"tools/list\"") {
                _ = waits.lock().unwrap().recv();
            }
        });
        let mut arguments = clinic.arguments().to_vec();
        arguments.extend(["--live", "--timeout", seconds]);
        let verified = FaultyHost::start(clinic.real.address(), &cache, slow).verify(&arguments);
        drop(ended);
        verified
    });
    assert!(
        printed.contains("POST /api/mcp tools/list: expected a response, but found none in time"),
        "{printed}"
    );

    // The first request finds the previous tree, as during a deployment.
    let requests = AtomicUsize::new(0);
    let late = Box::new(move |request: &Request<'_>, answer: &mut Response| {
        if request.line == "GET /v1/manifest.json" && requests.fetch_add(1, Ordering::Relaxed) == 0 {
            answer.replace("\"generation\":\"", "\"generation\":\"0");
        }
    });
    let mut arguments = clinic.arguments().to_vec();
    arguments.extend(["--wait", "60"]);
    let (code, printed) = FaultyHost::start(clinic.real.address(), &cache, late).verify(&arguments);
    assert_eq!(code, Some(0), "{printed}");

    // Waiting does not change a permanent redirect.
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    let moved = Box::new(move |_: &Request<'_>, answer: &mut Response| {
        counted.fetch_add(1, Ordering::Relaxed);
        answer.status = 301;
        answer.body.clear();
        answer.set("location", "https://clinic.example/");
    });
    let (code, printed) = FaultyHost::start(clinic.real.address(), &cache, moved).verify(&arguments);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("redirects to https://clinic.example/: verify that address"), "{printed}");
    assert_eq!(requests.load(Ordering::Relaxed), 1);
}
