//! Compares the search for words with a scan of all words of all providers, written from the contract.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use proptest::prelude::*;

use super::concepts_oracle::{Seen, concept, seen};
use super::tests::{directory_with, provider};
use super::typed::{Class, GENDERS, OTHERS, STOP_WORDS};
use super::*;
use crate::api::search_text::SearchText;
use crate::api::wire::{ProviderPage, Reason, UsedConcept};
use crate::model::{Gender, Provider, ProviderType, SearchWord, folded};

/// The words of a text: runs of letters, and for each run with apostrophes its parts, too.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in text.to_lowercase().split(|c: char| !c.is_ascii_alphanumeric() && c != '\'') {
        words.extend(run.split('\'').map(str::to_owned));
        words.push(run.replace('\'', ""));
    }
    words.retain(|word| !word.is_empty());
    words
}

fn names_of(provider: &Provider) -> Vec<String> {
    let former = provider.former_slugs.iter().flat_map(|slug| words(slug.as_str()));
    words(&provider.display_name).into_iter().chain(words(&provider.sort_name)).chain(former).collect()
}

fn words_of(provider: &Provider) -> Vec<String> {
    let interests = provider.clinical_interests.iter().flat_map(|interest| words(interest));
    let languages = provider.languages.iter().flat_map(|language| language.names()).flat_map(words);
    let certificates = provider.certifications.iter();
    let certificates = certificates.flat_map(|one| words(&format!("certified {} {}", one.issuer, one.name)));
    let others =
        words(&provider.credentials).into_iter().chain(interests).chain(languages).chain(certificates);
    names_of(provider).into_iter().chain(others).collect()
}

/// The words of every provider, by slug.
type Words<'d> = BTreeMap<&'d str, Vec<String>>;

fn words_of_all(directory: &Directory) -> Words<'_> {
    directory.providers().iter().map(|provider| (provider.slug.as_str(), words_of(provider))).collect()
}

/// The number of edits between two words, of which a swap of neighbors is one.
fn edits(one: &str, other: &str) -> usize {
    let (one, other): (Vec<_>, Vec<_>) = (one.chars().collect(), other.chars().collect());
    let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let cost = usize::from(one[i - 1] != other[j - 1]);
                let least = (table[i - 1][j] + 1).min(table[i][j - 1] + 1).min(table[i - 1][j - 1] + cost);
                let is_swap = i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
                if is_swap { least.min(table[i - 2][j - 2] + 1) } else { least }
            };
        }
    }
    table[one.len()][other.len()]
}

fn is_mistake(word: &str, known: &str) -> bool {
    word.len() >= 4 && word.chars().next() == known.chars().next() && edits(word, known) <= 1
}

/// What people type for a profession.
static TYPED: LazyLock<BTreeSet<(String, ProviderType)>> = LazyLock::new(|| {
    let mut typed = BTreeSet::from([
        ("dr".to_owned(), ProviderType::Physician),
        ("nps".to_owned(), ProviderType::NursePractitioner),
        ("therapy".to_owned(), ProviderType::Therapist),
    ]);
    for &profession in ProviderType::ALL {
        for phrases in ["en", "es"].map(|code| profession.typed(code.parse().unwrap())) {
            typed.extend(phrases.split(',').map(|phrase| (folded(phrase).replace(' ', ""), profession)));
        }
    }
    typed
});

/// The genders and the professions that a word names, if the directory lists them.
fn classes(word: &str, directory: &Directory) -> Vec<Class> {
    let genders = GENDERS.iter().filter(|(_, words)| words.contains(&word));
    let is_listed = |profession: &&ProviderType| {
        let is_used = directory.providers().iter().any(|provider| provider.provider_type == **profession);
        is_used || ["physician", "nursePractitioner"].contains(&profession.word())
    };
    let is_named = |profession: &&ProviderType| TYPED.contains(&(word.to_owned(), **profession));
    let professions = ProviderType::ALL.iter().filter(is_listed).filter(is_named);
    genders
        .map(|(gender, _)| Class::Gender(*gender))
        .chain(professions.map(|profession| Class::Type(*profession)))
        .collect()
}

