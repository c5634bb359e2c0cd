//! Compares the index with a scan of all providers.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;

use super::super::catalog::Catalog;
use super::*;
use crate::calendar::test_clinics;
use crate::model::{
    DirectoryParts, Gender, Generation, Organization, Provider, ProviderType, SearchWord, StateSet,
};

/// Few states and plans, so that filters often match.
const STATES: [&str; 4] = ["AK", "CA", "NY", "WY"];
const PLANS: [&str; 3] = ["Amber", "Birch", "Cedar"];

fn directory(providers: Vec<Provider>) -> Directory {
    directory_with(providers, Vec::new())
}

pub(super) fn directory_with(providers: Vec<Provider>, search_words: Vec<SearchWord>) -> Directory {
    let url = "https://clinic.example".to_owned();
    Directory::new(DirectoryParts {
        organization: Organization {
            name: "Clinic".to_owned(),
            description: "A clinic".to_owned(),
            api_url: url.clone(),
            mcp_url: url.clone(),
            site_url: url,
            live_url: None,
            booking_url: None,
            address: None,
            patients: crate::model::Patients::default(),
            search_words,
            standards: None,
            discovery: crate::model::Discovery::default(),
        },
        texts: Vec::new(),
        plans: PLANS.iter().map(|name| name.parse().unwrap()).collect(),
        visit_types: Vec::new(),
        providers: providers.into_iter().map(|provider| (Box::new(provider), None)).collect(),
        retired: BTreeSet::new(),
        accuracy: crate::model::AccuracyParts::default(),
        generation: Generation("0".to_owned()),
    })
}

pub(super) fn provider(
    number: usize,
    licensed: StateSet,
    plans: &[(u8, u8)],
    kind: usize,
    gender: usize,
) -> Provider {
    let states: Vec<_> = licensed.iter().collect();
    let mut insurance: Vec<(StateCode, Vec<PlanNumber>)> = Vec::new();
    for &state in &states {
        let here: BTreeSet<_> = plans
            .iter()
            .filter(|(at, _)| states[usize::from(*at) % states.len()] == state)
            .map(|(_, plan)| PlanNumber(u16::from(*plan) % 3))
            .collect();
        if !here.is_empty() {
            insurance.push((state, here.into_iter().collect()));
        }
    }
    Provider {
        id: format!("prov-{number}").parse().unwrap(),
        slug: format!("p-{number}").parse().unwrap(),
        former_slugs: Vec::new(),
        display_name: format!("Person {number}"),
        // Some share a sort name, so that the slug decides the order.
        sort_name: format!("name {}", number % 3),
        provider_type: ProviderType::ALL[kind],
        gender: Gender::ALL[gender],
        bio: "A \"bio\".".to_owned(),
        insurance,
        visit_types: Vec::new(),
        licensed,
        accepting: StateSet::EMPTY,
        ..test_clinics::provider(number)
    }
}

prop_compose! {
    fn providers()(
        all in prop::collection::vec(
            (1_usize..16, prop::collection::vec((any::<u8>(), any::<u8>()), 0..4), 0_usize..2, 0_usize..5),
            0..150,
        )
    ) -> Vec<Provider> {
        all.into_iter().enumerate().map(|(number, (states, plans, kind, gender))| {
            let licensed = STATES.iter().enumerate().filter(|(bit, _)| states & (1 << bit) != 0);
            let licensed = licensed.map(|(_, code)| code.parse().unwrap()).collect();
            provider(number, licensed, &plans, kind, gender)
        }).collect()
    }
}

prop_compose! {
    fn search()(
        state in prop::option::of(prop::sample::select(vec!["AK", "CA", "NY", "WY", "TX"])),
        insurance in prop::option::of(prop::sample::select(vec!["Amber", "bIRCH", "Cedar", "Dune"])),
        kind in prop::option::of(0_usize..2),
        gender in prop::option::of(0_usize..5),
        limit in 1_i64..=100,
        offset in prop_oneof![Just(0_i64), 0_i64..160, Just(i64::MAX)],
    ) -> ProviderSearch {
        ProviderSearch {
            state: state.map(|code| code.parse().unwrap()),
            insurance: insurance.map(str::to_owned),
            provider_type: kind.map(|kind| ProviderType::ALL[kind]),
            gender: gender.map(|gender| Gender::ALL[gender]),
            limit,
            offset,
            ..ProviderSearch::default()
        }
    }
}

