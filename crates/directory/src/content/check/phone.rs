//! The clinic's phone number.

use super::super::raw::Located;
use super::fields::File;

/// Reads a phone number. Pages link to it, so it must be one that can be dialled.
pub(super) fn read_phone(file: &mut File<'_>, text: Located<String>) -> Option<String> {
    if can_be_dialled(&text.value) {
        return Some(text.value);
    }
    let what = format!("\"{}\" is not a phone number that can be dialled", text.value);
    let advice = "write one number in digits, without an extension: ten of them, such as \"510-555-0100\", or with + and the \
                  code of the country, such as \"+1-510-555-0100\"";
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
}
