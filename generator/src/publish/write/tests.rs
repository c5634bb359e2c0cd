//! The invariants of publishing, on a real file system.
#![expect(clippy::disallowed_methods, reason = "these tests read and edit the trees they publish")]

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::*;
use crate::error::BuildError;
use crate::test_fixture as fixture;

fn publish_texts(out: &Path, texts: &[(&str, &str)]) -> Result<WrittenTree, BuildError> {
    let bodies: BTreeMap<TreePath, String> =
        texts.iter().map(|(path, text)| (path.parse().unwrap(), (*text).to_owned())).collect();
    let files: Vec<TestFile> = bodies.keys().cloned().map(TestFile).collect();
    let snapshot = fixture::snapshot();
    let output = Output { folder: out, force: false }.lock::<BuildError>()?;
    publish(
        &output,
        snapshot.directory().generation(),
        &files,
        |file, buffer| match bodies[&file.0].as_str() {
            "fail" => Err(WriteError::Busy(out.to_path_buf()).into()),
            text => {
                *buffer = text.as_bytes().to_vec();
                Ok(Some(buffer))
            }
        },
        |_, _, _| {},
    )
}

struct TestFile(TreePath);

impl AsRef<TreePath> for TestFile {
    fn as_ref(&self) -> &TreePath {
        &self.0
    }
}

/// Returns the inode, modification time and text of every file below a folder.
fn tree(folder: &Path) -> BTreeMap<String, (u64, i64, String)> {
    let names = crate::read::names(folder).unwrap();
    let look = |name: String| {
        let found = fs::metadata(folder.join(&name)).unwrap();
        let text = fs::read_to_string(folder.join(&name)).unwrap();
        (name, (found.ino(), found.mtime(), text))
    };
    names.into_iter().map(look).collect()
}

/// Returns the names in a folder, without replaced trees.
fn names(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = entries.filter(|name| !name.starts_with("before-")).collect();
    names.sort();
    names
}

/// Builds leave one ignored folder beside the output, with the lock file and replaced trees.
fn assert_only_lock_beside(folder: &Path, others: &[&str]) {
    assert_eq!(names(folder), [&[".nameplate"], others].concat());
    let work = folder.join(".nameplate");
    assert_eq!(
        (names(&work), names(&work.join("dist"))),
        (vec![".gitignore".into(), "dist".into()], vec!["lock".into()])
    );
    assert_eq!(fs::read_to_string(work.join(".gitignore")).unwrap(), "*\n");
}

#[test]
fn only_differing_files_are_written_and_unplanned_ones_removed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    let first = publish_texts(&out, &[("a", "1"), ("b/c", "2"), ("b/d", "3")]).unwrap();
    assert_eq!((first.files, first.written, first.removed), (4, 4, 0));
    let before = tree(&out);
    assert_eq!(before.len(), 4);

    let second = publish_texts(&out, &[("a", "1"), ("b/c", "9"), ("e", "4")]).unwrap();
    assert_eq!((second.files, second.written, second.removed), (4, 3, 1));
    let after = tree(&out);
    assert_eq!(after.keys().collect::<Vec<_>>(), ["a", "b/c", "e", MANIFEST_PATH]);
    assert_eq!(after["a"], before["a"], "the same inode");
    assert_ne!(after["b/c"].0, before["b/c"].0, "a new inode");
    assert_ne!(after["b/c"].1, before["b/c"].1, "an edit that keeps the size changes the time");
    assert_eq!(after["b/c"].2, "9");
    assert_only_lock_beside(folder.path(), &["dist"]);
}

#[test]
fn a_build_without_changes_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    publish_texts(&out, &[("a", "1"), ("b/c", "2")]).unwrap();
    let (inode, before) = (fs::metadata(&out).unwrap().ino(), tree(&out));
    let again = publish_texts(&out, &[("a", "1"), ("b/c", "2")]).unwrap();
    assert_eq!((again.files, again.written, again.removed), (3, 0, 0));
    assert_eq!((fs::metadata(&out).unwrap().ino(), tree(&out)), (inode, before));
}