/// The page by a scan; `None` for a plan that no provider accepts.
fn naive(directory: &Directory, search: &ProviderSearch) -> Option<String> {
    let accepts = |provider: &Provider, plan: &str| {
        let by_state = provider.insurance.iter();
        by_state
            .filter(|(state, _)| search.state.is_none_or(|only| only == *state))
            .flat_map(|(_, plans)| plans)
            .any(|&number| directory.plan(number).as_str().eq_ignore_ascii_case(plan))
    };
    if let Some(plan) = &search.insurance {
        let anywhere = |provider: &Provider| {
            provider.plans().iter().any(|&number| directory.plan(number).as_str().eq_ignore_ascii_case(plan))
        };
        if !directory.providers().iter().any(anywhere) {
            return None;
        }
    }
    let matching: Vec<&Provider> = directory
        .providers()
        .iter()
        .filter(|provider| search.state.is_none_or(|state| provider.licensed.contains(state)))
        .filter(|provider| search.insurance.as_deref().is_none_or(|plan| accepts(provider, plan)))
        .filter(|provider| search.provider_type.is_none_or(|kind| provider.provider_type == kind))
        .filter(|provider| search.gender.is_none_or(|gender| provider.gender == gender))
        .collect();
    let page: Vec<_> = matching
        .iter()
        .skip(usize::try_from(search.offset).unwrap())
        .take(usize::try_from(search.limit).unwrap())
        .map(|provider| ProviderProfile::new(directory, provider))
        .collect();
    let page = crate::api::wire::ProviderPage {
        total: matching.len(),
        limit: search.limit,
        offset: search.offset,
        providers: page,
        concepts: Vec::new(),
        reason: None,
    };
    Some(serde_json::to_string(&page).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_search_equals_a_scan(providers in providers(), search in search()) {
        let directory = directory(providers);
        for profiles in [Profiles::Stored, Profiles::OnDemand] {
            let index = SearchIndex::new(&directory, profiles);
            let found = index.page(&directory, &search).ok();
            let found = found.map(|body| String::from_utf8(body.to_vec()).unwrap());
            prop_assert_eq!(found, naive(&directory, &search));
            for number in directory.provider_numbers() {
                let profile = ProviderProfile::new(&directory, directory.provider(number));
                prop_assert_eq!(index.profile(&directory, number), serde_json::to_vec(&profile).unwrap());
            }
        }
    }

    #[test]
    fn the_catalogs_answer_equals_a_scan(providers in providers(), search in search()) {
        let directory = directory(providers);
        let searches = [ProviderSearch::first_page(View::Profile, search.state), search];
        let expected = searches.each_ref().map(|search| naive(&directory, search));
        let catalog = Catalog::new(directory, Profiles::Stored);
        let found = searches.map(|search| {
            let answer = catalog.providers(&search).ok();
            answer.map(|answer| String::from_utf8(answer.body().to_vec()).unwrap())
        });
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn paging_visits_each_provider_once_in_a_fixed_order(providers in providers(), limit in 1_i64..=100) {
        let directory = directory(providers);
        let index = SearchIndex::new(&directory, Profiles::Stored);
        let mut seen = Vec::new();
        let mut offset = 0;
        loop {
            let search = ProviderSearch { limit, offset, ..ProviderSearch::default() };
            let page: Value = serde_json::from_slice(&index.page(&directory, &search).unwrap()).unwrap();
            prop_assert_eq!(&page["total"], directory.providers().len());
            let page = page["providers"].as_array().unwrap().clone();
            if page.is_empty() {
                break;
            }
            seen.extend(page.iter().map(|profile| profile["slug"].as_str().unwrap().to_owned()));
            offset += limit;
        }
        let mut expected: Vec<_> = directory.providers().iter().map(|p| (p.sort_name.clone(), p.slug.to_string())).collect();
        expected.sort();
        prop_assert_eq!(seen, expected.into_iter().map(|(_, slug)| slug).collect::<Vec<_>>());
    }
}
