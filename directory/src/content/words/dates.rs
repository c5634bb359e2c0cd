//! Why a text is not a date, and which date it may have been meant to be.

use chrono::{Datelike, NaiveDate};

/// Says why a text is not a date, and what to write.
pub(in super::super) fn no_date(text: &str) -> (String, String) {
    let text = text.trim();
    let example = || "write year-month-day: 2026-11-26".to_owned();
    if let Some((year, month, day)) = shaped(text) {
        if !(1..=12).contains(&month) {
            return (format!("{text} does not exist: a year has 12 months"), example());
        }
        if let Some(days) = days_of(year, month)
            && !(1..=days).contains(&day)
        {
            return (format!("{text} does not exist: that month has {days} days"), example());
        }
    }
    let hint = american(text).map_or_else(example, |date| format!("write year-month-day: {date}"));
    (format!("\"{text}\" is not a date"), hint)
}

/// Year, month and day of a text that has their form, whether or not that day exists.
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
    let next = first.checked_add_months(chrono::Months::new(1))?;
    Some(next.pred_opt()?.day())
}

/// Month, day and year, as they are written in the United States; elsewhere the day is first.
fn american(text: &str) -> Option<NaiveDate> {
    let mut parts = text.split(['/', '-', '.']).map(|part| part.trim().parse::<u32>().ok());
    let (month, day, year) = (parts.next()??, parts.next()??, parts.next()??);
    let year = if year < 100 { year + 2000 } else { year };
    let year = i32::try_from(year).ok().filter(|year| *year >= 1900 && parts.next().is_none())?;
    // Where there is no such month, the day was written first.
    NaiveDate::from_ymd_opt(year, month, day).or_else(|| NaiveDate::from_ymd_opt(year, day, month))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_that_is_none_is_explained() {
        let cases = [
            (
                "2026-02-30",
                "2026-02-30 does not exist: that month has 28 days",
                "write year-month-day: 2026-11-26",
            ),
            (
                "2026-13-01",
                "2026-13-01 does not exist: a year has 12 months",
                "write year-month-day: 2026-11-26",
            ),
            ("12/24/2026", "\"12/24/2026\" is not a date", "write year-month-day: 2026-12-24"),
            ("12-24-26", "\"12-24-26\" is not a date", "write year-month-day: 2026-12-24"),
            ("soon", "\"soon\" is not a date", "write year-month-day: 2026-11-26"),
        ];
        for (text, what, hint) in cases {
            assert_eq!(no_date(text), (what.to_owned(), hint.to_owned()));
        }
    }
}
