//! What a beat, an operator and new content make younger, and what they don't.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};

use super::super::super::super::test_clinics::{clinic_of, provider};
use super::super::super::{FeedLimits, FeedMode, FeedRules};
use super::super::{AsOf, Event, Late, PartId};
use super::support::{Clinic, busy, busy_at, schedule};
use crate::calendar::Instant;
use crate::model::Directory;

fn content(generation: &str) -> Directory {
    let people = (0..4).map(|number| (provider(number), None)).collect();
    clinic_of(people, &[101], BTreeSet::new(), generation)
}

fn at(clinic: &Clinic, hours: i64) -> DateTime<Utc> {
    clinic.now.wall + TimeDelta::hours(hours)
}

/// Ten times of a clinician from an hour on.
fn ten(clinic: &Clinic, slug: &str, from: i64) -> String {
    (from..from + 10).map(|hour| busy_at(slug, at(clinic, hour)) + "\n").collect()
}

/// A look at two keys of a site, whose beat names one of them as late.
fn look(clinic: &mut Clinic, texts: [Option<&str>; 2], late: Option<(&str, Option<Instant>)>) {
    let names = ["a.p.p-0", "a.p.p-1"];
    let text = |name: &str, text: &str| {
        let part = PartId::key(name).unwrap();
        Event::PartChanged { text: part.read(text, &FeedLimits::default()), part }
    };
    let changes = names.iter().zip(texts).filter_map(|(name, new)| Some(text(name, new?)));
    let mut events: Vec<_> = changes.collect();
    let late = late.map(|(part, as_of)| Late { part: part.into(), as_of, why: "late".to_owned() });
    let as_of = AsOf::read(None, clinic.now);
    events.push(Event::Beat { writer: "a".into(), as_of, late: late.into_iter().collect() });
    clinic.take(events);
}

#[test]
fn a_look_that_began_before_new_content_settles_nothing_in_it() {
    let mut clinic = Clinic::new(FeedRules::new(FeedMode::Busy));
    let file = PartId::file(&"feed".into(), "busy.ndjson".into());
    let text = file.read(&busy("p-0", 10), &FeedLimits::default());
    let before = clinic.directory.generation().clone();
    let beat = clinic.beat("feed".into());
    clinic.take(vec![Event::PartChanged { part: file, text }, beat.clone()]);
    assert!(clinic.report().is_settled);
    clinic.directory = content("other");
    clinic.take(Vec::new());
    let now = clinic.instant();
    clinic.engine.take(vec![beat.clone()], &before, &clinic.directory, now);
    assert!(!clinic.report().is_settled);
    clinic.take(vec![beat]);
    assert!(clinic.report().is_settled);
}

#[test]
fn accepting_settles_nothing_in_content_in_which_nothing_was_looked_at() {
    let mut clinic = Clinic::new(FeedRules::new(FeedMode::Busy));
    let all = ten(&clinic, "p-0", 1);
    clinic.read(&[("a", all.clone()), ("b", String::new())]);
    clinic.read(&[("a", String::new()), ("b", String::new())]);
    assert!(clinic.report().held.is_some());
    clinic.directory = content("other");
    clinic.accept();
    clinic.take(Vec::new());
    let report = clinic.report();
    assert!(report.held.is_none() && !report.is_settled, "{report:?}");
}

#[test]
fn accepting_does_not_revive_a_site_that_cannot_be_used() {
    let mut clinic = Clinic::new(FeedRules::new(FeedMode::Busy));
    let (zero, one) = (ten(&clinic, "p-0", 1), ten(&clinic, "p-1", 1));
    look(&mut clinic, [Some(&zero), Some(&one)], None);
    look(&mut clinic, [Some(""), Some("")], None);
    assert!(clinic.report().held.is_some());
    let unusable = Event::Unusable { writer: "a".into(), why: "another mode".to_owned() };
    clinic.take(vec![unusable]);
    // Its keys in doubt, which are as old as their last reading without doubt, can't be used either.
    assert_eq!(clinic.unknown_after(0).len(), 4);
    clinic.accept();
    assert_eq!(clinic.unknown_after(0).len(), 4);
    look(&mut clinic, [None, None], None);
    assert!(clinic.unknown_after(0).is_empty());
}

#[test]
fn accepting_makes_a_late_key_no_younger() {
    let mut clinic = Clinic::new(FeedRules::new(FeedMode::Busy));
    let (zero, one) = (ten(&clinic, "p-0", 1), ten(&clinic, "p-1", 1));
    look(&mut clinic, [Some(&zero), Some(&one)], None);
    clinic.pass(10);
    look(&mut clinic, [None, None], Some(("a.p.p-1", None)));
    clinic.pass(10);
    look(&mut clinic, [Some(""), Some("")], Some(("a.p.p-1", None)));
    assert!(clinic.report().held.is_some());
    clinic.accept();
    assert!(clinic.report().held.is_none());
    assert!(clinic.unknown_after(9).is_empty());
    // The beat is 11 minutes old, and the late key 31.
    assert_eq!(clinic.unknown_after(11), ["p-1"]);
}

