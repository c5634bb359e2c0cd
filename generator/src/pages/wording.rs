use std::borrow::Cow;
use std::collections::BTreeSet;

use chrono::{Datelike as _, NaiveDate, TimeZone as _, Weekday};
use directory::calendar::Tz;
use directory::model::{
    ClockTime, Directory, Organization, PhoneHours, Schedule, StateCode, StateSet, TextPart, Texts, VisitType,
};
use serde_json::{Value, json};

/// More states are counted instead of named.
const MAX_NAMED: usize = 4;

/// Empty if there is no such text.
pub(super) fn text<'t>(texts: &'t Texts, key: &str) -> &'t str {
    texts.get(TextPart::Pages, key).unwrap_or_default()
}

/// The value `count` decides between singular and plural.
pub(super) fn fill(texts: &Texts, key: &str, values: &[(&str, &str)]) -> String {
    let text = text(texts, key);
    let is_one = values.contains(&("count", "1"));
    let form = match text.split_once('|') {
        Some((one, _)) if is_one => one,
        Some((_, many)) => many,
        None => text,
    };
    let mut filled = String::with_capacity(form.len());
    let mut rest = form;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, end) = after.split_once('}').unwrap_or((after, ""));
        filled.push_str(before);
        filled.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = end;
    }
    filled + rest
}

/// In the order of a text.
pub(super) fn date(texts: &Texts, order: &str, day: NaiveDate) -> String {
    let month = text(texts, &format!("month-{}", day.month()));
    let (number, year) = (day.day().to_string(), day.year().to_string());
    fill(texts, order, &[("day", &number), ("month", month), ("year", &year)])
}

pub(super) fn states(texts: &Texts, states: StateSet) -> String {
    if states.len() > MAX_NAMED {
        return fill(texts, "count-states", &[("count", &states.len().to_string())]);
    }
    all_states(texts, states)
}

pub(super) fn all_states(texts: &Texts, states: StateSet) -> String {
    let names: Vec<_> = states.iter().map(|state| in_a_sentence(texts, state)).collect();
    list(texts, &names.iter().map(|name| &**name).collect::<Vec<_>>())
}

/// After "in": only the District of Columbia has an article.
pub(super) fn in_a_sentence(texts: &Texts, state: StateCode) -> Cow<'_, str> {
    let name = texts.state(state);
    match (state.code(), texts.language.code()) {
        ("DC", "en") => format!("the {name}").into(),
        ("DC", "es") => format!("el {name}").into(),
        _ => name.into(),
    }
}

pub(super) fn codes(states: StateSet) -> String {
    states.iter().map(StateCode::code).collect::<Vec<_>>().join(" ")
}

pub(super) fn list(texts: &Texts, names: &[&str]) -> String {
    let (key, first, last) = match names {
        [] => return String::new(),
        [one] => return (*one).to_owned(),
        [first, last] => ("pair", (*first).to_owned(), *last),
        [first @ .., last] => ("list-end", first.join(", "), *last),
    };
    let joined = fill(texts, key, &[("first", &first), ("last", last)]);
    if texts.language.code() == "es" && begins_like_y(last) {
        return joined.replacen(&format!(" y {last}"), &format!(" e {last}"), 1);
    }
    joined
}

/// "y" becomes "e" in "Arizona e Idaho". Browsers' `Intl.ListFormat` follows the same rule.
fn begins_like_y(name: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    match letters.next() {
        Some('i' | 'í') => true,
        Some('h') => letters.next() == Some('i') && !matches!(letters.next(), Some('a' | 'e')),
        _ => false,
    }
}

/// "Menopause, bone health", and whether these are translated. Names ("Crohn's disease", "LGBTQ+ health") keep their capitals.
pub(super) fn interests(texts: &Texts, names: &[String]) -> Vec<(bool, String)> {
    let mut runs: Vec<(bool, String)> = Vec::new();
    for name in names {
        let (is_translated, said) = (texts.translated(name).is_some(), texts.say(name));
        match runs.last_mut() {
            None => runs.push((is_translated, said.to_owned())),
            Some((as_before, run)) if *as_before == is_translated => {
                *run = [run, ", ", &mid_sentence(texts, said)].concat();
            }
            Some(_) => runs.push((is_translated, mid_sentence(texts, said))),
        }
    }
    runs
}

