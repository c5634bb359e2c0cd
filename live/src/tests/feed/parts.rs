//! Parts of a feed, as they are seen over HTTP.

use std::time::Duration;

use directory::calendar::{FeedMode, FreshnessRule};

use super::publisher::{Answer, Publisher};
use super::{FeedOptions, Feeds, clock, lines, listen};
use crate::Service;
use crate::testing::{Server, options, store};

#[tokio::test]
async fn over_http_only_the_providers_of_an_expired_part_are_unknown() {
    let publisher = Publisher::start().await;
    publisher.lists(&["a.ndjson", "b.ndjson"]);
    publisher.answers("/feed/a.ndjson", Answer::ok(lines(&["jane-doe"])).tagged("a"));
    publisher.answers("/feed/b.ndjson", Answer::ok(lines(&["sam-roe"])).tagged("b"));
    let rule = FreshnessRule { fresh_for: Duration::from_millis(700), max_stale: Duration::from_millis(700) };
    let feed = FeedOptions::smart(&publisher.url("/feed/manifest.json"), FeedMode::Open).unwrap();
    let mut feed = feed.with_poll(Duration::from_millis(20));
    feed.rules.freshness = rule;
    let (store, feeds) = (store(), Feeds::default());
    listen(&feeds, feed, &store).await;
    let server = Server::around(Service::new(store.clone(), clock(), options())).await;
    let ask = async |provider: &str| {
        feeds.judge(&store);
        let reply = server.get(&format!("/v1/availability?state=CA{provider}")).await;
        (reply.status, reply.text().matches("startTime").count())
    };
    let mut asked = 0;
    // The look is over a moment before what it found is served.
    while ask("").await != (200, 2) {
        asked += 1;
        assert!(asked < 100);
    }
    publisher.answers("/feed/a.ndjson", Answer::status("500 Internal Server Error"));
    while ask("&provider=jane-doe").await != (503, 0) {
        asked += 1;
        assert!(asked < 500, "{:?}", feeds.current().unwrap().status());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(ask("").await, (200, 1));
    assert_eq!(ask("&provider=sam-roe").await, (200, 1));
    // When the other one expires, too, the feed is expired.
    publisher.answers("/feed/b.ndjson", Answer::status("500 Internal Server Error"));
    while ask("").await != (503, 0) {
        asked += 1;
        assert!(asked < 1000);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    publisher.answers("/feed/a.ndjson", Answer::ok(lines(&["jane-doe"])).tagged("a2"));
    publisher.answers("/feed/b.ndjson", Answer::ok(lines(&["sam-roe"])).tagged("b2"));
    while ask("").await != (200, 2) {
        asked += 1;
        assert!(asked < 1500);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
