//! Filtered search for clinicians, beside a scan that serializes what it finds, and the search for words.
//!
//! `cargo run --profile dist -p benches --bin search [PROVIDERS …]` prints a table for each size.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a measurement prints, and stops where it cannot go on"
)]

use benches::clinic::Clinic;
use benches::measure::median;
use chrono::{DateTime, NaiveDate};
use directory::api::split_target;
use directory::content::load_and_check;
use directory::model::StateCode;
use directory::{Directory, Request, Snapshot};
use serde_json::Value;

fn main() {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|size| size.parse().ok()).collect();
    for size in if sizes.is_empty() { vec![1_000, 10_000, 100_000] } else { sizes } {
        measure(size);
    }
}

fn measure(providers: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    Clinic { providers, seed: 1, with_hours: false }.write(folder.path()).expect("the clinic is written");
    let checked = load_and_check(folder.path(), NaiveDate::default()).expect("the clinic is valid");
    let snapshot = Snapshot::new(checked.directory);
    let profiles = profiles(&snapshot);
    println!("{providers} providers");
    println!(
        "  {:<34} {:>6} {:>6} {:>10} {:>10} {:>12} {:>7}",
        "", "total", "shown", "index", "+ tag", "scan", "ratio"
    );
    for (name, target) in questions(&snapshot, &profiles) {
        let request = Request::from_target(&target).expect("a request");
        let query = split_target(&target).1.unwrap_or_default();
        let answer = snapshot.answer(&request, DateTime::UNIX_EPOCH).expect("an answer");
        let page: Value = serde_json::from_slice(answer.body()).expect("JSON");
        assert_eq!(scan(&profiles, query).as_bytes(), answer.body(), "the scan agrees");
        let alike = alike(&target);
        let mut turn = 0;
        let mut next = || {
            turn = (turn + 1) % alike.len();
            snapshot.answer(&alike[turn], DateTime::UNIX_EPOCH)
        };
        let index = median(&mut next);
        let tagged = median(|| next().map(|answer| answer.etag().clone()));
        let scanned = median(|| scan(&profiles, query));
        println!(
            "  {name:<34} {:>6} {:>6} {:>7.2} µs {:>7.2} µs {:>9.1} µs {:>6.0}x",
            page["total"],
            page["providers"].as_array().map_or(0, Vec::len),
            index.as_secs_f64() * 1e6,
            tagged.as_secs_f64() * 1e6,
            scanned.as_secs_f64() * 1e6,
            scanned.as_secs_f64() / index.as_secs_f64()
        );
    }
    for (name, texts) in searches(&profiles) {
        let ask = |text: &String| {
            Request::from_target(&format!("/v1/providers?q={}", text.replace(' ', "+"))).expect("a request")
        };
        let requests: Vec<_> = texts.iter().map(ask).collect();
        let totals = requests.iter().map(|request| {
            let answer = snapshot.answer(request, DateTime::UNIX_EPOCH).expect("an answer");
            let page: Value = serde_json::from_slice(answer.body()).expect("JSON");
            page["total"].as_u64().unwrap_or_default()
        });
        let total = totals.sum::<u64>() / requests.len() as u64;
        let mut turn = 0;
        let index = median(|| {
            turn = (turn + 1) % requests.len();
            snapshot.answer(&requests[turn], DateTime::UNIX_EPOCH)
        });
        println!("  {name:<34} {total:>6} {:>6} {:>7.2} µs", "", index.as_secs_f64() * 1e6);
    }
}

/// What people type, with the names of many clinicians: each row's total is the mean.
fn searches(profiles: &[Value]) -> Vec<(&'static str, Vec<String>)> {
    let step = profiles.len().div_ceil(500);
    let names = profiles.iter().step_by(step).filter_map(|profile| profile["displayName"].as_str());
    let names: Vec<Vec<&str>> = names.map(|name| name.split(' ').take(2).collect()).collect();
    let of_each =
        |text: &dyn Fn(&str, &str) -> String| names.iter().map(|name| text(name[0], name[1])).collect();
    let misspelled = |word: &str| {
        let letters = word.chars().enumerate().filter(|(at, _)| *at != 2);
        letters.map(|(_, letter)| letter).collect::<String>()
    };
    vec![
        ("q: a last name", of_each(&|_, last| last.to_owned())),
        ("q: Dr. and a whole name", of_each(&|first, last| format!("Dr. {first} {last}"))),
        ("q: a misspelled last name", of_each(&|_, last| misspelled(last))),
        (
            "q: a misspelled whole name",
            of_each(&|first, last| format!("{} {}", misspelled(first), misspelled(last))),
        ),
        ("q: woman doctor, an interest", vec!["woman doctor menopause".to_owned()]),
        ("q: four misspelled words", vec!["perimenopase hormne thyriod nutritoin".to_owned()]),
    ]
}

