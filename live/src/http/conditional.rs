//! If-None-Match as RFC 9110 (13.1.2) defines it: the field lines form one list, and tags are compared weakly. Malformed
//! items are skipped: at worst, the client gets the whole body. Callers ask only if the status would otherwise be 200.

use warp::http::HeaderValue;

/// `tag` is an ETag field's value.
pub(crate) fn any_matches(lines: &[HeaderValue], tag: &HeaderValue) -> bool {
    let tag = opaque(tag.as_bytes());
    lines.iter().any(|line| {
        let line = line.as_bytes();
        line.trim_ascii() == b"*" || tags(line).any(|named| named == tag)
    })
}

fn opaque(tag: &[u8]) -> &[u8] {
    tag.strip_prefix(b"W/").unwrap_or(tag)
}

/// Including quotes. Bytes that aren't allowed in a tag pass: they match none of our tags.
fn tags(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_ascii_start();
            if rest.is_empty() {
                return None;
            }
            let start = opaque(rest);
            let length =
                start.strip_prefix(b"\"").and_then(|text| text.iter().position(|&byte| byte == b'"'));
            if let Some(length) = length {
                // The quoted text may hold commas, so the tag is cut out before the list is split.
                let (tag, after) = start.split_at(length + 2);
                let (between, next) = split_at_comma(after);
                rest = next;
                if between.trim_ascii().is_empty() {
                    return Some(tag);
                }
            } else {
                rest = split_at_comma(rest).1;
            }
        }
    })
}

fn split_at_comma(line: &[u8]) -> (&[u8], &[u8]) {
    line.iter().position(|&byte| byte == b',').map_or((line, &[]), |at| (&line[..at], &line[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_growth::assert_grows_with_its_size;

    fn matches(lines: &[&str]) -> bool {
        let lines: Vec<_> = lines.iter().map(|line| HeaderValue::from_str(line).unwrap()).collect();
        any_matches(&lines, &HeaderValue::from_static("\"10-abc\""))
    }

    #[test]
    fn a_tag_matches_in_any_line_and_any_place_of_a_list() {
        assert!(matches(&["\"10-abc\""]));
        assert!(matches(&["\"x\", \"10-abc\""]));
        assert!(matches(&["\"x\"", "\"10-abc\""]));
        assert!(matches(&["\"x\",,  ,\"10-abc\" ,\"y\""]));
        assert!(matches(&["\"a,b\",\"10-abc\""]));
        assert!(!matches(&["\"x\""]));
        assert!(!matches(&[]));
        assert!(!matches(&[""]));
    }

    #[test]
    fn the_work_grows_with_the_length_of_the_lines() {
        for part in ["\"a\",", "\"", "W/\"", ",", "a", "\"a\"b,", "W/,"] {
            assert_grows_with_its_size(part, 100_000, |line| assert!(!matches(&[line])));
        }
    }

    #[test]
    fn comparison_is_weak_and_star_matches_anything() {
        assert!(matches(&["W/\"10-abc\""]));
        assert!(matches(&["*"]));
        assert!(matches(&[" * "]));
        assert!(matches(&["\"x\"", "*"]));
    }

    #[test]
    fn malformed_tags_are_skipped() {
        for malformed in
            ["10-abc", "'10-abc'", "\"10-abc", "10-abc\"", "w/\"10-abc\"", "W/10-abc", "\"10-abc\"x", "\"*\""]
        {
            assert!(!matches(&[malformed]), "{malformed}");
        }
        assert!(matches(&["10-abc, junk\"x, \"10-abc\""]));
        assert!(matches(&["\"open, \"10-abc\"", "\"10-abc\""]));
        assert!(matches(&["W/, \"10-abc\""]));
    }
}
