//! `assets/clinicians.json`: the index of the search.
//!
//! Browsers fetch the whole index, so rows are short and refer to repeated texts by number. Only
//! `site/assets/people.js` reads it; it is not part of the API. A larger clinic's index has the API's paths instead of
//! rows: its search asks the API.

use std::borrow::Cow;
use std::collections::HashMap;

use directory::api::{Operation, OperationId};
use directory::model::{Directory, Modality, Provider};
use serde::Serialize;

use super::profile::portrait;
use super::{routes, wording};
use crate::json;
use crate::path::{PathError, TreePath};

const MOST_CLINICIANS: usize = 20_000;
/// The capacity for each row, enough for most: growing the file would copy megabytes.
const BYTES_PER_ROW: usize = 512;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Index<'a> {
    plans: Vec<&'a str>,
    interests: Vec<&'a str>,
    languages: Vec<&'a str>,
    visits: Vec<Visit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    api: Option<Api<'a>>,
    /// The last field, for [`json::write_list`].
    clinicians: [FinderRow<'a>; 0],
}

/// What the search asks where the index has no rows.
#[derive(Debug, Serialize)]
struct Api<'a> {
    summary: &'static str,
    /// With `{slug}` in it.
    profile: &'static str,
    /// The site's own address. Portraits below it are fetched from the origin of the page.
    site: &'a str,
}

#[derive(Debug, Serialize)]
struct Visit {
    id: i32,
    video: bool,
    /// Whether new patients may book it.
    open: bool,
    states: String,
}

/// Path, name, credentials, portrait, states licensed, states accepting, plans by state, visit types, interests, gender,
/// type, languages.
#[derive(Debug, Serialize)]
struct FinderRow<'a>(
    String,
    &'a str,
    &'a str,
    Cow<'a, str>,
    String,
    String,
    Vec<(&'static str, Vec<usize>)>,
    Vec<i32>,
    Vec<usize>,
    &'static str,
    &'static str,
    Vec<usize>,
);

pub(super) fn index(directory: &Directory) -> Result<(TreePath, bytes::Bytes), PathError> {
    Ok(("assets/clinicians.json".parse()?, index_of_at_most(MOST_CLINICIANS, directory).into()))
}

fn index_of_at_most(most_rows: usize, directory: &Directory) -> Vec<u8> {
    let providers = directory.providers();
    let has_rows = providers.len() <= most_rows;
    let mut interests = Numbered::default();
    for name in providers.iter().flat_map(|provider| &provider.clinical_interests) {
        interests.add(name);
    }
    let mut languages = Numbered::default();
    for language in providers.iter().flat_map(|provider| &provider.languages) {
        languages.add(language.name());
    }
    let visits = directory.visit_types().iter().map(|visit_type| Visit {
        id: visit_type.id.get(),
        video: visit_type.modality == Modality::Video,
        open: visit_type.new_patient_eligible,
        states: wording::codes(visit_type.states),
    });
    let index = Index {
        plans: directory.plans().iter().map(directory::model::PlanName::as_str).collect(),
        interests: interests.names,
        languages: languages.names,
        visits: visits.collect(),
        api: (!has_rows).then(|| Api {
            summary: Operation::get(OperationId::ProviderSummaries).path,
            profile: Operation::get(OperationId::Provider).path,
            site: &directory.organisation().site_url,
        }),
        clinicians: [],
    };
    let listed = if has_rows { providers } else { &[] };
    let mut file = Vec::with_capacity(listed.len() * BYTES_PER_ROW);
    _ = json::write_list(&mut file, &index, listed, |provider| {
        row(directory, provider, &interests.numbers, &languages.numbers)
    });
    file
}

fn row<'p>(
    directory: &Directory,
    provider: &'p Provider,
    interests: &HashMap<&str, usize>,
    languages: &HashMap<&str, usize>,
) -> FinderRow<'p> {
    let plans = provider.licensed.iter().map(|state| {
        let plans = provider.plans_in(state).iter().map(|plan| plan.index());
        (state.code(), plans.collect())
    });
    let numbers = provider.clinical_interests.iter();
    let spoken = provider.languages.iter();
    FinderRow(
        routes::profile(&provider.slug),
        &provider.display_name,
        &provider.credentials,
        portrait(directory, provider).unwrap_or_default(),
        wording::codes(provider.licensed),
        wording::codes(provider.accepting),
        plans.collect(),
        provider.visit_types.iter().map(|id| id.get()).collect(),
        numbers.filter_map(|name| interests.get(name.as_str()).copied()).collect(),
        provider.gender.word(),
        provider.provider_type.word(),
        spoken.filter_map(|language| languages.get(language.name()).copied()).collect(),
    )
}

/// Texts and their numbers, in order of first occurrence.
#[derive(Debug, Default)]
struct Numbered<'a> {
    names: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Numbered<'a> {
    fn add(&mut self, name: &'a str) {
        let next = self.names.len();
        self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            next
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixture as fixture;

    fn parsed(most_rows: usize) -> serde_json::Value {
        let snapshot = fixture::snapshot();
        serde_json::from_slice(&index_of_at_most(most_rows, snapshot.directory())).unwrap()
    }

    #[test]
    fn the_index_of_a_small_clinic_lists_everybody() {
        let index = parsed(2);
        assert_eq!(index["clinicians"].as_array().unwrap().len(), 2);
        assert_eq!(index.get("api"), None);
    }

    #[test]
    fn the_index_of_a_large_clinic_names_what_the_search_asks_instead() {
        let (index, small) = (parsed(1), parsed(2));
        assert_eq!(index["clinicians"], serde_json::json!([]));
        assert_eq!(index["api"]["summary"], "/v1/providers/summary");
        assert_eq!(index["api"]["profile"], "/v1/providers/{slug}");
        assert_eq!(index["visits"], small["visits"]);
        assert_eq!(index["interests"], small["interests"]);
    }
}