fn others(word: &str, own: &[SearchWord]) -> Vec<String> {
    let built_in = OTHERS.iter().filter(|(typed, _)| typed.contains(&word)).flat_map(|(_, others)| *others);
    let built_in = built_in.map(|other| (*other).to_owned());
    built_in
        .chain(own.iter().filter(|entry| entry.typed == word).flat_map(|entry| entry.others.clone()))
        .collect()
}

/// Whether typed words mean one when they are joined, as "ob gyn" does.
fn is_one_word(words: &[String], directory: &Seen<'_>) -> bool {
    let joined = words.concat();
    directory.last.borrow_mut().insert(joined.clone(), words.last().map_or(0, String::len));
    let own = &directory.organization().search_words;
    !classes(&joined, directory).is_empty()
        || !concept(&joined, directory).is_empty()
        || words.len() == 2 && !others(&joined, own).is_empty()
}

/// A word that must match as it stands in the text, where it may be several.
fn as_typed(word: &str, text: &str) -> String {
    let typed: Vec<&str> = text.split(' ').collect();
    let mut runs = (1..=typed.len()).flat_map(|count| typed.windows(count));
    runs.find(|run| run.concat() == word).unwrap().join(" ")
}

/// The words that must match.
fn required(text: &str, directory: &Seen<'_>, all: &Words<'_>) -> Vec<String> {
    let mut typed: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let mut at = 0;
    while at + 1 < typed.len() {
        let most = (typed.len() - at).min(5);
        if let Some(count) = (2..=most).rev().find(|count| is_one_word(&typed[at..at + count], directory)) {
            let joined = typed[at..at + count].concat();
            typed.splice(at..at + count, [joined]);
        }
        at += 1;
    }
    let names: Vec<String> = directory.providers().iter().flat_map(names_of).collect();
    let is_like_a_name = |word: &str| {
        if all.values().flatten().any(|known| known.starts_with(word)) {
            names.iter().any(|name| name.starts_with(word))
        } else {
            names.iter().any(|name| is_mistake(word, name))
        }
    };
    let is_title = |at: usize| {
        let next = typed.get(at + 1);
        typed[at] == "doctor"
            && next.is_some_and(|next| classes(next, directory).is_empty() && is_like_a_name(next))
    };
    let is_small = |at: usize| STOP_WORDS.contains(&&*typed[at]) && !names.contains(&typed[at]);
    let kept: Vec<String> =
        (0..typed.len()).filter(|&at| !is_title(at) && !is_small(at)).map(|at| typed[at].clone()).collect();
    if kept.is_empty() { typed } else { kept }
}

/// The points of a word for a provider.
fn points(word: &str, provider: &Provider, directory: &Seen<'_>, all: &Words<'_>) -> usize {
    let own = &all[provider.slug.as_str()];
    let others = others(word, &directory.organization().search_words);
    let classes = classes(word, directory);
    let meant = if classes.is_empty() { concept(word, directory) } else { Vec::new() };
    let is_meant = provider
        .clinical_interests
        .iter()
        .any(|interest| meant.iter().any(|meant| interest.to_lowercase().contains(&meant.to_lowercase())));
    let is_of_class = classes.iter().any(|class| match *class {
        Class::Gender(gender) => provider.gender == gender,
        Class::Type(provider_type) => provider.provider_type == provider_type,
    });
    if own.iter().any(|known| known == word) {
        3
    } else if is_of_class
        || is_meant
        || classes.is_empty() && own.iter().any(|known| known.starts_with(word))
        || others.iter().any(|other| own.iter().any(|known| known.starts_with(other)))
    {
        2
    } else {
        let is_known = !classes.is_empty()
            || !others.is_empty()
            || !meant.is_empty()
            || all.values().flatten().any(|known| known.starts_with(word));
        usize::from(!is_known && own.iter().any(|known| is_mistake(word, known)))
    }
}

