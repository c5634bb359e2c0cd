//! The right responses: computed from a content folder, or read from a built tree.

use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use directory::Snapshot;
use directory::api::{Caching, Fault, Operation, OperationId, Question, Request, SlotSearch, split_target};
use directory::content::FolderFeed;
use generator::{MANIFEST_PATH, Manifest};
use live::Clock;
use serde_json::{Map, Value};

use super::designed;
use super::expectation::{Body, Expectation, Slots};
use super::questions::questions;
use super::vocabulary::Vocabulary;
use crate::args::VerifyArguments;
use crate::content::{clock, load, snapshot};
use crate::outcome::Refusal;

/// The ages in seconds that a response about open slots may have: caches keep it for 60 seconds, and clocks differ.
const SLOT_AGES: [i64; 4] = [0, 2, 31, 62];

/// What the host's responses are compared with.
#[derive(Debug)]
pub(super) struct Reference {
    manifest: Manifest,
    source: Source,
    clock: Clock,
}

#[derive(Debug)]
enum Source {
    /// A content folder gives the answer to every request.
    Content {
        snapshot: Box<Snapshot>,
        /// Whether slots come from a feed, so that their times are not known here.
        with_feed: bool,
    },
    /// A built tree gives the responses that are files. Of others, only the form is known.
    Tree,
}

impl Reference {
    /// Reads the folder. `None`: its content has errors, which were reported.
    pub(super) fn read(arguments: &VerifyArguments) -> Result<Option<Self>, Refusal> {
        let (folder, clock) = (&arguments.against, clock(arguments.now.now));
        #[expect(clippy::disallowed_methods, reason = "checks that the folder exists")]
        let exists = folder.is_dir();
        if !exists {
            let what = format!(
                "there is no folder {}: name a content folder or a built tree with --against DIR",
                folder.display()
            );
            return Err(Refusal::new(what));
        }
        if let Some(manifest) = read_manifest(folder)? {
            return Ok(Some(Self { manifest, source: Source::Tree, clock }));
        }
        let Some(mut checked) = load(folder, clock)? else { return Ok(None) };
        let with_feed = arguments.with_feed || checked.feed.is_some();
        // Only the service reads a linked feed.
        checked.feed = checked.feed.filter(|feed| !matches!(feed, FolderFeed::Linked(_)));
        // The calendar must reach back to the oldest response.
        let snapshot = snapshot(checked, clock.now() - TimeDelta::days(1));
        let mut options = generator::BuildOptions::new(folder, "dist");
        if let Some(site) = &arguments.site {
            options = options.with_site(site);
        }
        if arguments.no_pages {
            options = options.without_pages();
        }
        let manifest = generator::preview(&snapshot, &options).map_err(Refusal::new)?;
        let source = Source::Content { snapshot: Box::new(snapshot), with_feed };
        Ok(Some(Self { manifest, source, clock }))
    }

