//! Which clinicians count as vanished from one generation to the next.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and prepare files of their own"
)]

mod support;

use std::fs;
use std::path::Path;

use chrono::NaiveDate;
use directory::Directory;
use directory::content::load_and_check;
use directory::model::{Baseline, MaxShrink};

use support::clinic;

fn directory(content: &Path) -> Directory {
    load_and_check(content, NaiveDate::from_ymd_opt(2026, 11, 21).unwrap()).unwrap().directory
}

/// Adds ten clinicians, `c-0` to `c-9`, to the two of the clinic.
fn crowd(content: &Path) {
    let one = fs::read_to_string(content.join("providers/bo-two.toml")).unwrap();
    for number in 0..10 {
        let other = one.replace("prov-2", &format!("crowd-{number}"));
        fs::write(content.join(format!("providers/c-{number}.toml")), other).unwrap();
    }
}

#[test]
fn the_last_clinicians_of_a_small_clinic_do_not_vanish_unasked() {
    let (_folder, content) = clinic();
    let before = directory(&content);
    let slugs: Vec<&str> = before.providers().iter().map(|provider| provider.slug.as_str()).collect();
    let remove = |slug: &str| {
        fs::remove_file(content.join(format!("providers/{slug}.toml"))).unwrap();
        fs::remove_file(content.join(format!("availability/{slug}.toml"))).unwrap();
    };
    let compare = |share: f64, after: &Directory| {
        let max_shrink = MaxShrink::try_from(share).unwrap();
        let of_slugs = max_shrink.compare_slugs(&slugs, |_| None, after);
        assert_eq!(max_shrink.compare(&Baseline::new(&before), after), of_slugs);
        of_slugs
    };
    remove("bo-two");
    assert_eq!(compare(0.2, &directory(&content)), Ok(()), "one of two is left");
    remove("ann-one");
    let shrunk = compare(0.2, &directory(&content)).unwrap_err();
    assert_eq!(shrunk.to_string(), "2 of 2 clinicians are missing (ann-one, bo-two)");
    assert_eq!(compare(1.0, &directory(&content)), Ok(()), "accepted");
}

#[test]
fn renamed_and_retired_clinicians_have_not_vanished() {
    let (_folder, content) = clinic();
    crowd(&content);
    let (before, max_shrink) = (directory(&content), MaxShrink::default());
    let file = |number: u32| content.join(format!("providers/c-{number}.toml"));
    (0..5).for_each(|number| fs::remove_file(file(number)).unwrap());
    assert_eq!(max_shrink.compare(&Baseline::new(&before), &directory(&content)), Ok(()), "five always may");

    fs::remove_file(file(5)).unwrap();
    let shrunk = max_shrink.compare(&Baseline::new(&before), &directory(&content)).unwrap_err();
    assert_eq!(shrunk.to_string(), "6 of 12 clinicians are missing (c-0, c-1, c-2, c-3, c-4, c-5)");

    // Renamed, with a former slug and without one.
    let text = fs::read_to_string(file(6)).unwrap();
    fs::remove_file(file(6)).unwrap();
    fs::write(content.join("providers/d-6.toml"), format!("former-slugs = [\"c-6\"]\n{text}")).unwrap();
    fs::rename(file(7), content.join("providers/d-7.toml")).unwrap();
    let shrunk = max_shrink.compare(&Baseline::new(&before), &directory(&content)).unwrap_err();
    assert!(shrunk.to_string().starts_with("6 of 12 "), "{shrunk}");

    // Retired: let go on purpose.
    let retired = "[[provider]]\nid = \"crowd-0\"\nslug = \"c-0\"\n";
    fs::write(content.join("retired.toml"), retired).unwrap();
    assert_eq!(max_shrink.compare(&Baseline::new(&before), &directory(&content)), Ok(()));
}

#[test]
fn clinicians_who_are_withdrawn_at_once_have_vanished() {
    let (_folder, content) = clinic();
    crowd(&content);
    let (before, max_shrink) = (directory(&content), MaxShrink::default());
    let withdraw = |number: u32| {
        let file = content.join(format!("providers/c-{number}.toml"));
        let text = fs::read_to_string(&file).unwrap();
        fs::write(file, format!("status = \"withdrawn\"\n{text}")).unwrap();
    };
    (0..5).for_each(withdraw);
    assert_eq!(max_shrink.compare(&Baseline::new(&before), &directory(&content)), Ok(()));
    withdraw(5);
    let shrunk = max_shrink.compare(&Baseline::new(&before), &directory(&content)).unwrap_err();
    assert_eq!(shrunk.to_string(), "6 of 12 clinicians are missing (c-0, c-1, c-2, c-3, c-4, c-5)");
}

