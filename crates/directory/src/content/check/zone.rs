//! The time zone of a clinician's hours.

use std::collections::HashMap;

use chrono_tz::Tz;

use super::super::generation::FileHash;
use super::super::mistakes::{nearest, zone_meant, zone_without_daylight_saving};
use super::super::problem::Advice;
use super::super::problems::Problems;
use super::super::raw::{Located, Text};
use super::availability::Reader;
use super::fields::{File, codes};
use crate::model::{StateCode, StateSet};

impl Reader<'_> {
    pub(super) fn zone(&mut self, text: Text) -> Option<Tz> {
        let text = self.file.required_line(text, None, "timezone", "\"America/Chicago\"")?;
        let states = self.provider.map_or(StateSet::EMPTY, |draft| draft.licensed);
        let usual =
            states.iter().map(zone_of_state).reduce(|one, other| one.filter(|_| one == other)).flatten();
        let zone = read_zone(&mut self.file, &text, usual)?;
        self.warn_of_other_state(&text);
        Some(zone)
    }

    /// Warns of a zone of the United States in which none of the clinician's licenses are.
    fn warn_of_other_state(&mut self, text: &Located<String>) {
        let Some(provider) = self.whole_provider().and_then(|draft| draft.provider.as_deref()) else {
            return;
        };
        let Some(states) = states_of(&text.value) else { return };
        let is_used = |code: &str| states.split(' ').any(|known| known == code);
        if !provider.licensed.is_empty() && !provider.licensed.iter().any(|state| is_used(state.code())) {
            let what = format!("{OTHER_STATE} ({}).", codes(provider.licensed));
            let hint = "Write the zone where the clinician works. If this file is a copy, write the clinician's own \
                        hours, too. Leave the zone if the clinician does work there.";
            self.file.warn(&text.span, what, hint);
        }
    }
}

const OTHER_STATE: &str = "This time zone isn't in any of the clinician's licensed states";

/// Says whose file was saved in place of hours with a zone of another state.
pub(super) fn name_originals(problems: &mut Problems, hashes: &[(String, FileHash)]) {
    let mut of_zones = problems.iter_mut().filter(|problem| problem.what.starts_with(OTHER_STATE)).peekable();
    if of_zones.peek().is_none() {
        return;
    }
    let mut same: HashMap<FileHash, Vec<&str>> = HashMap::new();
    for (path, hash) in hashes {
        same.entry(*hash).or_default().extend(path.strip_prefix("availability/"));
    }
    let same: HashMap<&str, &[&str]> = same
        .values()
        .flat_map(|names| names.iter().map(|name| (*name, &names[..names.len().min(2)])))
        .collect();
    for problem in of_zones {
        let Some(name) = problem.place.path.strip_prefix("availability/") else { continue };
        let original = same.get(name).and_then(|names| names.iter().find(|other| **other != name));
        if let Some(original) = original {
            let text = format!(
                "This file is the same as {original}. Restore this file's last version (Undo, your backup, or the file's history \
                 on GitHub), or write this clinician's own zone, hours, and other lines."
            );
            problem.hint = Some(text.into());
        }
    }
}

/// Reads the name of a time zone. Reports one that doesn't exist, and one whose hours would be wrong for half of the year.
pub(super) fn read_zone(file: &mut File<'_>, text: &Located<String>, usual: Option<Tz>) -> Option<Tz> {
    if let Ok(zone) = text.value.parse() {
        return check_daylight_saving(file, text).then_some(zone);
    }
    let hint = match zone_like(&text.value).or_else(|| usual.map(Tz::name)) {
        Some(zone) => Advice::meant(format!("\"{zone}\"")),
        None => "Write a city's zone, such as \"America/New_York\", \"America/Chicago\", \
            \"America/Denver\", \"America/Phoenix\" or \"America/Los_Angeles\"."
            .into(),
    };
    file.refuse(&text.span, format!("No time zone is named \"{}\".", text.value), hint)
}

/// Reports a zone without daylight saving time. Returns whether to use it.
fn check_daylight_saving(file: &mut File<'_>, text: &Located<String>) -> bool {
    let name = text.value.as_str();
    let example = "Write the zone where the clinician works, such as \"America/Chicago\".";
    let what = format!("\"{name}\" has no daylight saving time, so openings would be an hour off in summer.");
    if let Some(meant) = zone_without_daylight_saving(name) {
        let advice = Advice::meant(format!("\"{meant}\""));
        let advice = if name == "MST" { advice.and(" In Arizona it's \"America/Phoenix\".") } else { advice };
        file.error(&text.span, what, advice);
        return false;
    }
    let is_universal = ["UTC", "UCT", "GMT", "Zulu", "Universal", "Greenwich"].contains(&name);
    if name.starts_with("Etc/") || name.starts_with("GMT") && !is_universal {
        file.error(&text.span, what, example);
        return false;
    }
    if is_universal {
        file.warn(&text.span, what, example);
    }
    true
}

