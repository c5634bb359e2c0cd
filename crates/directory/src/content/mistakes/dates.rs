//! Explains why a text is not a date, and which date was probably meant. Advice contains only dates that the text names,
//! or the days beside one that doesn't exist, because an author would copy an invented one.

use std::cmp::Ordering;

use chrono::{Datelike, Days, Months, NaiveDate};

use super::super::problem::Advice;
use super::hours::{clock, is_dash, minutes_of_day};

pub(super) const FORM: &str = "Write the year, month, and day in digits, such as 2026-11-26.";
const PART_OF_DAY: &str = "To close only part of the day, add a line with the hours that are off, such as \
    hours = [\"09:00-12:00\"].";
const LONGEST_RANGE: usize = 31;
/// The longest text in which two dates are looked for, in bytes.
const LONGEST_TEXT: usize = 100;
const DAY: u32 = 24 * 60;
const LAST_MINUTE: u32 = DAY - 1;
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const SPANISH: [&str; 12] =
    ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"];
/// What people write between the first and the last of several days.
pub(super) const SPANS: [&str; 7] = [" - ", " – ", " to ", " through ", " until ", "..", "/"];
/// Holidays, with month and day, and when they are if these change.
const HOLIDAYS: [(&str, &str, Option<&str>); 16] = [
    ("christmas eve", "12-24", None),
    ("christmas", "12-25", None),
    ("new year's eve", "12-31", None),
    ("new year", "01-01", None),
    ("independence day", "07-04", None),
    ("fourth of july", "07-04", None),
    ("juneteenth", "06-19", None),
    ("veterans day", "11-11", None),
    ("thanksgiving", "11-DD", Some("the fourth Thursday of November")),
    ("labor day", "09-DD", Some("the first Monday of September")),
    ("memorial day", "05-DD", Some("the last Monday of May")),
    ("martin luther king", "01-DD", Some("the third Monday of January")),
    ("mlk day", "01-DD", Some("the third Monday of January")),
    ("president", "02-DD", Some("the third Monday of February")),
    ("columbus day", "10-DD", Some("the second Monday of October")),
    ("easter", "MM-DD", Some("a Sunday in March or April")),
];

/// `is_in_list`: a list of holidays has single dates. Elsewhere, other keys are for a range and for a part of a day.
pub(in super::super) fn explain_wrong_date(text: &str, is_in_list: bool) -> (String, Advice) {
    let text = text.trim();
    // "2/30/2027"
    let ordered = match text.split('/').collect::<Vec<_>>()[..] {
        [month, day, year] => format!("{year}-{month:0>2}-{day:0>2}"),
        _ => text.to_owned(),
    };
    if let Some((year, month, day)) = shaped(&ordered) {
        if !(1..=12).contains(&month) && ordered == text {
            return (format!("{text} doesn't exist: a year has 12 months."), FORM.into());
        }
        if let Some(days) = days_of(year, month)
            && !(1..=days).contains(&day)
        {
            let hint = if is_in_list { "Find out which day is meant, and write it here." } else { FORM };
            return (format!("{ordered} doesn't exist: that month has {days} days."), hint.into());
        }
    }
    let lower = text.to_lowercase();
    if let Some((_, day, rule)) = HOLIDAYS.iter().find(|(name, ..)| lower.starts_with(name)) {
        let what = format!("\"{text}\" is a holiday's name. This needs its date.");
        let hint = match rule {
            Some(rule) => format!("It's {rule}. Look it up for each year, and write YYYY-{day} in digits."),
            None => format!("Write one date for each year: YYYY-{day}, with the year in place of YYYY."),
        };
        return (what, hint.into());
    }
    if span_meant(text).is_some() {
        let hint = if is_in_list {
            "Write each date, with commas between them."
        } else {
            "Write each on its own line. Only the kind off has both; other kinds have an entry for each date."
        };
        return (format!("\"{text}\" is two dates."), hint.into());
    }
    if let Some(date) = text.get(..10).filter(|date| text.len() > 10 && shaped(date).is_some()) {
        let advice = Advice::write(date);
        let advice = if is_in_list { advice } else { advice.and(&format!(". {PART_OF_DAY}")) };
        return (format!("\"{text}\" is more than a date."), advice);
    }
    if text.contains(':') && text.starts_with(|c: char| c.is_ascii_digit()) {
        let hint = if is_in_list { FORM.to_owned() } else { format!("Write the date here. {PART_OF_DAY}") };
        return (format!("\"{text}\" is a time of day, not a date."), hint.into());
    }
    (format!("\"{text}\" isn't a date."), FORM.into())
}

