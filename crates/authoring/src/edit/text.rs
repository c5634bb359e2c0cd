//! Edits single values in a TOML text. Every other byte stays, even comments and line ends.

use std::fmt::Write as _;
use std::ops::Range;

use chrono::NaiveDate;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::list::{self, Item};

/// Wider columns of keys, padding included, are not imitated by a new line.
const WIDEST: usize = 80;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewValue {
    Text(String),
    Flag(bool),
    Date(NaiveDate),
    Texts(Vec<String>),
    Numbers(Vec<i64>),
}

impl NewValue {
    /// The value as TOML, in the style of the old one.
    fn written(&self, old: Option<&Old<'_>>, line_end: &str) -> String {
        match self {
            Self::Text(text) => {
                let old = old.map_or("", |old| old.raw);
                if old.starts_with("\"\"\"") || text.contains('\n') {
                    paragraph(text, old, line_end)
                } else {
                    quoted(text)
                }
            }
            Self::Flag(flag) => flag.to_string(),
            Self::Date(date) => date.to_string(),
            Self::Texts(texts) => in_list(old, &texts.iter().map(|text| quoted(text)).collect::<Vec<_>>()),
            Self::Numbers(numbers) => in_list(old, &numbers.iter().map(i64::to_string).collect::<Vec<_>>()),
        }
    }
}

fn in_list(old: Option<&Old<'_>>, items: &[String]) -> String {
    match old {
        Some(Old { raw, items: Some(old) }) => list::edited(raw, old, items),
        _ => format!("[{}]", items.join(", ")),
    }
}

/// An existing value.
struct Old<'a> {
    raw: &'a str,
    /// The items of a list.
    items: Option<Vec<Item>>,
}

impl<'a> Old<'a> {
    fn of(text: &'a str, value: &Spanned<DeValue<'_>>) -> Self {
        let span = value.span();
        let items = value.get_ref().as_array().map(|array| {
            let item = |item: &Spanned<DeValue<'_>>| Item {
                span: item.span().start - span.start..item.span().end - span.start,
                token: match item.get_ref() {
                    DeValue::String(text) => quoted(text),
                    _ => text[item.span()].to_owned(),
                },
            };
            array.iter().map(item).collect()
        });
        Self { raw: &text[span], items }
    }
}

/// A text on one line as TOML writes it.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        push_escaped(&mut quoted, character, true);
    }
    quoted.push('"');
    quoted
}

/// A text in triple quotes.
fn paragraph(text: &str, old: &str, line_end: &str) -> String {
    let begins_below = old.strip_prefix("\"\"\"").is_none_or(|rest| rest.starts_with(['\n', '\r']));
    // The first line break is not part of the text.
    let mut written =
        String::from(if begins_below || text.starts_with('\n') { "\"\"\"\n" } else { "\"\"\"" });
    for (at, character) in text.char_indices() {
        let rest = &text[at + character.len_utf8()..];
        match character {
            '\n' => written.push('\n'),
            // Three in a row, or one at the end, would end the text.
            '"' if rest.is_empty() || rest.starts_with('"') => written.push_str("\\\""),
            '"' => written.push('"'),
            _ => push_escaped(&mut written, character, false),
        }
    }
    written.push_str("\"\"\"");
    if line_end == "\n" { written } else { written.replace('\n', line_end) }
}

fn push_escaped(to: &mut String, character: char, quotes: bool) {
    match character {
        '\\' => to.push_str("\\\\"),
        '"' if quotes => to.push_str("\\\""),
        '\n' => to.push_str("\\n"),
        '\t' => to.push_str("\\t"),
        character if character.is_control() => _ = write!(to, "\\u{:04X}", u32::from(character)),
        character => to.push(character),
    }
}

fn parsed(text: &str) -> Result<Spanned<DeTable<'_>>, String> {
    let (file, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() { Ok(file) } else { Err("the file is not valid TOML any more".to_owned()) }
}

/// Whether the file has a key or a table.
pub fn has(text: &str, key: &str) -> Result<bool, String> {
    Ok(find(parsed(text)?.get_ref(), key).is_some())
}

type KeyAndValue<'t, 'i> = (&'t Spanned<std::borrow::Cow<'i, str>>, &'t Spanned<DeValue<'i>>);