/// Every profile as a value, in the order of lists.
fn profiles(snapshot: &Snapshot) -> Vec<Value> {
    let directory: &Directory = snapshot.directory();
    let profile = |slug| {
        let answer = snapshot.answer(&Request::profile(slug), DateTime::UNIX_EPOCH).expect("a profile");
        serde_json::from_slice(answer.body()).expect("JSON")
    };
    directory.providers().iter().map(|provider| profile(&provider.slug)).collect()
}

/// Questions as people ask them; the four filters are chosen so that about five clinicians match.
fn questions(snapshot: &Snapshot, profiles: &[Value]) -> Vec<(&'static str, String)> {
    let plans = snapshot.directory().plans();
    let four = |plan: &str| format!("state=CA&insurance={plan}&providerType=physician&gender=female&limit=5");
    let total = |query: &str| scan_total(profiles, query);
    let rarest = plans
        .iter()
        .map(|plan| plan.as_str().replace(' ', "%20"))
        .filter(|plan| total(&four(plan)) >= 5)
        .min_by_key(|plan| total(&four(plan)))
        .unwrap_or_default();
    vec![
        ("four filters, limit 5", format!("/v1/providers?{}", four(&rarest))),
        ("state only, limit 20", "/v1/providers?state=CA&limit=20".to_owned()),
        ("state only, limit 10", "/v1/providers?state=CA".to_owned()),
        ("state and plan, limit 10", format!("/v1/providers?state=CA&insurance={rarest}")),
        ("no filter, limit 10", "/v1/providers".to_owned()),
        ("gender, limit 10, in the middle", {
            format!("/v1/providers?gender=female&offset={}", total("gender=female") / 2)
        }),
    ]
}

/// Questions of one kind, some thousands of them: a plan's name in other letters, and other pages of other states.
fn alike(target: &str) -> Vec<Request> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let states: Vec<&str> = StateCode::all().map(StateCode::code).collect();
    let variant = |turn: usize| {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some(("insurance", plan)) => format!("insurance={}", in_other_letters(plan, turn)),
            Some(("state", _)) if !query.contains("insurance") => {
                format!("state={}", states[turn % states.len()])
            }
            Some(("offset", offset)) => {
                let offset: usize = offset.parse().expect("a number");
                format!("offset={}", offset / 2 + turn % offset)
            }
            _ => pair.to_owned(),
        });
        let mut query: Vec<_> = pairs.collect();
        if query.iter().any(|pair| pair.starts_with("limit=20")) {
            query.push(format!("offset={}", turn / states.len() % 100));
        }
        Request::from_path_and_query(path, Some(&query.join("&"))).expect("a request")
    };
    (0..4096).map(variant).collect()
}

/// A name in other letters, upper and lower, which are the same to the search.
fn in_other_letters(name: &str, turn: usize) -> String {
    let mut letters = 0;
    let letter = |letter: char| {
        let is_upper = letter.is_ascii_alphabetic() && turn >> (letters % 12) & 1 == 1;
        letters += usize::from(letter.is_ascii_alphabetic());
        if is_upper { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    };
    name.chars().map(letter).collect()
}

fn matches(profile: &Value, query: &str) -> bool {
    let wanted = |name: &str| {
        query
            .split('&')
            .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
            .map(|value| value.replace("%20", " "))
    };
    let has = |list: &Value, wanted: &str| {
        list.as_array().is_some_and(|list| list.iter().any(|item| item == wanted))
    };
    let state = wanted("state");
    state.as_deref().is_none_or(|state| has(&profile["statesLicensed"], state))
        && wanted("insurance").is_none_or(|plan| match &state {
            Some(state) => has(&profile["acceptedInsuranceByState"][state.as_str()], &plan),
            None => has(&profile["acceptedInsurance"], &plan),
        })
        && wanted("providerType").is_none_or(|kind| profile["providerType"] == kind.as_str())
        && wanted("gender").is_none_or(|gender| profile["gender"] == gender.as_str())
}

fn scan_total(profiles: &[Value], query: &str) -> usize {
    profiles.iter().filter(|profile| matches(profile, query)).count()
}

/// The obvious way: look at every clinician, keep those who match, serialize the page.
fn scan(profiles: &[Value], query: &str) -> String {
    let number = |name: &str, default: usize| {
        let value = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        value.and_then(|value| value.parse().ok()).unwrap_or(default)
    };
    let (limit, offset) = (number("limit", 10), number("offset", 0));
    let found: Vec<&Value> = profiles.iter().filter(|profile| matches(profile, query)).collect();
    let page: Vec<&Value> = found.iter().skip(offset).take(limit).copied().collect();
    let page = serde_json::json!({"total": found.len(), "limit": limit, "offset": offset, "providers": page});
    page.to_string()
}
