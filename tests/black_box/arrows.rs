//! The allowed dependencies between crates.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::harness::root;

/// The transitive dependencies of each workspace crate, including itself, by name.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let asked = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--all-features", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(asked.status.success(), "{}", String::from_utf8_lossy(&asked.stderr));
    let metadata: Value = serde_json::from_slice(&asked.stdout).unwrap();
    let list = |value: &'_ Value| value.as_array().unwrap().clone();
    let id = |value: &Value| value.as_str().unwrap().to_owned();
    let names: BTreeMap<String, String> = list(&metadata["packages"])
        .iter()
        .map(|package| (id(&package["id"]), id(&package["name"])))
        .collect();
    // The kind of a dependency that is built in is null.
    let is_built_in =
        |dependency: &Value| list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
    let graph: BTreeMap<String, Vec<String>> = list(&metadata["resolve"]["nodes"])
        .iter()
        .map(|node| {
            let built_in = list(&node["deps"]).into_iter().filter(is_built_in);
            (id(&node["id"]), built_in.map(|dependency| id(&dependency["pkg"])).collect())
        })
        .collect();
    list(&metadata["workspace_members"])
        .iter()
        .map(|member| {
            let mut seen = BTreeSet::new();
            let mut next = vec![id(member)];
            while let Some(id) = next.pop() {
                if seen.insert(id.clone()) {
                    next.extend(graph[&id].iter().cloned());
                }
            }
            (names[&id(member)].clone(), seen.iter().map(|id| names[id].clone()).collect())
        })
        .collect()
}

/// Each crate, and the others of ours that it reaches, directly or through another: the house of docs/ARCHITECTURE.md.
const HOUSE: [(&str, &[&str]); 10] = [
    ("directory", &[]),
    ("audit", &["directory"]),
    ("standards", &["directory"]),
    ("feed", &["directory"]),
    ("authoring", &["audit", "directory"]),
    ("generator", &["directory", "standards"]),
    ("live", &["directory", "feed", "standards"]),
    ("replicas", &["directory", "feed"]),
    ("verify", &["directory", "feed", "generator", "standards"]),
    (
        "nameplate",
        &["audit", "authoring", "directory", "feed", "generator", "live", "replicas", "standards", "verify"],
    ),
];

/// What few crates may need, and which of ours these are. The command reaches all of it.
const NEEDED_BY: [(&str, &[&str]); 7] = [
    ("async-nats", &["replicas"]),
    ("object_store", &["replicas"]),
    ("tera", &["generator", "verify"]),
    ("warp", &["live"]),
    ("clap", &[]),
    ("tokio", &["feed", "live", "replicas", "verify"]),
    ("reqwest", &["feed", "live", "replicas", "verify"]),
];

#[test]
fn crates_depend_only_on_lower_crates() {
    let dependencies = dependencies();
    let members: Vec<&String> = dependencies.keys().filter(|name| *name != "benches").collect();
    assert_eq!(
        members,
        HOUSE.iter().map(|(name, _)| name).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    );
    for (name, lower) in HOUSE {
        let reached = &dependencies[name];
        let ours = members.iter().filter(|other| ***other != name && reached.contains(**other));
        assert_eq!(ours.collect::<Vec<_>>(), lower.iter().collect::<Vec<_>>(), "{name}");
        for (outside, needing) in NEEDED_BY {
            let may = name == "nameplate" || needing.contains(&name);
            assert!(may || !reached.contains(outside), "{name} must not depend on {outside}");
        }
    }
}

#[test]
fn the_lints_that_restrict_each_crate_are_on() {
    let read =
        |path: &str| std::fs::read_to_string(root().join(path)).unwrap().parse::<toml::Table>().unwrap();
    let workspace = read("Cargo.toml");
    assert_eq!(workspace["workspace"]["lints"]["clippy"]["disallowed_methods"].as_str(), Some("deny"));
    assert_eq!(workspace["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
    let folders = HOUSE.map(|(name, _)| match name {
        "nameplate" => ".".to_owned(),
        "generator" | "live" => name.to_owned(),
        name => format!("crates/{name}"),
    });
    for package in folders {
        let manifest = read(&format!("{package}/Cargo.toml"));
        assert_eq!(manifest["lints"]["workspace"].as_bool(), Some(true), "{package}");
    }
    let clippy = read("clippy.toml");
    let paths = clippy["disallowed-methods"].as_array().unwrap();
    for method in
        ["std::fs::write", "std::fs::read_to_string", "chrono::Utc::now", "std::time::SystemTime::now"]
    {
        assert!(paths.iter().any(|entry| entry["path"].as_str() == Some(method)), "{method}");
    }
}