#[test]
fn edited_and_removed_files_of_the_tree_are_published_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    let texts = [("a", "1"), ("b/c", "2"), ("d", "3")];
    publish_texts(&out, &texts).unwrap();
    let before = tree(&out);
    fs::write(out.join("a"), "X").unwrap();
    fs::remove_file(out.join("b/c")).unwrap();
    let repaired = publish_texts(&out, &texts).unwrap();
    assert_eq!((repaired.written, repaired.removed), (3, 0));
    let text = |name: &str| tree(&out)[name].2.clone();
    assert_eq!((text("a"), text("b/c")), ("1".into(), "2".into()));
    assert_eq!(tree(&out)["d"], before["d"]);
}

#[test]
fn a_link_in_place_of_a_folder_is_replaced_and_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    let texts = [("a", "1"), ("b/c/d", "2")];
    publish_texts(&out, &texts).unwrap();
    fs::rename(out.join("b"), folder.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", out.join("b")).unwrap();
    publish_texts(&out, &texts).unwrap();
    assert!(fs::symlink_metadata(out.join("b")).unwrap().is_dir());
    assert_eq!(tree(&out).keys().collect::<Vec<_>>(), ["a", "b/c/d", MANIFEST_PATH]);
    assert!(folder.path().join("elsewhere/c/d").is_file(), "the link's target is untouched");
}

#[test]
fn a_failure_leaves_the_old_tree_and_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    publish_texts(&out, &[("a", "1")]).unwrap();
    let before = tree(&out);
    assert!(publish_texts(&out, &[("a", "2"), ("b", "fail"), ("c", "3")]).is_err());
    assert_eq!(tree(&out), before);
    assert_only_lock_beside(folder.path(), &["dist"]);
}

#[test]
fn the_stage_of_a_killed_build_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    fs::create_dir_all(folder.path().join(".nameplate/dist/stage/half")).unwrap();
    publish_texts(&out, &[("a", "1")]).unwrap();
    assert_only_lock_beside(folder.path(), &["dist"]);
    fs::write(folder.path().join(".nameplate/dist/stage"), "").unwrap();
    publish_texts(&out, &[("a", "2")]).unwrap();
    assert_only_lock_beside(folder.path(), &["dist"]);
}

#[test]
fn a_lock_file_that_is_a_link_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (out, lock) = (folder.path().join("dist"), folder.path().join(".nameplate/dist/lock"));
    fs::create_dir_all(lock.parent().unwrap()).unwrap();
    let precious = folder.path().join("precious");
    fs::write(&precious, "years of work").unwrap();
    let hard = |from: &Path, to: &Path| fs::hard_link(from, to);
    let soft = |from: &Path, to: &Path| std::os::unix::fs::symlink(from, to);
    for link in [&hard as &dyn Fn(&Path, &Path) -> io::Result<()>, &soft] {
        link(&precious, &lock).unwrap();
        let refused = publish_texts(&out, &[("a", "1")]).unwrap_err().to_string();
        assert!(
            refused.contains("is a link or not a regular file") && refused.contains("remove it"),
            "{refused}"
        );
        fs::remove_file(&lock).unwrap();
    }
    assert_eq!(fs::read_to_string(&precious).unwrap(), "years of work");
    assert!(publish_texts(&out, &[("a", "1")]).is_ok());
}

#[test]
fn a_folder_in_the_manifests_place_is_not_a_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    fs::create_dir_all(out.join(MANIFEST_PATH)).unwrap();
    assert!(matches!(publish_texts(&out, &[("a", "1")]), Err(BuildError::Write(WriteError::Foreign(_)))));
    assert!(Output { folder: &out, force: true }.lock::<BuildError>().is_ok());
}

#[test]
fn a_folder_with_files_but_no_manifest_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("thesis.txt"), "years of work").unwrap();
    let refused = publish_texts(&out, &[("a", "1")]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!(
            "{} isn't a Nameplate build, so nothing was changed; empty it, \
             choose another output, or replace everything in it with --force",
            out.display()
        )
    );
    assert_eq!(names(&out), ["thesis.txt"]);

    // An empty folder is replaced.
    fs::remove_file(out.join("thesis.txt")).unwrap();
    assert_eq!(publish_texts(&out, &[("a", "1")]).unwrap().files, 2);
}

