//! Content as releases in an object store, here a folder: `publish` writes them, and services follow them.

mod broken;
mod signed;
mod store;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use serde_json::Value;

use crate::changes::changes;
use crate::harness::{NOW, Server, TIMEOUT, command, nameplate, text, within};
use crate::publish::copy_of_content;

/// Content, and a store with its releases.
struct Clinic {
    folder: tempfile::TempDir,
}

impl Clinic {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clinic = Self { folder };
        copy_of_content(&clinic.content());
        clinic
    }

    fn content(&self) -> PathBuf {
        self.folder.path().join("content")
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    fn address(&self) -> String {
        format!("file://{}", self.store().display())
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn release(&self, number: u64) -> PathBuf {
        self.store().join(format!("releases/{number:020}.json"))
    }

    /// Gives Jun Nakashima another first name.
    fn rename(&self, name: &str) {
        let file = self.content().join("providers/jun-nakashima.toml");
        let text = fs::read_to_string(&file).unwrap();
        let (before, rest) = text.split_once("name = \"").unwrap();
        let (_, after) = rest.split_once(' ').unwrap();
        fs::write(&file, format!("{before}name = \"{name} {after}")).unwrap();
    }

    fn publish(&self, more: &[&str]) -> Output {
        let (content, address) = (self.content(), self.address());
        nameplate(&[&["publish", content.to_str().unwrap(), &address], more].concat())
    }

    /// Publishes content. Returns its generation.
    fn published(&self, number: u64) -> String {
        let output = self.publish(&[]);
        let printed = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
        assert!(printed.contains(&format!("release {number}: generation ")), "{printed}");
        printed.split_once("generation ").unwrap().1[..16].to_owned()
    }

    fn arguments(&self) -> Vec<String> {
        let (address, cache) = (self.address(), self.cache().to_str().unwrap().to_owned());
        let arguments = [
            "serve",
            "--content",
            &address,
            "--content-cache",
            &cache,
            "--content-poll",
            "1s",
            "--admin",
            "127.0.0.1:0",
            "--now",
            NOW,
        ];
        arguments.map(str::to_owned).to_vec()
    }

    fn serve(&self) -> Server {
        let arguments = self.arguments();
        Server::start(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

fn ready(server: &Server) -> Value {
    serde_json::from_slice(&Server::elsewhere(server.admin().unwrap()).get("/readyz").body).unwrap()
}

fn metrics(server: &Server) -> String {
    text(&Server::elsewhere(server.admin().unwrap()).get("/metrics").body).to_owned()
}

fn has_name(server: &Server, name: &str) -> bool {
    text(&server.get("/v1/providers/jun-nakashima").body).contains(&format!("\"{name} Nakashima\""))
}

#[test]
fn services_follow_releases_and_a_rollback() {
    let clinic = Clinic::new();
    let first = clinic.published(1);
    let server = clinic.serve();
    let state = ready(&server);
    assert_eq!((&state["content"]["source"], &state["store"]["release"]), (&"store".into(), &1.into()));
    assert_eq!(state["generation"], first);
    // The same answers as from the folder.
    let folder = Server::start(&["serve", "--content", clinic.content().to_str().unwrap(), "--now", NOW]);
    for path in [
        "/v1/providers",
        "/v1/availability?state=AZ",
        "/v1/providers/jun-nakashima",
        "/v1/insurances?state=NV",
    ] {
        let [release, folder] = [&server, &folder].map(|server| server.get(path));
        assert_eq!((release.status, &release.body), (200, &folder.body), "{path}");
        assert_eq!(release.field("etag"), folder.field("etag"));
    }
    let again = clinic.publish(&[]);
    assert_eq!(again.status.code(), Some(0));
    assert!(text(&again.stdout).contains("release 1 already has this content"), "{}", text(&again.stdout));

    clinic.rename("Juno");
    let second = clinic.published(2);
    within(TIMEOUT, "the second release", || has_name(&server, "Juno"));
    within(TIMEOUT, "its hash", || ready(&server)["generation"] == second);
    within(TIMEOUT, "the number", || metrics(&server).contains("nameplate_content_release 2\n"));

    let back = nameplate(&["publish", "--rollback", &first, &clinic.address(), "--by", "ann"]);
    assert_eq!(back.status.code(), Some(0), "{}", text(&back.stderr));
    within(TIMEOUT, "the first content", || has_name(&server, "Jun"));
    within(TIMEOUT, "the number", || ready(&server)["store"]["release"] == 3);
    let by_number = nameplate(&["publish", "--rollback", "1", &clinic.address()]);
    assert!(text(&by_number.stderr).contains("not a release's number"), "{by_number:?}");
    let missing = nameplate(&["publish", "--rollback", "0000000000000000", &clinic.address()]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("--list"), "{}", text(&missing.stderr));

    let listed = nameplate(&["publish", "--list", &clinic.address()]);
    let lines: Vec<&str> = text(&listed.stdout).lines().collect();
    assert_eq!(lines.len(), 4, "{lines:#?}");
    assert!(
        lines[1].starts_with("       3") && lines[1].contains(&first) && lines[1].ends_with("ann"),
        "{lines:#?}"
    );
    assert!(lines[2].starts_with("       2") && lines[2].contains(&second), "{lines:#?}");

    let waits = |url: &str, timeout: &str| clinic.publish(&["--wait", url, "--timeout", timeout]);
    let waited = waits(&format!("http://{}", server.address()), "300");
    assert_eq!(waited.status.code(), Some(0), "{}", text(&waited.stderr));
    assert!(text(&waited.stdout).contains("20 connections"), "{}", text(&waited.stdout));
    clinic.rename("June");
    let other = Server::start(&["serve", "--now", NOW]);
    let never = waits(&format!("http://{}", other.address()), "1");
    assert_eq!(never.status.code(), Some(1), "this service does not follow the store");
    assert!(text(&never.stderr).contains("it answers with "), "{}", text(&never.stderr));
}

#[test]
fn of_concurrent_publishers_each_release_has_one() {
    let clinic = Clinic::new();
    let names = ["Ada", "Bea", "Cleo", "Dora"];
    let contents = names.map(|name| {
        clinic.rename(name);
        let copy = clinic.folder.path().join(name);
        fs::rename(clinic.content(), &copy).unwrap();
        copy_of_content(&clinic.content());
        copy
    });
    let address = clinic.address();
    for round in 0..3 {
        let before = fs::read_dir(clinic.store().join("releases")).map_or(0, Iterator::count);
        let running = contents.clone().map(|content| {
            let arguments = ["publish", content.to_str().unwrap(), &address];
            let piped = std::process::Stdio::piped;
            command(&arguments).stdout(piped()).stderr(piped()).spawn().unwrap()
        });
        let ended = running.map(|process| process.wait_with_output().unwrap());
        let is_there = "already has this content";
        let is_created =
            |output: &&Output| output.status.code() == Some(0) && !text(&output.stdout).contains(is_there);
        let created = ended.iter().filter(is_created).count();
        for output in &ended {
            let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
            let expected = match output.status.code() {
                Some(0) => printed.contains(": generation "),
                Some(1) => printed.contains("was published in the meantime by "),
                _ => false,
            };
            assert!(expected, "round {round}: {printed}");
        }
        let after = fs::read_dir(clinic.store().join("releases")).unwrap().count();
        assert_eq!(after - before, created, "round {round}");
        assert!(created > 0);
    }
    let listed = nameplate(&["publish", "--list", &address]);
    assert!(text(&listed.stderr).is_empty(), "{}", text(&listed.stderr));
}

#[test]
fn a_release_without_most_clinicians_is_held_until_accepted() {
    let clinic = Clinic::new();
    clinic.published(1);
    let server = clinic.serve();
    for folder in ["providers", "availability", "headshots"] {
        for entry in fs::read_dir(clinic.content().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().unwrap().to_str().unwrap() < "h" {
                fs::remove_file(path).unwrap();
            }
        }
    }
    let second = clinic.published(2);
    within(TIMEOUT, "the hold", || !ready(&server)["content"]["held"].is_null());
    let held = ready(&server)["content"]["held"]["what"].as_str().unwrap().to_owned();
    assert!(held.contains("publish a corrected release"), "{held}");
    assert_eq!(ready(&server)["store"]["release"], 1);
    assert!(!clinic.cache().join(format!("{:020}.json", 2)).exists(), "only what was served is kept");

    drop(server);
    let server = clinic.serve();
    assert_eq!(ready(&server)["store"]["release"], 1, "a restart publishes nothing that is held");
    within(TIMEOUT, "the hold after a restart", || !ready(&server)["content"]["held"].is_null());
    let admin = Server::elsewhere(server.admin().unwrap());
    assert_eq!(admin.accept_content().status, 200);
    within(TIMEOUT, "the second release", || ready(&server)["store"]["release"] == 2);
    assert_eq!(ready(&server)["generation"], second);
    within(TIMEOUT, "the copy", || clinic.cache().join(format!("{:020}.json", 2)).exists());
}

#[test]
fn old_releases_are_removed_and_the_newest_three_and_young_ones_stay() {
    let clinic = Clinic::new();
    for (number, name) in (1..).zip(["Ada", "Bea", "Cleo", "Dora", "Edda"]) {
        clinic.rename(name);
        clinic.published(number);
    }
    let address = clinic.address();
    let keep = |number: &str| {
        let output = nameplate(&["publish", &address, "--keep", number]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    assert!(keep("1").contains("removed 0 old releases and 0 bundles"), "all are younger than a day");
    let old = std::time::SystemTime::now() - Duration::from_hours(48);
    for number in 1..=5 {
        let file = clinic.release(number);
        let mut release: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        release["at"] = "2026-01-01T00:00:00Z".into();
        fs::write(&file, release.to_string()).unwrap();
    }
    for entry in fs::read_dir(clinic.store().join("bundles")).unwrap() {
        fs::File::open(entry.unwrap().path()).unwrap().set_modified(old).unwrap();
    }
    assert!(keep("4").contains("removed 1 old releases and 1 bundles"));
    assert!(keep("1").contains("removed 1 old releases and 1 bundles"));
    assert!(!clinic.release(2).exists() && clinic.release(3).exists());
    assert_eq!(fs::read_dir(clinic.store().join("bundles")).unwrap().count(), 3);
    assert!(clinic.serve().get("/v1/states").status == 200);
}

#[test]
fn broken_content_and_content_with_a_feed_are_not_published() {
    let clinic = Clinic::new();
    let feed = clinic.content().join("availability/busy.ndjson");
    fs::write(&feed, "").unwrap();
    let refused = clinic.publish(&[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--without-feed"), "{}", text(&refused.stderr));
    assert!(!clinic.store().exists());
    assert_eq!(clinic.publish(&["--without-feed"]).status.code(), Some(0));
    fs::remove_file(&feed).unwrap();

    fs::write(clinic.content().join("insurances.toml"), "plan = 1").unwrap();
    let refused = clinic.publish(&[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("insurances.toml"), "{}", text(&refused.stderr));
    assert!(clinic.release(1).exists() && !clinic.release(2).exists());
}

#[test]
fn the_example_is_not_published() {
    let clinic = Clinic::new();
    fs::remove_dir_all(clinic.content()).unwrap();
    assert!(nameplate(&["init", clinic.content().to_str().unwrap(), "--yes"]).status.success());
    let refused = clinic.publish(&[]);
    let said = text(&refused.stderr);
    assert!(
        refused.status.code() == Some(2) && said.contains("placeholders that `nameplate init` wrote"),
        "{said}"
    );
    assert!(!clinic.release(1).exists());
}

#[test]
fn other_commands_say_that_they_need_a_folder() {
    let clinic = Clinic::new();
    let address = clinic.address();
    for arguments in [
        &["check", "--content", &address][..],
        &["build", "--content", &address],
        &["query", "/v1/states", "--content", &address],
        &["dev", "--content", &address],
        &["publish", &address, &address],
    ] {
        let refused = nameplate(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(text(&refused.stderr).contains("folder"), "{arguments:?}: {}", text(&refused.stderr));
    }
    let folder = clinic.content();
    let refused = nameplate(&["serve", "--content", folder.to_str().unwrap(), "--content-cache", "cache"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("only for content in an object store"),
        "{}",
        text(&refused.stderr)
    );
}

#[test]
fn the_feed_of_the_settings_is_used() {
    let clinic = Clinic::new();
    clinic.published(1);
    let free = {
        let server = clinic.serve();
        text(&server.get("/v1/availability?state=AZ&provider=amara-okonkwo&horizonDays=10&limit=200").body)
            .matches("2026-11-21T13:")
            .count()
    };
    assert!(free > 0);
    let feed = clinic.folder.path().join("busy.ndjson");
    let line = "{\"provider\":\"amara-okonkwo\",\"start\":\"2026-11-21T13:00:00Z\",\"end\":\"2026-11-21T14:00:00Z\",\
                \"status\":\"busy\"}\n";
    fs::write(&feed, line).unwrap();
    let settings = clinic.folder.path().join("nameplate.toml");
    let cache = Path::new("cache");
    let lines = format!(
        "content = {:?}\ncontent-cache = {:?}\n[feed]\npath = {:?}\nmode = \"busy\"\n",
        clinic.address(),
        clinic.folder.path().join(cache),
        feed
    );
    fs::write(&settings, lines).unwrap();
    let server = Server::start(&["serve", "--config", settings.to_str().unwrap(), "--now", NOW]);
    within(TIMEOUT, "the feed", || {
        let reply = server.get("/v1/availability?state=AZ&provider=amara-okonkwo&horizonDays=10&limit=200");
        reply.status == 200 && text(&reply.body).matches("2026-11-21T13:").count() == 0
    });
}

#[test]
fn replicas_tell_the_same_changes_whenever_they_started() {
    let clinic = Clinic::new();
    let mut generations = vec![clinic.published(1)];
    let early = clinic.serve();
    for (number, name) in [(2, "Juno"), (3, "June")] {
        clinic.rename(name);
        generations.push(clinic.published(number));
        within(TIMEOUT, name, || has_name(&early, name));
    }
    let late = clinic.serve();
    let steps = |server: &Server| changes(server)["steps"].as_array().unwrap().len();
    within(TIMEOUT, "the steps of both", || [&early, &late].iter().all(|server| steps(server) == 2));
    assert_eq!(early.get("/v1/changes").body, late.get("/v1/changes").body);
    let told = changes(&late);
    assert_eq!(
        (&told["steps"][1]["from"], &told["generation"]),
        (&generations[0].clone().into(), &generations[2].clone().into())
    );
    assert_eq!(told["steps"][0]["changed"], serde_json::json!(["jun-nakashima"]));
    // Both are stopped at once, so one of two new releases is skipped and reported.
    for server in [&early, &late] {
        server.signal("-STOP");
    }
    for (number, name) in [(4, "Jan"), (5, "Jana")] {
        clinic.rename(name);
        clinic.published(number);
    }
    for server in [&early, &late] {
        server.signal("-CONT");
    }
    within(TIMEOUT, "the steps of both", || [&early, &late].iter().all(|server| steps(server) == 4));
    assert_eq!(early.get("/v1/changes").body, late.get("/v1/changes").body);
}
