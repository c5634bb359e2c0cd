//! Reads single values of cells as people write them, or says what to write instead.

use chrono::{Datelike, NaiveDate};
use directory::content::{dates_meant, span_meant, words_meant};
use directory::model::StateCode;

use super::{in_quotes, join_list, split_list};
use crate::near::nearest;
use crate::sheet::grid::xlsx::date_of_serial;

pub(super) fn parse_choice(cell: &str, words: &[&str]) -> Result<String, String> {
    if let Some(word) = words.iter().find(|word| word.eq_ignore_ascii_case(cell)) {
        return Ok((*word).to_owned());
    }
    let advice = match words_meant(words, cell) {
        _ if words.contains(&"paused") && cell.to_lowercase().contains("leave") => {
            "write the days into `leave from` and `leave until`, and empty this cell".to_owned()
        }
        meant if meant.is_empty() && words.contains(&"paused") => {
            "write withdrawn if this clinician left, paused for no new patients, or listed".to_owned()
        }
        meant if meant.is_empty() => format!("write one of {}", words.join(", ")),
        meant => format!("did you mean {}?", meant.join(" or ")),
    };
    Err(format!("{} isn't allowed here: {advice}", in_quotes(cell)))
}

pub(super) fn parse_list<T>(cell: &str, parse_item: fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    split_list(cell)?.iter().map(|item| parse_item(item)).collect()
}

/// A year of two digits that means another one is a typo.
const USUAL_YEARS: std::ops::Range<i32> = 2000..2070;
/// The most ids that a range such as `101-104` stands for.
const LONGEST_RANGE: i64 = 20;
pub(super) const NONE_ACCEPTED: &str = "write none, if this clinician sees only current patients";

pub(super) fn says_no(cell: &str) -> bool {
    const NO: [&str; 8] = ["no", "not", "none", "closed", "false", "current", "existing", "established"];
    cell.to_lowercase()
        .split(|sign: char| !sign.is_alphabetic())
        .find(|word| !word.is_empty())
        .is_some_and(|word| NO.contains(&word))
}

pub(super) fn parse_state(text: &str) -> Result<String, String> {
    text.parse::<StateCode>().map(|code| code.to_string()).map_err(|_| {
        let parts: Result<Vec<StateCode>, _> =
            text.split([',', ' ', '/', '\n']).filter(|part| !part.is_empty()).map(str::parse).collect();
        if let Ok(states) = parts.map(|parts| join_list(parts.iter().map(StateCode::to_string)))
            && states.contains(';')
        {
            return format!("{} is more than one state: write {states}", in_quotes(text));
        }
        // "NY (pending)"
        if let Some(code) = text.split_once('(').and_then(|(code, _)| code.trim().parse::<StateCode>().ok()) {
            return format!(
                "{} has a note: write {code} alone, or delete it if there is no license yet",
                in_quotes(text)
            );
        }
        let advice = match nearest(text, StateCode::all().map(StateCode::name)) {
            Some(near) => format!("did you mean {near}?"),
            None => "write two-letter codes separated by semicolons, such as CA; NY".to_owned(),
        };
        format!("{} isn't a state: {advice}", in_quotes(text))
    })
}

/// The only state that a word of a heading names, or begins to name: "- Texas plans", "Tex."
pub(super) fn state_among(heading: &str) -> Option<StateCode> {
    let words = heading.split(|sign: char| !sign.is_alphabetic()).filter(|word| word.len() > 1);
    let begins = |word: &str| {
        let mut states = StateCode::all()
            .filter(|state| word.len() > 2 && state.name().to_lowercase().starts_with(&word.to_lowercase()));
        states.next().filter(|_| states.next().is_none())
    };
    let named = |word: &str| word.to_uppercase().parse().ok().or_else(|| begins(word));
    let mut states = words.filter_map(named);
    states.next().filter(|_| states.next().is_none())
}

pub(super) fn parse_number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| {
        let ends = text.split_once('-').map(|(first, last)| (first.trim().parse(), last.trim().parse()));
        let is_range = |first: i64, last: i64| {
            last.checked_sub(first).is_some_and(|more| (0..LONGEST_RANGE).contains(&more))
        };
        if let Some((Ok(first), Ok(last))) = ends
            && is_range(first, last)
        {
            return format!(
                "{} is a range: write {}",
                in_quotes(text),
                join_list((first..=last).map(|id| id.to_string()))
            );
        }
        format!("{} isn't a number: write numbers separated by semicolons, such as 101; 201", in_quotes(text))
    })
}

/// A date as files have it, as spreadsheet programs in the United States write it, or as they count its days.
pub(super) fn parse_date(text: &str) -> Result<String, String> {
    let date =
        ["%Y-%m-%d", "%m/%d/%Y"].into_iter().find_map(|form| NaiveDate::parse_from_str(text, form).ok());
    let date = date.filter(|date| date.year() > 1000).or_else(|| date_of_serial(text));
    let date = date.map(|date| date.to_string());
    date.ok_or_else(|| {
        if let Some((first, last)) = span_meant(text) {
            let next = last.succ_opt().unwrap_or(last);
            return format!(
                "{} is two dates: write {first} into `leave from`, and the first day back, such as {next}, into `leave until`",
                in_quotes(text)
            );
        }
        let usual = |date: &NaiveDate| USUAL_YEARS.contains(&date.year());
        let dates: Vec<String> =
            dates_meant(text).iter().filter(|date| usual(date)).map(ToString::to_string).collect();
        let example = match dates.join(" or ") {
            none if none.is_empty() && text.contains(|sign: char| sign.is_ascii_digit()) => "it like 2027-03-01".to_owned(),
            none if none.is_empty() => "it like 2027-03-01, or empty the cell if the day isn't known yet".to_owned(),
            dates => dates,
        };
        format!("{} isn't a date: write {example}", in_quotes(text))
    })
}
