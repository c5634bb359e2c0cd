//! Replaces the items of a list in a TOML text. A list on one line is rewritten. In a list on several lines, each item that
//! stays keeps its line, and the comments next to and above it.

use std::ops::Range;

pub(super) struct ListItem {
    pub(super) span: Range<usize>,
    /// The item as this program writes it.
    pub(super) toml: String,
}

/// An item with what belongs to it: the lines above it, its comma, and the comment after it.
struct Segment<'a> {
    item: &'a str,
    source: &'a str,
    /// Where the item ends and where its comma is, as positions in `source`.
    item_end: usize,
    comma: Option<usize>,
}

impl Segment<'_> {
    fn with_comma(&self, needs_comma: bool) -> String {
        let mut source = self.source.to_owned();
        match self.comma {
            Some(comma) if !needs_comma => _ = source.remove(comma),
            None if needs_comma => source.insert(self.item_end, ','),
            _ => {}
        }
        source
    }

    fn ends_in_comment(&self) -> bool {
        self.source[self.item_end..].contains('#')
    }
}

/// `list` is its text from bracket to bracket.
pub(super) fn replace_items(list: &str, old: &[ListItem], new: &[String]) -> String {
    if !list.contains('\n') {
        return format!("[{}]", new.join(", "));
    }
    let (Some(first_item), Some(last_item)) = (old.first(), old.last()) else {
        // Keep what is between the brackets, because it may be a comment.
        return format!("[{}{}", new.join(", "), &list[1..]);
    };
    let line_end = line_end(list);
    let has_trailing_comma = find_comma(list, last_item.span.end).is_some();
    // A comment after the opening bracket is about the whole list.
    let head_end = skip_comment(list, 1);
    let (mut segments, tail) = split_segments(list, head_end, old);
    let before_item = line_end_and_indent(&list[1..first_item.span.start]);
    let mut text = list[..head_end].to_owned();
    let mut ends_in_comment = text.contains('#');
    for (position, item) in new.iter().enumerate() {
        let needs_comma = has_trailing_comma || position + 1 < new.len();
        if let Some(kept) = segments.iter().position(|segment| segment.item == item) {
            let segment = segments.remove(kept);
            push(&mut text, &segment.with_comma(needs_comma), ends_in_comment, line_end);
            ends_in_comment = segment.ends_in_comment();
        } else {
            let comma = if needs_comma { "," } else { "" };
            push(&mut text, &format!("{before_item}{item}{comma}"), ends_in_comment, line_end);
            ends_in_comment = false;
        }
    }
    push(&mut text, tail, ends_in_comment, line_end);
    text
}

fn split_segments<'a>(list: &'a str, mut start: usize, items: &'a [ListItem]) -> (Vec<Segment<'a>>, &'a str) {
    let mut segments = Vec::with_capacity(items.len());
    for ListItem { span, toml } in items {
        let comma = find_comma(list, span.end);
        let end = skip_comment(list, comma.map_or(span.end, |comma| comma + 1));
        segments.push(Segment {
            item: toml,
            source: &list[start..end],
            item_end: span.end - start,
            comma: comma.map(|comma| comma - start),
        });
        start = end;
    }
    (segments, &list[start..])
}

/// Returns the last line end of a text and the indent after it, or a space if the text is on one line.
fn line_end_and_indent(text: &str) -> &str {
    match text.rfind('\n') {
        Some(end) if text[..end].ends_with('\r') => &text[end - 1..],
        Some(end) => &text[end..],
        None => " ",
    }
}

pub(crate) fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Appends a piece. After a comment, the piece starts on a new line. Otherwise it would be part of the comment.
fn push(text: &mut String, piece: &str, ends_in_comment: bool, line_end: &str) {
    if ends_in_comment && !piece.starts_with(['\n', '\r']) {
        text.push_str(line_end);
    }
    text.push_str(piece);
}

fn find_comma(list: &str, item_end: usize) -> Option<usize> {
    let mut is_in_comment = false;
    for (position, byte) in list.bytes().enumerate().skip(item_end) {
        match byte {
            b'\n' => is_in_comment = false,
            _ if is_in_comment => {}
            b'#' => is_in_comment = true,
            b',' => return Some(position),
            b' ' | b'\t' | b'\r' => {}
            _ => return None,
        }
    }
    None
}

/// Skips spaces and a comment up to the end of the line. Returns `position` if something else is on the line.
fn skip_comment(list: &str, position: usize) -> usize {
    let line = list[position..].split('\n').next().unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    let content = line.trim_start();
    let has_nothing_else = content.is_empty() || content.starts_with('#');
    if has_nothing_else { position + line.len() } else { position }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(list: &str) -> Vec<ListItem> {
        let quotes: Vec<_> = list.match_indices('"').map(|(position, _)| position).collect();
        let span = |pair: &[usize]| pair[0]..pair[1] + 1;
        quotes
            .chunks(2)
            .map(span)
            .map(|span| ListItem { toml: list[span.clone()].to_owned(), span })
            .collect()
    }

    #[test]
    fn items_that_stay_keep_their_lines() {
        let several = "[\n  # first\n  \"a\", # A\n  \"b\",\n  \"c\" # C\n]";
        for (list, new, expected) in [
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
            assert_eq!(replace_items(list, &items(list), &new), expected, "{list}");
            let windows = |text: &str| text.replace('\n', "\r\n");
            let list = windows(list);
            assert_eq!(replace_items(&list, &items(&list), &new), windows(expected), "{list}");
        }
    }
}
