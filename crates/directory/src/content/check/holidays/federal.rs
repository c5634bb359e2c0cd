//! The federal holidays of the United States, for dates that are probably mistyped.

use std::collections::BTreeSet;

use chrono::{Datelike, NaiveDate, Weekday};

/// Returns the federal holiday that is a day before or after a date, if a list with the date lacks that holiday and has others
/// of its year.
pub(super) fn missed_by_a_day(
    date: NaiveDate,
    list: &BTreeSet<NaiveDate>,
) -> Option<(NaiveDate, &'static str)> {
    let exchanged = NaiveDate::from_ymd_opt(date.year(), date.day(), date.month());
    let near = [date.pred_opt()?, date.succ_opt()?, exchanged.unwrap_or(date)];
    let years = date.year() - 1..=date.year() + 1;
    let holidays: Vec<Holiday> = years.flat_map(in_year).collect();
    if is_holiday(date) {
        return None;
    }
    let is_listed = |holiday: &Holiday| list.contains(&holiday.date) || list.contains(&holiday.observed);
    let has_others =
        |year: i32| holidays.iter().any(|holiday| holiday.date.year() == year && is_listed(holiday));
    let missed = |holiday: &&Holiday| {
        near.contains(&holiday.date) && !is_listed(holiday) && has_others(holiday.date.year())
    };
    holidays.iter().find(missed).map(|holiday| (holiday.date, holiday.name))
}

pub(super) fn is_holiday(date: NaiveDate) -> bool {
    let years = date.year() - 1..=date.year() + 1;
    years.flat_map(in_year).any(|holiday| holiday.date == date || holiday.observed == date)
}

/// How many holidays a year has at least whose others are expected.
const FEWEST: usize = 4;

/// The holidays that one year of a list lacks, though all its other years have them. A year that lacks several isn't whole.
pub(super) fn lacking(list: &BTreeSet<NaiveDate>) -> Vec<(NaiveDate, &'static str)> {
    let years: BTreeSet<i32> = list.iter().map(NaiveDate::year).collect();
    let is_listed = |day: &&Holiday| list.contains(&day.date) || list.contains(&day.observed);
    let mut holidays: Vec<Vec<Holiday>> = years.into_iter().map(in_year).collect();
    holidays.retain(|year| year.iter().filter(is_listed).count() >= FEWEST);
    let only = |at| {
        let mut lacking = holidays.iter().filter_map(|year| year.get(at)).filter(|day| !is_listed(day));
        lacking.next().filter(|_| holidays.len() > 1 && lacking.next().is_none())
    };
    let all: Vec<&Holiday> = (0..NAMES.len()).filter_map(only).collect();
    let is_alone =
        |day: &Holiday| all.iter().filter(|other| other.date.year() == day.date.year()).count() == 1;
    let is_within = |day: &Holiday| list.first() < Some(&day.observed) && Some(&day.observed) < list.last();
    let told = all.iter().filter(|day| is_alone(day) && is_within(day));
    told.map(|day| (day.observed, day.name)).collect()
}

/// What the names of the holidays begin with, in the order of [`in_year`].
const NAMES: [&[&str]; 11] = [
    &["new year", "año nuevo"],
    &["martin luther", "mlk"],
    &["president", "washington"],
    &["memorial"],
    &["juneteenth"],
    &["independence", "fourth of july", "4th of july", "july 4"],
    &["labor"],
    &["columbus", "indigenous"],
    &["veteran"],
    &["thanksgiving", "acción de gracias"],
    &["christmas", "xmas", "navidad"],
];

/// When a holiday is observed in a year, and its date if that is another one.
pub(super) fn named(name: &str, year: i32) -> Vec<NaiveDate> {
    let name = name.to_lowercase();
    let is_named = |names: &&[&str]| names.iter().any(|known| name.starts_with(known));
    let at = NAMES.iter().position(is_named).filter(|_| !name.ends_with(" eve"));
    let found = at.and_then(|at| in_year(year).into_iter().nth(at));
    let mut dates: Vec<NaiveDate> = found.iter().flat_map(|day| [day.observed, day.date]).collect();
    dates.dedup();
    dates
}

