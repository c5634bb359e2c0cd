//! The time rule: **a local date and time means the first instant at which the zone's clock shows it or a later one.**
//! A time in a gap is the instant of the transition; a time that occurs twice is its first occurrence. The rule is
//! monotone, so windows neither overlap nor invert. The search relies on two facts of the tz database, which tests
//! verify. No zone was ever 16 hours or more from UTC. The closest two transitions of one zone are 167 hours apart
//! (Gaza 2040, Recife 2000), so any five days have at most one, and none if the offset is the same at both ends.
//! chrono-tz's table ends with the year 2099; then a zone keeps its last offset.

use chrono::{DateTime, Datelike, NaiveDate, Offset, TimeZone};
use chrono_tz::Tz;

use super::instant::Instant;
use crate::model::ClockTime;

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// The offset of every zone is less than this.
const MAX_OFFSET: i64 = 16 * HOUR;
/// The period that a [`Clock`] caches. Two transitions of one zone are further apart than this.
const CACHED: i64 = 5 * DAY;

/// `24:00` is the start of the next date. A date outside the years of an [`Instant`] gives the first or last one.
pub fn first_instant(zone: Tz, date: NaiveDate, time: ClockTime) -> Instant {
    Instant::from_unix(Clock::new(zone).first(day_number(date), time.minutes()))
}

/// Days from 1970-01-01 to the date. Unlike dates, day numbers have no limits.
pub(super) fn day_number(date: NaiveDate) -> i64 {
    i64::from(date.num_days_from_ce()) - 719_163
}

/// The date of a day number; none outside chrono's calendar.
pub(super) fn date(day: i64) -> Option<NaiveDate> {
    NaiveDate::from_num_days_from_ce_opt(i32::try_from(day + 719_163).ok()?)
}

/// A zone's clock. It caches the offsets of five days, so ascending queries need about one search per three days.
pub(super) struct Clock {
    zone: Tz,
    /// The cached period is `from..=to`. It has at most one transition.
    from: i64,
    to: i64,
    before: i64,
    /// The first instant with the offset `after`; later than `to` if there is no transition.
    transition: i64,
    after: i64,
}

impl Clock {
    pub(super) fn new(zone: Tz) -> Self {
        Self { zone, from: i64::MAX, to: i64::MIN, before: 0, transition: 0, after: 0 }
    }

    /// The first instant at which the clock shows this many minutes after 00:00 of the day, or a later time.
    pub(super) fn first(&mut self, day: i64, minutes: u16) -> i64 {
        // Two days more than the years of an `Instant` leave room for any offset.
        let wall = (day * DAY + i64::from(minutes) * 60)
            .clamp(Instant::MIN.unix() - 2 * DAY, Instant::MAX.unix() + 2 * DAY);
        if wall - MAX_OFFSET < self.from || wall + MAX_OFFSET > self.to {
            self.cache(wall);
        }
        let instant = wall - self.before;
        // Before the transition, the old offset counts: a time that occurs twice is found at its first occurrence. After
        // it, the new one counts, and a time that a clock set forward has skipped is the transition itself.
        if instant < self.transition { instant } else { self.transition.max(wall - self.after) }
    }

    /// Whether the clock ever shows the date. Samoa had no December 30, 2011.
    pub(super) fn has_day(&mut self, day: i64) -> bool {
        self.first(day, 0) < self.first(day + 1, 0)
    }

    pub(super) fn day_at(&self, instant: Instant) -> i64 {
        (instant.unix() + self.offset(instant.unix())).div_euclid(DAY)
    }

    fn cache(&mut self, wall: i64) {
        self.from = wall - MAX_OFFSET;
        self.to = self.from + CACHED;
        self.before = self.offset(self.from);
        self.after = self.offset(self.to);
        self.transition = self.to + 1;
        if self.before != self.after {
            let mut last_before = self.from;
            while self.transition - last_before > 1 {
                let middle = i64::midpoint(last_before, self.transition);
                if self.offset(middle) == self.before {
                    last_before = middle;
                } else {
                    self.transition = middle;
                }
            }
        }
    }

