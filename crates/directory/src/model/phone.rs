//! A phone number, in the forms that people in the United States write.

/// A phone number that can be dialled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phone {
    text: Box<str>,
    number: Box<str>,
}

impl Phone {
    /// Reads one number: ten digits, eleven that begin with 1, or a plus sign and eight to fifteen. Words stand for digits, as in
    /// 1-800-FLOWERS. An extension may follow.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (written, extension) = split_extension(text)?;
        let number = written.strip_prefix('+').unwrap_or(written);
        let is_international = number.len() < written.len();
        let mut digits = String::new();
        for group in
            number.split([' ', '\u{a0}', '-', '\u{2010}', '\u{2011}', '\u{2013}', '.', '/', '(', ')'])
        {
            // A single letter among digits is a mistyped digit.
            let is_word = group.bytes().all(|byte| byte.is_ascii_alphabetic());
            digits.extend(group.chars().map(|sign| if is_word { key_of(sign) } else { sign }));
        }
        let has_right_length = match (is_international, digits.starts_with('1')) {
            (_, true) => digits.len() == 11 || digits.len() == 10 && !is_international,
            (true, false) => (8..=15).contains(&digits.len()) && !digits.starts_with('0'),
            (false, false) => digits.len() == 10 && !digits.starts_with('0'),
        };
        // "(0)" is dialled only within the country.
        let is_one = !number.contains("(0)") && number.matches('(').count() < 2;
        if !has_right_length || !is_one || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let country = if is_international || digits.len() == 11 { "" } else { "1" };
        let extension = extension.map(|digits| format!(";ext={digits}")).unwrap_or_default();
        Some(Self { text: text.into(), number: format!("+{country}{digits}{extension}").into() })
    }

    /// The number as the clinic writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The number for `tel:`, with its country and nothing between the digits.
    #[must_use]
    pub fn number(&self) -> &str {
        &self.number
    }

    /// The number for `tel:`, as the clinic writes it where `tel:` allows that.
    #[must_use]
    pub fn dial(&self) -> &str {
        let is_allowed =
            |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
        let is_kept = self.text.strip_prefix('+').is_some_and(is_allowed);
        if is_kept { &self.text } else { &self.number }
    }
}

/// Divides a text into the number and the digits of its extension.
fn split_extension(text: &str) -> Option<(&str, Option<&str>)> {
    let head = text.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let extension = &text[head.len()..];
    if extension.is_empty() {
        return Some((text, None));
    }
    let before = head.trim_end_matches([' ', '.', ':']);
    let is_marker = |marker: &&str| {
        let start = before.len().checked_sub(marker.len()).and_then(|at| before.get(at..));
        start.is_some_and(|end| end.eq_ignore_ascii_case(marker))
    };
    let Some(marker) = ["extension", "ext", "x", "#"].into_iter().find(is_marker) else {
        return Some((text, None));
    };
    let number = before.get(..before.len() - marker.len())?.trim_end_matches([' ', ',', ';']);
    (extension.len() <= 7).then_some((number, Some(extension)))
}

/// The digit on a phone's key that has this letter.
fn key_of(letter: char) -> char {
    const KEYS: [(char, &str); 8] = [
        ('2', "ABC"),
        ('3', "DEF"),
        ('4', "GHI"),
        ('5', "JKL"),
        ('6', "MNO"),
        ('7', "PQRS"),
        ('8', "TUV"),
        ('9', "WXYZ"),
    ];
    KEYS.iter()
        .find(|(_, letters)| letters.contains(letter.to_ascii_uppercase()))
        .map_or(letter, |(digit, _)| *digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_forms_are_dialled_with_their_country() {
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
