//! The time zone of a clinician's hours.

use chrono_tz::Tz;

use super::super::mistakes::{nearest, zone_meant, zone_without_summer_time};
use super::super::problem::Advice;
use super::super::raw::{Located, Text};
use super::availability::Reader;

impl Reader<'_> {
    pub(super) fn zone(&mut self, text: Text) -> Option<Tz> {
        let text = self.file.required_line(text, None, "timezone", "\"America/Chicago\"")?;
        if let Ok(zone) = text.value.parse() {
            return self.check_summer_time(&text).then_some(zone);
        }
        let hint = match zone_like(&text.value) {
            Some(zone) => Advice::meant(format!("\"{zone}\"")),
            None => "write the zone of the place, such as \"America/New_York\", \"America/Chicago\", \
                     \"America/Denver\", \"America/Phoenix\" or \"America/Los_Angeles\""
                .into(),
        };
        self.file.error(&text.span, format!("there is no time zone \"{}\"", text.value), hint);
        None
    }

    /// Reports a zone without summer time: its hours would be wrong for half of the year. Returns whether to use it.
    fn check_summer_time(&mut self, text: &Located<String>) -> bool {
        let name = text.value.as_str();
        let example = "write the zone of the clinician's place, such as \"America/Chicago\"";
        let what = format!("\"{name}\" is a time zone without summer time");
        if let Some(meant) = zone_without_summer_time(name) {
            let advice = Advice::meant(format!("\"{meant}\""));
            let advice =
                if name == "MST" { advice.and(" In Arizona it is \"America/Phoenix\"") } else { advice };
            self.file.error(&text.span, what, advice);
            return false;
        }
        let is_universal = ["UTC", "UCT", "GMT", "Zulu", "Universal", "Greenwich"].contains(&name);
        if name.starts_with("Etc/") || name.starts_with("GMT") && !is_universal {
            self.file.error(&text.span, what, example);
            return false;
        }
        if is_universal {
            self.file.warn(&text.span, what, example);
        }
        true
    }
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
