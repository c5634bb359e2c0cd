//! The log of a service: in the chosen format from the first line on, and each event once.

use std::fs;
use std::net::TcpListener;
use std::process::{Command, Stdio};

use crate::harness::{NOW, Server, TIMEOUT, command, content, give_it_time, nameplate, root, text, within};
use crate::publish::copy_of_content;

#[test]
fn a_failed_start_is_logged_in_the_chosen_format() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    fs::write(content.join("providers/wulandari.toml"), "slug = 7\n= =\n").unwrap();
    let broken = content.to_str().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap();
    let next = format!("; try --listen {}", taken.port().saturating_add(1));
    let taken = taken.to_string();
    let file = |name: &str, lines: &str| {
        let path = folder.path().join(name);
        fs::write(&path, lines).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let misspelled = file("misspelled.toml", "[log]\nformat = \"json\"\n[limits]\nconections = 3\n");
    let no_toml = file("broken.toml", "content = \n");
    let json = ["serve", "--log-format", "json"];
    for (arguments, code, part) in [
        (&["--content", broken][..], 1, "wulandari.toml"),
        (&["--content", "/no/such/folder"], 75, "use --content DIR"),
        (&["--listen", &taken], 75, &next),
        (&["--static", "/no/such/site"], 2, "run `nameplate build --out /no/such/site`"),
        (&["--config", &no_toml], 2, "fix what is shown above"),
        (&["--config", "/no/such/file.toml"], 2, "can't read the configuration"),
        (&["--config", &misspelled], 2, "conections"),
    ] {
        let format: &[&str] = if arguments[1] == misspelled { &json[..1] } else { &json };
        let listen: &[&str] = if arguments[0] == "--listen" { &[] } else { &["--listen", "127.0.0.1:0"] };
        let done = nameplate(&[format, arguments, listen].concat());
        let logged = text(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{arguments:?}: {logged}");
        let mut has_part = false;
        for line in logged.lines() {
            let line: serde_json::Value =
                serde_json::from_str(line).unwrap_or_else(|_| panic!("{arguments:?}: not JSON: {line}"));
            let is_error = line["level"] == "ERROR";
            has_part |= is_error && line["message"].as_str().unwrap().contains(part);
        }
        assert!(has_part, "{arguments:?}: {logged}");
    }
}

#[test]
fn recently_edited_content_is_read_and_its_warnings_logged_once() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let plans = content.join("insurances.toml");
    let more = "\n[[plan]]\nname = \"Untaken Plan\"\n";
    fs::write(&plans, fs::read_to_string(&plans).unwrap() + more).unwrap();
    let log = folder.path().join("log");
    let mut service = command(&["serve", "--listen", "127.0.0.1:0", "--now", NOW]);
    service.args(["--content", content.to_str().unwrap()]).stderr(fs::File::create(&log).unwrap());
    let mut service = service.stdin(Stdio::null()).spawn().unwrap();
    let logged = || fs::read_to_string(&log).unwrap();
    within(TIMEOUT, "the service serves", || logged().contains("serving"));
    // The watcher looks again after a second.
    give_it_time();
    assert!(Command::new("kill").args(["-TERM", &service.id().to_string()]).status().unwrap().success());
    assert_eq!(service.wait().unwrap().code(), Some(0));
    assert_eq!(logged().matches("Untaken Plan").count(), 1, "{}", logged());
    assert!(!logged().contains("content unchanged"), "{}", logged());
}

/// `?field` in a log call writes Rust's debug format, which changes with the code.
#[test]
fn no_log_call_uses_debug_format() {
    let mut calls = 0;
    for folder in ["src", "live/src"] {
        for entry in walkdir::WalkDir::new(root().join(folder)).into_iter().map(Result::unwrap) {
            if entry.path().extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            // The feed's crates have their own tests of the log, and so has what the store says of a feed.
            if entry.path().ends_with("live/src/store.rs") {
                continue;
            }
            let source = fs::read_to_string(entry.path()).unwrap();
            for call in source.split("tracing::").skip(1) {
                let is_call = ["info!(", "warn!(", "error!("].iter().any(|name| call.starts_with(name));
                let (call, _) = call.split_once(");").unwrap_or((call, ""));
                calls += usize::from(is_call);
                let has_debug = ["(?", " ?", ":?}"].iter().any(|mark| call.contains(mark));
                assert!(!is_call || !has_debug, "{}: tracing::{call}", entry.path().display());
            }
        }
    }
    assert!(calls > 12, "{calls}");
}

#[test]
fn what_patients_search_for_is_not_logged() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut service = command(&["serve", "--access-log", "--log-level", "debug", "--now", NOW]);
    service.args(["--content", content().to_str().unwrap(), "--listen", &free.to_string()]);
    let service = service.stderr(fs::File::create(&log).unwrap()).stdin(Stdio::null()).spawn().unwrap();
    let logged = || fs::read_to_string(&log).unwrap();
    within(TIMEOUT, "the service serves", || logged().contains("serving"));
    let server = Server::elsewhere(free);
    for path in ["/v1/providers", "/v1/providers/summary", "/nothing"] {
        server.get(&format!("{path}?q=wistful"));
    }
    // Refused, since it has too many words.
    server.get("/v1/providers?q=wistful+1+2+3+4+5+6+7+8");
    server.post_mcp(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_providers","arguments":{"q":"wistful"}}}"#,
    );
    within(TIMEOUT, "each request is logged", || logged().matches("answered").count() == 5);
    assert!(Command::new("kill").args(["-TERM", &service.id().to_string()]).status().unwrap().success());
    service.wait_with_output().unwrap();
    assert!(!logged().contains("wistful"), "{}", logged());
}
