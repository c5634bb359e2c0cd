//! Reads hours and durations as people write them, and writes them in the notation of content files.

use super::super::check::minutes_of;
use super::super::mistakes::{PAUSES, hours_meant};
use super::written::{Written, list, quoted};
use crate::calendar::Window;

const COUNTS: [&str; 9] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "a"];

pub(super) fn durations(text: &str) -> Vec<Written> {
    let lower = text.to_lowercase().replace("1/2", "½").replace(" ½", "½").replace('½', ".5");
    let lower = if lower.starts_with('.') { format!("0{lower}") } else { lower };
    if minutes_of(&lower).is_some() {
        // "45h" of a visit, "30d" of notice: the letter may be wrong.
        let (number, unit) = lower.split_at(lower.len() - 1);
        let units: &[_] = match (unit, number.parse().unwrap_or(0)) {
            ("h", 10..) => &["m"],
            ("d", 24 | 36 | 48 | 72) => &["h", "m"],
            ("d", 10..=90) => &["m", "h"],
            _ => &[],
        };
        let others = units.iter().filter(|_| lower == text);
        let others = others.flat_map(|unit| Written::likely(quoted(&format!("{number}{unit}"))));
        return Written::certain(quoted(&lower)).into_iter().chain(others).collect();
    }
    if !lower.is_empty() && lower.bytes().all(|byte| byte.is_ascii_digit()) {
        // "2" and "24" of notice are hours, "30" of a visit is minutes.
        let is_of_hours = lower.len() == 1 || ["24", "48", "72"].contains(&lower.as_str());
        let units: &[_] = if is_of_hours { &["h", "m"] } else { &["m"] };
        return units.iter().flat_map(|unit| Written::likely(quoted(&format!("{lower}{unit}")))).collect();
    }
    // "1:30", "1.5 hours" and "0,75h".
    let hours =
        [" hours", " hour", "h"].iter().find_map(|unit| lower.strip_suffix(unit)?.split_once(['.', ',']));
    let minutes_in = |digits: &str| {
        let hundredths = format!("{digits}0").get(..2)?.parse::<u32>().ok().filter(|_| digits.len() < 3)?;
        (hundredths * 60 % 100 == 0).then_some(hundredths * 60 / 100)
    };
    let parts = match hours {
        Some((hours, part)) => Some(hours).zip(minutes_in(part)),
        None => lower.split_once(':').and_then(|(hours, minutes)| Some((hours, minutes.parse().ok()?))),
    };
    if let Some((hours, minutes)) = parts
        && let Ok(hours) = hours.parse::<u32>()
    {
        let parts = match (hours, minutes) {
            (hours, 0) => format!("{hours}h"),
            (0, minutes) => format!("{minutes}m"),
            (hours, minutes) => format!("{hours}h{minutes}m"),
        };
        return Written::likely(quoted(&parts));
    }
    // "two days", "half an hour", "1 week"
    let words = lower.trim_start_matches("every ").replace("half an hour", "30 minutes");
    let words = words.split(' ').map(|word| match COUNTS.iter().position(|count| *count == word) {
        Some(8) => "1".to_owned(),
        Some(at) => (at + 1).to_string(),
        None => word.to_owned(),
    });
    let words = words.collect::<Vec<_>>().join(" ");
    if let Some(weeks) = words.split(" week").next().and_then(|weeks| weeks.parse::<u32>().ok()) {
        return Written::likely(quoted(&format!("{}d", weeks * 7)));
    }
    if words != lower {
        return durations(&words).into_iter().map(Written::guessed).collect();
    }
    // Without the plural.
    let mut short = lower.replace(" and ", "").replace(['.', ',', 's'], "");
    for (name, unit) in [("minute", "m"), ("min", "m"), ("hour", "h"), ("hr", "h"), ("day", "d")] {
        short = short.replace(name, unit);
    }
    let short = short.replace(' ', "");
    let keeps_numbers =
        lower.chars().filter(char::is_ascii_digit).eq(short.chars().filter(char::is_ascii_digit));
    // A comma within a number is a decimal one, or that of thousands.
    let has_part = lower.contains('.') || lower.replace(", ", "").contains(',');
    if minutes_of(&short).is_some() && keeps_numbers && !has_part {
        return Written::certain(quoted(&short));
    }
    Vec::new()
}

pub(super) fn hours(text: &str) -> Vec<Written> {
    if text.parse::<Window>().is_ok() {
        return Written::certain(quoted(text));
    }
    let Some(ranges) = hours_meant(text) else { return Vec::new() };
    // Without am, pm or four digits, "9-5" is a guess.
    let lower = text.to_lowercase();
    let is_guess = |part: &str| {
        let has_half = part.matches(['a', 'p']).count() > 1 || part.contains("noon");
        let is_of_24_hours = part.split(['-', '–', '—', '−']).all(|time| {
            let hour: String = time.trim().chars().take_while(char::is_ascii_digit).collect();
            hour.len() >= 2
        }) && !part.contains(['a', 'p']);
        !has_half && !is_of_24_hours
    };
    let is_guess =
        PAUSES.iter().chain(&[" until ", " till ", " a ", "from "]).any(|word| lower.contains(word))
            || lower.replace(" to ", "-").split([',', ';', '&', '/']).any(is_guess);
    let text = list(ranges.iter().map(String::as_str));
    // Many write 12 AM for noon.
    let noon = ranges.iter().map(|range| match range.split_once('-') {
        Some((from, to)) if from < "01:00" && to > "12:30" => range.replacen("00:", "12:", 1),
        _ => range.clone(),
    });
    let noon: Vec<String> = noon.collect();
    if noon != ranges && lower.contains("12") {
        let noon = list(noon.iter().map(String::as_str));
        return [noon, text].into_iter().flat_map(Written::likely).collect();
    }
    if is_guess { Written::likely(text) } else { Written::certain(text) }
}
