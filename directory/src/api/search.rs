//! Filtered search for clinicians.
//!
//! Each value of a filter has a bitset of providers, and a search intersects bitsets. Profiles are serialized once and
//! copied into the page's body. The words of a search have an index of their own, in `words`.

mod ranking;
mod reason;
mod set;
mod text;
mod typed;
mod words;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use bytes::Bytes;
use rayon::prelude::*;

use super::fault::Fault;
use super::question::{ProviderSearch, View};
use super::wire::{ProviderProfile, ProviderSummary, to_json};
use crate::model::{Directory, Language, NameIndex, PlanNumber, Provider, ProviderNumber, StateCode};
use set::{Page, ProviderSet};
use words::WordIndex;

#[derive(Debug)]
pub(super) struct SearchIndex {
    all: ProviderSet,
    /// By state.
    licensed: Vec<ProviderSet>,
    /// Accepted plans by name in lower case.
    plan_numbers: HashMap<String, PlanNumber>,
    /// The names of accepted plans, for suggestions.
    accepted_plans: NameIndex,
    /// By plan number; empty for plans that no provider accepts.
    with_plan: Vec<ProviderSet>,
    /// By plan number: the providers who accept the plan in each state, by state.
    with_plan_in: Vec<Vec<(StateCode, ProviderSet)>>,
    by_type: Vec<ProviderSet>,
    by_gender: Vec<ProviderSet>,
    /// The spoken languages by name, and who speaks each.
    by_language: Vec<(Language, ProviderSet)>,
    /// Made on first use with [`Profiles::OnDemand`]: a build searches for no words.
    words: OnceLock<WordIndex>,
    /// All serialized profiles; empty with [`Profiles::OnDemand`].
    profiles: Vec<ProfileChunk>,
}

/// When profiles are serialized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Profiles {
    Stored,
    OnDemand,
}

const PROFILES_PER_CHUNK: usize = 64;

/// The serialized profiles of consecutive providers, and the end of each profile.
#[derive(Debug)]
struct ProfileChunk {
    bytes: Bytes,
    ends: Vec<usize>,
}

impl ProfileChunk {
    fn serialize(directory: &Directory, providers: &[Provider]) -> Self {
        let (mut bytes, mut ends) = (Vec::new(), Vec::with_capacity(providers.len()));
        for provider in providers {
            bytes.extend_from_slice(&to_json(&ProviderProfile::of(directory, provider)));
            ends.push(bytes.len());
        }
        bytes.shrink_to_fit();
        Self { bytes: bytes.into(), ends }
    }

    /// The bytes of the profile at this position of the chunk.
    fn range(&self, at: usize) -> Range<usize> {
        let begin = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        begin..self.ends[at]
    }
}

impl SearchIndex {
    pub(super) fn new(directory: &Directory, profiles: Profiles) -> Self {
        let providers = directory.providers();
        let empty = ProviderSet::empty(providers.len());
        let mut index = Self {
            all: empty.clone(),
            licensed: vec![empty.clone(); StateCode::all().len()],
            plan_numbers: HashMap::new(),
            accepted_plans: NameIndex::new(std::iter::empty()),
            with_plan: vec![empty.clone(); directory.plans().len()],
            with_plan_in: vec![Vec::new(); directory.plans().len()],
            by_type: vec![empty.clone(); crate::model::ProviderType::ALL.len()],
            by_gender: vec![empty.clone(); crate::model::Gender::ALL.len()],
            by_language: Vec::new(),
            words: OnceLock::new(),
            profiles: Vec::new(),
        };
        if profiles == Profiles::Stored {
            let chunks = providers.par_chunks(PROFILES_PER_CHUNK);
            let serialize = || chunks.map(|chunk| ProfileChunk::serialize(directory, chunk)).collect();
            let words;
            (words, index.profiles) = rayon::join(|| WordIndex::new(directory), serialize);
            index.words = OnceLock::from(words);
        }
        for (at, provider) in providers.iter().enumerate() {
            index.all.insert(at);
            index.by_type[provider.provider_type as usize].insert(at);
            index.by_gender[provider.gender as usize].insert(at);
            for language in &provider.languages {
                let spoken = &mut index.by_language;
                let position = spoken.binary_search_by_key(language, |(other, _)| *other);
                let position = position.unwrap_or_else(|position| {
                    spoken.insert(position, (*language, empty.clone()));
                    position
                });
                spoken[position].1.insert(at);
            }
            for state in provider.licensed.iter() {
                index.licensed[state.index()].insert(at);
            }
            for plan in provider.plans() {
                index.with_plan[plan.index()].insert(at);
            }
            for (state, plans) in &provider.insurance {
                for &plan in plans {
                    let states = &mut index.with_plan_in[plan.index()];
                    let position = states.binary_search_by_key(state, |(other, _)| *other);
                    let position = position.unwrap_or_else(|position| {
                        states.insert(position, (*state, empty.clone()));
                        position
                    });
                    states[position].1.insert(at);
                }
            }
        }
        // Requests may name accepted plans only.
        let numbers = (0..).map(PlanNumber).zip(&index.with_plan);
        index.plan_numbers = numbers
            .filter(|(_, set)| set.count > 0)
            .map(|(plan, _)| (directory.plan(plan).as_str().to_lowercase(), plan))
            .collect();
        let accepted =
            index.plan_numbers.values().map(|&plan| (u32::from(plan.0), directory.plan(plan).as_str()));
        index.accepted_plans = NameIndex::new(accepted);
        index
    }

