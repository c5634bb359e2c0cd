//! The clinic's phone number.

use super::super::problem::Advice;
use super::super::raw::Located;
use super::fields::File;

/// How people begin an extension.
const EXTENSIONS: [&str; 4] = ["ext", "x", "#", "extension"];

/// Reads a phone number. Pages link to it, so it must be one that can be dialled.
pub(super) fn read_phone(file: &mut File<'_>, text: Located<String>) -> Option<String> {
    if can_be_dialled(&text.value) {
        return Some(text.value);
    }
    let what = format!("\"{}\" is not a phone number that can be dialled", text.value);
    let advice = match without_extension(&text.value) {
        Some(number) => Advice::write(format!("\"{number}\""))
            .and(": pages make a link of it, and a link cannot dial an extension"),
        None => "write one number in digits: ten of them, such as \"510-555-0100\", or with + and the code of the country, \
                 such as \"+1-510-555-0100\""
            .into(),
    };
    file.error(&text.span, what, advice);
    None
}

/// Whether a text is one number: ten digits, eleven that begin with 1, or a plus sign and eight to fifteen.
fn can_be_dialled(text: &str) -> bool {
    let number = text.strip_prefix('+').unwrap_or(text);
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let has_right_length = match (number.len() < text.len(), digits.starts_with('1')) {
        (_, true) => digits.len() == 11 || digits.len() == 10 && number.len() == text.len(),
        (true, false) => (8..=15).contains(&digits.len()) && !digits.starts_with('0'),
        (false, false) => digits.len() == 10 && !digits.starts_with('0'),
    };
    let is_part = |c: char| c.is_ascii_digit() || [' ', '-', '.', '(', ')'].contains(&c);
    // "(0)" is dialled only within the country.
    has_right_length
        && number.chars().all(is_part)
        && !number.contains("(0)")
        && number.matches('(').count() < 2
}

/// The number before an extension.
fn without_extension(text: &str) -> Option<&str> {
    let at = text.find(|c: char| c.is_ascii_alphabetic() || c == '#')?;
    let (number, extension) = text.split_at(at);
    let word = extension.trim_end_matches(|c: char| c.is_ascii_digit() || " .:-".contains(c)).to_lowercase();
    let number = number.trim_end_matches([' ', '-', '.', ',', ';', '(', '/']);
    (EXTENSIONS.contains(&word.as_str()) && can_be_dialled(number)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_whole_number_can_be_dialled() {
        for text in [
            "510-555-0100",
            "(510) 555-0100",
            "510.555.0100",
            "1-510-555-0100",
            "+1-510-555-0100",
            "+1 (510) 555 0100",
            "+49 30 123456",
            "+44 20 7946 0958",
        ] {
            assert!(can_be_dialled(text), "{text}");
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
            "",
        ] {
            assert!(!can_be_dialled(text), "{text}");
        }
    }

    #[test]
    fn only_an_extension_is_left_out() {
        for (text, number) in [
            ("(510) 555-0100 ext. 4", Some("(510) 555-0100")),
            ("510-555-0100 x12", Some("510-555-0100")),
            ("510-555-0100, Ext 4", Some("510-555-0100")),
            ("510-555-010O", None),
            ("510-555-0100O", None),
            ("1-800-BO-TWO", None),
        ] {
            assert_eq!(without_extension(text), number, "{text}");
        }
    }
}
