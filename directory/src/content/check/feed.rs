//! `availability/busy.ndjson` or `availability/open.ndjson`: a feed that is found by presence.

use super::super::load::{BUSY_PATH, OPEN_PATH, Source, Sources};
use super::super::report::{Place, Problem};
use super::super::words::nearest;
use crate::calendar::{FeedError, FeedFile, FeedLimits, FeedMode, FeedRules, FeedSet, ProviderFeed};
use crate::model::{Directory, Provider, Slug};

/// What the folder's own feed says of its providers.
#[derive(Debug, Clone)]
pub enum FolderFeed {
    /// It was read.
    Read(FeedMode, Vec<ProviderFeed>),
    /// It is a link, which only a service follows: here nobody knows what it says.
    Linked(FeedMode),
}

impl FolderFeed {
    /// What its entries mean.
    #[must_use]
    pub fn mode(&self) -> FeedMode {
        match self {
            Self::Read(mode, _) | Self::Linked(mode) => *mode,
        }
    }
}

/// The feed that is there, before anybody knows whom it is about.
pub(super) enum Found {
    Lines(FeedMode, FeedFile),
    Link(FeedMode),
}

/// Reads the lines of the feed that is there.
pub(super) fn read(sources: &Sources, problems: &mut Vec<Problem>) -> Option<Found> {
    let (mode, path) = match (sources.get(BUSY_PATH), sources.get(OPEN_PATH)) {
        (None, None) => return None,
        (Some(_), None) => (FeedMode::Busy, BUSY_PATH),
        (None, Some(_)) => (FeedMode::Open, OPEN_PATH),
        (Some(_), Some(_)) => {
            let what = "there is a feed of open slots and one of busy time";
            let problem =
                Problem::error(Place::file(OPEN_PATH), what).also(Place::file(BUSY_PATH), "and here");
            problems
                .push(problem.hint("open slots are what is left of the hours already: keep one of the two"));
            return None;
        }
    };
    if matches!(sources.get(path), Some(Source::LinkedFeed)) {
        return Some(Found::Link(mode));
    }
    match FeedFile::read(path, sources.text(path)?, &FeedLimits::default()) {
        Ok(file) => Some(Found::Lines(mode, file)),
        Err(error) => {
            tell(path, &error, problems);
            None
        }
    }
}

/// Finds out whom the lines are about.
pub(super) fn resolve(
    found: Found,
    directory: &Directory,
    problems: &mut Vec<Problem>,
) -> Option<FolderFeed> {
    let (mode, file) = match found {
        Found::Lines(mode, file) => (mode, file),
        Found::Link(mode) => return Some(FolderFeed::Linked(mode)),
    };
    let path = file.name().to_owned();
    match FeedSet::of(&[file.into()], &FeedRules::new(mode), directory) {
        Ok(set) => {
            let slugs = || directory.providers().iter().map(Provider::slug);
            for unknown in &set.skipped.unknown {
                let what = format!("there is no provider \"{}\", so these lines are skipped", unknown.name);
                let near = nearest(&unknown.name, slugs().map(Slug::as_str));
                let problem = Problem::warning(Place::new(&path, &unknown.span), what);
                problems
                    .push(problem.maybe_hint(near.map(|near| format!("did you mean \"{near}\"?").into())));
            }
            if set.skipped.unknown_types > 0 {
                let what = format!(
                    "skipped, because their providers do not offer the visit types they name: {} of the free slots",
                    set.skipped.unknown_types
                );
                let hint = "types are the numbers of video types in the provider's appointment-types";
                problems.push(Problem::warning(Place::file(&path), what).hint(hint));
            }
            Some(FolderFeed::Read(mode, set.providers))
        }
        Err(error) => {
            tell(&path, &error, problems);
            None
        }
    }
}

fn tell(path: &str, error: &FeedError, problems: &mut Vec<Problem>) {
    let told = error.lines().iter().map(|bad| {
        let place = if bad.line == 0 { Place::file(path) } else { Place::new(path, &bad.span) };
        Problem::error(place, &bad.what)
    });
    problems.extend(told);
    let more = error.count() - error.lines().len();
    if more > 0 {
        let what = format!("{more} more lines of this feed are wrong");
        problems.push(Problem::error(Place::file(path), what));
    }
}
