//! Edits single values in a TOML text. Every other byte stays, even in comments and line ends.

use std::fmt::Write as _;
use std::ops::Range;

use chrono::NaiveDate;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::list::{self, ListItem, line_end};

/// A new key is padded like the other keys of its table, unless they are wider than this.
const WIDEST_PADDING: usize = 80;

/// The error if a file has none of the keys that belong above a new key. `id` is always one of them.
const NO_ID: &str = "the file has no id";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewValue {
    Text(String),
    Flag(bool),
    Date(NaiveDate),
    Texts(Vec<String>),
    Numbers(Vec<i64>),
}

impl NewValue {
    /// Returns the value as TOML, in the style of the value that it replaces.
    fn to_toml(&self, old: Option<&OldValue<'_>>, line_end: &str) -> String {
        match self {
            Self::Text(text) => {
                let old_toml = old.map_or("", |old| old.toml);
                if old_toml.starts_with("\"\"\"") || text.contains('\n') {
                    quoted_on_several_lines(text, old_toml, line_end)
                } else {
                    quoted(text)
                }
            }
            Self::Flag(flag) => flag.to_string(),
            Self::Date(date) => date.to_string(),
            Self::Texts(texts) => list_to_toml(old, texts.iter().map(|text| quoted(text))),
            Self::Numbers(numbers) => list_to_toml(old, numbers.iter().map(i64::to_string)),
        }
    }
}

fn list_to_toml(old: Option<&OldValue<'_>>, new_items: impl Iterator<Item = String>) -> String {
    let new_items: Vec<String> = new_items.collect();
    match old {
        Some(OldValue { toml, items: Some(old_items) }) => list::replace_items(toml, old_items, &new_items),
        _ => format!("[{}]", new_items.join(", ")),
    }
}

struct OldValue<'a> {
    toml: &'a str,
    items: Option<Vec<ListItem>>,
}

impl<'a> OldValue<'a> {
    fn new(text: &'a str, value: &Spanned<DeValue<'_>>) -> Self {
        let span = value.span();
        let items = value.get_ref().as_array().map(|array| {
            let item = |item: &Spanned<DeValue<'_>>| ListItem {
                span: item.span().start - span.start..item.span().end - span.start,
                toml: match item.get_ref() {
                    DeValue::String(text) => quoted(text),
                    _ => text[item.span()].to_owned(),
                },
            };
            array.iter().map(item).collect()
        });
        Self { toml: &text[span], items }
    }
}

pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        push_escaped(&mut quoted, character);
    }
    quoted.push('"');
    quoted
}

/// The text starts on the line below the opening quotes, unless the old value's text starts right after them.
fn quoted_on_several_lines(text: &str, old_toml: &str, line_end: &str) -> String {
    let old_starts_after_quotes =
        old_toml.strip_prefix("\"\"\"").is_some_and(|rest| !rest.starts_with(['\n', '\r']));
    let mut quoted = String::from("\"\"\"");
    // TOML ignores a line end after the opening quotes, so a text that starts with one needs another.
    if !old_starts_after_quotes || text.starts_with('\n') {
        quoted.push('\n');
    }
    for (position, character) in text.char_indices() {
        let rest = &text[position + character.len_utf8()..];
        match character {
            '\n' => quoted.push('\n'),
            // Three quotes in a row, or one at the end, would end the text.
            '"' if rest.is_empty() || rest.starts_with('"') => quoted.push_str("\\\""),
            '"' => quoted.push('"'),
            _ => push_escaped(&mut quoted, character),
        }
    }
    quoted.push_str("\"\"\"");
    if line_end == "\n" { quoted } else { quoted.replace('\n', line_end) }
}

fn push_escaped(to: &mut String, character: char) {
    match character {
        '\\' => to.push_str("\\\\"),
        '"' => to.push_str("\\\""),
        '\n' => to.push_str("\\n"),
        '\t' => to.push_str("\\t"),
        character if character.is_control() => _ = write!(to, "\\u{:04X}", u32::from(character)),
        character => to.push(character),
    }
}

