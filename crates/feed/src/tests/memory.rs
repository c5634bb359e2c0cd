//! A feed that is started again with the file that it remembered by.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use directory::calendar::{FeedMode, Freshness, FreshnessRule};

use super::super::{Accepted, Feed, FeedOptions, Target as _, remembered};
use super::{Recorder, accept, lines, lines_in, moment, started, until};

fn start(folder: &Path, mode: FeedMode, target: &Arc<Recorder>, rule: FreshnessRule) -> Feed {
    let options = FeedOptions::file(folder.join("feed.ndjson"), mode).with_poll(Duration::from_millis(10));
    let mut options = FeedOptions { memory: Some(folder.join("feed.json")), ..options };
    options.rules.freshness = rule;
    started(options, Arc::clone(target))
}

#[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
fn write(folder: &Path, text: &str) {
    std::fs::write(folder.join("new"), text).unwrap();
    std::fs::rename(folder.join("new"), folder.join("feed.ndjson")).unwrap();
}

/// Waits until the feed has read and remembered what it has.
async fn remembers(feed: &Feed) {
    feed.first_look().await;
    // Orders are carried out after that.
    assert_eq!(accept(feed).await, Accepted::NothingHeld);
}

/// Ends a feed and waits for the last write to its memory: a reading may be under way.
async fn stop(feed: Feed, target: &Arc<Recorder>) {
    drop(feed);
    while Arc::strong_count(target) > 1 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

fn both() -> (Vec<String>, Vec<String>) {
    (vec!["jane-doe".to_owned(), "sam-roe".to_owned()], Vec::new())
}

/// An entry on each of six days of both.
fn week(mode: FeedMode) -> String {
    let day = |day| lines_in(mode, &["jane-doe", "sam-roe"]).replace("03-02T", &format!("03-{day:02}T"));
    (3..9).map(day).collect()
}

#[tokio::test]
async fn after_a_restart_a_reading_that_lost_too_much_is_held() {
    for mode in [FeedMode::Open, FeedMode::Busy] {
        let folder = tempfile::tempdir().unwrap();
        let rule = FreshnessRule::default();
        write(folder.path(), &week(mode));
        let feed = start(folder.path(), mode, &Recorder::new(), rule);
        remembers(&feed).await;
        drop(feed);

        write(folder.path(), "");
        let target = Recorder::new();
        let feed = start(folder.path(), mode, &target, rule);
        until(&feed, |status| status.held.is_some()).await;
        let held = feed.status().held.unwrap();
        assert!(held.contains("lost 12 of the 12 future entries"), "{held}");
        assert_eq!(target.applied()[..1], [both()], "what was used before the restart");
        assert_eq!(feed.judgment().freshness, Freshness::Fresh, "it is some milliseconds old");

        assert!(matches!(accept(&feed).await, Accepted::Applied(_)));
        drop(feed);
        let feed = start(folder.path(), mode, &Recorder::new(), rule);
        feed.first_look().await;
        assert_eq!(feed.status().held, None, "an accepted loss is remembered, too");
    }
}

#[tokio::test]
async fn what_is_remembered_grows_old() {
    let folder = tempfile::tempdir().unwrap();
    let rule =
        FreshnessRule { fresh_for: Duration::from_millis(200), max_stale: Duration::from_millis(1500) };
    write(folder.path(), &lines(&["jane-doe", "sam-roe"]));
    let feed = start(folder.path(), FeedMode::Open, &Recorder::new(), rule);
    remembers(&feed).await;
    drop(feed);
    tokio::time::sleep(Duration::from_millis(300)).await;
    write(folder.path(), "no line of a feed\n");
    let target = Recorder::new();
    let feed = start(folder.path(), FeedMode::Open, &target, rule);
    until(&feed, |status| status.last_error.is_some()).await;
    assert_eq!(target.applied(), [both()]);
    assert!(matches!(feed.judgment().freshness, Freshness::Stale { .. }), "{:?}", feed.judgment());
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(feed.judgment().freshness, Freshness::Expired);
}

#[tokio::test]
async fn a_reading_that_is_held_makes_what_is_remembered_no_younger() {
    let folder = tempfile::tempdir().unwrap();
    let rule = FreshnessRule { fresh_for: Duration::from_secs(2), max_stale: Duration::from_mins(1) };
    write(folder.path(), &week(FeedMode::Busy));
    let feed = start(folder.path(), FeedMode::Busy, &Recorder::new(), rule);
    remembers(&feed).await;
    write(folder.path(), "");
    until(&feed, |status| status.held.is_some()).await;
    // Longer than the data in use is fresh. The held reading is rewritten and held again.
    tokio::time::sleep(rule.fresh_for).await;
    write(folder.path(), "\n");
    tokio::time::sleep(Duration::from_millis(100)).await;
    drop(feed);
    let feed = start(folder.path(), FeedMode::Busy, &Recorder::new(), rule);
    until(&feed, |status| status.held.is_some()).await;
    assert!(matches!(feed.judgment().freshness, Freshness::Stale { .. }), "{:?}", feed.judgment());
}

#[tokio::test]
async fn a_damaged_memory_and_that_of_another_feed_are_reported_and_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let rule = FreshnessRule::default();
    write(folder.path(), &lines(&["jane-doe", "sam-roe"]));
    let feed = start(folder.path(), FeedMode::Open, &Recorder::new(), rule);
    remembers(&feed).await;
    drop(feed);
    write(folder.path(), &lines_in(FeedMode::Busy, &["jane-doe"]));
    let target = Recorder::new();
    let feed = start(folder.path(), FeedMode::Busy, &target, rule);
    remembers(&feed).await;
    assert_eq!(feed.status().held, None, "the same file in another mode is another feed");
    let why = feed.status().memory_error.unwrap();
    assert!(why.contains("in the mode open"), "{why}");
    stop(feed, &target).await;
    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    std::fs::write(folder.path().join("feed.json"), "{\"feed\":").unwrap();
    let feed = start(folder.path(), FeedMode::Busy, &Recorder::new(), rule);
    feed.first_look().await;
    assert_eq!(feed.status().ages.listed(), 1);
    let why = feed.status().memory_error.unwrap();
    assert!(why.contains("feed.json is damaged"), "{why}");
}