/// The reason of an empty result, found by looking at every provider.
fn why(
    directory: &Seen<'_>,
    search: &ProviderSearch,
    text: &str,
    required: &[String],
    all: &Words<'_>,
) -> Reason {
    let state = |provider: &Provider| search.state.is_none_or(|state| provider.licensed.contains(state));
    let gender = |provider: &Provider| search.gender.is_none_or(|gender| gender == provider.gender);
    let has = |provider: &Provider, word: &String| points(word, provider, directory, all) > 0;
    let any = |is_wanted: &dyn Fn(&Provider) -> bool| directory.providers().iter().any(is_wanted);
    if let Some(there) = search.state.filter(|_| !any(&state)) {
        let message = format!("No clinician here is licensed in {}.", there.name());
        return Reason { code: "STATE_NOT_SERVED", message };
    }
    let unknown = required.iter().find(|word| !any(&|provider| has(provider, word)));
    let words = |provider: &Provider| required.iter().all(|word| has(provider, word));
    let mut without = Vec::new();
    without.extend(any(&|provider| gender(provider) && words(provider)).then_some("state"));
    without.extend(any(&|provider| state(provider) && words(provider)).then_some("gender"));
    without.extend(any(&|provider| state(provider) && gender(provider)).then_some("name or interest"));
    let lead = "No one matches all of that.";
    let message = if let Some(word) = unknown {
        let word = as_typed(word, text);
        format!("We couldn't find \"{word}\" or a word like it. Search for the other words.")
    } else if without.is_empty() {
        format!("{lead} Try fewer requirements.")
    } else {
        format!("{lead} Clinicians match if {} doesn't matter.", without.join(" or "))
    };
    Reason { code: "NO_MATCH", message }
}

fn naive(directory: &Seen<'_>, search: &ProviderSearch, text: &str) -> String {
    let all = words_of_all(directory);
    let required = required(text, directory, &all);
    let mut found: Vec<(usize, &Provider)> = Vec::new();
    for provider in directory.providers() {
        let points: Vec<_> = required.iter().map(|word| points(word, provider, directory, &all)).collect();
        if points.iter().all(|&points| points > 0)
            && search.gender.is_none_or(|gender| gender == provider.gender)
            && search.state.is_none_or(|state| provider.licensed.contains(state))
        {
            found.push((points.iter().sum(), provider));
        }
    }
    // A stable sort: those with the same points stay in the order of the list.
    found.sort_by_key(|(points, _)| Reverse(*points));
    let reason = found.is_empty().then(|| why(directory, search, text, &required, &all));
    let (total, reason) = (found.len(), search.explain.then_some(reason));
    let used = required.iter().filter(|word| search.explain && classes(word, directory).is_empty());
    let used = used.map(|word| (word, concept(word, directory)));
    let used: Vec<(String, Vec<String>)> = used
        .filter(|(_, interests)| !interests.is_empty())
        .map(|(word, interests)| (as_typed(word, text), interests))
        .collect();
    let concepts =
        || used.iter().map(|(typed, interests)| UsedConcept { typed: typed.clone(), interests }).collect();
    let page = found.into_iter().map(|(_, provider)| provider);
    let page =
        page.skip(usize::try_from(search.offset).unwrap()).take(usize::try_from(search.limit).unwrap());
    let ProviderSearch { limit, offset, .. } = *search;
    match search.view {
        View::Profile => {
            let providers = page.map(|provider| ProviderProfile::new(directory, provider)).collect();
            serde_json::to_string(&ProviderPage {
                total,
                limit,
                offset,
                providers,
                concepts: concepts(),
                reason,
            })
            .unwrap()
        }
        View::Summary => {
            let providers = page.map(|provider| ProviderSummary::new(directory, provider)).collect();
            serde_json::to_string(&ProviderPage {
                total,
                limit,
                offset,
                providers,
                concepts: concepts(),
                reason,
            })
            .unwrap()
        }
    }
}

/// Words of few letters, so that many are alike.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[ab][abc]{0,9}",
        1 => "[ab]{1,3}'[abc]{2,5}",
        2 => prop::sample::select(vec![
            "menopause", "menonita", "sleep", "bone", "mandarino", "womens", "women", "doctora", "facog", "who", "an", "sleepy",
            "blood", "practice",
        ]).prop_map(str::to_owned),
    ]
}

