//! What has lost too much is held, and what only changes or grows old is not.

use chrono::{DateTime, TimeDelta, Utc};

use super::super::super::{FeedMode, FeedRules};
use super::support::{Clinic, busy_at, slot};

const SLUGS: [&str; 4] = ["p-0", "p-1", "p-2", "p-3"];

fn clinic() -> Clinic {
    Clinic::new(FeedRules::new(FeedMode::Busy))
}

fn at(clinic: &Clinic, hours: i64) -> DateTime<Utc> {
    clinic.now.wall + TimeDelta::hours(hours)
}

/// An entry of each of these in each of these hours from now.
fn text(clinic: &Clinic, slugs: &[&str], hours: std::ops::Range<i64>) -> String {
    let lines = hours.flat_map(|hour| slugs.iter().map(move |slug| (*slug, hour)));
    lines.map(|(slug, hour)| busy_at(slug, at(clinic, hour)) + "\n").collect()
}

fn entries(clinic: &Clinic, slug: &str) -> usize {
    clinic.sets[slug].entries.len()
}

#[test]
fn a_file_that_loses_most_is_believed_where_it_takes_time_until_it_is_accepted() {
    let mut clinic = clinic();
    clinic.read(&[("a", text(&clinic, &SLUGS, 1..8))]);
    let fewer = text(&clinic, &SLUGS, 7..9);
    clinic.read(&[("a", fewer.clone())]);
    let (why, token) = clinic.report().held.unwrap();
    assert!(
        why.starts_with("a has lost 24 of the 28 future entries that it had within a day, so it's held"),
        "{why}"
    );
    assert_eq!(entries(&clinic, "p-0"), 8, "the new one counts, too");
    assert!(clinic.unknown_after(29).is_empty());
    assert_eq!(clinic.unknown_after(31), SLUGS, "it grows old from its last reading without doubt");
    clinic.pass(20);
    clinic.read(&[("a", fewer)]);
    assert_eq!(clinic.report().held.unwrap().1, token);
    assert_eq!(clinic.unknown_after(11), SLUGS, "a beat makes it no younger");
    clinic.accept();
    assert_eq!((clinic.report().held, entries(&clinic, "p-0")), (None, 2));
    assert!(clinic.unknown_after(29).is_empty());
}

#[test]
fn it_is_believed_again_when_it_has_grown_back() {
    let mut clinic = clinic();
    let all = text(&clinic, &SLUGS, 1..8);
    clinic.read(&[("a", all.clone())]);
    clinic.read(&[("a", text(&clinic, &SLUGS[..1], 1..8))]);
    assert!(clinic.report().held.is_some());
    clinic.read(&[("a", all)]);
    assert!(clinic.report().held.is_none() && clinic.unknown_after(29).is_empty());
}

#[test]
fn what_is_held_stays_so_over_a_restart_until_the_next_look_or_an_order() {
    for (is_of_two, is_accepted) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut clinic = clinic();
        clinic.pass(45);
        let files = |clinic: &Clinic, [one, two]: [&[&str]; 2], hours: std::ops::Range<i64>| {
            let (one, two) = (text(clinic, one, hours.clone()), text(clinic, two, hours));
            if is_of_two { vec![("a", one), ("b", two)] } else { vec![("a", one + &two)] }
        };
        clinic.read(&files(&clinic, [&SLUGS[..2], &SLUGS[2..]], 1..3));
        let fewer = files(&clinic, [&SLUGS[..1], &SLUGS[2..3]], 1..2);
        clinic.read(&fewer);
        let held = clinic.report().held;
        let who = if is_of_two { "the feed" } else { "a" };
        assert!(held.as_ref().unwrap().0.starts_with(&format!("{who} has lost 6 of the 8 future entries")));
        // An hour later only four of the six are still ahead, which would be too few.
        clinic.pass(20);
        for _ in 0..2 {
            clinic.restart();
            assert_eq!((clinic.report().held, entries(&clinic, "p-1")), (held.clone(), 2));
        }
        if is_accepted {
            clinic.accept();
        } else {
            clinic.read(&fewer);
        }
        assert_eq!((clinic.report().held, entries(&clinic, "p-1")), (None, 0));
        assert!(!clinic.engine.is_in_doubt_by_name("a"));
    }
}

