//! Parses query strings strictly: `+` is a space, and anything but percent-encoded UTF-8 is undecodable.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::operation::RawValue;

/// The bytes that [`encoded`] escapes: all but the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The pairs of a query, in order. A name that cannot be decoded is `None`.
pub(super) fn pairs(query: &str) -> impl Iterator<Item = (Option<String>, RawValue)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = match decode(name, true) {
            RawValue::Text(name) => Some(name),
            _ => None,
        };
        (name, decode(value, true))
    })
}

pub(super) fn decode(encoded: &str, plus_is_space: bool) -> RawValue {
    if !encoded.bytes().any(|byte| matches!(byte, b'%' | b'+' | 0)) {
        return RawValue::Text(encoded.to_owned());
    }
    let spaced: Cow<'_, str> = if plus_is_space && encoded.contains('+') {
        encoded.replace('+', " ").into()
    } else {
        encoded.into()
    };
    if !is_well_encoded(spaced.as_bytes()) {
        return RawValue::Undecodable(encoded.to_owned());
    }
    match percent_decode_str(&spaced).decode_utf8() {
        Ok(text) if !text.contains('\0') => RawValue::Text(text.into_owned()),
        _ => RawValue::Undecodable(encoded.to_owned()),
    }
}

pub(super) fn encoded(text: &str) -> impl Iterator<Item = &str> {
    utf8_percent_encode(text, ENCODED)
}

/// Whether two hexadecimal digits follow each percent sign, which the decoder does not check.
fn is_well_encoded(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'%').all(|(at, _)| {
        let digits = bytes.get(at + 1..at + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decoded(encoded: &str) -> Option<String> {
        match decode(encoded, true) {
            RawValue::Text(text) => Some(text),
            _ => None,
        }
    }

    #[test]
    fn decoding_is_strict() {
        assert_eq!(decoded("New+York").as_deref(), Some("New York"));
        assert_eq!(decoded("New%20York").as_deref(), Some("New York"));
        assert_eq!(decoded("%2B").as_deref(), Some("+"));
        assert_eq!(decoded("caf%C3%A9").as_deref(), Some("café"));
        for bad in ["%", "%4", "%zz", "%ff", "%00", "a%C3", "%+1"] {
            assert_eq!(decoded(bad), None, "{bad}");
        }
    }

    #[test]
    fn pairs_keep_their_order_and_may_be_incomplete() {
        let pairs: Vec<_> = pairs("&a=1&&b&=c&a=2=3&").collect();
        let text = |text: &str| RawValue::Text(text.to_owned());
        let name = |text: &str| Some(text.to_owned());
        assert_eq!(
            pairs,
            [(name("a"), text("1")), (name("b"), text("")), (name(""), text("c")), (name("a"), text("2=3"))]
        );
    }

    proptest! {
        #[test]
        fn encoded_text_decodes_to_itself(text in "[^\0]*") {
            prop_assert_eq!(decoded(&encoded(&text).collect::<String>()), Some(text));
        }

        #[test]
        fn no_query_panics(query in any::<String>()) {
            prop_assert!(pairs(&query).count() <= query.len());
        }
    }
}
