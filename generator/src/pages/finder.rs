//! Writes `assets/clinicians.json`, the index of the search. Browsers fetch all of it, so rows are short and refer to
//! repeated texts by number. For a very large clinic, it has the API's paths instead of rows, and the search asks the API.

use std::borrow::Cow;
use std::collections::HashMap;

use directory::api::{Operation, OperationId};
use directory::model::{Directory, Modality, Provider};
use rayon::prelude::*;
use serde::Serialize;

use super::profile::{LeaveDays, leave_days, portrait};
use super::{routes, wording};
use crate::json::to_json;
use crate::path::{PathError, TreePath};

const MAX_CLINICIANS: usize = 20_000;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Index<'a> {
    plans: Vec<&'a str>,
    interests: Vec<&'a str>,
    languages: Vec<&'a str>,
    specialties: Vec<&'a str>,
    visits: Vec<Visit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    api: Option<Api<'a>>,
    clinicians: Vec<FinderRow<'a>>,
}

/// The search uses it if the index has no rows.
#[derive(Debug, Serialize)]
struct Api<'a> {
    summary: &'static str,
    /// Contains the placeholder `{slug}`.
    profile: &'static str,
    /// The search removes it from the addresses of portraits.
    site: &'a str,
}

#[derive(Debug, Serialize)]
struct Visit {
    id: i32,
    video: bool,
    /// New patients can book it.
    open: bool,
    states: String,
}

/// In this order: path, name, credentials, portrait, states of licensure, states with new patients, plans by state, visit
/// types, interests, gender, provider type, languages, and if there are any, further facts.
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
    #[serde(skip_serializing_if = "Further::is_empty")] Further<'a>,
);

#[derive(Debug, Serialize)]
struct Further<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    leaves: Vec<LeaveDays>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    badges: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    specialties: Vec<usize>,
}

impl Further<'_> {
    fn is_empty(&self) -> bool {
        self.leaves.is_empty() && self.badges.is_empty() && self.specialties.is_empty()
    }
}

pub(super) fn index(directory: &Directory) -> Result<(TreePath, bytes::Bytes), PathError> {
    Ok(("assets/clinicians.json".parse()?, index_with(MAX_CLINICIANS, directory).into()))
}

fn index_with(max_rows: usize, directory: &Directory) -> Vec<u8> {
    let providers = directory.providers();
    let has_rows = providers.len() <= max_rows;
    let interests = providers.iter().flat_map(|provider| &provider.clinical_interests);
    let interests = Numbered::new(interests.map(String::as_str));
    let languages = providers.iter().flat_map(|provider| &provider.languages);
    let languages = Numbered::new(languages.map(|language| language.name()));
    let specialties = Numbered::new(providers.iter().flat_map(specialties_of));
    let visits = directory.visit_types().iter().map(|visit_type| Visit {
        id: visit_type.id.get(),
        video: visit_type.modality == Modality::Video,
        open: visit_type.new_patient_eligible,
        states: wording::codes(visit_type.states),
    });
    let listed = if has_rows { providers } else { &[] };
    let numbers = [&interests, &languages, &specialties].map(|named| &named.numbers);
    let rows = listed.par_iter().map(|provider| row(directory, provider, numbers));
    to_json(&Index {
        clinicians: rows.collect(),
        plans: directory.plans().iter().map(directory::model::PlanName::as_str).collect(),
        interests: interests.names,
        languages: languages.names,
        specialties: specialties.names,
        visits: visits.collect(),
        api: (!has_rows).then(|| Api {
            summary: Operation::get(OperationId::ProviderSummaries).path,
            profile: Operation::get(OperationId::Provider).path,
            site: &directory.organization().site_url,
        }),
    })
}

fn row<'p>(
    directory: &Directory,
    provider: &'p Provider,
    [interests, languages, specialties]: [&HashMap<&str, usize>; 3],
) -> FinderRow<'p> {
    let plans = provider.licensed.iter().map(|state| {
        let plans = provider.plans_in(state).iter().map(|plan| plan.index());
        (state.code(), plans.collect())
    });
    let own_interests = provider.clinical_interests.iter();
    let own_languages = provider.languages.iter();
    FinderRow(
        routes::profile(&provider.slug),
        &provider.display_name,
        &provider.credentials,
        portrait(directory, provider).unwrap_or_default(),
        wording::codes(provider.licensed),
        wording::codes(provider.accepting),
        plans.collect(),
        provider.visit_types.iter().map(|id| id.get()).collect(),
        own_interests.filter_map(|name| interests.get(name.as_str()).copied()).collect(),
        provider.gender.word(),
        provider.provider_type.word(),
        own_languages.filter_map(|language| languages.get(language.name()).copied()).collect(),
        Further {
            leaves: leave_days(directory, provider),
            badges: provider.badges().collect(),
            specialties: specialties_of(provider).filter_map(|name| specialties.get(name).copied()).collect(),
        },
    )
}

/// As the API's `q` finds them.
fn specialties_of(provider: &Provider) -> impl Iterator<Item = &str> {
    let certifications = provider.certifications.iter().map(|certification| &*certification.name);
    provider.specialties().into_iter().map(|(_, name)| name).chain(certifications)
}

/// Numbered in the order of their first occurrence.
#[derive(Debug, Default)]
struct Numbered<'a> {
    names: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Numbered<'a> {
    fn new(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut numbered = Self::default();
        for text in texts {
            let next = numbered.names.len();
            if *numbered.numbers.entry(text).or_insert(next) == next {
                numbered.names.push(text);
            }
        }
        numbered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixture as fixture;

    fn parsed(max_rows: usize) -> serde_json::Value {
        let snapshot = fixture::snapshot();
        serde_json::from_slice(&index_with(max_rows, snapshot.directory())).unwrap()
    }

    #[test]
    fn the_index_of_a_small_clinic_lists_all_clinicians() {
        let index = parsed(2);
        assert_eq!(index["clinicians"].as_array().unwrap().len(), 2);
        assert_eq!(index.get("api"), None);
    }

    #[test]
    fn the_index_of_a_large_clinic_has_the_paths_of_the_api_instead() {
        let (index, small) = (parsed(1), parsed(2));
        assert_eq!(index["clinicians"], serde_json::json!([]));
        assert_eq!(index["api"]["summary"], "/v1/providers/summary");
        assert_eq!(index["api"]["profile"], "/v1/providers/{slug}");
        assert_eq!(index["visits"], small["visits"]);
        assert_eq!(index["interests"], small["interests"]);
    }
}
