//! From a source to the target: what is applied, what is held, and what ages.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use directory::calendar::{
    AsOf, Event, FeedFile, FeedLimits, FeedMode, Freshness, FreshnessRule, Instant as Time,
};
use tokio::sync::mpsc;

use super::super::options::FeedKind;
use super::super::{Accepted, Feed, FeedOptions, Source, SourceError};
use super::publisher::{Answer, Publisher};
use super::{Recorder, Told, accept, clock, files, lines, moment, now, snapshot_of, started, until};

async fn publisher() -> Publisher {
    let publisher = Publisher::start().await;
    publisher.lists(&["a.ndjson"]);
    publisher.answers("/feed/a.ndjson", Answer::ok(week(&["jane-doe", "sam-roe"])).tagged("both"));
    publisher
}

/// A free slot on each of six days of these providers.
fn week(slugs: &[&str]) -> String {
    (3..9).map(|day| lines(slugs).replace("03-02T", &format!("03-{day:02}T"))).collect()
}

fn start(publisher: &Publisher, target: &Arc<Recorder>, rule: FreshnessRule) -> Feed {
    let mut options = FeedOptions::smart(&publisher.url("/feed/manifest.json"), FeedMode::Open).unwrap();
    if let FeedKind::Smart(publisher) = &mut options.kind {
        publisher.limits.quiet = Duration::from_millis(300);
    }
    let mut options = options.with_poll(Duration::from_millis(10));
    options.rules.freshness = rule;
    started(options, Arc::clone(target))
}

fn slugs(of: &[&str]) -> Vec<String> {
    of.iter().map(|slug| (*slug).to_owned()).collect()
}

#[tokio::test]
async fn a_feed_that_shrinks_is_held_until_it_grows_back() {
    let (publisher, target) = (publisher().await, Recorder::new());
    let feed = start(&publisher, &target, FreshnessRule::default());
    feed.first_look().await;
    assert_eq!(target.applied(), [(slugs(&["jane-doe", "sam-roe"]), vec![])]);
    assert_eq!((feed.judgment().freshness, feed.status().ages.listed()), (Freshness::Fresh, 2));
    assert_eq!(feed.status().failures, 0);

    publisher.answers("/feed/a.ndjson", Answer::ok("").tagged("none"));
    until(&feed, |status| status.held.is_some()).await;
    let held = feed.status().held.unwrap();
    assert!(held.contains("lost 12 of the 12 future entries"), "{held}");
    // What has vanished is offered no more, and whose slots are all gone is withheld.
    assert_eq!(target.applied()[1..], [(vec![], slugs(&["jane-doe", "sam-roe"]))]);
    assert_eq!(feed.judgment().unknown.len(), 2);
    assert!(feed.status().failures > 0, "a held reading is counted");
    // A held reading that is read again does not confirm the data that is used.
    let good = feed.status().ages.as_of();
    publisher.asked();
    let mut asked = 0;
    while asked < 4 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        asked += publisher.asked().len();
    }
    assert_eq!((feed.status().ages.as_of(), target.applied().len()), (good, 2));

    // Half of them is not more than half.
    publisher.answers("/feed/a.ndjson", Answer::ok(week(&["jane-doe"])).tagged("one"));
    until(&feed, |status| status.held.is_none()).await;
    assert_eq!(target.applied()[2..], [(slugs(&["jane-doe"]), slugs(&["sam-roe"]))]);
    assert_eq!(feed.status().ages.listed(), 1);
}

#[tokio::test]
async fn an_operator_accepts_a_held_reading() {
    let (publisher, target) = (publisher().await, Recorder::new());
    let feed = start(&publisher, &target, FreshnessRule::default());
    feed.first_look().await;
    publisher.answers("/feed/a.ndjson", Answer::ok("").tagged("none"));
    until(&feed, |status| status.held.is_some()).await;
    assert!(matches!(accept(&feed).await, Accepted::Applied(_)));
    assert_eq!((feed.status().held, feed.judgment().unknown.len()), (None, 0));
    assert_eq!(accept(&feed).await, Accepted::NothingHeld);
}

