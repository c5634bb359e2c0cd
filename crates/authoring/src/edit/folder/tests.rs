#![expect(clippy::disallowed_methods, reason = "these tests prepare files of their own")]

use std::cell::Cell;
use std::time::SystemTime;

use super::super::journal::{Flush, LIST, PREPARED, prepare};
use super::*;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("providers")).unwrap();
    for name in ["a", "b", "c"] {
        fs::write(folder.path().join(format!("providers/{name}.toml")), name).unwrap();
    }
    folder
}

/// Its content files, and whether anything hidden is left.
fn state(folder: &Path) -> (String, bool) {
    let mut files: Vec<_> =
        fs::read_dir(folder.join("providers")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let text = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect::<Vec<_>>().join(" ");
    (text, folder.join(MADE).exists() || folder.join(PREPARED).exists())
}

fn prepared(folder: &Path) {
    let edits = edits(folder);
    prepare(folder, &edits.changes).unwrap();
}

fn edits(folder: &Path) -> Edits {
    let mut edits = Edits::begin(folder).unwrap();
    let text = |text: &str| Some(text.to_owned());
    edits.change("providers/a.toml".to_owned(), text("a"), text("A"));
    edits.change("providers/b.toml".to_owned(), text("b"), None);
    edits.change("providers/d.toml".to_owned(), None, text("D"));
    edits.change("providers/c.toml".to_owned(), text("c"), text("c"));
    edits
}

#[test]
fn an_edit_is_made_whole() {
    let folder = folder();
    assert_eq!(edits(folder.path()).apply().unwrap(), 3);
    assert_eq!(state(folder.path()), ("A c D".to_owned(), false));
}

#[test]
fn a_command_that_is_killed_at_any_step_leaves_the_old_or_the_new_files() {
    // While it is prepared.
    let before = folder();
    prepared(before.path());
    fs::rename(before.path().join(MADE), before.path().join(PREPARED)).unwrap();
    refuse_unfinished(before.path()).unwrap();
    assert_eq!(state(before.path()).0, "a b c");
    assert_eq!(edits(before.path()).apply().unwrap(), 3);
    assert_eq!(state(before.path()), ("A c D".to_owned(), false));
    // When each number of steps of the list is done.
    for steps in 0..=3 {
        let after = folder();
        let edits = edits(after.path());
        prepare(&edits.folder, &edits.changes).unwrap();
        drop(edits);
        let made = after.path().join(MADE);
        let list = fs::read_to_string(made.join(LIST)).unwrap();
        let begun = list.lines().take(steps).collect::<Vec<_>>().join("\n");
        fs::write(made.join(LIST), begun).unwrap();
        let spare = after.path().join("spare");
        fs::create_dir(&spare).unwrap();
        for name in ["0", "2"] {
            fs::copy(made.join(name), spare.join(name)).unwrap();
        }
        finish(after.path(), flush).unwrap();
        // As the killed command left it.
        fs::create_dir(&made).unwrap();
        for (name, moved) in [("0", steps > 0), ("2", steps > 2)] {
            if !moved {
                fs::copy(spare.join(name), made.join(name)).unwrap();
            }
        }
        fs::write(made.join(LIST), &list).unwrap();
        assert!(refuse_unfinished(after.path()).is_err());
        drop(Edits::begin(after.path()).unwrap());
        assert_eq!(state(after.path()), ("A c D".to_owned(), false), "{steps}");
    }
}

#[test]
fn an_edit_that_cannot_be_flushed_says_that_it_is_made_and_the_next_command_finishes_it() {
    fn never(_: &Path) -> io::Result<()> {
        Err(io::Error::other("the disk is broken"))
    }
    fn until_files_are_moved(folder: &Path) -> io::Result<()> {
        if folder.join(MADE).join("0").exists() { Ok(()) } else { never(folder) }
    }
    let ways: [(Flush, _); 2] = [(never, "a b c"), (until_files_are_moved, "A c D")];
    for (flush, files) in ways {
        let folder = folder();
        let said = Edits { flush, ..edits(folder.path()) }.apply().unwrap_err().to_string();
        assert!(said.contains("is made, but it is not finished and may not survive a power cut"), "{said}");
        assert!(
            said.contains("the disk is broken; run the command once more") && !said.contains("nothing"),
            "{said}"
        );
        assert_eq!(state(folder.path()), (files.to_owned(), true));
        assert!(refuse_unfinished(folder.path()).is_err());
        drop(Edits::begin(folder.path()).unwrap());
        assert_eq!(state(folder.path()), ("A c D".to_owned(), false));
    }
}

#[test]
fn what_was_read_during_an_edit_is_read_again() {
    let folder = folder();
    // The clock of a file system may stand still for milliseconds.
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    File::open(folder.path()).unwrap().set_modified(long_ago).unwrap();
    let reads = Cell::new(0);
    let read = || {
        reads.set(reads.get() + 1);
        let seen = state(folder.path()).0;
        if reads.get() == 1 {
            assert_eq!(edits(folder.path()).apply().unwrap(), 3);
        }
        seen
    };
    assert_eq!(unedited(folder.path(), read).unwrap(), "A c D");
    assert_eq!(reads.get(), 2);
}

#[test]
fn an_edit_that_is_being_made_is_waited_for() {
    let folder = folder();
    let edits = edits(folder.path());
    prepare(folder.path(), &edits.changes).unwrap();
    let refused = refuse_unfinished(folder.path()).unwrap_err().to_string();
    assert!(refused.ends_with("is edited at this moment: try again when that is done"), "{refused}");
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            finish(folder.path(), flush).unwrap();
            drop(edits);
        });
        assert_eq!(unedited(folder.path(), || state(folder.path()).0).unwrap(), "A c D");
    });
    // A killed command holds no lock any more.
    let killed = self::folder();
    prepared(killed.path());
    assert!(unedited(killed.path(), || ()).unwrap_err().to_string().contains("was stopped halfway"));
}