    pub(super) fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// What could not be compared.
    pub(super) fn note(&self) -> Option<&'static str> {
        match self.source {
            Source::Tree => Some(
                "compared with a built tree: of responses that are not files, only the form was checked; verify \
                 against the content folder to compare everything",
            ),
            Source::Content { with_feed: true, .. } => {
                Some("open slots come from a feed: their providers were compared, but not their times")
            }
            Source::Content { .. } => None,
        }
    }

    /// Whether the host may lack a live service: the content does not name one, or it is not known here.
    pub(super) fn may_lack_live(&self) -> bool {
        match &self.source {
            Source::Content { snapshot, .. } => snapshot.directory().organisation().live_url().is_none(),
            Source::Tree => true,
        }
    }

    /// The requests beyond the files, of which `number` are random.
    pub(super) fn questions(&self, seed: u64, number: usize) -> Vec<String> {
        let (vocabulary, designed) = match &self.source {
            Source::Content { snapshot, .. } => {
                let vocabulary = Vocabulary::of(snapshot, self.now());
                let designed = designed::questions(&vocabulary, snapshot, self.now());
                (vocabulary, designed)
            }
            Source::Tree => {
                (Vocabulary { slugs: self.slugs_of_files(), ..Vocabulary::default() }, Vec::new())
            }
        };
        questions(&vocabulary, designed, seed, number)
    }

    /// The slugs of the profiles in the tree.
    fn slugs_of_files(&self) -> Vec<String> {
        let route = Operation::get(OperationId::Provider).path.trim_start_matches('/');
        let stem = route.split_once('{').map_or(route, |(stem, _)| stem);
        let names = self.manifest.files().iter().filter_map(|entry| entry.path().strip_prefix(stem));
        let is_profile = |slug: &&str| {
            Operation::for_path(&format!("/{stem}{slug}"))
                .is_some_and(|(row, _)| row.id == OperationId::Provider)
        };
        let slugs = names.filter_map(|name| name.strip_suffix(".json")).filter(is_profile);
        slugs.map(str::to_owned).collect()
    }

    /// Whether this is a tool's description. A built tree does not say whether the clinic has a booking address.
    pub(super) fn is_description(&self, operation: &Operation, found: &str) -> bool {
        match &self.source {
            Source::Content { snapshot, .. } => {
                let booking_url = snapshot.directory().organisation().booking_url();
                operation.tool_description(booking_url).is_some_and(|expected| expected == found)
            }
            Source::Tree => operation.tool_doc.is_some_and(|doc| found.starts_with(doc)),
        }
    }

    /// The error that a tool call must end in, if it is known here.
    pub(super) fn tool_error(
        &self,
        operation: &'static Operation,
        arguments: &Map<String, Value>,
    ) -> Option<Fault> {
        match (Request::from_tool(operation, arguments), &self.source) {
            (Err(fault), _) => Some(fault),
            (Ok(request), Source::Content { snapshot, .. }) => snapshot.answer(&request, self.now()).err(),
            (Ok(_), Source::Tree) => None,
        }
    }

    /// Every right response to a path and query between `from` and now; the most likely one first.
    pub(super) fn expected(&self, target: &str, from: DateTime<Utc>) -> Vec<Expectation> {
        let path = split_target(target).0;
        if let Some(entry) = self.manifest.get(path.trim_start_matches('/')) {
            let caching = path.starts_with("/v1/").then(|| Caching::of_file(path));
            return vec![Expectation { caching, is_file: true, ..Expectation::content_of(entry) }];
        }
        if path.strip_suffix(".json").is_some() {
            // A file that does not exist, as slugs have no dots. The host or live may send the 404.
            return vec![Expectation::with_status(404)];
        }
        let request = match Request::from_target(target) {
            Ok(request) => request,
            Err(fault) => return self.or_not_found(vec![Expectation::from(&fault)]),
        };
        let (now, seconds) = (self.now(), TimeDelta::seconds);
        let mut times = vec![now];
        if let Question::Availability(_) = request.question() {
            times.push(now + seconds(2));
            times.extend(SLOT_AGES.map(|age| from - seconds(age)));
        }
        let file = generator::file(&request).and_then(Result::ok);
        let file = file.and_then(|path| self.manifest.get(path.as_str()));
        let mut expected: Vec<Expectation> = Vec::new();
        for time in times {
            let answer = match &self.source {
                Source::Content { snapshot, .. } => answer(snapshot, &request, time),
                Source::Tree => file.map_or(Expectation::UNKNOWN, Expectation::content_of),
            };
            if !expected.contains(&answer) {
                expected.push(answer);
            }
        }
        if let (Source::Content { snapshot, with_feed: true }, Question::Availability(search)) =
            (&self.source, request.question())
            && expected[0].status == Some(200)
        {
            expected.truncate(1);
            expected[0].body = Body::Slots(slots(snapshot, search, now));
        }
        // Without live, filtered lists are missing, but no file is.
        let is_static = file.is_some() || expected[0].location.is_some();
        if is_static { expected } else { self.or_not_found(expected) }
    }

    /// Without a live service, the host responds with 404 to requests that have no file.
    fn or_not_found(&self, mut expected: Vec<Expectation>) -> Vec<Expectation> {
        if self.may_lack_live() {
            expected.push(Expectation::from(&Fault::not_found()));
        }
        expected
    }
}

fn answer(snapshot: &Snapshot, request: &Request, now: DateTime<Utc>) -> Expectation {
    let answer = match snapshot.answer(request, now) {
        Err(fault) => return Expectation::from(&fault),
        Ok(answer) => answer,
    };
    match answer.moved_path().map(str::to_owned) {
        Some(path) => Expectation { body: Body::Any, location: Some(path), ..Expectation::with_status(301) },
        None => Expectation {
            body: Body::Bytes(answer.body().clone()),
            caching: Some(answer.caching()),
            ..Expectation::with_status(200)
        },
    }
}

fn slots(snapshot: &Snapshot, search: &SlotSearch, now: DateTime<Utc>) -> Slots {
    let (directory, mut search) = (snapshot.directory(), search.clone());
    search.provider = search.provider.map(|slug| match directory.by_former_slug(&slug) {
        Some(provider) => provider.slug().to_string(),
        None => slug,
    });
    let accepting =
        directory.providers().iter().filter(|provider| provider.accepting().contains(search.state));
    let slugs = accepting.map(|provider| provider.slug().to_string());
    let providers = slugs.filter(|slug| search.provider.as_ref().is_none_or(|only| only == slug)).collect();
    Slots { search, providers, now }
}

/// The manifest of a built tree; `None` for any other folder.
#[expect(clippy::disallowed_methods, reason = "reads a built tree, not content")]
fn read_manifest(folder: &Path) -> Result<Option<Manifest>, Refusal> {
    let file = folder.join(MANIFEST_PATH);
    if !file.exists() {
        return Ok(None);
    }
    let bytes = std::fs::read(&file).map_err(|error| error.to_string());
    let manifest = bytes.and_then(|bytes| {
        Manifest::parse(&bytes).ok_or_else(|| "this is not the manifest of a tree".to_owned())
    });
    manifest.map(Some).map_err(|why| Refusal::new(format!("{}: {why}; build the tree again", file.display())))
}
