//! The allowed dependencies between crates.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand, PackageId};

use crate::harness::root;

/// The transitive dependencies of each workspace crate, including itself, by name.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
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
        "crates/directory",
        "crates/feed",
        "crates/replicas",
        "crates/standards",
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
