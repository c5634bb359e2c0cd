//! The answers that depend on the content alone. Frequent ones are made together with the snapshot.

use rayon::prelude::*;

use super::answer::{Answer, Caching};
use super::fault::Fault;
use super::operation::{ProviderSearch, View};
use super::request::Request;
use super::search::{Profiles, SearchIndex};
use super::wire::{InsuranceList, StateList, VisitTypeList, to_json};
use crate::model::{Directory, Language, PlanNumber, SlugMatch, StateCode};

#[derive(Debug)]
pub(super) struct Catalogue {
    pub(super) directory: Directory,
    pub(super) states: Answer,
    pub(super) insurances: ByState,
    pub(super) visit_types: ByState,
    search: SearchIndex,
    first_pages: ByState,
    first_summaries: ByState,
}

/// An answer without a state filter, and one for each state.
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

impl Catalogue {
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

    /// The plan of this name, in any case, if a provider accepts it.
    pub(super) fn plan(&self, name: &str) -> Result<PlanNumber, Fault> {
        self.search.plan(&self.directory, name)
    }

    pub(super) fn is_plan_accepted(&self, plan: PlanNumber, state: StateCode) -> bool {
        self.search.is_plan_accepted(plan, state)
    }

    /// The language of this name or code, if a provider speaks it.
    pub(super) fn language(&self, name: &str) -> Result<Language, Fault> {
        self.search.language(name)
    }

    /// The provider of a current or former slug.
    pub(super) fn find(&self, slug: &str) -> Result<SlugMatch, Fault> {
        let unknown = || Fault::provider_not_found(slug, &self.search.nearest(&self.directory, slug));
        self.directory.find(slug).ok_or_else(unknown)
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
}

/// An answer with its tag computed now.
fn prepared(body: impl Into<bytes::Bytes>) -> Answer {
    Answer::prepared(body, Caching::Catalogue)
}

/// An answer whose tag is computed when it is first needed.
fn unprepared(body: impl Into<bytes::Bytes>) -> Answer {
    Answer::new(body, Caching::Catalogue)
}
