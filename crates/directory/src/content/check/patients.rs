//! `[patients]` of `directory.toml`: what the clinic tells patients in its own words.

use chrono::WeekdaySet;

use super::super::mistakes::{days_meant, hours_meant, in_english, is_closed};
use super::super::parse::given;
use super::super::problem::Advice;
use super::super::raw::{Located, PatientsTable, Text};
use super::days::DAYS;
use super::fields::File;
use super::unlikely;
use super::zone::{read_zone, zone_of_state};
use crate::model::{Patients, PhoneHours, StateCode, Window};

/// With how many entries each is compared.
const COMPARED: usize = 21;
const HOW: &str = "Write days and hours, such as \"mon-fri 08:00-17:00\" or \"sat,sun 10:00-14:00\".";

/// Reads the table. `state` is that of the clinic's address.
pub(super) fn read(file: &mut File<'_>, table: Located<PatientsTable>, state: Option<StateCode>) -> Patients {
    let Located { value: raw, span } = table;
    let is_written = raw.phone_hours.as_ref().is_some_and(|texts| !texts.is_empty());
    let texts = file.lines(raw.phone_hours);
    let mut hours: Vec<(WeekdaySet, Window)> = Vec::new();
    for text in &texts {
        let Some((days, window)) = read_hours(file, text) else { continue };
        let overlaps = |(other, of_other): &(WeekdaySet, Window)| {
            let is_within = window.start() < of_other.end() && of_other.start() < window.end();
            is_within && !days.intersection(*other).is_empty()
        };
        if hours.iter().take(COMPARED).any(overlaps) {
            let hint = "Write each day once, such as \"mon-thu 08:00-18:00\" and \"fri 08:00-12:00\".";
            file.warn(&text.span, "An entry before this one has other hours for the same time.", hint);
        }
        hours.push((days, window));
    }
    let zone = given(raw.phone_time_zone).and_then(|text| file.line(text));
    let zone = if let Some(text) = zone {
        read_zone(file, &text, state.and_then(zone_of_state))
    } else {
        let zone = state.and_then(zone_of_state);
        if zone.is_none() && is_written && file.is_missing(Some(&span), "phone-time-zone") {
            let what = state.map_or_else(
                || "These hours have no time zone.".to_owned(),
                |state| {
                    format!("{} has more than one time zone, and these hours don't say which.", state.name())
                },
            );
            let hint = file.where_to_add(Some(&span), "such as phone-time-zone = \"America/Chicago\"");
            file.error(&span, what, hint);
        }
        zone
    };
    let mut line = |text: Text| given(text).and_then(|text| file.line(text)).map(|text| text.value);
    Patients {
        phone_hours: zone.filter(|_| !hours.is_empty()).map(|zone| PhoneHours { zone, hours }),
        cost: line(raw.cost),
        cost_without_insurance: line(raw.cost_without_insurance),
        emergency: line(raw.emergency),
    }
}

fn read_hours(file: &mut File<'_>, text: &Located<String>) -> Option<(WeekdaySet, Window)> {
    let value = text.value.trim();
    let (days, hours) = value.split_at(value.find(|sign: char| sign.is_ascii_digit()).unwrap_or(value.len()));
    let days = days.trim_end_matches([' ', ':', ',']);
    let names = days_meant(days);
    let window: Option<Window> = hours.parse().ok();
    // "lunes a viernes"
    let english = if names.is_some() { days.to_lowercase() } else { in_english(days).trim().to_owned() };
    let english = english.replace(['–', '—'], "-");
    let meant = |hours: &str| Advice::meant(format!("\"{english} {}\"", hours.trim_matches('"')));
    if let (Some(names), Some(window)) = (&names, window) {
        if !window.ends_next_day() {
            let days = DAYS.iter().filter(|(name, ..)| names.contains(name)).map(|(.., day)| *day);
            return Some((days.collect(), window));
        }
        let what = format!("\"{value}\" ends on the next day.");
        let advice = match unlikely::in_the_afternoon(window) {
            Some(hours) => meant(&hours),
            None if hours >= "13" => {
                "Write the earlier time first. Hours after midnight belong to the next day.".into()
            }
            None => "Write the hours after midnight as the next day's hours.".into(),
        };
        return file.refuse(&text.span, what, advice);
    }
    // "8am-5pm Mon-Fri"
    let turned = |at: usize| {
        let days = days_meant(value[at..].trim()).map(|_| value[at..].trim())?;
        let [hours] = <[String; 1]>::try_from(hours_meant(&value[..at])?).ok()?;
        Some(Advice::meant(format!("\"{days} {hours}\"")))
    };
    let read = days_meant(&english).and_then(|_| hours_meant(hours));
    let is_over = value.rsplit([' ', ':']).next().is_some_and(is_closed);
    let hint = match read.as_deref() {
        Some([hours]) => meant(hours),
        _ if is_over => "Delete this entry: days that aren't listed are closed.".into(),
        _ => value.match_indices(' ').find_map(|(at, _)| turned(at)).unwrap_or_else(|| HOW.into()),
    };
    file.refuse(&text.span, format!("Nameplate can't read these hours: \"{value}\"."), hint)
}
