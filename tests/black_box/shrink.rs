//! Content that loses most of its clinicians at once: `build` refuses it, `serve` holds it, `dev` warns.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::{NOW, Server, TIMEOUT, command, give_it_time, nameplate, text, within};
use crate::publish::copy_of_content;
use crate::restart::serve;

const FOLDERS: [&str; 3] = ["providers", "availability", "headshots"];

/// The files of clinicians whose slugs begin with one of these letters.
fn files_of(content: &Path, first_letters: std::ops::RangeInclusive<char>) -> Vec<std::path::PathBuf> {
    let entries = FOLDERS.iter().flat_map(|folder| fs::read_dir(content.join(folder)).unwrap());
    let matches = |name: &str| name.starts_with(|first| first_letters.contains(&first));
    let files = entries.map(|entry| entry.unwrap().path());
    files.filter(|file| matches(file.file_name().unwrap().to_str().unwrap())).collect()
}

/// Puts a copy without these clinicians' files in the folder's place, and returns their number. Removed one by one, a few
/// of them could be gone before the rest is seen to be too much.
fn remove(content: &Path, first_letters: std::ops::RangeInclusive<char>) -> usize {
    let [next, before] = ["next", "before"].map(|name| content.with_file_name(name));
    let copied = Command::new("cp").arg("-a").args([content, &next]).status();
    assert!(copied.unwrap().success());
    let files = files_of(&next, first_letters);
    for file in &files {
        fs::remove_file(file).unwrap();
    }
    fs::rename(content, &before).unwrap();
    fs::rename(next, content).unwrap();
    fs::remove_dir_all(before).unwrap();
    files.iter().filter(|file| file.parent().unwrap().ends_with("providers")).count()
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_build_that_loses_most_clinicians_is_refused_until_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let before = count(&content.join("providers"));
    let arguments = ["build", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()];
    assert!(nameplate(&arguments).status.success());
    let manifest = || fs::read(out.join("v1/manifest.json")).unwrap();
    let published = manifest();

    let lost = remove(&content, 'a'..='k');
    assert!(lost > 5, "{lost}");
    let refused = nameplate(&arguments);
    let printed = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{printed}");
    assert!(
        printed.contains(&format!("{lost} of {before} clinicians are missing (amara-okonkwo, ")),
        "{printed}"
    );
    assert!(printed.contains("retired.toml") && printed.contains("--accept-shrink"), "{printed}");
    assert!(manifest() == published, "the tree has changed");

    let half = |share: &str| nameplate(&[&arguments[..], &["--content-max-shrink", share]].concat());
    assert_eq!(half("0.1").status.code(), Some(2));
    assert!(text(&half("2").stderr).contains("from 0 to 1"));
    assert!(manifest() == published);

    let accepted = nameplate(&[&arguments[..], &["--accept-shrink"]].concat());
    assert!(accepted.status.success(), "{}", text(&accepted.stderr));
    assert!(manifest() != published);
    assert!(nameplate(&arguments).status.success(), "the next build finds no loss");
}

