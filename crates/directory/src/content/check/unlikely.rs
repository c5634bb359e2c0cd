//! Hours that are valid but probably mistakes of am and pm.

use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::super::mistakes::clock;
use super::super::problem::Advice;
use super::super::raw::Located;
use super::fields::File;
use crate::calendar::Window;

pub(super) const HALF: u16 = 12 * 60;
const DAY: u16 = 24 * 60;

/// What to do about hours that overlap.
pub(super) const OVERLAP: &str =
    "Check both with the clinician: end one before the other begins, or write other days if one was copied.";

/// Warns of a number of minutes that is usual for hours alone.
pub(super) fn warn_of_minutes(file: &mut File<'_>, text: &Located<String>) {
    if let Some(hours @ ("24" | "36" | "48" | "72")) = text.value.trim().strip_suffix('m') {
        let what = format!("This is {hours} minutes. Are {hours} hours meant?");
        file.warn(&text.span, what, Advice::meant(format!("\"{hours}h\"")));
    }
}

/// Warns of weekly hours that begin so late that the year is probably a typo.
pub(super) fn warn_of_beginning(
    file: &mut File<'_>,
    from: &Located<NaiveDate>,
    is_accepting: bool,
    today: NaiveDate,
) {
    let months = (from.value - today).num_days() / 30;
    if !is_accepting || !(7..=24).contains(&months) {
        return file.warn_if_far_ahead(from, today);
    }
    let day = from.value.format("%B %-d, %Y");
    let what = format!("No weekly hours until {day}, {months} months from now.");
    let a_year_before = from.value.with_year(from.value.year() - 1).filter(|day| *day >= today);
    let hint = a_year_before.map_or_else(
        || "Check the year. If other hours apply until then, write them here.".into(),
        |day| Advice::meant(day.to_string()),
    );
    file.warn(&from.span, what, hint);
}

/// Warns of weekly hours that have ended, or that are for one day alone.
pub(super) fn warn_of_end(
    file: &mut File<'_>,
    from: Option<NaiveDate>,
    until: &Located<NaiveDate>,
    is_accepting: bool,
    today: NaiveDate,
) {
    if from == Some(until.value) && until.value >= today {
        let what = format!("These weekly hours are for one day alone, {}.", until.value);
        file.warn(&until.span, what, "Write the last day, or delete this line if they go on.");
    }
    if until.value.succ_opt().is_none_or(|next| next >= today) {
        return;
    }
    let who = if is_accepting { ", but this clinician accepts new patients" } else { "" };
    let what = format!("These weekly hours ended on {}{who}.", until.value);
    let or = if from.is_none() { " If they began that day, write `from`, not `until`." } else { "" };
    file.warn(&until.span, what, format!("Write a later date, or delete this line.{or}"));
}

pub(super) fn warn(file: &mut File<'_>, windows: &[(Window, Range<usize>)]) {
    let is_night_clinic = windows.iter().any(|(window, _)| is_of_the_night(*window));
    for (window, span) in windows {
        let what = format!("These hours are {}.", spoken(*window));
        let (start, end) = match shift_meant(*window, is_night_clinic) {
            Some(shift) => shift,
            None if is_exchanged(*window, windows) => {
                let [from, to] = [window.end(), window.start()];
                file.warn(span, what, Advice::meant(format!("\"{from}-{to}\"")));
                continue;
            }
            None => continue,
        };
        let advice = match shifted(*window, start, end) {
            Some(meant) => Advice::meant(meant),
            None => "Write the end after the start, on a 24-hour clock.".into(),
        };
        file.warn(span, what, advice);
    }
}

/// The only hours of the night, from an evening to a morning: perhaps start and end changed places.
fn is_exchanged(window: Window, windows: &[(Window, Range<usize>)]) -> bool {
    let is_from_evening = window.ends_next_day() && (5 * 60..=11 * 60).contains(&window.end().minutes());
    let is_alone = windows.iter().all(|(other, _)| *other == window || !is_of_the_night(*other));
    is_from_evening
        && window.clock_minutes() >= 8 * 60
        && is_alone
        && windows.iter().any(|(other, _)| *other != window)
}

