#![expect(clippy::disallowed_methods, reason = "these tests prepare files of their own")]

use std::cell::Cell;
use std::time::SystemTime;

use super::super::journal::{Flush, LIST, PREPARED, commit, has_files_to_move};
use super::*;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("providers")).unwrap();
    for name in ["a", "b", "c"] {
        fs::write(folder.path().join(format!("providers/{name}.toml")), name).unwrap();
    }
    folder
}

/// Returns the texts of the clinicians' files, and whether a journal is left.
fn state(folder: &Path) -> (String, bool) {
    let mut files: Vec<_> =
        fs::read_dir(folder.join("providers")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let text = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect::<Vec<_>>().join(" ");
    (text, folder.join(COMMITTED).exists() || folder.join(PREPARED).exists())
}

fn interrupt(folder: &Path) {
    let edits = edits(folder);
    commit(folder, &edits.changes).unwrap();
}

fn edits(folder: &Path) -> Edits {
    let mut edits = Edits::lock(folder).unwrap();
    let text = |text: &str| Some(text.to_owned());
    edits.add_change("providers/a.toml".to_owned(), text("a"), text("A"));
    edits.add_change("providers/b.toml".to_owned(), text("b"), None);
    edits.add_change("providers/d.toml".to_owned(), None, text("D"));
    edits.add_change("providers/c.toml".to_owned(), text("c"), text("c"));
    edits
}

#[test]
fn an_edit_changes_every_file() {
    let folder = folder();
    assert!(!has_files_to_move(folder.path()));
    assert_eq!(edits(folder.path()).apply().unwrap(), 3);
    assert_eq!(state(folder.path()), ("A c D".to_owned(), false));
}

#[test]
fn a_file_with_a_wrong_name_is_renamed_and_a_file_that_isnt_content_is_refused_before_anything_changes() {
    let folder = folder();
    let root = folder.path();
    fs::rename(root.join("providers/b.toml"), root.join("providers/b.toml.txt")).unwrap();
    let mut edits = Edits::lock(root).unwrap();
    edits.set_text("providers/b.toml.txt", None).unwrap();
    edits.set_text("providers/b.toml", Some("b".to_owned())).unwrap();
    assert_eq!(edits.apply().unwrap(), 2);
    assert_eq!(state(root), ("a b c".to_owned(), false));
    let mut edits = Edits::lock(root).unwrap();
    edits.add_change("providers/a.toml".to_owned(), Some("a".to_owned()), Some("A".to_owned()));
    edits.add_change("providers/e.txt".to_owned(), None, Some("E".to_owned()));
    assert!(edits.apply().unwrap_err().to_string().contains("nothing was changed: providers/e.txt"));
    assert_eq!(state(root), ("a b c".to_owned(), false));
}

#[test]
fn an_interrupted_command_leaves_the_old_or_the_new_files() {
    // It is interrupted before the edit is committed.
    let before = folder();
    interrupt(before.path());
    fs::rename(before.path().join(COMMITTED), before.path().join(PREPARED)).unwrap();
    refuse_unfinished_edit(before.path()).unwrap();
    assert_eq!(state(before.path()).0, "a b c");
    assert_eq!(edits(before.path()).apply().unwrap(), 3);
    assert_eq!(state(before.path()), ("A c D".to_owned(), false));
    // It is interrupted after some changes of the list.
    for applied in 0..=3 {
        let after = folder();
        let edits = edits(after.path());
        commit(&edits.root, &edits.changes).unwrap();
        drop(edits);
        let committed = after.path().join(COMMITTED);
        let list = fs::read_to_string(committed.join(LIST)).unwrap();
        let first = list.lines().take(applied).collect::<Vec<_>>().join("\n");
        fs::write(committed.join(LIST), first).unwrap();
        let spare = after.path().join("spare");
        fs::create_dir(&spare).unwrap();
        for name in ["0", "2"] {
            fs::copy(committed.join(name), spare.join(name)).unwrap();
        }
        finish(after.path(), flush_folder).unwrap();
        // Restore the journal as the interrupted command left it.
        fs::create_dir(&committed).unwrap();
        for (name, is_moved) in [("0", applied > 0), ("2", applied > 2)] {
            if !is_moved {
                fs::copy(spare.join(name), committed.join(name)).unwrap();
            }
        }
        fs::write(committed.join(LIST), &list).unwrap();
        assert!(refuse_unfinished_edit(after.path()).is_err());
        drop(Edits::lock(after.path()).unwrap());
        assert_eq!(state(after.path()), ("A c D".to_owned(), false), "{applied}");
    }
}

#[test]
fn an_edit_that_cannot_be_flushed_is_finished_by_the_next_command() {
    fn never(_: &Path) -> io::Result<()> {
        Err(io::Error::other("the disk is broken"))
    }
    fn until_files_are_moved(folder: &Path) -> io::Result<()> {
        if folder.join(COMMITTED).join("0").exists() { Ok(()) } else { never(folder) }
    }
    let failures: [(Flush, _); 2] = [(never, "a b c"), (until_files_are_moved, "A c D")];
    for (flush, files) in failures {
        let folder = folder();
        let message = Edits { flush, ..edits(folder.path()) }.apply().unwrap_err().to_string();
        assert!(
            message.contains("is saved but not finished, and may not survive a power outage"),
            "{message}"
        );
        assert!(
            message.contains("the disk is broken; run the command again") && !message.contains("nothing"),
            "{message}"
        );
        assert_eq!(state(folder.path()), (files.to_owned(), true));
        assert!(refuse_unfinished_edit(folder.path()).is_err());
        drop(Edits::lock(folder.path()).unwrap());
        assert_eq!(state(folder.path()), ("A c D".to_owned(), false));
    }
}

#[test]
fn files_read_during_an_edit_are_read_again() {
    let folder = folder();
    // The clock of a file system may stand still for milliseconds.
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    File::open(folder.path()).unwrap().set_modified(long_ago).unwrap();
    let reads = Cell::new(0);
    let read = || {
        reads.set(reads.get() + 1);
        let files = state(folder.path()).0;
        if reads.get() == 1 {
            assert_eq!(edits(folder.path()).apply().unwrap(), 3);
        }
        files
    };
    assert_eq!(read_between_edits(folder.path(), read).unwrap(), "A c D");
    assert_eq!(reads.get(), 2);
}

#[test]
fn readers_wait_for_an_edit() {
    let folder = folder();
    let edits = edits(folder.path());
    commit(folder.path(), &edits.changes).unwrap();
    let refused = refuse_unfinished_edit(folder.path()).unwrap_err().to_string();
    assert!(refused.ends_with("try again when it is done"), "{refused}");
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            finish(folder.path(), flush_folder).unwrap();
            drop(edits);
        });
        assert_eq!(read_between_edits(folder.path(), || state(folder.path()).0).unwrap(), "A c D");
    });
    // An interrupted command holds no lock.
    let other = self::folder();
    interrupt(other.path());
    assert!(read_between_edits(other.path(), || ()).unwrap_err().to_string().contains("was interrupted"));
}