#[test]
fn a_service_holds_content_without_most_clinicians_until_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let before = count(&content.join("providers"));
    let state = folder.path().join("state");
    let folders = ["--content", content.to_str().unwrap(), "--state-dir", state.to_str().unwrap()];
    let server = Server::start(&[&["serve", "--admin", "127.0.0.1:0", "--now", NOW], &folders[..]].concat());
    let admin = Server::elsewhere(server.admin().unwrap());
    let ready = || -> serde_json::Value { serde_json::from_slice(&admin.get("/readyz").body).unwrap() };
    let has = |line: &str| text(&admin.get("/metrics").body).lines().any(|known| known == line);
    let total = || {
        let page: serde_json::Value = serde_json::from_slice(&server.get("/v1/providers").body).unwrap();
        page["total"].as_u64().and_then(|total| usize::try_from(total).ok()).unwrap()
    };
    assert!(has(&format!("nameplate_providers {before}")) && has("nameplate_content_held 0"));
    assert_eq!(admin.post("/content/accept").status, 409);

    let held = || ready()["content"]["held"]["what"].as_str().unwrap_or_default().to_owned();
    let lost = remove(&content, 'a'..='h');
    let sentence = format!("{lost} of {before} clinicians are missing (");
    within(TIMEOUT, "the content is held", || held().starts_with(&sentence));
    let why = held();
    assert!(why.contains("POST /content/accept"), "{why}");
    let shown = ready()["content"]["held"].clone();
    let seen = shown["generation"].as_str().unwrap();
    assert!(shown["what"].as_str().unwrap().contains(&format!("with If-Match: {seen};")), "{shown}");
    let missing = admin.post("/content/accept");
    let says = text(&missing.body);
    assert!(missing.status == 428 && says.contains("send the header If-Match: "), "{says}");
    assert_eq!((admin.get("/readyz").status, total()), (200, before));
    assert_eq!(server.get("/v1/providers/amara-okonkwo").status, 200);
    assert!(has("nameplate_content_held 1") && has(&format!("nameplate_providers {before}")));

    // Restored content is not held. After another loss, an operator accepts it.
    copy_of_content(&content);
    within(TIMEOUT, "nothing is held", || ready()["content"]["held"].is_null());
    assert_eq!(admin.post("/content/accept").status, 409);
    let lost = remove(&content, 'a'..='k');
    let sentence = format!("{lost} of {before} clinicians are missing (");
    within(TIMEOUT, "the content is held again", || held().starts_with(&sentence));
    // More is lost than the operator has seen.
    let other = admin.post_with("/content/accept", &format!("If-Match: \"{seen}\"\r\n"));
    assert!(other.status == 412 && text(&other.body).contains(&sentence), "{}", text(&other.body));
    assert_eq!(total(), before);
    within(TIMEOUT, "it is accepted", || admin.accept_content().status == 200);
    assert_eq!(total(), before - lost);
    assert!(ready()["content"]["held"].is_null() && has("nameplate_content_held 0"));
    assert_eq!(server.get("/v1/providers/amara-okonkwo").status, 404);
    assert_eq!(server.get("/v1/availability?state=CA").status, 200);
    let accepted = ready()["generation"].as_str().unwrap().to_owned();
    let kept = || fs::read_to_string(state.join("current.json")).unwrap_or_default();
    within(TIMEOUT, "a copy of what was accepted", || kept().contains(&accepted));
}

#[test]
fn a_restart_publishes_nothing_that_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let (content, state) = (folder.path().join("content"), folder.path().join("state"));
    copy_of_content(&content);
    let before = count(&content.join("providers"));
    let arguments = serve(&content, &state);
    let total = |server: &Server| {
        let page: serde_json::Value = serde_json::from_slice(&server.get("/v1/providers").body).unwrap();
        page["total"].as_u64().and_then(|total| usize::try_from(total).ok()).unwrap()
    };
    let content_of = |server: &Server| {
        let ready = Server::elsewhere(server.admin().unwrap()).get("/readyz").body;
        serde_json::from_slice::<serde_json::Value>(&ready).unwrap()["content"].clone()
    };
    let held = |server: &Server| content_of(server)["held"]["what"].as_str().unwrap_or_default().to_owned();
    let kept = || fs::read_to_string(state.join("current.json")).unwrap_or_default();
    let server = Server::start(&arguments);
    within(TIMEOUT, "the first copy", || !kept().is_empty());
    let first = kept();
    drop(server);

    let lost = remove(&content, 'a'..='k');
    let sentence = format!("{lost} of {before} clinicians are missing (");
    for _ in 0..2 {
        let server = Server::start(&arguments);
        assert_eq!(total(&server), before);
        within(TIMEOUT, "the content is held", || held(&server).starts_with(&sentence));
        assert_eq!((total(&server), kept()), (before, first.clone()));
        let told = content_of(&server);
        let copied_at = told["readAt"].as_str().is_some_and(|at| first.contains(&at[..19]));
        assert!(told["isLastGood"] == true && copied_at, "{told} {first}");
    }
    let strict =
        command(&[&arguments[..], &["--strict", "--listen", "127.0.0.1:0"]].concat()).output().unwrap();
    let printed = text(&strict.stderr);
    assert!(strict.status.code() == Some(2) && printed.contains("--content-max-shrink 1"), "{printed}");

    let server = Server::start(&arguments);
    within(TIMEOUT, "the content is held again", || held(&server).starts_with(&sentence));
    assert_eq!(server.operators().accept_content().status, 200);
    within(TIMEOUT, "a copy of what was accepted", || kept() != first);
    drop(server);
    let server = Server::start(&arguments);
    assert_eq!((total(&server), held(&server)), (before - lost, String::new()));
    drop(server);

    // Without the admin address, a setting accepts.
    let second = kept();
    let gone = remove(&content, 'l'..='p');
    assert!(gone > 5, "{gone}");
    let server = Server::start(&[&arguments[..], &["--content-max-shrink", "1"]].concat());
    assert_eq!(total(&server), before - lost - gone);
    within(TIMEOUT, "the last copy", || kept() != second);
}