pub fn zone_of_state(state: StateCode) -> Option<Tz> {
    let mut zones = STATES.iter().filter(|(_, states)| states.split(' ').any(|code| code == state.code()));
    let (names, _) = zones.next().filter(|_| zones.next().is_none())?;
    names.split(' ').next()?.parse().ok()
}

/// The states in which each time zone of the United States is used. Zones with the same time are together, and small ones are
/// left out. Of the zones of a state, the usual one is first, in most.
const STATES: [(&str, &str); 12] = [
    (
        "America/New_York US/Eastern EST5EDT America/Detroit US/Michigan America/Indianapolis America/Indiana/Indianapolis \
         America/Kentucky/Louisville America/Louisville",
        "CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC TN VA VT WV",
    ),
    ("America/Chicago US/Central CST6CDT", "AL AR FL IA IL IN KS KY LA MI MN MO MS ND NE OK SD TN TX WI"),
    ("America/Phoenix US/Arizona", "AZ"),
    ("America/Los_Angeles US/Pacific PST8PDT", "CA ID NV OR WA"),
    ("America/Denver US/Mountain MST7MDT America/Boise", "AZ CO ID KS MT ND NE NM NV OR SD TX UT WY"),
    ("America/Anchorage US/Alaska America/Juneau America/Adak", "AK"),
    ("Pacific/Honolulu US/Hawaii", "HI"),
    ("America/Puerto_Rico", "PR VI"),
    ("America/St_Thomas", "PR VI"),
    ("Pacific/Guam", "GU MP"),
    ("Pacific/Saipan", "GU MP"),
    ("Pacific/Pago_Pago", "AS"),
];

/// The usual time zone of a state, or one of several.
pub fn usual_zone(state: StateCode) -> Option<&'static str> {
    // Most of their people live in the second zone that the table has for them.
    match state.code() {
        "ID" => return Some("America/Boise"),
        "TN" => return Some("America/Chicago"),
        _ => {}
    }
    let (zones, _) = STATES.iter().find(|(_, states)| states.split(' ').any(|code| code == state.code()))?;
    zones.split(' ').next()
}

fn states_of(zone: &str) -> Option<&'static str> {
    STATES.iter().find(|(zones, _)| zones.split(' ').any(|known| known == zone)).map(|(_, states)| *states)
}

/// The zone that was probably meant: by its short name, its city, or a city with at most two wrong letters after the
/// first. Names that differ more may be other cities.
fn zone_like(text: &str) -> Option<&'static str> {
    // Names without a slash are obsolete.
    let mut names = chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name()).filter(|name| name.contains('/'));
    let place = text.rsplit('/').next().unwrap_or(text).trim().replace(' ', "_");
    let is_place =
        |name: &&str| name.rsplit_once('/').is_some_and(|(_, known)| known.eq_ignore_ascii_case(&place));
    let mistyped = || {
        let near = nearest(text, chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name()))?;
        let (region, city) = near.rsplit_once('/')?;
        let begins_alike =
            place.chars().next().is_some_and(|first| city.starts_with(first.to_ascii_uppercase()));
        let is_near = strsim::osa_distance(city, &place) <= 2;
        (!region.is_empty() && begins_alike && is_near).then_some(near)
    };
    zone_meant(&place).or_else(|| zone_meant(text)).or_else(|| names.find(is_place)).or_else(mistyped)
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::{STATES, StateCode, usual_zone, zone_of_state};

    #[test]
    fn every_zone_and_state_exists_and_each_state_has_a_zone() {
        let zones = STATES.iter().flat_map(|(zones, _)| zones.split(' '));
        assert!(zones.into_iter().all(|zone| zone.parse::<Tz>().is_ok()));
        let states: Vec<StateCode> = STATES
            .iter()
            .flat_map(|(_, states)| states.split(' '))
            .map(|code| code.parse().unwrap())
            .collect();
        assert!(StateCode::all().all(|state| states.contains(&state)));
    }

    /// Boise is on Mountain Time, Nashville and Memphis on Central Time.
    #[test]
    fn a_state_with_two_zones_has_that_of_most_of_its_people() {
        let zones =
            ["ID", "TN", "FL", "OR", "TX", "KY", "AZ"].map(|code| usual_zone(code.parse().unwrap()).unwrap());
        let of_cities = ["Boise", "Chicago", "New_York", "Los_Angeles", "Chicago", "New_York", "Phoenix"];
        assert_eq!(zones, of_cities.map(|city| format!("America/{city}")));
    }

    /// Tennessee, Florida, and Arizona (with the Navajo Nation) have two.
    #[test]
    fn a_state_with_one_time_zone_has_it() {
        let zones = ["CA", "NY", "HI", "TN", "FL", "AZ"].map(|code| zone_of_state(code.parse().unwrap()));
        let [california, new_york, hawaii, others @ ..] = zones;
        assert_eq!(california, Some(Tz::America__Los_Angeles));
        assert_eq!(new_york, Some(Tz::America__New_York));
        assert_eq!(hawaii, Some(Tz::Pacific__Honolulu));
        assert_eq!(others[2], None);
    }
}