/// The beginnings of names of peoples, which have capitals in English.
const PROPER: &str = "Afr,Arab,Asian,Black ,Carib,Hispan,Indigenous,Jew,Latina,Latino,Latinx,Muslim,Native ";

/// In Spanish, only the first word can keep its capital: "salud LGBTQ+".
fn mid_sentence(texts: &Texts, interest: &str) -> String {
    let Some(first) = interest.chars().next() else { return String::new() };
    let named = interest.split(' ').next().filter(|_| texts.language.code() == "es").unwrap_or(interest);
    // "Women's health" has an apostrophe and is no one's name.
    let named = named.trim_start_matches("Women").trim_start_matches("Men");
    let is_name = named.chars().skip(1).any(|letter| letter.is_uppercase() || matches!(letter, '\'' | '’'))
        || PROPER.split(',').any(|people| interest.starts_with(people));
    if is_name { interest.to_owned() } else { first.to_lowercase().chain(interest.chars().skip(1)).collect() }
}

/// With a note if only current patients can book it.
pub(super) fn visit(texts: &Texts, visit_type: &VisitType) -> String {
    let name = texts.say(&visit_type.name);
    let label = match visit_type.duration_minutes {
        Some(minutes) => fill(texts, "visit-length", &[("visit", name), ("length", &length(texts, minutes))]),
        None => name.to_owned(),
    };
    if visit_type.new_patient_eligible { label } else { reserved(texts, &label) }
}

pub(super) fn reserved(texts: &Texts, visit: &str) -> String {
    fill(texts, "visit-reserved", &[("visit", visit)])
}

pub(super) fn length(texts: &Texts, minutes: u32) -> String {
    let count = |number: u32, key: &str| fill(texts, key, &[("count", &number.to_string())]);
    match (minutes / 60, minutes % 60) {
        (0, minutes) => count(minutes, "minutes"),
        (hours, 0) => count(hours, "hours"),
        (hours, minutes) => {
            let (hours, minutes) = (count(hours, "hours"), count(minutes, "minutes"));
            fill(texts, "hours-minutes", &[("hours", &hours), ("minutes", &minutes)])
        }
    }
}

/// People are asked to call, or else to contact the clinic.
pub(super) fn contact(texts: &Texts, organization: &Organization) -> String {
    match organization.phone() {
        // A number stays on one line.
        Some(number) => fill(texts, "call-phone", &[("phone", &number.shown().replace(' ', "\u{a0}"))]),
        None => fill(texts, "contact-clinic", &[("clinic", &organization.name)]),
    }
}

/// In the order of [`Weekday`].
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// "Monday–Friday, 8 AM–6 PM Pacific".
pub(super) fn phone_hours(texts: &Texts, hours: &PhoneHours) -> String {
    let name = |at: usize| text(texts, &format!("day-{}", DAYS[at])).to_owned();
    let range = |from: &str, until: &str| fill(texts, "phone-range", &[("from", from), ("until", until)]);
    let each = hours.hours.iter().map(|(days, window)| {
        let days: Vec<_> = days.iter(Weekday::Mon).map(|day| day.num_days_from_monday() as usize).collect();
        let days = match days[..] {
            [first, _, .., last] if last - first + 1 == days.len() => range(&name(first), &name(last)),
            _ => days.iter().map(|&day| name(day)).collect::<Vec<_>>().join(", "),
        };
        let times = range(&clock(texts, window.start()), &clock(texts, window.end()));
        fill(texts, "phone-days", &[("days", &days), ("hours", &times)])
    });
    // Spanish names of days are in small letters.
    let words = capitalized(each.collect::<Vec<_>>().join("; "));
    fill(texts, "phone-zone", &[("hours", &words), ("zone", &zone(texts, hours.zone))])
}

