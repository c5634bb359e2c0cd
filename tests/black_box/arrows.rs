//! The walls: which crate may know which.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand, PackageId};

use crate::harness::root;

/// Everything that each of our crates is built with, itself included, by name.
fn reach() -> BTreeMap<String, BTreeSet<String>> {
    let metadata =
        MetadataCommand::new().current_dir(root()).other_options(vec!["--locked".into()]).exec().unwrap();
    let graph: BTreeMap<PackageId, Vec<PackageId>> = metadata
        .resolve
        .as_ref()
        .unwrap()
        .nodes
        .iter()
        .map(|node| {
            let built_with = node.deps.iter().filter(|dependency| {
                dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal)
            });
            (node.id.clone(), built_with.map(|dependency| dependency.pkg.clone()).collect())
        })
        .collect();
    let name = |id: &PackageId| metadata[id].name.to_string();
    metadata
        .workspace_members
        .iter()
        .map(|member| {
            let mut seen = BTreeSet::new();
            let mut next = vec![member.clone()];
            while let Some(id) = next.pop() {
                if seen.insert(id.clone()) {
                    next.extend(graph[&id].iter().cloned());
                }
            }
            (name(member), seen.iter().map(name).collect())
        })
        .collect()
}

#[test]
fn each_crate_knows_only_what_lies_below_it() {
    let reach = reach();
    let forbidden: [(&str, &[&str]); 3] = [
        ("directory", &["warp", "tokio", "tera", "hyper", "generator", "live", "nameplate"]),
        ("generator", &["live", "warp", "tokio", "hyper", "nameplate"]),
        ("live", &["generator", "tera", "nameplate"]),
    ];
    for (package, strangers) in forbidden {
        let known = &reach[package];
        assert!(package == "directory" || known.contains("directory"), "{package} is read from the graph");
        for stranger in strangers {
            assert!(!known.contains(*stranger), "{package} knows {stranger}");
        }
    }
    for below in ["directory", "generator", "live"] {
        assert!(reach["nameplate"].contains(below));
    }
}

#[test]
fn the_lints_that_hold_the_walls_are_on() {
    let read =
        |path: &str| std::fs::read_to_string(root().join(path)).unwrap().parse::<toml::Table>().unwrap();
    let workspace = read("Cargo.toml");
    assert_eq!(workspace["workspace"]["lints"]["clippy"]["disallowed_methods"].as_str(), Some("deny"));
    assert_eq!(workspace["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
    for package in [".", "directory", "generator", "live"] {
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
