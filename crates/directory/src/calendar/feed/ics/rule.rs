//! Recurrence rules (RFC 5545, section 3.3.10), on a clock without a zone.

use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::super::super::boundary::{date, day_number};
use super::lex::{Form, local_time, number, sign_of};
use super::{Budget, DAY, Exhausted};

const HOUR: i64 = 3_600;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Frequency {
    Hourly,
    #[default]
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

/// The last second at which an instance may begin.
#[derive(Clone, Copy)]
pub(super) enum Until {
    /// On the event's own clock.
    Local(i64),
    Utc(i64),
}

/// A rule's parts. Sets of numbers are bits; an empty one means that the part isn't given.
#[derive(Default)]
pub(super) struct Rule {
    frequency: Frequency,
    interval: i64,
    count: Option<i64>,
    pub(super) until: Option<Until>,
    months: u64,
    month_days: u64,
    /// Counted from the month's end.
    month_days_back: u64,
    year_days: Vec<i64>,
    weeks: Vec<i64>,
    /// From Monday, 0.
    week_days: u64,
    /// As in `-1FR`.
    numbered: Vec<(i64, i64)>,
    hours: u64,
    minutes: u64,
    seconds: u64,
    positions: Vec<i64>,
    week_start: i64,
}

impl Rule {
    /// None for a rule with a part that isn't known, or that RFC 5545 doesn't allow there.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let text = text.to_ascii_uppercase();
        let mut rule = Self { interval: 1, ..Self::default() };
        let mut frequency = None;
        for part in text.split(|&byte| byte == b';').filter(|part| !part.trim_ascii().is_empty()) {
            let equals = part.iter().position(|&byte| byte == b'=')?;
            let (name, value) = (part[..equals].trim_ascii(), part[equals + 1..].trim_ascii());
            match name {
                b"FREQ" => frequency = Some(frequency_of(value)?),
                b"INTERVAL" => rule.interval = i64::from(number(value).filter(|&interval| interval > 0)?),
                b"COUNT" => rule.count = Some(i64::from(number(value).filter(|&count| count > 0)?)),
                b"UNTIL" => {
                    rule.until = Some(match local_time(value)? {
                        (day, Form::Date) => Until::Local(day + DAY - 1),
                        (time, Form::Floating) => Until::Local(time),
                        (time, Form::Utc) => Until::Utc(time),
                    });
                }
                b"BYMONTH" => rule.months = bits(value, 1, 12)?,
                b"BYMONTHDAY" => {
                    let (front, back): (Vec<i64>, Vec<i64>) =
                        numbers(value, 1, 31)?.into_iter().partition(|&day| day > 0);
                    rule.month_days = to_bits(front);
                    rule.month_days_back = to_bits(back);
                }
                b"BYYEARDAY" => rule.year_days = numbers(value, 1, 366)?,
                b"BYWEEKNO" => rule.weeks = numbers(value, 1, 53)?,
                b"BYDAY" => rule.add_week_days(value)?,
                b"BYHOUR" => rule.hours = bits(value, 0, 23)?,
                b"BYMINUTE" => rule.minutes = bits(value, 0, 59)?,
                b"BYSECOND" => rule.seconds = bits(value, 0, 59)?,
                b"BYSETPOS" => rule.positions = numbers(value, 1, 366)?,
                b"WKST" => rule.week_start = week_day(value)?,
                _ => return None,
            }
        }
        rule.frequency = frequency?;
        rule.is_allowed().then_some(rule)
    }

    fn add_week_days(&mut self, list: &[u8]) -> Option<()> {
        for item in list.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
            let (nth, day) = item.split_at_checked(item.len().checked_sub(2)?)?;
            match nth {
                b"" => self.week_days |= 1 << week_day(day)?,
                _ => self.numbered.push((signed(nth, 1, 53)?, week_day(day)?)),
            }
        }
        Some(())
    }

    /// Applies the notes below RFC 5545's table of the parts.
    fn is_allowed(&mut self) -> bool {
        let frequency = self.frequency;
        if frequency < Frequency::Monthly || !self.weeks.is_empty() {
            // A number has no meaning there; without it, more is taken.
            self.week_days |= self.numbered.drain(..).fold(0, |days, (_, day)| days | 1 << day);
        }
        let has_month_days = self.month_days | self.month_days_back != 0;
        (self.weeks.is_empty() || frequency == Frequency::Yearly)
            && (self.year_days.is_empty() || matches!(frequency, Frequency::Hourly | Frequency::Yearly))
            && !(has_month_days && frequency == Frequency::Weekly)
            && !(self.count.is_some() && self.until.is_some())
    }

    /// Tells the instances of a series within a range, in order. A series begins at its start, which need not be an
    /// instance of its rule.
    pub(super) fn expand(
        &self,
        start: i64,
        range: &Range<i64>,
        budget: &mut Budget,
        mut tell: impl FnMut(i64) -> Result<(), Exhausted>,
    ) -> Result<(), Exhausted> {
        let until = match self.until {
            Some(Until::Local(time)) => time,
            // No clock is two days ahead; the caller knows the zone.
            Some(Until::Utc(time)) => time.saturating_add(2 * DAY),
            None => i64::MAX,
        };
        let last = until.min(range.end - 1);
        if last < range.start.max(start) {
            return Ok(());
        }
        let periods = Periods::of(self, start);
        let near = (periods.index(range.start.max(start)) - periods.first) / self.interval;
        let (mut set, mut told, mut period) = (Vec::new(), 0, near);
        if self.count.is_some() && near > 0 {
            period = 0;
            if periods.is_even() {
                periods.fill(0, &mut set);
                told = set.iter().filter(|&&time| time >= start).count();
                periods.fill(1, &mut set);
                budget.spend(2 * periods.cost(set.len()))?;
                let skipped = usize::try_from(near - 1).unwrap_or(usize::MAX);
                told = told.saturating_add(set.len().saturating_mul(skipped));
                period = near;
            }
        }
        let count = self.count.map_or(usize::MAX, |count| usize::try_from(count).unwrap_or(usize::MAX));
        while told < count && periods.begin(period).is_some_and(|begin| begin <= last) {
            periods.fill(period, &mut set);
            budget.spend(periods.cost(set.len()))?;
            for &time in set.iter().filter(|&&time| time >= start) {
                if told == count || time > last {
                    return Ok(());
                }
                told += 1;
                if time >= range.start {
                    tell(time)?;
                }
            }
            period += 1;
        }
        Ok(())
    }
}