pub(crate) fn split_byte_order_mark(text: &str) -> (&str, &str) {
    let mark = '\u{feff}';
    text.split_at(if text.starts_with(mark) { mark.len_utf8() } else { 0 })
}

fn parse(text: &str) -> Result<Spanned<DeTable<'_>>, String> {
    let (file, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() { Ok(file) } else { Err("the file isn't valid TOML anymore".to_owned()) }
}

pub fn has_key(text: &str, key: &str) -> Result<bool, String> {
    Ok(find(parse(text)?.get_ref(), key).is_some())
}

type KeyAndValue<'t, 'i> = (&'t Spanned<std::borrow::Cow<'i, str>>, &'t Spanned<DeValue<'i>>);

fn find<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<KeyAndValue<'t, 'i>> {
    table.iter().find(|(known, _)| known.get_ref() == key)
}

fn end_of_line(text: &str, position: usize) -> usize {
    let end = text[position..].find('\n').map_or(text.len(), |length| position + length);
    if text[position..end].ends_with('\r') { end - 1 } else { end }
}

/// Extends a range to whole lines and the line end after them. If there is none, takes the line end before them instead.
fn whole_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |line_end| line_end + 1);
    match text[range.end..].find('\n') {
        Some(length) => start..range.end + length + 1,
        None => start - length_of_line_end_before(text, start)..text.len(),
    }
}

fn length_of_line_end_before(text: &str, position: usize) -> usize {
    let before = &text[..position];
    if before.ends_with("\r\n") { 2 } else { usize::from(before.ends_with('\n')) }
}

/// Returns the end of a header such as `[insurance]`, or `None` if the table is written in another way.
fn header_end(text: &str, table_key: &Range<usize>) -> Option<usize> {
    let before = text[..table_key.start].rsplit('\n').next()?.trim();
    let rest = &text[table_key.end..];
    let close = rest.find(']')?;
    (before == "[" && rest[..close].trim().is_empty()).then_some(table_key.end + close + 1)
}

fn replace_range(text: &str, range: Range<usize>, new: &str) -> String {
    [&text[..range.start], new, &text[range.end..]].concat()
}

fn replace_value(text: &str, old: &Spanned<DeValue<'_>>, new: &NewValue) -> String {
    replace_range(text, old.span(), &new.to_toml(Some(&OldValue::new(text, old)), line_end(text)))
}

fn remove_lines(text: &str, (key, value): KeyAndValue<'_, '_>) -> String {
    replace_range(text, whole_lines(text, key.span().start..value.span().end), "")
}

/// `lines` starts with a line end.
fn insert_below(text: &str, position: usize, lines: &str) -> String {
    let end = end_of_line(text, position);
    replace_range(text, end..end, lines)
}

/// A new key is added below the first of `keys_above` (nearest first) that the file has.
pub fn set(text: &str, key: &str, value: &NewValue, keys_above: &[&str]) -> Result<String, String> {
    let file = parse(text)?;
    let file = file.get_ref();
    if let Some((_, old)) = find(file, key) {
        return Ok(replace_value(text, old, value));
    }
    let (_, value_above) = keys_above.iter().find_map(|above| find(file, above)).ok_or(NO_ID)?;
    let line_end = line_end(text);
    let toml = value.to_toml(None, line_end);
    Ok(insert_below(text, value_above.span().end, &format!("{line_end}{key} = {toml}")))
}

pub fn remove(text: &str, key: &str) -> Result<String, String> {
    let file = parse(text)?;
    Ok(find(file.get_ref(), key).map_or_else(|| text.to_owned(), |found| remove_lines(text, found)))
}

