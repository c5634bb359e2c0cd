//! Adds entries to lists and takes them out.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

pub(super) fn inner(raw: &str) -> &str {
    raw.trim().trim_matches(['"', '\''])
}

/// What to delete so that an entry of a list is gone: with its comma. `None` if the place isn't an entry of a list.
pub(super) fn without_entry(text: &str, entry: &Range<usize>) -> Option<Range<usize>> {
    let (before, after) = (text.get(..entry.start)?, text.get(entry.end..)?);
    let (left, right) = (before.trim_end(), after.trim_start());
    if !left.ends_with(['[', ',']) || !right.starts_with([']', ',']) {
        return None;
    }
    if let Some(rest) = right.strip_prefix(',') {
        let rest = rest.trim_start_matches([' ', '\t']);
        return Some(entry.start..text.len() - rest.len());
    }
    let left = left.strip_suffix(',').unwrap_or(left);
    Some(left.len()..entry.end)
}

pub(super) fn value_at_top(text: &str, key: &str) -> Option<Range<usize>> {
    let (table, _) = DeTable::parse_recoverable(text);
    table.get_ref().iter().find(|(known, _)| known.get_ref() == key).map(|(_, value)| value.span())
}

/// Where to write a further entry of a list, and the text for it. `None` if the value isn't a list.
pub(super) fn with_entry(text: &str, list: &Range<usize>, entry: &str) -> Option<(Range<usize>, String)> {
    let written = text.get(list.clone())?;
    let inside = written.strip_prefix('[')?.strip_suffix(']')?;
    let kept = inside.trim_end();
    let at = list.start + 1 + kept.len();
    let entry = match kept.trim() {
        "" => entry.to_owned(),
        list if list.ends_with(',') => format!(" {entry}"),
        _ => format!(", {entry}"),
    };
    Some((at..at, entry))
}

pub(super) fn texts_equal(text: &str, wanted: &str) -> Vec<Range<usize>> {
    fn walk(value: &DeValue<'_>, span: Range<usize>, wanted: &str, found: &mut Vec<Range<usize>>) {
        match value {
            DeValue::String(text) if text.trim() == wanted => found.push(span),
            DeValue::Array(array) => {
                array.iter().for_each(|entry| walk(entry.get_ref(), entry.span(), wanted, found));
            }
            DeValue::Table(table) => {
                table.iter().for_each(|(_, value)| walk(value.get_ref(), value.span(), wanted, found));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    let (table, _) = DeTable::parse_recoverable(text);
    for (_, value) in table.get_ref() {
        walk(value.get_ref(), value.span(), wanted, &mut found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_and_go_with_their_commas() {
        for (list, entry, expected) in [
            ("a = [\"CA\", \"NV\"]", "\"NV\"", "a = [\"CA\"]"),
            ("a = [\"NV\", \"CA\"]", "\"NV\"", "a = [\"CA\"]"),
            ("a = [\"NV\"]", "\"NV\"", "a = []"),
            ("a = [\n  1,\n  2,\n]", "2", "a = [\n  1,\n  \n]"),
        ] {
            let at = list.find(entry).unwrap();
            let mut text = list.to_owned();
            text.replace_range(without_entry(list, &(at..at + entry.len())).unwrap(), "");
            assert_eq!(text, expected);
        }
        assert_eq!(without_entry("a = \"NV\"", &(4..8)), None);
        for (list, expected) in [
            ("a = []", "a = [3]"),
            ("a = [1]", "a = [1, 3]"),
            ("a = [1,]", "a = [1, 3]"),
            ("a = [1\n]", "a = [1, 3\n]"),
        ] {
            let (at, entry) = with_entry(list, &value_at_top(list, "a").unwrap(), "3").unwrap();
            let mut text = list.to_owned();
            text.replace_range(at, &entry);
            assert_eq!(text, expected);
        }
        assert_eq!(texts_equal("a = [\"x\", \"y\"]\n[b]\nc = [\"x\"]", "x"), [5..8, 24..27]);
    }
}
