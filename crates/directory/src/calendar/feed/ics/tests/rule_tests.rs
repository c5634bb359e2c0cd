//! Rules against a slow expansion that looks at every day, and against the crate `rrule`.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "small random numbers"
)]

mod refused;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use chrono::{DateTime, Datelike as _, Days, NaiveDate, NaiveDateTime, TimeDelta, Weekday};

use super::super::rule::Rule;
use super::*;

const NAMES: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/// Pseudo-random numbers, the same in each run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn sometimes(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }

    fn some(&mut self, most: u64, mut item: impl FnMut(&mut Self) -> i64) -> Vec<i64> {
        let mut items: Vec<i64> = (0..=self.below(most)).map(|_| item(self)).collect();
        items.sort_unstable();
        items.dedup();
        items
    }

    fn signed(&mut self, most: u64) -> i64 {
        let size = i64::try_from(1 + self.below(most)).unwrap();
        if self.sometimes(3) { -size } else { size }
    }
}

/// The parts of a rule, as they are written.
#[derive(Debug, Default, Clone)]
struct Parts {
    frequency: &'static str,
    interval: i64,
    count: Option<usize>,
    until: Option<NaiveDateTime>,
    months: Vec<i64>,
    weeks: Vec<i64>,
    year_days: Vec<i64>,
    month_days: Vec<i64>,
    /// A number, or 0, and the weekday from Monday.
    days: Vec<(i64, usize)>,
    hours: Vec<i64>,
    minutes: Vec<i64>,
    seconds: Vec<i64>,
    positions: Vec<i64>,
    week_start: usize,
}

impl Parts {
    fn random(random: &mut Random) -> Self {
        let frequency = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY"][random.below(5) as usize];
        let (is_yearly, is_monthly) = (frequency == "YEARLY", frequency == "MONTHLY");
        let mut parts = Self { frequency, interval: 1, ..Self::default() };
        if random.sometimes(2) {
            parts.interval = 1 + random.below(if frequency == "HOURLY" { 30 } else { 5 }) as i64;
        }
        if random.sometimes(3) {
            parts.months = random.some(4, |random| 1 + random.below(12) as i64);
        }
        if is_yearly && random.sometimes(5) {
            parts.weeks = random.some(4, |random| random.signed(53));
            parts.days = random
                .some(3, |random| random.below(7) as i64)
                .into_iter()
                .map(|day| (0, day as usize))
                .collect();
        } else if random.sometimes(2) {
            let most = if is_monthly || is_yearly && !parts.months.is_empty() { 5 } else { 53 };
            for day in random.some(4, |random| random.below(7) as i64) {
                let is_numbered = (is_yearly || is_monthly) && random.sometimes(2);
                parts.days.push((if is_numbered { random.signed(most) } else { 0 }, day as usize));
            }
        }
        if frequency != "WEEKLY" && random.sometimes(4) {
            parts.month_days = random.some(5, |random| random.signed(31));
        }
        if (is_yearly || frequency == "HOURLY") && random.sometimes(6) {
            parts.year_days = random.some(9, |random| random.signed(366));
        }
        if random.sometimes(4) {
            parts.hours = random.some(3, |random| random.below(24) as i64);
        }
        if random.sometimes(5) {
            parts.minutes = random.some(3, |random| random.below(60) as i64);
        }
        if random.sometimes(9) {
            parts.seconds = random.some(2, |random| random.below(60) as i64);
        }
        let has_set = parts.text().contains("BY");
        if has_set && random.sometimes(4) {
            parts.positions = random.some(2, |random| random.signed(6));
        }
        if random.sometimes(3) {
            parts.week_start = random.below(7) as usize;
        }
        match random.below(4) {
            0 => parts.count = Some(1 + random.below(60) as usize),
            1 => {
                let day = NaiveDate::from_ymd_opt(2024, 1, 1).unwrap() + Days::new(random.below(1_400));
                parts.until = day.and_hms_opt(random.below(24) as u32, random.below(60) as u32, 0);
            }
            _ => {}
        }
        parts
    }

