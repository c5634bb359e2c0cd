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
            const SOME_WEEKS: [&str; 8] =
                ["every other", "alternat", "biweekly", "1st", "2nd", "first", "second", "last "];
            let lower = text.value.to_lowercase();
            let of_some_weeks = SOME_WEEKS.iter().any(|words| lower.contains(words));
            let what = format!("\"{}\" isn't a day of the week.", text.value);
            let hint = if of_some_weeks {
                "Hours repeat every week. Write the day alone, and an [[exception]] for each week that differs.".to_owned()
            } else {
                format!("Write one of {}.", DAYS.map(|(name, ..)| name).join(", "))
            };
            file.error(&text.span, what, hint);
            continue;
        };
        if !set.insert(*day) {
            file.report_repeated(&text.span, text.value);
        }
    }
    Some(set)
}
