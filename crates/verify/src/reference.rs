//! The right responses, computed from a content folder.

use chrono::{DateTime, TimeDelta, Utc};
use directory::Snapshot;
use directory::api::{Caching, Fault, Question, Request, split_target};
use feed::Clock;
use generator::Manifest;

use super::expectation::{Body, Expectation};

/// The ages in seconds that a response about open slots may have: caches keep it for 60 seconds, and clocks differ.
const SLOT_AGES: [i64; 4] = [0, 2, 31, 62];

/// What the host's responses are compared with.
#[derive(Debug)]
pub struct Reference {
    pub(super) manifest: Manifest,
    pub(super) snapshot: Snapshot,
    /// Whether slots come from a feed, so that their times are not known here.
    pub(super) with_feed: bool,
    clock: Clock,
}

impl Reference {
    /// `with_feed`: slots come from a feed. The calendar of the snapshot reaches back a day, to the oldest response.
    #[must_use]
    pub fn new(snapshot: Snapshot, manifest: Manifest, with_feed: bool, clock: Clock) -> Self {
        Self { manifest, snapshot, with_feed, clock }
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Whether the host may lack a live service: the content names none.
    pub(super) fn may_lack_live(&self) -> bool {
        self.snapshot.directory().organisation().live_url.is_none()
    }

    /// Every right response to a path and query between `from` and now; the most likely one first.
    pub(super) fn expected(&self, target: &str, from: DateTime<Utc>) -> Vec<Expectation> {
        let path = split_target(target).0;
        if let Some(entry) = self.manifest.get(path.trim_start_matches('/')) {
            let caching = path.starts_with("/v1/").then(|| Caching::of_file(path));
            let body = Body::Digest(entry.bytes, entry.sha256);
            return vec![Expectation { caching, is_file: true, ..Expectation::of(200, body) }];
        }
        let mut expected: Vec<Expectation> = Vec::new();
        let mut is_static = false;
        match Request::from_target(target) {
            Err(fault) => expected.push(Expectation::from(&fault)),
            Ok(request) => {
                let (now, mut times) = (self.now(), vec![self.now()]);
                if let Question::Availability(_) = request.question() {
                    times.push(now + TimeDelta::seconds(2));
                    times.extend(SLOT_AGES.map(|age| from - TimeDelta::seconds(age)));
                }
                for time in times {
                    let answer = self.answer(&request, time);
                    if !expected.contains(&answer) {
                        expected.push(answer);
                    }
                }
                if let (true, Question::Availability(search), 200) =
                    (self.with_feed, request.question(), expected[0].status)
                {
                    expected.truncate(1);
                    expected[0].body = Body::Slots(search.clone(), now);
                }
                let file = generator::file(&request).and_then(Result::ok);
                let has_file = file.is_some_and(|file| self.manifest.get(file.as_str()).is_some());
                is_static = has_file || expected[0].location.is_some();
            }
        }
        // Without live, filtered lists are missing, but no file is. For a file that does not exist, as slugs have no dots,
        // the host may send the 404 itself.
        if (self.may_lack_live() && !is_static) || path.strip_suffix(".json").is_some() {
            expected.push(Expectation::from(&Fault::not_found()));
        }
        expected
    }

    fn answer(&self, request: &Request, now: DateTime<Utc>) -> Expectation {
        let answer = match self.snapshot.answer(request, now) {
            Err(fault) => return Expectation::from(&fault),
            Ok(answer) => answer,
        };
        match answer.moved_path().map(str::to_owned) {
            Some(path) => Expectation { location: Some(path), ..Expectation::of(301, Body::Any) },
            None => Expectation {
                caching: Some(answer.caching()),
                ..Expectation::of(200, Body::Bytes(answer.body().clone()))
            },
        }
    }
}
