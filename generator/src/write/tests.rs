//! What publishing promises, on a real file system.
#![expect(clippy::disallowed_methods, reason = "these tests look at and spoil the trees they make")]

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::*;
use crate::build::BuildError;
use crate::fixture;

/// A tree of texts, published.
fn publish_texts(out: &Path, texts: &[(&str, &str)]) -> Result<Changes, BuildError> {
    let bodies: BTreeMap<TreePath, String> =
        texts.iter().map(|(path, text)| (path.parse().unwrap(), (*text).to_owned())).collect();
    let files: Vec<PathOf> = bodies.keys().cloned().map(PathOf).collect();
    let snapshot = fixture::snapshot();
    let held = Output { folder: out, force: false }.hold::<BuildError>()?;
    publish(
        &held,
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

struct PathOf(TreePath);

impl AsRef<TreePath> for PathOf {
    fn as_ref(&self) -> &TreePath {
        &self.0
    }
}

/// Every file below a folder: inode, modification time, text.
fn tree(folder: &Path) -> BTreeMap<String, (u64, i64, String)> {
    let names = crate::read::names(folder).unwrap();
    let look = |name: String| {
        let found = fs::metadata(folder.join(&name)).unwrap();
        let text = fs::read_to_string(folder.join(&name)).unwrap();
        (name, (found.ino(), found.mtime(), text))
    };
    names.into_iter().map(look).collect()
}

fn beside(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = entries.collect();
    names.sort();
    names
}

#[test]
fn only_what_differs_is_written_and_what_is_gone_is_gone() {
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
    assert_ne!(after["b/c"].1, before["b/c"].1, "an edit of the same size has another time");
    assert_eq!(after["b/c"].2, "9");
    assert_eq!(beside(folder.path()), [".dist.nameplate-lock", "dist"]);
}

#[test]
fn nothing_changed_is_not_one_write() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    publish_texts(&out, &[("a", "1"), ("b/c", "2")]).unwrap();
    let (inode, before) = (fs::metadata(&out).unwrap().ino(), tree(&out));
    let again = publish_texts(&out, &[("a", "1"), ("b/c", "2")]).unwrap();
    assert_eq!((again.files, again.written, again.removed), (3, 0, 0));
    assert_eq!((fs::metadata(&out).unwrap().ino(), tree(&out)), (inode, before));
}

#[test]
fn a_tree_that_somebody_has_spoilt_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    let texts = [("a", "1"), ("b/c", "2"), ("d", "3")];
    publish_texts(&out, &texts).unwrap();
    let before = tree(&out);
    fs::write(out.join("a"), "X").unwrap();
    fs::remove_file(out.join("b/c")).unwrap();
    let mended = publish_texts(&out, &texts).unwrap();
    // The two files, and the manifest with every exchange.
    assert_eq!((mended.written, mended.removed), (3, 0));
    let text = |name: &str| tree(&out)[name].2.clone();
    assert_eq!((text("a"), text("b/c")), ("1".into(), "2".into()));
    assert_eq!(tree(&out)["d"], before["d"]);
}

#[test]
fn a_folder_that_makes_way_for_a_link_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    let texts = [("a", "1"), ("b/c/d", "2")];
    publish_texts(&out, &texts).unwrap();
    fs::rename(out.join("b"), folder.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", out.join("b")).unwrap();
    publish_texts(&out, &texts).unwrap();
    assert!(fs::symlink_metadata(out.join("b")).unwrap().is_dir());
    assert_eq!(tree(&out).keys().collect::<Vec<_>>(), ["a", "b/c/d", MANIFEST_PATH]);
    assert!(folder.path().join("elsewhere/c/d").is_file(), "what the link led to is nobody's business");
}

#[test]
fn a_failure_leaves_the_old_tree_and_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    publish_texts(&out, &[("a", "1")]).unwrap();
    let before = tree(&out);
    assert!(publish_texts(&out, &[("a", "2"), ("b", "fail"), ("c", "3")]).is_err());
    assert_eq!(tree(&out), before);
    assert_eq!(beside(folder.path()), [".dist.nameplate-lock", "dist"]);
}

#[test]
fn what_a_killed_build_left_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    fs::create_dir_all(folder.path().join(".dist.nameplate-stage/half")).unwrap();
    publish_texts(&out, &[("a", "1")]).unwrap();
    assert_eq!(beside(folder.path()), [".dist.nameplate-lock", "dist"]);
    // Whatever has the stage's name makes way.
    fs::write(folder.path().join(".dist.nameplate-stage"), "").unwrap();
    publish_texts(&out, &[("a", "2")]).unwrap();
    assert_eq!(beside(folder.path()), [".dist.nameplate-lock", "dist"]);
}

