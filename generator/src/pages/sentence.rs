//! Writes `assets/sentence.json`: what this clinic's names mean in the sentences that people type into the search, and
//! `assets/sentence-places.json`, the places and plans that most sentences don't name.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use directory::api::{Concept, concepts};
use directory::model::{Directory, Language, Modality, StateCode};
use serde::Serialize;

use super::lists::Lists;
use super::places::{
    ABROAD, BRANDS, CITIES, HOLIDAYS, NEIGHBORS, OTHER_NAMES, PROFESSIONS, SHARED_CITIES, ZIPS,
};
use super::wording;
use crate::json::to_json;
use crate::path::{PathError, TreePath};

#[derive(Debug, Serialize)]
struct Sentence<'a> {
    states: BTreeMap<&'static str, &'static str>,
    served: String,
    /// The served states beside each of the others.
    neighbors: BTreeMap<&'static str, String>,
    /// Name, and the states where a clinician accepts it.
    plans: Vec<(&'a str, String)>,
    /// Id, name, whether it is by video, and whether new patients can book it.
    visits: Vec<(i32, &'a str, bool, bool)>,
    /// Name and code.
    languages: BTreeSet<(&'static str, &'static str)>,
    genders: BTreeSet<&'static str>,
    /// What people type for professions, in English and in Spanish.
    types: BTreeMap<&'static str, String>,
    interests: Vec<&'a str>,
    concepts: Vec<(Vec<&'a str>, String)>,
}

#[derive(Debug, Serialize)]
struct Places {
    /// Codes of states, and cities: those of several first, those of the served states, and the largest of the others.
    cities: Vec<(&'static str, String)>,
    abroad: &'static str,
    /// Codes of states, and how people call them.
    names: &'static [(&'static str, &'static str)],
    brands: Vec<&'static str>,
    /// The first three digits of ZIP codes, and the state whose codes begin there.
    zips: Vec<(&'static str, &'static str)>,
    holidays: &'static [(&'static str, u8, u8, i8)],
    professions: &'static [(&'static str, &'static str, &'static str)],
}

