//! The lines of the file with the calendars: an operator's decisions, and what one dead calendar takes away.

use chrono::TimeDelta;

use super::super::super::{FeedMode, FeedRules};
use super::support::{Clinic, busy_at};

/// Those who have a line are p-0 and p-1.
fn clinic(unlisted_is_open: bool) -> Clinic {
    Clinic::new(FeedRules { unlisted_is_open, ..FeedRules::new(FeedMode::Busy) })
}

/// Forty hours of a clinician.
fn forty(clinic: &Clinic, slug: &str) -> String {
    let at = |hour| clinic.now.wall + TimeDelta::hours(hour);
    (2..42).map(|hour| busy_at(slug, at(hour)) + "\n").collect()
}

fn entries(clinic: &Clinic, slug: &str) -> usize {
    clinic.sets[slug].entries.len()
}

#[test]
fn a_line_that_is_removed_or_corrected_loses_nothing() {
    for is_restarted in [false, true] {
        let mut clinic = clinic(true);
        let [zero, one, typo] = ["p-0", "p-1", "p-00"].map(|slug| Some(forty(&clinic, slug)));
        let right = [("p-0", zero), ("p-1", one.clone())];
        clinic.look(&right);
        assert!(clinic.withheld.is_empty());
        // The time of an unknown slug may be that of anyone without a calendar.
        clinic.look(&[("p-00", typo), ("p-1", one)]);
        assert_eq!(clinic.withheld, ["p-0", "p-2", "p-3"]);
        if is_restarted {
            clinic.restart();
        }
        clinic.look(&right);
        assert_eq!((clinic.report().held, clinic.report().trouble), (None, None));
        assert_eq!((clinic.withheld.clone(), entries(&clinic, "p-0")), (Vec::new(), 40));
        assert!(clinic.unknown_after(29).is_empty());
    }
}

#[test]
fn who_has_no_line_any_more_is_offered_as_the_settings_say() {
    for (unlisted_is_open, withheld) in [(true, &[][..]), (false, &["p-0", "p-2", "p-3"][..])] {
        let mut clinic = clinic(unlisted_is_open);
        let [zero, one] = ["p-0", "p-1"].map(|slug| Some(forty(&clinic, slug)));
        clinic.look(&[("p-0", zero), ("p-1", one.clone())]);
        clinic.look(&[("p-1", one)]);
        assert_eq!((clinic.report().held, entries(&clinic, "p-0")), (None, 0));
        assert_eq!(clinic.withheld, withheld);
    }
}

#[test]
fn what_a_calendar_itself_loses_is_held_until_its_line_is_removed() {
    let mut clinic = clinic(true);
    let [zero, one] = ["p-0", "p-1"].map(|slug| Some(forty(&clinic, slug)));
    clinic.look(&[("p-0", zero), ("p-1", one.clone())]);
    let almost_empty = Some(busy_at("p-0", clinic.now.wall));
    clinic.look(&[("p-0", almost_empty), ("p-1", one.clone())]);
    let held = clinic.report().held.unwrap().0;
    assert!(held.starts_with("p-0, calendar 1 has lost 40 of the 40"), "{held}");
    assert_eq!(entries(&clinic, "p-0"), 41);
    clinic.look(&[("p-1", one)]);
    assert_eq!((clinic.report().held, entries(&clinic, "p-0")), (None, 0));
}

#[test]
fn a_line_of_an_unknown_clinician_whose_calendar_cannot_be_read_may_be_anyones_without_one() {
    let mut clinic = clinic(true);
    let [zero, one] = ["p-0", "p-1"].map(|slug| Some(forty(&clinic, slug)));
    clinic.look(&[("p-0", zero), ("p-1", one.clone())]);
    clinic.look(&[("p-00", None), ("p-1", one)]);
    assert_eq!(clinic.unknown_after(0), ["p-0", "p-2", "p-3"]);
}

#[test]
fn dead_calendars_leave_those_without_a_line_as_the_settings_say() {
    for dead in [&["p-0"][..], &["p-0", "p-1"]] {
        let mut clinic = clinic(true);
        let lines: Vec<_> = dead.iter().map(|slug| (*slug, Some(forty(&clinic, slug)))).collect();
        clinic.look(&lines);
        assert!(clinic.unknown_after(29).is_empty());
        assert_eq!(clinic.unknown_after(31), dead);
    }
    // One that was never read doesn't differ.
    let mut never_read = clinic(true);
    never_read.look(&[("p-0", None)]);
    assert_eq!(never_read.unknown_after(0), ["p-0"]);

    let mut closed = clinic(false);
    let zero = Some(forty(&closed, "p-0"));
    closed.look(&[("p-0", zero)]);
    assert_eq!(closed.unknown_after(0), ["p-1", "p-2", "p-3"]);
    assert_eq!(closed.unknown_after(31), ["p-0", "p-1", "p-2", "p-3"]);
}

#[test]
fn without_any_line_nothing_is_known() {
    let mut clinic = clinic(true);
    let zero = Some(forty(&clinic, "p-0"));
    clinic.look(&[("p-0", zero)]);
    clinic.look(&[]);
    assert_eq!(clinic.unknown_after(0).len(), 4);
}

#[test]
fn a_cause_is_named_once_with_all_who_have_it() {
    let mut clinic = clinic(true);
    clinic.look(&[("p-0", None), ("p-1", None), ("p-2", Some(String::from("no line")))]);
    let trouble = clinic.report().trouble.unwrap();
    assert!(trouble.contains("p-0, calendar 1; p-1, calendar 1: it answers 500"), "{trouble}");
    assert_eq!(trouble.matches("it answers 500").count(), 1);
    assert!(trouble.contains("p-2, calendar 1:1:1: "), "{trouble}");
}
