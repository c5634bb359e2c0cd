//! What the host should say: computed from a content folder, or read from a built tree.
//!
//! A content folder gives everything: the manifest of the tree that it makes, and the answer to every question
//! as of any moment. A tree gives its files, and with them the questions that a file answers; of all others it
//! is only known that the answer must be JSON.

use std::path::Path;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use directory::Snapshot;
use directory::api::{Caching, Fault, Operation, OperationId, Question, Request, SlotSearch, split_target};
use directory::content::FolderFeed;
use directory::model::StateCode;
use generator::{MANIFEST_PATH, Manifest, Sha256Digest};
use live::Clock;
use serde_json::{Map, Value};

use crate::args::VerifyArguments;
use crate::content::{clock, load, snapshot};
use crate::outcome::Refusal;
use crate::verify::questions::Vocabulary;

/// How old an answer about open slots may be: what a cache may keep it for, and a margin for clocks.
const OLDEST: [i64; 4] = [0, 2, 31, 62];

/// What is known here.
#[derive(Debug)]
pub(super) struct Local {
    manifest: Manifest,
    snapshot: Option<Snapshot>,
    clock: Clock,
    /// Whether open slots come from a feed, so that their times cannot be known here.
    with_feed: bool,
}

/// What an answer should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expectation {
    pub(super) status: u16,
    pub(super) body: Body,
    pub(super) caching: Option<Caching>,
    /// Where a 301 leads.
    pub(super) location: Option<String>,
    /// Whether this is a file of the tree, asked for by its own path.
    pub(super) is_file: bool,
}

impl Expectation {
    const NONE: Self = Self { status: 0, body: Body::Json, caching: None, location: None, is_file: false };

    /// Whether a status is right; where it is not known, every one is.
    pub(super) fn is_status(&self, status: u16) -> bool {
        self.status == status || self.status == 0
    }
}

/// What is known of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Body {
    /// All of it.
    Bytes(Bytes),
    /// Its size and its SHA-256.
    Digest(u64, Sha256Digest),
    /// The slots of a search, at times that only the feed knows.
    Slots(SlotSearch),
    /// That it is JSON.
    Json,
    /// Nothing: it does not matter.
    Any,
}

impl Local {
    /// Reads the folder; `None` when its content has errors, which have been told.
    pub(super) fn read(arguments: &VerifyArguments) -> Result<Option<Self>, Refusal> {
        let (folder, clock) = (&arguments.against, clock(arguments.now.now));
        #[expect(clippy::disallowed_methods, reason = "looks whether the folder is there, not into it")]
        let is_there = folder.is_dir();
        if !is_there {
            let what = format!(
                "there is no folder {}: name a content folder or a built tree with --against DIR",
                folder.display()
            );
            return Err(Refusal::new(what));
        }
        if let Some(manifest) = tree(folder)? {
            return Ok(Some(Self { manifest, snapshot: None, clock, with_feed: true }));
        }
        let Some(mut checked) = load(folder, clock)? else { return Ok(None) };
        let with_feed = arguments.with_feed || checked.feed.is_some();
        // What a link leads to is known to the service alone: slots are looked at, and not compared.
        checked.feed = checked.feed.filter(|feed| !matches!(feed, FolderFeed::Linked(_)));
        // The oldest answer that is asked for must still be in the calendar.
        let snapshot = snapshot(checked, clock.now() - TimeDelta::days(1));
        let mut options = generator::BuildOptions::new(folder, "dist");
        if let Some(site) = &arguments.site {
            options = options.with_site(site);
        }
        if arguments.no_pages {
            options = options.without_pages();
        }
        let manifest = generator::preview(&snapshot, &options).map_err(Refusal::new)?;
        Ok(Some(Self { manifest, snapshot: Some(snapshot), clock, with_feed }))
    }

