//! Plans that new patients in a state cannot use.

use std::collections::BTreeMap;

use crate::model::{Directory, PlanNumber, StateCode};

/// A plan that clinicians take in a state, none of them for new patients.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Gap {
    pub plan: String,
    pub state: StateCode,
    /// The number of clinicians who take it there.
    pub clinicians: usize,
}

#[must_use]
pub fn gaps(directory: &Directory) -> Vec<Gap> {
    // The clinicians who take the plan, and whether one accepts.
    let mut taken: BTreeMap<(PlanNumber, StateCode), (usize, bool)> = BTreeMap::new();
    for provider in directory.providers() {
        for state in provider.licensed().iter() {
            for &plan in provider.plans_in(state) {
                let (clinicians, is_open) = taken.entry((plan, state)).or_default();
                *clinicians += 1;
                *is_open |= provider.accepting().contains(state);
            }
        }
    }
    let closed = taken.into_iter().filter(|(_, (_, is_open))| !is_open);
    let gap = |((plan, state), (clinicians, _)): ((PlanNumber, StateCode), (usize, bool))| Gap {
        plan: directory.plan(plan).as_str().to_owned(),
        state,
        clinicians,
    };
    closed.map(gap).collect()
}
