//! Feeds of several parts: each has its own age.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use directory::calendar::{
    BadText, Event, FeedFile, FeedLimits, FeedMode, Freshness, FreshnessRule, Late, PartId,
};
use directory::model::Slug;
use tokio::sync::mpsc;

use super::super::{Accepted, Feed, FeedOptions, SourceError, read_once};
use super::publisher::{Answer, Publisher};
use super::{Recorder, Scripted, Told, accept, beat, clock, files, lines, lines_in, started, until};

fn part(name: &str, text: &str) -> Arc<FeedFile> {
    Arc::new(FeedFile::read(name, text, &FeedLimits::default()).unwrap())
}

fn scripted(mode: FeedMode, target: &Arc<Recorder>) -> (mpsc::Sender<Told>, Feed) {
    let (sender, events) = mpsc::channel(1);
    let rule =
        FreshnessRule { fresh_for: Duration::from_millis(600), max_stale: Duration::from_millis(1800) };
    let mut options = FeedOptions::file("unused".into(), mode);
    options.rules.freshness = rule;
    (sender, Feed::start(Scripted(events), options, Arc::clone(target), clock()))
}

/// Files of taken times: a name, and for each clinician the days of March.
type Files<'a> = &'a [(&'a str, &'a [(&'a str, std::ops::Range<u32>)])];

fn taken(of: Files<'_>) -> Vec<Event> {
    let line =
        |slug: &str, day| lines_in(FeedMode::Busy, &[slug]).replace("03-02T", &format!("03-{day:02}T"));
    let times = |(slug, days): &(&str, std::ops::Range<u32>)| {
        days.clone().map(|day| line(slug, day)).collect::<String>()
    };
    let parts: Vec<_> =
        of.iter().map(|(name, of)| part(name, &of.iter().map(times).collect::<String>())).collect();
    files(&parts, Vec::new())
}

/// A feed with its memory in a folder, and what feeds it.
fn remembering(folder: &Path, target: &Arc<Recorder>) -> (mpsc::Sender<Told>, Feed) {
    let (sender, events) = mpsc::channel(1);
    let mut options = FeedOptions::file("unused".into(), FeedMode::Busy);
    options.memory = Some(folder.join("feed.json"));
    (sender, Feed::start(Scripted(events), options, Arc::clone(target), clock()))
}

/// A service reads these files, and ends.
async fn read_and_end(folder: &Path, of: Files<'_>) {
    let (telling, feed) = remembering(folder, &Recorder::new());
    telling.send(Ok(taken(of))).await.unwrap();
    feed.first_look().await;
    // Once this order is carried out, the reading is remembered.
    assert_eq!(accept(&feed).await, Accepted::NothingHeld);
}

#[tokio::test]
async fn a_file_that_left_the_manifest_during_a_restart_frees_no_time() {
    let folder = tempfile::tempdir().unwrap();
    // Sixteen times: without Jane's six, the feed as a whole has not lost too much.
    let both: Files<'_> = &[("a", &[("jane-doe", 3..9)]), ("b", &[("sam-roe", 3..13)])];
    read_and_end(folder.path(), both).await;
    let target = Recorder::new();
    let (telling, feed) = remembering(folder.path(), &target);
    telling.send(Ok(taken(&both[1..]))).await.unwrap();
    until(&feed, |status| status.held.is_some()).await;
    let held = feed.status().held.unwrap();
    assert!(held.starts_with("a has lost 6 of the 6 future entries"), "{held}");
    assert_eq!((target.applied().len(), feed.status().ages.listed()), (1, 2), "what it had stays taken");
    // The same time in a file of another name is not lost.
    telling.send(Ok(taken(&[("c", both[0].1), both[1]]))).await.unwrap();
    until(&feed, |status| status.held.is_none()).await;
    assert_eq!(
        (target.applied()[1..].to_vec(), feed.status().ages.listed()),
        (vec![(vec!["jane-doe".to_owned()], vec![])], 2)
    );
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a test changes the memory")]
async fn what_a_file_had_before_a_restart_is_known_whatever_else_has_changed() {
    let held = async |before: Files<'_>, after: Files<'_>, is_same_content: bool| {
        let folder = tempfile::tempdir().unwrap();
        read_and_end(folder.path(), before).await;
        let memory = folder.path().join("feed.json");
        let mut saved: serde_json::Value = serde_json::from_slice(&std::fs::read(&memory).unwrap()).unwrap();
        if !is_same_content {
            saved["memory"]["generation"] = "another".into();
        }
        std::fs::write(&memory, saved.to_string()).unwrap();
        let (telling, feed) = remembering(folder.path(), &Recorder::new());
        telling.send(Ok(taken(after))).await.unwrap();
        until(&feed, |status| status.held.is_some() || status.applied == 1).await;
        feed.status().held
    };
    let is_gone = |held: Option<String>, what: &str| {
        let held = held.unwrap();
        assert!(held.contains(what), "{held}");
    };
    let six: Files<'_> = &[("a", &[("jane-doe", 3..9)]), ("b", &[("sam-roe", 3..13)])];
    let without = &six[1..];
    // The service has started with other content.
    is_gone(held(six, without, false).await, "a has lost 6 of the 6 future entries");
    assert_eq!(held(six, six, false).await, None);
    // The file lists each time three times.
    let jane = ("jane-doe", 3..9);
    let thrice: Files<'_> = &[("a", &[jane.clone(), jane.clone(), jane]), ("b", &[("sam-roe", 3..13)])];
    is_gone(held(thrice, without, true).await, "a has lost 6 of the 6 future entries");
    // It was the only file, and another has as many times.
    let alone: Files<'_> = &[("a", &[("jane-doe", 3..13), ("sam-roe", 3..9)])];
    let other: Files<'_> = &[("c", &[("sam-roe", 3..9), ("sam-roe", 13..23)])];
    is_gone(held(alone, other, true).await, "a has lost 10 of the 16 future entries");
    // It had one of Jane's times. That the other file has moved hers is a loss of that one.
    let one: Files<'_> = &[("a", &[("jane-doe", 3..4)]), ("b", &[("jane-doe", 4..14), ("sam-roe", 3..9)])];
    let moved: Files<'_> = &[("b", &[("jane-doe", 14..24), ("sam-roe", 3..9)])];
    is_gone(held(one, moved, true).await, "b has lost 10 of the 16 future entries");
}

#[tokio::test]
async fn only_a_late_part_expires_and_its_providers_with_it() {
    for (mode, expired) in [(FeedMode::Open, &["jane-doe"][..]), (FeedMode::Busy, &["jane-doe"])] {
        let target = Recorder::new();
        let (telling, feed) = scripted(mode, &target);
        let parts = vec![part("a", &lines_in(mode, &["jane-doe"])), part("b", &lines_in(mode, &["sam-roe"]))];
        telling.send(Ok(files(&parts, Vec::new()))).await.unwrap();
        feed.first_look().await;
        let late = vec![Late { part: "a".into(), as_of: None, why: "a is away".to_owned() }];
        let mut seen = Vec::new();
        for _ in 0..500 {
            telling.send(Ok(vec![beat(late.clone())])).await.unwrap();
            let judgment = feed.judgment();
            if seen.last() != Some(&judgment) {
                seen.push(judgment);
            }
            if seen.len() == 3 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let [fresh, stale, without] = &seen[..] else { panic!("{seen:?}") };
        assert_eq!((fresh.freshness, fresh.unknown.len()), (Freshness::Fresh, 0));
        assert!(matches!(stale.freshness, Freshness::Stale { .. }) && stale.unknown.is_empty(), "{stale:?}");
        let slugs: Vec<_> = without.unknown.iter().map(Slug::as_str).collect();
        assert_eq!((without.freshness, &slugs[..]), (Freshness::Fresh, expired));
        assert_eq!(feed.status().last_error.as_deref(), Some("a is away"));
        // After it is read again, no provider is withheld.
        telling.send(Ok(vec![beat(Vec::new())])).await.unwrap();
        until(&feed, |status| status.judgment().unknown.is_empty() && status.last_error.is_none()).await;
    }
}

#[tokio::test]
async fn providers_without_an_entry_are_withheld_when_a_part_of_busy_time_is_expired() {
    for (mode, expired) in [(FeedMode::Open, 0), (FeedMode::Busy, 1)] {
        let target = Recorder::new();
        let (telling, feed) = scripted(mode, &target);
        let parts = vec![part("a", ""), part("b", &lines_in(mode, &["sam-roe"]))];
        telling.send(Ok(files(&parts, Vec::new()))).await.unwrap();
        feed.first_look().await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        let late = vec![Late { part: "a".into(), as_of: None, why: "away".to_owned() }];
        telling.send(Ok(vec![beat(late)])).await.unwrap();
        until(&feed, |status| status.judgment().freshness == Freshness::Fresh).await;
        assert_eq!(feed.judgment().unknown.len(), expired, "{mode:?}");
    }
}

#[tokio::test]
async fn two_files_that_differ_in_their_query_are_two_parts() {
    let publisher = Publisher::start().await;
    publisher.lists(&["slots?part=1", "slots?part=2"]);
    publisher.answers("/feed/slots?part=1", Answer::ok(lines(&["jane-doe"])));
    publisher.answers("/feed/slots?part=2", Answer::ok(lines(&["sam-roe"])));
    let target = Recorder::new();
    let options = FeedOptions::smart(&publisher.url("/feed/manifest.json"), FeedMode::Open).unwrap();
    let feed = started(options, target);
    feed.first_look().await;
    assert_eq!(feed.status().ages.listed(), 2, "{:?}", feed.status());
}

#[tokio::test]
async fn a_file_keeps_its_name_when_its_address_gets_a_new_signature() {
    let (publisher, target, mode) = (Publisher::start().await, Recorder::new(), FeedMode::Busy);
    let list = |signature: u32| {
        publisher.answers(&format!("/feed/slots?sig={signature}"), Answer::ok(lines_in(mode, &["jane-doe"])));
        publisher.lists(&[&format!("slots?sig={signature}")]);
    };
    list(1);
    let options = FeedOptions::smart(&publisher.url("/feed/manifest.json"), mode).unwrap();
    let feed = started(options.with_poll(Duration::from_millis(10)), target);
    feed.first_look().await;
    let names = |feed: &Feed| feed.status().parts().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let first = names(&feed);
    list(2);
    until(&feed, |status| status.applied == 2).await;
    assert_eq!((names(&feed), feed.status().last_error), (first, None));
}

#[tokio::test]
async fn what_is_held_stays_so_while_the_source_cannot_be_looked_at() {
    let (target, mode) = (Recorder::new(), FeedMode::Busy);
    let (telling, feed) = scripted(mode, &target);
    let days = |last: u32| -> String {
        let day = |day| lines_in(mode, &["sam-roe"]).replace("03-02", &format!("03-{day:02}"));
        (2..=last).map(day).collect()
    };
    let tell = async |last| telling.send(Ok(files(&[part("b", &days(last))], Vec::new()))).await.unwrap();
    tell(12).await;
    feed.first_look().await;
    // Ten of its eleven days are lost.
    tell(2).await;
    until(&feed, |status| status.held.is_some()).await;
    telling.send(Err(SourceError::Unreadable("no answer".to_owned()))).await.unwrap();
    until(&feed, |status| status.last_error.as_deref() == Some("no answer")).await;
    assert!(feed.status().held.unwrap().starts_with("b has lost 10 of the 11 future entries"));
    assert!(matches!(accept(&feed).await, Accepted::Applied(_)));
    assert_eq!((target.applied().len(), feed.status().held), (2, None));
}

/// `check --feed` refuses a file with a broken line as a whole. In a bucket, one clinician's broken key is that
/// clinician's trouble alone.
#[tokio::test]
async fn a_broken_line_refuses_a_file_but_only_its_own_key_of_a_bucket() {
    let snapshot = super::snapshot();
    let options = FeedOptions::file("unused".into(), FeedMode::Busy);
    let once = |part: PartId| {
        let broken = FeedFile::read("x", "no slot\n", &FeedLimits::default()).unwrap_err();
        let (sender, events) = mpsc::channel(1);
        let told = vec![Event::PartChanged { part, text: Err(BadText::Lines(broken)) }, beat(Vec::new())];
        sender.try_send(Ok(told)).unwrap();
        read_once(Scripted(events), &options, snapshot.directory())
    };
    let file = once(PartId::file(&"scripted".into(), "x".into())).await;
    assert!(matches!(file, Err(SourceError::Lines(_))), "{file:?}");
    let bucket = once(PartId::key("ehr.p.jane-doe").unwrap()).await;
    assert!(bucket.is_ok(), "{bucket:?}");
}