/// For scripts, which need to know whether the phone is answered now. It isn't on a holiday that all clinicians share; on a
/// holiday of some, it may be.
pub(super) fn phone_hours_data(texts: &Texts, directory: &Directory, hours: &PhoneHours) -> Value {
    let schedules = directory.provider_numbers().filter_map(|number| directory.schedule(number));
    let schedules: Vec<_> = schedules.map(Schedule::parts).collect();
    let all: BTreeSet<_> = schedules.iter().flat_map(|parts| &*parts.holidays).collect();
    let (closed, unsure): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|day| schedules.iter().all(|parts| parts.holidays.contains(day)));
    let words = |days: Vec<&NaiveDate>| days.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let week = hours.hours.iter().flat_map(|(days, window)| {
        let (from, until) = (window.start().minutes(), window.end().minutes());
        days.iter(Weekday::Mon).map(move |day| json!([day.num_days_from_sunday(), from, until]))
    });
    json!({ "zone": hours.zone.name(), "name": zone(texts, hours.zone), "closed": words(closed), "unsure": words(unsure), "week": week.collect::<Value>() })
}

/// What people in the United States call it, or else its own name.
fn zone(texts: &Texts, zone: Tz) -> String {
    let winter = zone.with_ymd_and_hms(2026, 1, 1, 12, 0, 0).single();
    let short = winter.map(|noon| noon.format("%Z").to_string().to_lowercase());
    // Its time is Mountain Time in winter only.
    let is_arizona = matches!(zone, Tz::America__Phoenix | Tz::US__Arizona);
    let short = if is_arizona { Some("arizona".to_owned()) } else { short };
    let is_american =
        ["America/", "US/", "Pacific/Honolulu"].iter().any(|begin| zone.name().starts_with(begin));
    let known = short.filter(|_| is_american).map(|short| text(texts, &format!("zone-{short}")));
    known.filter(|name| !name.is_empty()).unwrap_or(zone.name()).to_owned()
}

/// "8 AM".
fn clock(texts: &Texts, time: ClockTime) -> String {
    let (hour, minute) = (time.minutes() / 60 % 24, time.minutes() % 60);
    let key = if hour < 12 { "before-noon" } else { "after-noon" };
    let on_clock = if hour % 12 == 0 { 12 } else { hour % 12 };
    let shown = if minute == 0 { on_clock.to_string() } else { format!("{on_clock}:{minute:02}") };
    fill(texts, key, &[("time", &shown)])
}

/// Unknown letters stay alone.
pub(super) fn credentials(texts: &Texts, letters: &str) -> String {
    let each = letters.split(',').map(str::trim).filter(|one| !one.is_empty()).map(|one| {
        let plain = one.replace('.', "");
        let mut known = texts.part(TextPart::Credentials);
        match known.find(|(key, _)| key.eq_ignore_ascii_case(&plain)) {
            Some((_, meaning)) => format!("{meaning} ({one})"),
            None => one.to_owned(),
        }
    });
    capitalized(each.collect::<Vec<_>>().join(", "))
}

pub(super) fn capitalized(mut words: String) -> String {
    if let Some(first) = words.chars().next() {
        words.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    words
}

/// For a clinician without a portrait.
pub(super) fn initials(name: &str) -> String {
    let mut words = name.split_whitespace();
    let first = words.next().and_then(|word| word.chars().next());
    let last = words.next_back().and_then(|word| word.chars().next());
    // Otherwise, the letters of scripts such as Arabic and Syriac would be joined and look like a word.
    let is_joining = |letter: char| matches!(letter, '\u{600}'..='\u{8ff}');
    let separator = first.zip(last).filter(|(first, _)| is_joining(*first)).map(|_| ZERO_WIDTH_NON_JOINER);
    first.into_iter().chain(separator).chain(last).flat_map(char::to_uppercase).collect()
}

const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';

/// From 1 to 6. It depends on the slug, so it is the same on every page.
pub(super) fn tone(slug: &str) -> u32 {
    slug.bytes().fold(0, |sum: u32, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte))) % 6 + 1
}

#[cfg(test)]
mod tests;
