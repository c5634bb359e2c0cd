//! What is tried for whole lines: headers, repetitions, notes, and signs that do not belong there.

use std::ops::Range;

use chrono::{NaiveDate, Weekday};

use super::super::lines::{each_line, line_at, line_number};
use super::super::mistakes::is_dash;
use super::super::offer::{Class, Edit};
use super::super::problem::FileSpan;
use super::super::shape::{Keys, Shape};
use super::super::statement::{
    Statement, begins_table, table_above, text_without_end, values_without_comma, without_comment,
};
use super::candidate::{Candidate, Effect};
use super::here::Here;
use super::lists::{inner, without_entry};
use super::whole_file::decoded;
use crate::model::StateCode;

impl Here<'_> {
    /// The end of a text in three quotes. With more lines, where it ends is a guess.
    pub(super) fn with_end_of_text(&self) -> Option<Candidate> {
        let open = text_without_end(self.form, self.text).filter(|open| open.start <= self.span.start)?;
        let is_guess = self.text[open.clone()].contains('\n');
        let line = line_number(self.text, open.end);
        let kept =
            self.text[..open.end].trim_end_matches(['"', '”', '“', '\'', ' ']).len().max(open.start + 3);
        let edit = self.edit("characters", kept..open.end, "\"\"\"");
        let class = if is_guess { Class::Likely } else { Class::Certain };
        let other = self.text[kept..open.end].trim();
        let instead = if other.is_empty() { String::new() } else { format!(" in place of {other}") };
        Some(edit.class(class).titled(format!("Write \"\"\"{instead} at the end of line {line}")))
    }

    pub(super) fn with_commas(&self) -> Option<Candidate> {
        let values = values_without_comma(self.text, self.span.start);
        let comma = |at: usize| if self.text[at..].starts_with(['"', '[']) { ", " } else { "," };
        let edit = |value: &Range<usize>| match self.text[value.clone()].strip_suffix(",\"") {
            // "mon," "tue": the comma is there, before the quote.
            Some(kept) => self.write(value.start + kept.len()..value.end, format!("\"{}", comma(value.end))),
            None => self.write(value.end..value.end, comma(value.end)),
        };
        let edits = values.iter().map(edit).collect();
        let [first, others @ ..] = &values[..] else { return None };
        let commas = Candidate::of("characters", edits).class(Class::Certain);
        let is_long =
            self.text[line_at(self.text, first.start)].trim_start().starts_with(&self.text[first.clone()]);
        let all = others.iter().fold(self.text[first.clone()].to_owned(), |all, value| {
            format!("{all} and after {}", &self.text[value.clone()])
        });
        Some(if is_long { commas.titled(format!("Write a comma after {all}")) } else { commas })
    }

    pub(super) fn header(&self) -> Vec<Candidate> {
        let line = self.line();
        let written = &self.text[line.clone()];
        let trimmed = written.trim();
        let plain = trimmed.trim_matches(['"', '*', '`', ':', '{', ' ']);
        let is_table = |top: &Keys| matches!(top.get(plain), Some(Shape::Table | Shape::Tables));
        let is_header = trimmed.starts_with('[')
            || plain.starts_with('[') && plain.ends_with(']') && !plain.contains(',')
            || !trimmed.contains('=') && self.form.top().is_some_and(is_table)
            || trimmed.starts_with(['(', '{', '<']) && !trimmed.contains(['=', '"', ',', ':'])
            || trimmed.ends_with(']') && !trimmed.contains(['=', '"', ',']);
        let Some(top) = self.form.top().filter(|_| is_header) else { return Vec::new() };
        let is_end = |sign: char| !sign.is_alphanumeric() && sign != '#' && !sign.is_whitespace();
        let length = trimmed.rfind(']').map_or_else(
            || trimmed.find('#').unwrap_or(trimmed.len()),
            |at| trimmed.len() - trimmed[at..].trim_start_matches(is_end).len(),
        );
        // "[insurance] all = [...]": what follows belongs on the next line.
        let (header, rest) = match trimmed.find('=').and_then(|_| trimmed.split_once(']')) {
            Some((header, rest)) => (header, rest.trim_start_matches(']').trim_start()),
            None => (trimmed[..length].trim_end(), ""),
        };
        let name = header.trim_matches(|sign: char| !sign.is_alphanumeric());
        if let Some(days) = self.headers_of_days(name) {
            return vec![days];
        }
        // "licenses" is nearer to the list `licensed`.
        let singular = name.strip_suffix('s').filter(|name| top.get(name).is_some());
        // "maternity leave"
        let singular = singular.or_else(|| name.split(' ').rfind(|word| top.get(word).is_some()));
        let (name, class) = match (top.get(name), top.spelled(name), singular.or_else(|| top.near(name))) {
            (Some(_), ..) => (name, Class::Certain),
            (None, Some(name), _) => (name, Class::Certain),
            (None, None, Some(name)) => (name, Class::Likely),
            _ => return self.header_of_kind(name).into_iter().collect(),
        };
        let note = trimmed[length..].trim();
        let is_note = rest.is_empty() && note.starts_with(char::is_alphabetic);
        let (length, note) =
            if is_note { (trimmed.len(), format!(" # {note}")) } else { (length, String::new()) };
        let header = match top.get(name) {
            Some(Shape::Table) => format!("[{name}]{note}"),
            Some(Shape::Tables) => format!("[[{name}]]{note}"),
            _ => return Vec::new(),
        };
        let start = line.start + written.len() - written.trim_start().len();
        let (length, text) =
            if rest.is_empty() { (length, header) } else { (trimmed.len(), format!("{header}\n{rest}")) };
        let single = each_line(self.text).filter(|(_, line)| line.trim() == trimmed);
        let edits: Vec<Edit> =
            single.map(|(at, line)| self.write(at..at + line.trim_end().len(), text.clone())).collect();
        let edit = self.edit("header", start..start + length, &*text).class(class);
        // Each entry of a list needs two brackets.
        let each = Candidate::of("header", edits).class(class);
        let each =
            each.titled(format!("Write two brackets on each side, {text}, in place of each {trimmed}"));
        let has_several = rest.is_empty() && each.edits.len() > 1;
        if trimmed == format!("[[{name}]]") {
            return self.single_headers(name).into_iter().collect();
        }
        let is_single = top.get(name) == Some(&Shape::Table);
        let joined = if is_single { self.joined_tables(name) } else { has_several.then_some(each) };
        [edit].into_iter().chain(joined).collect()
    }

    /// The headers of a list of tables that have one bracket on each side, where another has two.
    fn single_headers(&self, name: &str) -> Option<Candidate> {
        let single = format!("[{name}]");
        let lines = each_line(self.text).filter(|(_, line)| without_comment(line).trim() == single);
        let starts: Vec<usize> = lines.map(|(at, line)| at + line.find('[').unwrap_or_default()).collect();
        let line = line_number(self.text, *starts.first()?);
        let edits = starts.iter().map(|&at| self.write(at..at + single.len(), format!("[{single}]")));
        let title =
            format!("Write two brackets on each side, [{single}], in place of {single} on line {line}");
        Some(Candidate::of("header", edits.collect()).class(Class::Certain).titled(title))
    }

    /// A second entry of a list of tables, or an exception, without its header.
    pub(super) fn second_entry(&self) -> Option<Candidate> {
        let line = self.line();
        let key = self.text[line.clone()].split_once('=')?.0.trim();
        let table = table_above(self.text, line.start);
        let is_of_tables = self.form.top().and_then(|top| top.get(table)) == Some(&Shape::Tables);
        let table = if is_of_tables && self.above(line.start, key).is_some() {
            table
        } else if key == "kind" && self.form.table("exception").is_some() {
            "exception"
        } else {
            return None;
        };
        let (start, above) = match self.first_repeated_key().filter(|start| *start < line.start) {
            Some(start) => (start, format!("line {}", line_number(self.text, start))),
            None => (line.start, "this line".to_owned()),
        };
        let title = format!("Write [[{table}]] above {above}: another entry begins there");
        Some(self.edit("header", start..start, format!("[[{table}]]\n")).titled(title))
    }

    /// Where the first line of a table is whose key the table has already.
    fn first_repeated_key(&self) -> Option<usize> {
        let table = self.table()?;
        let mut keys = Vec::new();
        let mut lines = each_line(&self.text[table.clone()]);
        lines.find_map(|(at, line)| {
            let key = line.split_once('=')?.0.trim();
            let is_repeated = keys.contains(&key);
            keys.push(key);
            is_repeated.then_some(table.start + at)
        })
    }

    /// Two keys on one line.
    pub(super) fn split(&self) -> Option<Candidate> {
        let line = self.line();
        let written = &self.text[line.clone()];
        let is_key = self.is_key(line.start);
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut from = 0;
        for (equals, _) in written.match_indices('=') {
            let before = written[from..equals].trim_end();
            let key = before.trim_end_matches(|sign: char| sign.is_ascii_alphanumeric() || sign == '-');
            let begin = key.len();
            if begin > 0 && is_key(&before[begin..]) {
                parts.push(line.start + from..line.start + from + begin);
                from += begin;
            }
        }
        parts.push(line.start + from..line.end);
        let lines = parts.into_iter().map(|part| self.text[part].trim());
        let lines: Vec<&str> = lines.map(|part| part.trim_end_matches([',', ';']).trim_end()).collect();
        let edit = self.edit("line", line, lines.join("\n")).class(Class::Certain);
        (lines.len() > 1).then(|| edit.titled("Put each key on its own line"))
    }

    pub(super) fn repeated_line(&self) -> Vec<Candidate> {
        let line = self.line();
        let written = self.text[line.clone()].trim();
        let Some(first) = written.split_once('=').and_then(|(key, _)| self.above(line.start, key.trim()))
        else {
            return Vec::new();
        };
        let other = self.text[first.whole.clone()].trim();
        let this = self.without_lines("repeat", &line);
        if other == written {
            return vec![this.titled("Delete this line: it repeats one above")];
        }
        let [above, below] = [first.whole.start, line.start].map(|at| line_number(self.text, at));
        let keep = |text, on, other| format!("Keep {text} on line {on}, and delete line {other}");
        let both = self.joined_lists(&first, &line);
        let first = self.without_lines("repeat", &first.whole).titled(keep(written, below, above));
        both.into_iter().chain([first, this.titled(keep(other, above, below))]).collect()
    }

    /// The entries of two lists with the same key, in the first one.
    fn joined_lists(&self, first: &Statement, second: &Range<usize>) -> Option<Candidate> {
        let key = first.key(self.text);
        let second = Statement::on_line(self.text, second.start, |known| known == key)?;
        let entries = |statement: &Statement| {
            let table: toml::Table = self.text[statement.whole.clone()].trim().parse().ok()?;
            let entries = table.into_iter().next()?.1.as_array()?.clone();
            let written = statement.value(self.text).strip_prefix('[')?.strip_suffix(']')?;
            Some((entries, written.trim().trim_end_matches(',')))
        };
        let ((own, written), (others, more)) = (entries(first)?, entries(&second)?);
        // The newer list of states may be shorter.
        if key == "accepting"
            || own.is_empty()
            || others.is_empty()
            || own.iter().any(|entry| others.contains(entry))
        {
            return None;
        }
        let [above, below] = [first, &second].map(|found| line_number(self.text, found.whole.start));
        let list = format!("[{written}, {more}]");
        let title = format!("Write {key} = {list} on line {above}, and delete line {below}");
        let mut edits = self.without_lines("repeat", &second.whole).edits;
        edits.push(self.write(first.value.clone(), list));
        Some(Candidate::of("repeat", edits).titled(title))
    }

    /// An entry that stands in its list twice, or a whole table.
    pub(super) fn repeated_entry(&self) -> Vec<Candidate> {
        let raw = self.text.get(self.span.clone()).unwrap_or_default();
        let is_second =
            self.text[..self.span.start].rsplit_once('[').is_some_and(|(_, list)| list.contains(raw));
        let span = without_entry(self.text, &self.span).filter(|_| is_second);
        let or = match inner(raw) {
            text if text.parse::<StateCode>().is_ok() => ", or write the state that was meant",
            text if text.parse::<Weekday>().is_ok() => ", or write the day that was meant",
            _ => ", or write the one that was meant",
        };
        let title = format!("Delete the second {raw}{or}");
        let entry = span.map(|span| self.edit("repeat", span, "").titled(title));
        entry.into_iter().chain(self.repeated_table()).collect()
    }

    pub(super) fn tables(&self) -> Vec<Range<usize>> {
        let headers = each_line(self.text).filter(|(_, line)| begins_table(line.trim())).map(|(at, _)| at);
        let starts: Vec<usize> = headers.chain([self.text.len()]).collect();
        starts.windows(2).map(|ends| ends[0]..ends[1]).collect()
    }

    /// A leave whose days contradict those at another place.
    pub(super) fn leave(&self, other: &FileSpan) -> Vec<Candidate> {
        let Some((start, end)) = other.span.filter(|_| table_above(self.text, self.span.start) == "leave")
        else {
            return Vec::new();
        };
        let tables = self.tables();
        let table_of = |at: usize| tables.iter().find(|table| table.contains(&at)).cloned();
        let deleted = |at: usize, title: &str, effect| {
            Some(self.edit("order", table_of(at)?, "").titled(title).with(effect))
        };
        let mut found: Vec<_> = self.joined_leaves(&tables).into_iter().collect();
        let is_no_day = self.text.get(start..end) == self.text.get(self.span.clone());
        if table_of(start) != table_of(self.span.start) || is_no_day {
            found.extend(deleted(self.span.start, "Delete this leave", Effect::Removes));
        }
        if table_of(start) != table_of(self.span.start) {
            found.extend(deleted(start, "Delete the other leave", Effect::RemovesOther));
            let line = format!("until = {}", &self.text[self.span.clone()]);
            let ended = self.edit("order", end..end, format!("\n{line}"));
            found.push(ended.titled(format!("Write {line} in the other leave")).with(Effect::PutsBack));
        }
        found
    }

    /// Three or more leaves that overlap, as one: what heals two of them can break the third.
    fn joined_leaves(&self, tables: &[Range<usize>]) -> Option<Candidate> {
        let read = |table: &Range<usize>| {
            let parsed: toml::Table = self.text[table.clone()].parse().ok()?;
            let leave = parsed.get("leave")?.get(0)?;
            let date = |key| match leave.get(key)? {
                toml::Value::Datetime(date) => date.to_string().parse::<NaiveDate>().ok(),
                other => other.as_str()?.parse().ok(),
            };
            Some((date("from")?, date("until").unwrap_or(NaiveDate::MAX), table.clone()))
        };
        let mut leaves: Vec<_> = tables.iter().filter_map(read).collect();
        leaves.sort_by_key(|(from, ..)| *from);
        // Its days are unknown, so what it overlaps is, too.
        let has_swapped = leaves.iter().any(|(from, until, _)| until < from);
        let mut group: Vec<Range<usize>> = Vec::new();
        let (mut first, mut end) = (NaiveDate::MIN, NaiveDate::MIN);
        for (from, until, table) in leaves {
            if end <= from {
                if group.iter().any(|table| table.contains(&self.span.start)) {
                    break;
                }
                (first, group) = (from, Vec::new());
            }
            end = end.max(until);
            group.push(table);
        }
        if group.len() < 3 || has_swapped || !group.iter().any(|table| table.contains(&self.span.start)) {
            return None;
        }
        group.sort_by_key(|table| table.start);
        let (line, words) = match end {
            NaiveDate::MAX => (String::new(), "without an end".to_owned()),
            _ => (format!("until = {end}\n"), format!("until {end}")),
        };
        let title = format!("Combine the {} leaves into one: from {first} {words}", group.len());
        let mut text = format!("[[leave]]\nfrom = {first}\n{line}\n");
        let edits = group.into_iter().map(|span| self.write(span, std::mem::take(&mut text)));
        Some(Candidate::of("order", edits.collect()).titled(title).with(Effect::Removes))
    }

    pub(super) fn repeated_table(&self) -> Option<Candidate> {
        let tables = self.tables();
        let this = tables.iter().find(|table| table.contains(&self.span.start))?;
        // Names that differ in capitals and spaces alone have the same address.
        let words = |table: &Range<usize>| self.text[table.clone()].to_lowercase();
        let is_same = |other: &&Range<usize>| {
            other.start < this.start && words(other).split_whitespace().eq(words(this).split_whitespace())
        };
        tables.iter().find(is_same)?;
        Some(self.edit("repeat", this.clone(), "").titled("Delete this entry: it repeats one above"))
    }

    /// Signs that a word processor or a web page left.
    pub(super) fn without_foreign_signs(&self) -> Vec<Candidate> {
        let line = self.line();
        let written = &self.text[line.clone()];
        let spaces: String = written.chars().filter_map(plain).collect();
        let dashes = spaces.replace(is_dash, "-");
        let signs = |class: Class, text: String| self.edit("characters", line.clone(), text).class(class);
        // A part of a misread letter can be invisible.
        if let Some(text) = decoded(written) {
            return self.decoded_file().into_iter().chain([signs(Class::Likely, text)]).collect();
        }
        // An invisible sign in place of the space between two words.
        let letters: Vec<char> = written.chars().collect();
        let is_gap =
            |part: &[char]| part[0].is_lowercase() && plain(part[1]).is_none() && part[2].is_uppercase();
        if let Some(at) = letters.windows(3).position(is_gap) {
            let parts = [&letters[..=at], &[' '], &letters[at + 2..]].concat();
            return vec![signs(Class::Likely, parts.into_iter().filter_map(plain).collect())];
        }
        let mut found = vec![signs(Class::Certain, spaces.clone())];
        if dashes != spaces {
            found.push(signs(Class::Certain, dashes));
        }
        found
    }
}

/// A sign without invisible characters; special spaces as plain ones.
fn plain(sign: char) -> Option<char> {
    match sign {
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => None,
        '\t' => Some('\t'),
        _ if sign.is_whitespace() => Some(' '),
        _ if sign.is_control() => None,
        _ => Some(sign),
    }
}
