//! Errors known from other schedulers, each with a result worked out by hand.

use std::sync::Arc;

use chrono::{NaiveDate, Weekday, WeekdaySet};
use chrono_tz::Tz;

use super::hours::Busy;
use super::instant::Instant;
use crate::model::VisitTypeId;
use crate::model::{Class, Dated, Hours, Off, Schedule, ScheduleParts, Weekly};

fn hours(windows: &[&str], classes: &[(&[i64], u32, u32)]) -> Hours {
    let class = |&(types, duration, step): &(&[i64], u32, u32)| {
        let types = types.iter().map(|&id| VisitTypeId::try_from(id).unwrap()).collect();
        Class::new(types, duration, step).unwrap()
    };
    Hours::new(
        windows.iter().map(|text| text.parse().unwrap()).collect(),
        classes.iter().map(class).collect(),
    )
}

const NONE: [&str; 0] = [];
const HALF_HOURS: &[(&[i64], u32, u32)] = &[(&[101], 30, 30)];

/// Half-hour visits in these windows.
fn weekly(zone: Tz, days: WeekdaySet, windows: &[&str]) -> ScheduleParts {
    let weekly = vec![Weekly { days, hours: hours(windows, HALF_HOURS) }];
    ScheduleParts { weekly, ..ScheduleParts::new(zone) }
}