#[test]
fn hours_and_visit_types_that_are_lost_at_once_are_counted_too() {
    let (_folder, content) = clinic();
    crowd(&content);
    let hours = |number: u32| content.join(format!("availability/c-{number}.toml"));
    (0..8).for_each(|number| {
        fs::copy(content.join("availability/bo-two.toml"), hours(number)).unwrap();
    });
    let (before, max_shrink) = (directory(&content), MaxShrink::default());
    // Ann and Bo keep theirs.
    (0..6).for_each(|number| fs::remove_file(hours(number)).unwrap());
    let shrunk = max_shrink.compare(&Baseline::new(&before), &directory(&content)).unwrap_err();
    let expected =
        "6 of 10 clinicians with hours in availability/ lost most of them (c-0, c-1, c-2, c-3, c-4, c-5)";
    assert_eq!(shrunk.to_string(), expected);
    fs::copy(hours(7), hours(0)).unwrap();
    assert_eq!(max_shrink.compare(&Baseline::new(&before), &directory(&content)), Ok(()), "five always may");

    // Five minutes a day no longer count as hours; half of them do.
    (1..6).for_each(|number| _ = fs::copy(hours(7), hours(number)).unwrap());
    let written = fs::read_to_string(hours(7)).unwrap();
    let shorten = |to: &str| {
        (0..6).for_each(|number| fs::write(hours(number), written.replace("13:00-17:00", to)).unwrap());
    };
    shorten("13:00-15:00");
    assert_eq!(max_shrink.compare(&Baseline::new(&before), &directory(&content)), Ok(()));
    shorten("13:00-13:40");
    let shrunk = max_shrink.compare(&Baseline::new(&before), &directory(&content)).unwrap_err();
    assert_eq!(shrunk.to_string(), expected);

    for number in 0..8 {
        fs::remove_file(hours(number)).unwrap();
    }
    let before = directory(&content);
    (0..6).for_each(|number| {
        let file = content.join(format!("providers/c-{number}.toml"));
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replace("appointment-types = [101]\n", "")).unwrap();
    });
    let shrunk = max_shrink.compare(&Baseline::new(&before), &directory(&content)).unwrap_err().to_string();
    assert!(
        shrunk.starts_with("6 of 12 clinicians with appointment-types lost all of them (c-0, "),
        "{shrunk}"
    );
}

#[test]
fn clinicians_who_stop_accepting_new_patients_at_once_are_counted_too() {
    let (_folder, content) = clinic();
    crowd(&content);
    let (before, max_shrink) = (directory(&content), MaxShrink::default());
    let edit = |number: u32, from: &str, to: &str| {
        let file = content.join(format!("providers/c-{number}.toml"));
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(file, text.replacen(from, to, 1)).unwrap();
    };
    (0..3).for_each(|number| edit(number, "", "status = \"paused\"\n"));
    (3..6).for_each(|number| edit(number, "accepting = [", "accepting = [] # ["));
    let shrunk = max_shrink.compare(&Baseline::new(&before), &directory(&content)).unwrap_err();
    let expected = "6 of 12 clinicians who accepted new patients no longer do (c-0, c-1, c-2, c-3, c-4, c-5)";
    assert_eq!(shrunk.to_string(), expected);
}

#[test]
fn losses_one_after_another_add_up() {
    let (_folder, content) = clinic();
    crowd(&content);
    let max_shrink = MaxShrink::default();
    let remove = |number: u32| fs::remove_file(content.join(format!("providers/c-{number}.toml"))).unwrap();
    let mut baseline = Baseline::new(&directory(&content));
    (0..4).for_each(remove);
    let after = directory(&content);
    assert_eq!(max_shrink.compare(&baseline, &after), Ok(()));
    baseline.add(&after);
    (4..6).for_each(remove);
    let after = directory(&content);
    assert!(max_shrink.compare(&baseline, &after).unwrap_err().to_string().starts_with("6 of 12 "));
    assert_eq!(max_shrink.compare(&Baseline::new(&after), &after), Ok(()));
}

#[test]
fn kinds_of_loss_that_are_small_alone_are_counted_together() {
    let (_folder, content) = clinic();
    crowd(&content);
    let before = Baseline::new(&directory(&content));
    let file = |number: u32| content.join(format!("providers/c-{number}.toml"));
    (0..3).for_each(|number| fs::remove_file(file(number)).unwrap());
    for number in 3..6 {
        let text = fs::read_to_string(file(number)).unwrap();
        fs::write(file(number), format!("status = \"paused\"\n{text}")).unwrap();
    }
    let max_shrink = MaxShrink::default();
    let shrunk = max_shrink.compare(&before, &directory(&content)).unwrap_err();
    let expected = "6 of 12 clinicians are missing or can no longer be booked (c-0, c-1, c-2, c-3, c-4, c-5)";
    assert_eq!(shrunk.to_string(), expected);
}

#[test]
fn clinicians_with_new_ids_are_compared_by_their_slugs_and_counted_once() {
    let (_folder, content) = clinic();
    crowd(&content);
    let mut before = Baseline::new(&directory(&content));
    let edit = |from: &str, to: &str| {
        for number in 0..10 {
            let file = content.join(format!("providers/c-{number}.toml"));
            fs::write(&file, fs::read_to_string(&file).unwrap().replace(from, to)).unwrap();
        }
    };
    edit("\"crowd-", "\"other-");
    let max_shrink = MaxShrink::default();
    assert_eq!(max_shrink.compare(&before, &directory(&content)), Ok(()));
    before.add(&directory(&content));
    (0..5).for_each(|number| fs::remove_file(content.join(format!("providers/c-{number}.toml"))).unwrap());
    assert_eq!(max_shrink.compare(&before, &directory(&content)), Ok(()), "five always may");
}