#[test]
fn what_was_written_by_hand_after_a_command_was_killed_is_not_lost() {
    // What is written by hand, and what the advice then says: delete this, and the edit is finished.
    for (name, text, advised, finished) in [
        ("a", Some("mine"), format!("{MADE}/0"), "mine c D"),
        ("a", None, format!("{MADE}/0"), "c D"),
        ("b", Some("mine"), "providers/b.toml".to_owned(), "A c D"),
        ("d", Some("mine"), format!("{MADE}/2"), "A c mine"),
    ] {
        let folder = folder();
        prepared(folder.path());
        let file = folder.path().join(format!("providers/{name}.toml"));
        match text {
            Some(text) => fs::write(&file, text).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let before = state(folder.path());
        let refusal = Edits::begin(folder.path()).err().unwrap().to_string();
        assert!(refusal.contains(&format!("providers/{name}.toml was changed by hand")), "{refusal}");
        assert!(refusal.contains(&format!("delete {}", folder.path().join(&advised).display())), "{refusal}");
        assert_eq!(state(folder.path()), before, "{name}");
        fs::remove_file(folder.path().join(&advised)).unwrap();
        drop(Edits::begin(folder.path()).unwrap());
        assert_eq!(state(folder.path()), (finished.to_owned(), false), "{name}");
    }
    // What was written already is edited again, or stands there as the command would write it.
    let folder = folder();
    prepared(folder.path());
    fs::rename(folder.path().join(MADE).join("0"), folder.path().join("providers/a.toml")).unwrap();
    fs::write(folder.path().join("providers/a.toml"), "mine").unwrap();
    fs::write(folder.path().join("providers/d.toml"), "D").unwrap();
    drop(Edits::begin(folder.path()).unwrap());
    assert_eq!(state(folder.path()), ("mine c D".to_owned(), false));
}

#[test]
fn files_that_changed_meanwhile_are_not_overwritten() {
    let folder = folder();
    let edits = edits(folder.path());
    assert!(Edits::begin(folder.path()).is_err(), "two commands edit at once");
    fs::write(folder.path().join("providers/b.toml"), "other").unwrap();
    assert!(edits.apply().unwrap_err().to_string().contains("b.toml was changed while this command ran"));
    assert_eq!(state(folder.path()), ("a other c".to_owned(), false));
}

#[test]
fn a_list_from_elsewhere_leads_nowhere() {
    for line in
        ["- - ../x.toml", "- - /x.toml", "0 - providers/x.sh", "- - a/b/c.toml", "-", "x - providers/a.toml"]
    {
        let folder = folder();
        fs::create_dir(folder.path().join(MADE)).unwrap();
        fs::write(folder.path().join(MADE).join(LIST), line).unwrap();
        assert!(Edits::begin(folder.path()).is_err(), "{line}");
    }
}
