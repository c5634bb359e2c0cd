//! The organisation's address, for exports that need every part of it.

use crate::model::{Address, StateCode};

/// A postal address in which no part is missing.
#[derive(Debug, Clone, Copy)]
pub(super) struct WholeAddress<'a> {
    pub(super) lines: &'a [String],
    pub(super) city: &'a str,
    pub(super) state: StateCode,
    /// The first five digits of the ZIP code.
    pub(super) zip: &'a str,
}

impl<'a> WholeAddress<'a> {
    /// `None` if a part is missing.
    pub(super) fn of(address: Option<&'a Address>) -> Option<Self> {
        let address = address?;
        let zip = address.postal_code.as_deref()?.get(..5)?;
        let is_zip = zip.bytes().all(|byte| byte.is_ascii_digit());
        (is_zip && !address.line.is_empty()).then_some(Self {
            lines: &address.line,
            city: address.city.as_deref()?,
            state: address.state?,
            zip,
        })
    }

    /// The lines after the first, as one.
    pub(super) fn second_line(&self) -> Option<String> {
        self.lines.get(1..).filter(|more| !more.is_empty()).map(|more| more.join(", "))
    }
}

/// The ten digits of a telephone number of the United States.
pub(super) fn ten_digits(phone: &str) -> Option<String> {
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    let digits = match digits.strip_prefix('1') {
        Some(rest) if rest.len() == 10 => rest.to_owned(),
        _ => digits,
    };
    (digits.len() == 10).then_some(digits)
}
