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

#[test]
fn crates_depend_only_on_lower_crates() {
    let dependencies = dependencies();
    let forbidden: [(&str, &[&str]); 3] = [
        ("directory", &["warp", "tokio", "tera", "hyper", "generator", "live", "nameplate"]),
        ("generator", &["live", "warp", "tokio", "hyper", "nameplate"]),
        ("live", &["generator", "tera", "nameplate"]),
    ];
    for (package, names) in forbidden {
        let known = &dependencies[package];
        assert!(package == "directory" || known.contains("directory"), "{package} needs directory");
        for name in names {
            assert!(!known.contains(*name), "{package} must not depend on {name}");
        }
    }
    for lower in ["directory", "generator", "live"] {
        assert!(dependencies["nameplate"].contains(lower));
    }
}

#[test]
fn the_lints_that_restrict_each_crate_are_on() {
    let read =
        |path: &str| std::fs::read_to_string(root().join(path)).unwrap().parse::<toml::Table>().unwrap();
    let workspace = read("Cargo.toml");
    assert_eq!(workspace["workspace"]["lints"]["clippy"]["disallowed_methods"].as_str(), Some("deny"));
    assert_eq!(workspace["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
    for package in [
        ".",
        "crates/audit",
        "crates/authoring",
        "crates/directory",
        "crates/feed",
        "crates/replicas",
        "crates/standards",
        "crates/verify",
        "generator",
        "live",
    ] {
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
