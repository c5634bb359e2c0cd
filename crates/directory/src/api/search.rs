//! Filtered search for clinicians. Each value of a filter has a bitset of providers. Profiles are serialized once and
//! copied into the page's body. The words of a search have an index of their own, in `words`.

mod concepts;
mod reason;
mod text;
mod typed;
mod words;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use bytes::Bytes;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::fault::Fault;
use super::operation::{ProviderSearch, View};
use super::search_text::{indexed_words, words_of};
use super::wire::{ProviderPage, ProviderProfile, ProviderSummary, to_json};
use crate::bits::{Mask, numbers_of};
use crate::model::{Directory, Language, PlanNumber, ProviderNumber, StateCode};
pub use concepts::{Concept, concepts};
use typed::is_title;
use words::{WordIndex, plans_like};

#[derive(Debug)]
pub(super) struct SearchIndex {
    all: Mask,
    /// By state.
    licensed: Vec<Mask>,
    /// Those who accept a plan, anywhere or in a state. Plans that no provider accepts are absent.
    with_plan: HashMap<(PlanNumber, Option<StateCode>), Mask>,
    /// Accepted plans by name in lower case.
    plan_numbers: HashMap<String, PlanNumber>,
    by_type: Vec<Mask>,
    by_gender: Vec<Mask>,
    /// The spoken languages by name, and who speaks each.
    by_language: BTreeMap<Language, Mask>,
    /// Made on first use with [`Profiles::OnDemand`]: a build searches for no words.
    words: OnceLock<WordIndex>,
    /// All serialized profiles; empty with [`Profiles::OnDemand`].
    profiles: Vec<Box<RawValue>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Profiles {
    Stored,
    OnDemand,
}

impl SearchIndex {
    pub(super) fn new(directory: &Directory, profiles: Profiles) -> Self {
        let providers = directory.providers();
        let empty = || Mask::new([], providers.len());
        let mut index = Self {
            all: empty(),
            licensed: vec![empty(); StateCode::all().len()],
            with_plan: HashMap::new(),
            plan_numbers: HashMap::new(),
            by_type: vec![empty(); crate::model::ProviderType::ALL.len()],
            by_gender: vec![empty(); crate::model::Gender::ALL.len()],
            by_language: BTreeMap::new(),
            words: OnceLock::new(),
            profiles: Vec::new(),
        };
        if profiles == Profiles::Stored {
            let profile = |provider| raw(&ProviderProfile::new(directory, provider));
            let serialize = || providers.par_iter().map(profile).collect();
            let words;
            (words, index.profiles) = rayon::join(|| WordIndex::build(directory), serialize);
            index.words = OnceLock::from(words);
        }
        for (at, provider) in (0..).zip(providers) {
            index.all.insert(at);
            index.by_type[provider.provider_type as usize].insert(at);
            index.by_gender[provider.gender as usize].insert(at);
            for language in &provider.languages {
                index.by_language.entry(*language).or_insert_with(empty).insert(at);
            }
            for state in provider.licensed.iter() {
                index.licensed[state.index()].insert(at);
            }
            for (state, plans) in &provider.insurance {
                for &plan in plans {
                    index.with_plan.entry((plan, Some(*state))).or_insert_with(empty).insert(at);
                    index.with_plan.entry((plan, None)).or_insert_with(empty).insert(at);
                }
            }
        }
        // Requests may name accepted plans only.
        let accepted = directory.plan_numbers().filter(|plan| index.with_plan.contains_key(&(*plan, None)));
        for plan in accepted {
            let name = directory.plan(plan).as_str();
            index.plan_numbers.insert(name.to_lowercase(), plan);
        }
        index
    }

    pub(super) fn profile(&self, directory: &Directory, number: ProviderNumber) -> Bytes {
        Bytes::copy_from_slice(self.listed(directory, View::Profile, number.index()).get().as_bytes())
    }

    fn listed(&self, directory: &Directory, view: View, at: usize) -> Cow<'_, RawValue> {
        let provider = &directory.providers()[at];
        match (view, self.profiles.get(at)) {
            (View::Summary, _) => Cow::Owned(raw(&ProviderSummary::new(directory, provider))),
            (View::Profile, Some(profile)) => Cow::Borrowed(&**profile),
            (View::Profile, None) => Cow::Owned(raw(&ProviderProfile::new(directory, provider))),
        }
    }

    pub(super) fn page(&self, directory: &Directory, search: &ProviderSearch) -> Result<Bytes, Fault> {
        let Some(filters) = self.filters(directory, search)? else {
            return Ok(self.body(directory, search, 0, &[]));
        };
        if let Some(text) = &search.text {
            let found = self.ranked(directory, text, &filters);
            let offset = usize::try_from(search.offset).unwrap_or(usize::MAX).min(found.len());
            let limit = usize::try_from(search.limit).unwrap_or_default().min(found.len() - offset);
            return Ok(self.body(directory, search, found.len(), &found[offset..offset + limit]));
        }
        Ok(match &filters[..] {
            [] => self.page_of(directory, search, self.all.bits()),
            [only] => self.page_of(directory, search, only.bits()),
            [first, others @ ..] => self.page_of(directory, search, &meeting(first, others)),
        })
    }

    pub(super) fn first_page(&self, directory: &Directory, view: View, state: Option<StateCode>) -> Bytes {
        let set = state.map_or(&self.all, |state| &self.licensed[state.index()]);
        self.page_of(directory, &ProviderSearch::first_page(view, state), set.bits())
    }

