//! The shared cases of `tests/cases/time-cases.json`: starts that five independent time libraries agree on.

use std::collections::BTreeSet;

use chrono::{NaiveDate, Weekday};
use serde_json::Value;

use super::hours::Busy;
use super::instant::Instant;
use crate::model::VisitTypeId;
use crate::model::{Class, Dated, Hours, Schedule, ScheduleParts, Weekly, Window};

const CASES: &str = include_str!("../../../../tests/cases/time-cases.json");

#[test]
fn every_shared_case_has_the_starts_it_expects() {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    let cases = cases["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 22);
    for case in cases {
        let expected: Vec<&str> = list(&case["expected_utc_starts"]).map(text).collect();
        assert_eq!(starts(case), expected, "case {}: {}", case["id"], case["description"]);
    }
}

/// The starts of a case according to the schedule.
fn starts(case: &Value) -> Vec<String> {
    known_keys(
        case,
        &[
            "id",
            "description",
            "timezone",
            "weekly",
            "exceptions",
            "effective",
            "notice_min",
            "busy",
            "range",
            "step_min",
            "duration_min",
            "expected_utc_starts",
        ],
    );
    let mut parts = ScheduleParts::new(text(&case["timezone"]).parse().unwrap());
    parts.notice = minutes(&case["notice_min"]).unwrap_or(0);
    parts.effective_from = case["effective"]["from"].as_str().map(date);
    parts.effective_until = case["effective"]["until"].as_str().map(date);
    for weekly in list(&case["weekly"]) {
        let days = list(&weekly["days"]).map(|day| text(day).parse::<Weekday>().unwrap()).collect();
        parts.weekly.push(Weekly { days, hours: hours(case, &[weekly]) });
    }
    for exception in list(&case["exceptions"]) {
        let windows: Vec<&Value> = list(&exception["windows"]).collect();
        let dated = Dated { date: date(text(&exception["date"])), hours: hours(case, &windows) };
        match text(&exception["kind"]) {
            "replace" => parts.replace.push(dated),
            other => panic!("this test does not read the kind {other}"),
        }
    }
    let busy: Vec<Busy> = list(&case["busy"])
        .map(|busy| Busy { start: instant(&busy["start"]), end: instant(&busy["end"]) })
        .collect();

    let schedule = Schedule::new(parts).unwrap();
    let from = instant(&case["range"]["from"]).plus_minutes(schedule.notice());
    let starts = schedule.starts(from, instant(&case["range"]["to"]), &busy);
    starts.iter().map(|start| start.at.to_string()).collect()
}

/// Windows of one class, with their own lengths or the case's.
fn hours(case: &Value, windows: &[&Value]) -> Hours {
    let own = |key: &str| windows.first().and_then(|window| minutes(&window[key]));
    let length = |key: &str| own(key).or(minutes(&case[key])).unwrap();
    let types = vec![VisitTypeId::try_from(101).unwrap()];
    let class = Class::new(types, length("duration_min"), length("step_min")).unwrap();
    let windows = windows.iter().map(|window| {
        known_keys(window, &["days", "start", "end", "step_min", "duration_min"]);
        Window::new(text(&window["start"]).parse().unwrap(), text(&window["end"]).parse().unwrap()).unwrap()
    });
    Hours::new(windows.collect(), vec![class])
}

/// Fails on an unknown key: it would be a rule without a test.
fn known_keys(value: &Value, known: &[&str]) {
    let keys: BTreeSet<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert!(keys.is_subset(&known.iter().copied().collect()), "{keys:?}");
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn minutes(value: &Value) -> Option<u32> {
    value.as_u64().map(|minutes| minutes.try_into().unwrap())
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn instant(value: &Value) -> Instant {
    text(value).parse().unwrap()
}