    fn text(&self) -> String {
        let mut text = format!("FREQ={};INTERVAL={}", self.frequency, self.interval);
        let mut add = |name: &str, values: &[i64]| {
            if !values.is_empty() {
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                let _ = write!(text, ";{name}={}", values.join(","));
            }
        };
        add("BYMONTH", &self.months);
        add("BYWEEKNO", &self.weeks);
        add("BYYEARDAY", &self.year_days);
        add("BYMONTHDAY", &self.month_days);
        add("BYHOUR", &self.hours);
        add("BYMINUTE", &self.minutes);
        add("BYSECOND", &self.seconds);
        add("BYSETPOS", &self.positions);
        if !self.days.is_empty() {
            let name = |&(nth, day): &(i64, usize)| {
                if nth == 0 { NAMES[day].to_owned() } else { format!("{nth}{}", NAMES[day]) }
            };
            let _ = write!(text, ";BYDAY={}", self.days.iter().map(name).collect::<Vec<_>>().join(","));
        }
        if let Some(count) = self.count {
            let _ = write!(text, ";COUNT={count}");
        }
        if let Some(until) = self.until {
            text += &until.format(";UNTIL=%Y%m%dT%H%M%SZ").to_string();
        }
        text + &format!(";WKST={}", NAMES[self.week_start])
    }

    /// What a rule without days takes over from its start.
    fn with_defaults(&self, start: NaiveDateTime) -> Self {
        let mut parts = self.clone();
        let has_no_day = self.days.is_empty() && self.month_days.is_empty() && self.year_days.is_empty();
        let date = start.date();
        if has_no_day && (self.frequency == "WEEKLY" || !self.weeks.is_empty()) {
            parts.days = vec![(0, date.weekday().num_days_from_monday() as usize)];
        } else if has_no_day && matches!(self.frequency, "MONTHLY" | "YEARLY") {
            parts.month_days = vec![i64::from(date.day())];
            if self.frequency == "YEARLY" && self.months.is_empty() {
                parts.months = vec![i64::from(date.month())];
            }
        }
        let second = start.and_utc().timestamp().rem_euclid(DAY);
        if self.hours.is_empty() {
            parts.hours = if self.frequency == "HOURLY" { (0..24).collect() } else { vec![second / 3_600] };
        }
        if self.minutes.is_empty() {
            parts.minutes = vec![second / 60 % 60];
        }
        if self.seconds.is_empty() {
            parts.seconds = vec![second % 60];
        }
        parts
    }

    /// Looks at every day from the start on, and at the days before it in its period.
    fn slowly(&self, start: NaiveDateTime, end: NaiveDateTime) -> Vec<i64> {
        let parts = self.with_defaults(start);
        let mut periods: BTreeMap<i64, Vec<NaiveDateTime>> = BTreeMap::new();
        let mut day = NaiveDate::from_ymd_opt(start.year() - 1, 12, 20).unwrap();
        // A position needs its whole period.
        let last = if parts.positions.is_empty() {
            end.date()
        } else {
            NaiveDate::from_ymd_opt(end.year() + 1, 1, 9).unwrap()
        };
        while day <= last {
            if parts.has_day(day) {
                for &hour in &parts.hours {
                    for &minute in &parts.minutes {
                        for &second in &parts.seconds {
                            let time = day.and_hms_opt(hour as u32, minute as u32, second as u32).unwrap();
                            periods.entry(parts.period(time)).or_default().push(time);
                        }
                    }
                }
            }
            day = day.succ_opt().unwrap();
        }
        let first = parts.period(start);
        let mut found = Vec::new();
        for (period, mut times) in periods {
            if (period - first) % parts.interval != 0 {
                continue;
            }
            times.sort_unstable();
            let chosen: Vec<NaiveDateTime> = if parts.positions.is_empty() {
                times
            } else {
                let at = |&position: &i64| {
                    let count = times.len() as i64;
                    let index = if position > 0 { position - 1 } else { count + position };
                    (0..count).contains(&index).then(|| times[index as usize])
                };
                let mut chosen: Vec<NaiveDateTime> = parts.positions.iter().filter_map(at).collect();
                chosen.sort_unstable();
                chosen.dedup();
                chosen
            };
            found.extend(chosen.into_iter().filter(|time| *time >= start));
        }
        found.truncate(parts.count.unwrap_or(usize::MAX));
        found.retain(|time| parts.until.is_none_or(|until| *time <= until) && *time < end);
        found.into_iter().map(|time| time.and_utc().timestamp()).collect()
    }

