//! The national provider identifier of the United States.

/// Ten digits, the last of which is the Luhn check digit of the number with the prefix 80840.
pub(crate) fn is_npi(text: &str) -> bool {
    let is_digits = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits && passes_luhn(&format!("80840{text}"))
}

fn passes_luhn(digits: &str) -> bool {
    let weighted = |(at, byte): (usize, u8)| {
        let digit = u32::from(byte.wrapping_sub(b'0')) * if at % 2 == 1 { 2 } else { 1 };
        digit / 10 + digit % 10
    };
    digits.bytes().rev().enumerate().map(weighted).sum::<u32>().is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_digit_of_an_npi_is_checked() {
        // 1234567893 is the example of the NPI standard.
        assert!(is_npi("1234567893"));
        assert!(is_npi("9941339100"));
        assert!(!is_npi("1234567890"));
        assert!(!is_npi("123456789"));
        assert!(!is_npi("12345678９3"));
    }
}