#[test]
fn a_clock_that_is_set_back_forgives_no_loss() {
    let mut clinic = clinic();
    clinic.pass(30);
    let of = |slugs: usize| text(&clinic, &SLUGS[..slugs], 1..4);
    let [all, half, quarter] = [of(4), of(2), of(1)];
    clinic.read(&[("a", all)]);
    // Two of the six that go now aren't forgotten. With the next three, five of eight are gone.
    clinic.read(&[("a", half)]);
    assert_eq!(clinic.report().held, None);
    clinic.read(&[("a", quarter.clone())]);
    let held = clinic.report().held;
    assert!(held.is_some());
    clinic.now.wall -= TimeDelta::minutes(10);
    clinic.read(&[("a", quarter)]);
    assert_eq!(clinic.report().held, held);
}

#[test]
fn what_moves_to_another_file_is_not_lost() {
    let mut clinic = clinic();
    let (one, two) = (text(&clinic, &SLUGS[..2], 1..8), text(&clinic, &SLUGS[2..], 1..8));
    clinic.read(&[("a", one.clone()), ("b", two.clone())]);
    clinic.read(&[("b", two.clone()), ("c", one.clone())]);
    assert_eq!(clinic.report().held, None);
    // A file that leaves with its times keeps them taken.
    clinic.read(&[("b", two)]);
    let why = clinic.report().held.unwrap().0;
    assert!(why.starts_with("c has lost 14 of the 14 future entries"), "{why}");
    assert_eq!(entries(&clinic, "p-0"), 7);
    clinic.accept();
    assert_eq!((clinic.report().held, entries(&clinic, "p-0")), (None, 0));
}

#[test]
fn a_feed_that_only_grows_old_is_never_held() {
    let mut clinic = clinic();
    let all: Vec<String> = (1..48).map(|hour| text(&clinic, &SLUGS, hour..hour + 1)).collect();
    for hour in 0..47 {
        clinic.read(&[("a", all[hour..].concat())]);
        assert_eq!(clinic.report().held, None, "{hour}");
        clinic.pass(60);
    }
}

#[test]
fn small_losses_of_a_day_add_up_beyond_the_first_tenth_of_each_hour() {
    let mut clinic = clinic();
    let all = |from: i64, clinic: &Clinic| text(clinic, &SLUGS, from..72);
    let base = clinic.now;
    clinic.read(&[("a", all(2, &clinic))]);
    // Sixty of 280 entries go at once, then as many again: 28 of them are forgotten.
    let mut held_at = None;
    for step in 1..5 {
        clinic.now = base;
        let text = all(2 + 15 * step, &clinic);
        clinic.pass(1);
        clinic.read(&[("a", text)]);
        if clinic.report().held.is_some() {
            held_at = Some(step);
            break;
        }
    }
    // 60 - 28 marked, then 60 more of 252 are 92; then 152 of 252 are more than half.
    assert_eq!(held_at, Some(3));
}

#[test]
fn a_time_that_is_replaced_is_lost_each_time() {
    for (max_shrink, first_held) in [(0.5, Some(9)), (1.0, None)] {
        let mut clinic = Clinic::new(FeedRules { max_shrink, ..FeedRules::new(FeedMode::Open) });
        let held = (0..100).find(|number| {
            let start = at(&clinic, 24) + TimeDelta::minutes(*number);
            clinic.change(&[("a.p.p-0", Some(&slot("p-0", start, "free")))]);
            clinic.report().held.is_some()
        });
        // The first four that go are forgotten, and four never count.
        assert_eq!(held, first_held);
    }
}

#[test]
fn a_site_that_loses_its_keys_one_by_one_is_held_as_a_whole() {
    let mut clinic = clinic();
    let names: Vec<String> = (0..24).map(|number| format!("a.s.{number}")).collect();
    let texts: Vec<String> = (0..24)
        .map(|number| {
            let id = format!("Schedule/{number}");
            let person = format!("id-{}", number % 4);
            let described = super::support::schedule(&number.to_string(), &person);
            format!("{described}\n{}", busy_at(&id, at(&clinic, 5 + number)))
        })
        .collect();
    let keys: Vec<_> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), Some(text.as_str()))).collect();
    clinic.change(&keys);
    let mut gone = 0;
    while clinic.report().held.is_none() {
        clinic.change(&[(&names[gone], None)]);
        gone += 1;
    }
    // The first four are forgotten, and of the twenty others more than half.
    assert_eq!(gone, 15);
    let why = clinic.report().held.unwrap().0;
    assert!(why.starts_with("the site a has lost 11 of the 20 slugs and Schedules"), "{why}");
    assert_eq!(
        clinic.sets.values().map(|set| set.entries.len()).sum::<usize>(),
        10,
        "the last one stays busy"
    );
}