/// Hours whose end is on a 12-hour clock.
pub(super) fn in_the_afternoon(window: Window) -> Option<String> {
    shifted(window, 0, HALF).filter(|_| is_too_long(window) && window.start().minutes() <= HALF)
}

/// By how many minutes the start and the end are probably too early.
fn shift_meant(window: Window, is_night_clinic: bool) -> Option<(u16, u16)> {
    let (from, to) = (window.start().minutes(), window.end().minutes());
    let is_early = !is_night_clinic && !window.ends_next_day() && from < 5 * 60;
    if is_too_long(window) {
        Some((0, HALF))
    } else if is_early && from >= 60 && to <= 9 * 60 {
        // Probably an afternoon on a 12-hour clock.
        Some((HALF, HALF))
    } else {
        // Probably only the start is on a 12-hour clock.
        (is_early && to > from + HALF && to < DAY).then_some((HALF, 0))
    }
}

fn is_too_long(window: Window) -> bool {
    window.ends_next_day() && window.clock_minutes() > HALF && window.start().minutes() > 0
}

/// A window that shows that the clinic is open at night.
fn is_of_the_night(window: Window) -> bool {
    window.start().minutes() < 60 && window.end().minutes() <= HALF
        || window.end().minutes() == DAY
        || window.ends_next_day() && !is_too_long(window)
}

/// A window with its start and end moved by some minutes, in the notation of content files, if that is one of a day.
pub(super) fn shifted(window: Window, start: u16, end: u16) -> Option<String> {
    let (start, end) = (window.start().minutes() + start, window.end().minutes() + end);
    (start < end && end <= DAY).then(|| format!("\"{}-{}\"", clock(start.into()), clock(end.into())))
}

/// Describes a window, such as "from 1:00 AM to 5:00 AM".
fn spoken(window: Window) -> String {
    let clock = |minutes: u16| {
        let (hour, half) = (minutes / 60 % 24, if minutes / 60 % 24 < 12 { "AM" } else { "PM" });
        format!("{}:{:02} {half}", (hour + 11) % 12 + 1, minutes % 60)
    };
    let next = if window.ends_next_day() { " the next day" } else { "" };
    format!("from {} to {}{next}", clock(window.start().minutes()), clock(window.end().minutes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_with_am_and_pm_are_found_and_usual_hours_are_not() {
        let is_told = |hours: &str| shift_meant(hours.parse().unwrap(), false).is_some();
        for hours in [
            "01:00-17:00",
            "00:00-17:00",
            "00:30-20:00",
            "04:30-20:00",
            "01:00-05:00",
            "02:30-06:00",
            "03:30-08:00",
            "17:00-09:00",
            "09:00-05:00",
            "08:30-04:30",
            "13:00-13:00",
        ] {
            assert!(is_told(hours), "{hours}");
        }
        for hours in [
            "22:00-02:00",
            "19:00-07:00",
            "18:00-24:00",
            "00:00-24:00",
            "00:00-06:00",
            "06:30-09:30",
            "05:00-07:00",
            "07:00-21:00",
            "20:00-08:00",
            "00:00-00:00",
        ] {
            assert!(!is_told(hours), "{hours}");
        }
    }

    #[test]
    fn only_hours_of_one_day_are_suggested() {
        let shifted = |hours: &str, start, end| shifted(hours.parse().unwrap(), start, end);
        assert_eq!(shifted("09:00-05:00", 0, HALF).as_deref(), Some("\"09:00-17:00\""));
        assert_eq!(shifted("01:00-05:00", HALF, HALF).as_deref(), Some("\"13:00-17:00\""));
        assert_eq!(shifted("17:00-16:00", 0, HALF), None);
    }
}
