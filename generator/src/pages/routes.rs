use std::collections::BTreeSet;

use directory::model::{Directory, PlanNumber, Slug, StateCode, VisitTypeId, address_words};

#[derive(Debug)]
pub(super) struct Routes {
    plans: Vec<String>,
}

impl Routes {
    pub(super) fn new(directory: &Directory) -> Self {
        let mut taken = BTreeSet::new();
        let plans = directory.plans().iter().map(|plan| unused(&segment(plan.as_str(), "plan"), &mut taken));
        Self { plans: plans.map(|name| format!("/plans/{name}")).collect() }
    }

    pub(super) fn plan(&self, plan: PlanNumber) -> &str {
        &self.plans[plan.index()]
    }
}

pub(crate) fn profile(slug: &Slug) -> String {
    ["/providers/", slug.as_str()].concat()
}

pub(super) fn state(state: StateCode) -> String {
    format!("/states/{}", state.code().to_ascii_lowercase())
}

pub(super) fn visit_type(id: VisitTypeId) -> String {
    format!("/visit-types/{id}")
}

/// Words in lower case, joined by `-`.
pub(super) fn segment(text: &str, fallback: &str) -> String {
    let words = address_words(text);
    if words.is_empty() { fallback.to_owned() } else { words }
}

fn unused(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut numbered = name.to_owned();
    let mut number = 2;
    while !taken.insert(numbered.clone()) {
        numbered = format!("{name}-{number}");
        number += 1;
    }
    numbered
}

/// Leaves an address on another site unchanged.
pub(super) fn path_of<'a>(url: &'a str, site_url: &str) -> &'a str {
    match url.strip_prefix(site_url) {
        Some("") => "/",
        Some(path) if path.starts_with('/') => path,
        _ => url,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_unique_path_segments() {
        assert_eq!(segment("Cedar & Stone EPO", "plan"), "cedar-stone-epo");
        assert_eq!(segment("Plan #1 (2026)", "plan"), "plan-1-2026");
        assert_eq!(segment("…", "plan"), "plan");
        let mut taken = BTreeSet::new();
        let names = ["a", "a", "a-2", "a"].map(|name| unused(name, &mut taken));
        assert_eq!(names, ["a", "a-2", "a-2-2", "a-3"]);
    }

    #[test]
    fn addresses_of_this_site_become_paths() {
        assert_eq!(path_of("https://a.example/x", "https://a.example"), "/x");
        assert_eq!(path_of("https://a.example", "https://a.example"), "/");
        assert_eq!(path_of("https://a.example.org/x", "https://a.example"), "https://a.example.org/x");
    }
}
