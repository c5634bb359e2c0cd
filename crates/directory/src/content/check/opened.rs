//! Exceptions that open a day: extra hours, and those in place of the weekly ones.

use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::super::problem::Problem;
use super::availability::{Reader, Replacement};
use super::days::DAYS;
use super::exceptions::COMPARED;
use crate::calendar::{Class, Dated, ScheduleParts, Weekly, Window};

impl Reader<'_> {
    /// Warns of extra hours on a day that is off, and of those within the weekly ones: often the only hours of that day were
    /// meant. Time off wins, so no visit can be booked in it.
    /// On a holiday that can't be read, there may be no weekly hours.
    pub(super) fn warn_of_extra_hours(&mut self, parts: &ScheduleParts, knows_holidays: bool) {
        let whole = self.off_places.iter().filter(|(_, window, _)| window.is_none());
        let mut offs: Vec<_> = whole.map(|(days, _, place)| (days.clone(), place.clone())).collect();
        offs.sort_by_key(|(days, _)| *days.start());
        for ((date, extra), added) in std::mem::take(&mut self.extra_places).into_iter().zip(&parts.extra) {
            let begun = offs.partition_point(|(days, _)| *days.start() <= date);
            let off = offs[..begun].iter().rev().take(COMPARED).find(|(days, _)| days.contains(&date));
            if let Some((_, off)) = off.filter(|_| date >= self.today) {
                self.warn_of_hours_on_day_off(date, &extra, off);
            } else if date >= self.today
                && knows_holidays
                && !self.replacements.contains_key(&date)
                && is_weekly(parts, added)
            {
                let what = "These hours are already in the weekly hours, so they add nothing.";
                let hint = "If these are the only hours on that day, write kind = \"replace\". If not, delete this entry.";
                self.file.warn(&extra, what, hint);
            } else {
                self.warn_if_on_leave(date, &extra);
            }
        }
    }

    pub(super) fn warn_of_hours_on_day_off(
        &mut self,
        date: NaiveDate,
        hours: &Range<usize>,
        off: &Range<usize>,
    ) {
        if date < self.today {
            return;
        }
        let what = format!("These hours can't be booked, because {date} is off.");
        let warning = Problem::warning(self.file.place(hours), what).also(self.file.place(off), "off here");
        self.file.add(warning.hint(format!("Delete this entry, or remove {date} from the time off.")));
    }

    /// Warns of hours in place of the weekly ones on a day without any: perhaps of another date.
    pub(super) fn warn_of_opened_day(
        &mut self,
        date: NaiveDate,
        entries: &[Replacement],
        parts: &ScheduleParts,
    ) {
        let is_weekly = |weekly: &Weekly| weekly.days.contains(date.weekday());
        let entry = entries.iter().find(|entry| !entry.weekly.hours.windows().is_empty());
        let Some(entry) = entry.filter(|_| date >= self.today && !parts.weekly.is_empty()) else { return };
        if !parts.weekly.iter().any(is_weekly) {
            let day = DAYS.iter().find(|(.., day)| *day == date.weekday()).map_or("", |(_, name, _)| name);
            let what = format!("This opens {date}, a {day}, which has no weekly hours to replace.");
            let hint = "Correct the date, or write kind = \"extra\" if this day is open as well.";
            self.file.warn(&entry.place, what, hint);
        }
    }
}

/// Whether extra hours have no start of a visit that the weekly hours of their day don't have.
fn is_weekly(parts: &ScheduleParts, extra: &Dated) -> bool {
    let Dated { date, hours } = extra;
    let is_open = parts.effective_from.is_none_or(|from| from <= *date)
        && parts.effective_until.is_none_or(|until| *date <= until)
        && !parts.holidays.contains(date);
    let has = |known: &Class, class: &Class| {
        let is_same = known.duration() == class.duration() && known.step() == class.step();
        is_same && class.types().iter().all(|id| known.types().contains(id))
    };
    let contains = |open: &Window, window: &Window, step: u32| {
        let from = window.start().minutes().checked_sub(open.start().minutes());
        !open.ends_next_day()
            && window.end() <= open.end()
            && from.is_some_and(|from| u32::from(from) % step == 0)
    };
    let is_within = |weekly: &Weekly| {
        let open = || weekly.hours.windows().iter().take(COMPARED);
        weekly.days.contains(date.weekday())
            && hours.classes().iter().all(|class| {
                let is_in_one = |window: &Window| open().any(|open| contains(open, window, class.step()));
                weekly.hours.classes().iter().any(|known| has(known, class))
                    && hours.windows().iter().all(is_in_one)
            })
    };
    let has_hours = !hours.windows().is_empty() && !hours.classes().is_empty();
    is_open && has_hours && parts.weekly.iter().take(COMPARED).any(is_within)
}
