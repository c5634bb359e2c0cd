//! The clinicians on each list.
//!
//! The list of all clinicians is in the API's order. On every other list, clinicians who accept new patients come first, and
//! both parts are in the API's order. The lists of all clinicians and of states are complete, on several pages. The lists of
//! plans and visit types have one page and a link to the search or to the states: otherwise a large clinic's site would grow
//! with each plan.

use std::collections::BTreeMap;
use std::ops::Range;

use directory::model::{Directory, PlanNumber, ProviderNumber, StateCode, StateSet, VisitTypeId};

pub(super) const ON_A_PAGE: usize = 60;

#[derive(Debug)]
pub(super) struct Lists {
    pub(super) all: List,
    pub(super) by_state: BTreeMap<StateCode, List>,
    pub(super) by_plan: BTreeMap<PlanNumber, List>,
    pub(super) states_of_plan: BTreeMap<PlanNumber, StateSet>,
    pub(super) by_visit_type: BTreeMap<VisitTypeId, List>,
}

/// A list of clinicians. Those who accept new patients are in `first`; in the list of all, everyone is.
#[derive(Debug, Default)]
pub(super) struct List {
    accepting: Vec<ProviderNumber>,
    others: Vec<ProviderNumber>,
}

impl Lists {
    pub(super) fn new(directory: &Directory) -> Self {
        let mut lists = Self {
            all: List::default(),
            by_state: BTreeMap::new(),
            by_plan: BTreeMap::new(),
            states_of_plan: BTreeMap::new(),
            by_visit_type: BTreeMap::new(),
        };
        for number in directory.provider_numbers() {
            let provider = directory.provider(number);
            let accepts = |state: StateCode| provider.accepting.contains(state);
            // In one part, to keep the API's order.
            lists.all.accepting.push(number);
            for state in provider.licensed.iter() {
                lists.by_state.entry(state).or_default().add(number, accepts(state));
                for &plan in provider.plans_in(state) {
                    lists.states_of_plan.entry(plan).or_default().insert(state);
                }
            }
            for plan in provider.plans() {
                let is_accepting =
                    provider.accepting.iter().any(|state| provider.plans_in(state).contains(&plan));
                lists.by_plan.entry(plan).or_default().add(number, is_accepting);
            }
            for &id in &provider.visit_types {
                let Some(visit_type) = directory.visit_type(id) else { continue };
                if !visit_type.states.intersection(provider.licensed).is_empty() {
                    let open = !visit_type.states.intersection(provider.accepting).is_empty();
                    lists.by_visit_type.entry(id).or_default().add(number, open);
                }
            }
        }
        lists
    }
}

impl List {
    fn add(&mut self, number: ProviderNumber, accepting: bool) {
        if accepting { self.accepting.push(number) } else { self.others.push(number) }
    }

    pub(super) fn len(&self) -> usize {
        self.accepting.len() + self.others.len()
    }

    pub(super) fn accepting(&self) -> usize {
        self.accepting.len()
    }

    pub(super) fn pages(&self) -> usize {
        self.len().div_ceil(ON_A_PAGE).max(1)
    }

    /// The clinicians of a page, counted from one: those who accept new patients, and the others.
    pub(super) fn page(&self, number: usize) -> (&[ProviderNumber], &[ProviderNumber]) {
        let from = (number - 1) * ON_A_PAGE;
        let until = from + ON_A_PAGE;
        let within = |list: &[ProviderNumber], before: usize| -> Range<usize> {
            let clamp = |at: usize| at.saturating_sub(before).min(list.len());
            clamp(from)..clamp(until)
        };
        let (first, second) = (within(&self.accepting, 0), within(&self.others, self.accepting.len()));
        (&self.accepting[first], &self.others[second])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixture as fixture;

    #[test]
    fn pages_list_each_clinician_once() {
        let snapshot = fixture::crowd(150);
        let lists = Lists::new(snapshot.directory());
        let new_york: StateCode = "NY".parse().unwrap();
        let list = &lists.by_state[&new_york];
        let mut seen = Vec::new();
        for page in 1..=list.pages() {
            let (accepting, others) = list.page(page);
            assert!(accepting.len() + others.len() <= ON_A_PAGE);
            seen.extend(accepting.iter().chain(others).map(|number| number.index()));
        }
        assert_eq!(seen.len(), list.len());
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 152);
        assert_eq!(list.page(list.pages() + 1), (&[][..], &[][..]));
        let california: StateCode = "CA".parse().unwrap();
        assert_eq!((lists.by_state[&california].accepting(), lists.by_state[&california].len()), (1, 1));
    }
}
