//! One provider's hours as the author writes them; the calendar expands them to instants.
//! Every length is in whole minutes. The precedence, from first to last: weekly hours within the effective dates;
//! replacements instead of them; minus holidays; plus extra hours; minus time off; minus busy time.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{Datelike, NaiveDate, WeekdaySet};
use chrono_tz::Tz;

use super::class::{Class, Hours};
use super::window::Window;

/// The default minutes from now to the earliest start: more than the minute for which an answer may be cached.
pub const DEFAULT_NOTICE: u32 = 60;

/// Hours of every week, by the days on which their windows start.
#[derive(Debug, Clone, PartialEq)]
pub struct Weekly {
    pub days: WeekdaySet,
    pub hours: Hours,
}

/// Hours whose windows start on one date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dated {
    pub date: NaiveDate,
    pub hours: Hours,
}

/// Time off. It applies to instants and not to windows, so it also removes the end of a window that started the day before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Off {
    pub from: NaiveDate,
    /// The last date, inclusive.
    pub to: NaiveDate,
    /// The part of each date that is off; without it, all of the date.
    pub hours: Option<Vec<Window>>,
}

/// The data of a schedule; [`ScheduleParts::new`] has the defaults.
#[derive(Debug, Clone)]
pub struct ScheduleParts {
    /// The clinician's zone, for every date and time here.
    pub zone: Tz,
    /// Minutes from now to the earliest start.
    pub notice: u32,
    /// Minutes without busy time before a visit.
    pub buffer_before: u32,
    /// Minutes without busy time after a visit.
    pub buffer_after: u32,
    /// Dates without weekly hours and replacements.
    pub holidays: Arc<BTreeSet<NaiveDate>>,
    pub effective_from: Option<NaiveDate>,
    /// The last date of the weekly hours, inclusive, if there is one.
    pub effective_until: Option<NaiveDate>,
    pub weekly: Vec<Weekly>,
    /// Hours in place of a date's weekly hours, also outside the effective dates. A date can have several.
    pub replace: Vec<Dated>,
    /// Additional hours, also on holidays.
    pub extra: Vec<Dated>,
    pub off: Vec<Off>,
}