/// A rule with what it takes over from its series' start.
struct Periods<'a> {
    rule: &'a Rule,
    months: u64,
    month_days: u64,
    week_days: u64,
    /// The times of a day, or of an hour.
    times: Vec<i64>,
    /// The start's day, week, month, year or hour.
    first: i64,
    /// A day needs its date, not only its weekday.
    needs_date: bool,
}

impl<'a> Periods<'a> {
    fn of(rule: &'a Rule, start: i64) -> Self {
        let day = start.div_euclid(DAY);
        let (mut months, mut month_days, mut week_days) = (rule.months, rule.month_days, rule.week_days);
        let has_day = rule.month_days | rule.month_days_back | rule.week_days != 0
            || !(rule.numbered.is_empty() && rule.year_days.is_empty());
        if !has_day && (rule.frequency == Frequency::Weekly || !rule.weeks.is_empty()) {
            week_days = 1 << weekday(day);
        } else if !has_day && rule.frequency >= Frequency::Monthly {
            let date = date(day).unwrap_or_default();
            month_days = 1 << date.day();
            if months == 0 && rule.frequency == Frequency::Yearly {
                months = 1 << date.month();
            }
        }
        let second = start.rem_euclid(DAY);
        let or = |bits: u64, default: i64| if bits == 0 { 1 << default } else { bits };
        let mut times = vec![0];
        if rule.frequency != Frequency::Hourly {
            times = ones(or(rule.hours, second / HOUR)).map(|hour| hour * HOUR).collect();
        }
        for (bits, unit) in [(or(rule.minutes, second / 60 % 60), 60), (or(rule.seconds, second % 60), 1)] {
            times = times.iter().flat_map(|time| ones(bits).map(move |count| time + count * unit)).collect();
        }
        let needs_date = months | month_days | rule.month_days_back != 0
            || !(rule.numbered.is_empty() && rule.year_days.is_empty() && rule.weeks.is_empty());
        let mut periods = Self { rule, months, month_days, week_days, times, first: 0, needs_date };
        periods.first = periods.index(start);
        periods
    }

