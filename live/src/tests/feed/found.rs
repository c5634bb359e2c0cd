//! A feed that is found while the service runs.

use directory::calendar::FeedMode;
use futures_util::FutureExt;

use super::{FeedOptions, Feeds, clock, listen};
use crate::Service;
use crate::testing::{Server, options, store};

#[tokio::test]
async fn from_the_moment_it_is_found_no_open_times_are_given_without_it() {
    let store = store();
    let server = Server::around(Service::new(store.clone(), clock(), options())).await;
    let status = async || server.get("/v1/availability?state=CA").await.status;
    assert_eq!(status().await, 200);
    let feeds = Feeds::default();
    let feed = FeedOptions::file("no-folder/busy.ndjson".into(), FeedMode::Busy);
    assert!(listen(&feeds, feed, &store).now_or_never().is_none(), "its first look has not ended");
    assert_eq!(status().await, 503);
}