impl ScheduleParts {
    pub fn new(zone: Tz) -> Self {
        Self {
            zone,
            notice: DEFAULT_NOTICE,
            buffer_before: 0,
            buffer_after: 0,
            holidays: Arc::default(),
            effective_from: None,
            effective_until: None,
            weekly: Vec::new(),
            replace: Vec::new(),
            extra: Vec::new(),
            off: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    #[error("effective dates run from the earlier date to the later one, not from {from} until {until}")]
    EffectiveBackwards { from: NaiveDate, until: NaiveDate },
    #[error("time off runs from the earlier date to the later one, not from {from} to {to}")]
    OffBackwards {
        /// The position in [`ScheduleParts::off`].
        index: usize,
        from: NaiveDate,
        to: NaiveDate,
    },
    #[error("hours of time off name at least one window; without hours, the whole day is off")]
    OffWithoutHours { index: usize },
}

#[derive(Debug, Clone)]
pub struct Schedule {
    parts: ScheduleParts,
    classes: Vec<Class>,
}

impl Schedule {
    pub fn new(mut parts: ScheduleParts) -> Result<Self, ScheduleError> {
        if let (Some(from), Some(until)) = (parts.effective_from, parts.effective_until)
            && from > until
        {
            return Err(ScheduleError::EffectiveBackwards { from, until });
        }
        for (index, &Off { from, to, ref hours }) in parts.off.iter().enumerate() {
            if from > to {
                return Err(ScheduleError::OffBackwards { index, from, to });
            }
            if hours.as_ref().is_some_and(Vec::is_empty) {
                return Err(ScheduleError::OffWithoutHours { index });
            }
        }
        // Sorted for `on`.
        parts.replace.sort_by_key(|dated| dated.date);
        parts.extra.sort_by_key(|dated| dated.date);
        let weekly = parts.weekly.iter().map(|weekly| &weekly.hours);
        let dated = parts.replace.iter().chain(&parts.extra).map(|dated| &dated.hours);
        let classes: BTreeSet<&Class> = weekly.chain(dated).flat_map(Hours::classes).collect();
        let classes = classes.into_iter().cloned().collect();
        Ok(Self { parts, classes })
    }

    /// Its data, with replacements and extra hours sorted by date.
    pub fn parts(&self) -> &ScheduleParts {
        &self.parts
    }

    pub(crate) fn weekly_minutes(&self) -> usize {
        let minutes = |window: &Window| usize::from(window.clock_minutes());
        let of_day = |hours: &Hours| -> usize { hours.windows().iter().map(minutes).sum() };
        let of_week = |weekly: &Weekly| usize::from(weekly.days.len()) * of_day(&weekly.hours);
        self.parts.weekly.iter().map(of_week).sum()
    }

    /// Every class of its hours, sorted, each once. A [`Start`](crate::calendar::Start) has a position in this list.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Minutes from now to the earliest start, inclusive.
    pub fn notice(&self) -> u32 {
        self.parts.notice
    }

    /// The hours whose windows start on a date, before time off and busy time.
    pub(crate) fn hours_on(&self, date: NaiveDate) -> impl Iterator<Item = &Hours> {
        let parts = &self.parts;
        let is_effective = parts.effective_from.is_none_or(|from| from <= date)
            && parts.effective_until.is_none_or(|until| date <= until);
        let is_holiday = parts.holidays.contains(&date);
        let replaced = on(&parts.replace, date);
        let of_the_week = parts
            .weekly
            .iter()
            .filter(move |weekly| is_effective && replaced.is_empty() && weekly.days.contains(date.weekday()))
            .map(|weekly| &weekly.hours);
        of_the_week
            .chain(replaced.iter().map(|dated| &dated.hours))
            .filter(move |_| !is_holiday)
            .chain(on(&parts.extra, date).iter().map(|dated| &dated.hours))
    }
}

fn on(dated: &[Dated], date: NaiveDate) -> &[Dated] {
    let from = dated.partition_point(|dated| dated.date < date);
    let count = dated[from..].partition_point(|dated| dated.date == date);
    &dated[from..][..count]
}

#[cfg(test)]
mod tests {
    use chrono::Weekday::{Mon, Thu, Tue, Wed};

    use super::*;

    fn hours(window: &str) -> Hours {
        Hours::new(
            vec![window.parse().unwrap()],
            vec![Class::new(vec!["1".parse().unwrap()], 30, 30).unwrap()],
        )
    }

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn reversed_dates_and_time_off_without_windows_are_refused() {
        let parts = || ScheduleParts::new(Tz::America__Chicago);
        let (early, late) = (day("2026-01-05"), day("2026-12-31"));
        let refused = |parts| Schedule::new(parts).unwrap_err();

        let backwards = ScheduleParts { effective_from: Some(late), effective_until: Some(early), ..parts() };
        assert_eq!(refused(backwards), ScheduleError::EffectiveBackwards { from: late, until: early });

        let good = Off { from: early, to: early, hours: None };
        let off = vec![good.clone(), Off { from: late, to: early, hours: None }];
        assert_eq!(
            refused(ScheduleParts { off, ..parts() }),
            ScheduleError::OffBackwards { index: 1, from: late, to: early }
        );
        let off = vec![good, Off { from: early, to: late, hours: Some(Vec::new()) }];
        assert_eq!(refused(ScheduleParts { off, ..parts() }), ScheduleError::OffWithoutHours { index: 1 });

        let one_day = ScheduleParts { effective_from: Some(early), effective_until: Some(early), ..parts() };
        assert!(Schedule::new(one_day).is_ok());
    }

    /// The windows of a date, as text.
    fn windows_on(schedule: &Schedule, date: &str) -> Vec<String> {
        schedule.hours_on(day(date)).flat_map(Hours::windows).map(ToString::to_string).collect()
    }

    #[test]
    fn hours_follow_the_order_of_precedence() {
        let on = |date: &str, window| Dated { date: day(date), hours: hours(window) };
        let schedule = Schedule::new(ScheduleParts {
            effective_from: Some(day("2026-06-02")),
            effective_until: Some(day("2026-06-11")),
            weekly: vec![
                Weekly { days: WeekdaySet::from_array([Mon, Tue, Wed]), hours: hours("09:00-10:00") },
                Weekly { days: WeekdaySet::from_array([Wed]), hours: hours("14:00-15:00") },
                Weekly { days: WeekdaySet::from_array([Thu]), hours: hours("16:00-17:00") },
            ],
            holidays: Arc::new(["2026-06-09", "2026-06-10", "2026-06-11"].map(day).into()),
            replace: vec![
                on("2026-06-20", "11:00-12:00"),
                Dated { date: day("2026-06-04"), hours: Hours::default() },
                on("2026-06-10", "11:00-12:00"),
                on("2026-06-03", "12:00-13:00"),
                on("2026-06-03", "11:00-12:00"),
            ],
            extra: vec![
                on("2026-06-30", "20:00-21:00"),
                on("2026-06-11", "20:00-21:00"),
                on("2026-06-04", "20:00-21:00"),
            ],
            ..ScheduleParts::new(Tz::America__Chicago)
        })
        .unwrap();
        for (date, windows) in [
            ("2026-06-01", &[][..]),                         // Monday, a day too early
            ("2026-06-02", &["09:00-10:00"]),                // the first effective date
            ("2026-06-03", &["12:00-13:00", "11:00-12:00"]), // replaced, twice
            ("2026-06-04", &["20:00-21:00"]),                // closed, and extra hours
            ("2026-06-05", &[]),                             // Friday
            ("2026-06-08", &["09:00-10:00"]),                // Monday
            ("2026-06-09", &[]),                             // a holiday
            ("2026-06-10", &[]),                             // a replacement does not beat a holiday
            ("2026-06-11", &["20:00-21:00"]),                // extra hours do
            ("2026-06-15", &[]),                             // Monday, too late
            ("2026-06-20", &["11:00-12:00"]),                // too late for weekly hours only
            ("2026-06-30", &["20:00-21:00"]),
        ] {
            assert_eq!(windows_on(&schedule, date), windows, "{date}");
        }
        assert_eq!(schedule.classes().len(), 1);
        assert_eq!(schedule.notice(), 60);
    }
}