/// Removes the key if `value` is `None`. A new key is added below the last key of the table for which `is_above` is true, or
/// else below the header. A new table is added below the lowest of `keys_above_table` in the file. A key can be added or
/// removed only if the table has a header, or is between braces on one line.
pub fn set_in_table(
    text: &str,
    (table, key): (&str, &str),
    value: Option<&NewValue>,
    is_above: impl Fn(&str) -> bool,
    keys_above_table: &[&str],
) -> Result<String, String> {
    let file = parse(text)?;
    let file = file.get_ref();
    let line_end = line_end(text);
    let new_toml = value.map(|value| value.to_toml(None, line_end));
    let Some((table_key, table_value)) = find(file, table) else {
        let Some(toml) = new_toml else { return Ok(text.to_owned()) };
        let values_above = keys_above_table.iter().filter_map(|above| Some(find(file, above)?.1));
        let last = values_above.max_by_key(|value| value.span().end).ok_or(NO_ID)?;
        let lines = format!("{line_end}{line_end}[{table}]{line_end}{key} = {toml}");
        return Ok(insert_below(text, last.span().end, &lines));
    };
    let DeValue::Table(entries) = table_value.get_ref() else {
        return Err(format!(
            "`{table}` isn't a table: delete it, and write [{table}] and its lines at the end of the file"
        ));
    };
    let old = find(entries, key);
    if let (Some((_, old)), Some(value)) = (old, value) {
        return Ok(replace_value(text, old, value));
    }
    let advice = || format!("write [{table}] on its own line at the end of the file, and its keys below it");
    let table_toml = &text[table_value.span()];
    if table_toml.starts_with('{') {
        // A table on several lines may have comments, which would be lost.
        if table_toml.contains('\n') {
            return Err(advice());
        }
        return Ok(replace_range(text, table_value.span(), &inline_table(text, entries, key, new_toml)));
    }
    let header_end = header_end(text, &table_key.span()).ok_or_else(advice)?;
    if let Some(old) = old {
        // `value` is `None`, because a new value would have replaced the old one above.
        return Ok(remove_lines(text, old));
    }
    let Some(toml) = new_toml else { return Ok(text.to_owned()) };
    let entries_above = entries.iter().filter(|(known, _)| is_above(known.get_ref()));
    let end_above = entries_above.map(|(_, value)| value.span().end).max().unwrap_or(header_end);
    let width = common_padding(text, entries);
    Ok(insert_below(text, end_above, &format!("{line_end}{key:width$} = {toml}")))
}

/// Sets a key in the tables of a list such as `[[leave]]`, a value in each, and removes it from further tables. Missing
/// tables are added at the end of the file. A table goes with its last key.
pub fn set_in_tables(text: &str, (list, key): (&str, &str), values: &[NewValue]) -> Result<String, String> {
    let file = parse(text)?;
    let tables = find(file.get_ref(), list).and_then(|(_, tables)| tables.get_ref().as_array());
    let tables: Vec<&DeTable<'_>> = tables
        .into_iter()
        .flat_map(|tables| tables.iter())
        .filter_map(|it| it.get_ref().as_table())
        .collect();
    let (mut edited, line_end) = (text.to_owned(), line_end(text));
    for value in &values[tables.len().min(values.len())..] {
        let toml = value.to_toml(None, line_end);
        let end = edited.trim_end().len();
        edited.replace_range(
            end..,
            &format!("{line_end}{line_end}[[{list}]]{line_end}{key} = {toml}{line_end}"),
        );
    }
    // The last table is edited first, so that the places in those before it stay right.
    for (position, table) in tables.iter().enumerate().rev() {
        edited = match (find(table, key), values.get(position)) {
            (Some((_, old)), Some(value)) => replace_value(&edited, old, value),
            (Some((only, value)), None) if table.len() == 1 => {
                let header = edited[..only.span().start].rfind('[').unwrap_or_default();
                replace_range(&edited, whole_lines(&edited, header..value.span().end), "")
            }
            (Some(old), None) => remove_lines(&edited, old),
            (None, Some(value)) => {
                let end = table.iter().map(|(_, value)| value.span().end).max().ok_or(NO_ID)?;
                insert_below(&edited, end, &format!("{line_end}{key} = {}", value.to_toml(None, line_end)))
            }
            (None, None) => edited,
        };
    }
    Ok(edited)
}