#[test]
fn a_late_key_gets_no_younger_when_the_clock_is_set_back() {
    let mut clinic = Clinic::new(FeedRules::new(FeedMode::Busy));
    let (zero, one) = (ten(&clinic, "p-0", 1), ten(&clinic, "p-1", 1));
    let told = Instant::floor(clinic.now.wall - TimeDelta::minutes(25));
    look(&mut clinic, [Some(&zero), Some(&one)], None);
    look(&mut clinic, [None, None], Some(("a.p.p-1", Some(told))));
    assert_eq!(clinic.unknown_after(6), ["p-1"]);
    clinic.now.wall -= TimeDelta::hours(1);
    assert_eq!(clinic.unknown_after(6), ["p-1"]);
    // Nor by a restart after that, whether the memory was written before or after.
    for was_written_before in [false, true] {
        if was_written_before {
            clinic.now.wall += TimeDelta::hours(1);
        }
        let memory = serde_json::to_vec(&clinic.engine.memory(&clinic.directory, clinic.now)).unwrap();
        if was_written_before {
            clinic.now.wall -= TimeDelta::hours(1);
        }
        let mut again = Clinic { now: clinic.now, ..Clinic::new(FeedRules::new(FeedMode::Busy)) };
        let (memory, now) = (serde_json::from_slice(&memory).unwrap(), (again.now, again.instant()));
        again.engine.restore(memory, &again.directory, now);
        assert!(again.unknown_after(6).contains(&"p-1".to_owned()), "{was_written_before}");
    }
}

#[test]
fn a_clinician_whose_slug_someone_else_has_now_is_withheld_for_a_schedule_that_led_to_them() {
    let mut clinic = Clinic::new(FeedRules { unlisted_is_open: false, ..FeedRules::new(FeedMode::Busy) });
    let listed: Vec<_> = ["p-0", "p-1", "p-2", "p-3", "p-8"]
        .iter()
        .map(|slug| (format!("a.p.{slug}"), busy(slug, 10)))
        .collect();
    let keys: Vec<_> = listed.iter().map(|(key, text)| (key.as_str(), Some(text.as_str()))).collect();
    clinic.change(&keys);
    let taken = busy("Schedule/7", 12);
    clinic.change(&[("a.s.7", Some(&format!("{}\n{taken}", schedule("7", "id-1"))))]);
    clinic.change(&[("a.s.7", Some(&taken))]);
    assert_eq!(clinic.withheld, ["p-1"]);
    // p-1 is p-8 from now on, and the new p-1 is someone else.
    let mut people: Vec<_> = (0..5).map(provider).collect();
    people[1].slug = "p-8".parse().unwrap();
    people[4].slug = "p-1".parse().unwrap();
    let people = people.into_iter().map(|one| (one, None)).collect();
    clinic.directory = clinic_of(people, &[101], BTreeSet::new(), "renamed");
    clinic.take(Vec::new());
    assert_eq!(clinic.withheld, ["p-1", "p-8"]);
}

#[test]
fn a_file_in_doubt_that_names_others_each_time_is_bounded_and_then_offers_no_one() {
    let mut rules = FeedRules::new(FeedMode::Busy);
    rules.limits.owners = 8;
    let mut clinic = Clinic::new(rules);
    let all = ten(&clinic, "p-0", 1);
    clinic.read(&[("a", all.clone())]);
    let mut was_bounded = false;
    for round in 0..10 {
        let ids = round * 3..round * 3 + 3;
        let of = |id: i64| {
            let taken = busy_at(&format!("Schedule/{id}"), at(&clinic, 5));
            [schedule(&id.to_string(), "id-1"), taken].join("\n")
        };
        let text = ids.map(of).collect::<Vec<_>>().join("\n");
        clinic.read(&[("a", text)]);
        assert!(clinic.report().held.is_some());
        assert!(clinic.engine.most_owners() <= 16, "{round}: {}", clinic.engine.most_owners());
        assert_eq!(clinic.sets[&clinic.directory.providers()[0].slug].entries.len(), 10);
        let is_nobody = clinic.unknown_after(0).len() == 4;
        assert!(is_nobody || !was_bounded, "{round}: what was forgotten may be anyone's");
        was_bounded = is_nobody;
    }
    assert!(was_bounded);
    clinic.read(&[("a", all)]);
    assert!(clinic.report().held.is_none() && clinic.unknown_after(0).is_empty());
    assert_eq!(clinic.engine.most_owners(), 1);
}