    /// The zone's offset from UTC at an instant, in seconds.
    fn offset(&self, unix: i64) -> i64 {
        let moment = DateTime::from_timestamp(unix, 0).unwrap_or_default().naive_utc();
        i64::from(self.zone.offset_from_utc_datetime(&moment).fix().local_minus_utc())
    }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use chrono_tz::TZ_VARIANTS;

    use super::*;

    fn first(zone: &str, local: &str) -> String {
        let (date, time) = local.split_once(' ').unwrap();
        first_instant(zone.parse().unwrap(), date.parse().unwrap(), time.parse().unwrap()).to_string()
    }

    /// The cache must not answer for times before it.
    #[test]
    fn descending_queries_agree_with_a_new_clock() {
        for zone in ["America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"] {
            let zone: Tz = zone.parse().unwrap();
            // The hours of March and the first week of April 2026. The cache depends on the last of them.
            for last in 493_176..493_224_i64 {
                let mut clock = Clock::new(zone);
                for hour in (492_312..last).rev() {
                    let (day, minutes) = (hour / 24, u16::try_from(hour % 24 * 60).unwrap());
                    let expected = Clock::new(zone).first(day, minutes);
                    assert_eq!(clock.first(day, minutes), expected, "{zone}, {hour} from {last}");
                }
            }
        }
    }

    /// Expected values from the text of the tz database.
    #[test]
    fn transitions_of_every_kind() {
        for (zone, local, instant) in [
            // An hour forward, at 02:00 EST.
            ("America/New_York", "2026-03-08 01:59", "2026-03-08T06:59:00Z"),
            ("America/New_York", "2026-03-08 02:00", "2026-03-08T07:00:00Z"),
            ("America/New_York", "2026-03-08 02:59", "2026-03-08T07:00:00Z"),
            ("America/New_York", "2026-03-08 03:01", "2026-03-08T07:01:00Z"),
            // An hour back, at 02:00 EDT.
            ("America/New_York", "2026-11-01 01:00", "2026-11-01T05:00:00Z"),
            ("America/New_York", "2026-11-01 01:59", "2026-11-01T05:59:00Z"),
            ("America/New_York", "2026-11-01 02:00", "2026-11-01T07:00:00Z"),
            // Half an hour, both ways.
            ("Australia/Lord_Howe", "2026-10-04 02:15", "2026-10-03T15:30:00Z"),
            ("Australia/Lord_Howe", "2026-10-04 02:30", "2026-10-03T15:30:00Z"),
            ("Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-04T14:45:00Z"),
            ("Australia/Lord_Howe", "2026-04-05 02:00", "2026-04-04T15:30:00Z"),
            // Midnight itself is missing in Chile: a day that starts at 01:00.
            ("America/Santiago", "2026-09-05 24:00", "2026-09-06T04:00:00Z"),
            ("America/Santiago", "2026-09-06 00:30", "2026-09-06T04:00:00Z"),
            ("America/Santiago", "2026-09-06 01:00", "2026-09-06T04:00:00Z"),
            // 23:00 to 24:00 occurs twice there: the date ends after both.
            ("America/Santiago", "2026-04-04 23:30", "2026-04-05T02:30:00Z"),
            ("America/Santiago", "2026-04-04 24:00", "2026-04-05T04:00:00Z"),
            // Samoa crossed the date line: no December 30.
            ("Pacific/Apia", "2011-12-29 23:59", "2011-12-30T09:59:00Z"),
            ("Pacific/Apia", "2011-12-30 00:00", "2011-12-30T10:00:00Z"),
            ("Pacific/Apia", "2011-12-30 17:00", "2011-12-30T10:00:00Z"),
            ("Pacific/Apia", "2011-12-31 00:00", "2011-12-30T10:00:00Z"),
            ("Pacific/Apia", "2011-12-31 00:01", "2011-12-30T10:01:00Z"),
            // Kwajalein crossed it the other way in 1969, 23 hours back, and again in 1993.
            ("Pacific/Kwajalein", "1969-09-30 23:59", "1969-09-30T12:59:00Z"),
            ("Pacific/Kwajalein", "1969-10-01 00:00", "1969-10-01T12:00:00Z"),
            ("Pacific/Kwajalein", "1993-08-21 12:00", "1993-08-21T12:00:00Z"),
            // A gap of 44 minutes and 30 seconds: the change is at an odd second of the local clock.
            ("Africa/Monrovia", "1972-01-07 00:30", "1972-01-07T00:44:30Z"),
            ("Africa/Monrovia", "1972-01-07 00:44", "1972-01-07T00:44:30Z"),
            ("Africa/Monrovia", "1972-01-07 00:45", "1972-01-07T00:45:00Z"),
            ("Asia/Kathmandu", "2026-06-01 09:00", "2026-06-01T03:15:00Z"),
            ("UTC", "2026-06-01 24:00", "2026-06-02T00:00:00Z"),
        ] {
            assert_eq!(first(zone, local), instant, "{zone} {local}");
        }
    }

