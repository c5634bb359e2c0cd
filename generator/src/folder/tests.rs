//! When a build is done before it has begun, and all that must not keep it from its work.
#![expect(clippy::disallowed_methods, reason = "these tests spoil the folders they make")]

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::NaiveDate;
use directory::content::load_and_check;

use super::*;
use crate::{WriteError, build, fixture};

/// A clinic with a site of its own, and where it is published.
struct Clinic {
    content: tempfile::TempDir,
    site: tempfile::TempDir,
    around: tempfile::TempDir,
}

/// What a build came to, and whether it went the whole way.
struct Built {
    summary: Summary,
    is_whole_way: bool,
}

impl Clinic {
    /// Published once.
    fn published() -> Self {
        let clinic = Self {
            content: fixture::copy(),
            site: tempfile::tempdir().unwrap(),
            around: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(clinic.site.path().join("assets")).unwrap();
        fs::write(clinic.site.path().join("assets/own.css"), "a { color: red }").unwrap();
        assert!(clinic.build(&clinic.options()).is_whole_way, "there is no memory");
        clinic
    }

    fn options(&self) -> BuildOptions {
        BuildOptions::new(self.content.path(), self.out()).with_site(self.site.path())
    }

    fn out(&self) -> PathBuf {
        self.around.path().join("dist")
    }

    fn lock(&self) -> PathBuf {
        self.around.path().join(".dist.nameplate-lock")
    }

    fn try_build(
        &self,
        options: &BuildOptions,
        meanwhile: impl FnOnce(),
    ) -> (Result<Option<Summary>, BuildError>, bool) {
        let is_whole_way = Cell::new(false);
        let check = || {
            is_whole_way.set(true);
            let checked = load_and_check(self.content.path(), NaiveDate::default()).ok();
            meanwhile();
            Ok(checked)
        };
        (build_folder(options, check, &|_| {}), is_whole_way.get())
    }

    fn build(&self, options: &BuildOptions) -> Built {
        let (built, is_whole_way) = self.try_build(options, || {});
        Built { summary: built.unwrap().expect("the content is good"), is_whole_way }
    }

    /// A build that is not helped by the quick look: as if nothing had been touched for long.
    fn build_untouched(&self, options: &BuildOptions) -> Built {
        self.age();
        self.build(options)
    }

    /// Makes the memory younger than everything.
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

/// Changes a file and keeps its size and its time.
fn edit_in_secret(path: &Path, from: &str, to: &str) {
    let (text, time) = (fs::read_to_string(path).unwrap(), fs::metadata(path).unwrap().modified().unwrap());
    let edited = text.replacen(from, to, 1);
    assert!(edited != text && edited.len() == text.len());
    fs::write(path, edited).unwrap();
    File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

/// Every file around an output and in it: inode, time of the last change of any kind, bytes.
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
fn nothing_changed_is_known_from_the_inputs_said_as_always_and_not_one_write() {
    let clinic = Clinic::published();
    clinic.age();
    let before = everything(clinic.around.path());
    for options in [clinic.options(), clinic.options().forced()] {
        let again = clinic.build(&options);
        assert!(!again.is_whole_way);
        assert_eq!(everything(clinic.around.path()), before);
        // The whole way says the same.
        let whole = build(&fixture::load(clinic.content.path()), &options).unwrap();
        assert_eq!(again.summary, whole);
        assert!(again.summary.is_unchanged());
    }
}

#[test]
fn what_there_is_to_say_of_a_tree_is_said_every_time() {
    let clinic = Clinic::published();
    fixture::edit(clinic.content.path(), "directory.toml", |text| text.replace("live-url", "# live-url"));
    let first = clinic.build(&clinic.options());
    let again = clinic.build_untouched(&clinic.options());
    assert!(first.is_whole_way && !again.is_whole_way);
    assert!(again.summary.notes().iter().any(|note| note.contains("no live-url")), "{}", again.summary);
    assert_eq!(first.summary.notes(), again.summary.notes());
}

#[test]
fn a_touched_input_goes_the_whole_way_once() {
    let clinic = Clinic::published();
    clinic.age();
    let later = fs::metadata(clinic.lock()).unwrap().modified().unwrap() + Duration::from_hours(1);
    // What was touched after the memory; of a clock that was set back, at least this much can be tested.
    assert!(!inputs::touched_since(later, &clinic.options()));
    assert!(inputs::touched_since(std::time::SystemTime::UNIX_EPOCH, &clinic.options()));
    let lock = File::options().write(true).open(clinic.lock()).unwrap();
    lock.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let touched = clinic.build(&clinic.options());
    assert!(touched.is_whole_way && touched.summary.is_unchanged());
    assert!(!clinic.build_untouched(&clinic.options()).is_whole_way);
}

#[test]
fn an_edit_that_keeps_size_and_time_is_seen() {
    let clinic = Clinic::published();
    for (path, from, to) in [
        (clinic.provider(), "listen", "hasten"),
        (clinic.portrait(), "cx=\"4\"", "cx=\"5\""),
        (clinic.site.path().join("assets/own.css"), "red", "tan"),
    ] {
        edit_in_secret(&path, from, to);
        let built = clinic.try_build(&clinic.options(), || {});
        assert!(built.1, "the quick look sees {}", path.display());
        edit_in_secret(&path, to, from);
        clinic.build(&clinic.options());
        edit_in_secret(&path, from, to);
        clinic.age();
        let built = clinic.try_build(&clinic.options(), || {});
        assert!(built.1, "the bytes of {} are read", path.display());
        edit_in_secret(&path, to, from);
        clinic.build(&clinic.options());
    }
}

#[test]
fn files_that_come_go_or_are_called_otherwise_are_seen() {
    let clinic = Clinic::published();
    let at = |name: &str| clinic.content.path().join(name);
    let seen = |what: &str| {
        assert!(clinic.build_untouched(&clinic.options()).is_whole_way, "{what}");
        assert!(!clinic.build_untouched(&clinic.options()).is_whole_way, "{what}, again");
    };
    fs::rename(at("providers/state.toml"), at("providers/statf.toml")).unwrap();
    seen("a new name");
    fs::remove_file(at("providers/statf.toml")).unwrap();
    seen("gone");
    fs::write(clinic.site.path().join("assets/more.css"), "").unwrap();
    seen("an asset");
    fs::write(at("availability-notes.txt"), "").unwrap();
    seen("a file that nothing reads");
}

#[test]
fn another_shape_of_the_tree_is_another_tree() {
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
        assert!(built.is_whole_way && !built.summary.is_unchanged(), "{options:?}");
        assert!(!clinic.build_untouched(&options).is_whole_way, "{options:?}");
        clinic.build(&clinic.options());
    }
}

#[test]
fn a_tree_that_somebody_has_spoilt_is_mended() {
    let clinic = Clinic::published();
    let whole = everything(&clinic.out());
    let bytes = |tree: &BTreeMap<PathBuf, (u64, i64, i64, Vec<u8>)>| -> Vec<_> {
        tree.iter().map(|(path, (.., bytes))| (path.clone(), bytes.clone())).collect()
    };
    let page = clinic.out().join("v1/states.json");
    let manifest = clinic.out().join("v1/manifest.json");
    let spoil: [(&str, &dyn Fn()); 7] = [
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
    for (what, spoil) in spoil {
        spoil();
        assert!(clinic.build_untouched(&clinic.options()).is_whole_way, "{what}");
        assert!(bytes(&everything(&clinic.out())) == bytes(&whole), "{what}");
        assert!(!clinic.build_untouched(&clinic.options()).is_whole_way, "{what}, again");
    }
}

#[test]
fn a_memory_that_cannot_be_read_whole_is_none() {
    let clinic = Clinic::published();
    let memory = fs::read(clinic.lock()).unwrap();
    for broken in [&b""[..], &memory[..memory.len() - 1], b"not json", b"{}", &[0; 200]] {
        fs::write(clinic.lock(), broken).unwrap();
        assert!(clinic.build_untouched(&clinic.options()).is_whole_way);
        assert_eq!(fs::read(clinic.lock()).unwrap(), memory, "and is written anew");
    }
}

#[test]
fn what_changed_while_it_was_built_is_not_taken_for_what_was_built() {
    let clinic = Clinic::published();
    // The folder was read; then a file changed, which the next build has to see.
    let provider = fs::read_to_string(clinic.provider()).unwrap();
    fs::write(clinic.provider(), format!("{provider}# one\n")).unwrap();
    let later = || fs::write(clinic.provider(), format!("{provider}# two\n")).unwrap();
    assert!(clinic.try_build(&clinic.options(), later).1);
    assert!(clinic.build_untouched(&clinic.options()).is_whole_way);

    // A portrait is read twice. One that changed between, and changed back, was published as nobody checked it.
    let portrait = fs::read_to_string(clinic.portrait()).unwrap();
    fs::write(clinic.provider(), format!("{provider}# three\n")).unwrap();
    let later = || fs::write(clinic.portrait(), format!("{portrait} ")).unwrap();
    assert!(clinic.try_build(&clinic.options(), later).1);
    fs::write(clinic.portrait(), &portrait).unwrap();
    let mended = clinic.build_untouched(&clinic.options());
    assert!(mended.is_whole_way && mended.summary.written() > 0);
    assert!(!clinic.build_untouched(&clinic.options()).is_whole_way);
}

#[test]
fn every_refusal_stays() {
    let clinic = Clinic::published();
    // Broken content.
    let provider = fs::read_to_string(clinic.provider()).unwrap();
    fs::write(clinic.provider(), "not toml").unwrap();
    clinic.age();
    assert!(matches!(clinic.try_build(&clinic.options(), || {}), (Ok(None), true)));
    fs::write(clinic.provider(), provider).unwrap();
    assert!(!clinic.build_untouched(&clinic.options()).is_whole_way);

    // A broken site.
    fs::write(clinic.site.path().join("readme.md"), "").unwrap();
    clinic.age();
    assert!(matches!(clinic.try_build(&clinic.options(), || {}), (Err(BuildError::Site(_)), true)));
    fs::remove_file(clinic.site.path().join("readme.md")).unwrap();

    // Another build at work.
    let lock = File::options().write(true).open(clinic.lock()).unwrap();
    lock.try_lock().unwrap();
    let (busy, _) = clinic.try_build(&clinic.options(), || {});
    assert!(matches!(busy, Err(BuildError::Write(WriteError::Busy(_)))), "{busy:?}");
    drop(lock);

    // A folder of somebody else, where ours was.
    fs::remove_dir_all(clinic.out()).unwrap();
    fs::create_dir(clinic.out()).unwrap();
    fs::write(clinic.out().join("thesis.txt"), "years of work").unwrap();
    clinic.age();
    let (foreign, _) = clinic.try_build(&clinic.options(), || {});
    assert!(matches!(foreign, Err(BuildError::Write(WriteError::Foreign(_)))), "{foreign:?}");
    assert!(clinic.build(&clinic.options().forced()).summary.written() > 0);

    // An output around the content.
    let around = BuildOptions::new(clinic.out(), clinic.out());
    assert!(matches!(clinic.try_build(&around, || {}).0, Err(BuildError::OutputInside { .. })));
}

#[test]
fn what_a_killed_build_left_is_swept_all_the_same() {
    let clinic = Clinic::published();
    let stage = clinic.around.path().join(".dist.nameplate-stage");
    fs::create_dir_all(stage.join("half")).unwrap();
    assert!(!clinic.build_untouched(&clinic.options()).is_whole_way);
    assert!(!stage.exists());
}
