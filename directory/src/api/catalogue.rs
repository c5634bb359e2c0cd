//! The answers that change with the content alone, prepared once for each directory.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::answer::{Answer, Caching};
use super::fault::Fault;
use super::remembered::Remembered;
use super::request::{ProviderSearch, Request};
use super::search::{Bodies, SearchIndex};
use super::wire::{InsuranceList, StateList, VisitTypeList, to_json};
use crate::model::{Directory, SlugMatch, StateCode};

/// A directory with its prepared answers.
#[derive(Debug)]
pub(super) struct Catalogue {
    directory: Directory,
    states: Answer,
    insurances: ByState,
    visit_types: ByState,
    search: SearchIndex,
    /// What is asked for most: the page without filters, and behind it each state's; made when it is first asked for.
    first_pages: Vec<OnceLock<Answer>>,
    /// The search without filters, of which a state's first page differs by the state alone.
    first: ProviderSearch,
    /// Other pages that are asked for again.
    remembered: Remembered<ProviderSearch>,
}

/// An answer without a state, and one for each state of the table.
#[derive(Debug)]
struct ByState {
    anywhere: Answer,
    by_state: Vec<Answer>,
}

impl ByState {
    fn new(answer: impl Fn(Option<StateCode>) -> Answer + Sync) -> Self {
        let states: Vec<StateCode> = StateCode::all().collect();
        Self {
            anywhere: answer(None),
            by_state: states.into_par_iter().map(|state| answer(Some(state))).collect(),
        }
    }

    fn get(&self, state: Option<StateCode>) -> Answer {
        state.map_or(&self.anywhere, |state| &self.by_state[state.index()]).clone()
    }
}

impl Catalogue {
    pub(super) fn new(directory: Directory, bodies: Bodies) -> Self {
        Self {
            states: prepared(to_json(&StateList::of(&directory))),
            insurances: ByState::new(|state| prepared(to_json(&InsuranceList::of(&directory, state)))),
            visit_types: ByState::new(|state| prepared(to_json(&VisitTypeList::of(&directory, state)))),
            search: SearchIndex::new(&directory, bodies),
            first_pages: std::iter::repeat_with(OnceLock::new).take(1 + StateCode::all().len()).collect(),
            first: ProviderSearch::default(),
            remembered: Remembered::new(),
            directory,
        }
    }

    pub(super) fn directory(&self) -> &Directory {
        &self.directory
    }

    pub(super) fn states(&self) -> Answer {
        self.states.clone()
    }

    pub(super) fn insurances(&self, state: Option<StateCode>) -> Answer {
        self.insurances.get(state)
    }

    pub(super) fn visit_types(&self, state: Option<StateCode>) -> Answer {
        self.visit_types.get(state)
    }

    pub(super) fn providers(&self, search: &ProviderSearch) -> Result<Answer, Fault> {
        let first = ProviderSearch { state: search.state, ..self.first.clone() };
        let place = search.state.map_or(0, |state| 1 + state.index());
        let Some(kept) = self.first_pages.get(place).filter(|_| *search == first) else {
            let make = || self.search.page(&self.directory, search).map(catalogued);
            return self.remembered.always(search, make);
        };
        if let Some(answer) = kept.get() {
            return Ok(answer.clone());
        }
        let answer = self.search.page(&self.directory, search).map(prepared)?;
        Ok(kept.get_or_init(|| answer).clone())
    }

    /// A former slug is answered with the profile of today, and the path where that profile is.
    pub(super) fn provider(&self, slug: &str) -> Result<Answer, Fault> {
        let unknown = || Fault::provider_not_found(slug, &self.directory.nearest(slug));
        let found = self.directory.find(slug).ok_or_else(unknown)?;
        let answer = catalogued(self.search.profile(&self.directory, found.provider()));
        Ok(match found {
            SlugMatch::Current(_) => answer,
            SlugMatch::Former(number) => {
                answer.moved_to(Request::profile(self.directory.provider(number).slug()).path_and_query())
            }
        })
    }
}

fn prepared(body: impl Into<bytes::Bytes>) -> Answer {
    Answer::prepared(body, Caching::Catalogue)
}

fn catalogued(body: impl Into<bytes::Bytes>) -> Answer {
    Answer::new(body, Caching::Catalogue)
}
