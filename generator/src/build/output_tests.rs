//! Builds into folders: what is written beside the pages, what was there before, and where a build may not write.
#![expect(clippy::disallowed_methods, reason = "these tests read the trees they make")]

use std::fs;

use super::tests::tree;
use super::*;
use crate::publish::manifest::Manifest;
use crate::test_fixture as fixture;

#[test]
fn gzip_files_are_published_beside_compressible_ones() {
    let out = tempfile::tempdir().unwrap();
    let options =
        BuildOptions { precompress: true, ..BuildOptions::new(fixture::folder(), out.path().join("dist")) };
    build(&fixture::snapshot(), &options).unwrap();
    let tree = tree(&options.out);
    assert!(tree.contains_key("index.html.gz") && tree.contains_key("v1/openapi.json.gz"));
    for name in ["v1/states.json.gz", "_headers.gz", "v1/manifest.json.gz"] {
        assert!(!tree.contains_key(name), "{name}");
    }
    assert!(tree["index.html.gz"].len() < tree["index.html"].len());
    let manifest = Manifest::parse(&tree["v1/manifest.json"]).unwrap();
    assert!(manifest.get("index.html.gz").is_some());
    assert!(build(&fixture::snapshot(), &options).unwrap().is_unchanged());
}

#[test]
fn without_pages_no_html_is_published_and_force_replaces_a_foreign_folder() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().join("dist");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("thesis.txt"), "years of work").unwrap();
    let options = BuildOptions { with_pages: false, ..BuildOptions::new(fixture::folder(), &folder) };
    assert!(matches!(
        build(&fixture::snapshot(), &options),
        Err(BuildError::Write(write::WriteError::Foreign(_)))
    ));
    let summary = build(&fixture::snapshot(), &BuildOptions { force: true, ..options }).unwrap();
    let note = "1 file in ";
    assert!(
        summary.notes.iter().any(|n| n.starts_with(note)
            && n.contains(" that no build had written was removed with the old tree: thesis.txt; ")),
        "{summary}"
    );
    let tree = tree(&folder);
    assert!(!tree.contains_key("thesis.txt") && tree.contains_key("v1/states.json"));
    assert!(!tree.keys().any(|name| name.contains(".html") || name.starts_with("assets/")));
}

#[test]
fn a_preview_equals_the_built_manifest_and_writes_nothing() {
    let out = tempfile::tempdir().unwrap();
    let options =
        BuildOptions { precompress: true, ..BuildOptions::new(fixture::folder(), out.path().join("dist")) };
    let preview = preview(&fixture::snapshot(), &options).unwrap();
    assert!(!options.out.exists());
    build(&fixture::snapshot(), &options).unwrap();
    assert_eq!(Manifest::parse(&tree(&options.out)["v1/manifest.json"]), Some(preview));
}

#[test]
fn an_output_inside_or_around_a_source_folder_is_refused() {
    let content = fixture::copy();
    let snapshot = fixture::load(content.path());
    for (out, is_inside) in [
        (content.path().join("dist"), true),
        (content.path().to_path_buf(), true),
        (content.path().join("providers/../dist"), true),
        (content.path().parent().unwrap().to_path_buf(), false),
    ] {
        let refused =
            build(&snapshot, &BuildOptions { force: true, ..BuildOptions::new(content.path(), &out) })
                .unwrap_err();
        let right = match refused {
            BuildError::OutputInside { .. } => is_inside,
            BuildError::SourceInside { .. } => !is_inside,
            _ => false,
        };
        assert!(right, "{}: {refused}", out.display());
    }
    assert!(content.path().join("directory.toml").exists());
}

#[test]
fn foreign_files_in_the_tree_are_named_when_they_are_removed() {
    let out = tempfile::tempdir().unwrap();
    let options = BuildOptions::new(fixture::folder(), out.path().join("dist"));
    build(&fixture::snapshot(), &options).unwrap();
    fs::write(options.out.join("v1/notes.txt"), "mine").unwrap();
    assert!(build(&fixture::snapshot(), &options).unwrap().is_unchanged());
    let edited = fixture::copy();
    fixture::edit(edited.path(), "directory.toml", |text| text + "# edited\n");
    let summary = build(&fixture::load(edited.path()), &options).unwrap();
    assert!(summary.notes.iter().any(|note| note.contains(": v1/notes.txt; ")), "{summary}");
    assert!(!options.out.join("v1/notes.txt").exists());
}

#[test]
fn files_that_hosts_and_search_engines_ask_for_are_kept() {
    let out = tempfile::tempdir().unwrap();
    let options = BuildOptions::new(fixture::folder(), out.path().join("dist"));
    build(&fixture::snapshot(), &options).unwrap();
    let kept = ["CNAME", "google1a2b.html", ".well-known/security.txt"];
    let removed = ["index.html.br", ".DS_Store", "providers/ann.html.bak", "mine/CNAME"];
    fs::create_dir(options.out.join("mine")).unwrap();
    fs::create_dir_all(options.out.join(".well-known")).unwrap();
    for name in kept.iter().chain(&removed) {
        fs::write(options.out.join(name), "mine").unwrap();
    }
    std::os::unix::fs::symlink("/etc/hostname", options.out.join("linked")).unwrap();
    for edit in ["# edited\n", "# edited again\n"] {
        let edited = fixture::copy();
        fixture::edit(edited.path(), "directory.toml", |text| text + edit);
        let summary = build(&fixture::load(edited.path()), &options).unwrap();
        let told = "3 files in ";
        let names = "were kept: .well-known/security.txt, CNAME, google1a2b.html";
        assert!(
            summary.notes.iter().any(|note| note.starts_with(told) && note.ends_with(names)),
            "{summary}"
        );
        for name in kept {
            assert_eq!(fs::read_to_string(options.out.join(name)).unwrap(), "mine", "{name}");
        }
        for name in removed.iter().chain(&["linked", "mine"]) {
            assert!(fs::symlink_metadata(options.out.join(name)).is_err(), "{name}");
        }
    }
    let manifest = Manifest::parse(&tree(&options.out)["v1/manifest.json"]).unwrap();
    assert!(kept.iter().all(|name| manifest.get(name).is_none()));
}

#[test]
fn a_kept_file_gives_way_to_a_published_one() {
    let out = tempfile::tempdir().unwrap();
    let without_pages =
        BuildOptions { with_pages: false, ..BuildOptions::new(fixture::folder(), out.path().join("dist")) };
    build(&fixture::snapshot(), &without_pages).unwrap();
    fs::write(without_pages.out.join("index.html"), "mine").unwrap();
    let summary =
        build(&fixture::snapshot(), &BuildOptions { with_pages: true, ..without_pages.clone() }).unwrap();
    assert!(summary.notes.iter().any(|note| note.contains(": index.html; ")), "{summary}");
    assert_ne!(fs::read_to_string(without_pages.out.join("index.html")).unwrap(), "mine");
}