#[tokio::test]
async fn a_memory_that_cannot_be_written_is_reported_until_it_can() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("feed.json");
    write(folder.path(), &lines(&["jane-doe"]));
    // A folder in the place of the file.
    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    std::fs::create_dir(&state).unwrap();
    let feed = start(folder.path(), FeedMode::Open, &Recorder::new(), FreshnessRule::default());
    until(&feed, |status| status.memory_write_error.is_some()).await;
    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    std::fs::remove_dir(&state).unwrap();
    // With news, it is written again within ten seconds.
    write(folder.path(), &lines(&["jane-doe", "sam-roe"]));
    until(&feed, |status| status.memory_write_error.is_none()).await;
    #[expect(clippy::disallowed_methods, reason = "tests look at files of their own")]
    let is_written = state.is_file();
    assert!(is_written);
}

#[tokio::test]
async fn the_feed_that_the_content_had_is_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let memory = folder.path().join("feed.json");
    let options = |name: &str, mode| FeedOptions {
        memory: Some(memory.clone()),
        ..FeedOptions::file(folder.path().join(name), mode)
    };
    let candidates = [options("busy.ndjson", FeedMode::Busy), options("feed.ndjson", FeedMode::Open)];
    let (busy, open) = (Some(FeedMode::Busy), Some(FeedMode::Open));
    let mode = |kept| remembered(&candidates, kept).map(FeedOptions::mode);
    assert_eq!(
        (mode(None), mode(busy)),
        (None, busy),
        "without a memory, what is kept of the content counts"
    );

    write(folder.path(), &lines(&["jane-doe"]));
    let target = Recorder::new();
    let feed = start(folder.path(), FeedMode::Open, &target, FreshnessRule::default());
    remembers(&feed).await;
    stop(feed, &target).await;
    assert_eq!((mode(None), mode(busy)), (open, open));

    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    std::fs::write(&memory, "{").unwrap();
    assert_eq!((mode(None), mode(open)), (busy, open), "a damaged memory means that there was a feed");
    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    std::fs::write(&memory, "{\"ended\": \"busy.ndjson\"}").unwrap();
    assert_eq!((mode(None), mode(busy)), (None, None));
}

