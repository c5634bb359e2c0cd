//! No circle of modules or rooms: none uses one that uses it, directly or through others.
//!
//! Read from the `use` lines of each crate's sources, without tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use walkdir::WalkDir;

use crate::harness::root;

/// The names from the crate's root to a module.
type Module = Vec<String>;

/// The sources of a crate's modules, without comments and tests.
fn modules(src: &Path) -> BTreeMap<Module, String> {
    let mut modules = BTreeMap::new();
    for file in WalkDir::new(src).into_iter().map(Result::unwrap) {
        let path = file.path().strip_prefix(src).unwrap();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let mut module: Module =
            path.with_extension("").iter().map(|name| name.to_str().unwrap().to_owned()).collect();
        if matches!(module.last().unwrap().as_str(), "mod" | "lib" | "main") {
            module.pop();
        }
        modules.insert(module, std::fs::read_to_string(file.path()).unwrap());
    }
    without_tests(&modules)
}

fn without_tests(modules: &BTreeMap<Module, String>) -> BTreeMap<Module, String> {
    let mut tests: Vec<Module> = Vec::new();
    let mut product = BTreeMap::new();
    for (module, source) in modules {
        let (mut kept, mut lines) = (String::new(), source.lines());
        while let Some(line) = lines.next() {
            if line.trim() == "#[cfg(test)]" {
                let item = lines.find(|line| !line.trim().starts_with("#[")).unwrap_or_default();
                if let Some((_, name)) = item.strip_suffix(';').and_then(|item| item.rsplit_once("mod ")) {
                    tests.push([&module[..], &[name.to_owned()]].concat());
                } else if item.ends_with('{') {
                    let indent = &item[..item.len() - item.trim_start().len()];
                    let end = format!("{indent}}}");
                    lines.find(|line| *line == end);
                }
            } else if !line.trim().starts_with("//") {
                kept.push_str(line);
                kept.push('\n');
            }
        }
        product.insert(module.clone(), kept);
    }
    product.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
    product
}

/// The paths that a `use` names, one for each leaf of its tree.
fn leaves(tree: &str) -> Vec<Vec<String>> {
    let names = |path: &str| -> Vec<String> {
        path.split("::").map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
    };
    let Some((head, rest)) = tree.split_once('{') else {
        return vec![names(tree.split(" as ").next().unwrap())];
    };
    let group = rest.rsplit_once('}').unwrap().0;
    let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
    for (at, sign) in group.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&group[from..]);
    let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(leaves).map(|leaf| [names(head), leaf].concat()).collect()
}

/// The modules that each module uses.
fn arrows(modules: &BTreeMap<Module, String>) -> BTreeMap<&Module, BTreeSet<&Module>> {
    let used_by = |module: &Module, path: &[String]| {
        let mut at = module.clone();
        let mut path = path.iter().peekable();
        match path.peek().map(|name| name.as_str())? {
            "crate" => {
                at.clear();
                path.next();
            }
            "self" => _ = path.next(),
            "super" => {
                while path.next_if(|name| *name == "super").is_some() {
                    at.pop();
                }
            }
            _ => return None,
        }
        for name in path {
            at.push(name.clone());
            if !modules.contains_key(&at) {
                at.pop();
                break;
            }
        }
        let (used, _) = modules.get_key_value(&at)?;
        (used != module && !used.is_empty()).then_some(used)
    };
    let of = |(module, source)| {
        let source: &String = source;
        let statements = source.split(';').filter_map(|statement| {
            let (before, tree) = statement.rsplit_once("use ")?;
            let before = before.rsplit('\n').next().unwrap_or_default().trim();
            let is_ours = ["crate::", "self::", "super::"].iter().any(|start| tree.starts_with(start));
            (is_ours && (before.is_empty() || before.starts_with("pub"))).then_some(tree)
        });
        let paths: Vec<Vec<String>> = statements.flat_map(leaves).collect();
        (module, paths.iter().filter_map(|path| used_by(module, path)).collect())
    };
    modules.iter().map(of).collect()
}