pub(in super::super) fn fixed_holiday(name: &str, year: i32) -> Option<NaiveDate> {
    let lower = name.trim().to_lowercase();
    let (_, day, rule) = HOLIDAYS.iter().find(|(known, ..)| lower.starts_with(known))?;
    format!("{year}-{day}").parse().ok().filter(|_| rule.is_none())
}

/// "end of May 2027"
pub(in super::super) fn is_end_of_month(text: &str) -> bool {
    text.trim().to_lowercase().starts_with("end of ")
}

/// The days before and after one that doesn't exist.
pub(in super::super) fn days_beside(text: &str) -> Option<(NaiveDate, NaiveDate)> {
    let [before, after] = dates_meant(text)[..] else { return None };
    (before.succ_opt() == Some(after)).then_some((before, after))
}

/// The dates that a text can mean, in the order of what people in the United States mean.
pub fn dates_meant(text: &str) -> Vec<NaiveDate> {
    let text = text.trim();
    let parts: Vec<&str> = text.split(['/', '-', '.']).map(str::trim).collect();
    let numbers: Option<Vec<u32>> = parts.iter().map(|part| part.parse().ok()).collect();
    let mut dates: Vec<NaiveDate> = match numbers.as_deref() {
        Some(&[year, month, day]) if parts[0].len() == 4 => {
            let year = i32::try_from(year).unwrap_or_default();
            let date = NaiveDate::from_ymd_opt(year, month, day);
            let date = date.or_else(|| NaiveDate::from_ymd_opt(year, day, month));
            // February 29 of a common year: the last of the month, or the day after that.
            let last = days_of(year, month).and_then(|last| NaiveDate::from_ymd_opt(year, month, last));
            let next = last.and_then(|last| last.succ_opt());
            let beside = [last, next].into_iter().filter(|_| date.is_none() && (29..=31).contains(&day));
            date.into_iter().chain(beside.flatten()).collect()
        }
        Some(&[digits @ 19_000_101..=21_001_231]) => {
            let year = i32::try_from(digits / 10_000).unwrap_or_default();
            NaiveDate::from_ymd_opt(year, digits / 100 % 100, digits % 100).into_iter().collect()
        }
        // A spreadsheet counts days.
        Some(&[days @ 40_000..=60_000]) => {
            let date = NaiveDate::from_ymd_opt(1899, 12, 30);
            let date = date.and_then(|first| first.checked_add_days(Days::new(days.into())));
            date.into_iter().collect()
        }
        Some(&[first, second, year]) if parts[2].len() == 4 || parts[2].len() == 2 && text.contains('/') => {
            let century = if parts[2].len() == 2 { 2000 } else { 0 };
            let year = i32::try_from(year).map_or(0, |year| year + century);
            let readings = [(first, second), (second, first)];
            let dates = readings.iter().filter_map(|&(month, day)| NaiveDate::from_ymd_opt(year, month, day));
            let dates: Vec<NaiveDate> = dates.collect();
            if dates.is_empty() { dates_meant(&format!("{year}-{first}-{second}")) } else { dates }
        }
        Some(_) => Vec::new(),
        None if is_end_of_month(text) => {
            let month = text.to_lowercase().replacen("end of", "", 1);
            let numbers =
                month.trim().split_once(['/', '-']).map(|(month, year)| format!("{month}/1/{year}"));
            let first = spoken(&numbers.unwrap_or_else(|| format!("1 {month}")));
            let last = |(year, month, _): (Option<i32>, u32, u32)| {
                NaiveDate::from_ymd_opt(year?, month, days_of(year?, month)?)
            };
            first.and_then(last).into_iter().collect()
        }
        None => match spoken(&text.to_lowercase()) {
            Some((Some(year), month, day)) if !text.contains(':') => {
                NaiveDate::from_ymd_opt(year, month, day).into_iter().collect()
            }
            _ => Vec::new(),
        },
    };
    dates.dedup();
    dates
}