#[test]
fn losses_of_one_day_add_up_until_an_operator_accepts() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let before = count(&content.join("providers"));
    let state = folder.path().join("state");
    let arguments = serve(&content, &state);
    let server = Server::start(&arguments);
    let gone = remove(&content, 'a'..='d');
    assert!((1..=5).contains(&gone), "{gone}");
    within(TIMEOUT, "a few may go", || server.get("/v1/providers/amara-okonkwo").status == 404);
    let remembered = || fs::read_to_string(state.join("served.json")).unwrap_or_default();
    within(TIMEOUT, "they are remembered", || remembered().contains("amara-okonkwo"));
    drop(server);
    let more = remove(&content, 'e'..='g');
    let server = Server::start(&arguments);
    let admin = Server::elsewhere(server.admin().unwrap());
    let ready = || -> serde_json::Value { serde_json::from_slice(&admin.get("/readyz").body).unwrap() };
    let held = || ready()["content"]["held"]["what"].as_str().unwrap_or_default().to_owned();
    assert!((1..=5).contains(&more) && gone + more > 5, "{gone} and {more}");
    let sentence = format!("{} of {before} clinicians are missing (", gone + more);
    within(TIMEOUT, "all of the day are counted", || held().starts_with(&sentence));
    assert_eq!(admin.accept_content().status, 200);
    let last = remove(&content, 'h'..='k');
    assert!((1..=5).contains(&last), "{last}");
    within(TIMEOUT, "what comes after counts anew", || {
        let page: serde_json::Value = serde_json::from_slice(&server.get("/v1/providers").body).unwrap();
        page["total"] == before - gone - more - last
    });
    assert_eq!(held(), "");
}

#[test]
fn accepting_content_neither_serves_nor_keeps_a_later_edit() {
    let folder = tempfile::tempdir().unwrap();
    let (content, state) = (folder.path().join("content"), folder.path().join("state"));
    copy_of_content(&content);
    // Without `reload`, the folder is read at the start and at a SIGHUP only.
    let settings = folder.path().join("nameplate.toml");
    fs::write(&settings, "reload = false\n").unwrap();
    let [settings, folder, state_folder] = [&settings, &content, &state].map(|path| path.to_str().unwrap());
    let server = Server::start(&[
        "serve",
        "--config",
        settings,
        "--content",
        folder,
        "--state-dir",
        state_folder,
        "--admin",
        "127.0.0.1:0",
        "--now",
        NOW,
    ]);
    let admin = Server::elsewhere(server.admin().unwrap());
    let ready = || -> serde_json::Value { serde_json::from_slice(&admin.get("/readyz").body).unwrap() };
    let kept = || fs::read_to_string(state.join("current.json")).unwrap_or_default();
    let generation = || ready()["generation"].as_str().unwrap().to_owned();
    within(TIMEOUT, "a copy of the first content", || kept().contains(&generation()));
    let first = generation();
    remove(&content, 'a'..='k');
    let hangup = Command::new("kill").args(["-HUP", &server.id().to_string()]).status();
    assert!(hangup.unwrap().success());
    within(TIMEOUT, "the content is held", || ready()["content"]["held"].is_object());
    let name = "Doctor Edited Later";
    let profile = content.join("providers/priya-raghunathan.toml");
    let text = fs::read_to_string(&profile).unwrap();
    let line = text.lines().find(|line| line.starts_with("display-name")).unwrap();
    fs::write(&profile, text.replace(line, &format!("display-name = \"{name}\""))).unwrap();

    assert_eq!(admin.accept_content().status, 200);
    let accepted = generation();
    assert_ne!(accepted, first);
    give_it_time();
    assert_eq!(generation(), accepted);
    let profile = server.get("/v1/providers/priya-raghunathan");
    assert_eq!(profile.status, 200);
    assert!(
        !crate::harness::text(&profile.body).contains(name),
        "an edit is served without a request to read it"
    );
    assert!(kept().contains(&first), "what is in the folder is not what was accepted: {}", kept());
}

