//! When a build is skipped, and when it must not be.
#![expect(clippy::disallowed_methods, reason = "these tests edit the folders they make")]

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::NaiveDate;
use directory::content::load_and_check;

use super::*;
use crate::read::ReadError;
use crate::{WriteError, build, fixture};

/// A content folder, a site folder, and the parent of the output.
struct Clinic {
    content: tempfile::TempDir,
    site: tempfile::TempDir,
    parent: tempfile::TempDir,
}

struct Built {
    summary: Summary,
    /// Whether the build was full and not skipped.
    is_full: bool,
}

impl Clinic {
    fn published() -> Self {
        let clinic = Self {
            content: fixture::copy(),
            site: tempfile::tempdir().unwrap(),
            parent: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(clinic.site.path().join("assets")).unwrap();
        fs::write(clinic.site.path().join("assets/own.css"), "a { color: red }").unwrap();
        assert!(clinic.build(&clinic.options()).is_full, "there is no record yet");
        clinic
    }

    fn options(&self) -> BuildOptions {
        BuildOptions::new(self.content.path(), self.out()).with_site(self.site.path())
    }

    fn out(&self) -> PathBuf {
        self.parent.path().join("dist")
    }

    fn lock(&self) -> PathBuf {
        self.parent.path().join(".dist.nameplate-lock")
    }

    fn try_build(
        &self,
        options: &BuildOptions,
        meanwhile: impl FnOnce(),
    ) -> (Result<Option<Summary>, BuildError>, bool) {
        let is_full = Cell::new(false);
        let check = || {
            is_full.set(true);
            let checked = load_and_check(self.content.path(), NaiveDate::default()).ok();
            meanwhile();
            Ok(checked)
        };
        (build_folder(options, check, &|_| {}), is_full.get())
    }

    fn build(&self, options: &BuildOptions) -> Built {
        let (built, is_full) = self.try_build(options, || {});
        Built { summary: built.unwrap().expect("the content is good"), is_full }
    }

    /// A build that cannot detect a change from file times.
    fn build_untouched(&self, options: &BuildOptions) -> Built {
        self.age();
        self.build(options)
    }

    /// Makes the record newer than all inputs.
    fn age(&self) {
        let lock = File::options().write(true).open(self.lock()).unwrap();
        let time = lock.metadata().unwrap().modified().unwrap();
        lock.set_modified(time + Duration::from_hours(1)).unwrap();
    }

    fn provider(&self) -> PathBuf {
        self.content.path().join("providers/state.toml")
    }

    fn portrait(&self) -> PathBuf {
        self.content.path().join("headshots/ada.svg")
    }
}

fn edit_keeping_time(path: &Path, from: &str, to: &str) {
    let (text, time) = (fs::read_to_string(path).unwrap(), fs::metadata(path).unwrap().modified().unwrap());
    let edited = text.replacen(from, to, 1);
    assert!(edited != text && edited.len() == text.len());
    fs::write(path, edited).unwrap();
    File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

/// Every file in and beside an output: inode, change time, bytes.
fn everything(folder: &Path) -> BTreeMap<PathBuf, (u64, i64, i64, Vec<u8>)> {
    let files = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let look = |entry: walkdir::DirEntry| {
        let found = entry.metadata().unwrap();
        let bytes = if found.is_file() { fs::read(entry.path()).unwrap() } else { Vec::new() };
        (entry.into_path(), (found.ino(), found.ctime(), found.ctime_nsec(), bytes))
    };
    files.map(look).collect()
}

#[test]
fn a_skipped_build_writes_nothing_and_has_the_summary_of_a_full_one() {
    let clinic = Clinic::published();
    clinic.age();
    let before = everything(clinic.parent.path());
    for options in [clinic.options(), clinic.options().forced()] {
        let again = clinic.build(&options);
        assert!(!again.is_full);
        assert_eq!(everything(clinic.parent.path()), before);
        let whole = build(&fixture::load(clinic.content.path()), &options).unwrap();
        assert_eq!(again.summary, whole);
        assert!(again.summary.is_unchanged());
    }
}

#[test]
fn a_skipped_build_repeats_the_notes() {
    let clinic = Clinic::published();
    fixture::edit(clinic.content.path(), "directory.toml", |text| text.replace("live-url", "# live-url"));
    let first = clinic.build(&clinic.options());
    let again = clinic.build_untouched(&clinic.options());
    assert!(first.is_full && !again.is_full);
    assert!(again.summary.notes.iter().any(|note| note.contains("no live-url")), "{}", again.summary);
    assert_eq!(first.summary.notes, again.summary.notes);
}

#[test]
fn a_touched_input_causes_one_full_build() {
    let clinic = Clinic::published();
    clinic.age();
    let later = fs::metadata(clinic.lock()).unwrap().modified().unwrap() + Duration::from_hours(1);
    assert!(!inputs::touched_since(later, &clinic.options()));
    assert!(inputs::touched_since(std::time::SystemTime::UNIX_EPOCH, &clinic.options()));
    let lock = File::options().write(true).open(clinic.lock()).unwrap();
    lock.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let touched = clinic.build(&clinic.options());
    assert!(touched.is_full && touched.summary.is_unchanged());
    assert!(!clinic.build_untouched(&clinic.options()).is_full);
}

#[test]
fn an_edit_that_keeps_size_and_time_is_detected() {
    let clinic = Clinic::published();
    for (path, from, to) in [
        (clinic.provider(), "listen", "hasten"),
        (clinic.portrait(), "cx=\"4\"", "cx=\"5\""),
        (clinic.site.path().join("assets/own.css"), "red", "tan"),
    ] {
        edit_keeping_time(&path, from, to);
        let built = clinic.try_build(&clinic.options(), || {});
        assert!(built.1, "by the change time of {}", path.display());
        edit_keeping_time(&path, to, from);
        clinic.build(&clinic.options());
        edit_keeping_time(&path, from, to);
        clinic.age();
        let built = clinic.try_build(&clinic.options(), || {});
        assert!(built.1, "by the bytes of {}", path.display());
        edit_keeping_time(&path, to, from);
        clinic.build(&clinic.options());
    }
}

#[test]
fn added_removed_and_renamed_files_are_detected() {
    let clinic = Clinic::published();
    let at = |name: &str| clinic.content.path().join(name);
    let is_detected = |what: &str| {
        assert!(clinic.build_untouched(&clinic.options()).is_full, "{what}");
        assert!(!clinic.build_untouched(&clinic.options()).is_full, "{what}, again");
    };
    fs::rename(at("providers/state.toml"), at("providers/statf.toml")).unwrap();
    is_detected("renamed");
    fs::remove_file(at("providers/statf.toml")).unwrap();
    is_detected("removed");
    fs::write(clinic.site.path().join("assets/more.css"), "").unwrap();
    is_detected("a new asset");
    fs::write(at("availability-notes.txt"), "").unwrap();
    is_detected("a file that is not read");
}

#[test]
fn an_option_that_changes_the_tree_causes_a_full_build() {
    let clinic = Clinic::published();
    let other_site = tempfile::tempdir().unwrap();
    for options in [
        clinic.options().with_target(crate::Target::Nginx),
        clinic.options().precompressed(),
        clinic.options().without_pages(),
        clinic.options().with_site(other_site.path()),
        BuildOptions::new(clinic.content.path(), clinic.out()),
    ] {
        let built = clinic.build_untouched(&options);
        assert!(built.is_full && !built.summary.is_unchanged(), "{options:?}");
        assert!(!clinic.build_untouched(&options).is_full, "{options:?}");
        clinic.build(&clinic.options());
    }
}

#[test]
fn a_damaged_tree_is_repaired() {
    let clinic = Clinic::published();
    let whole = everything(&clinic.out());
    let bytes = |tree: &BTreeMap<PathBuf, (u64, i64, i64, Vec<u8>)>| -> Vec<_> {
        tree.iter().map(|(path, (.., bytes))| (path.clone(), bytes.clone())).collect()
    };
    let page = clinic.out().join("v1/states.json");
    let manifest = clinic.out().join("v1/manifest.json");
    let damages: [(&str, &dyn Fn()); 7] = [
        ("removed", &|| fs::remove_file(&page).unwrap()),
        ("longer", &|| fs::write(&page, "more than there was, and of another length").unwrap()),
        ("of the same length", &|| fs::write(&page, vec![b' '; fs::read(&page).unwrap().len()]).unwrap()),
        ("a folder", &|| {
            fs::remove_file(&page).unwrap();
            fs::create_dir(&page).unwrap();
        }),
        ("a link", &|| {
            fs::remove_file(&page).unwrap();
            std::os::unix::fs::symlink("openapi.json", &page).unwrap();
        }),
        ("another manifest", &|| {
            let text = fs::read_to_string(&manifest).unwrap();
            fs::write(&manifest, text.replacen("v1/states.json", "v1/statez.json", 1)).unwrap();
        }),
        ("all gone", &|| fs::remove_dir_all(clinic.out()).unwrap()),
    ];
    for (what, damage) in damages {
        damage();
        assert!(clinic.build_untouched(&clinic.options()).is_full, "{what}");
        assert!(bytes(&everything(&clinic.out())) == bytes(&whole), "{what}");
        assert!(!clinic.build_untouched(&clinic.options()).is_full, "{what}, again");
    }
}

#[test]
fn an_unreadable_build_record_is_ignored_and_replaced() {
    let clinic = Clinic::published();
    let record = fs::read(clinic.lock()).unwrap();
    for broken in [&b""[..], &record[..record.len() - 1], b"not json", b"{}", &[0; 200]] {
        fs::write(clinic.lock(), broken).unwrap();
        assert!(clinic.build_untouched(&clinic.options()).is_full);
        assert_eq!(fs::read(clinic.lock()).unwrap(), record);
    }
}

#[test]
fn an_input_that_changes_during_a_build_is_detected_by_the_next() {
    let clinic = Clinic::published();
    // A file changes after the folder was read.
    let provider = fs::read_to_string(clinic.provider()).unwrap();
    fs::write(clinic.provider(), format!("{provider}# one\n")).unwrap();
    let later = || fs::write(clinic.provider(), format!("{provider}# two\n")).unwrap();
    assert!(clinic.try_build(&clinic.options(), later).1);
    assert!(clinic.build_untouched(&clinic.options()).is_full);

    // A portrait is read twice. One that changes in between was not checked, so nothing is published.
    let portrait = fs::read_to_string(clinic.portrait()).unwrap();
    let published = everything(&clinic.out());
    fs::write(clinic.provider(), format!("{provider}# three\n")).unwrap();
    let later = || fs::write(clinic.portrait(), format!("{portrait} ")).unwrap();
    let (refused, _) = clinic.try_build(&clinic.options(), later);
    assert!(matches!(refused, Err(BuildError::Portrait(ReadError::Changed(_)))), "{refused:?}");
    assert_eq!(everything(&clinic.out()), published);
    fs::write(clinic.portrait(), &portrait).unwrap();
    let mended = clinic.build_untouched(&clinic.options());
    assert!(mended.is_full && mended.summary.written > 0);
    assert!(!clinic.build_untouched(&clinic.options()).is_full);
}

#[test]
fn errors_are_reported_as_by_a_full_build() {
    let clinic = Clinic::published();
    let provider = fs::read_to_string(clinic.provider()).unwrap();
    fs::write(clinic.provider(), "not toml").unwrap();
    clinic.age();
    assert!(matches!(clinic.try_build(&clinic.options(), || {}), (Ok(None), true)));
    fs::write(clinic.provider(), provider).unwrap();
    assert!(!clinic.build_untouched(&clinic.options()).is_full);

    fs::write(clinic.site.path().join("readme.md"), "").unwrap();
    clinic.age();
    assert!(matches!(clinic.try_build(&clinic.options(), || {}), (Err(BuildError::Site(_)), true)));
    fs::remove_file(clinic.site.path().join("readme.md")).unwrap();

    let lock = File::options().write(true).open(clinic.lock()).unwrap();
    lock.try_lock().unwrap();
    let (busy, _) = clinic.try_build(&clinic.options(), || {});
    assert!(matches!(busy, Err(BuildError::Write(WriteError::Busy(_)))), "{busy:?}");
    drop(lock);

    // A folder without a manifest in place of the tree.
    fs::remove_dir_all(clinic.out()).unwrap();
    fs::create_dir(clinic.out()).unwrap();
    fs::write(clinic.out().join("thesis.txt"), "years of work").unwrap();
    clinic.age();
    let (foreign, _) = clinic.try_build(&clinic.options(), || {});
    assert!(matches!(foreign, Err(BuildError::Write(WriteError::Foreign(_)))), "{foreign:?}");
    assert!(clinic.build(&clinic.options().forced()).summary.written > 0);

    // An output around the content.
    let around = BuildOptions::new(clinic.out(), clinic.out());
    assert!(matches!(clinic.try_build(&around, || {}).0, Err(BuildError::OutputInside { .. })));
}

#[test]
fn a_skipped_build_removes_the_stage_of_a_killed_one() {
    let clinic = Clinic::published();
    let stage = clinic.parent.path().join(".dist.nameplate-stage");
    fs::create_dir_all(stage.join("half")).unwrap();
    assert!(!clinic.build_untouched(&clinic.options()).is_full);
    assert!(!stage.exists());
}