    /// The number of the period of a time: its hour, day, week, month or year.
    fn index(&self, time: i64) -> i64 {
        let day = time.div_euclid(DAY);
        let date = || date(day).unwrap_or_default();
        match self.rule.frequency {
            Frequency::Hourly => time.div_euclid(HOUR),
            Frequency::Daily => day,
            Frequency::Weekly => (day + 3 - self.rule.week_start).div_euclid(7),
            Frequency::Monthly => i64::from(date().year()) * 12 + i64::from(date().month0()),
            Frequency::Yearly => i64::from(date().year()),
        }
    }

    /// The first second of a period; none after chrono's calendar.
    fn begin(&self, period: i64) -> Option<i64> {
        let index = self.first + period * self.rule.interval;
        match self.rule.frequency {
            Frequency::Hourly => index.checked_mul(HOUR),
            Frequency::Daily => index.checked_mul(DAY),
            Frequency::Weekly => Some((index * 7 - 3 + self.rule.week_start) * DAY),
            Frequency::Monthly => Some(first_day(index.div_euclid(12), index.rem_euclid(12) + 1)? * DAY),
            Frequency::Yearly => Some(first_day(index, 1)? * DAY),
        }
    }

    /// The steps that a period takes: each of its days is compared with each number of the rule.
    fn cost(&self, instances: usize) -> usize {
        let (rule, days) = (self.rule, [1, 1, 7, 31, 366][self.rule.frequency as usize]);
        let numbers = 1 + rule.numbered.len() + rule.year_days.len() + rule.weeks.len();
        1 + days * numbers / 16 + instances * (1 + rule.positions.len() / 16)
    }

    /// Whether all periods have as many instances.
    fn is_even(&self) -> bool {
        let frequency = self.rule.frequency;
        frequency < Frequency::Monthly
            && !self.needs_date
            && (self.week_days == 0 || frequency == Frequency::Weekly)
            && (self.rule.hours == 0 || frequency != Frequency::Hourly)
    }

    /// The instances of a period, in order.
    fn fill(&self, period: i64, set: &mut Vec<i64>) {
        set.clear();
        let Some(begin) = self.begin(period) else { return };
        let day = begin.div_euclid(DAY);
        match self.rule.frequency {
            Frequency::Hourly => {
                let hour = begin.rem_euclid(DAY) / HOUR;
                if (self.rule.hours == 0 || has(self.rule.hours, hour)) && self.has_day(day) {
                    set.extend(self.times.iter().map(|time| begin + time));
                }
            }
            Frequency::Daily => self.add_days(day..day + 1, set),
            Frequency::Weekly => self.add_days(day..day + 7, set),
            Frequency::Monthly => self.add_month(date(day).unwrap_or_default(), set),
            Frequency::Yearly => {
                let months = (1..=12).filter_map(|month| date(day)?.with_month(month));
                months.for_each(|month| self.add_month(month, set));
            }
        }
        if !self.rule.positions.is_empty() {
            let count = i64::try_from(set.len()).unwrap_or(i64::MAX);
            let mut position = 0;
            set.retain(|_| {
                position += 1;
                self.rule.positions.iter().any(|&wanted| wanted == position || wanted == position - count - 1)
            });
        }
    }

    fn add_days(&self, days: Range<i64>, set: &mut Vec<i64>) {
        for day in days.filter(|&day| self.has_day(day)) {
            set.extend(self.times.iter().map(|time| day * DAY + time));
        }
    }

    fn add_month(&self, first: NaiveDate, set: &mut Vec<i64>) {
        let days = if self.has_month(first) { first.num_days_in_month() } else { 0 };
        for day in 1..=i64::from(days) {
            let number = day_number(first) + day - 1;
            if self.has_date(number, first, day) {
                set.extend(self.times.iter().map(|time| number * DAY + time));
            }
        }
    }

    fn has_month(&self, date: NaiveDate) -> bool {
        self.months == 0 || has(self.months, i64::from(date.month()))
    }

    fn has_day(&self, day: i64) -> bool {
        if !self.needs_date {
            return self.week_days == 0 || has(self.week_days, weekday(day));
        }
        let date = date(day).unwrap_or_default();
        self.has_month(date)
            && self.has_date(day, date.with_day(1).unwrap_or_default(), i64::from(date.day()))
    }