fn inline_table(text: &str, entries: &DeTable<'_>, key: &str, new_toml: Option<String>) -> String {
    let mut others: Vec<_> = entries.iter().filter(|(known, _)| known.get_ref() != key).collect();
    others.sort_by_key(|(known, _)| known.span().start);
    let entry =
        |(known, value): &KeyAndValue<'_, '_>| format!("{} = {}", &text[known.span()], &text[value.span()]);
    let mut parts: Vec<String> = others.iter().map(entry).collect();
    parts.extend(new_toml.map(|toml| format!("{key} = {toml}")));
    format!("{{ {} }}", parts.join(", "))
}

/// Returns the width to which all keys of a table are padded, such as 3 for `TX  = []`, or 0 if they differ or are too wide.
fn common_padding(text: &str, entries: &DeTable<'_>) -> usize {
    let mut widths = entries.iter().filter_map(|(key, _)| {
        let span = key.span();
        let spaces = text[span.end..].find('=')?;
        // The last space before the `=` is not padding.
        Some(span.len() + spaces.saturating_sub(1))
    });
    let first = widths.next().filter(|width| *width <= WIDEST_PADDING).unwrap_or(0);
    if widths.all(|width| width == first) { first } else { 0 }
}

pub fn replace_in_lists(text: &str, table: &str, old: &str, new: &str) -> Result<String, String> {
    let file = parse(text)?;
    let table = find(file.get_ref(), table).and_then(|(_, table)| table.get_ref().as_table());
    let lists = table.into_iter().flatten().filter_map(|(_, list)| list.get_ref().as_array());
    Ok(replace_texts(text, lists.flat_map(|list| list.iter()), old, new))
}

pub fn replace_in_entries(
    text: &str,
    (tables, key): (&str, &str),
    old: &str,
    new: &str,
) -> Result<String, String> {
    let file = parse(text)?;
    let entries = find(file.get_ref(), tables).and_then(|(_, entries)| entries.get_ref().as_array());
    let entries = entries.into_iter().flat_map(|entries| entries.iter());
    let values = entries.filter_map(|entry| Some(find(entry.get_ref().as_table()?, key)?.1));
    Ok(replace_texts(text, values, old, new))
}

fn replace_texts<'t, 'i: 't>(
    text: &str,
    values: impl Iterator<Item = &'t Spanned<DeValue<'i>>>,
    old: &str,
    new: &str,
) -> String {
    let equal_values = values.filter(|value| value.get_ref().as_str() == Some(old));
    let mut spans: Vec<_> = equal_values.map(Spanned::span).collect();
    // The last text is replaced first, so that the spans before it stay valid.
    spans.sort_by_key(|span| std::cmp::Reverse(span.start));
    spans.into_iter().fold(text.to_owned(), |text, span| replace_range(&text, span, &quoted(new)))
}

/// The keys of the `listed` tables have paths of two parts: that of `CA` in `[insurance]` is `["insurance", "CA"]`.
pub fn key_ranges(text: &str, listed: &[&str]) -> Vec<(Vec<String>, Range<usize>)> {
    let Ok(file) = parse(text) else { return Vec::new() };
    let mut ranges = Vec::new();
    for (name, value) in file.get_ref() {
        let tables: Vec<&DeTable<'_>> = match value.get_ref() {
            DeValue::Table(table) => vec![table],
            DeValue::Array(tables) => tables.iter().filter_map(|it| it.get_ref().as_table()).collect(),
            _ => Vec::new(),
        };
        if listed.contains(&&**name.get_ref()) && !tables.is_empty() {
            ranges.extend(tables.into_iter().flatten().map(|(key, value)| {
                let path = vec![name.get_ref().to_string(), key.get_ref().to_string()];
                (path, key.span().start..value.span().end)
            }));
        } else {
            ranges.push((vec![name.get_ref().to_string()], name.span().start..value.span().end));
        }
    }
    ranges
}

#[cfg(test)]
mod tests;