struct Holiday {
    name: &'static str,
    date: NaiveDate,
    /// The Friday before a Saturday, and the Monday after a Sunday.
    observed: NaiveDate,
}

fn in_year(year: i32) -> Vec<Holiday> {
    let on = |month, day| NaiveDate::from_ymd_opt(year, month, day);
    let nth = |month, day, nth| NaiveDate::from_weekday_of_month_opt(year, month, day, nth);
    let last_monday_of_may = nth(5, Weekday::Mon, 5).or_else(|| nth(5, Weekday::Mon, 4));
    let holidays = [
        ("New Year's Day", on(1, 1)),
        ("Martin Luther King Jr. Day", nth(1, Weekday::Mon, 3)),
        ("Presidents' Day", nth(2, Weekday::Mon, 3)),
        ("Memorial Day", last_monday_of_may),
        ("Juneteenth", on(6, 19)),
        ("Independence Day", on(7, 4)),
        ("Labor Day", nth(9, Weekday::Mon, 1)),
        ("Columbus Day", nth(10, Weekday::Mon, 2)),
        ("Veterans Day", on(11, 11)),
        ("Thanksgiving", nth(11, Weekday::Thu, 4)),
        ("Christmas Day", on(12, 25)),
    ];
    let holiday = |(name, date): (&'static str, Option<NaiveDate>)| {
        let date = date?;
        let observed = match date.weekday() {
            Weekday::Sat => date.pred_opt()?,
            Weekday::Sun => date.succ_opt()?,
            _ => date,
        };
        Some(Holiday { name, date, observed })
    };
    holidays.into_iter().filter_map(holiday).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missed(list: &[&str]) -> Vec<String> {
        let list: BTreeSet<NaiveDate> = list.iter().map(|date| date.parse().unwrap()).collect();
        list.iter().filter_map(|date| Some(missed_by_a_day(*date, &list)?.0.to_string())).collect()
    }

    #[test]
    fn holidays_are_known_by_their_names() {
        for (name, year, dates) in [
            ("Thanksgiving Day", 2026, "2026-11-26"),
            ("MLK Day", 2027, "2027-01-18"),
            ("Fourth of July", 2026, "2026-07-03 2026-07-04"),
            ("Navidad", 2028, "2028-12-25"),
            ("Christmas Eve", 2026, ""),
            ("Easter", 2026, ""),
        ] {
            let found: Vec<String> = named(name, year).iter().map(ToString::to_string).collect();
            assert_eq!(found.join(" "), dates, "{name}");
        }
    }

    #[test]
    fn the_published_federal_holidays_are_known() {
        // https://www.opm.gov/policy-data-oversight/pay-leave/federal-holidays/, observed dates.
        for (year, dates) in [
            (2026, "01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25"),
            (2027, "01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24"),
            (2028, "12-31 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-10 11-23 12-25"),
        ] {
            let observed: Vec<String> =
                in_year(year).iter().map(|holiday| holiday.observed.format("%m-%d").to_string()).collect();
            assert_eq!(observed.join(" "), dates);
        }
    }

    #[test]
    fn a_holiday_a_day_off_is_found() {
        assert_eq!(missed(&["2027-01-01", "2027-01-19"]), ["2027-01-18"]);
        assert_eq!(missed(&["2027-05-30", "2027-07-05", "2027-12-26"]), ["2027-05-31", "2027-12-25"]);
        assert_eq!(missed(&["2026-11-25", "2026-11-11"]), ["2026-11-26"]);
        // Days that belong to a holiday, observed days, and lists of other days.
        for list in [
            &["2026-11-26", "2026-11-27", "2026-12-24", "2026-12-25", "2026-12-31"][..],
            &["2027-07-05", "2027-12-24", "2027-12-31", "2027-06-18"],
            &["2027-07-04", "2027-07-05", "2027-12-23", "2027-12-24"],
            &["2027-03-31", "2027-11-24", "2027-11-25"],
            &["2026-12-24", "2026-12-31"],
            &["2027-01-19"],
            &[],
        ] {
            assert_eq!(missed(list), Vec::<String>::new(), "{list:?}");
        }
    }
}