    /// The local time according to chrono, without [`Clock`].
    fn shown(zone: Tz, unix: i64) -> i64 {
        let moment = DateTime::from_timestamp(unix, 0).unwrap();
        unix + i64::from(moment.with_timezone(&zone).offset().fix().local_minus_utc())
    }

    /// The days of UTC in these years on which the zone's offset changes.
    fn days_of_change(zone: Tz, years: RangeInclusive<i32>) -> Vec<i64> {
        let day = |year, month, day| day_number(NaiveDate::from_ymd_opt(year, month, day).unwrap());
        let offset = |day: i64| shown(zone, day * DAY) - day * DAY;
        let days = day(*years.start(), 1, 1)..=day(*years.end(), 12, 31);
        days.filter(|&day| offset(day) != offset(day + 1)).collect()
    }

    #[test]
    fn every_minute_around_a_transition_agrees_with_a_linear_search() {
        let mut changes = 0;
        for (index, zone) in TZ_VARIANTS.into_iter().enumerate() {
            // Samoa left out a day in 2011, and Kwajalein in 1993.
            let year = [2026, 2011, 1993, 2040][index % 4];
            for change in days_of_change(zone, year..=year) {
                changes += 1;
                let mut clock = Clock::new(zone);
                // Begin before any clock can show the first minute.
                let mut instant = (change - 2) * DAY;
                for day in change - 1..=change + 1 {
                    for minute in 0..24 * 60 {
                        while shown(zone, instant) < day * DAY + i64::from(minute) * 60 {
                            instant += 60;
                        }
                        assert_eq!(clock.first(day, minute), instant, "{zone} {day} {minute}");
                    }
                }
            }
        }
        assert!(changes > 100, "{changes}");
    }

    #[test]
    fn offsets_are_below_16_hours_and_transitions_5_days_apart() {
        let mut offsets = Vec::new();
        for zone in TZ_VARIANTS {
            let changes = days_of_change(zone, 2020..=2045);
            for pair in changes.windows(2) {
                assert!(
                    (pair[1] - pair[0] - 1) * DAY >= CACHED,
                    "{zone} changes twice about day {}",
                    pair[0]
                );
            }
            // The widest offsets are those of local mean time.
            offsets.extend([1800, 1900, 2026].map(|year| {
                let unix = day_number(NaiveDate::from_ymd_opt(year, 1, 1).unwrap()) * DAY;
                (shown(zone, unix) - unix).abs()
            }));
        }
        assert_eq!(offsets.into_iter().max(), Some(57_368), "Manila, 15:56:08 behind");
    }

    #[test]
    fn every_date_has_an_instant() {
        for zone in TZ_VARIANTS {
            for time in [ClockTime::DAY_START, ClockTime::DAY_END] {
                assert_eq!(first_instant(zone, NaiveDate::MIN, time), Instant::MIN);
                assert_eq!(first_instant(zone, NaiveDate::MAX, time), Instant::MAX);
            }
        }
        let (first, last) = ("0000-01-01".parse().unwrap(), "9999-12-31".parse().unwrap());
        assert_eq!(first_instant(Tz::UTC, first, ClockTime::DAY_START), Instant::MIN);
        assert_eq!(first_instant(Tz::UTC, last, ClockTime::DAY_END), Instant::MAX);
    }
}
