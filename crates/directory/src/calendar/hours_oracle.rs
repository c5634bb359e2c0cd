//! The expansion of hours against a slow oracle: a minute-by-minute walk along the clock, and every rule of precedence
//! written out.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, TimeDelta, WeekdaySet};
use chrono_tz::Tz;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::hours::Busy;
use super::instant::Instant;
use crate::model::VisitTypeId;
use crate::model::{Class, ClockTime, Dated, Hours, Off, Schedule, ScheduleParts, Weekly, Window};

/// Zones, and a date before a transition.
const PLACES: [(&str, &str); 10] = [
    ("America/New_York", "2026-03-06"),
    ("America/Los_Angeles", "2026-10-30"),
    ("America/Phoenix", "2026-06-01"),
    ("America/St_Johns", "2010-11-05"),
    ("America/Santiago", "2026-09-04"),
    ("America/Santiago", "2026-04-03"),
    ("Australia/Lord_Howe", "2026-04-03"),
    ("Asia/Kathmandu", "2026-12-30"),
    ("Pacific/Apia", "2011-12-28"),
    ("Pacific/Kwajalein", "1969-09-29"),
];

/// The latest local time shown so far, by minute of UTC.
struct Walk {
    begin: i64,
    latest: Vec<NaiveDateTime>,
    shown: BTreeSet<NaiveDate>,
}

impl Walk {
    fn new(zone: Tz, date: NaiveDate) -> Self {
        let begin = (date - TimeDelta::days(5)).and_time(chrono::NaiveTime::MIN).and_utc().timestamp();
        let mut latest = Vec::new();
        let mut shown = BTreeSet::new();
        let mut last = NaiveDateTime::MIN;
        for minute in 0..20 * 24 * 60 {
            let local =
                DateTime::from_timestamp(begin + minute * 60, 0).unwrap().with_timezone(&zone).naive_local();
            shown.insert(local.date());
            last = last.max(local);
            latest.push(last);
        }
        Self { begin, latest, shown }
    }

    fn first(&self, date: NaiveDate, time: ClockTime) -> i64 {
        let wall = date.and_time(chrono::NaiveTime::MIN) + TimeDelta::minutes(time.minutes().into());
        let minute = self.latest.partition_point(|latest| *latest < wall);
        self.begin + i64::try_from(minute).unwrap() * 60
    }

    fn span(&self, date: NaiveDate, window: Window) -> (i64, i64) {
        let end = if window.end() <= window.start() { date.succ_opt().unwrap() } else { date };
        (self.first(date, window.start()), self.first(end, window.end()))
    }
}

/// The expected starts and classes.
fn oracle(parts: &ScheduleParts, date: NaiveDate, from: i64, to: i64, busy: &[Busy]) -> Vec<(i64, Class)> {
    let walk = Walk::new(parts.zone, date);
    let dates: Vec<NaiveDate> = (-3..12).map(|day| date + TimeDelta::days(day)).collect();
    let mut all_hours: Vec<(NaiveDate, &Hours)> = Vec::new();
    for &date in dates.iter().filter(|date| walk.shown.contains(date)) {
        let mut here: Vec<&Hours> = Vec::new();
        for weekly in &parts.weekly {
            let early = parts.effective_from.is_some_and(|from| date < from);
            let late = parts.effective_until.is_some_and(|until| date > until);
            if weekly.days.contains(date.weekday()) && !early && !late {
                here.push(&weekly.hours);
            }
        }
        if parts.replace.iter().any(|replace| replace.date == date) {
            here = parts.replace.iter().filter(|it| it.date == date).map(|it| &it.hours).collect();
        }
        if parts.holidays.contains(&date) {
            here.clear();
        }
        here.extend(parts.extra.iter().filter(|it| it.date == date).map(|it| &it.hours));
        all_hours.extend(here.into_iter().map(|hours| (date, hours)));
    }
    let mut off: Vec<(i64, i64)> = Vec::new();
    for it in &parts.off {
        for &date in
            dates.iter().filter(|&&date| it.from <= date && date <= it.to && walk.shown.contains(&date))
        {
            match &it.hours {
                None => {
                    off.push((walk.first(date, ClockTime::DAY_START), walk.first(date, ClockTime::DAY_END)));
                }
                Some(windows) => off.extend(windows.iter().map(|&window| walk.span(date, window))),
            }
        }
    }
    let mut starts = BTreeSet::new();
    for (date, hours) in all_hours {
        for &window in hours.windows() {
            let (open, close) = walk.span(date, window);
            for class in hours.classes() {
                let (duration, step) = (i64::from(class.duration()) * 60, i64::from(class.step()) * 60);
                for start in (open..close).step_by(usize::try_from(step).unwrap()) {
                    let end = start + duration;
                    let (before, after) =
                        (i64::from(parts.buffer_before) * 60, i64::from(parts.buffer_after) * 60);
                    let is_off = off.iter().any(|&(a, b)| a < b && a < end && start < b);
                    let is_busy = busy
                        .iter()
                        .any(|busy| start - before < busy.end.unix() && busy.start.unix() < end + after);
                    if end <= close && from <= start && start < to && !is_off && !is_busy {
                        starts.insert((start, class.clone()));
                    }
                }
            }
        }
    }
    starts.into_iter().collect()
}

