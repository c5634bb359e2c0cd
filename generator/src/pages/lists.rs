//! Sorts clinicians into lists: all, and by state and visit type. Only the lists of all and of states have as many pages as
//! they need. Otherwise, a large clinic's site would grow with each plan.

use std::collections::BTreeMap;
use std::ops::Range;

use directory::model::{Directory, PlanNumber, ProviderNumber, StateCode, StateSet, VisitTypeId};

pub(super) const PER_PAGE: usize = 60;

#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) all: List,
    pub(super) by_state: BTreeMap<StateCode, List>,
    pub(super) states_of_plan: BTreeMap<PlanNumber, StateSet>,
    pub(super) by_visit_type: BTreeMap<VisitTypeId, List>,
}

/// In the list of all clinicians, everyone is in the first part.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) accepting: Vec<ProviderNumber>,
    others: Vec<ProviderNumber>,
}

impl Lists {
    pub(super) fn new(directory: &Directory) -> Self {
        let mut lists = Self::default();
        for number in directory.provider_numbers() {
            let provider = directory.provider(number);
            let accepts = |state: StateCode| provider.accepting.contains(state);
            lists.all.accepting.push(number);
            for state in provider.licensed.iter() {
                lists.by_state.entry(state).or_default().add(number, accepts(state));
                for &plan in provider.plans_in(state) {
                    lists.states_of_plan.entry(plan).or_default().insert(state);
                }
            }
            for &id in &provider.visit_types {
                let Some(visit_type) = directory.visit_type(id) else { continue };
                if !visit_type.states.intersection(provider.licensed).is_empty() {
                    let list = lists.by_visit_type.entry(id).or_default();
                    if !provider.bookable_in(visit_type).is_empty() {
                        list.add(number, true);
                    }
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

    pub(super) fn pages(&self) -> usize {
        self.len().div_ceil(PER_PAGE).max(1)
    }

    /// Pages are numbered from 1. Returns those who accept new patients, and the others.
    pub(super) fn page(&self, number: usize) -> (&[ProviderNumber], &[ProviderNumber]) {
        let from = (number - 1) * PER_PAGE;
        let until = from + PER_PAGE;
        // `offset` clinicians come before the list.
        let on_page = |list: &[ProviderNumber], offset: usize| -> Range<usize> {
            let clamp = |at: usize| at.saturating_sub(offset).min(list.len());
            clamp(from)..clamp(until)
        };
        let accepting = on_page(&self.accepting, 0);
        let others = on_page(&self.others, self.accepting.len());
        (&self.accepting[accepting], &self.others[others])
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
            assert!(accepting.len() + others.len() <= PER_PAGE);
            seen.extend(accepting.iter().chain(others).map(|number| number.index()));
        }
        assert_eq!(seen.len(), list.len());
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 152);
        assert_eq!(list.page(list.pages() + 1), (&[][..], &[][..]));
        let california: StateCode = "CA".parse().unwrap();
        assert_eq!((lists.by_state[&california].accepting.len(), lists.by_state[&california].len()), (1, 1));
        // One sees current patients only, and the visit is for new ones.
        let first_visit = snapshot.directory().visit_types()[0].id;
        assert_eq!(lists.by_visit_type[&first_visit].len(), 151);
    }
}
