//! `holidays/<name>.toml`: lists of dates, to which files of hours refer by name.

mod federal;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{Datelike, NaiveDate};

use super::super::mistakes::{ONE_LIST, fixed_holiday, nearest};
use super::super::problem::{Advice, FileSpan};
use super::super::problems::Problems;
use super::super::raw::{DateValue, HolidaysFile, Located};
use super::super::sources::{SourceFile, Sources};
use super::credentials::warn_of_repeated;
use super::fields::{File, has_same_digits};
use crate::model::slug_words;

/// How far the years of a list are usually apart.
const USUAL_YEARS: i32 = 8;

/// The most days by which a date whose year has its digits exchanged may be out of order.
const BESIDE: i64 = 60;

#[derive(Debug, Default)]
pub(super) struct Holidays(pub(super) BTreeMap<String, HolidayList>);

#[derive(Debug, Default)]
pub(super) struct HolidayList {
    /// `None` if the file has errors.
    dates: Option<Arc<BTreeSet<NaiveDate>>>,
    pub(super) places: Vec<(NaiveDate, FileSpan)>,
    is_used: AtomicBool,
}

impl Holidays {
    pub(super) fn read(sources: &Sources, problems: &mut Problems) -> Self {
        let wrong = problems.paths().filter_map(list_name);
        let mut lists: BTreeMap<_, _> = wrong.map(|name| (name.to_owned(), HolidayList::default())).collect();
        for (path, source) in sources.below("holidays") {
            if let (Some(name), SourceFile::Text(text)) = (list_name(path), source) {
                lists.insert(name.to_owned(), HolidayList::read(path, text, problems));
            }
        }
        Self(lists)
    }

    pub(super) fn dates(
        &self,
        file: &mut File<'_>,
        name: &Located<String>,
    ) -> Option<Arc<BTreeSet<NaiveDate>>> {
        let Some(list) = self.0.get(name.value.trim()) else {
            let names = || self.0.keys().map(String::as_str);
            if name.value.contains([',', ';', '&', '+']) {
                let what = format!("\"{}\" names several lists.", name.value.trim());
                return file.refuse(&name.span, what, ONE_LIST);
            }
            let is_part = |list: &&str| !name.value.is_empty() && list.contains(name.value.trim());
            // "Federal holidays" for "us-federal".
            let words = slug_words(&name.value);
            let shares_word = |list: &&str| {
                let is_of = |word: &str| {
                    word.len() > 3 && !word.starts_with("holiday") && words.split('-').any(|own| own == word)
                };
                list.split('-').any(is_of)
            };
            let near = nearest(&name.value, names()).or_else(|| names().find(is_part));
            let hint = match near.or_else(|| names().find(shares_word)) {
                Some(near) => Advice::meant(format!("\"{near}\"")),
                None if self.0.len() == 1 => {
                    let only: String = names().collect();
                    format!("Write \"{only}\", the one list that exists, or add this file.").into()
                }
                None => format!("Write the dates in holidays/{}.toml.", name.value.trim()).into(),
            };
            let what = match name.value.trim().strip_suffix(".toml") {
                Some(_) => "Write the name of the list without .toml.".to_owned(),
                None => format!("holidays/{}.toml doesn't exist.", name.value.trim()),
            };
            return file.refuse(&name.span, what, hint);
        };
        list.is_used.store(true, Ordering::Relaxed);
        list.dates.clone()
    }
}

impl HolidayList {
    /// Whether the file is right and has no dates.
    pub(super) fn is_empty(&self) -> bool {
        self.dates.as_ref().is_some_and(|dates| dates.is_empty())
    }

    /// Whether a file of hours names the list. To be called after all of them were read.
    pub(super) fn is_used(&self) -> bool {
        self.is_used.load(Ordering::Relaxed)
    }

    fn read(path: &str, text: &str, problems: &mut Problems) -> Self {
        let (mut file, raw) = File::read::<HolidaysFile>(path, text, problems);
        if raw.dates.is_none() {
            file.missing(None, "dates", "[2026-11-26, 2026-12-25]");
        }
        let texts = raw.dates.as_deref().unwrap_or_default();
        let dates: Vec<_> =
            texts.iter().filter_map(|text| Some((file.date(text)?, file.place(&text.span)))).collect();
        let is_whole = file.is_whole() && dates.len() == texts.len();
        if is_whole {
            warn_of_missed_holidays(&mut file, texts, &dates);
            warn_of_order(&mut file, texts, &dates);
            let days = texts.iter().zip(&dates).map(|(text, (date, _))| (*date, text.span.clone()));
            warn_of_repeated(&mut file, days.collect(), "date", PartialEq::eq);
        }
        let all = is_whole.then(|| Arc::new(dates.iter().map(|(date, _)| *date).collect()));
        Self { dates: all, places: dates, is_used: AtomicBool::new(false) }
    }
}