fn window() -> impl Strategy<Value = Window> {
    (0..24 * 6_u16, 0..=24 * 6_u16).prop_map(|(start, end)| {
        let time = |tens: u16| ClockTime::from_minutes(tens * 10).unwrap();
        Window::new(time(start), time(end)).unwrap()
    })
}

fn class() -> impl Strategy<Value = Class> {
    let types = subsequence(vec![101, 102, 103], 1..=3);
    (types, select(vec![10, 25, 30, 60, 90]), select(vec![10, 20, 30, 45, 60])).prop_map(
        |(types, duration, step)| {
            let types = types.into_iter().map(|id| VisitTypeId::try_from(id).unwrap()).collect();
            Class::new(types, duration, step).unwrap()
        },
    )
}

fn hours() -> impl Strategy<Value = Hours> {
    (vec(window(), 0..3), vec(class(), 1..3)).prop_map(|(windows, classes)| Hours::new(windows, classes))
}

/// Parts, the first date, the period of the query, busy time.
type Question = (ScheduleParts, NaiveDate, (i64, i64), Vec<Busy>);

fn question() -> impl Strategy<Value = Question> {
    let days = 0_u8..128;
    let some_dated = || vec((0..7_i64, hours()), 0..3);
    let off = vec((0..7_i64, 0..2_i64, option::of(vec(window(), 1..3))), 0..3);
    let seconds = 8 * 86_400_i64;
    (
        select(PLACES.to_vec()),
        vec((days, hours()), 0..3),
        (some_dated(), some_dated(), off),
        (vec(0..7_i64, 0..3), option::of(0..4_i64), option::of(4..8_i64)),
        (select(vec![0, 10, 33]), select(vec![0, 10, 33])),
        (0..seconds, 0..seconds),
        vec((0..seconds, 0..20_000_i64), 0..6),
    )
        .prop_map(move |((zone, date), weekly, (replace, extra, off), limits, buffers, range, busy)| {
            let date: NaiveDate = date.parse().unwrap();
            let day = |number: i64| date + TimeDelta::days(number);
            let dated = |list: Vec<(i64, Hours)>| {
                list.into_iter().map(|(number, hours)| Dated { date: day(number), hours }).collect()
            };
            let week = WeekdaySet::ALL;
            let parts = ScheduleParts {
                buffer_before: buffers.0,
                buffer_after: buffers.1,
                holidays: Arc::new(limits.0.into_iter().map(day).collect()),
                effective_from: limits.1.map(day),
                effective_until: limits.2.map(day),
                weekly: weekly
                    .into_iter()
                    .map(|(days, hours)| {
                        let is_chosen = |day: &chrono::Weekday| days >> day.num_days_from_monday() & 1 == 1;
                        Weekly { days: week.iter(chrono::Weekday::Mon).filter(is_chosen).collect(), hours }
                    })
                    .collect(),
                replace: dated(replace),
                extra: dated(extra),
                off: off
                    .into_iter()
                    .map(|(from, more, hours)| Off { from: day(from), to: day(from + more), hours })
                    .collect(),
                ..ScheduleParts::new(zone.parse().unwrap())
            };
            let begin = date.and_time(chrono::NaiveTime::MIN).and_utc().timestamp();
            let busy = busy.into_iter().map(|(start, length)| Busy {
                start: Instant::from_unix(begin + start),
                end: Instant::from_unix(begin + start + length),
            });
            (parts, date, (begin + range.0.min(range.1), begin + range.0.max(range.1)), busy.collect())
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_expansion_agrees_with_the_oracle((parts, date, (from, to), busy) in question()) {
        let expected = oracle(&parts, date, from, to, &busy);
        let schedule = Schedule::new(parts).unwrap();
        let starts = schedule.starts(Instant::from_unix(from), Instant::from_unix(to), &busy);
        let found: Vec<(i64, Class)> =
            starts.iter().map(|start| (start.at.unix(), schedule.classes()[start.class].clone())).collect();
        prop_assert_eq!(found, expected);
    }
}