fn find<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<KeyAndValue<'t, 'i>> {
    table.iter().find(|(known, _)| known.get_ref() == key)
}

#[must_use]
pub fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Where the line at `from` ends, without its line end.
fn end_of_line(text: &str, from: usize) -> usize {
    let end = text[from..].find('\n').map_or(text.len(), |at| from + at);
    if text[from..end].ends_with('\r') { end - 1 } else { end }
}

/// The lines of a range, with one line end.
fn whole_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    match text[range.end..].find('\n') {
        Some(at) => start..range.end + at + 1,
        // The last line: drop the line end above.
        None => start - line_end_before(text, start)..text.len(),
    }
}

fn line_end_before(text: &str, at: usize) -> usize {
    let before = &text[..at];
    if before.ends_with("\r\n") { 2 } else { usize::from(before.ends_with('\n')) }
}

/// The end of a header such as `[insurance]`, if that is where the key stands.
fn header_end(text: &str, key: &Range<usize>) -> Option<usize> {
    let before = text[..key.start].rsplit('\n').next()?.trim();
    let rest = &text[key.end..];
    let close = rest.find(']')?;
    (before == "[" && rest[..close].trim().is_empty()).then_some(key.end + close + 1)
}

/// Sets a key's value. A new key goes below the first key of `below` that the file has.
pub fn set(text: &str, key: &str, value: &NewValue, below: &[&str]) -> Result<String, String> {
    let file = parsed(text)?;
    let file = file.get_ref();
    let line_end = line_end(text);
    let mut edited = text.to_owned();
    if let Some((_, old)) = find(file, key) {
        edited.replace_range(old.span(), &value.written(Some(&Old::of(text, old)), line_end));
        return Ok(edited);
    }
    let above = below.iter().find_map(|above| find(file, above)).ok_or("the file has no id")?;
    let at = end_of_line(text, above.1.span().end);
    edited.insert_str(at, &format!("{line_end}{key} = {}", value.written(None, line_end)));
    Ok(edited)
}

/// The text without a key and its line.
pub fn remove(text: &str, key: &str) -> Result<String, String> {
    let file = parsed(text)?;
    let mut edited = text.to_owned();
    if let Some((key, value)) = find(file.get_ref(), key) {
        edited.replace_range(whole_lines(text, key.span().start..value.span().end), "");
    }
    Ok(edited)
}

/// Edits a key of a table, such as `[insurance]`; `None` removes it. A new key stands below the last one of which `is_above`
/// is true. A table that is not there is added below all keys in `below`.
///
/// A key is added or removed only if the table has a header, or stands between braces on one line.
pub fn set_in_table(
    text: &str,
    (table, key): (&str, &str),
    value: Option<&NewValue>,
    is_above: impl Fn(&str) -> bool,
    below: &[&str],
) -> Result<String, String> {
    let file = parsed(text)?;
    let file = file.get_ref();
    let line_end = line_end(text);
    let mut edited = text.to_owned();
    let Some((table_key, entries)) = find(file, table) else {
        if let Some(value) = value {
            let (_, last) = below
                .iter()
                .filter_map(|above| find(file, above))
                .max_by_key(|(_, value)| value.span().end)
                .ok_or("the file has no id")?;
            let at = end_of_line(text, last.span().end);
            let value = value.written(None, line_end);
            edited.insert_str(at, &format!("{line_end}{line_end}[{table}]{line_end}{key} = {value}"));
        }
        return Ok(edited);
    };
    let DeValue::Table(known) = entries.get_ref() else {
        return Err(format!(
            "`{table}` is not a table: delete it, and write [{table}] and its lines at the end of the file"
        ));
    };
    let present = find(known, key);
    if let (Some((_, old)), Some(value)) = (present, value) {
        edited.replace_range(old.span(), &value.written(Some(&Old::of(text, old)), line_end));
        return Ok(edited);
    }
    let by_hand =
        || Err(format!("write [{table}] on a line of its own at the end of the file, and its keys below it"));
    if text[entries.span()].starts_with('{') {
        // Rewriting it would lose its comments.
        if text[entries.span()].contains('\n') {
            return by_hand();
        }
        let mut kept: Vec<_> = known.iter().filter(|(known, _)| known.get_ref() != key).collect();
        kept.sort_by_key(|(known, _)| known.span().start);
        let kept = kept.iter().map(|(known, value)| (&text[known.span()], &text[value.span()]));
        let mut parts: Vec<String> = kept.map(|(known, value)| format!("{known} = {value}")).collect();
        parts.extend(value.map(|value| format!("{key} = {}", value.written(None, line_end))));
        edited.replace_range(entries.span(), &format!("{{ {} }}", parts.join(", ")));
        return Ok(edited);
    }
    let Some(header) = header_end(text, &table_key.span()) else { return by_hand() };
    match (present, value) {
        (Some((key, old)), None) => {
            edited.replace_range(whole_lines(text, key.span().start..old.span().end), "");
        }
        (None, Some(value)) => {
            let above = known.iter().filter(|(known, _)| is_above(known.get_ref()));
            let above = above.max_by_key(|(_, value)| value.span().end);
            let at = end_of_line(text, above.map_or(header, |(_, value)| value.span().end));
            let mut widths = known.iter().filter_map(|(key, _)| aligned(text, key.span()));
            let first = widths.next().filter(|width| *width <= WIDEST).unwrap_or(0);
            let width = if widths.all(|width| width == first) { first } else { 0 };
            let value = value.written(None, line_end);
            edited.insert_str(at, &format!("{line_end}{key:width$} = {value}"));
        }
        _ => {}
    }
    Ok(edited)
}