prop_compose! {
    fn someone()(
        names in prop::collection::vec(word(), 1..3),
        interests in prop::collection::vec(word(), 0..4),
        former in prop::option::of("[ab]{2,4}-[abc]{3,6}"),
        languages in prop::sample::subsequence(vec!["Mandarin", "Spanish", "Arabic", "Bambara"], 0..3),
        sort in prop::option::of("[ab]{1,6}"),
        states in 1_usize..4,
        kind in 0_usize..7,
        gender in 0_usize..3,
    ) -> Provider {
        let licensed = ["AK", "CA"].iter().enumerate().filter(|(bit, _)| states & (1 << bit) != 0);
        let licensed = licensed.map(|(_, code)| code.parse().unwrap()).collect();
        let plain = provider(0, licensed, &[], kind, gender);
        Provider {
            display_name: names.join(" "),
            sort_name: sort.unwrap_or_else(|| names.join(" ")),
            clinical_interests: interests,
            former_slugs: former.into_iter().map(|slug| slug.parse().unwrap()).collect(),
            languages: languages.into_iter().map(|name| name.parse().unwrap()).collect(),
            ..plain
        }
    }
}

/// A typed word: complete, a prefix, or misspelled.
fn mistyped(word: &str, kind: u8, places: &[usize]) -> String {
    let mut letters: Vec<char> = word.chars().filter(|letter| *letter != '\'').collect();
    let edits = if kind < 4 { 0 } else { usize::from(kind % 3) };
    for &place in places.iter().take(edits) {
        let at = place % letters.len();
        match place / 16 % 4 {
            0 => letters[at] = 'b',
            1 => letters.insert(at, 'c'),
            2 if letters.len() > 1 => _ = letters.remove(at),
            _ if at > 0 => letters.swap(at - 1, at),
            _ => {}
        }
    }
    if kind == 0 {
        letters.truncate(1 + places[0] % letters.len());
    }
    letters.into_iter().collect()
}

static FIXED: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "therapist pa physician assistant social worker doctor dr woman women men man nurse np practitioner ob gyn hrt insomnia who speaks a an spanish mandarin chinese hot flashes"
        .split(' ')
        .collect()
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_search_for_words_equals_a_scan(
        people in prop::collection::vec(someone(), 1..40),
        own in prop::collection::btree_map("[ab][abc]{1,3}", prop::collection::vec("[ab]{1,4}", 1..3), 0..3),
        picked in prop::collection::vec(
            prop::collection::vec((any::<usize>(), 0_u8..12, [any::<usize>(), any::<usize>()]), 1..5), 12,
        ),
        state in prop::option::of(prop::sample::select(vec!["AK", "CA", "WY"])),
        gender in prop::option::of(0_usize..3),
        limit in 1_i64..30,
        offset in prop_oneof![3 => Just(0_i64), 1 => 0_i64..40],
        explain in any::<bool>(),
        is_summary in any::<bool>(),
    ) {
        let own = own.into_iter().map(|(typed, others)| SearchWord { typed, others }).collect();
        let people = people.into_iter().enumerate();
        let people = people.map(|(number, one)| Provider { slug: format!("p-{number}").parse().unwrap(), ..one });
        let directory = directory_with(people.collect(), own);
        let known: Vec<String> = directory.providers().iter().flat_map(words_of).collect();
        let index = SearchIndex::new(&directory, Profiles::Stored);
        let seen = seen(&directory);
        for picked in picked {
            let typed = picked.iter().map(|(which, kind, places)| match kind {
                8.. => FIXED[which % FIXED.len()].to_owned(),
                kind => mistyped(&known[which % known.len()], *kind, places),
            });
            let text = typed.collect::<Vec<_>>().join(" ");
            let search = ProviderSearch {
                text: Some(SearchText::parse(&text.chars().take(64).collect::<String>()).unwrap()),
                state: state.map(|code| code.parse().unwrap()),
                gender: gender.map(|gender| Gender::ALL[gender]),
                limit,
                offset,
                explain,
                view: if is_summary { View::Summary } else { View::Profile },
                ..ProviderSearch::default()
            };
            let text = search.text.as_ref().unwrap().as_str().trim();
            let found = index.page(&directory, &search).unwrap();
            prop_assert_eq!(String::from_utf8(found.to_vec()).unwrap(), naive(&seen, &search, text), "{}", text);
        }
    }
}