    fn page_of(&self, directory: &Directory, search: &ProviderSearch, set: &[u64]) -> Bytes {
        let count = |bits: &u64| bits.count_ones() as usize;
        let (mut skip, mut rest) = (usize::try_from(search.offset).unwrap_or(usize::MAX), set);
        while let Some((first, others)) = rest.split_first()
            && count(first) <= skip
        {
            skip -= count(first);
            rest = others;
        }
        let before = (set.len() - rest.len()) * 64;
        let numbers = numbers_of(rest).skip(skip).take(usize::try_from(search.limit).unwrap_or_default());
        let page: Vec<usize> = numbers.map(|number| before + number as usize).collect();
        self.body(directory, search, set.iter().map(count).sum(), &page)
    }

    /// The sets of the given filters; `None` if one of them matches no provider.
    fn filters(&self, directory: &Directory, search: &ProviderSearch) -> Result<Option<Vec<&Mask>>, Fault> {
        let mut filters = Vec::with_capacity(4);
        if let Some(name) = &search.insurance {
            let plan = self.plan(directory, name, search.state)?;
            let Some(set) = self.with_plan.get(&(plan, search.state)) else { return Ok(None) };
            filters.push(set);
        } else if let Some(state) = search.state {
            // With a plan, the state's own set is not needed: a provider who accepts a plan in a state is licensed there.
            filters.push(&self.licensed[state.index()]);
        }
        filters.extend(search.provider_type.map(|provider_type| &self.by_type[provider_type as usize]));
        filters.extend(search.gender.map(|gender| &self.by_gender[gender as usize]));
        if let Some(name) = &search.language {
            filters.extend(self.by_language.get(&self.language(name)?));
        }
        Ok(Some(filters))
    }

    pub(super) fn is_plan_accepted(&self, plan: PlanNumber, state: StateCode) -> bool {
        self.with_plan.contains_key(&(plan, Some(state)))
    }

    /// At most three clinicians with a name like this one.
    pub(super) fn nearest(&self, directory: &Directory, name: &str) -> Vec<ProviderNumber> {
        self.words(directory).nearest(name).into_iter().map(ProviderNumber).collect()
    }

    /// The clinicians in whose names and credentials all these words are, titles aside.
    pub(super) fn named(&self, directory: &Directory, name: &str) -> Vec<ProviderNumber> {
        let mut words = words_of(name);
        words.retain(|word| !is_title(word));
        let found = self.words(directory).having_all(&words).into_iter().map(ProviderNumber);
        let is_named = |number: &ProviderNumber| {
            let provider = directory.provider(*number);
            let (mut of_name, mut others) = (Vec::new(), Vec::new());
            indexed_words(&provider.display_name, |word| of_name.push(word.to_owned()));
            indexed_words(&provider.credentials, |word| others.push(word.to_owned()));
            words.iter().any(|word| of_name.contains(word))
                && words.iter().all(|word| of_name.contains(word) || others.contains(word))
        };
        found.filter(is_named).collect()
    }

    /// The plan of this name, in any case, if a provider accepts it.
    pub(super) fn plan(
        &self,
        directory: &Directory,
        name: &str,
        state: Option<StateCode>,
    ) -> Result<PlanNumber, Fault> {
        let plan = self.plan_numbers.get(&name.trim().to_lowercase());
        plan.copied().ok_or_else(|| self.unknown_plan(directory, name.trim(), state))
    }

    /// The language of this name or code, if a provider speaks it.
    pub(super) fn language(&self, name: &str) -> Result<Language, Fault> {
        let language = Language::meant(name).find(|language| self.by_language.contains_key(language));
        let names = || self.by_language.keys().map(|language| language.name()).collect::<Vec<_>>();
        language.ok_or_else(|| Fault::unspoken_language(name.trim(), &names()))
    }

    fn unknown_plan(&self, directory: &Directory, name: &str, state: Option<StateCode>) -> Fault {
        let accepted = directory.plan_numbers().filter(|plan| self.with_plan.contains_key(&(*plan, state)));
        let accepted: Vec<_> = accepted.map(|plan| directory.plan(plan).as_str()).collect();
        Fault::invalid_insurance(name, &plans_like(name, &accepted), state, &accepted)
    }

    fn body(&self, directory: &Directory, search: &ProviderSearch, total: usize, page: &[usize]) -> Bytes {
        let reason = || (total == 0).then(|| self.reason(directory, search));
        let text = search.text.as_ref().filter(|_| search.explain);
        to_json(&ProviderPage {
            total,
            limit: search.limit,
            offset: search.offset,
            providers: page.iter().map(|&at| self.listed(directory, search.view, at)).collect(),
            concepts: text.map(|text| self.concepts(directory, text)).unwrap_or_default(),
            reason: search.explain.then(reason),
        })
    }
}

fn raw(value: &impl Serialize) -> Box<RawValue> {
    // Fails only for maps whose keys are not text; no type here has one.
    to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

fn meeting(first: &Mask, others: &[&Mask]) -> Vec<u64> {
    let mut met = first.bits().to_vec();
    for other in others {
        // One pass over contiguous bits vectorizes.
        met.iter_mut().zip(other.bits()).for_each(|(bits, other)| *bits &= other);
    }
    met
}

#[cfg(test)]
mod concepts_oracle;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod words_tests;