    pub(super) fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// What could not be compared, for a person.
    pub(super) fn note(&self) -> Option<&'static str> {
        if self.snapshot.is_none() {
            Some(
                "compared with a built tree: what no file answers was only looked at for its form; verify \
                 against the content folder to compare everything",
            )
        } else if self.with_feed {
            Some("open slots come from a feed: whose they are was compared, but not their times")
        } else {
            None
        }
    }

    /// Whether the host may do without a live service, as far as it is known here.
    pub(super) fn has_no_live(&self) -> bool {
        let live = |snapshot: &Snapshot| snapshot.directory().organisation().live_url().is_some();
        !self.snapshot.as_ref().is_some_and(live)
    }

    /// The words to ask with.
    pub(super) fn vocabulary(&self) -> Vocabulary {
        if let Some(snapshot) = &self.snapshot {
            return Vocabulary::of(snapshot, self.now());
        }
        let route = Operation::get(OperationId::Provider).path.trim_start_matches('/');
        let stem = route.split_once('{').map_or(route, |(stem, _)| stem);
        let names = self.manifest.files().iter().filter_map(|entry| entry.path().strip_prefix(stem));
        let slugs = names.filter_map(|name| name.strip_suffix(".json")).filter(|slug| !slug.contains('/'));
        Vocabulary::of_slugs(slugs.map(str::to_owned).collect())
    }

    /// Whether this provider takes patients in a state, as far as it is known here.
    pub(super) fn accepts(&self, slug: &str, state: StateCode) -> bool {
        self.snapshot.as_ref().is_none_or(|snapshot| {
            let mut providers = snapshot.directory().providers().iter();
            providers.any(|provider| provider.slug().as_str() == slug && provider.accepting().contains(state))
        })
    }

    /// The slug of today of whoever has, or had, this one.
    pub(super) fn current_slug<'a>(&'a self, slug: &'a str) -> &'a str {
        let found = self.snapshot.as_ref().and_then(|snapshot| snapshot.directory().by_former_slug(slug));
        found.map_or(slug, |provider| provider.slug().as_str())
    }

    /// The failure that a tool call must end in, where that is known here.
    pub(super) fn refusal(
        &self,
        operation: &'static Operation,
        arguments: &Map<String, Value>,
    ) -> Option<Fault> {
        match (Request::from_tool(operation, arguments), &self.snapshot) {
            (Err(fault), _) => Some(fault),
            (Ok(request), Some(snapshot)) => snapshot.answer(&request, self.now()).err(),
            (Ok(_), None) => None,
        }
    }

    /// Every answer that is right to a path and query between two moments; the likeliest first.
    pub(super) fn right(&self, target: &str, from: DateTime<Utc>, until: DateTime<Utc>) -> Vec<Expectation> {
        let path = split_target(target).0;
        if let Some(entry) = self.manifest.get(path.trim_start_matches('/')) {
            let body = Body::Digest(entry.bytes(), entry.sha256());
            let caching = path.starts_with("/v1/").then_some(Caching::Catalogue);
            return vec![Expectation { status: 200, body, caching, is_file: true, ..Expectation::NONE }];
        }
        if path.strip_suffix(".json").is_some() {
            // No slug has a dot: this is a file that is not there, in the words of the host or of live.
            return vec![Expectation { status: 404, ..Expectation::NONE }];
        }
        let request = match Request::from_target(target) {
            Ok(request) => request,
            Err(fault) => return self.or_not_found(vec![Expectation::from(&fault)]),
        };
        let Some(snapshot) = &self.snapshot else { return vec![self.in_tree(&request)] };
        let Question::Availability(search) = request.question() else {
            let right = answered(snapshot, &request, until);
            // A list with a filter is live's; what has a file is never missing.
            let is_static = self.file_of(&request).is_some() || right.location.is_some();
            return if is_static { vec![right] } else { self.or_not_found(vec![right]) };
        };
        let moments = OLDEST.iter().map(|&seconds| from - TimeDelta::seconds(seconds));
        let mut right: Vec<Expectation> = Vec::new();
        for moment in [until, until + TimeDelta::seconds(2)].into_iter().chain(moments) {
            let answer = answered(snapshot, &request, moment);
            if !right.contains(&answer) {
                right.push(answer);
            }
        }
        if self.with_feed && right[0].status == 200 {
            right = vec![Expectation { body: Body::Slots(search.clone()), ..right.swap_remove(0) }];
        }
        self.or_not_found(right)
    }

    /// What only live can answer is not found on a host that has none.
    fn or_not_found(&self, mut right: Vec<Expectation>) -> Vec<Expectation> {
        if self.has_no_live() {
            right.push(Expectation::from(&Fault::not_found()));
        }
        right
    }

    /// The file that answers a request, with its place in the tree.
    fn file_of(&self, request: &Request) -> Option<&generator::ManifestEntry> {
        let path = generator::file(request).and_then(Result::ok)?;
        self.manifest.get(path.as_str())
    }

    fn in_tree(&self, request: &Request) -> Expectation {
        self.file_of(request).map_or(Expectation::NONE, |entry| Expectation {
            status: 200,
            body: Body::Digest(entry.bytes(), entry.sha256()),
            caching: Some(Caching::Catalogue),
            ..Expectation::NONE
        })
    }
}

/// What the content answers, as of a moment.
fn answered(snapshot: &Snapshot, request: &Request, now: DateTime<Utc>) -> Expectation {
    let answer = match snapshot.answer(request, now) {
        Err(fault) => return Expectation::from(&fault),
        Ok(answer) => answer,
    };
    match answer.moved_path() {
        Some(path) => {
            Expectation { status: 301, body: Body::Any, location: Some(path.to_owned()), ..Expectation::NONE }
        }
        None => Expectation {
            status: 200,
            body: Body::Bytes(answer.body().clone()),
            caching: Some(answer.caching()),
            ..Expectation::NONE
        },
    }
}

impl From<&Fault> for Expectation {
    fn from(fault: &Fault) -> Self {
        Self { status: fault.kind().status(), body: Body::Bytes(fault.body()), ..Self::NONE }
    }
}

/// The manifest of a folder that is a built tree; `None` for any other folder.
#[expect(clippy::disallowed_methods, reason = "a built tree is compared with; content is not read here")]
fn tree(folder: &Path) -> Result<Option<Manifest>, Refusal> {
    let file = folder.join(MANIFEST_PATH);
    let refused = |why: String| Refusal::new(format!("{}: {why}; build the tree again", file.display()));
    match std::fs::read(&file) {
        Ok(bytes) => match Manifest::parse(&bytes) {
            Some(manifest) => Ok(Some(manifest)),
            None => Err(refused("this is not the manifest of a tree".to_owned())),
        },
        Err(error)
            if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) =>
        {
            Ok(None)
        }
        Err(error) => Err(refused(error.to_string())),
    }
}
