//! What a published tree goes through: kills, removals, broken edits.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::{nameplate, root, text};

/// A copy of the demo's content that a test may change.
pub(crate) fn copy_of_content(to: &Path) {
    for entry in walkdir::WalkDir::new(root().join("content")) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(root().join("content")).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Every file below a folder with its bytes and its time.
fn tree(folder: &Path) -> BTreeMap<String, (Vec<u8>, i64)> {
    let files = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    files
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let name = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            (name, (fs::read(entry.path()).unwrap(), entry.metadata().unwrap().mtime()))
        })
        .collect()
}

/// A tree without what follows from earlier trees, too.
fn without_history(folder: &Path) -> BTreeMap<String, (Vec<u8>, i64)> {
    let mut tree = tree(folder);
    let [manifest, changes, _] = ["v1/manifest.json", "v1/changes.json", "changes.atom"].map(|file| {
        let (bytes, _) = tree.remove(file).unwrap_or_else(|| panic!("no {file}"));
        String::from_utf8(bytes).unwrap()
    });
    assert_eq!(manifest.split(',').next(), changes.split(',').next(), "their generations");
    tree
}

fn build(content: &Path, out: &Path) -> String {
    let arguments = ["build", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let done = nameplate(&arguments);
    assert!(done.status.success(), "{}", text(&done.stderr));
    text(&done.stdout).to_owned()
}

fn edit(file: &Path, from: &str, to: &str) {
    let before = fs::read_to_string(file).unwrap();
    assert!(before.contains(from));
    fs::write(file, before.replace(from, to)).unwrap();
}

#[test]
fn killed_at_any_instant_the_tree_is_the_old_one_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    // Several generations in turn: some differ from the one before in most of the tree, others in one profile.
    let contents = ["old", "edited", "edited-again", "new"].map(|name| folder.path().join(name));
    for content in &contents {
        copy_of_content(content);
    }
    for (content, text) in contents[1..3].iter().zip(["# edited\n", "# edited again\n"]) {
        let file = content.join("providers/jun-nakashima.toml");
        fs::write(&file, fs::read_to_string(&file).unwrap() + text).unwrap();
    }
    edit(&contents[3].join("directory.toml"), "Virtual care for midlife", "Care for midlife, by video");
    let out = folder.path().join("dist");
    let stage = folder.path().join(".nameplate/dist/stage");
    let mut trees = Vec::new();
    for content in &contents {
        build(content, &out);
        trees.push(without_history(&out));
        assert!(!stage.exists());
    }
    assert!((1..4).all(|at| !trees[..at].contains(&trees[at])));
    let staged = || walkdir::WalkDir::new(&stage).into_iter().filter_map(Result::ok).count();
    let whole = trees[0].len() + 3;
    // How much stands in the stage when the kill comes, from nothing to all; then kills after the exchange. A machine that is
    // slow to kill leaves a later state, which must be whole as well.
    let states = (0..20).map(|step| whole * step / 18);
    for (round, awaited) in states.chain([usize::MAX; 4]).enumerate() {
        let before = fs::metadata(&out).unwrap().ino();
        let mut command = Command::new(env!("CARGO_BIN_EXE_nameplate"));
        command.args(["build", "--content", contents[round % 4].to_str().unwrap(), "--out"]).arg(&out);
        let mut process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let is_exchanged = || fs::metadata(&out).is_ok_and(|out| out.ino() != before);
        while staged() < awaited && !is_exchanged() && process.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        process.kill().unwrap();
        process.wait().unwrap();
        let now = without_history(&out);
        let which = trees.iter().position(|whole| *whole == now);
        let which = which.unwrap_or_else(|| panic!("round {round}: neither the old tree nor the new one"));
        assert!(awaited < usize::MAX || which == round % 4, "the new tree is there once it was exchanged");
    }
    // Whatever the last kill left is swept, and what it remembered is true.
    build(&contents[0], &out);
    assert!(without_history(&out) == trees[0]);
    assert!(!stage.exists());
}

