//! Days, hours and time zones as people write them.

use crate::calendar::Window;

const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
pub(in super::super) const FULL_DAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const ZONES: [(&str, &str); 8] = [
    ("eastern", "America/New_York"),
    ("central", "America/Chicago"),
    ("mountain", "America/Denver"),
    ("pacific", "America/Los_Angeles"),
    ("alaska", "America/Anchorage"),
    ("hawaii", "Pacific/Honolulu"),
    ("arizona", "America/Phoenix"),
    ("puerto rico", "America/Puerto_Rico"),
];

/// What people write before a pause within hours.
pub(in super::super) const PAUSES: [&str; 6] = [" except ", "lunch", "break", "closed", " minus ", "("];

/// Longer texts, in bytes, name no days.
const LONGEST: usize = 200;

pub(in super::super) fn days_meant(text: &str) -> Option<Vec<&'static str>> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.trim().to_lowercase();
    if let Some(day) = one_day(&text) {
        return Some(vec![day]);
    }
    if let Some((days, without)) = text.split_once(" except ") {
        let (mut days, without) = (days_meant(days)?, days_meant(without)?);
        days.retain(|day| !without.contains(day));
        return (!days.is_empty()).then_some(days);
    }
    if let Some(days) = days_by_letters(&text).filter(|days| days.len() > 1) {
        return Some(days);
    }
    let listed = |days: &[&'static str]| Some(days.to_vec());
    match text.as_str() {
        "weekdays" | "weekday" | "workdays" => return listed(&DAYS[..5]),
        "weekend" | "weekends" => return listed(&DAYS[5..]),
        "daily" | "every day" | "all" => return listed(&DAYS),
        _ => {}
    }
    let parts = text.split([',', ';', '/', '&', ' ']).filter(|part| !part.is_empty() && *part != "and");
    if let Some(days) = parts.map(one_day).collect::<Option<Vec<_>>>().filter(|days| days.len() > 1) {
        return Some(days);
    }
    let text = text.replace(is_dash, "-").replace(" through ", "-").replace(" thru ", "-");
    let (from, to) = text.split_once('-').or_else(|| text.split_once(" to "))?;
    let position = |text: &str| DAYS.iter().position(|day| Some(*day) == one_day(text.trim()));
    let (from, to) = (position(from)?, position(to)?);
    if from <= to { listed(&DAYS[from..=to]) } else { listed(&[&DAYS[from..], &DAYS[..=to]].concat()) }
}

pub(super) const LETTERS: [&str; 7] = ["m", "t", "w", "th", "f", "sa", "su"];

/// "mwf", "tth"
fn days_by_letters(text: &str) -> Option<Vec<&'static str>> {
    let (mut days, mut rest, mut next) = (Vec::new(), text, 0);
    while !rest.is_empty() {
        let is_next = |at: &usize| rest.starts_with(LETTERS[*at]) && !(*at == 1 && rest.starts_with("th"));
        let at = (next..LETTERS.len()).find(is_next)?;
        days.push(DAYS[at]);
        (rest, next) = (&rest[LETTERS[at].len()..], at + 1);
    }
    Some(days)
}

/// A dash that a word processor or a phone writes in place of a hyphen.
pub(in super::super) fn is_dash(sign: char) -> bool {
    ('\u{2010}'..='\u{2015}').contains(&sign) || sign == '\u{2212}'
}

pub(in super::super) fn is_closed(text: &str) -> bool {
    const WORDS: &str = "closed|off|none|no|n/a|na|-|--|–|—|unavailable|not available|not working|not in|no hours|\
        day off|out|cerrado|cerrada|libre|no trabaja|ninguno|ninguna";
    let text = text.to_lowercase();
    let text = text.trim_matches([' ', '.', '!', '(', ')', '[', ']', '"', '\'']);
    let whole = ["all day", "for the day", "todo el dia", "todo el día", "today"];
    let word = whole.iter().find_map(|day| text.strip_suffix(day)).unwrap_or(text).trim_end();
    WORDS.split('|').any(|known| known == word)
}

