//! Feeds in a running service. Feeds without a service are tested in `feed`.

mod closed;
mod content;
mod found;
mod keys;
mod parts;
#[expect(dead_code, reason = "the tests of `feed` use all of it")]
#[path = "../../../../crates/feed/src/tests/publisher.rs"]
mod publisher;
#[expect(dead_code, reason = "the tests of `feed` use all of it")]
#[path = "../../../../crates/feed/src/tests/support.rs"]
mod support;

use std::sync::Arc;

use feed::{
    Accepted, Clock, Feed, FeedOptions, FeedStatus, Feeds, Polled, Source, SourceError, moment, real_now,
};
use support::{PATIENCE, Scripted, Told, accept, clock, lines, until};

use crate::Store;

/// Listens to a feed of a file or a publisher.
async fn listen(feeds: &Feeds, options: FeedOptions, store: &Arc<Store>) {
    feeds.listen(options.clone(), Polled::of(&options).unwrap(), store, clock()).await;
}

/// The unit of systemd has room for these, as a test of `feed` says.
#[test]
fn a_service_holds_what_the_unit_has_room_for() {
    assert_eq!(crate::Limits::default().held_bytes, 128 << 20);
}
