//! Numbers that a text and its translation should have in common: prices, phone numbers, years.
//!
//! Only digits count: `$1,600.00` is `1600 dólares`. Times don't, because 11:00 PM is 23:00, and neither do numbers of one
//! digit beside others, which can be words: `2 visits` is `dos consultas`.

use std::sync::LazyLock;

use regex::Regex;

/// Times and decades such as `1990s` come first, so that they aren't taken for numbers.
static NUMBERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let time = r"\b\d{1,2}(?:[:.]\d{2})?\s?(?:[ap]\.?\s?m\b|h\b)|\b\d{1,2}:\d{2}\b";
    let number = r"(?<sign>[$€£]\s?)?(?<digits>\d{1,3}(?:[.,]\d{3})+\b|\d+)(?:[.,]00\b)?";
    Regex::new(&format!(r"(?i)(?<time>{time})|\d+s\b|{number}")).ok()
});
const WORDS: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const LATEST_HOUR: usize = 24;

#[derive(Default)]
struct Numbers<'a> {
    has_time: bool,
    /// As written, and their digits.
    numbers: Vec<(&'a str, String)>,
}

impl<'a> Numbers<'a> {
    fn read(text: &'a str) -> Self {
        let mut read = Self::default();
        for found in NUMBERS.iter().flat_map(|pattern| pattern.captures_iter(text)) {
            read.has_time |= found.name("time").is_some();
            if let (Some(whole), Some(number)) = (found.get(0), found.name("digits")) {
                let digits = digits(number.as_str());
                read.numbers.push((whole.as_str(), digits.trim_start_matches('0').to_owned()));
            }
        }
        read
    }

    /// Returns the numbers that others don't have.
    fn without(&self, others: &Self) -> Vec<&'a str> {
        let mut unmatched: Vec<&String> = others.numbers.iter().map(|(_, digits)| digits).collect();
        let mut left = Vec::new();
        for (written, digits) in &self.numbers {
            // `10 to 11 PM` is `de 22:00 a 23:00`.
            let is_hour = || {
                (self.has_time || others.has_time)
                    && digits.parse().is_ok_and(|hour: usize| hour <= LATEST_HOUR)
            };
            if let Some(at) = unmatched.iter().position(|other| *other == digits) {
                unmatched.swap_remove(at);
            } else if is_price(written) || digits.len() > 1 && !is_hour() {
                left.push(*written);
            }
        }
        left
    }
}

fn is_price(written: &str) -> bool {
    !written.starts_with(|start: char| start.is_ascii_digit())
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Says which numbers differ, if any do.
pub(super) fn difference(text: &str, translation: &str) -> Option<String> {
    // `1,600` can be `1 600`, and a phone number can have its spaces elsewhere.
    if digits(text) == digits(translation) {
        return None;
    }
    let [numbers, translated] = [text, translation].map(Numbers::read);
    // Of two texts with one digit each, the other side's digit can still be a word here.
    if let ([(one, digit)], [(two, other)]) = (&numbers.numbers[..], &translated.numbers[..])
        && digit.len() == 1
        && digit != other
        && !numbers.has_time
        && let Some(word) = other.parse().ok().and_then(|other: usize| WORDS.get(other))
        && !text.to_lowercase().split(|sign: char| !sign.is_alphabetic()).any(|known| known == *word)
    {
        return Some(format!("The text has {one}, but the translation has {two}."));
    }
    let (lost, added) = (numbers.without(&translated), translated.without(&numbers));
    // A number that is only on one side can be a word on the other, which prices rarely are.
    match (&lost[..], &added[..]) {
        ([_, ..], [_, ..]) => {
            Some(format!("The text has {}, but the translation has {}.", lost.join(", "), added.join(", ")))
        }
        (lost, []) if lost.iter().any(|number| is_price(number)) => {
            Some(format!("The text has {}, but the translation doesn't.", lost.join(", ")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_differ_unless_only_their_notation_does() {
        for (text, translation, expected) in [
            ("It costs $160.", "Cuesta $1600.", "The text has $160, but the translation has $1600."),
            ("It costs $160.", "Cuesta 106 dólares.", "The text has $160, but the translation has 106."),
            ("It costs $5.", "Cuesta poco.", "The text has $5, but the translation doesn't."),
            (
                "Call 510-555-0123.",
                "Llame al 510-555-0132.",
                "The text has 0123, but the translation has 0132.",
            ),
            ("In 3 days.", "En 2 días.", "The text has 3, but the translation has 2."),
            ("Since 1997.", "Desde 1979.", "The text has 1997, but the translation has 1979."),
            ("From $20 to $30", "De 20 a 20 dólares", "The text has $30, but the translation has 20."),
            ("At 9 PM, for $20", "A las 21:00, por $12", "The text has $20, but the translation has $12."),
        ] {
            assert_eq!(difference(text, translation).as_deref(), Some(expected));
        }
        for (text, translation) in [
            ("Until 11:00 PM", "Hasta las 23:00"),
            ("From 10 to 11 PM", "De 22 a 23 h"),
            ("11 p.m., 45 minutes", "11 p. m., 45 minutos"),
            ("It costs $1,600.00.", "Cuesta 1600 dólares."),
            ("It costs $1,600.", "Cuesta 1.600 dólares."),
            ("It costs $1,600.", "Cuesta 1 600 dólares."),
            ("It costs $5.", "Cuesta 5 dólares."),
            ("It costs $12.50.", "Cuesta 12,50 dólares."),
            ("Call (510) 555-0123.", "Llame al 510 555 0123."),
            ("Call 5105550123.", "Llame al 510-555-0123."),
            ("On 12/01/2026", "El 1/12/2026"),
            ("Two visits, ten minutes each", "2 consultas de 10 minutos"),
            ("In 2 visits of one hour", "En dos consultas de 1 hora"),
            ("In the 1990s, she", "En los años 90, ella"),
            ("A visit of 15 minutes", "Una consulta de un cuarto de hora"),
        ] {
            assert_eq!(difference(text, translation), None, "{text}");
        }
    }
}