/// The entries for days off that begin or end within a day. `None` if they are whole days, or one day.
pub(in super::super) fn entries_of_days_off(from: &str, to: &str) -> Option<String> {
    let ((first, start), (last, end)) = (moment(from)?, moment(to)?);
    let start = start.filter(|&start| start > 0);
    let end = end.filter(|&end| end > 0 && end < LAST_MINUTE);
    if first >= last || start.is_none() && end.is_none() {
        return None;
    }
    let part = |date: NaiveDate, from: u32, to: u32| {
        format!("from = {date}\nhours = [\"{}-{}\"]", clock(from), clock(to))
    };
    let whole_from = if start.is_some() { first.succ_opt()? } else { first };
    let whole_to = if end.is_some() { last.pred_opt()? } else { last };
    let whole = match whole_from.cmp(&whole_to) {
        Ordering::Less => Some(format!("from = {whole_from}\nto = {whole_to}")),
        Ordering::Equal => Some(format!("from = {whole_from}")),
        Ordering::Greater => None,
    };
    let days = [start.map(|start| part(first, start, DAY)), whole, end.map(|end| part(last, 0, end))];
    let entries = days.into_iter().flatten().map(|days| format!("[[exception]]\nkind = \"off\"\n{days}"));
    Some(entries.collect::<Vec<_>>().join("\n"))
}

/// A date, and the minutes since midnight if a time of day follows it.
fn moment(text: &str) -> Option<(NaiveDate, Option<u32>)> {
    let (date, time) = text.trim().split_at_checked(10)?;
    let time = time.trim_start_matches(['T', ' ']).to_lowercase();
    let time = if time.is_empty() { None } else { Some(minutes_of_day(&time)?) };
    Some((date.parse().ok()?, time))
}

/// The first and the last of several days: "12/24/2026 - 12/31/2026", "December 24-31, 2026".
pub fn span_meant(text: &str) -> Option<(NaiveDate, NaiveDate)> {
    let text = Some(text.trim()).filter(|text| text.len() <= LONGEST_TEXT)?;
    let places = SPANS.iter().flat_map(|sign| text.match_indices(sign));
    let places = places.filter(|&(at, sign)| sign != "/" || shaped(&text[..at]).is_some());
    let dashes = text.match_indices(|sign: char| sign == '-' || is_dash(sign));
    places.chain(dashes).find_map(|(at, sign)| {
        let (from, to) = (text[..at].trim(), text[at + sign.len()..].trim());
        let to_dates = match dates_meant(to) {
            dates if dates.is_empty() => {
                let month = from.split(' ').next().filter(|word| word.starts_with(char::is_alphabetic))?;
                dates_meant(&format!("{month} {to}"))
            }
            dates => dates,
        };
        let last = *to_dates.first()?;
        let year = last.year();
        let mut from_dates = dates_meant(from);
        for year in [year, year - 1] {
            // The year stands behind the last day alone.
            if from_dates.first().is_none_or(|first| *first > last) {
                let with_year = [format!("{from}, {year}"), format!("{from}/{year}")];
                from_dates.extend(with_year.iter().flat_map(|text| dates_meant(text)));
                from_dates.retain(|first| *first <= last);
            }
        }
        // "3/1/2027" is March 1 beside "12/14/2026".
        let is_clear = from_dates.len() == 1 || to_dates.len() == 1;
        let first = from_dates.into_iter().find(|first| *first <= last)?;
        is_clear.then_some((first, last))
    })
}