fn one_day(text: &str) -> Option<&'static str> {
    let text = text.trim_end_matches('.');
    let text = if ["thr", "thrs"].contains(&text) { "thu" } else { text };
    let singular = text.strip_suffix('s').filter(|singular| singular.len() >= 3);
    let is_beginning = |text: &str| FULL_DAYS.iter().position(|full| full.starts_with(text));
    let at = Some(text).filter(|text| text.len() >= 2).and_then(is_beginning);
    DAYS.get(at.or_else(|| is_beginning(singular?))?).copied()
}

pub(in super::super) fn hours_meant(text: &str) -> Option<Vec<String>> {
    let text = text.to_lowercase().replace(" and ", ",").replace(|sign| is_dash(sign) || sign == '~', "-");
    let mut text = text.replace("--", "-");
    if !text.contains(':') && text.matches(';').count() > 1 {
        text = text.replace(';', ":");
    }
    let pause = PAUSES.iter().filter_map(|word| text.find(word)).min();
    if let Some((whole, pause)) = pause.map(|at| text.split_at(at)) {
        let whole = whole.trim_end_matches("with").trim_end_matches([' ', ',', ';', '-']);
        let Some(digit) = pause.find(|sign: char| sign.is_ascii_digit()) else { return hours_meant(whole) };
        let (whole, pause) = (range_meant(whole)?, range_meant(pause[digit..].trim_end_matches([')', '.']))?);
        let ((start, end), (from, to)) = (whole.split_once('-')?, pause.split_once('-')?);
        return (start < from && to < end).then(|| vec![format!("{start}-{from}"), format!("{to}-{end}")]);
    }
    let listed: Option<_> = text.split([',', ';', '&', '/']).map(range_meant).collect();
    listed.or_else(|| text.split(' ').map(range_meant).collect())
}

/// Without am and pm, hours are by day: "9-5" ends in the afternoon, and "1:00-5:00" is in the afternoon.
fn range_meant(text: &str) -> Option<String> {
    let text = text.trim().replace("a.m.", "am").replace("p.m.", "pm");
    let text = text.strip_prefix("from ").or_else(|| text.strip_prefix("de ")).unwrap_or(&text);
    let between = ["-", " to ", " until ", " till ", " til ", " a "];
    let (from, to) = between.iter().find_map(|between| text.split_once(between))?;
    let (from, to) = (WrittenTime::read(from)?, WrittenTime::read(to)?);
    let (from, to) = match (from.half, to.half) {
        (None, Some(half)) => {
            let (to, same) = (to.minutes(), from.in_half(half));
            (if same < to { same } else { from.minutes() }, to)
        }
        (Some(_), None) => (from.minutes(), to.after(from.minutes())),
        (None, None) if (1..=4).contains(&from.hour) && from.minutes() < to.minutes() && to.hour < 12 => {
            (from.minutes() + HALF_DAY, to.minutes() + HALF_DAY)
        }
        (None, None) if from.hour <= 12 => (from.minutes(), to.after(from.minutes())),
        // "13-5" ends in the afternoon, "22-2" at night.
        (None, None) if to.hour < 12 && to.minutes() + HALF_DAY > from.minutes() => {
            (from.minutes(), to.minutes() + HALF_DAY)
        }
        _ => (from.minutes(), to.minutes()),
    };
    let meant = format!("{}-{}", clock(from), clock(to));
    meant.parse::<Window>().is_ok().then_some(meant)
}

pub(super) fn minutes_of_day(text: &str) -> Option<u32> {
    Some(WrittenTime::read(text)?.minutes())
}

/// Minutes since midnight in the notation of content files.
pub(in super::super) fn clock(minutes: u32) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

const HALF_DAY: u32 = 12 * 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Am,
    Pm,
}

/// A time of day: "9", "9:00", "9am", "9:30 pm", "0900", "noon".
#[derive(Debug, Clone, Copy)]
struct WrittenTime {
    hour: u32,
    minute: u32,
    half: Option<Half>,
}

