//! docs/RUNBOOK.md is read at night: every alert has its section, and every name in it is one that exists.

use std::collections::BTreeSet;
use std::fs;

use crate::guides::pages;
use crate::harness::{NOW, Server, TIMEOUT, nameplate, root, text, within};
use crate::publish::copy_of_content;

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn every_alert_leads_to_a_section() {
    let (runbook, alerts) = (page("docs/RUNBOOK.md"), page("deploy/alerts.yml"));
    let names: Vec<_> = alerts.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        let row =
            runbook.lines().find(|line| line.starts_with("| ") && line.contains(&format!("| `{name}` |")));
        assert!(row.is_some_and(|row| row.contains("](#")), "the runbook's first table has no row of {name}");
    }
}

/// The names that begin like ours.
fn metrics(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !(c.is_ascii_lowercase() || c == '_'));
    // What ends in an underscore begins a pattern.
    let is_ours = |word: &&str| word.starts_with("nameplate_") || word.starts_with("process_");
    words.filter(|word| is_ours(word) && !word.ends_with('_')).collect()
}

#[test]
fn every_metric_of_the_runbook_and_of_the_alerts_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let busy = r#"{"provider":"jun-nakashima","start":"2026-11-23T17:00:00Z","end":"2026-11-23T18:00:00Z","status":"busy"}"#;
    fs::write(content.join("availability/busy.ndjson"), format!("{busy}\n")).unwrap();
    // Confirmations are counted with a policy only.
    let directory = content.join("directory.toml");
    let policy = fs::read_to_string(&directory).unwrap() + "\n[accuracy]\nprofile = \"nsa\"\n";
    fs::write(directory, policy).unwrap();
    let content = content.to_str().unwrap();
    let site = folder.path().to_str().unwrap();
    let arguments = ["serve", "--content", content, "--static", site, "--admin", "127.0.0.1:0"];
    let server = Server::start(&[&arguments[..], &["--now", NOW]].concat());
    assert_eq!(server.get("/v1/states").status, 200);
    let admin = Server::elsewhere(server.admin().unwrap());
    let is_looked_at = || text(&admin.get("/metrics").body).contains("nameplate_static_failing");
    within(TIMEOUT, "a look at the --static folder", is_looked_at);
    let measured = admin.get("/metrics");
    // Some are measured of services that follow releases only.
    let store = format!("file://{}/store", folder.path().display());
    assert!(nameplate(&["publish", content, &store, "--without-feed"]).status.success());
    let follower = Server::start(&["serve", "--content", &store, "--admin", "127.0.0.1:0", "--now", NOW]);
    let of_follower = Server::elsewhere(follower.admin().unwrap()).get("/metrics");
    let measured = format!("{}{}", text(&measured.body), text(&of_follower.body));
    let mut measured = metrics(&measured);
    assert!(measured.contains("nameplate_feed_status"), "the feed is read: {measured:?}");
    let bucket = crate::nats::server_without_bucket(folder.path());
    let of_bucket = Server::elsewhere(bucket.admin().unwrap()).get("/metrics");
    measured.extend(metrics(text(&of_bucket.body)));
    // A site has an age from its first beat on.
    measured.insert("nameplate_nats_oldest_site_seconds");
    for place in ["docs/RUNBOOK.md", "deploy/alerts.yml"] {
        let page = page(place);
        let named = metrics(&page);
        assert!(named.len() >= 4, "{place}: {named:?}");
        for name in named {
            assert!(measured.contains(name), "{place} names {name}, which isn't measured");
        }
    }
}

#[test]
fn every_log_line_of_the_runbook_is_one_of_the_programs() {
    let runbook = page("docs/RUNBOOK.md");
    let (_, rest) = runbook.split_once("## The log\n").unwrap();
    let (section, _) = rest.split_once("\n## ").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let quoted = rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2));
    let quoted: Vec<_> = quoted.collect();
    assert!(quoted.len() > 15, "{quoted:?}");
    let mut source = String::new();
    for folder in ["src", "crates", "live/src"] {
        for entry in walkdir::WalkDir::new(root().join(folder)).into_iter().map(Result::unwrap) {
            if entry.path().extension().is_some_and(|extension| extension == "rs") {
                source += &fs::read_to_string(entry.path()).unwrap();
            }
        }
    }
    let unknown: Vec<_> = quoted.into_iter().filter(|line| !source.contains(line)).collect();
    assert!(unknown.is_empty(), "no log line of the program has: {unknown:#?}");
}

#[test]
fn every_command_of_the_pages_is_one_that_the_program_takes() {
    let mut commands = BTreeSet::new();
    for (path, page) in pages() {
        let blocks = page.split("```").skip(1).step_by(2).flat_map(str::lines);
        let lines = blocks.map(|line| line.trim().trim_start_matches("./").to_owned());
        // Measurements begin with the name, too.
        let is_command = |line: &String| {
            line.strip_prefix("nameplate ")
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
        };
        commands.extend(lines.filter(is_command).map(|line| (path.display().to_string(), line)));
    }
    assert!(commands.len() >= 50, "{commands:?}");
    for (path, line) in commands {
        let words = line.split(" # ").next().unwrap().split_whitespace().skip(1);
        let nested =
            ["feed", "rename"].iter().any(|parent| line.starts_with(&format!("nameplate {parent} ")));
        let (named, rest): (Vec<_>, Vec<_>) =
            words.enumerate().partition(|(at, word)| !word.starts_with('-') && *at <= usize::from(nested));
        let asked: Vec<_> = named.into_iter().map(|(_, word)| word).chain(["--help"]).collect();
        let help = nameplate(&asked);
        assert!(help.status.success(), "{path}: {line}");
        for (_, flag) in rest.iter().filter(|(_, word)| word.starts_with("--")) {
            let flag = flag.split(['=', ')', '`']).next().unwrap();
            assert!(text(&help.stdout).contains(flag), "{path}: {line}: there is no {flag}");
        }
    }
    let runbook = page("docs/RUNBOOK.md");
    let printed = nameplate(&["serve", "--print-config"]);
    let printed = text(&printed.stdout);
    for table in ["limits", "mcp", "log"] {
        for name in runbook.split(&format!("`{table}.")).skip(1) {
            let name = name.split('`').next().unwrap();
            assert!(printed.contains(name), "there is no setting {table}.{name}");
        }
    }
}