    /// Whether a day fits all parts but BYMONTH, by the first of its month and its day in it.
    fn has_date(&self, day: i64, first: NaiveDate, front: i64) -> bool {
        let (rule, weekday) = (self.rule, weekday(day));
        // Numbers from the front and from the back, both from 1.
        let month = (front, i64::from(first.num_days_in_month()) + 1 - front);
        let ordinal = i64::from(first.ordinal0()) + front;
        let year = (ordinal, if first.leap_year() { 367 } else { 366 } - ordinal);
        let is_any = |wanted: &[i64], (front, back): (i64, i64)| {
            wanted.is_empty() || wanted.iter().any(|&wanted| wanted == front || -wanted == back)
        };
        let (front, back) =
            if rule.frequency == Frequency::Monthly || rule.months != 0 { month } else { year };
        let (front, back) = ((front + 6) / 7, (back + 6) / 7);
        let mut numbered = rule.numbered.iter().filter(|(_, day)| *day == weekday);
        (self.month_days | rule.month_days_back == 0
            || has(self.month_days, month.0)
            || has(rule.month_days_back, month.1))
            && (self.week_days == 0 && rule.numbered.is_empty()
                || has(self.week_days, weekday)
                || numbered.any(|&(nth, _)| nth == front || -nth == back))
            && is_any(&rule.year_days, year)
            && (rule.weeks.is_empty() || is_any(&rule.weeks, week_numbers(day, rule.week_start)))
    }
}

/// The number of a day's week in its year, and from the year's end. A week is of the year that has four of its days.
fn week_numbers(day: i64, week_start: i64) -> (i64, i64) {
    let fourth = day - (weekday(day) - week_start).rem_euclid(7) + 3;
    let date = date(fourth).unwrap_or_default();
    let (ordinal, days) = (i64::from(date.ordinal0()), if date.leap_year() { 366 } else { 365 });
    (ordinal / 7 + 1, (days - 1 - ordinal) / 7 + 1)
}

fn weekday(day: i64) -> i64 {
    (day + 3).rem_euclid(7)
}

fn first_day(year: i64, month: i64) -> Option<i64> {
    let (year, month) = (i32::try_from(year).ok()?, u32::try_from(month).ok()?);
    NaiveDate::from_ymd_opt(year, month, 1).map(day_number)
}

fn frequency_of(value: &[u8]) -> Option<Frequency> {
    let all = [Frequency::Hourly, Frequency::Daily, Frequency::Weekly, Frequency::Monthly, Frequency::Yearly];
    let names: [&[u8]; 5] = [b"HOURLY", b"DAILY", b"WEEKLY", b"MONTHLY", b"YEARLY"];
    names.iter().position(|name| *name == value).map(|at| all[at])
}

fn week_day(name: &[u8]) -> Option<i64> {
    (0..)
        .zip([b"MO", b"TU", b"WE", b"TH", b"FR", b"SA", b"SU"])
        .find(|(_, day)| *day == name)
        .map(|(day, _)| day)
}

/// A number with or without a sign, whose size is within the bounds.
fn signed(text: &[u8], least: i64, most: i64) -> Option<i64> {
    let (sign, digits) = sign_of(text);
    let size = i64::from(number(digits)?);
    (least..=most).contains(&size).then_some(sign * size)
}

fn numbers(list: &[u8], least: i64, most: i64) -> Option<Vec<i64>> {
    list.split(|&byte| byte == b',').map(|item| signed(item.trim_ascii(), least, most)).collect()
}

/// Numbers without a minus, as bits.
fn bits(list: &[u8], least: i64, most: i64) -> Option<u64> {
    numbers(list, least, most).filter(|numbers| numbers.iter().all(|&number| number >= 0)).map(to_bits)
}

fn to_bits(numbers: Vec<i64>) -> u64 {
    numbers.into_iter().fold(0, |bits, number| bits | 1 << number.abs())
}

fn has(bits: u64, number: i64) -> bool {
    bits >> number & 1 == 1
}

fn ones(bits: u64) -> impl Iterator<Item = i64> {
    (0..64).filter(move |&bit| has(bits, bit))
}