impl WrittenTime {
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        if text == "noon" {
            return Some(Self { hour: 12, minute: 0, half: Some(Half::Pm) });
        }
        if text == "midnight" {
            return Some(Self { hour: 24, minute: 0, half: None });
        }
        // "7h30", and times with seconds.
        let text = text.replace('h', ":");
        let seconds = text.rsplit_once(':').filter(|_| text.matches(':').count() == 2);
        let text = seconds.map_or(text.trim_end_matches(':'), |(clock, _)| clock);
        let (clock, half) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
            (Some(clock), _) => (clock.trim(), Some(Half::Am)),
            (_, Some(clock)) => (clock.trim(), Some(Half::Pm)),
            _ => (text, None),
        };
        let digits = clock.len() == 4 && clock.bytes().all(|byte| byte.is_ascii_digit());
        let (hour, minute) = match clock.split_once([':', '.']) {
            Some(parts) => parts,
            None if digits => clock.split_at(2),
            None => (clock, "00"),
        };
        let is_number =
            |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(hour) || !is_number(minute) || minute.len() != 2 {
            return None;
        }
        let (hour, minute) = (hour.parse().ok()?, minute.parse().ok()?);
        let hours = if half.is_some() { 1..=12 } else { 0..=24 };
        (hours.contains(&hour) && minute < 60).then_some(Self { hour, minute, half })
    }

    /// Minutes since midnight, on a 24-hour clock unless am or pm is written.
    fn minutes(self) -> u32 {
        self.half.map_or(self.hour * 60 + self.minute, |half| self.in_half(half))
    }

    fn in_half(self, half: Half) -> u32 {
        match half {
            _ if self.hour > 12 => self.hour * 60 + self.minute,
            Half::Am => self.hour % 12 * 60 + self.minute,
            Half::Pm => self.hour % 12 * 60 + self.minute + HALF_DAY,
        }
    }

    /// The first time after `from` that this text can mean on a 12-hour clock.
    fn after(self, from: u32) -> u32 {
        let minutes = self.minutes();
        if minutes <= from && self.hour <= 12 { self.in_half(Half::Pm) } else { minutes }
    }
}

pub(in super::super) fn zone_meant(text: &str) -> Option<&'static str> {
    let text = text.trim().to_lowercase();
    let short = [
        ("et", 0),
        ("ct", 1),
        ("mt", 2),
        ("pt", 3),
        ("hora del este", 0),
        ("hora central", 1),
        ("hora del centro", 1),
        ("hora de la montaña", 2),
        ("hora del pacífico", 3),
    ];
    if let Some((_, at)) = short.iter().find(|(name, _)| *name == text) {
        return Some(ZONES[*at].1);
    }
    if let Some(zone) = zone_without_daylight_saving(&text.to_uppercase()) {
        return Some(zone);
    }
    // "GMT-5": the place in the United States with this time in winter.
    if let Some(hours) = ["gmt-", "utc-", "etc/gmt+"].iter().find_map(|sign| text.strip_prefix(sign)) {
        let hours: usize = hours.trim_start_matches('0').trim_end_matches(":00").parse().ok()?;
        return ZONES.get(hours.checked_sub(5)?).filter(|_| hours <= 10).map(|(_, zone)| *zone);
    }
    // "Pacific/Honolulu" is another zone.
    let is_it = |name: &str| text.strip_prefix(name).is_some_and(|rest| !rest.starts_with('/'));
    ZONES.iter().find(|(name, _)| is_it(name)).map(|(_, zone)| *zone)
}