#[tokio::test]
async fn a_failing_publisher_changes_nothing_but_the_age() {
    let rule = FreshnessRule { fresh_for: Duration::from_millis(1500), max_stale: Duration::from_secs(3) };
    let (publisher, target) = (publisher().await, Recorder::new());
    let feed = start(&publisher, &target, rule);
    assert_eq!(feed.judgment().freshness, Freshness::Expired);
    feed.first_look().await;
    publisher.answers("/feed/a.ndjson", Answer::ok(week(&["jane-doe"])[..40].to_owned()).tagged("cut"));
    until(&feed, |status| matches!(status.judgment().freshness, Freshness::Stale { .. })).await;
    let status = feed.status();
    assert!(status.last_error.as_ref().unwrap().contains("a.ndjson:1:"), "{status:?}");
    assert_eq!(status.judgment().freshness, Freshness::Stale { as_of: status.ages.as_of().unwrap() });
    until(&feed, |status| status.judgment().freshness == Freshness::Expired).await;
    assert_eq!(target.applied().len(), 1);

    publisher.lists(&["./a.ndjson"]);
    publisher.answers("/feed/a.ndjson", Answer::ok(week(&["sam-roe"])).tagged("back"));
    until(&feed, |status| status.judgment().freshness == Freshness::Fresh).await;
    assert_eq!(feed.status().last_error, None);
    assert_eq!(target.applied()[1..], [(vec![], slugs(&["jane-doe"]))]);
}

#[tokio::test]
async fn a_publisher_that_was_never_read_leaves_an_expired_feed_and_starts_nothing() {
    let (publisher, target) = (Publisher::start().await, Recorder::new());
    let feed = start(&publisher, &target, FreshnessRule::default());
    feed.first_look().await;
    assert_eq!((feed.judgment().freshness, feed.status().ages.oldest(moment())), (Freshness::Expired, None));
    assert!(target.applied().is_empty());
}

/// A source that panics.
struct Panicking;

impl Source for Panicking {
    fn name(&self) -> String {
        "panicking".to_owned()
    }

    async fn next(&mut self) -> Result<Vec<Event>, SourceError> {
        panic!("at the first look")
    }
}

#[tokio::test]
async fn a_feed_that_an_internal_error_has_ended_says_so() {
    let options = FeedOptions::file("unused".into(), FeedMode::Open);
    let feed = Feed::start(Panicking, options, Recorder::new(), clock());
    until(&feed, |status| status.last_error.as_ref().is_some_and(|why| why.contains("restart nameplate")))
        .await;
    assert_eq!(feed.judgment().freshness, Freshness::Expired);
    let refused = Accepted::Refused("the feed is no longer listened to".to_owned());
    assert_eq!(accept(&feed).await, refused);
}

/// A source whose looks a test sees begin, and ends.
struct Gated {
    begun: mpsc::Sender<()>,
    told: mpsc::Receiver<Told>,
}

impl Source for Gated {
    fn name(&self) -> String {
        "gated".to_owned()
    }

    async fn next(&mut self) -> Told {
        _ = self.begun.send(()).await;
        self.told.recv().await.unwrap()
    }
}

#[tokio::test]
async fn a_look_that_began_before_new_content_releases_no_one_whom_it_adds() {
    let (begins, mut begun) = mpsc::channel(1);
    let (tells, told) = mpsc::channel(1);
    let (options, target) = (FeedOptions::file("gated".into(), FeedMode::Open), Recorder::new());
    let feed = Feed::start(Gated { begun: begins, told }, options, Arc::clone(&target), clock());
    let file = FeedFile::read("a", &lines(&["jane-doe"]), &FeedLimits::default()).unwrap();
    let at = |minute: i64| Time::floor(now() + TimeDelta::minutes(minute));
    let look = |minute: i64| {
        let mut events = files(&[Arc::new(file.clone())], Vec::new());
        events.pop();
        let (writer, as_of) = ("scripted".into(), AsOf::read(Some(at(minute)), moment()));
        events.push(Event::Beat { writer, as_of, late: Vec::new() });
        Ok(events)
    };
    let ends = |minute: i64| {
        let (tells, feed, told) = (&tells, &feed, look(minute));
        async move {
            tells.send(told).await.unwrap();
            until(feed, |status| status.ages.as_of() == Some(at(minute))).await;
            // An order is carried out after the look that was reported before it.
            assert_eq!(accept(feed).await, Accepted::NothingHeld);
        }
    };
    let released = || target.released.lock().unwrap().len();
    begun.recv().await.unwrap();
    ends(1).await;
    assert_eq!(released(), 1);
    begun.recv().await.unwrap();
    *target.snapshot.lock().unwrap() = Arc::new(snapshot_of("../directory/tests/clinic"));
    feed.apply_again().await;
    ends(2).await;
    assert_eq!(released(), 1);
    begun.recv().await.unwrap();
    ends(3).await;
    assert_eq!(released(), 2);
}
