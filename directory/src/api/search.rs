//! Filtered search for clinicians.
//!
//! Each value of a filter owns a set of providers, one bit for each position of the list, so a search is a
//! few machine words AND-ed together; the profiles are serialized once and joined into the page's body.

use std::collections::HashMap;
use std::io::Write;
use std::ops::Range;

use bytes::Bytes;
use rayon::prelude::*;

use super::fault::Fault;
use super::request::ProviderSearch;
use super::wire::{ProviderProfile, to_json};
use crate::model::{Directory, PlanNumber, Provider, ProviderNumber, StateCode};

/// Everything that a search needs, prepared.
#[derive(Debug)]
pub(super) struct SearchIndex {
    everybody: ProviderSet,
    licensed: Vec<ProviderSet>,
    /// By the plan's name in lower case.
    plan_numbers: HashMap<String, PlanNumber>,
    with_plan: HashMap<PlanNumber, ProviderSet>,
    with_plan_in: HashMap<(StateCode, PlanNumber), ProviderSet>,
    by_type: Vec<ProviderSet>,
    by_gender: Vec<ProviderSet>,
    /// All profiles, serialized, some of them behind each other at a time.
    profiles: Vec<Profiles>,
}

/// How many profiles share a buffer: enough for few buffers, few enough for all threads to have work.
const PROFILES_TOGETHER: usize = 64;

/// Some profiles behind each other, and where each one ends.
#[derive(Debug)]
struct Profiles {
    bytes: Bytes,
    ends: Vec<usize>,
}

impl Profiles {
    fn serialize(directory: &Directory, providers: &[Provider]) -> Self {
        let (mut bytes, mut ends) = (Vec::new(), Vec::with_capacity(providers.len()));
        for provider in providers {
            bytes.extend_from_slice(&to_json(&ProviderProfile::of(directory, provider)));
            ends.push(bytes.len());
        }
        bytes.shrink_to_fit();
        Self { bytes: bytes.into(), ends }
    }

    fn range(&self, at: usize) -> Range<usize> {
        let begin = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        begin..self.ends[at]
    }
}

/// A set of providers: a bit for each position of the list, and how many are set.
#[derive(Debug, Clone)]
struct ProviderSet {
    words: Vec<u64>,
    count: usize,
}

impl ProviderSet {
    fn empty(providers: usize) -> Self {
        Self { words: vec![0; providers.div_ceil(64)], count: 0 }
    }

    /// A position is inserted once at most.
    fn insert(&mut self, index: usize) {
        self.words[index / 64] |= 1 << (index % 64);
        self.count += 1;
    }
}

impl SearchIndex {
    pub(super) fn new(directory: &Directory) -> Self {
        let providers = directory.providers();
        let empty = ProviderSet::empty(providers.len());
        let mut index = Self {
            everybody: empty.clone(),
            licensed: vec![empty.clone(); StateCode::all().len()],
            plan_numbers: HashMap::new(),
            with_plan: HashMap::new(),
            with_plan_in: HashMap::new(),
            by_type: vec![empty.clone(); crate::model::ProviderType::ALL.len()],
            by_gender: vec![empty.clone(); crate::model::Gender::ALL.len()],
            profiles: providers
                .par_chunks(PROFILES_TOGETHER)
                .map(|some| Profiles::serialize(directory, some))
                .collect(),
        };
        for (at, provider) in providers.iter().enumerate() {
            index.everybody.insert(at);
            index.by_type[provider.provider_type as usize].insert(at);
            index.by_gender[provider.gender as usize].insert(at);
            for state in provider.licensed.iter() {
                index.licensed[state.index()].insert(at);
            }
            for plan in provider.plans() {
                index.with_plan.entry(plan).or_insert_with(|| empty.clone()).insert(at);
            }
            for (state, plans) in &provider.insurance {
                for &plan in plans {
                    index.with_plan_in.entry((*state, plan)).or_insert_with(|| empty.clone()).insert(at);
                }
            }
        }
        // Only plans that somebody accepts can be asked for.
        index.plan_numbers = index
            .with_plan
            .keys()
            .map(|&plan| (directory.plan(plan).as_str().to_lowercase(), plan))
            .collect();
        index
    }