/// A key's width with padding, but without the space before `=`.
fn aligned(text: &str, key: Range<usize>) -> Option<usize> {
    Some(key.len() + text[key.end..].find('=')?.saturating_sub(1))
}

/// Replaces each item that equals `old` in the lists of a table.
pub fn replace_in_lists(text: &str, table: &str, old: &str, new: &str) -> Result<String, String> {
    let file = parsed(text)?;
    let mut spans = Vec::new();
    if let Some((_, entries)) = find(file.get_ref(), table)
        && let DeValue::Table(lists) = entries.get_ref()
    {
        let items =
            lists.iter().filter_map(|(_, list)| list.get_ref().as_array()).flat_map(|list| list.iter());
        spans.extend(items.filter(|item| item.get_ref().as_str() == Some(old)).map(Spanned::span));
    }
    Ok(replaced(text, spans, &quoted(new)))
}

/// Replaces a key's value in each entry of a list of tables where it equals `old`.
pub fn replace_in_entries(
    text: &str,
    (tables, key): (&str, &str),
    old: &str,
    new: &str,
) -> Result<String, String> {
    let file = parsed(text)?;
    let mut spans = Vec::new();
    if let Some((_, entries)) = find(file.get_ref(), tables) {
        let entries = entries.get_ref().as_array().into_iter().flat_map(|entries| entries.iter());
        let values = entries.filter_map(|entry| find(entry.get_ref().as_table()?, key));
        let values = values.map(|(_, value)| value);
        spans.extend(values.filter(|value| value.get_ref().as_str() == Some(old)).map(Spanned::span));
    }
    Ok(replaced(text, spans, &quoted(new)))
}

fn replaced(text: &str, mut spans: Vec<Range<usize>>, with: &str) -> String {
    spans.sort_by_key(|span| std::cmp::Reverse(span.start));
    let mut edited = text.to_owned();
    for span in spans {
        edited.replace_range(span, with);
    }
    edited
}

/// The byte range of each key with its value, in the file and in `table`.
#[must_use]
pub fn places(text: &str, table: &str) -> Vec<(Vec<String>, Range<usize>)> {
    let Ok(file) = parsed(text) else { return Vec::new() };
    let mut places = Vec::new();
    for (key, value) in file.get_ref() {
        if key.get_ref() == table
            && let DeValue::Table(inner) = value.get_ref()
        {
            places.extend(inner.iter().map(|(inner, value)| {
                let path = vec![table.to_owned(), inner.get_ref().to_string()];
                (path, inner.span().start..value.span().end)
            }));
        } else {
            places.push((vec![key.get_ref().to_string()], key.span().start..value.span().end));
        }
    }
    places
}

#[cfg(test)]
mod tests;