#[test]
fn a_file_or_a_link_is_not_an_output() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    fs::write(&out, "").unwrap();
    let refused = publish_texts(&out, &[("a", "1")]).unwrap_err().to_string();
    assert_eq!(refused, format!("{} isn't a folder; remove it or choose another output", out.display()));
    fs::remove_file(&out).unwrap();
    fs::create_dir(folder.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere", &out).unwrap();
    assert!(matches!(publish_texts(&out, &[]), Err(BuildError::Write(WriteError::Symlink(_)))));
    assert!(matches!(publish_texts(Path::new(".."), &[]), Err(BuildError::Write(WriteError::NoName(_)))));
}

#[test]
fn a_build_is_refused_while_another_holds_the_lock() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    let paths = OutputPaths::new(&out).unwrap();
    let lock = Lock::take(&paths).unwrap();
    assert!(matches!(publish_texts(&out, &[]), Err(BuildError::Write(WriteError::Busy(_)))));
    drop(lock);
    assert!(publish_texts(&out, &[]).is_ok());
}

#[test]
fn modification_times_are_past_and_a_function_of_the_bytes() {
    let of = |text: &str| {
        output::modification_time(ManifestEntry::new(&"a".parse().unwrap(), text.as_bytes()).sha256)
    };
    // SHA-256 of "abc" begins with ba7816b: 2000-01-01 and 0xba7816b seconds.
    let seconds = of("abc").duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    assert_eq!(seconds, 946_684_800 + 0x0ba7_816b);
    assert_ne!(of("abc"), of("abd"));
}

/// Returns 80 files, one of which has the given text.
fn many(edited: usize, text: &str) -> Vec<(String, String)> {
    let file = |number: usize| {
        let text = if number == edited { text.to_owned() } else { format!("text {number}") };
        (format!("v1/f{number:02}"), text)
    };
    (0..80).map(file).collect()
}

fn publish_many(out: &Path, texts: &[(String, String)]) -> WrittenTree {
    let texts: Vec<_> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    publish_texts(out, &texts).unwrap()
}

/// Returns the files of a tree and their texts, without the manifest.
fn read(out: &Path) -> Vec<(String, String)> {
    let files = tree(out).into_iter().filter(|(name, _)| name != MANIFEST_PATH);
    files.map(|(name, (_, _, text))| (name, text)).collect()
}

#[test]
fn an_edit_writes_differing_files_links_the_others_and_removes_the_stage() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    publish_many(&out, &many(0, "first"));
    let mut before = many(0, "first");
    for (edited, text) in [(1, "second"), (2, "third"), (2, "fourth"), (0, "first"), (0, "last")] {
        let (now, published) = (many(edited, text), tree(&out));
        let differ = now.iter().zip(&before).filter(|(now, before)| now != before).count();
        assert_eq!(publish_many(&out, &now).written, differ + 1, "and the manifest");
        assert_eq!(read(&out), now);
        let shared = tree(&out).into_iter().filter(|file| published.get(&file.0) == Some(&file.1)).count();
        assert_eq!(shared, 80 - differ, "unchanged files keep their inodes");
        assert_only_lock_beside(folder.path(), &["dist"]);
        before = now;
    }
}

#[test]
fn a_leftover_stage_is_removed_without_following_links() {
    let folder = tempfile::tempdir().unwrap();
    let (out, stage) = (folder.path().join("dist"), folder.path().join(".nameplate/dist/stage"));
    let elsewhere = folder.path().join("elsewhere");
    publish_many(&out, &many(0, "first"));
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("f03"), "not ours").unwrap();
    fs::create_dir_all(stage.join("v1/f04/deep")).unwrap();
    fs::write(stage.join("v1/f05"), "text 5").unwrap();
    fs::write(stage.join(MANIFEST_PATH), "{}").unwrap();
    std::os::unix::fs::symlink(&elsewhere, stage.join("linked")).unwrap();
    std::os::unix::fs::symlink(elsewhere.join("f03"), stage.join("v1/f06")).unwrap();
    publish_many(&out, &many(6, "second"));
    assert_eq!(read(&out), many(6, "second"));
    assert_eq!(fs::read_to_string(elsewhere.join("f03")).unwrap(), "not ours");

    std::os::unix::fs::symlink(&elsewhere, &stage).unwrap();
    publish_many(&out, &many(7, "third"));
    assert_eq!(read(&out), many(7, "third"));
    assert_eq!(names(&elsewhere), ["f03"]);
    assert_only_lock_beside(folder.path(), &["dist", "elsewhere"]);
}

