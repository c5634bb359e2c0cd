//! Computes the correct responses from a content folder.

use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use directory::Snapshot;
use directory::api::{Caching, Fault, Question, Request, split_target};
use directory::changes::{CHANGES_PATH, Contents};
use directory::web::FEED_PATH;
use feed::Clock;
use generator::Manifest;

use super::expectation::{Body, Expectation};

/// The ages, in seconds, at which an answer about open slots is still correct: caches keep it for 60, and clocks may differ
/// by two. Openings change only at full minutes, so ages less than a minute apart miss no answer.
const SLOT_AGES: [i64; 3] = [0, 31, 62];

#[derive(Debug)]
pub struct Reference {
    pub(super) manifest: Manifest,
    pub(super) snapshot: Snapshot,
    /// Slots come from a feed, so their times are unknown here.
    pub(super) has_feed: bool,
    clock: Clock,
    contents: Contents,
}

impl Reference {
    /// The calendar of `snapshot` must begin before the oldest response that a cache may have.
    pub fn new(snapshot: Snapshot, manifest: Manifest, has_feed: bool, clock: Clock) -> Self {
        let contents = Contents::of(&snapshot);
        Self { manifest, snapshot, has_feed, clock, contents }
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// The content has no `live-url`.
    pub(super) fn may_lack_live(&self) -> bool {
        self.snapshot.directory().organization().live_url.is_none()
    }

    /// Returns every correct response; the most likely one first.
    pub(super) fn expected(&self, target: &str, sent_at: DateTime<Utc>) -> Vec<Expectation> {
        let (path, _query) = split_target(target);
        let changes = || Body::Changes(self.contents.generation().to_owned(), self.contents.digest());
        if path == CHANGES_PATH {
            return vec![Expectation { caching: Some(Caching::Catalog), ..Expectation::new(200, changes()) }];
        }
        if let Some(entry) = self.manifest.get(path.trim_start_matches('/')) {
            let caching = path.starts_with("/v1/").then(|| Caching::of_file(path));
            // These two follow from earlier trees, too.
            let body = match path {
                FEED_PATH => Body::Any,
                _ if path.strip_suffix(".json") == Some(CHANGES_PATH) => changes(),
                _ => Body::Digest(entry.bytes, entry.sha256),
            };
            return vec![Expectation { caching, is_file: true, ..Expectation::new(200, body) }];
        }
        let (mut expected, is_static) = match Request::from_target(target) {
            Err(fault) => {
                let fault = fault.of(self.snapshot.directory().professions());
                (vec![Expectation::from(&fault)], false)
            }
            Ok(request) => {
                let answers = self.answers(&request, sent_at);
                let file = generator::answer_path(&request).and_then(Result::ok);
                let has_file = file.is_some_and(|file| self.manifest.get(file.as_str()).is_some());
                let is_redirect = answers[0].location.is_some();
                (answers, has_file || is_redirect)
            }
        };
        // The host itself may send a general 404 in two cases: if there may be no live service, and neither a file nor a
        // redirect answers; and if the path ends with `.json`, which live takes for the end of a slug and hosts for a file
        // that is missing, as the manifest's files were answered above.
        let is_missing_file = Path::new(path).extension() == Some("json".as_ref());
        if (self.may_lack_live() && !is_static) || is_missing_file {
            expected.push(Expectation::from(&Fault::not_found()));
        }
        expected
    }

    fn answers(&self, request: &Request, sent_at: DateTime<Utc>) -> Vec<Expectation> {
        let now = self.now();
        let answer = self.answer(request, now);
        let Question::Availability(search) = request.question() else { return vec![answer] };
        if self.has_feed && answer.status == 200 {
            let Body::Bytes(own) = answer.body else { return vec![answer] };
            return vec![Expectation { body: Body::Slots(Box::new(search.clone()), now, own), ..answer }];
        }
        let mut answers = vec![answer];
        // The host may have answered at any time since the request, and its clock may be ahead.
        let latest = now + TimeDelta::seconds(2);
        let earlier = SLOT_AGES.map(|age| sent_at - TimeDelta::seconds(age));
        for time in [latest].into_iter().chain(earlier) {
            let answer = self.answer(request, time);
            if !answers.contains(&answer) {
                answers.push(answer);
            }
        }
        answers
    }

    fn answer(&self, request: &Request, now: DateTime<Utc>) -> Expectation {
        let answer = match self.snapshot.answer(request, now) {
            Err(fault) => return Expectation::from(&fault),
            Ok(answer) => answer,
        };
        match answer.moved_path().map(str::to_owned) {
            Some(path) => Expectation { location: Some(path), ..Expectation::new(301, Body::Any) },
            None => Expectation {
                caching: Some(answer.caching()),
                ..Expectation::new(200, Body::Bytes(answer.body().clone()))
            },
        }
    }
}
