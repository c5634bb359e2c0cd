//! A phone number, in the forms that people in the United States write.

use std::sync::LazyLock;

use regex::Regex;

/// A plus sign, the number with what divides it, and the digits of an extension.
static FORM: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let number = r"[0-9a-z ()./\x{a0}\x{2010}\x{2011}\x{2013}-]*?";
    let extension = "[ ,;]*(?:extension|ext|x|#)[ .:]*([0-9]{1,7})";
    Regex::new(&format!("(?i-u)^(\\+?)((?u:{number}))(?:{extension})?$")).ok()
});
/// The digits on the keys of a phone that have the letters A to Z.
const KEYS: &[u8; 26] = b"22233344455566677778889999";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phone {
    text: Box<str>,
    dial: Box<str>,
}

impl Phone {
    /// Reads one number: ten digits, eleven that begin with 1, or a plus sign and eight to fifteen. Words stand for digits, as in
    /// 1-800-FLOWERS.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let found = FORM.as_ref()?.captures(text)?;
        let (is_international, number) = (!found[1].is_empty(), &found[2]);
        let mut digits = String::new();
        for group in number.split(|sign: char| !sign.is_ascii_alphanumeric()) {
            // A single letter among digits is a mistyped digit.
            let is_word = group.bytes().all(|byte| byte.is_ascii_alphabetic());
            let key = |letter: u8| char::from(KEYS[usize::from(letter.to_ascii_lowercase() - b'a')]);
            digits.extend(group.bytes().map(|byte| if is_word { key(byte) } else { char::from(byte) }));
        }
        let has_right_length = match (is_international, digits.starts_with('1')) {
            (_, true) => digits.len() == 11 || digits.len() == 10 && !is_international,
            (true, false) => (8..=15).contains(&digits.len()) && !digits.starts_with('0'),
            (false, false) => digits.len() == 10 && !digits.starts_with('0'),
        };
        // "(0)" is dialed only within the country.
        let is_one = !number.contains("(0)") && number.matches('(').count() < 2;
        if !has_right_length || !is_one || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let country = if is_international || digits.len() == 11 { "" } else { "1" };
        let extension = found.get(3).map(|digits| format!(";ext={}", digits.as_str())).unwrap_or_default();
        let is_kept =
            is_international && text[1..].bytes().all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte));
        let dial = if is_kept { text.into() } else { format!("+{country}{digits}{extension}").into() };
        Some(Self { text: text.into(), dial })
    }

    /// The number as the clinic writes it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The number for people: one of the United States in their form, and any other as the clinic writes it.
    pub fn shown(&self) -> String {
        let digits: String = self.dial.chars().filter(char::is_ascii_digit).collect();
        let is_plain = self.text.bytes().all(|byte| byte.is_ascii_digit() || b" +-.()".contains(&byte));
        match digits.strip_prefix('1') {
            Some(number) if is_plain && number.len() == 10 => {
                format!("({}) {}-{}", &number[..3], &number[3..6], &number[6..])
            }
            _ => self.text.to_string(),
        }
    }

    /// The number for `tel:`, with its country. As the clinic writes it, where `tel:` allows that.
    pub fn dial(&self) -> &str {
        &self.dial
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_see_a_number_of_their_country_in_its_usual_form() {
        for (written, shown) in [
            ("+1-510-555-0100", "(510) 555-0100"),
            ("+15105550100", "(510) 555-0100"),
            ("510.555.0100", "(510) 555-0100"),
            ("+1 510 555 0100 ext. 12", "+1 510 555 0100 ext. 12"),
            ("+44 20 7946 0958", "+44 20 7946 0958"),
            ("1-800-FLOWERS", "1-800-FLOWERS"),
        ] {
            assert_eq!(Phone::parse(written).unwrap().shown(), shown);
        }
    }

    #[test]
    fn usual_forms_are_dialed_with_their_country() {
        for (text, link) in [
            ("510-555-0100", "+15105550100"),
            ("(510) 555-0100", "+15105550100"),
            ("(510)555-0100", "+15105550100"),
            ("510.555.0100", "+15105550100"),
            ("510 555 0100", "+15105550100"),
            ("510\u{a0}555\u{2013}0100", "+15105550100"),
            ("510/555-0100", "+15105550100"),
            ("5105550100", "+15105550100"),
            ("15105550100", "+15105550100"),
            ("1-510-555-0100", "+15105550100"),
            ("1 (510) 555-0100", "+15105550100"),
            ("+1 (510) 555 0100", "+15105550100"),
            ("+1-510-555-0100", "+1-510-555-0100"),
            ("+15105550100", "+15105550100"),
            ("510-555-0100 ext. 12", "+15105550100;ext=12"),
            ("510-555-0100, Extension 1234", "+15105550100;ext=1234"),
            ("(510) 555-0100 x12", "+15105550100;ext=12"),
            ("(510) 555-0100x12", "+15105550100;ext=12"),
            ("+1-510-555-0100 #12", "+15105550100;ext=12"),
            ("1-800-FLOWERS", "+18003569377"),
            ("1-800-go-fedex", "+18004633339"),
            ("+49 30 123456", "+4930123456"),
            ("+44 20 7946 0958", "+442079460958"),
        ] {
            assert_eq!(
                Phone::parse(text).map(|phone| phone.dial().to_owned()).as_deref(),
                Some(link),
                "{text}"
            );
        }
        for text in [
            "510-555-010",
            "510-555-010O",
            "+1-555-0100",
            "555-0100",
            "(510) 555 0100 / 0101",
            "+49 (0)30 123456",
            "030 1234567",
            "510-555-0100, 510-555-0101",
            "510-555-0100 ext.",
            "510-555-0100 ext. 12345678",
            "x12",
            "call 510-555-0100",
            "510-555-0100 é",
            "",
        ] {
            assert_eq!(Phone::parse(text), None, "{text}");
        }
    }
}