pub(in super::super) fn holiday_named(name: &str, year: i32) -> Vec<NaiveDate> {
    let named = federal::named(name, year);
    if named.is_empty() { fixed_holiday(name, year).into_iter().collect() } else { named }
}

/// Warns of a date out of order that the year of the dates around it would put in order.
fn warn_of_order(file: &mut File<'_>, texts: &[Located<DateValue>], dates: &[(NaiveDate, FileSpan)]) {
    let mut years: Vec<i32> = dates.iter().map(|(date, _)| date.year()).collect();
    years.sort_unstable();
    let Some(usual) = years.get(years.len() / 2).copied() else { return };
    // A date of another century says nothing about those beside it.
    let is_usual = |(date, _): &&(NaiveDate, FileSpan)| (date.year() - usual).abs() <= USUAL_YEARS;
    for (at, (text, (date, _))) in texts.iter().zip(dates).enumerate() {
        let before = dates[..at].iter().rfind(is_usual).map(|(date, _)| *date);
        let after = dates[at + 1..].iter().find(is_usual).map(|(date, _)| *date);
        // At either end of the list, only a far year is a typo.
        let is_far = (date.year() - usual).abs() > USUAL_YEARS
            && dates.iter().filter(is_usual).count() * 2 > dates.len();
        if !is_far && (before.is_none() || after.is_none()) {
            continue;
        }
        let is_in_order = |date: &NaiveDate| {
            before.is_none_or(|before| before < *date) && after.is_none_or(|after| *date < after)
        };
        let exchanged = before.filter(|before| is_far && has_same_digits(before.year(), date.year()));
        let exchanged = exchanged.and_then(|before| {
            let meant = date.with_year(before.year())?;
            ((meant - before).num_days().abs() <= BESIDE).then_some(meant)
        });
        let next = before.filter(|_| after.is_none()).and_then(|before| date.with_year(before.year() + 1));
        let in_order = before.into_iter().chain(after).filter_map(|other| date.with_year(other.year()));
        let meant = in_order.chain(next).find(is_in_order);
        let meant = exchanged.or(meant);
        if let Some(meant) = meant.filter(|_| is_far || !is_in_order(date)) {
            let place = match (before, after) {
                (Some(before), Some(after)) => format!("between {before} and {after}"),
                (Some(before), None) => format!("after {before}"),
                (None, after) => format!("before {}", after.unwrap_or(meant)),
            };
            let what = format!("{date} is listed {place}. Is the year a typo?");
            file.warn(&text.span, what, Advice::meant(meant.to_string()));
        }
    }
}

fn warn_of_missed_holidays(
    file: &mut File<'_>,
    texts: &[Located<DateValue>],
    dates: &[(NaiveDate, FileSpan)],
) {
    let mut list: BTreeSet<NaiveDate> = dates.iter().map(|(date, _)| *date).collect();
    for (text, (date, _)) in texts.iter().zip(dates) {
        if let Some((holiday, name)) = federal::missed_by_a_day(*date, &list) {
            let what = format!("{name} is {holiday}, but this list has {date}.");
            file.warn(&text.span, what, format!("Write {holiday}, or leave it if you are closed on {date}."));
            list.insert(holiday);
        }
    }
    for (holiday, name) in federal::lacking(&list) {
        let near = |(_, (date, _)): &(_, &(NaiveDate, _))| {
            let is_near = strsim::hamming(&date.to_string(), &holiday.to_string()) == Ok(1);
            is_near && date.year() == holiday.year() && !federal::is_holiday(*date)
        };
        let what = format!("{name}, {holiday}, isn't in this list, which has it in its other years.");
        if let Some((text, _)) = texts.iter().zip(dates).find(near) {
            file.warn(&text.span, what, Advice::meant(holiday.to_string()));
        } else if let Some((text, _)) =
            texts.iter().zip(dates).find(|(_, (date, _))| date.year() == holiday.year())
        {
            file.warn(&text.span, what, format!("Add {holiday}, or leave it out if you are open."));
        }
    }
}

fn list_name(path: &str) -> Option<&str> {
    path.strip_prefix("holidays/")?.strip_suffix(".toml")
}
