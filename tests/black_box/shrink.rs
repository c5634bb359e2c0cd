//! Content that loses most of its clinicians at once: a build refuses it, a service holds it, `dev` says so.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::harness::{NOW, Server, nameplate, text, within};
use crate::publish::copy_of_content;

const PATIENCE: Duration = Duration::from_secs(30);
const FOLDERS: [&str; 3] = ["providers", "availability", "headshots"];

/// The files of clinicians whose slugs begin so.
fn files_of(content: &Path, first_letters: std::ops::RangeInclusive<char>) -> Vec<std::path::PathBuf> {
    let entries = FOLDERS.iter().flat_map(|folder| fs::read_dir(content.join(folder)).unwrap());
    let is_meant = |name: &str| name.starts_with(|first| first_letters.contains(&first));
    let files = entries.map(|entry| entry.unwrap().path());
    files.filter(|file| is_meant(file.file_name().unwrap().to_str().unwrap())).collect()
}

/// Moves files of clinicians out of the folder, as a copy that stopped half-way leaves it; gives back how many
/// clinicians went.
fn lose(content: &Path, first_letters: std::ops::RangeInclusive<char>) -> usize {
    let files = files_of(content, first_letters);
    for file in &files {
        fs::remove_file(file).unwrap();
    }
    files.iter().filter(|file| file.parent().unwrap().ends_with("providers")).count()
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_build_that_would_lose_most_clinicians_is_refused_until_it_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let before = count(&content.join("providers"));
    let arguments = ["build", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()];
    assert!(nameplate(&arguments).status.success());
    let manifest = || fs::read(out.join("v1/manifest.json")).unwrap();
    let published = manifest();

    let lost = lose(&content, 'a'..='k');
    assert!(lost > 5, "{lost}");
    let refused = nameplate(&arguments);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(
        said.contains(&format!("{lost} of {before} clinicians are gone at once (amara-okonkwo, ")),
        "{said}"
    );
    assert!(said.contains("retired.toml") && said.contains("--accept-shrink"), "{said}");
    assert!(manifest() == published, "the tree is as it was");

    // The setting allows it, by a flag or by the variable of `serve`, and refuses a number that is no share.
    let half = |share: &str| nameplate(&[&arguments[..], &["--content-max-shrink", share]].concat());
    assert_eq!(half("0.1").status.code(), Some(2));
    assert!(text(&half("2").stderr).contains("from 0 to 1"));
    assert!(manifest() == published);

    // The way out that the sentence names works.
    let accepted = nameplate(&[&arguments[..], &["--accept-shrink"]].concat());
    assert!(accepted.status.success(), "{}", text(&accepted.stderr));
    assert!(manifest() != published);
    assert!(nameplate(&arguments).status.success(), "nothing vanishes any more");
}

#[test]
fn a_service_holds_content_that_lost_most_clinicians_until_an_operator_accepts_it() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let before = count(&content.join("providers"));
    let arguments = ["serve", "--content", content.to_str().unwrap(), "--admin", "127.0.0.1:0", "--now", NOW];
    let server = Server::start(&arguments);
    let admin = Server::elsewhere(server.admin().unwrap());
    let ready = || -> serde_json::Value { serde_json::from_slice(&admin.get("/readyz").body).unwrap() };
    let has = |line: &str| text(&admin.get("/metrics").body).lines().any(|known| known == line);
    let total = || {
        let page: serde_json::Value = serde_json::from_slice(&server.get("/v1/providers").body).unwrap();
        page["total"].as_u64().and_then(|total| usize::try_from(total).ok()).unwrap()
    };
    assert!(has(&format!("nameplate_providers {before}")) && has("nameplate_content_held 0"));
    assert_eq!(admin.post("/content/accept").status, 409);

    let lost = lose(&content, 'a'..='k');
    within(PATIENCE, "the content is held", || !ready()["content"]["held"].is_null());
    let why = ready()["content"]["held"]["what"].as_str().unwrap().to_owned();
    assert!(why.starts_with(&format!("{lost} of {before} clinicians are gone at once (")), "{why}");
    assert!(why.contains("POST /content/accept"), "{why}");
    assert_eq!((admin.get("/readyz").status, total()), (200, before));
    assert_eq!(server.get("/v1/providers/amara-okonkwo").status, 200);
    assert!(has("nameplate_content_held 1") && has(&format!("nameplate_providers {before}")));

    // Restored, nothing is held; lost again, an operator accepts it.
    copy_of_content(&content);
    within(PATIENCE, "nothing is held", || ready()["content"]["held"].is_null());
    assert_eq!(admin.post("/content/accept").status, 409);
    lose(&content, 'a'..='k');
    within(PATIENCE, "the content is held again", || !ready()["content"]["held"].is_null());
    assert_eq!(admin.post("/content/accept").status, 200);
    assert_eq!(total(), before - lost);
    assert!(ready()["content"]["held"].is_null() && has("nameplate_content_held 0"));
    assert_eq!(server.get("/v1/providers/amara-okonkwo").status, 404);
    assert_eq!(server.get("/v1/availability?state=CA").status, 200);
}

#[test]
fn dev_goes_on_whatever_becomes_of_the_content() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let arguments =
        ["dev", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap(), "--now", NOW];
    let server = Server::start(&arguments);
    let status = |path: &str| server.get(path).status;
    assert_eq!(status("/providers/amara-okonkwo"), 200);

    // Most clinicians go: an editor sees it at once.
    lose(&content, 'a'..='k');
    within(PATIENCE, "the smaller clinic", || status("/v1/providers/amara-okonkwo") == 404);

    // A portrait that is no file, a folder that is gone: what was built last stays.
    let portrait =
        files_of(&content, 'm'..='z').into_iter().find(|file| file.extension().unwrap() == "svg").unwrap();
    fs::remove_file(&portrait).unwrap();
    fs::create_dir(&portrait).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(status("/v1/states"), 200);
    fs::rename(&content, folder.path().join("elsewhere")).unwrap();
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(status("/v1/states"), 200);
    copy_of_content(&content);
    within(PATIENCE, "the whole clinic", || status("/v1/providers/amara-okonkwo") == 200);
}

#[test]
fn a_portrait_may_have_any_name_of_a_file() {
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
    // A second build finds nothing changed: the portrait is known by its own name.
    let again = nameplate(&["build", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert!(text(&again.stdout).contains("nothing changed"), "{}", text(&again.stdout));
}
