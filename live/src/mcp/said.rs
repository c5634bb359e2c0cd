//! What a tool says: the same bytes twice, as text for every client and as JSON for those that read it.
//!
//! An answer that is asked for again and again is kept by whoever made it: for good, or while it holds, as open slots
//! are. So what is said of it is kept here, too, by its body. Memory is bounded, the oldest goes first, what was said of
//! slots that hold no more among it, and all of it goes with the directory whose bodies they are.

use std::collections::{HashMap, VecDeque};
use std::sync::{PoisonError, RwLock};

use bytes::Bytes;

use super::quote::quote;

/// Bytes of what is kept, bodies and what is said of them.
const KEPT: usize = 4 << 20;
/// What stands round a body, and round its text, in a result.
const ROUND: usize = 128;

/// What was said of bodies that somebody keeps.
#[derive(Debug, Default)]
pub(crate) struct Said {
    kept: RwLock<Kept>,
}

/// Where a body lies, and how long it is: no two bodies are in one place at a time.
type Place = (usize, usize);

#[derive(Debug, Default)]
struct Kept {
    /// The body stands beside what is said of it, so that no other can take its place in memory.
    by_place: HashMap<Place, (Bytes, Bytes)>,
    oldest_first: VecDeque<Place>,
    bytes: usize,
}

impl Said {
    /// Appends the result with this body, but for its last brace.
    pub(super) fn write(&self, to: &mut Vec<u8>, body: &Bytes) {
        // A body that nobody else has was made for this answer alone.
        if body.is_unique() {
            return write(to, body);
        }
        let place = (body.as_ptr().addr(), body.len());
        let known = {
            let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
            kept.by_place.get(&place).map(|(_, said)| said.clone())
        };
        let said = known.unwrap_or_else(|| {
            let mut said = Vec::new();
            write(&mut said, body);
            said.shrink_to_fit();
            let said = Bytes::from(said);
            self.kept.write().unwrap_or_else(PoisonError::into_inner).keep(place, body, &said);
            said
        });
        to.extend_from_slice(&said);
    }
}

impl Kept {
    fn keep(&mut self, place: Place, body: &Bytes, said: &Bytes) {
        // One that would push out much of the rest is not kept.
        if said.len() > KEPT / 8 || self.by_place.contains_key(&place) {
            return;
        }
        self.bytes += body.len() + said.len();
        self.oldest_first.push_back(place);
        self.by_place.insert(place, (body.clone(), said.clone()));
        while self.bytes > KEPT {
            let Some(oldest) = self.oldest_first.pop_front() else { break };
            self.bytes -= self.by_place.remove(&oldest).map_or(0, |(body, said)| body.len() + said.len());
        }
    }
}

/// At least as many bytes as are said of a body, while it is written.
pub(super) fn size_of(body: &[u8]) -> usize {
    body.len() * 3 + ROUND
}

/// Appends the result with this body and a second text, but for its last brace.
pub(super) fn write_with_note(to: &mut Vec<u8>, body: &[u8], note: &str) {
    write_all(to, body, Some(note));
}

fn write(to: &mut Vec<u8>, body: &[u8]) {
    write_all(to, body, None);
}

fn write_all(to: &mut Vec<u8>, body: &[u8], note: Option<&str>) {
    to.reserve(size_of(body));
    to.extend_from_slice(br#"{"content":[{"type":"text","text":"#);
    let quoted = quote(to, body);
    if quoted.is_none() {
        // Writing into memory cannot fail.
        _ = serde_json::to_writer(&mut *to, &String::from_utf8_lossy(body));
    }
    if let Some(note) = note {
        to.extend_from_slice(br#"},{"type":"text","text":"#);
        _ = serde_json::to_writer(&mut *to, note);
    }
    to.extend_from_slice(br#"}],"structuredContent":"#);
    let start = to.len();
    to.extend_from_slice(body);
    if quoted.is_none() {
        // In JSON a bare line break can only stand between tokens, where a space means the same.
        to[start..].iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    }
    to.extend_from_slice(br#","isError":false"#);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn said(said: &Said, body: &Bytes) -> Value {
        let mut to = b"before".to_vec();
        said.write(&mut to, body);
        to.push(b'}');
        assert!(!to.contains(&b'\n') && !to.contains(&b'\r'));
        serde_json::from_slice(to.strip_prefix(b"before").unwrap()).unwrap()
    }

    #[test]
    fn the_text_is_the_body_and_a_line_break_in_it_breaks_no_line() {
        for body in [r#"{"a":"é \" \\ ü"}"#, "{\"a\":\n1,\r\n\"b\":\"\u{2028}\"}"] {
            let expected = json!({
                "content": [{ "type": "text", "text": body }],
                "structuredContent": serde_json::from_str::<Value>(body).unwrap(),
                "isError": false,
            });
            assert_eq!(said(&Said::default(), &Bytes::from(body)), expected);
        }
    }

    #[test]
    fn what_is_said_of_a_kept_body_is_kept_and_of_another_made_anew() {
        let tools = Said::default();
        let count = || tools.kept.read().unwrap().by_place.len();
        let both = Bytes::from(br#"{"a":1}{"b":22}"#.to_vec());
        let (first, second) = (both.slice(..7), both.slice(7..));
        for _ in 0..3 {
            assert_eq!(said(&tools, &first)["structuredContent"], json!({ "a": 1 }));
            assert_eq!(said(&tools, &second)["structuredContent"], json!({ "b": 22 }));
        }
        assert_eq!(count(), 2);
        for number in 0..100 {
            let fresh = Bytes::from(format!("{{\"c\":{number}}}"));
            assert_eq!(said(&tools, &fresh)["structuredContent"], json!({ "c": number }));
        }
        assert_eq!(count(), 2);
        drop((both, first, second));
        for number in 0..100 {
            let body = Bytes::from(format!("{{\"d\":{number}}}").into_bytes());
            let kept = body.clone();
            assert_eq!(said(&tools, &body)["structuredContent"], json!({ "d": number }));
            drop(kept);
        }
    }

    #[test]
    fn what_is_kept_is_bounded_and_the_oldest_goes_first() {
        let mut kept = Kept::default();
        let text = Bytes::from(vec![b' '; KEPT / 10]);
        for place in 0..25 {
            kept.keep((place, 1), &Bytes::new(), &text);
            assert!(kept.bytes <= KEPT && kept.by_place.len() == kept.oldest_first.len());
        }
        assert_eq!((kept.by_place.len(), kept.bytes), (10, 10 * text.len()));
        assert!(kept.by_place.contains_key(&(24, 1)) && !kept.by_place.contains_key(&(14, 1)));
        kept.keep((99, 1), &Bytes::from_static(b"{}"), &Bytes::from(vec![b' '; KEPT / 4]));
        assert!(!kept.by_place.contains_key(&(99, 1)));
    }
}
