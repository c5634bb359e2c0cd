//! Who is on which list.
//!
//! On every list those who take new patients stand first; among them the order is that of the API. The list
//! of everybody and those of the states are whole, page behind page. A plan's and a visit's list ends after
//! one page, with a way to the others: whole ones would make a large clinic's site grow with each plan.

use std::collections::BTreeMap;
use std::ops::Range;

use directory::model::{Directory, PlanNumber, ProviderNumber, StateCode, StateSet, VisitTypeId};

/// How many clinicians one page lists.
pub(super) const ON_A_PAGE: usize = 60;

/// The lists of a clinic.
#[derive(Debug)]
pub(super) struct Lists {
    pub(super) everybody: List,
    /// The states where somebody is licensed.
    pub(super) by_state: BTreeMap<StateCode, List>,
    /// The plans that somebody takes.
    pub(super) by_plan: BTreeMap<PlanNumber, List>,
    /// The states where a plan is taken.
    pub(super) states_of_plan: BTreeMap<PlanNumber, StateSet>,
    /// The visit types that somebody offers.
    pub(super) by_visit_type: BTreeMap<VisitTypeId, List>,
}

/// Some clinicians, those who take new patients first.
#[derive(Debug, Default)]
pub(super) struct List {
    accepting: Vec<ProviderNumber>,
    others: Vec<ProviderNumber>,
}

impl Lists {
    pub(super) fn new(directory: &Directory) -> Self {
        let mut lists = Self {
            everybody: List::default(),
            by_state: BTreeMap::new(),
            by_plan: BTreeMap::new(),
            states_of_plan: BTreeMap::new(),
            by_visit_type: BTreeMap::new(),
        };
        for number in directory.provider_numbers() {
            let provider = directory.provider(number);
            let accepts = |state: StateCode| provider.accepting().contains(state);
            // Everybody in the order of names: who looks for a name finds it there.
            lists.everybody.accepting.push(number);
            for state in provider.licensed().iter() {
                lists.by_state.entry(state).or_default().add(number, accepts(state));
                for &plan in provider.plans_in(state) {
                    lists.states_of_plan.entry(plan).or_default().insert(state);
                }
            }
            for plan in provider.plans() {
                let taken_by_somebody_accepting =
                    provider.accepting().iter().any(|state| provider.plans_in(state).contains(&plan));
                lists.by_plan.entry(plan).or_default().add(number, taken_by_somebody_accepting);
            }
            for &id in provider.visit_types() {
                let Some(visit_type) = directory.visit_type(id) else { continue };
                if !visit_type.states().intersection(provider.licensed()).is_empty() {
                    let open = !visit_type.states().intersection(provider.accepting()).is_empty();
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

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.accepting.len() + self.others.len()
    }

    /// How many of them take new patients.
    pub(super) fn accepting(&self) -> usize {
        self.accepting.len()
    }

    /// How many pages they fill: one at least.
    pub(super) fn pages(&self) -> usize {
        self.len().div_ceil(ON_A_PAGE).max(1)
    }

    /// Those of a page, counted from one: who takes new patients, and the others.
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
    use crate::fixture;

    #[test]
    fn pages_of_a_list_hold_everybody_once_and_those_who_accept_first() {
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
