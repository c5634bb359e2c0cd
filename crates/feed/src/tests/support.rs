//! What the tests of this crate and those of `live` share.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::mpsc;

use directory::calendar::{AsOf, Event, FeedFile, Late, PartId};

use super::{Accepted, Clock, Feed, FeedStatus, Source, SourceError, moment};

/// The longest wait of a test.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

pub(super) fn now() -> DateTime<Utc> {
    "2026-03-02T15:00:00Z".parse().unwrap()
}

/// A clock before the slots of these tests.
pub(super) fn clock() -> Clock {
    Clock::frozen(now())
}

/// A free slot of each of these providers, as plain lines.
pub(super) fn lines(slugs: &[&str]) -> String {
    let line = |slug| {
        format!(
            "{{\"provider\":\"{slug}\",\"start\":\"2026-03-02T17:00:00Z\",\"end\":\"2026-03-02T17:30:00Z\",\
             \"status\":\"free\"}}\n"
        )
    };
    slugs.iter().map(line).collect()
}

/// A source whose events a test sends.
pub(super) struct Scripted(pub(super) mpsc::Receiver<Told>);

pub(super) type Told = Result<Vec<Event>, SourceError>;

impl Source for Scripted {
    fn name(&self) -> String {
        "scripted".to_owned()
    }

    async fn next(&mut self) -> Told {
        match self.0.recv().await {
            Some(told) => told,
            None => std::future::pending().await,
        }
    }
}

/// What a source of these files says after a look.
pub(super) fn files(parts: &[Arc<FeedFile>], late: Vec<Late>) -> Vec<Event> {
    let writer: Arc<str> = "scripted".into();
    let text = |file: &Arc<FeedFile>| Event::PartChanged {
        part: PartId::file(&writer, file.name.clone()),
        text: Ok(Arc::clone(file)),
    };
    let mut events: Vec<_> = parts.iter().map(text).collect();
    let names = parts.iter().map(|file| file.name.clone()).collect();
    events.push(Event::Complete { writer, parts: names });
    events.push(beat(late));
    events
}

/// What it says when nothing has changed.
pub(super) fn beat(late: Vec<Late>) -> Event {
    Event::Beat { writer: "scripted".into(), as_of: AsOf::read(None, moment()), late }
}

/// Accepts the held reading, as an operator who has just seen it.
pub(super) async fn accept(feed: &Feed) -> Accepted {
    feed.accept_held(feed.status().token).await
}

/// Waits until a feed's status is as it should be.
pub(super) async fn until(feed: &Feed, is_so: impl Fn(&FeedStatus) -> bool) {
    let waiting = async {
        while !is_so(&feed.status()) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, waiting).await;
    assert!(waited.is_ok(), "{:?}", feed.status());
}