#[test]
fn nothing_is_written_into_a_lock_file_with_another_name() {
    let folder = tempfile::tempdir().unwrap();
    let (out, lock) = (folder.path().join("dist"), folder.path().join(".dist.nameplate-lock"));
    let precious = folder.path().join("precious");
    fs::write(&precious, "years of work").unwrap();
    let hard = |from: &Path, to: &Path| fs::hard_link(from, to);
    let soft = |from: &Path, to: &Path| std::os::unix::fs::symlink(from, to);
    for link in [&hard as &dyn Fn(&Path, &Path) -> io::Result<()>, &soft] {
        link(&precious, &lock).unwrap();
        let refused = publish_texts(&out, &[("a", "1")]).unwrap_err().to_string();
        assert!(
            refused.contains("is not a plain file with one name") && refused.contains("remove it"),
            "{refused}"
        );
        assert!(Lock::find(&Place::new(&out).unwrap()).is_none());
        fs::remove_file(&lock).unwrap();
    }
    assert_eq!(fs::read_to_string(&precious).unwrap(), "years of work");
    assert!(publish_texts(&out, &[("a", "1")]).is_ok());
}

#[test]
fn a_manifest_that_is_no_file_is_none_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    fs::create_dir_all(out.join(MANIFEST_PATH)).unwrap();
    assert!(matches!(publish_texts(&out, &[("a", "1")]), Err(BuildError::Write(WriteError::Foreign(_)))));
    assert!(Output { folder: &out, force: true }.hold::<BuildError>().is_ok());
}

#[test]
fn a_folder_of_somebody_else_is_never_touched() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("thesis.txt"), "years of work").unwrap();
    let refused = publish_texts(&out, &[("a", "1")]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        format!(
            "{} has files in it but no v1/manifest.json of this program, so it was not touched; empty it, \
             choose another output, or replace it whole with --force",
            out.display()
        )
    );
    assert_eq!(beside(&out), ["thesis.txt"]);

    // An empty one may be taken.
    fs::remove_file(out.join("thesis.txt")).unwrap();
    assert_eq!(publish_texts(&out, &[("a", "1")]).unwrap().files, 2);
}

#[test]
fn a_file_or_a_link_is_not_an_output() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    fs::write(&out, "").unwrap();
    let refused = publish_texts(&out, &[("a", "1")]).unwrap_err().to_string();
    assert_eq!(refused, format!("{} is not a folder; remove it or choose another output", out.display()));
    fs::remove_file(&out).unwrap();
    fs::create_dir(folder.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere", &out).unwrap();
    assert!(matches!(publish_texts(&out, &[]), Err(BuildError::Write(WriteError::NotAFolder(_)))));
    assert!(matches!(publish_texts(Path::new(".."), &[]), Err(BuildError::Write(WriteError::NoName(_)))));
}

#[test]
fn two_builds_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    let place = Place::new(&out).unwrap();
    let held = Lock::take(&place).unwrap();
    assert!(matches!(publish_texts(&out, &[]), Err(BuildError::Write(WriteError::Busy(_)))));
    drop(held);
    assert!(publish_texts(&out, &[]).is_ok());
}

#[test]
fn times_are_past_and_a_function_of_the_bytes() {
    let of = |text: &str| {
        place::modification_time(ManifestEntry::of(&"a".parse().unwrap(), text.as_bytes()).sha256())
    };
    // SHA-256 of "abc" begins with ba7816b: 2000-01-01 and 0xba7816b seconds.
    let seconds = of("abc").duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    assert_eq!(seconds, 946_684_800 + 0x0ba7_816b);
    assert_ne!(of("abc"), of("abd"));
}

/// A tree of which one file in many differs from one edition to the next.
fn many(edited: usize, text: &str) -> Vec<(String, String)> {
    let file = |number: usize| {
        let text = if number == edited { text.to_owned() } else { format!("text {number}") };
        (format!("v1/f{number:02}"), text)
    };
    (0..80).map(file).collect()
}

fn publish_many(out: &Path, texts: &[(String, String)]) -> Changes {
    let texts: Vec<_> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    publish_texts(out, &texts).unwrap()
}

/// What is read in a tree, without its manifest.
fn read(out: &Path) -> Vec<(String, String)> {
    let files = tree(out).into_iter().filter(|(name, _)| name != MANIFEST_PATH);
    files.map(|(name, (_, _, text))| (name, text)).collect()
}

#[test]
fn an_edit_writes_what_differs_links_the_rest_and_leaves_nothing_beside_the_tree() {
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
        assert_eq!(shared, 80 - differ, "the same files, by their inodes");
        assert_eq!(beside(folder.path()), [".dist.nameplate-lock", "dist"]);
        before = now;
    }
}

#[test]
fn what_lies_in_the_stage_is_removed_and_no_link_in_it_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let (out, stage) = (folder.path().join("dist"), folder.path().join(".dist.nameplate-stage"));
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

    // The stage itself may be a link.
    std::os::unix::fs::symlink(&elsewhere, &stage).unwrap();
    publish_many(&out, &many(7, "third"));
    assert_eq!(read(&out), many(7, "third"));
    assert_eq!(beside(&elsewhere), ["f03"]);
    assert_eq!(beside(folder.path()), [".dist.nameplate-lock", "dist", "elsewhere"]);
}
