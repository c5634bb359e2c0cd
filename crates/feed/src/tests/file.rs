//! The file source: a file that is written, changed, broken, removed and restored.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use directory::calendar::{FeedMode, Freshness};

use super::super::{Feed, FeedOptions};
use super::{Recorder, lines, started, until};

fn start(path: &Path, target: &Arc<Recorder>) -> Feed {
    let options = FeedOptions::file(path.to_owned(), FeedMode::Open).with_poll(Duration::from_millis(10));
    started(options, Arc::clone(target))
}

/// Writes a file and renames it into place.
fn write(path: &Path, text: &str) {
    let new = path.with_extension("new");
    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    fs::write(&new, text).unwrap();
    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    fs::rename(new, path).unwrap();
}

#[tokio::test]
async fn a_file_is_read_when_it_changes_and_a_missing_one_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.ndjson");
    let target = Recorder::new();
    let feed = start(&path, &target);
    feed.first_look().await;
    assert_eq!(feed.judgment().freshness, Freshness::Expired);
    assert!(feed.status().last_error.unwrap().contains("can't be read"));

    write(&path, &lines(&["jane-doe", "sam-roe"]));
    until(&feed, |status| status.ages.listed() == 2).await;
    assert_eq!((feed.judgment().freshness, feed.status().last_error), (Freshness::Fresh, None));

    write(&path, &lines(&["jane-doe"]));
    until(&feed, |status| status.ages.listed() == 1).await;

    write(&path, "{\"provider\":\"jane-doe\"}\n");
    until(&feed, |status| status.last_error.is_some()).await;
    let error = feed.status().last_error.unwrap();
    assert!(error.contains("open.ndjson:1:") && error.contains("missing field"), "{error}");

    write(&path, &lines(&["jane-doe"]));
    until(&feed, |status| status.last_error.is_none()).await;
    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    fs::remove_file(&path).unwrap();
    until(&feed, |status| status.last_error.is_some()).await;
    assert_eq!(feed.status().ages.listed(), 1);
    assert_eq!(target.applied().len(), 2);
}

#[tokio::test]
async fn a_second_feed_file_is_an_error_until_it_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, second) = (folder.path().join("open.ndjson"), folder.path().join("busy.ndjson"));
    write(&path, &lines(&["jane-doe"]));
    let options = FeedOptions::file(path, FeedMode::Open).with_poll(Duration::from_millis(10));
    let feed = started(FeedOptions { rival: Some(second.clone()), ..options }, Recorder::new());
    until(&feed, |status| status.ages.listed() == 1 && status.last_error.is_none()).await;
    write(&second, "");
    until(&feed, |status| status.last_error.is_some()).await;
    let why = feed.status().last_error.unwrap();
    assert!(why.contains("busy.ndjson isn't read") && why.contains("the next start fails"), "{why}");
    assert_eq!(feed.judgment().freshness, Freshness::Fresh);
    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    fs::remove_file(&second).unwrap();
    until(&feed, |status| status.last_error.is_none()).await;
}

#[tokio::test]
async fn a_quiet_file_does_not_grow_old_and_is_not_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.ndjson");
    write(&path, &lines(&["jane-doe"]));
    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    let file = fs::File::options().write(true).open(&path).unwrap();
    let long_ago = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    file.set_modified(long_ago).unwrap();
    let target = Recorder::new();
    let feed = start(&path, &target);
    feed.first_look().await;
    let first = feed.status();
    tokio::time::sleep(Duration::from_millis(1200)).await;
    let later = feed.status();
    assert!(later.ages.as_of() > first.ages.as_of(), "{later:?}");
    assert_eq!((first.applied, later.applied), (1, 1));
}

#[cfg(unix)]
#[tokio::test]
async fn an_edit_with_an_old_modification_time_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.ndjson");
    let long_ago = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let write_in_place = |text: &str| {
        #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
        fs::write(&path, text).unwrap();
        #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
        fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
    };
    let text = lines(&["jane-doe", "sam-roe"]);
    write_in_place(&text);
    let feed = start(&path, &Recorder::new());
    feed.first_look().await;
    let first = feed.status().applied;
    // As many bytes in the same file.
    write_in_place(&text.replace("T17:00", "T17:10"));
    until(&feed, |status| status.applied > first).await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_does_not_block_and_a_link_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open.ndjson");
    if !Command::new("mkfifo").arg(&path).status().is_ok_and(|status| status.success()) {
        return;
    }
    let feed = start(&path, &Recorder::new());
    tokio::time::timeout(Duration::from_secs(10), feed.first_look()).await.unwrap();
    let error = feed.status().last_error.unwrap();
    assert!(
        error.contains("isn't a regular file") && error.contains("write the feed into a file"),
        "{error}"
    );

    let elsewhere = folder.path().join("elsewhere");
    write(&elsewhere, &lines(&["jane-doe"]));
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&elsewhere, &link).unwrap();
    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    fs::rename(link, &path).unwrap();
    until(&feed, |status| status.ages.listed() == 1).await;
    write(&elsewhere, &lines(&["jane-doe", "sam-roe"]));
    until(&feed, |status| status.ages.listed() == 2).await;
    assert_eq!(feed.status().last_error, None);
}
