//! The answers that depend on the content alone. Frequent ones are made together with the snapshot.

use rayon::prelude::*;

use super::answer::{Answer, Caching};
use super::fault::Fault;
use super::operation::{ProviderSearch, View};
use super::request::Request;
use super::search::{Profiles, SearchIndex};
use super::wire::{InsuranceList, StateList, VisitTypeList, to_json};
use crate::model::{Directory, ProviderNumber, SlugMatch, StateCode};

#[derive(Debug)]
pub(super) struct Catalog {
    pub(super) directory: Directory,
    pub(super) states: Answer,
    pub(super) insurances: ByState,
    pub(super) visit_types: ByState,
    pub(super) search: SearchIndex,
    first_pages: ByState,
    first_summaries: ByState,
}

#[derive(Debug)]
pub(super) struct ByState {
    unfiltered: Answer,
    by_state: Vec<Answer>,
}

impl ByState {
    fn new(answer: impl Fn(Option<StateCode>) -> Answer + Sync) -> Self {
        let states: Vec<StateCode> = StateCode::all().collect();
        Self {
            unfiltered: answer(None),
            by_state: states.into_par_iter().map(|state| answer(Some(state))).collect(),
        }
    }

    pub(super) fn get(&self, state: Option<StateCode>) -> Answer {
        state.map_or(&self.unfiltered, |state| &self.by_state[state.index()]).clone()
    }
}

impl Catalog {
    pub(super) fn new(directory: Directory, profiles: Profiles) -> Self {
        let search = SearchIndex::new(&directory, profiles);
        Self {
            states: prepared(to_json(&StateList::new(&directory))),
            insurances: ByState::new(|state| prepared(to_json(&InsuranceList::new(&directory, state)))),
            visit_types: ByState::new(|state| prepared(to_json(&VisitTypeList::new(&directory, state)))),
            first_pages: ByState::new(|state| prepared(search.first_page(&directory, View::Profile, state))),
            first_summaries: ByState::new(|state| {
                prepared(search.first_page(&directory, View::Summary, state))
            }),
            search,
            directory,
        }
    }

    pub(super) fn providers(&self, search: &ProviderSearch) -> Result<Answer, Fault> {
        if *search == ProviderSearch::first_page(search.view, search.state) {
            let pages = match search.view {
                View::Profile => &self.first_pages,
                View::Summary => &self.first_summaries,
            };
            return Ok(pages.get(search.state));
        }
        self.search.page(&self.directory, search).map(unprepared)
    }

    fn find(&self, slug: &str) -> Result<SlugMatch, Fault> {
        self.directory
            .find(slug)
            .ok_or_else(|| self.unknown(slug, &self.search.nearest(&self.directory, slug)))
    }

    /// The provider of a slug, of the address of a profile's page, or of a name that one clinician alone has.
    pub(super) fn identify(&self, text: &str) -> Result<ProviderNumber, Fault> {
        let page = page_slug(&self.directory, text);
        if let Some(found) = self.directory.find(page.unwrap_or(text)) {
            return Ok(found.provider());
        }
        match &self.search.named(&self.directory, text)[..] {
            [only] => Ok(*only),
            [] => self.find(text).map(SlugMatch::provider),
            several => Err(self.unknown(text, several.get(..MOST_NAMES).unwrap_or(several))),
        }
    }

    fn unknown(&self, slug: &str, near: &[ProviderNumber]) -> Fault {
        let near = near.iter().map(|number| self.directory.provider(*number));
        let near: Vec<_> = near.map(|provider| (provider.slug.as_str(), &*provider.display_name)).collect();
        Fault::provider_not_found(slug, &near)
    }

    /// A former slug gives the current profile and its path.
    pub(super) fn provider(&self, slug: &str) -> Result<Answer, Fault> {
        let found = self.find(slug)?;
        let mut answer = unprepared(self.search.profile(&self.directory, found.provider()));
        if let SlugMatch::Former(number) = found {
            let current = Request::profile(&self.directory.provider(number).slug);
            answer.moved_to = Some(current.path_and_query());
        }
        Ok(answer)
    }

    pub(super) fn provider_named(&self, name: &str) -> Result<Answer, Fault> {
        Ok(unprepared(self.search.profile(&self.directory, self.identify(name)?)))
    }
}

/// How many clinicians of one name an error lists.
const MOST_NAMES: usize = 3;

/// The slug in the address of a profile's page, in any language of the site.
fn page_slug<'a>(directory: &Directory, text: &'a str) -> Option<&'a str> {
    let (_, host) = directory.organization().site_url.split_once("://")?;
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or(text);
    let (start, path) = rest.split_at_checked(host.len())?;
    if !start.eq_ignore_ascii_case(host) {
        return None;
    }
    let path = path.split(['?', '#']).next()?.trim_end_matches('/');
    let (before, slug) = path.rsplit_once("/providers/")?;
    let is_language = before.strip_prefix('/').is_some_and(|language| !language.contains('/'));
    (before.is_empty() || is_language).then(|| slug.strip_suffix(".html").unwrap_or(slug))
}

/// An answer that is served often: computes its tag now.
fn prepared(body: impl Into<bytes::Bytes>) -> Answer {
    let answer = unprepared(body);
    _ = answer.etag();
    answer
}

fn unprepared(body: impl Into<bytes::Bytes>) -> Answer {
    Answer::new(body, Caching::Catalog)
}