#[test]
fn a_service_logs_the_warnings_of_held_content_once() {
    let folder = tempfile::tempdir().unwrap();
    let (content, log) = (folder.path().join("content"), folder.path().join("log"));
    copy_of_content(&content);
    let before = count(&content.join("providers"));
    let mut serve =
        command(&["serve", "--content", content.to_str().unwrap(), "--listen", "127.0.0.1:0", "--now", NOW]);
    let mut process = serve.stderr(fs::File::create(&log).unwrap()).stdout(Stdio::null()).spawn().unwrap();
    let text = || fs::read_to_string(&log).unwrap();
    within(TIMEOUT, "the start", || text().contains("serving"));
    let sentence = format!("{} of {before} clinicians are missing", remove(&content, 'a'..='k'));
    let looks = || text().matches(&sentence).count();
    within(TIMEOUT, "the content is held", || looks() > 0);
    for comment in ["# one", "# two"] {
        let seen = looks();
        let retired = fs::read_to_string(content.join("retired.toml")).unwrap();
        fs::write(content.join("retired.toml"), format!("{retired}{comment}\n")).unwrap();
        within(TIMEOUT, "another look", || looks() > seen);
    }
    process.kill().unwrap();
    process.wait().unwrap();
    let log = text();
    let since = &log[log.find(&sentence).unwrap()..];
    assert_eq!(
        since.matches("No clinician in PA who takes \"Harbor Mutual HMO\" accepts new patients").count(),
        1,
        "{log}"
    );
}

#[test]
fn dev_survives_missing_and_broken_content() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let arguments =
        ["dev", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap(), "--now", NOW];
    let server = Server::start(&arguments);
    let status = |path: &str| server.get(path).status;
    assert_eq!(status("/providers/amara-okonkwo"), 200);

    remove(&content, 'a'..='k');
    within(TIMEOUT, "the smaller clinic", || status("/v1/providers/amara-okonkwo") == 404);

    // A portrait that is a folder, or a missing content folder, changes nothing.
    let portrait =
        files_of(&content, 'm'..='z').into_iter().find(|file| file.extension().unwrap() == "svg").unwrap();
    fs::remove_file(&portrait).unwrap();
    fs::create_dir(&portrait).unwrap();
    within(TIMEOUT, "the page of mistakes", || status("/") == 500);
    assert_eq!(status("/v1/states"), 200);
    fs::rename(&content, folder.path().join("elsewhere")).unwrap();
    server.logs("doesn't exist");
    assert_eq!(status("/v1/states"), 200);
    copy_of_content(&content);
    within(TIMEOUT, "the whole clinic", || status("/v1/providers/amara-okonkwo") == 200);
}

#[test]
fn a_portrait_may_have_any_file_name() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let profile = content.join("providers/jun-nakashima.toml");
    let before = fs::read_to_string(&profile).unwrap();
    let after = before.replace("\"jun-nakashima.svg\"", "\"Jun Nakashima (1).SVG\"");
    assert_ne!(before, after);
    fs::write(profile, after).unwrap();
    let headshots = content.join("headshots");
    fs::rename(headshots.join("jun-nakashima.svg"), headshots.join("Jun Nakashima (1).SVG")).unwrap();
    let checked = nameplate(&["check", "--content", content.to_str().unwrap()]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
    let built = nameplate(&["build", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!(built.status.code(), Some(0), "{}", text(&built.stderr));
    assert!(out.join("headshots/jun-nakashima.svg").exists());
    // A second build finds no change: it reads the portrait by its name in the content.
    let again = nameplate(&["build", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert!(text(&again.stdout).contains("all up to date"), "{}", text(&again.stdout));
}