/// A file of the first version.
#[tokio::test]
async fn of_a_memory_of_the_version_before_only_the_feeds_name_is_used() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "{");
    let feed = folder.path().join("feed.ndjson").display().to_string();
    let target = Recorder::new();
    let generation = target.with_directory(|here| here.generation().as_str().to_owned());
    let entries: Vec<_> =
        (0..9).map(|hour| [1_772_470_800 + 3_600 * hour, 1_772_472_600 + 3_600 * hour]).collect();
    let read_at = crate::clock::real_now().timestamp_millis();
    let earlier = serde_json::json!({
        "feed": feed,
        "is_busy": false,
        "generation": generation,
        "parts": {&feed: {"at": read_at, "as_of": null}},
        "listed": {"jane-doe": [&feed], "sam-roe": [&feed]},
        "unlisted": [],
        "withheld": [],
        "sets": {"jane-doe": &entries, "sam-roe": &entries},
    });
    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    std::fs::write(folder.path().join("feed.json"), earlier.to_string()).unwrap();
    let feed = start(folder.path(), FeedMode::Open, &target, FreshnessRule::default());
    until(&feed, |status| status.last_error.is_some()).await;
    assert_eq!(feed.status().memory_error, None);
    // Nothing of it is offered, and the first reading is not compared with it.
    assert_eq!(feed.judgment().freshness, Freshness::Expired);
    write(folder.path(), &lines(&["jane-doe", "sam-roe"]));
    until(&feed, |status| status.judgment().freshness == Freshness::Fresh).await;
    assert_eq!((feed.status().held, target.applied().last()), (None, Some(&both())));
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test changes the file")]
async fn what_was_read_in_the_future_is_expired_until_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let rule = FreshnessRule::default();
    write(folder.path(), &lines(&["jane-doe", "sam-roe"]));
    let target = Recorder::new();
    let feed = start(folder.path(), FeedMode::Open, &target, rule);
    remembers(&feed).await;
    stop(feed, &target).await;
    let memory = folder.path().join("feed.json");
    let mut saved: serde_json::Value = serde_json::from_slice(&std::fs::read(&memory).unwrap()).unwrap();
    let read = &mut saved["engine"]["writers"][0]["as_of"][1];
    *read = (read.as_i64().unwrap() + 3_600_000).into();
    std::fs::write(&memory, saved.to_string()).unwrap();
    write(folder.path(), "no line of a feed\n");
    let feed = start(folder.path(), FeedMode::Open, &Recorder::new(), rule);
    until(&feed, |status| status.last_error.is_some()).await;
    assert_eq!(feed.judgment().freshness, Freshness::Expired);
    assert_eq!(feed.status().ages.oldest(moment()), None);
    write(folder.path(), &lines(&["jane-doe", "sam-roe"]));
    until(&feed, |status| status.last_error.is_none()).await;
    assert_eq!(feed.judgment().freshness, Freshness::Fresh);
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test looks into the folder")]
async fn a_pipe_or_a_link_in_place_of_the_memory_is_reported_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let outside = at("outside");
    std::fs::write(&outside, "outside").unwrap();
    write(folder.path(), &lines(&["jane-doe"]));
    for kind in ["pipe", "link"] {
        for name in ["feed.json", "feed.json.new"] {
            _ = std::fs::remove_file(at(name));
            if kind == "link" {
                std::os::unix::fs::symlink(&outside, at(name)).unwrap();
            } else {
                assert!(Command::new("mkfifo").arg(at(name)).status().unwrap().success());
            }
        }
        let target = Recorder::new();
        let feed = start(folder.path(), FeedMode::Open, &target, FreshnessRule::default());
        remembers(&feed).await;
        let why = feed.status().memory_error.unwrap();
        assert!(why.contains(&format!("{kind}; only files are read")), "{why}");
        assert_eq!(feed.status().memory_write_error, None);
        assert!(at("feed.json").symlink_metadata().unwrap().is_file());
        stop(feed, &target).await;
    }
    assert_eq!(std::fs::read_to_string(outside).unwrap(), "outside");
}
