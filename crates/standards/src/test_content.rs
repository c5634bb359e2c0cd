//! The directories that tests use: the case in `tests/cases/standards` and the demo clinic.

#![expect(clippy::disallowed_methods, reason = "tests read their cases")]

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use directory::content::{ContentError, Entries, Problem, load_and_check_entries};
use directory::model::Directory;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the time for which the expected files were written.
pub(crate) fn now() -> DateTime<Utc> {
    "2026-11-22T18:00:00Z".parse().unwrap()
}

pub(crate) fn expected(file: &str) -> String {
    std::fs::read_to_string(root().join("tests/cases/standards/expected").join(file)).unwrap()
}

/// Returns the case's directory.
pub(crate) fn case() -> Directory {
    edited(&[])
}

/// Returns the case's directory with texts replaced: each edit is a file, the old text and the new text.
pub(crate) fn edited(edits: &[(&str, &str, &str)]) -> Directory {
    let edit_count = std::cell::Cell::new(0);
    let directory = load("tests/cases/standards/content", |path, mut text| {
        for (_, from, to) in edits.iter().filter(|(name, ..)| *name == path) {
            assert!(text.contains(from), "{path} has no {from}");
            edit_count.set(edit_count.get() + 1);
            text = text.replace(from, to);
        }
        text
    });
    assert_eq!(edit_count.get(), edits.len());
    directory
}

/// Returns the case's directory with `count` copies of its second clinician in place of its clinicians.
pub(crate) fn crowd(count: usize) -> Directory {
    let folder = root().join("tests/cases/standards/content");
    let text = |path: &str| std::fs::read_to_string(folder.join(path)).unwrap();
    let mut entries = Entries::default();
    for path in ["directory.toml", "insurances.toml", "appointment-types.toml"] {
        entries.add(path, text(path).into()).unwrap();
    }
    let (provider, hours) = (text("providers/sol.toml"), text("availability/sol.toml"));
    for number in 0..count {
        let provider = provider.replace("prov-0002", &format!("prov-{number}"));
        entries.add(&format!("providers/sol-{number}.toml"), provider.into()).unwrap();
        entries.add(&format!("availability/sol-{number}.toml"), hours.clone().into()).unwrap();
    }
    checked(entries)
}

pub(crate) fn demo() -> Directory {
    load("content", |_, text| text)
}

/// Returns the demo clinic with the default notice for every clinician.
pub(crate) fn demo_with_one_notice() -> Directory {
    load("content", |path, text| match path.strip_prefix("availability/") {
        Some(_) => text.lines().filter(|line| !line.starts_with("notice")).collect::<Vec<_>>().join("\n"),
        None => text,
    })
}

fn load(folder: &str, change: impl Fn(&str, String) -> String) -> Directory {
    let folder = root().join(folder);
    let mut entries = Entries::default();
    for entry in walkdir::WalkDir::new(&folder).into_iter().map(Result::unwrap) {
        if !entry.file_type().is_file() {
            continue;
        }
        let path = entry.path().strip_prefix(&folder).unwrap().to_str().unwrap();
        let mut bytes = std::fs::read(entry.path()).unwrap();
        if entry.path().extension().is_some_and(|extension| extension == "toml") {
            bytes = change(path, String::from_utf8(bytes).unwrap()).into_bytes();
        }
        entries.add(path, bytes.into()).unwrap();
    }
    checked(entries)
}

fn checked(entries: Entries) -> Directory {
    match load_and_check_entries(entries, now().date_naive()) {
        Ok(checked) => checked.directory,
        Err(ContentError::Invalid(report)) => {
            panic!("{:?}", report.problems().iter().map(Problem::what).collect::<Vec<_>>())
        }
        Err(error) => panic!("{error}"),
    }
}
