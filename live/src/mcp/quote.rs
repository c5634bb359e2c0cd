//! JSON as a text inside of JSON.
//!
//! Every eighth byte of JSON is a quotation mark, so whoever looks for runs of ordinary bytes stumbles all the time.
//! Here eight bytes are looked at as one number: they are written as they are, and once more, a place further on,
//! from each byte that needs a backslash before it.

/// Each byte of a number.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

const TOP: u64 = each(0x80);
const WORD: usize = size_of::<u64>();

/// The top bit of each byte that is this one; exact, whatever the others are.
fn places_of(byte: u8, word: u64) -> u64 {
    let different = word ^ each(byte);
    !(((different & !TOP) + !TOP) | different) & TOP
}

/// Appends this JSON as a text, quotation marks and all. Control characters, which compact JSON does not have, would
/// need more than a backslash: with one, nothing is appended.
pub(super) fn quote(to: &mut Vec<u8>, json: &[u8]) -> Option<()> {
    // The least of all, and not a search that ends early: so it is a loop over vectors.
    if json.iter().copied().fold(u8::MAX, u8::min) < b' ' {
        return None;
    }
    let start = to.len();
    // Each byte may become two, and a whole number is written at the last place.
    to.resize(start + json.len() * 2 + 2 * WORD, b'"');
    let text = &mut to[start..];
    let (words, rest) = json.as_chunks::<WORD>();
    // How far behind its place in the JSON a byte stands.
    let mut shift = 1;
    for (number, word) in words.iter().enumerate() {
        let at = number * WORD;
        text[at + shift..at + shift + WORD].copy_from_slice(word);
        let word = u64::from_le_bytes(*word);
        let mut places = places_of(b'"', word) | places_of(b'\\', word);
        while places != 0 {
            let bits = places.trailing_zeros() & !7;
            let place = at + shift + (bits / 8) as usize;
            let again = &mut text[place..=place + WORD];
            again[0] = b'\\';
            again[1..].copy_from_slice(&(word >> bits).to_le_bytes());
            shift += 1;
            places &= places - 1;
        }
    }
    let mut end = words.len() * WORD + shift;
    for &byte in rest {
        text[end] = b'\\';
        end += usize::from(matches!(byte, b'"' | b'\\'));
        text[end] = byte;
        end += 1;
    }
    text[end] = b'"';
    to.truncate(start + end + 1);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_quoted_text_is_the_serializers(before in "[ -~]{0,9}", text in "[ -~éß\u{2028}\u{1f600}\"\"\"\\\\]{0,70}") {
            let mut quoted = before.clone().into_bytes();
            quote(&mut quoted, text.as_bytes()).unwrap();
            let expected = [before.into_bytes(), serde_json::to_vec(&text).unwrap()].concat();
            proptest::prop_assert_eq!(quoted, expected);
        }

        #[test]
        fn whatever_eight_bytes_are_the_places_are_found(bytes: [u8; 8], byte: u8) {
            let places = places_of(byte, u64::from_le_bytes(bytes)).to_le_bytes();
            proptest::prop_assert_eq!(places, bytes.map(|one| if one == byte { 0x80 } else { 0 }));
        }
    }

    #[test]
    fn control_characters_are_left_to_others_and_nothing_is_appended() {
        for control in ['\0', '\n', '\u{1f}'] {
            let mut quoted = b"before".to_vec();
            assert_eq!(quote(&mut quoted, format!("0123456789{control}\"").as_bytes()), None);
            assert_eq!(quoted, b"before");
        }
    }

    #[test]
    fn nothing_but_marks_fits() {
        for length in 0..40 {
            let text = "\"".repeat(length);
            let mut quoted = Vec::new();
            quote(&mut quoted, text.as_bytes()).unwrap();
            assert_eq!(quoted, serde_json::to_vec(&text).unwrap());
        }
    }
}
