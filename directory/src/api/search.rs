//! Filtered search for clinicians.
//!
//! Each value of a filter owns a set of providers, one bit for each position of the list, so a search is a
//! few machine words AND-ed together; the profiles are serialized once and joined into the page's body.

use std::collections::HashMap;
use std::io::Write;

use bytes::{BufMut, Bytes, BytesMut};
use rayon::prelude::*;

use super::fault::Fault;
use super::request::ProviderSearch;
use super::wire::{ProviderProfile, to_json};
use crate::model::{Directory, PlanNumber, ProviderNumber, StateCode};

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
    /// All profiles behind each other, and where each one begins; one more entry marks the end.
    profiles: Bytes,
    bounds: Vec<usize>,
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
            profiles: Bytes::new(),
            bounds: Vec::new(),
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
        index.serialize_profiles(directory);
        index
    }

    fn serialize_profiles(&mut self, directory: &Directory) {
        let profiles: Vec<Bytes> = directory
            .providers()
            .par_iter()
            .map(|provider| to_json(&ProviderProfile::of(directory, provider)))
            .collect();
        let mut joined = BytesMut::with_capacity(profiles.iter().map(Bytes::len).sum());
        self.bounds.push(0);
        for profile in profiles {
            joined.put(profile);
            self.bounds.push(joined.len());
        }
        self.profiles = joined.freeze();
    }

    /// The body of a provider's profile.
    pub(super) fn profile(&self, number: ProviderNumber) -> Bytes {
        self.profiles.slice(self.bounds[number.index()]..self.bounds[number.index() + 1])
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
        let size: usize = page.iter().map(|&at| self.bounds[at + 1] - self.bounds[at] + 1).sum();
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
            body.extend_from_slice(&self.profiles[self.bounds[at]..self.bounds[at + 1]]);
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