#[test]
fn a_second_build_writes_nothing_and_a_broken_edit_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    build(&content, &out);
    let lock = folder.path().join(".nameplate/dist/lock");
    let times = || (fs::metadata(&lock).unwrap().ctime_nsec(), fs::metadata(&out).unwrap().ctime_nsec());
    let (before, first) = (tree(&out), build(&content, &out));
    let (then, again) = (times(), build(&content, &out));
    assert!(first.contains("all up to date, ") && first == again, "{first}{again}");
    assert!(tree(&out) == before && times() == then, "not one write");

    // A summary is written for it as well.
    let summary = folder.path().join("summary.md");
    let arguments = ["build", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let done = nameplate(&[&arguments[..], &["--summary", summary.to_str().unwrap()]].concat());
    assert!(done.status.success() && text(&done.stdout) == again);
    assert!(fs::read_to_string(summary).unwrap().starts_with("**Nothing changes.**\n"));

    edit(&content.join("providers/jun-nakashima.toml"), "display-name = \"", "display-name = ");
    let told = nameplate(&arguments);
    assert_eq!(told.status.code(), Some(1));
    assert!(text(&told.stderr).contains("providers/jun-nakashima.toml:"), "{}", text(&told.stderr));
}

#[test]
fn without_a_source_exactly_its_files_go() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    build(&content, &out);
    let before = tree(&out);
    for name in
        ["providers/jun-nakashima.toml", "availability/jun-nakashima.toml", "headshots/jun-nakashima.svg"]
    {
        fs::remove_file(content.join(name)).unwrap();
    }
    let said = build(&content, &out);
    assert!(said.contains("- Jun Nakashima is no longer listed"), "{said}");
    let after = tree(&out);
    let gone: Vec<_> = before.keys().filter(|name| !after.contains_key(*name)).collect();
    assert_eq!(
        gone,
        [
            "es/providers/jun-nakashima.html",
            "es/providers/jun-nakashima.md",
            "headshots/jun-nakashima.svg",
            "providers/jun-nakashima.html",
            "providers/jun-nakashima.md",
            "v1/providers/jun-nakashima.json"
        ]
    );
    assert!(after.keys().all(|name| before.contains_key(name)));
}

#[test]
fn a_broken_edit_changes_nothing_and_a_fixed_one_only_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    build(&content, &out);
    let before = tree(&out);
    let file = content.join("providers/jun-nakashima.toml");
    edit(&file, "display-name = \"", "display-name = ");
    let arguments = ["build", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()];
    assert_eq!(nameplate(&arguments).status.code(), Some(1));
    assert!(tree(&out) == before, "the tree is as it was");

    // An edit that keeps the size has another time all the same.
    edit(&file, "display-name = ", "display-name = \"");
    edit(&file, "\"Jun Nakashima\"", "\"Jin Nakashima\"");
    build(&content, &out);
    let (name, after) = ("v1/providers/jun-nakashima.json", tree(&out));
    assert_eq!(after[name].0.len(), before[name].0.len());
    assert_ne!(after[name].1, before[name].1);
}

#[test]
fn a_summary_for_a_pull_request_says_what_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out, summary) =
        (folder.path().join("content"), folder.path().join("dist"), folder.path().join("summary.md"));
    copy_of_content(&content);
    build(&content, &out);
    edit(&content.join("providers/amara-okonkwo.toml"), "CA  = [\"Blue Mesa of California\"]", "");
    let mut arguments = vec!["build", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()];
    arguments.extend(["--summary", summary.to_str().unwrap()]);
    assert!(nameplate(&arguments).status.success());
    let said = fs::read_to_string(summary).unwrap();
    assert!(said.contains("- Amara Okonkwo no longer accepts Blue Mesa of California in CA\n"), "{said}");
}