/// Chicago is five hours behind UTC in June 2026, and the 4th is a Thursday.
fn thursdays(windows: &[&str]) -> ScheduleParts {
    weekly(Tz::America__Chicago, WeekdaySet::single(Weekday::Thu), windows)
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn off(from: &str, to: &str) -> Off {
    Off { from: day(from), to: day(to), hours: None }
}

fn off_hours(date: &str, windows: &[&str]) -> Off {
    let windows = windows.iter().map(|text| text.parse().unwrap()).collect();
    Off { from: day(date), to: day(date), hours: Some(windows) }
}

fn dated(date: &str, windows: &[&str]) -> Dated {
    Dated { date: day(date), hours: hours(windows, HALF_HOURS) }
}

fn at(text: &str) -> Instant {
    text.parse().unwrap()
}

fn busy(start: &str, end: &str) -> Busy {
    Busy { start: at(&format!("2026-06-{start}Z")), end: at(&format!("2026-06-{end}Z")) }
}

/// The starts in a period, as `DDTHH:MM` of UTC.
fn between(from: &str, to: &str, parts: ScheduleParts, busy: &[Busy]) -> Vec<String> {
    let starts = Schedule::new(parts).unwrap().starts(at(from), at(to), busy);
    assert!(starts.is_sorted_by(|a, b| a < b));
    starts.iter().map(|start| start.at.to_string()[8..16].to_owned()).collect()
}

/// The starts from June 2 to 8, 2026.
fn starts(parts: ScheduleParts, busy: &[Busy]) -> Vec<String> {
    between("2026-06-02T00:00:00Z", "2026-06-09T00:00:00Z", parts, busy)
}

#[test]
fn buffers_apply_before_and_after_busy_time() {
    let with = |buffer_before, buffer_after, list: &[Busy]| {
        starts(ScheduleParts { buffer_before, buffer_after, ..thursdays(&["09:00-12:00"]) }, list)
    };
    let taken = [busy("04T15:30:00", "04T16:00:00")];
    assert_eq!(with(0, 0, &taken), ["04T14:00", "04T14:30", "04T15:00", "04T16:00", "04T16:30"]);
    assert_eq!(with(10, 0, &taken), ["04T14:00", "04T14:30", "04T15:00", "04T16:30"]);
    assert_eq!(with(0, 10, &taken), ["04T14:00", "04T14:30", "04T16:00", "04T16:30"]);
    assert_eq!(with(30, 30, &taken), ["04T14:00", "04T14:30", "04T16:30"]);
    assert_eq!(with(31, 31, &taken), ["04T14:00"]);
    assert_eq!(with(u32::MAX, 0, &taken), ["04T14:00", "04T14:30", "04T15:00"]);
}

#[test]
fn one_second_of_busy_time_drops_a_start_and_does_not_move_the_grid() {
    let parts = || thursdays(&["09:00-11:00"]);
    let start = |list: &[Busy]| starts(parts(), list);
    assert_eq!(start(&[busy("04T14:30:00", "04T15:00:00")]), ["04T14:00", "04T15:00", "04T15:30"]);
    assert_eq!(start(&[busy("04T14:30:00", "04T15:00:01")]), ["04T14:00", "04T15:30"]);
    assert_eq!(start(&[busy("04T14:29:59", "04T15:00:00")]), ["04T15:00", "04T15:30"]);
    assert_eq!(start(&[busy("04T14:37:00", "04T14:44:00")]), ["04T14:00", "04T15:00", "04T15:30"]);
    // Long busy time that starts before a short one still counts after it, in any order.
    let nested = [busy("04T14:30:00", "04T14:31:00"), busy("04T13:00:00", "04T15:10:00")];
    assert_eq!(start(&nested), ["04T15:30"]);
    assert_eq!(start(&[nested[1], nested[0]]), ["04T15:30"]);
}

#[test]
fn time_off_cuts_the_end_of_a_window_of_the_day_before() {
    let evening = || thursdays(&["22:00-02:00"]);
    // 22:00 on Thursday the 4th is 03:00 UTC on the 5th; midnight is 05:00.
    assert_eq!(
        starts(evening(), &[]),
        ["05T03:00", "05T03:30", "05T04:00", "05T04:30", "05T05:00", "05T05:30", "05T06:00", "05T06:30"]
    );
    let friday = ScheduleParts { off: vec![off("2026-06-05", "2026-06-05")], ..evening() };
    assert_eq!(starts(friday, &[]), ["05T03:00", "05T03:30", "05T04:00", "05T04:30"]);
    let thursday = ScheduleParts { off: vec![off("2026-06-03", "2026-06-04")], ..evening() };
    assert_eq!(starts(thursday, &[]), ["05T05:00", "05T05:30", "05T06:00", "05T06:30"]);
}

#[test]
fn a_visit_must_end_before_time_off_without_buffers() {
    let mut parts = thursdays(&["08:00-11:30"]);
    parts.off = vec![off_hours("2026-06-04", &["08:00-10:15"])];
    // 10:15 is 15:15 UTC: 10:00 would start in it; the grid is still that of 08:00.
    assert_eq!(starts(parts.clone(), &[]), ["04T15:30", "04T16:00"]);
    parts.off = vec![off_hours("2026-06-04", &["09:10-09:20", "11:00-12:00"])];
    parts.buffer_before = 60;
    parts.buffer_after = 60;
    assert_eq!(starts(parts, &[]), ["04T13:00", "04T13:30", "04T14:30", "04T15:00", "04T15:30"]);
    // Time off past midnight cuts the next morning.
    let mut early = thursdays(&["00:00-02:00"]);
    early.off = vec![off_hours("2026-06-03", &["23:00-01:00"])];
    assert_eq!(starts(early, &[]), ["04T06:00", "04T06:30"]);
}

#[test]
fn extra_hours_take_precedence_over_holidays_and_time_off_over_extra_hours() {
    let holiday = || ScheduleParts {
        holidays: Arc::new([day("2026-06-04")].into()),
        extra: vec![dated("2026-06-04", &["09:00-10:00"]), dated("2026-06-06", &["09:00-09:30"])],
        ..thursdays(&["13:00-14:00"])
    };
    assert_eq!(starts(holiday(), &[]), ["04T14:00", "04T14:30", "06T14:00"]);
    let away = ScheduleParts { off: vec![off("2026-06-04", "2026-06-04")], ..holiday() };
    assert_eq!(starts(away, &[]), ["06T14:00"]);
    assert_eq!(starts(holiday(), &[busy("04T14:00:00", "04T14:01:00")]), ["04T14:30", "06T14:00"]);
}

#[test]
fn a_holiday_does_not_cut_a_window_of_the_day_before() {
    let mut parts = thursdays(&["23:00-01:00"]);
    parts.holidays = Arc::new([day("2026-06-05")].into());
    assert_eq!(starts(parts.clone(), &[]), ["05T04:00", "05T04:30", "05T05:00", "05T05:30"]);
    parts.holidays = Arc::new([day("2026-06-04")].into());
    assert_eq!(starts(parts, &[]), NONE);
}

#[test]
fn overlapping_extra_and_weekly_hours_give_each_start_once() {
    let mut parts = thursdays(&["09:00-10:00"]);
    parts.extra = vec![dated("2026-06-04", &["09:30-11:00"])];
    assert_eq!(starts(parts.clone(), &[]), ["04T14:00", "04T14:30", "04T15:00", "04T15:30"]);
    // With another grid: the starts of both, in order.
    parts.extra = vec![dated("2026-06-04", &["09:15-10:15"])];
    assert_eq!(starts(parts, &[]), ["04T14:00", "04T14:15", "04T14:30", "04T14:45"]);
}

#[test]
fn a_replacement_counts_outside_the_effective_dates() {
    let parts = ScheduleParts {
        effective_until: Some(day("2026-06-03")),
        replace: vec![dated("2026-06-04", &["18:00-19:00"])],
        ..thursdays(&["09:00-10:00"])
    };
    assert_eq!(starts(parts, &[]), ["04T23:00", "04T23:30"]);
}

/// The position of the class, and the time of day in UTC.
fn classed(classes: &[(&[i64], u32, u32)], window: &str) -> Vec<(usize, String)> {
    let parts = ScheduleParts {
        weekly: vec![Weekly { days: WeekdaySet::single(Weekday::Thu), hours: hours(&[window], classes) }],
        ..ScheduleParts::new(Tz::America__Chicago)
    };
    let schedule = Schedule::new(parts).unwrap();
    let starts = schedule.starts(at("2026-06-02T00:00:00Z"), at("2026-06-09T00:00:00Z"), &[]);
    starts.iter().map(|start| (start.class, start.at.to_string()[11..16].to_owned())).collect()
}

#[test]
fn types_share_a_start_only_if_their_durations_are_equal() {
    let start = |class, time: &str| (class, time.to_owned());
    assert_eq!(classed(&[(&[102, 101], 30, 30)], "09:00-10:00"), [start(0, "14:00"), start(0, "14:30")]);
    // The hour-long visit is the class of type 101, which comes first.
    assert_eq!(
        classed(&[(&[102], 30, 30), (&[101], 60, 60)], "09:00-10:30"),
        [start(0, "14:00"), start(1, "14:00"), start(1, "14:30"), start(1, "15:00")]
    );
}

#[test]
fn a_step_may_be_shorter_or_longer_than_the_visit() {
    let times = |duration, step| {
        let starts = classed(&[(&[101], duration, step)], "09:00-11:00").into_iter();
        starts.map(|(_, time)| time).collect::<Vec<_>>()
    };
    assert_eq!(times(60, 20), ["14:00", "14:20", "14:40", "15:00"]);
    assert_eq!(times(20, 50), ["14:00", "14:50", "15:40"]);
    assert_eq!(times(120, 15), ["14:00"]);
    assert_eq!(times(121, 15), NONE);
}

#[test]
fn the_grid_does_not_depend_on_the_query() {
    let times = |from: &str, to: &str| {
        let day = |time| format!("2026-06-04T{time}Z");
        between(&day(from), &day(to), thursdays(&["09:10-12:00"]), &[])
    };
    assert_eq!(times("14:40:00", "15:40:00"), ["04T14:40", "04T15:10"]);
    assert_eq!(times("14:40:01", "15:40:01"), ["04T15:10", "04T15:40"]);
    assert_eq!(times("16:10:01", "23:00:00"), NONE);
}

#[test]
fn a_clock_set_back_over_midnight_has_already_shown_the_next_date() {
    // Newfoundland, November 7, 2010: at 00:01, which is 02:31 UTC, it was 23:01 of the 6th again.
    let st_johns = |to| {
        let parts = weekly(Tz::America__St_Johns, WeekdaySet::ALL, &["00:00-01:00"]);
        between("2010-11-06T12:00:00Z", to, parts, &[])
    };
    assert_eq!(st_johns("2010-11-07T02:45:00Z"), ["07T02:30"]);
    assert_eq!(st_johns("2010-11-07T12:00:00Z"), ["07T02:30", "07T03:00", "07T03:30", "07T04:00"]);
}

#[test]
fn a_date_that_the_clock_never_shows_has_no_windows() {
    // Samoa, December 2011: Thursday the 29th, then Saturday the 31st, from 10:00 UTC on the 30th.
    let samoa = |days, window| {
        let parts = weekly(Tz::Pacific__Apia, days, &[window]);
        between("2011-12-29T12:00:00Z", "2011-12-31T12:00:00Z", parts, &[])
    };
    // 23:00 on the 29th is 09:00 UTC on the 30th; on the 31st it is 09:00 UTC on the 31st.
    assert_eq!(samoa(WeekdaySet::ALL, "23:00-24:00"), ["30T09:00", "30T09:30", "31T09:00", "31T09:30"]);
    // The night of the 29th ends where the 31st begins: its second half does not exist.
    assert_eq!(
        samoa(WeekdaySet::ALL, "23:00-01:00"),
        ["30T09:00", "30T09:30", "31T09:00", "31T09:30", "31T10:00", "31T10:30"]
    );
    // A night of the missing Friday does not open the morning of Saturday.
    assert_eq!(samoa(WeekdaySet::single(Weekday::Fri), "23:00-01:00"), NONE);
}

#[test]
fn time_off_after_the_end_of_the_query_cuts_the_last_visit() {
    let late = |off| {
        let parts = ScheduleParts { off, ..thursdays(&["23:15-01:15"]) };
        between("2026-06-05T04:00:00Z", "2026-06-05T04:50:00Z", parts, &[])
    };
    assert_eq!(late(vec![]), ["05T04:15", "05T04:45"]);
    assert_eq!(late(vec![off("2026-06-05", "2026-06-05")]), ["05T04:15"]);
}

#[test]
fn time_off_inside_a_gap_cuts_nothing() {
    // New York goes from 02:00 to 03:00 on March 8, 2026, at 07:00 UTC.
    let mut parts = weekly(Tz::America__New_York, WeekdaySet::ALL, &["01:15-04:00"]);
    parts.off = vec![off_hours("2026-03-08", &["02:00-02:45"])];
    assert_eq!(
        between("2026-03-08T05:00:00Z", "2026-03-09T05:00:00Z", parts, &[]),
        ["08T06:15", "08T06:45", "08T07:15"]
    );
}

#[test]
fn a_query_covers_at_most_366_days() {
    let mut parts = weekly(Tz::America__Chicago, WeekdaySet::ALL, &["00:00-24:00"]);
    parts.off = vec![
        Off { from: NaiveDate::MIN, to: NaiveDate::MIN, hours: None },
        Off { from: NaiveDate::MAX, to: NaiveDate::MAX, hours: None },
        Off { from: NaiveDate::MIN, to: NaiveDate::MAX, hours: Some(vec!["12:00-12:30".parse().unwrap()]) },
    ];
    let schedule = Schedule::new(parts).unwrap();
    let all = schedule.starts(Instant::MIN, Instant::MAX, &[Busy { start: Instant::MAX, end: Instant::MIN }]);
    assert_eq!(all.len(), 366 * 47);
    assert!(schedule.starts(Instant::MAX, Instant::MIN, &[]).is_empty());
    let hour = Instant::MAX.plus_seconds(-3_599);
    assert_eq!(schedule.starts(hour, Instant::MAX, &[]).len(), 2);
    let always_off = Off { from: NaiveDate::MIN, to: NaiveDate::MAX, hours: None };
    let parts = ScheduleParts { off: vec![always_off], ..schedule.parts().clone() };
    assert!(Schedule::new(parts).unwrap().starts(Instant::MIN, Instant::MAX, &[]).is_empty());
}