pub(super) fn files(directory: &Directory, lists: &Lists) -> Result<[(TreePath, Bytes); 2], PathError> {
    let providers = directory.providers();
    let licensed = directory.licensed();
    let is_served = |code: &str| code.parse().is_ok_and(|state| licensed.contains(state));
    let neighbors = NEIGHBORS.iter().filter(|(code, _)| !is_served(code)).map(|(code, beside)| {
        let served: Vec<_> = beside.split(' ').filter(|code| is_served(code)).collect();
        (*code, served.join(" "))
    });
    let shared = SHARED_CITIES.iter().map(|(codes, names)| (*codes, (*names).to_owned()));
    let cities = CITIES.iter().filter_map(|(code, names)| {
        let largest = names.split_once("; ").map(|(largest, _)| largest.to_owned());
        Some((*code, if is_served(code) { names.replace("; ", ", ") } else { largest? }))
    });
    let visits = directory.visit_types().iter().map(|visit_type| {
        let is_video = visit_type.modality == Modality::Video;
        (visit_type.id.get(), &*visit_type.name, is_video, visit_type.new_patient_eligible)
    });
    let languages = providers.iter().flat_map(|provider| &provider.languages);
    let languages_typed = || ["en", "es"].into_iter().filter_map(|code| code.parse::<Language>().ok());
    let types = providers.iter().map(|provider| provider.provider_type).map(|profession| {
        let phrases: Vec<_> = languages_typed().map(|language| profession.typed(language)).collect();
        (profession.word(), phrases.join(", "))
    });
    let mut interests: Vec<&str> = Vec::new();
    let mut known = BTreeSet::new();
    let named = providers.iter().flat_map(|provider| &provider.clinical_interests);
    interests.extend(named.map(String::as_str).filter(|name| known.insert(*name)));
    let plans = lists.states_of_plan.iter();
    let plans = plans.map(|(plan, states)| (directory.plan(*plan).as_str(), wording::codes(*states)));
    let mut concepts = concepts(directory);
    for texts in directory.texts() {
        let translated = interests.iter().filter_map(|name| Some((*name, texts.translated(name)?)));
        concepts
            .extend(translated.map(|(name, said)| Concept { interests: vec![name], phrases: vec![said] }));
    }
    let concepts = concepts.into_iter();
    let sentence = Sentence {
        states: StateCode::all().map(|state| (state.code(), state.name())).collect(),
        served: wording::codes(licensed),
        neighbors: neighbors.filter(|(_, beside)| !beside.is_empty()).collect(),
        plans: plans.collect(),
        visits: visits.collect(),
        languages: languages.map(|language| (language.name(), language.code())).collect(),
        genders: providers.iter().map(|provider| provider.gender.word()).collect(),
        types: types.collect(),
        interests,
        concepts: concepts.map(|concept| (concept.interests, concept.phrases.join(", "))).collect(),
    };
    let places = Places {
        cities: shared.chain(cities).collect(),
        abroad: ABROAD,
        names: &OTHER_NAMES,
        brands: BRANDS.lines().collect(),
        zips: ZIPS.split(' ').map(|begin| begin.split_at(3)).collect(),
        holidays: &HOLIDAYS,
        professions: &PROFESSIONS,
    };
    Ok([
        ("assets/sentence.json".parse()?, to_json(&sentence).into()),
        ("assets/sentence-places.json".parse()?, to_json(&places).into()),
    ])
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use super::*;
    use crate::pages::places::zones_of_state;
    use crate::test_fixture as fixture;

    fn repository() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    #[test]
    fn the_time_zones_of_every_state_are_known() {
        for state in StateCode::all() {
            let zones = zones_of_state(state).unwrap_or_else(|| panic!("{}", state.code()));
            assert!(zones.split(' ').all(|zone| zone.parse::<directory::calendar::Tz>().is_ok()), "{zones}");
        }
    }

    #[test]
    fn places_are_of_states_and_lie_beside_each_other_both_ways() {
        let beside =
            |code: &str| NEIGHBORS.iter().find(|(state, _)| *state == code).map(|(_, beside)| *beside);
        for (code, neighbors) in NEIGHBORS {
            for neighbor in neighbors.split(' ') {
                assert!(neighbor.parse::<StateCode>().is_ok(), "{neighbor}");
                assert!(beside(neighbor).unwrap().split(' ').any(|back| back == code), "{code} {neighbor}");
            }
        }
        let all = || CITIES.iter().chain(&SHARED_CITIES);
        assert!(all().flat_map(|(codes, _)| codes.split(' ')).all(|code| code.parse::<StateCode>().is_ok()));
        assert!(CITIES.iter().map(|(_, names)| names.split([',', ';']).count()).sum::<usize>() >= 200);
    }

    /// The scripts' own test reads these copies, so that it needs no build.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test reads its copy")]
    fn the_copies_for_the_tests_of_sentences_are_the_demos() {
        let snapshot = fixture::load(&repository().join("content"));
        let directory = snapshot.directory();
        let files = files(directory, &Lists::new(directory)).unwrap();
        for ((_, data), copy) in files.into_iter().zip(["sentence-clinic.json", "sentence-places.json"]) {
            let pretty: serde_json::Value = serde_json::from_slice(&data).unwrap();
            let text = serde_json::to_string_pretty(&pretty).unwrap() + "\n";
            let copy = repository().join("tests/cases").join(copy);
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&copy, &text).unwrap();
            }
            assert_eq!(
                text,
                std::fs::read_to_string(&copy).unwrap(),
                "if this is right, run the test with BLESS=1"
            );
        }
    }

    #[test]
    fn sentences_are_understood_as_the_cases_say() {
        if Command::new("node").arg("--version").output().is_err() {
            return;
        }
        for cases in ["", "-more", "-wishes", "-veiled", "-said", "-phone", "-sunday", "-danger", "-meant"] {
            let cases = format!("tests/cases/sentences{cases}.json");
            let output = Command::new("node")
                .args(["tests/sentences.mjs", &cases])
                .current_dir(repository())
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
    }
}
