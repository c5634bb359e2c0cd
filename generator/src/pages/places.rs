//! Where on the site things are: one way to each page's address.

use std::collections::BTreeSet;

use directory::model::{Directory, PlanNumber, Slug, StateCode, VisitTypeId, address_words};

/// The addresses that depend on the clinic.
#[derive(Debug)]
pub(super) struct Places {
    /// By plan number.
    plans: Vec<String>,
}

impl Places {
    pub(super) fn new(directory: &Directory) -> Self {
        let mut taken = BTreeSet::new();
        let plans = directory.plans().iter().map(|plan| unused(&words(plan.as_str(), "plan"), &mut taken));
        Self { plans: plans.map(|name| format!("/plans/{name}")).collect() }
    }

    /// A plan.
    pub(super) fn plan(&self, plan: PlanNumber) -> &str {
        &self.plans[plan.index()]
    }
}

/// A profile, as `Directory::profile_url` and every host have it.
pub(crate) fn profile(slug: &Slug) -> String {
    ["/providers/", slug.as_str()].concat()
}

pub(super) fn state(state: StateCode) -> String {
    format!("/states/{}", state.code().to_ascii_lowercase())
}

pub(super) fn visit_type(id: VisitTypeId) -> String {
    format!("/visit-types/{id}")
}

/// A text as a segment of an address: its letters and digits, lower case, joined by `-`.
pub(super) fn words(text: &str, otherwise: &str) -> String {
    let words = address_words(text);
    if words.is_empty() { otherwise.to_owned() } else { words }
}

/// A name that no earlier one has: the first of its kind keeps it bare.
fn unused(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut numbered = name.to_owned();
    let mut number = 2;
    while !taken.insert(numbered.clone()) {
        numbered = format!("{name}-{number}");
        number += 1;
    }
    numbered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_segments_that_differ() {
        assert_eq!(words("Cedar & Stone EPO", "plan"), "cedar-stone-epo");
        assert_eq!(words("Plan #1 (2026)", "plan"), "plan-1-2026");
        assert_eq!(words("…", "plan"), "plan");
        let mut taken = BTreeSet::new();
        let names = ["a", "a", "a-2", "a"].map(|name| unused(name, &mut taken));
        assert_eq!(names, ["a", "a-2", "a-2-2", "a-3"]);
    }
}
