//! The test clinic with two clinicians in `tests/fixture`.

use std::path::{Path, PathBuf};

use chrono::NaiveDate;
use directory::api::Snapshot;
use directory::content::{ContentError, Problem, load_and_check};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture")
}

pub(crate) fn snapshot() -> Snapshot {
    load(&folder())
}

pub(crate) fn snapshot_without_live() -> Snapshot {
    let folder = copy();
    edit(folder.path(), "directory.toml", |text| text.replace("live-url", "# live-url"));
    load(folder.path())
}

/// The clinic with this many additional clinicians.
#[expect(clippy::disallowed_methods, reason = "a test writes its own folder")]
pub(crate) fn crowd(more: usize) -> Snapshot {
    let folder = copy();
    let providers = folder.path().join("providers");
    let one = std::fs::read_to_string(providers.join("state.toml")).unwrap();
    for number in 0..more {
        let other = one.replace("prov-0002", &format!("crowd-{number}"));
        std::fs::write(providers.join(format!("c-{number}.toml")), other).unwrap();
    }
    load(folder.path())
}

/// Loads a content folder, which must be valid.
pub(crate) fn load(folder: &Path) -> Snapshot {
    match load_and_check(folder, NaiveDate::default()) {
        Ok(checked) => Snapshot::new(checked.directory),
        Err(ContentError::Invalid(report)) => {
            panic!("{:?}", report.problems().iter().map(Problem::what).collect::<Vec<_>>())
        }
        Err(error) => panic!("{error}"),
    }
}

#[expect(clippy::disallowed_methods, reason = "a test writes its own folder")]
pub(crate) fn copy() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for name in crate::read::names(&folder()).unwrap() {
        let to = copy.path().join(&name);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(folder().join(&name), to).unwrap();
    }
    copy
}

#[expect(clippy::disallowed_methods, reason = "a test writes its own folder")]
pub(crate) fn edit(folder: &Path, name: &str, change: impl Fn(String) -> String) {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let changed = change(text.clone());
    assert_ne!(text, changed, "the edit changes nothing");
    std::fs::write(path, changed).unwrap();
}
