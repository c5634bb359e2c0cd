//! The days of weekly hours.

use std::ops::Range;

use chrono::{Weekday, WeekdaySet};

use super::super::raw::List;
use super::fields::File;

pub(super) const DAYS: [(&str, &str, Weekday); 7] = [
    ("mon", "Monday", Weekday::Mon),
    ("tue", "Tuesday", Weekday::Tue),
    ("wed", "Wednesday", Weekday::Wed),
    ("thu", "Thursday", Weekday::Thu),
    ("fri", "Friday", Weekday::Fri),
    ("sat", "Saturday", Weekday::Sat),
    ("sun", "Sunday", Weekday::Sun),
];

pub(super) fn read_days(file: &mut File<'_>, days: List<String>, table: &Range<usize>) -> Option<WeekdaySet> {
    let Some(days) = days else {
        file.missing(Some(table), "days", "[\"mon\", \"tue\"]");
        return None;
    };
    if file.is_written_empty(&days) {
        file.report_empty_list(&days.span, "days");
    }
    let mut set = WeekdaySet::EMPTY;
    for text in file.lines(Some(days.value)) {
        let found = DAYS.iter().find(|(name, ..)| text.value.eq_ignore_ascii_case(name));
        let Some((.., day)) = found else {
            let names = DAYS.map(|(name, ..)| name).join(", ");
            let what = format!("\"{}\" isn't a day of the week.", text.value);
            file.error(&text.span, what, format!("Write one of {names}."));
            continue;
        };
        if !set.insert(*day) {
            file.report_repeated(&text.span, text.value);
        }
    }
    Some(set)
}