#[test]
fn files_edited_by_hand_after_an_interruption_are_not_lost() {
    // A file, its text by hand, the file that the message says to delete, and the texts after the edit is finished.
    for (name, text, to_delete, finished) in [
        ("a", Some("mine"), format!("{COMMITTED}/0"), "mine c D"),
        ("a", None, format!("{COMMITTED}/0"), "c D"),
        ("b", Some("mine"), "providers/b.toml".to_owned(), "A c D"),
        ("d", Some("mine"), format!("{COMMITTED}/2"), "A c mine"),
    ] {
        let folder = folder();
        interrupt(folder.path());
        let file = folder.path().join(format!("providers/{name}.toml"));
        match text {
            Some(text) => fs::write(&file, text).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let before = state(folder.path());
        let refusal = Edits::lock(folder.path()).err().unwrap().to_string();
        assert!(refusal.contains(&format!("providers/{name}.toml was edited after")), "{refusal}");
        assert!(
            refusal.contains(&format!("delete {}", folder.path().join(&to_delete).display())),
            "{refusal}"
        );
        assert_eq!(state(folder.path()), before, "{name}");
        fs::remove_file(folder.path().join(&to_delete)).unwrap();
        drop(Edits::lock(folder.path()).unwrap());
        assert_eq!(state(folder.path()), (finished.to_owned(), false), "{name}");
    }
    // A file that the command had moved is edited by hand. Another one is written by hand, just as the command would write it.
    let folder = folder();
    interrupt(folder.path());
    fs::rename(folder.path().join(COMMITTED).join("0"), folder.path().join("providers/a.toml")).unwrap();
    fs::write(folder.path().join("providers/a.toml"), "mine").unwrap();
    fs::write(folder.path().join("providers/d.toml"), "D").unwrap();
    drop(Edits::lock(folder.path()).unwrap());
    assert_eq!(state(folder.path()), ("mine c D".to_owned(), false));
}

#[test]
fn files_that_changed_during_a_command_are_not_overwritten() {
    let folder = folder();
    let edits = edits(folder.path());
    assert!(Edits::lock(folder.path()).is_err(), "two commands must not edit at once");
    fs::write(folder.path().join("providers/b.toml"), "other").unwrap();
    assert!(edits.apply().unwrap_err().to_string().contains("b.toml changed while this command ran"));
    assert_eq!(state(folder.path()), ("a other c".to_owned(), false));
}

#[test]
fn a_foreign_list_is_refused() {
    for line in
        ["- - ../x.toml", "- - /x.toml", "0 - providers/x.sh", "- - a/b/c.toml", "-", "x - providers/a.toml"]
    {
        let folder = folder();
        fs::create_dir(folder.path().join(COMMITTED)).unwrap();
        fs::write(folder.path().join(COMMITTED).join(LIST), line).unwrap();
        assert!(Edits::lock(folder.path()).is_err(), "{line}");
    }
}
