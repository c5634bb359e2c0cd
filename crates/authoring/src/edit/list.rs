//! Writes another list in place of one in a TOML text. On one line it is written anew; on several, each item that stays
//! keeps its line and the notes beside and above it.

use std::ops::Range;

/// An item of the existing list.
pub(super) struct Item {
    /// Its place in the list's text.
    pub(super) span: Range<usize>,
    /// As this program writes it.
    pub(super) token: String,
}

/// An item and what belongs to it: the lines above, its comma, and the note after.
struct Segment<'a> {
    text: &'a str,
    value_end: usize,
    comma: Option<usize>,
}

impl Segment<'_> {
    fn with_comma(&self, wanted: bool) -> String {
        let mut text = self.text.to_owned();
        match self.comma {
            Some(at) if !wanted => _ = text.remove(at),
            None if wanted => text.insert(self.value_end, ','),
            _ => {}
        }
        text
    }

    fn ends_in_a_note(&self) -> bool {
        self.text[self.value_end..].contains('#')
    }
}

/// The list with these items; `raw` is its text from bracket to bracket.
pub(super) fn edited(raw: &str, old: &[Item], new: &[String]) -> String {
    if !raw.contains('\n') {
        return format!("[{}]", new.join(", "));
    }
    let Some(last) = old.last() else {
        // There may be a note between the brackets.
        return format!("[{}{}", new.join(", "), &raw[1..]);
    };
    let has_last_comma = comma_behind(raw, last.span.end).is_some();
    let mut segments = Vec::with_capacity(old.len());
    // A note behind the bracket is about the whole list.
    let mut begin = behind_note(raw, 1);
    let head = &raw[..begin];
    for item in old {
        let comma = comma_behind(raw, item.span.end);
        let end = behind_note(raw, comma.map_or(item.span.end, |at| at + 1));
        segments.push((
            item,
            Some(Segment {
                text: &raw[begin..end],
                value_end: item.span.end - begin,
                comma: comma.map(|at| at - begin),
            }),
        ));
        begin = end;
    }
    let tail = &raw[begin..];
    let first = &raw[1..old[0].span.start];
    let indent =
        first.rfind('\n').map_or(" ", |at| &first[if first[..at].ends_with('\r') { at - 1 } else { at }..]);
    let mut text = head.to_owned();
    let mut in_note = head.contains('#');
    for (at, item) in new.iter().enumerate() {
        let comma = has_last_comma || at + 1 < new.len();
        let kept = segments.iter_mut().find(|(old, segment)| segment.is_some() && old.token == *item);
        let (piece, has_note) = match kept.and_then(|(_, segment)| segment.take()) {
            Some(segment) => (segment.with_comma(comma), segment.ends_in_a_note()),
            None => (format!("{indent}{item}{}", if comma { "," } else { "" }), false),
        };
        push(&mut text, &piece, in_note);
        in_note = has_note;
    }
    push(&mut text, tail, in_note);
    text
}

/// Appends a piece; behind a note it begins on a line of its own.
fn push(text: &mut String, piece: &str, in_note: bool) {
    if in_note && !piece.starts_with(['\n', '\r']) {
        text.push('\n');
    }
    text.push_str(piece);
}

/// The comma behind an item.
fn comma_behind(raw: &str, from: usize) -> Option<usize> {
    let mut in_note = false;
    for (at, byte) in raw.bytes().enumerate().skip(from) {
        match byte {
            b'\n' => in_note = false,
            _ if in_note => {}
            b'#' => in_note = true,
            b',' => return Some(at),
            b' ' | b'\t' | b'\r' => {}
            _ => return None,
        }
    }
    None
}

/// The end of the line, if only a note follows on it; else the same place.
fn behind_note(raw: &str, from: usize) -> usize {
    let end = raw[from..].find('\n').map_or(raw.len(), |at| from + at);
    let end = if raw[from..end].ends_with('\r') { end - 1 } else { end };
    let rest = raw[from..end].trim_start();
    if rest.is_empty() || rest.starts_with('#') { end } else { from }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(raw: &str) -> Vec<Item> {
        let quotes: Vec<_> = raw.match_indices('"').map(|(at, _)| at).collect();
        let span = |pair: &[usize]| pair[0]..pair[1] + 1;
        quotes.chunks(2).map(span).map(|span| Item { token: raw[span.clone()].to_owned(), span }).collect()
    }

    #[test]
    fn items_that_stay_keep_their_lines() {
        let several = "[\n  # first\n  \"a\", # A\n  \"b\",\n  \"c\" # C\n]";
        for (raw, new, wanted) in [
            ("[\"a\"]", &["\"a\"", "\"b\""][..], "[\"a\", \"b\"]"),
            ("[ ]", &["\"a\""], "[\"a\"]"),
            ("[\n # none\n]", &["\"a\""], "[\"a\"\n # none\n]"),
            (several, &["\"a\"", "\"c\""], "[\n  # first\n  \"a\", # A\n  \"c\" # C\n]"),
            (several, &["\"a\"", "\"b\""], "[\n  # first\n  \"a\", # A\n  \"b\"\n]"),
            (several, &["\"c\"", "\"a\""], "[\n  \"c\", # C\n  # first\n  \"a\" # A\n]"),
            (several, &["\"d\"", "\"b\""], "[\n  \"d\",\n  \"b\"\n]"),
            (several, &[], "[\n]"),
            ("[\"a\", # A\n\"b\"]", &["\"a\""], "[\"a\" # A\n]"),
            ("[\"a\",\n\"b\",]", &["\"b\"", "\"c\""], "[\n\"b\", \"c\",]"),
        ] {
            let new: Vec<String> = new.iter().map(|item| (*item).to_owned()).collect();
            assert_eq!(edited(raw, &items(raw), &new), wanted, "{raw}");
        }
    }
}