    /// The body of a provider's profile.
    pub(super) fn profile(&self, number: ProviderNumber) -> Bytes {
        let profiles = &self.profiles[number.index() / PROFILES_TOGETHER];
        profiles.bytes.slice(profiles.range(number.index() % PROFILES_TOGETHER))
    }

    fn profile_at(&self, at: usize) -> &[u8] {
        let profiles = &self.profiles[at / PROFILES_TOGETHER];
        &profiles.bytes[profiles.range(at % PROFILES_TOGETHER)]
    }

    /// The body of one page of a search.
    pub(super) fn page(&self, search: &ProviderSearch) -> Result<Bytes, Fault> {
        let Some(filters) = self.filters(search)? else {
            return Ok(self.body(search, 0, &[]));
        };
        Ok(match filters.as_slice() {
            [] => self.body(search, self.everybody.count, &page_of(&self.everybody.words, search)),
            [only] => self.body(search, only.count, &page_of(&only.words, search)),
            [first, others @ ..] => {
                // One pass for each filter, over words that lie behind each other: the compiler makes vectors of it.
                let mut words = first.words.clone();
                for other in others {
                    words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
                }
                let total = words.iter().map(|word| word.count_ones() as usize).sum();
                self.body(search, total, &page_of(&words, search))
            }
        })
    }

    /// The sets of all given filters; `None` when one of them matches nobody.
    fn filters(&self, search: &ProviderSearch) -> Result<Option<Vec<&ProviderSet>>, Fault> {
        let mut filters = Vec::with_capacity(4);
        if let Some(name) = &search.insurance {
            let plan = self.plan_numbers.get(&name.trim().to_lowercase());
            let plan = *plan.ok_or_else(|| Fault::invalid_insurance(name.trim()))?;
            let set = match search.state {
                None => self.with_plan.get(&plan),
                Some(state) => self.with_plan_in.get(&(state, plan)),
            };
            match set {
                Some(set) => filters.push(set),
                None => return Ok(None),
            }
        } else {
            // Whoever accepts a plan in a state is licensed there.
            filters.extend(search.state.map(|state| &self.licensed[state.index()]));
        }
        filters.extend(search.provider_type.map(|provider_type| &self.by_type[provider_type as usize]));
        filters.extend(search.gender.map(|gender| &self.by_gender[gender as usize]));
        Ok(Some(filters))
    }

    fn body(&self, search: &ProviderSearch, total: usize, page: &[usize]) -> Bytes {
        let size: usize = page.iter().map(|&at| self.profile_at(at).len() + 1).sum();
        let mut body = Vec::with_capacity(size + 128);
        // Writing into memory cannot fail.
        _ = write!(
            body,
            r#"{{"total":{total},"limit":{},"offset":{},"providers":["#,
            search.limit, search.offset
        );
        for (nth, &at) in page.iter().enumerate() {
            if nth > 0 {
                body.push(b',');
            }
            body.extend_from_slice(self.profile_at(at));
        }
        body.extend_from_slice(b"]}");
        body.into()
    }
}

/// The positions of a page: the set bits, without the first `offset` of them, `limit` at most.
fn page_of(words: &[u64], search: &ProviderSearch) -> Vec<usize> {
    let limit = usize::try_from(search.limit).unwrap_or_default();
    let mut skip = usize::try_from(search.offset).unwrap_or(usize::MAX);
    let mut page = Vec::with_capacity(limit);
    for (at, &word) in words.iter().enumerate() {
        let here = word.count_ones() as usize;
        if here <= skip {
            skip -= here;
            continue;
        }
        let mut word = word;
        while word != 0 {
            if skip > 0 {
                skip -= 1;
            } else if page.len() < limit {
                page.push(at * 64 + word.trailing_zeros() as usize);
            } else {
                return page;
            }
            word &= word - 1;
        }
    }
    page
}

#[cfg(test)]
mod tests;