    fn period(&self, time: NaiveDateTime) -> i64 {
        let date = time.date();
        match self.frequency {
            "YEARLY" => i64::from(date.year()),
            "MONTHLY" => i64::from(date.year()) * 12 + i64::from(date.month0()),
            "WEEKLY" => i64::from(self.week_of(date).num_days_from_ce()),
            "DAILY" => i64::from(date.num_days_from_ce()),
            _ => time.and_utc().timestamp().div_euclid(3_600),
        }
        // A week's number is that of its first day, so that intervals are multiples of 7.
        .div_euclid(if self.frequency == "WEEKLY" { 7 } else { 1 })
    }

    /// The first day of a day's week.
    fn week_of(&self, mut day: NaiveDate) -> NaiveDate {
        while day.weekday() != Weekday::try_from(u8::try_from(self.week_start).unwrap()).unwrap() {
            day = day.pred_opt().unwrap();
        }
        day
    }

    /// The first days of a year's weeks: those with at least four days of it.
    fn weeks_of(&self, year: i32) -> Vec<NaiveDate> {
        let mut week = self.week_of(NaiveDate::from_ymd_opt(year - 1, 12, 25).unwrap());
        let mut weeks = Vec::new();
        while week.year() <= year {
            if (0..7).filter(|day| (week + Days::new(*day)).year() == year).count() >= 4 {
                weeks.push(week);
            }
            week = week + Days::new(7);
        }
        weeks
    }

    fn has_day(&self, day: NaiveDate) -> bool {
        let is_any = |wanted: &[i64], list: &[NaiveDate]| {
            wanted.iter().any(|&nth| {
                let index = if nth > 0 { nth - 1 } else { list.len() as i64 + nth };
                usize::try_from(index).is_ok_and(|index| list.get(index) == Some(&day))
            })
        };
        let days = |first: NaiveDate, is_in: &dyn Fn(NaiveDate) -> bool| -> Vec<NaiveDate> {
            first.iter_days().take_while(|day| is_in(*day)).collect()
        };
        let of_month = || days(day.with_day(1).unwrap(), &|other| other.month() == day.month());
        let of_year = || days(day.with_ordinal(1).unwrap(), &|other| other.year() == day.year());
        if !self.months.is_empty() && !self.months.contains(&i64::from(day.month()))
            || !self.month_days.is_empty() && !is_any(&self.month_days, &of_month())
            || !self.year_days.is_empty() && !is_any(&self.year_days, &of_year())
        {
            return false;
        }
        if !self.weeks.is_empty() {
            let week = self.week_of(day);
            let is_in = |year: i32| {
                let weeks = self.weeks_of(year);
                self.weeks.iter().any(|&nth| {
                    let index = if nth > 0 { nth - 1 } else { weeks.len() as i64 + nth };
                    usize::try_from(index).is_ok_and(|index| weeks.get(index) == Some(&week))
                })
            };
            if !(day.year() - 1..=day.year() + 1).any(is_in) {
                return false;
            }
        }
        let weekday = day.weekday().num_days_from_monday() as usize;
        self.days.is_empty()
            || self.days.iter().filter(|(_, wanted)| *wanted == weekday).any(|&(nth, _)| {
                let is_in_month = self.frequency == "MONTHLY" || !self.months.is_empty();
                nth == 0 || {
                    let mut days = if is_in_month { of_month() } else { of_year() };
                    days.retain(|other| other.weekday() == day.weekday());
                    is_any(&[nth], &days)
                }
            })
    }
}