#[test]
fn a_walk_that_began_before_two_builds_sees_one_generation() {
    use rustix::fs::{Dir, FileType, Mode, OFlags, openat};

    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    let generation = |number: usize| -> Vec<(String, String)> {
        // Half of the files change with each generation.
        let text =
            |file: usize| format!("text {file} of {}", if file.is_multiple_of(2) { number } else { 0 });
        (0..80).map(|file| (format!("v{}/f{file:02}", file % 3), text(file))).collect()
    };
    publish_many(&out, &generation(1));
    let before: BTreeMap<String, String> = generation(1).into_iter().collect();
    // A walk opens a folder, reads its names, and opens those files in the open folder.
    let open = |flags: OFlags, from: &std::os::fd::OwnedFd, name: &str| {
        openat(from, name, flags | OFlags::RDONLY, Mode::empty())
    };
    let root = rustix::fs::open(&out, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty()).unwrap();
    let first = open(OFlags::DIRECTORY, &root, "v0").unwrap();
    let mut names: Vec<String> = Vec::new();
    for entry in Dir::read_from(&first).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type() == FileType::RegularFile {
            names.push(format!("v0/{}", entry.file_name().to_str().unwrap()));
        }
    }
    publish_many(&out, &generation(2));
    publish_many(&out, &generation(3));
    for name in ["v1", "v2"] {
        let inside = open(OFlags::DIRECTORY, &root, name).unwrap();
        for entry in Dir::read_from(&inside).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type() == FileType::RegularFile {
                names.push(format!("{name}/{}", entry.file_name().to_str().unwrap()));
            }
        }
    }
    let seen = names.iter().filter(|name| *name != MANIFEST_PATH).map(|name| {
        let mut text = String::new();
        let mut file = fs::File::from(open(OFlags::empty(), &root, name).unwrap());
        io::Read::read_to_string(&mut file, &mut text).unwrap();
        (name.clone(), text)
    });
    assert_eq!(seen.collect::<BTreeMap<_, _>>(), before);
    let now: BTreeMap<String, String> = read(&out).into_iter().collect();
    assert_eq!(now, generation(3).into_iter().collect::<BTreeMap<_, _>>());
}

#[test]
fn a_replaced_tree_that_a_kill_left_in_the_stages_place_is_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let (out, stage) = (folder.path().join("dist"), folder.path().join(".nameplate/dist/stage"));
    publish_many(&out, &many(0, "first"));
    let kept = tree(&out);
    // The build was killed after it had exchanged the trees.
    fs::rename(&out, &stage).unwrap();
    let reader = fs::File::open(&stage).unwrap();
    publish_many(&out, &many(1, "second"));
    let work = folder.path().join(".nameplate/dist");
    let entry = fs::read_dir(work).unwrap().map(|entry| entry.unwrap().path());
    let aside = entry.filter(|path| path.to_string_lossy().contains("/before-")).collect::<Vec<_>>();
    assert_eq!(aside.len(), 1);
    assert_eq!(fs::metadata(&aside[0]).unwrap().ino(), reader.metadata().unwrap().ino());
    assert_eq!(tree(&aside[0]), kept);
}

#[test]
fn outputs_in_one_folder_have_their_own_stage_and_a_linked_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let _locked = Output { folder: &one, force: false }.lock::<BuildError>().unwrap();
    publish_texts(&other, &[("a", "1")]).unwrap();
    assert_eq!(names(&folder.path().join(".nameplate")), [".gitignore", "one", "other"]);

    let elsewhere = tempfile::tempdir().unwrap();
    let linked = folder.path().join("below");
    fs::create_dir(&linked).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), linked.join(".nameplate")).unwrap();
    let refused = publish_texts(&linked.join("dist"), &[("a", "1")]).unwrap_err().to_string();
    assert!(refused.contains(".nameplate isn't a folder"), "{refused}");
    assert!(!linked.join("dist").exists());
}