/// The names that are in a circle, or between two circles.
fn in_circles(mut arrows: BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    loop {
        let targets: BTreeSet<&String> = arrows.values().flatten().collect();
        let is_end = |(name, used): &(&String, &BTreeSet<String>)| used.is_empty() || !targets.contains(name);
        let ends: BTreeSet<String> = arrows.iter().filter(is_end).map(|(name, _)| name.clone()).collect();
        if ends.is_empty() {
            return arrows.into_keys().collect();
        }
        arrows.retain(|name, _| !ends.contains(name));
        for used in arrows.values_mut() {
            used.retain(|name| !ends.contains(name));
        }
    }
}

fn modules_in_circles(modules: &BTreeMap<Module, String>) -> Vec<String> {
    let named = arrows(modules).into_iter().map(|(module, used)| {
        (module.join("::"), used.into_iter().map(|module| module.join("::")).collect())
    });
    in_circles(named.collect())
}

/// The same for rooms: a room is a module of the crate's root with all that is below it. The root itself is none.
fn rooms_in_circles(modules: &BTreeMap<Module, String>) -> Vec<String> {
    let mut rooms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, used) in arrows(modules) {
        let Some(room) = module.first() else { continue };
        let others = used.into_iter().filter_map(|module| module.first()).filter(|other| *other != room);
        rooms.entry(room.clone()).or_default().extend(others.cloned());
    }
    in_circles(rooms)
}

#[test]
fn no_crate_has_a_circle_of_modules_or_rooms() {
    for src in [
        "crates/audit/src",
        "crates/authoring/src",
        "crates/directory/src",
        "crates/feed/src",
        "crates/replicas/src",
        "crates/standards/src",
        "crates/verify/src",
        "generator/src",
        "live/src",
        "src",
    ] {
        let modules = modules(&root().join(src));
        let count: usize = arrows(&modules).values().map(BTreeSet::len).sum();
        assert!(count > modules.len() / 2, "{src}: only {count} uses were found");
        assert_eq!(modules_in_circles(&modules), [""; 0], "{src}");
        assert_eq!(rooms_in_circles(&modules), [""; 0], "{src}");
    }
}

#[test]
fn a_circle_of_modules_is_found_and_one_through_tests_is_not_counted() {
    let of = |sources: &[(&str, &str)]| {
        let modules = sources.iter().map(|(name, source)| {
            (name.split("::").map(str::to_owned).collect::<Module>(), (*source).to_owned())
        });
        modules_in_circles(&without_tests(&modules.collect()))
    };
    let three = [
        ("a", "use crate::b::{Item, deep::{One, Two}};"),
        ("b", ""),
        ("b::deep", "pub(crate) use super::super::c::Item as Other;"),
        ("c", "use std::fmt;\nuse crate::a;"),
        ("d", "use crate::a;"),
    ];
    assert_eq!(of(&three), ["a", "b::deep", "c"]);
    let in_tests = [
        ("a", "use crate::b;"),
        ("b", "#[cfg(test)]\nmod tests {\n    use crate::a;\n}\n#[cfg(test)]\nmod more;"),
        ("b::more", "use crate::a;"),
    ];
    assert_eq!(of(&in_tests), [""; 0]);
}

#[test]
fn a_circle_of_rooms_is_found() {
    let sources = [
        ("a", ""),
        ("a::x", "use crate::b::z;"),
        ("a::y", ""),
        ("b", ""),
        ("b::z", ""),
        ("b::w", "use crate::a::y;"),
    ];
    let modules =
        sources.map(|(name, source)| (name.split("::").map(str::to_owned).collect(), source.to_owned()));
    let modules = BTreeMap::from(modules);
    assert_eq!(modules_in_circles(&modules), [""; 0]);
    assert_eq!(rooms_in_circles(&modules), ["a", "b"]);
}