fn expanded(rule: &Rule, start: i64, from: i64, to: i64) -> Vec<i64> {
    let (mut found, mut budget) =
        (Vec::new(), Budget { all: usize::MAX, series: 1_000_000, instances: usize::MAX });
    let told = rule.expand(start, &(from..to), &mut budget, |time| {
        if !rule.is_until_utc || time <= rule.until {
            found.push(time);
        }
    });
    assert!(told.is_ok());
    found
}

fn random_start(random: &mut Random) -> NaiveDateTime {
    let day = NaiveDate::from_ymd_opt(2023, 11, 1).unwrap() + Days::new(random.below(500));
    day.and_hms_opt(random.below(24) as u32, 15 * random.below(4) as u32, 0).unwrap()
}

#[test]
fn rules_agree_with_a_look_at_every_day() {
    let mut random = Random(7);
    let (mut instances, mut empty) = (0, 0);
    for _ in 0..2_000 {
        let (parts, start) = (Parts::random(&mut random), random_start(&mut random));
        let end = start + Days::new(200 + random.below(700));
        let slow = parts.slowly(start, end);
        let rule = Rule::parse(parts.text().as_bytes()).unwrap();
        let (start, end) = (start.and_utc().timestamp(), end.and_utc().timestamp());
        assert_eq!(expanded(&rule, start, start, end), slow, "{} from {start}", parts.text());
        // Jumping to a window leaves nothing out.
        let from = start + (end - start) * i64::try_from(random.below(100)).unwrap() / 100;
        let late: Vec<i64> = slow.iter().copied().filter(|time| *time >= from).collect();
        assert_eq!(expanded(&rule, start, from, end), late, "{} from {start} at {from}", parts.text());
        instances += slow.len();
        empty += usize::from(slow.is_empty());
    }
    assert!(instances > 200_000 && empty < 600, "{instances} instances, {empty} rules without one");
}

#[test]
fn rules_agree_with_the_crate_rrule() {
    let mut random = Random(11);
    let (mut compared, mut instances) = (0, 0);
    for _ in 0..300 {
        let (parts, start) = (Parts::random(&mut random), random_start(&mut random));
        // It takes `MO,2TU` as days that are both, and counts positions in the first week from the start on.
        if parts.frequency == "WEEKLY" && !parts.positions.is_empty() {
            continue;
        }
        if parts.days.iter().any(|(nth, _)| *nth == 0) && parts.days.iter().any(|(nth, _)| *nth != 0) {
            continue;
        }
        let end = start + Days::new(400);
        let text = format!("DTSTART:{}\nRRULE:{}", start.format("%Y%m%dT%H%M%SZ"), parts.text());
        // It refuses some positions of sets that can't have them.
        let Ok(set) = text.parse::<rrule::RRuleSet>() else { continue };
        let bound = |time: NaiveDateTime| time.and_utc().with_timezone(&rrule::Tz::UTC);
        let theirs = set.after(bound(start - TimeDelta::seconds(1))).before(bound(end)).all(500);
        if theirs.limited {
            continue;
        }
        let (start, end) = (start.and_utc().timestamp(), end.and_utc().timestamp());
        let theirs: Vec<i64> =
            theirs.dates.iter().map(DateTime::timestamp).filter(|time| *time < end).collect();
        let rule = Rule::parse(parts.text().as_bytes()).unwrap();
        let ours = expanded(&rule, start, start, end);
        assert_eq!(ours, theirs, "{text}");
        compared += 1;
        instances += ours.len();
    }
    assert!(compared > 150 && instances > 5_000, "{compared} rules, {instances} instances");
}