/// The zone that a short name probably means. tzdata has some of these names as zones without daylight saving time.
pub(in super::super) fn zone_without_daylight_saving(name: &str) -> Option<&'static str> {
    match name {
        "EST" | "EDT" => Some("America/New_York"),
        "CST" | "CDT" => Some("America/Chicago"),
        "MST" | "MDT" => Some("America/Denver"),
        "PST" | "PDT" => Some("America/Los_Angeles"),
        "AKST" | "AKDT" => Some("America/Anchorage"),
        "HST" | "HDT" => Some("Pacific/Honolulu"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_guessed() {
        for (text, meant) in [
            ("Wednesday", "wed"),
            ("tues", "tue"),
            ("thurs", "thu"),
            ("Mondays", "mon"),
            ("mon-wed", "mon tue wed"),
            ("Mon through Wed", "mon tue wed"),
            ("mon\u{2212}wed", "mon tue wed"),
            ("weekend", "sat sun"),
            ("mon, wed", "mon wed"),
            ("Mon and Wed", "mon wed"),
            ("weekdays except Wednesday", "mon tue thu fri"),
            ("MWF", "mon wed fri"),
            ("TTh", "tue thu"),
            ("fm", ""),
            ("mon, someday", ""),
            ("t", ""),
            ("someday", ""),
        ] {
            assert_eq!(days_meant(text).unwrap_or_default().join(" "), meant, "{text}");
        }
    }

    #[test]
    fn hours_are_guessed() {
        for (text, meant) in [
            ("9:00-17:00", Some("09:00-17:00")),
            ("09:00 - 12:00", Some("09:00-12:00")),
            ("09:00–12:00", Some("09:00-12:00")),
            ("10:00 \u{2212} 16:00", Some("10:00-16:00")),
            ("9am-5pm", Some("09:00-17:00")),
            ("12am - 12:30 pm", Some("00:00-12:30")),
            ("09:00 to 12:00", Some("09:00-12:00")),
            ("9-5", Some("09:00-17:00")),
            ("9-5pm", Some("09:00-17:00")),
            ("1-5pm", Some("13:00-17:00")),
            ("1:00-5:00 pm", Some("13:00-17:00")),
            ("8:00-4:30 PM", Some("08:00-16:30")),
            ("9:00-5:00", Some("09:00-17:00")),
            ("1:00-5:00", Some("13:00-17:00")),
            ("9:00am-5:00", Some("09:00-17:00")),
            ("9 a.m. - 11:30", Some("09:00-11:30")),
            ("22:00-2:00", Some("22:00-02:00")),
            ("13-5", Some("13:00-17:00")),
            ("13:00-5:30", Some("13:00-17:30")),
            ("18-6", Some("18:00-06:00")),
            ("noon-5pm", Some("12:00-17:00")),
            ("9pm-midnight", Some("21:00-24:00")),
            ("0900-1700", Some("09:00-17:00")),
            ("8-12", Some("08:00-12:00")),
            ("6:30 am until 9:30 am", Some("06:30-09:30")),
            ("from 9 to 12", Some("09:00-12:00")),
            ("de 9 a 12", Some("09:00-12:00")),
            ("9-", None),
            ("09:00-25:00", None),
            ("13pm-2pm", None),
            ("m-m", None),
        ] {
            assert_eq!(hours_meant(text), meant.map(|meant| vec![meant.to_owned()]), "{text}");
        }
        for text in ["09:00-12:00, 13:00-17:00", "9-12 and 1-5", "9am-12pm; 1pm-5pm", "9-12 & 13-17"] {
            assert_eq!(hours_meant(text).unwrap(), ["09:00-12:00", "13:00-17:00"], "{text}");
        }
        assert_eq!(hours_meant("9-5 except 12-1").unwrap(), ["09:00-12:00", "13:00-17:00"]);
        assert_eq!(hours_meant("9-12 except 1-2"), None);
        assert_eq!(hours_meant("9-12 and later"), None);
    }

    #[test]
    fn zones_are_guessed() {
        for (text, zone) in [
            ("Eastern Time", Some("America/New_York")),
            ("PT", Some("America/Los_Angeles")),
            ("cst", Some("America/Chicago")),
            ("GMT-5", Some("America/New_York")),
            ("UTC-08:00", Some("America/Los_Angeles")),
            ("GMT-11", None),
            ("Narnia", None),
        ] {
            assert_eq!(zone_meant(text), zone, "{text}");
        }
    }
}
