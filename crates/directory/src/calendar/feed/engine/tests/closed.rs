//! Errors in keys withhold only the affected providers. Busy time is never offered.

use super::super::super::{FeedMode, FeedRules, SkipReason};
use super::support::{Clinic, busy, schedule};

fn with_all_listed() -> Clinic {
    let mut clinic = Clinic::new(FeedRules { unlisted_is_open: false, ..FeedRules::new(FeedMode::Busy) });
    let texts: Vec<_> = (0..4).map(|number| busy(&format!("p-{number}"), 10)).collect();
    let names = ["a.p.p-0", "a.p.p-1", "a.p.p-2", "b.p.p-3"];
    let keys: Vec<_> = names.into_iter().zip(texts.iter().map(|text| Some(text.as_str()))).collect();
    clinic.change(&keys);
    assert!(clinic.withheld.is_empty(), "{:?}", clinic.withheld);
    clinic
}

#[test]
fn a_provider_without_a_key_is_withheld_and_one_with_an_empty_key_is_free() {
    let mut clinic = with_all_listed();
    clinic.change(&[("a.p.p-0", Some("")), ("a.p.p-1", None)]);
    assert_eq!(clinic.withheld, ["p-1"]);
    // A Schedule without Slots lists its provider, too.
    clinic.change(&[("a.s.1", Some(&schedule("1", "id-1")))]);
    assert!(clinic.withheld.is_empty());
    let mut open = Clinic::new(FeedRules::new(FeedMode::Busy));
    open.change(&[("a.p.p-0", Some(&busy("p-0", 10)))]);
    assert!(open.withheld.is_empty());
}

#[test]
fn busy_time_of_an_unknown_slug_puts_its_key_in_doubt_while_every_clinician_is_listed() {
    let mut clinic = with_all_listed();
    let typo = busy("p-77", 11);
    let change = clinic.change(&[("a.p.p-77", Some(&typo))]);
    assert_eq!(change.skipped.unwrap().count(SkipReason::Unresolved), 1);
    assert!(clinic.withheld.is_empty());
    let trouble = clinic.report().trouble.unwrap();
    assert!(
        trouble.contains("a.p.p-77:1: no clinician has the slug \"p-77\", so its busy time may be anyone's"),
        "{trouble}"
    );
    // A clinician whose slug has changed in the clinic's system is no longer listed.
    clinic.change(&[("a.p.p-1", None)]);
    assert_eq!((clinic.withheld.clone(), clinic.report().trouble), (vec!["p-1".to_owned()], None));
    // No one is offered once it is too old.
    clinic.change(&[("a.p.p-1", Some(&busy("p-1", 10)))]);
    assert_eq!(clinic.unknown_after(29).len(), 0);
    assert_eq!(clinic.unknown_after(31), ["p-0", "p-1", "p-2", "p-3"]);
    clinic.change(&[("a.p.p-77", None)]);
    assert!(clinic.unknown_after(29).is_empty() && clinic.report().trouble.is_none());
}

#[test]
fn a_schedule_that_two_sites_describe_differently_withholds_the_providers_of_both() {
    let mut clinic = with_all_listed();
    let text = |person: &str| format!("{}\n{}", schedule("7", person), busy("Schedule/7", 12));
    clinic.change(&[("a.s.7", Some(&text("id-0"))), ("b.s.7", Some(&text("id-3")))]);
    assert_eq!(clinic.withheld, ["p-0", "p-3"]);
    clinic.change(&[("b.s.7", Some(&text("id-0")))]);
    assert!(clinic.withheld.is_empty());
}

#[test]
fn a_schedule_that_is_no_longer_described_withholds_its_former_provider() {
    let mut clinic = with_all_listed();
    clinic.change(&[("a.s.7", Some(&format!("{}\n{}", schedule("7", "id-2"), busy("Schedule/7", 12))))]);
    clinic.change(&[("a.s.7", Some(&busy("Schedule/7", 13)))]);
    assert_eq!(clinic.withheld, ["p-2"]);
    // An empty value between, such as that of a failed export, changes nothing in that.
    clinic.change(&[("a.s.7", Some(""))]);
    assert!(clinic.withheld.is_empty());
    clinic.change(&[("a.s.7", Some(&busy("Schedule/7", 13)))]);
    assert_eq!(clinic.withheld, ["p-2"]);
    // And stays so.
    clinic.change(&[("a.s.7", Some(&busy("Schedule/7", 14)))]);
    assert_eq!(clinic.withheld, ["p-2"]);
}

#[test]
fn a_person_who_becomes_unknown_on_an_empty_shared_schedule_is_withheld_for_its_next_time() {
    let mut clinic = with_all_listed();
    let people = |first: &str, second: &str| {
        let both = format!("Practitioner/{first}\"}},{{\"reference\":\"Practitioner/{second}");
        schedule("7", "id").replace("Practitioner/id", &both)
    };
    let text = |second: &str| format!("{}\n{}", people("id-1", second), busy("Schedule/7", 12));
    clinic.change(&[("a.s.7", Some(&text("id-2")))]);
    clinic.change(&[("a.s.7", Some(&people("id-1", "x-9")))]);
    assert!(clinic.withheld.is_empty());
    clinic.change(&[("a.s.7", Some(&text("x-9")))]);
    assert_eq!(clinic.withheld, ["p-2"]);
}

#[test]
fn a_schedule_that_vanishes_withholds_also_whom_its_unknown_people_may_be() {
    let mut clinic = Clinic::new(FeedRules::new(FeedMode::Busy));
    let listed = [("a.p.p-0", busy("p-0", 10)), ("a.p.p-1", busy("p-1", 10))];
    clinic.change(&listed.each_ref().map(|(name, text)| (*name, Some(text.as_str()))));
    let taken = busy("Schedule/7", 12);
    clinic.change(&[("a.s.7", Some(&format!("{}\n{taken}", schedule("7", "id-1"))))]);
    clinic.change(&[("a.s.7", Some(&schedule("7", "x-9")))]);
    assert!(clinic.withheld.is_empty());
    clinic.change(&[("a.s.7", Some(&taken))]);
    assert_eq!(clinic.withheld, ["p-1", "p-2", "p-3"]);
    clinic.change(&[("a.s.7", Some(&format!("{}\n{taken}", schedule("7", "id-1"))))]);
    assert!(clinic.withheld.is_empty());
    clinic.change(&[("a.s.7", Some(&taken))]);
    assert_eq!(clinic.withheld, ["p-1"]);
}

#[test]
fn too_many_entries_withhold_their_provider_alone() {
    let mut rules = FeedRules::new(FeedMode::Busy);
    rules.limits.entries_per_provider = 2;
    let mut clinic = Clinic::new(rules);
    let text = |hours: u32| (0..hours).map(|hour| busy("p-1", hour) + "\n").collect::<String>();
    clinic.change(&[("a.p.p-1", Some(&text(3)))]);
    assert_eq!(clinic.withheld, ["p-1"]);
    clinic.change(&[("a.p.p-1", Some(&text(2)))]);
    assert!(clinic.withheld.is_empty());
}

#[test]
fn the_same_value_again_changes_nothing() {
    let mut clinic = with_all_listed();
    let change = clinic.change(&[("a.p.p-1", Some(&busy("p-1", 10))), ("c.p.p-1", None)]);
    assert!(change.providers.is_empty() && !change.is_listed_anew && change.skipped.is_none());
}