/// Every date of a range, separated by commas. `None` if the range is empty or long.
pub(in super::super) fn each_date(first: NaiveDate, last: NaiveDate) -> Option<String> {
    let dates = first.iter_days().take_while(|date| *date <= last).take(LONGEST_RANGE + 1);
    let dates: Vec<_> = dates.map(|date| date.to_string()).collect();
    (1..=LONGEST_RANGE).contains(&dates.len()).then(|| dates.join(", "))
}

/// Year, month and day of a text of the form YYYY-MM-DD, even if that day does not exist.
fn shaped(text: &str) -> Option<(i32, u32, u32)> {
    let is_shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !is_shaped {
        return None;
    }
    Some((text[..4].parse().ok()?, text[5..7].parse().ok()?, text[8..].parse().ok()?))
}

fn days_of(year: i32, month: u32) -> Option<u32> {
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    Some(first.checked_add_months(Months::new(1))?.pred_opt()?.day())
}

/// Year (if written), month and day of "dec 24", "24th of december 2026" or "7/4".
fn spoken(text: &str) -> Option<(Option<i32>, u32, u32)> {
    let (mut month, mut year) = (None, None);
    let mut numbers = Vec::new();
    for word in text
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !["", "of", "de", "del"].contains(word))
    {
        let is_named = |name: &&str| word.len() < 11 && word.starts_with(*name);
        let named = MONTHS.iter().chain(&SPANISH).position(is_named).map(|at| at % 12);
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        match (named, digits.parse::<u32>()) {
            (Some(at), _) => month = u32::try_from(at + 1).ok(),
            (None, Ok(number @ 1900..=2200)) => year = i32::try_from(number).ok(),
            (None, Ok(number)) => numbers.push(number),
            // The name of a weekday.
            (None, Err(_)) if word.ends_with("day") || word.len() == 3 && word != "mid" => {}
            (None, Err(_)) => return None,
        }
    }
    let (month, day) = match (month, numbers.as_slice()) {
        (Some(month), [day]) => (month, *day),
        // "10-Dec-26", as a spreadsheet shows it.
        (Some(month), [day, short @ 20..=99]) if year.is_none() => {
            year = i32::try_from(2000 + short).ok();
            (month, *day)
        }
        (None, [month, day]) => (*month, *day),
        _ => return None,
    };
    // Without a year, a leap year is used, because it has February 29.
    NaiveDate::from_ymd_opt(year.unwrap_or(2024), month, day).map(|_| (year, month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_dates_are_explained() {
        let cases = [
            ("2026-02-30", "2026-02-30 doesn't exist: that month has 28 days.", FORM.to_owned()),
            ("2/30/2027", "2027-02-30 doesn't exist: that month has 28 days.", FORM.to_owned()),
            ("2026-13-01", "2026-13-01 doesn't exist: a year has 12 months.", FORM.to_owned()),
            ("12/24/2026", "\"12/24/2026\" isn't a date.", FORM.to_owned()),
            ("Feb 30", "\"Feb 30\" isn't a date.", FORM.to_owned()),
            ("soon", "\"soon\" isn't a date.", FORM.to_owned()),
            (
                "Christmas Day",
                "\"Christmas Day\" is a holiday's name. This needs its date.",
                "Write one date for each year: YYYY-12-25, with the year in place of YYYY.".to_owned(),
            ),
        ];
        for (text, what, hint) in cases {
            let (found, advice) = explain_wrong_date(text, false);
            let advised =
                crate::content::problem::Problem::error(crate::content::problem::FileSpan::file(""), "")
                    .hint(advice);
            assert_eq!((found.as_str(), advised.help().as_deref()), (what, Some(hint.as_str())), "{text}");
        }
    }
}
