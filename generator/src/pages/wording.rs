//! Formats texts of pages: lists of states, lengths, initials, and addresses of this site.

use std::borrow::Cow;

use directory::model::{StateCode, StateSet, VisitType};

const NAMED: usize = 4;

pub(super) fn states(set: StateSet) -> String {
    if set.len() > NAMED {
        return format!("{} states", set.len());
    }
    list(&set.iter().map(StateCode::name).collect::<Vec<_>>())
}

pub(super) fn all_states(set: StateSet) -> Cow<'static, str> {
    let mut states = set.iter();
    match (states.next(), states.next()) {
        (Some(one), None) => one.name().into(),
        _ => list(&set.iter().map(StateCode::name).collect::<Vec<_>>()).into(),
    }
}

/// The codes of states, separated by spaces.
pub(super) fn codes(set: StateSet) -> String {
    set.iter().map(StateCode::code).collect::<Vec<_>>().join(" ")
}

/// Joins names with commas and "and".
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first, last] => format!("{first} and {last}"),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    }
}

/// The label of a visit type: its name, its length, and whether only current patients may book it.
pub(super) fn visit(visit_type: &VisitType) -> String {
    let length = visit_type.duration_minutes().map(|minutes| format!(", {}", length(minutes)));
    let reserved = if visit_type.new_patient_eligible() { "" } else { " (current patients)" };
    format!("{}{}{reserved}", visit_type.name(), length.unwrap_or_default())
}

pub(super) fn length(minutes: u32) -> String {
    let count = |number: u32, unit: &str| format!("{number} {unit}{}", if number == 1 { "" } else { "s" });
    match (minutes / 60, minutes % 60) {
        (0, minutes) => count(minutes, "minute"),
        (hours, 0) => count(hours, "hour"),
        (hours, minutes) => format!("{} {}", count(hours, "hour"), count(minutes, "minute")),
    }
}

/// The first letters of the first and the last word of a name, for a clinician without a portrait.
pub(super) fn initials(name: &str) -> String {
    let mut words = name.split_whitespace();
    let first = words.next().and_then(|word| word.chars().next());
    let last = words.next_back().and_then(|word| word.chars().next());
    first.into_iter().chain(last).flat_map(char::to_uppercase).collect()
}

/// Which of the six background tones the initials have: the same on every page, and spread over a list.
pub(super) fn tone(slug: &str) -> u32 {
    slug.bytes().fold(0, |sum: u32, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte))) % 6 + 1
}

/// The path of an address on this site; any other address as it is.
pub(super) fn own<'a>(url: &'a str, site_url: &str) -> &'a str {
    match url.strip_prefix(site_url) {
        Some("") => "/",
        Some(path) if path.starts_with('/') => path,
        _ => url,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_four_states_are_named() {
        let set = |codes: &[&str]| codes.iter().map(|code| code.parse().unwrap()).collect::<StateSet>();
        assert_eq!(states(set(&["AZ"])), "Arizona");
        assert_eq!(states(set(&["NY", "AZ"])), "Arizona and New York");
        assert_eq!(states(set(&["NY", "AZ", "TX"])), "Arizona, New York, and Texas");
        assert_eq!(states(set(&["NY", "AZ", "TX", "CA", "WA"])), "5 states");
    }

    #[test]
    fn lengths_are_in_hours_and_minutes() {
        let lengths = [1, 45, 60, 61, 90, 120].map(length);
        let words = ["1 minute", "45 minutes", "1 hour", "1 hour 1 minute", "1 hour 30 minutes", "2 hours"];
        assert_eq!(lengths, words);
    }

    #[test]
    fn initials_are_those_of_the_first_and_last_word() {
        assert_eq!(initials("Maria de la Vega"), "MV");
        assert_eq!(initials("Wulandari"), "W");
        assert_eq!(initials("émile ångström"), "ÉÅ");
    }

    #[test]
    fn addresses_of_this_site_become_paths() {
        assert_eq!(own("https://a.example/x", "https://a.example"), "/x");
        assert_eq!(own("https://a.example", "https://a.example"), "/");
        assert_eq!(own("https://a.example.org/x", "https://a.example"), "https://a.example.org/x");
    }
}
