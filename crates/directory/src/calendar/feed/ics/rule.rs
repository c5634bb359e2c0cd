//! Recurrence rules (RFC 5545, section 3.3.10), on a clock without a zone.

use std::collections::BTreeSet;
use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::super::super::boundary::{date, day_number};
use super::lex::{Form, halves, local_time, number, sign_of};
use super::reading::DAY;

const HOUR: i64 = 3_600;
const SERIES_STEPS: usize = 100_000;
const INSTANCES: usize = 10_000;

pub(super) struct Exhausted;

pub(super) struct Budget {
    pub(super) all: usize,
    pub(super) series: usize,
    pub(super) instances: usize,
}

impl Budget {
    pub(super) fn begin_series(&mut self) {
        (self.series, self.instances) = (SERIES_STEPS, INSTANCES);
    }

    pub(super) fn spend(&mut self, steps: usize) -> Result<(), Exhausted> {
        self.all = self.all.checked_sub(steps).ok_or(Exhausted)?;
        self.series = self.series.checked_sub(steps).ok_or(Exhausted)?;
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Frequency {
    Hourly,
    #[default]
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

/// A rule's parts. An empty list means that the part isn't given; a number below 0 counts from the end.
#[derive(Clone, Default)]
pub(super) struct Rule {
    frequency: Frequency,
    interval: i64,
    count: Option<usize>,
    /// The last second at which an instance may begin: on the event's own clock, or of UTC.
    pub(super) until: i64,
    pub(super) is_until_utc: bool,
    months: Vec<i64>,
    month_days: Vec<i64>,
    year_days: Vec<i64>,
    weeks: Vec<i64>,
    /// From Monday, 0; with a number as in `-1FR`, or 0.
    week_days: Vec<(i64, i64)>,
    hours: Vec<i64>,
    minutes: Vec<i64>,
    seconds: Vec<i64>,
    positions: Vec<i64>,
    week_start: i64,
}

impl Rule {
    /// None for a rule with a part that isn't known, or that RFC 5545 doesn't allow there or twice.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let text = text.to_ascii_uppercase();
        let mut rule = Self { interval: 1, until: i64::MAX, ..Self::default() };
        let (mut frequency, mut names) = (None, BTreeSet::new());
        for part in text.split(|&byte| byte == b';').filter(|part| !part.trim_ascii().is_empty()) {
            let (name, value) = halves(part, b'=')?;
            if !names.insert(name) {
                return None;
            }
            let positive = || number(value).filter(|&number| number > 0);
            match name {
                b"FREQ" => frequency = Some(frequency_of(value)?),
                b"INTERVAL" => rule.interval = i64::from(positive()?),
                b"COUNT" => rule.count = Some(usize::try_from(positive()?).ok()?),
                b"UNTIL" => {
                    let (time, form) = local_time(value)?;
                    rule.until = if form == Form::Date { time + DAY - 1 } else { time };
                    rule.is_until_utc = form == Form::Utc;
                }
                b"BYMONTH" => rule.months = unsigned(value, 1, 12)?,
                b"BYMONTHDAY" => rule.month_days = numbers(value, 1, 31)?,
                b"BYYEARDAY" => rule.year_days = numbers(value, 1, 366)?,
                b"BYWEEKNO" => rule.weeks = numbers(value, 1, 53)?,
                b"BYDAY" => rule.week_days = list(value, week_day)?,
                b"BYHOUR" => rule.hours = unsigned(value, 0, 23)?,
                b"BYMINUTE" => rule.minutes = unsigned(value, 0, 59)?,
                b"BYSECOND" => rule.seconds = unsigned(value, 0, 59)?,
                b"BYSETPOS" => rule.positions = numbers(value, 1, 366)?,
                b"WKST" => (_, rule.week_start) = week_day(value).filter(|(nth, _)| *nth == 0)?,
                _ => return None,
            }
        }
        rule.frequency = frequency?;
        rule.is_allowed().then_some(rule)
    }

    /// Applies the notes below RFC 5545's table of the parts.
    fn is_allowed(&mut self) -> bool {
        let frequency = self.frequency;
        if frequency < Frequency::Monthly || !self.weeks.is_empty() {
            // A number has no meaning there; without it, more is taken.
            self.week_days.iter_mut().for_each(|(nth, _)| *nth = 0);
        }
        (self.weeks.is_empty() || frequency == Frequency::Yearly)
            && (self.year_days.is_empty() || matches!(frequency, Frequency::Hourly | Frequency::Yearly))
            && (self.month_days.is_empty() || frequency != Frequency::Weekly)
            && (self.count.is_none() || self.until == i64::MAX)
    }

    /// In order. A series begins at its start, which need not be an instance of its rule.
    pub(super) fn expand(
        &self,
        start: i64,
        range: &Range<i64>,
        budget: &mut Budget,
        mut tell: impl FnMut(i64),
    ) -> Result<(), Exhausted> {
        // No clock is two days ahead; the caller knows the zone.
        let until = self.until.saturating_add(if self.is_until_utc { 2 * DAY } else { 0 });
        let last = until.min(range.end - 1);
        if last < range.start.max(start) {
            return Ok(());
        }
        let periods = Periods::of(self.clone(), start);
        budget.spend(periods.times.len())?;
        let near = (periods.index(range.start.max(start)) - periods.first) / self.interval;
        let (mut set, mut counted, mut period) = (Vec::new(), 0, near);
        if self.count.is_some() && near > 0 {
            period = 0;
            if periods.is_even {
                periods.fill(0, &mut set);
                counted = set.iter().filter(|&&time| time >= start).count();
                let (_, cost) = periods.fill(1, &mut set).unwrap_or_default();
                budget.spend(2 * cost)?;
                let skipped = usize::try_from(near - 1).unwrap_or(usize::MAX);
                counted = counted.saturating_add(set.len().saturating_mul(skipped));
                period = near;
            }
        }
        let count = self.count.unwrap_or(usize::MAX);
        while counted < count
            && let Some((day, cost)) = periods.fill(period, &mut set)
            && day * DAY <= last
        {
            budget.spend(cost)?;
            for &time in set.iter().filter(|&&time| time >= start) {
                if counted == count || time > last {
                    return Ok(());
                }
                counted += 1;
                if time >= range.start {
                    budget.instances = budget.instances.checked_sub(1).ok_or(Exhausted)?;
                    tell(time);
                }
            }
            period += 1;
        }
        Ok(())
    }
}

/// A rule with what it takes over from its series' start.
struct Periods {
    rule: Rule,
    /// The times of a day, or of an hour.
    times: Vec<i64>,
    /// The start's day, week, month, year or hour.
    first: i64,
    /// All periods have as many instances.
    is_even: bool,
}

impl Periods {
    fn of(mut rule: Rule, start: i64) -> Self {
        let (day, second) = (start.div_euclid(DAY), start.rem_euclid(DAY));
        let is_hourly = rule.frequency == Frequency::Hourly;
        let has_no_date = rule.month_days.is_empty() && rule.year_days.is_empty();
        let is_even = rule.frequency < Frequency::Monthly
            && has_no_date
            && rule.months.is_empty()
            && (rule.week_days.is_empty() || rule.frequency == Frequency::Weekly)
            && (rule.hours.is_empty() || !is_hourly);
        if has_no_date && rule.week_days.is_empty() {
            let date = date_of(day);
            if rule.frequency == Frequency::Weekly || !rule.weeks.is_empty() {
                rule.week_days.push((0, weekday(day)));
            } else if rule.frequency >= Frequency::Monthly {
                rule.month_days.push(i64::from(date.day()));
                if rule.months.is_empty() && rule.frequency == Frequency::Yearly {
                    rule.months.push(i64::from(date.month()));
                }
            }
        }
        let hours = if is_hourly { vec![0] } else { std::mem::take(&mut rule.hours) };
        let mut times = vec![0];
        for (given, own, unit) in [
            (&hours, second / HOUR, HOUR),
            (&rule.minutes, second / 60 % 60, 60),
            (&rule.seconds, second % 60, 1),
        ] {
            let own = [own];
            let counts = if given.is_empty() { &own } else { &given[..] };
            let with = |time: i64| counts.iter().map(move |count| time + count * unit);
            times = times.into_iter().flat_map(with).collect();
        }
        let mut periods = Self { rule, times, first: 0, is_even };
        periods.first = periods.index(start);
        periods
    }

    fn index(&self, time: i64) -> i64 {
        let day = time.div_euclid(DAY);
        let date = || date_of(day);
        match self.rule.frequency {
            Frequency::Hourly => time.div_euclid(HOUR),
            Frequency::Daily => day,
            Frequency::Weekly => (day + 3 - self.rule.week_start).div_euclid(7),
            Frequency::Monthly => i64::from(date().year()) * 12 + i64::from(date().month0()),
            Frequency::Yearly => i64::from(date().year()),
        }
    }

    /// The days of a period, or the day of an hour; none after chrono's calendar.
    fn days(&self, index: i64) -> Option<Range<i64>> {
        let month = |index: i64| {
            let year = i32::try_from(index.div_euclid(12)).ok()?;
            NaiveDate::from_ymd_opt(year, u32::try_from(index.rem_euclid(12)).ok()? + 1, 1).map(day_number)
        };
        let week = index * 7 - 3 + self.rule.week_start;
        Some(match self.rule.frequency {
            Frequency::Hourly => index.div_euclid(24)..index.div_euclid(24) + 1,
            Frequency::Daily => index..index + 1,
            Frequency::Weekly => week..week + 7,
            Frequency::Monthly => month(index)?..month(index + 1)?,
            Frequency::Yearly => month(index * 12)?..month(index * 12 + 12)?,
        })
    }

    /// The instances of a period, in order. Gives its first day, if chrono's calendar has it, and the steps that it takes:
    /// each day is compared with each number of the rule.
    fn fill(&self, period: i64, set: &mut Vec<i64>) -> Option<(i64, usize)> {
        set.clear();
        let (rule, index) = (&self.rule, self.first + period * self.rule.interval);
        let days = self.days(index)?;
        let hour = if rule.frequency == Frequency::Hourly { index.rem_euclid(24) } else { 0 };
        if !rule.hours.is_empty() && !rule.hours.contains(&hour) {
            return Some((days.start, 1));
        }
        let (mut day, mut date) = (days.start, date_of(days.start));
        // One step too many is enough: the count then says that the series is too long.
        while day < days.end && set.len() <= SERIES_STEPS {
            if rule.months.is_empty() || rule.months.contains(&i64::from(date.month())) {
                if self.has(day, date) {
                    set.extend(self.times.iter().map(|time| day * DAY + hour * HOUR + time));
                }
                (day, date) = (day + 1, date.succ_opt().unwrap_or_default());
            } else {
                day += days_of_month(date) + 1 - i64::from(date.day());
                date = date_of(day);
            }
        }
        let numbers = rule.week_days.len() + rule.year_days.len() + rule.weeks.len();
        let compared = usize::try_from(days.end - days.start).unwrap_or_default() * (1 + numbers);
        let cost = 1 + compared / 16 + set.len() * (1 + rule.positions.len() / 16);
        if !rule.positions.is_empty() {
            let count = i64::try_from(set.len()).unwrap_or(i64::MAX);
            let mut position = 0;
            set.retain(|_| {
                position += 1;
                is_any(&rule.positions, (position, count + 1 - position))
            });
        }
        Some((days.start, cost))
    }

    /// Whether a day fits all parts but BYMONTH. Its places are counted from the front and from the back, both from 1.
    fn has(&self, day: i64, date: NaiveDate) -> bool {
        let rule = &self.rule;
        let place = |front: u32, days: i64| (i64::from(front), days + 1 - i64::from(front));
        let month = || place(date.day(), days_of_month(date));
        let year = || place(date.ordinal(), days_of_year(date));
        let is_of_month = rule.frequency == Frequency::Monthly || !rule.months.is_empty();
        let is_nth = |nth: i64| {
            let (front, back) = if is_of_month { month() } else { year() };
            nth == 0 || is_any(&[nth], ((front + 6) / 7, (back + 6) / 7))
        };
        let weekday = weekday(day);
        (rule.week_days.is_empty() || rule.week_days.iter().any(|&(nth, day)| day == weekday && is_nth(nth)))
            && (rule.month_days.is_empty() || is_any(&rule.month_days, month()))
            && (rule.year_days.is_empty() || is_any(&rule.year_days, year()))
            && (rule.weeks.is_empty() || is_any(&rule.weeks, week_numbers(day, rule.week_start)))
    }
}

fn is_any(wanted: &[i64], (front, back): (i64, i64)) -> bool {
    wanted.iter().any(|&wanted| wanted == front || -wanted == back)
}

/// The number of a day's week in its year, and from the year's end. A week is of the year that has four of its days.
fn week_numbers(day: i64, week_start: i64) -> (i64, i64) {
    let fourth = date_of(day - (weekday(day) - week_start).rem_euclid(7) + 3);
    let ordinal = i64::from(fourth.ordinal0());
    (ordinal / 7 + 1, (days_of_year(fourth) - 1 - ordinal) / 7 + 1)
}

/// chrono's calendar has all days of which a series is expanded.
fn date_of(day: i64) -> NaiveDate {
    date(day).unwrap_or_default()
}

fn weekday(day: i64) -> i64 {
    (day + 3).rem_euclid(7)
}

fn days_of_month(date: NaiveDate) -> i64 {
    i64::from(date.num_days_in_month())
}

fn days_of_year(date: NaiveDate) -> i64 {
    if date.leap_year() { 366 } else { 365 }
}

fn frequency_of(value: &[u8]) -> Option<Frequency> {
    let all = [Frequency::Hourly, Frequency::Daily, Frequency::Weekly, Frequency::Monthly, Frequency::Yearly];
    let names: [&[u8]; 5] = [b"HOURLY", b"DAILY", b"WEEKLY", b"MONTHLY", b"YEARLY"];
    names.iter().position(|name| *name == value).map(|at| all[at])
}

/// A day with a number before it, or with 0.
fn week_day(text: &[u8]) -> Option<(i64, i64)> {
    let (nth, name) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let names = [b"MO", b"TU", b"WE", b"TH", b"FR", b"SA", b"SU"];
    let (day, _) = (0..).zip(names).find(|(_, day)| *day == name)?;
    Some((if nth.is_empty() { 0 } else { signed(nth, 1, 53)? }, day))
}

fn signed(text: &[u8], least: i64, most: i64) -> Option<i64> {
    let (sign, digits) = sign_of(text);
    let size = i64::from(number(digits)?);
    (least..=most).contains(&size).then_some(sign * size)
}

fn list<T: Ord>(list: &[u8], item: impl Fn(&[u8]) -> Option<T>) -> Option<Vec<T>> {
    let items = list.split(|&byte| byte == b',').map(|text| item(text.trim_ascii()));
    Some(items.collect::<Option<BTreeSet<T>>>()?.into_iter().collect())
}

fn numbers(text: &[u8], least: i64, most: i64) -> Option<Vec<i64>> {
    list(text, |item| signed(item, least, most))
}

fn unsigned(text: &[u8], least: i64, most: i64) -> Option<Vec<i64>> {
    list(text, |item| signed(item, least, most).filter(|&number| number >= 0))
}