    pub(super) fn profile(&self, directory: &Directory, number: ProviderNumber) -> Bytes {
        match self.profiles.get(number.index() / PROFILES_PER_CHUNK) {
            Some(chunk) => chunk.bytes.slice(chunk.range(number.index() % PROFILES_PER_CHUNK)),
            None => to_json(&ProviderProfile::of(directory, directory.provider(number))),
        }
    }

    fn listed(&self, directory: &Directory, view: View, at: usize) -> Cow<'_, [u8]> {
        let provider = &directory.providers()[at];
        match (view, self.profiles.get(at / PROFILES_PER_CHUNK)) {
            (View::Summary, _) => to_json(&ProviderSummary::of(directory, provider)).to_vec().into(),
            (View::Profile, Some(chunk)) => chunk.bytes[chunk.range(at % PROFILES_PER_CHUNK)].into(),
            (View::Profile, None) => to_json(&ProviderProfile::of(directory, provider)).to_vec().into(),
        }
    }

    pub(super) fn page(&self, directory: &Directory, search: &ProviderSearch) -> Result<Bytes, Fault> {
        let Some(filters) = self.filters(directory, search)? else {
            return Ok(self.body(directory, search, 0, &[]));
        };
        if let Some(text) = &search.text {
            let ranking = self.ranking(directory, text, &filters);
            let page = ranking.page(search.limit, search.offset);
            return Ok(self.body(directory, search, ranking.total(), &page));
        }
        let [first, others @ ..] = &filters[..] else {
            return Ok(self.page_of_set(directory, search, &self.all));
        };
        if others.is_empty() {
            return Ok(self.page_of_set(directory, search, first));
        }
        let words = meeting(first, others);
        // With several filters most words are zero, and skipping them is faster than counting.
        let found = words.iter().filter(|&&word| word != 0);
        let total = found.map(|word| word.count_ones() as usize).sum();
        Ok(self.body(directory, search, total, &page_of(&words, search)))
    }

    pub(super) fn first_page(&self, directory: &Directory, view: View, state: Option<StateCode>) -> Bytes {
        let set = state.map_or(&self.all, |state| &self.licensed[state.index()]);
        self.page_of_set(directory, &ProviderSearch::first_page(view, state), set)
    }

    /// A page of one set, whose size is known.
    fn page_of_set(&self, directory: &Directory, search: &ProviderSearch, set: &ProviderSet) -> Bytes {
        self.body(directory, search, set.count, &page_of(&set.bits, search))
    }

    /// The sets of the given filters; `None` if one of them matches no provider.
    fn filters(
        &self,
        directory: &Directory,
        search: &ProviderSearch,
    ) -> Result<Option<Vec<&ProviderSet>>, Fault> {
        let mut filters = Vec::with_capacity(4);
        if let Some(name) = &search.insurance {
            let plan = self.plan(directory, name)?;
            let set = match search.state {
                None => Some(&self.with_plan[plan.index()]),
                Some(state) => self.with_plan_in(plan, state),
            };
            let Some(set) = set else { return Ok(None) };
            filters.push(set);
        } else if let Some(state) = search.state {
            // With a plan, the state's own set is not needed: a provider who accepts a plan in a state is licensed there.
            filters.push(&self.licensed[state.index()]);
        }
        filters.extend(search.provider_type.map(|provider_type| &self.by_type[provider_type as usize]));
        filters.extend(search.gender.map(|gender| &self.by_gender[gender as usize]));
        if let Some(name) = &search.language {
            let language = self.language(name)?;
            let spoken = self.by_language.iter().filter(|(other, _)| *other == language);
            filters.extend(spoken.map(|(_, set)| set));
        }
        Ok(Some(filters))
    }

    fn with_plan_in(&self, plan: PlanNumber, state: StateCode) -> Option<&ProviderSet> {
        let states = &self.with_plan_in[plan.index()];
        let position = states.binary_search_by_key(&state, |(other, _)| *other).ok();
        position.map(|position| &states[position].1)
    }

    pub(super) fn is_plan_accepted(&self, plan: PlanNumber, state: StateCode) -> bool {
        self.with_plan_in(plan, state).is_some()
    }

    /// The plan of this name, in any case, if a provider accepts it.
    pub(super) fn plan(&self, directory: &Directory, name: &str) -> Result<PlanNumber, Fault> {
        let plan = self.plan_numbers.get(&name.trim().to_lowercase());
        plan.copied().ok_or_else(|| self.unknown_plan(directory, name.trim()))
    }

    /// The language of this name or code, if a provider speaks it.
    pub(super) fn language(&self, name: &str) -> Result<Language, Fault> {
        let spoken = || self.by_language.iter().map(|(language, _)| *language);
        let language = name.parse().ok().filter(|language| spoken().any(|other| other == *language));
        let names = || spoken().map(Language::name).collect::<Vec<_>>();
        language.ok_or_else(|| Fault::unspoken_language(name.trim(), &names()))
    }

    fn unknown_plan(&self, directory: &Directory, name: &str) -> Fault {
        let near = self.accepted_plans.nearest(name);
        let plan =
            |number: u32| u16::try_from(number).map(|number| directory.plan(PlanNumber(number)).as_str());
        let near: Vec<_> = near.into_iter().filter_map(|number| plan(number).ok()).collect();
        Fault::invalid_insurance(name, &near)
    }

    /// The body of a page: the total, and the profiles at these positions.
    fn body(&self, directory: &Directory, search: &ProviderSearch, total: usize, page: &[usize]) -> Bytes {
        let profiles: Vec<_> = page.iter().map(|&at| self.listed(directory, search.view, at)).collect();
        let size: usize = profiles.iter().map(|profile| profile.len() + 1).sum();
        let mut body = Vec::with_capacity(size + LONGEST_HEAD);
        write_head(&mut body, search, total);
        for (nth, profile) in profiles.iter().enumerate() {
            if nth > 0 {
                body.push(b',');
            }
            body.extend_from_slice(profile);
        }
        body.push(b']');
        if search.explain {
            body.extend_from_slice(br#","reason":"#);
            let reason = (total == 0).then(|| self.reason(directory, search));
            body.extend_from_slice(&to_json(&reason));
        }
        body.push(b'}');
        body.into()
    }
}

/// The largest size of a page's body without its profiles.
const LONGEST_HEAD: usize = 112;

/// Writes a page's body up to the profiles.
fn write_head(body: &mut Vec<u8>, search: &ProviderSearch, total: usize) {
    let mut number = |key: &str, number: i64| {
        body.extend_from_slice(key.as_bytes());
        _ = serde_json::to_writer(&mut *body, &number);
    };
    number(r#"{"total":"#, i64::try_from(total).unwrap_or(i64::MAX));
    number(r#","limit":"#, search.limit);
    number(r#","offset":"#, search.offset);
    body.extend_from_slice(br#","providers":["#);
}

/// The providers who are in all of these sets.
fn meeting(first: &ProviderSet, others: &[&ProviderSet]) -> Vec<u64> {
    let mut words = first.bits.clone();
    for other in others {
        // One pass over contiguous words vectorizes.
        words.iter_mut().zip(&other.bits).for_each(|(word, other)| *word &= other);
    }
    words
}

/// The positions of a page of a set.
fn page_of(bits: &[u64], search: &ProviderSearch) -> Vec<usize> {
    let mut page = Page::new(search.limit, search.offset);
    page.add(bits.iter().copied());
    page.positions
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod words_tests;
