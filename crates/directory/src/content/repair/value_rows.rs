//! What is tried for a key and its value.

use chrono::NaiveDate;

use super::super::lines::{each_line, line_at};
use super::super::mistakes::{dates_meant, days_beside, is_closed, nearest, span_meant, zone_meant};
use super::super::offer::Class;
use super::super::shape::{Atom, Shape};
use super::super::statement::{Statement, begins_table, keys_at, table_above, without_comment};
use super::atoms;
use super::candidate::Candidate;
use super::here::Here;
use super::hours_rows::buffers;
use super::lists::{inner, value_at_top};
use super::values::{EVERY, is_nothing, rewritten};
use super::written::{Written, quoted};
use crate::calendar::Window;

const WHOLE_DAY: [&str; 8] =
    ["all day", "all", "whole day", "full day", "entire day", "todo el dia", "todo el día", "allday"];

impl Here<'_> {
    pub(super) fn rewritten(&self, statement: &Statement) -> Vec<Candidate> {
        let Some(keys) = keys_at(self.form, self.text, statement.key.start) else { return Vec::new() };
        let written = statement.key(self.text);
        let (key, class) = if keys.get(written).is_some() {
            (written, Class::Certain)
        } else if let Some(key) = keys.spelled(written) {
            (key, Class::Certain)
        } else if let Some(key) = keys.near(written) {
            (key, Class::Likely)
        } else {
            return Vec::new();
        };
        let Some(shape) = keys.get(key) else { return Vec::new() };
        let is_other_word = class == Class::Likely && nearest(written, [key].into_iter()).is_none();
        let is_asked = match table_above(self.text, statement.key.start) {
            "leave" => {
                // "return-date" is the first day back.
                let is_clear = ["return", "back"].iter().any(|word| written.to_lowercase().contains(word));
                let is_other_word = is_other_word && !is_clear;
                key == "until" && (is_other_word || days_beside(inner(statement.value(self.text))).is_some())
            }
            "exception" => written == "until",
            _ => false,
        };
        // `last_day_of_leave` and `last_day_off` say which day is meant.
        if is_asked {
            return Vec::new();
        }
        let joint = &self.text[statement.joint.clone()];
        let before = line_at(self.text, statement.whole.start).start;
        let lead = &self.text[before..statement.key.start];
        let is_joined = joint.trim() == "=" && lead.trim().is_empty();
        let raw = statement.value(self.text);
        let mut found = Vec::new();
        found.extend(self.table_of(statement, key, shape));
        found.extend(self.first_and_last_day(statement));
        found.extend(self.with_note(statement));
        // The last day of a month or of a year.
        if ["expires", "to", "until"].contains(&key) {
            let text = inner(raw);
            let month = if text.len() == 4 { format!("December {text}") } else { text.to_owned() };
            let dates = dates_meant(&format!("end of {month}"));
            found.extend(
                dates.first().map(|date| self.edit("value", statement.value.clone(), date.to_string())),
            );
        }
        let lower = written.to_lowercase();
        if table_above(self.text, statement.key.start) == "insurance" && EVERY.contains(&lower.as_str()) {
            found.push(self.edit("key", statement.key.clone(), "all"));
        }
        // The value may be right as it stands.
        if !is_joined || key != written {
            let indent: String = lead.chars().take_while(|sign| sign.is_whitespace()).collect();
            let joint = if joint.trim() == "=" { joint } else { " = " };
            let row = if is_joined { "key" } else { "line" };
            found.push(
                self.edit(row, before..statement.value.start, format!("{indent}{key}{joint}")).class(class),
            );
            for value in rewritten(shape, raw) {
                let text = format!("{indent}{key}{joint}{}", value.text);
                let edit = self.edit("line", before..statement.value.end, text);
                found.push(edit.class(class.max(value.class)));
            }
            if raw.len() > 1 && class == Class::Certain {
                found.extend(self.without_nothing(statement, key));
            }
            return found;
        }
        // The name of a picture, with its place on someone's computer.
        let is_place = key == "headshot" && !raw.contains("://");
        if let Some((_, name)) = raw.rsplit_once(['\\', '/']).filter(|_| is_place) {
            found.push(self.edit("value", statement.value.clone(), quoted(inner(name))));
        }
        let keeps =
            matches!(shape, Shape::One(Atom::Text) | Shape::List(Atom::Text)) && !raw.contains(" and ");
        for value in rewritten(shape, raw) {
            let place = match &*value.text {
                "\"America/Phoenix\"" => "    # in Arizona",
                "\"America/Denver\"" => "    # outside Arizona",
                "\"paused\"" => ", if the clinician comes back",
                "\"withdrawn\"" => ", if the clinician has left",
                _ => "",
            };
            let title = format!("Write {key} = {}{place}", value.text);
            let edit = self.edit("value", statement.value.clone(), value.text).class(value.class);
            let edit = if place.is_empty() { edit } else { edit.titled(title) };
            found.push(Candidate { keeps, ..edit });
        }
        // Something that isn't part of the value follows it.
        let closes_too_often = raw.matches(']').count() > raw.matches('[').count();
        let is_list = raw.starts_with('[');
        let is_stray = |sign: char| {
            matches!(sign, ',' | ';') || sign == '.' && is_list || sign == ']' && closes_too_often
        };
        let shorter = raw.trim_end_matches(is_stray);
        if shorter.len() < raw.len() {
            let end = statement.value.start + shorter.len();
            let edit = self.edit("stray", end..statement.value.end, "").class(Class::Certain);
            found.push(Candidate { keeps: true, ..edit });
        }
        found.extend(self.without_nothing(statement, key));
        found
    }

    /// An optional key whose value says that there is none.
    fn without_nothing(&self, statement: &Statement, key: &str) -> Option<Candidate> {
        let raw = statement.value(self.text);
        let is_optional = !keys_at(self.form, self.text, statement.key.start)?.requires(key);
        let is_of_leave = key == "until" && table_above(self.text, statement.key.start) == "leave";
        let title = match raw {
            "" => format!("Delete the empty `{key}` line"),
            _ => format!("Delete the line {} = {raw}", statement.key(self.text)),
        };
        let then = if is_of_leave {
            ", or write the exact day: without it, the leave lasts until further notice"
        } else {
            ""
        };
        let deleted = self.without_lines("empty", &statement.whole).titled(format!("{title}{then}"));
        let has_none = raw.is_empty() || is_nothing(raw) || is_of_leave && is_vague(inner(raw));
        (is_optional && has_none).then_some(deleted)
    }

    /// A table that is written as a key: "insurance:", or a buffer of one duration.
    pub(super) fn table_of(&self, statement: &Statement, key: &str, shape: &Shape) -> Vec<Candidate> {
        let raw = statement.value(self.text);
        let header = match shape {
            Shape::Table if raw.is_empty() => format!("[{key}]"),
            Shape::Tables if raw.is_empty() => format!("[[{key}]]"),
            Shape::Tables if raw.starts_with('{') => {
                return vec![self.edit("value", statement.value.clone(), format!("[{raw}]"))];
            }
            Shape::Table if raw.starts_with('{') => {
                let text = raw.replace("\":", "\" =").replace(": ", " = ");
                return vec![self.edit("value", statement.value.clone(), text)];
            }
            Shape::Table if key == "insurance" => {
                let list = rewritten(&Shape::List(Atom::Text), raw).into_iter().next().map(|list| list.text);
                let list = list.unwrap_or_else(|| raw.to_owned());
                let title =
                    format!("Write at the end of the file, each on a line: [insurance], all = {list}");
                let moved = self.moved_to_end(statement, &format!("[insurance]\nall = {list}\n"));
                return vec![moved.titled(title)];
            }
            Shape::Table if key == "buffer" => {
                let write = |table| self.edit("value", statement.value.clone(), table);
                return buffers(inner(raw)).into_iter().map(write).collect();
            }
            _ => return Vec::new(),
        };
        vec![self.edit("header", statement.key.start..statement.value.end, header)]
    }

    /// Two dates on the line of the first one.
    fn first_and_last_day(&self, statement: &Statement) -> Vec<Candidate> {
        let (table, key) = (table_above(self.text, statement.key.start), statement.key(self.text));
        let last_key = match (table, key) {
            ("leave" | "effective", "from") | ("", "leave") => "until",
            ("exception", "from" | "date") => "to",
            _ => return Vec::new(),
        };
        let raw = inner(statement.value(self.text));
        let listed = raw.trim_matches(['[', ']']).replace(", ", " - ");
        let raw = if raw.starts_with('[') && key == "leave" { &listed } else { raw };
        let Some((from, last)) = span_meant(raw).filter(|_| dates_meant(raw).is_empty()) else {
            return Vec::new();
        };
        let (is_leave, is_key) = (key == "leave" || table == "leave", key == "leave");
        let write = |last: NaiveDate| {
            let lines = format!("from = {from}\n{last_key} = {last}");
            if !is_key {
                let title = format!("Write from = {from}, and below it {last_key} = {last}");
                return (self.edit("value", statement.key.start..statement.value.end, lines), title);
            }
            let table = format!("[[leave]]\n{lines}\n");
            let title = format!(
                "Write at the end of the file, each on a line: [[leave]], from = {from}, {last_key} = {last}"
            );
            (self.moved_to_end(statement, &table), title)
        };
        let (edit, title) = write(last);
        let Some(next) = last.succ_opt().filter(|_| is_leave) else {
            return vec![edit.titled(title)];
        };
        let (away, title_away) = write(next);
        vec![
            edit.titled(format!("{title}, if that is the first day back")),
            away.titled(format!("{title_away}, if {last} is the last day away")),
        ]
    }

    pub(super) fn moved_to_end(&self, statement: &Statement, table: &str) -> Candidate {
        let mut edits = self.without_lines("place", &statement.whole).edits;
        let end = self.text.len();
        let gap = if self.text.ends_with('\n') { "\n" } else { "\n\n" };
        edits.push(self.write(end..end, format!("{gap}{table}")));
        Candidate::of("place", edits)
    }

    /// A key of one other table, below that table's header.
    pub(super) fn below_header(&self, statement: &Statement) -> Option<Candidate> {
        let (text, key, top) = (self.text, statement.key(self.text), self.form.top()?);
        let mut tables = self.form.tables_with(key);
        let table = tables.next().filter(|_| tables.next().is_none() && top.get(key).is_none())?;
        if *top.get(table)? != Shape::Table || table == table_above(text, statement.key.start) {
            return None;
        }
        let (header, moved) = (format!("[{table}]"), text[statement.whole.clone()].trim());
        let mut lines = each_line(text);
        let (at, line) = lines.find(|(_, line)| without_comment(line).trim() == header)?;
        let (mut edits, end) = (self.without_lines("place", &statement.whole).edits, at + line.len());
        edits.push(self.write(end..end, format!("\n{moved}")));
        Some(Candidate::of("place", edits).titled(format!("Move this line below {header}")))
    }

    /// A note behind a value, without its number sign. A second date isn't a note.
    pub(super) fn with_note(&self, statement: &Statement) -> Option<Candidate> {
        let raw = statement.value(self.text);
        let signs = [" (", " - ", " //", " --", " <--", " ;"];
        let (at, sign) = signs.iter().find_map(|sign| Some((raw.find(sign)?, sign.trim())))?;
        let is_date = !dates_meant(raw[at..].trim_matches([' ', '-', '(', ')'])).is_empty();
        let is_whole = !is_date && format!("a = {}", &raw[..at]).parse::<toml::Table>().is_ok();
        let place = statement.value.start + at + 1;
        let (length, mark) = if sign == "(" { (0, "# ") } else { (sign.len(), "#") };
        is_whole.then(|| self.edit("note", place..place + length, mark))
    }

    /// One entry of a list, or a value whose place is known.
    pub(super) fn entry(&self) -> Vec<Candidate> {
        let start = self.line().start;
        let statement = self.statements(false).into_iter().find(|found| found.whole.start <= start);
        let shape = statement.as_ref().and_then(|statement| {
            let shape = self.keys()?.get(statement.key(self.text))?;
            // { after = 5 }
            let before = self.text.get(statement.value.start..self.span.start)?.trim_end();
            let key = before.strip_suffix('=').and_then(|text| text.trim().rsplit([' ', '{', ',']).next());
            let within = |key| self.form.table(statement.key(self.text))?.get(key);
            if matches!(shape, Shape::Table) { key.and_then(within) } else { Some(shape) }
        });
        let (Some(Shape::List(atom) | Shape::ListOr(atom, _) | Shape::One(atom)), Some(statement)) =
            (shape, statement)
        else {
            return Vec::new();
        };
        if self.span == statement.value || *atom == Atom::Text {
            return Vec::new();
        }
        let raw = self.text.get(self.span.clone()).unwrap_or_default();
        let mut written = atoms::read(atom, inner(raw));
        // "13:00-17:00 ET", in hours that are in Eastern Time anyway.
        let zone = || Some(inner(&self.text[value_at_top(self.text, "timezone")?]));
        if let (Atom::Hours, Some((hours, place))) = (atom, inner(raw).rsplit_once(' '))
            && zone_meant(place).is_some_and(|meant| zone() == Some(meant))
        {
            written.extend(atoms::read(atom, hours).into_iter().map(Written::guessed));
        }
        // Hours whose end is before their start. "12:00-04:30" ends in the afternoon.
        if let (Atom::Hours, Some((from, to))) = (atom, inner(raw).split_once('-'))
            && (from >= "12:00" && to >= "07:00")
            && inner(raw).parse::<Window>().is_ok_and(Window::ends_next_day)
        {
            written.extend(Written::likely(quoted(&format!("{to}-{from}"))));
        }
        let write = |value: Written| self.edit("value", self.span.clone(), value.text).class(value.class);
        written.into_iter().map(write).collect()
    }

    /// The entries on one line of a list that has several.
    pub(super) fn line_of_list(&self) -> Vec<Candidate> {
        let line = self.line();
        let Some(statement) = self.statements(true).into_iter().find(|found| found.whole.start < line.start)
        else {
            return Vec::new();
        };
        let keys = keys_at(self.form, self.text, statement.key.start);
        let Some(Shape::List(atom)) = keys.and_then(|keys| keys.get(statement.key(self.text))) else {
            return Vec::new();
        };
        let written = &self.text[line.clone()];
        // This line has a list of its own.
        if Statement::on_line(self.text, line.start, self.is_key(line.start)).is_some() {
            return Vec::new();
        }
        let entries = without_comment(written).trim_end_matches([']', ' ', ',', '\t']);
        let start = line.start + entries.len() - entries.trim_start().len();
        let span = start..line.start + entries.len();
        let values = rewritten(&Shape::List(atom.clone()), &self.text[span.clone()]);
        let line_of = |value: Written| {
            let text = value.text.trim_matches(['[', ']']).to_owned();
            self.edit("value", span.clone(), text).class(value.class)
        };
        values.into_iter().map(line_of).collect()
    }

    /// A key that belongs above the first table, or into another one.
    pub(super) fn placed(&self, statement: &Statement) -> Option<Candidate> {
        let (text, key) = (self.text, statement.key(self.text));
        let table = table_above(text, statement.key.start);
        let of_table = self.form.table(table).and_then(|keys| keys.get(key));
        let of_top = self.form.top()?.get(key)?;
        if table.is_empty() || of_table.is_some() && table != "insurance" || *of_top == Shape::Tables {
            return None;
        }
        let (first, _) = each_line(text).find(|(_, line)| begins_table(line.trim()))?;
        let header = without_comment(&text[line_at(text, first)]).trim();
        let is_repeated =
            each_line(text).filter(|(_, line)| without_comment(line).trim() == header).nth(1).is_some();
        let which = if is_repeated { "the first " } else { "" };
        let mut title = format!("Move {key} above {which}{header}");
        let mut moved = text[statement.whole.clone()].trim().to_owned();
        if moved.parse::<toml::Table>().is_err() {
            let value = rewritten(of_top, statement.value(text)).into_iter().next()?.text;
            moved = format!("{key} = {value}");
            title = format!("{title}, and write {moved}");
        }
        let mut edits = self.without_lines("place", &statement.whole).edits;
        // Below the other keys, or at the beginning.
        let above = text[..first].trim_end().len();
        edits.push(match above {
            0 => self.write(first..first, format!("{moved}\n\n")),
            _ => self.write(above..above, format!("\n{moved}")),
        });
        Some(Candidate::of("place", edits).class(Class::Certain).titled(title))
    }

    /// A key that an exception of another kind has.
    pub(super) fn of_exception(&self, statement: &Statement) -> Option<Candidate> {
        let other = match statement.key(self.text) {
            _ if table_above(self.text, statement.key.start) != "exception" => return None,
            "date" | "first" | "start" => "from",
            "last" | "end" => "to",
            "from" => "date",
            key @ ("types" | "step" | "hours") => {
                let kind = self.in_table("kind")?;
                let value = inner(statement.value(self.text).trim_matches(['[', ']'])).to_lowercase();
                let is_whole = value.is_empty() || is_closed(&value) || WHOLE_DAY.contains(&value.as_str());
                if inner(kind.value(self.text)) != "off" || key == "hours" && !is_whole {
                    return None;
                }
                let then = if key == "hours" { ": without hours, the whole day is off" } else { "" };
                let delete = self.without_lines("contradiction", &statement.whole);
                return Some(delete.titled(format!("Delete the line {key}{then}")));
            }
            _ => return None,
        };
        Some(self.edit("key", statement.key.clone(), other))
    }
}

/// Whether a text is about when but has no day: "mid-March", "spring", "early March 2027", "when she is ready".
fn is_vague(text: &str) -> bool {
    let has_day = |word: &str| {
        let digits = word.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
        (1..4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_date = |text: &str| !dates_meant(text).is_empty();
    !is_date(text)
        && !is_date(&format!("end of {text}"))
        && text.contains(char::is_alphabetic)
        && !text.split(|sign: char| !sign.is_alphanumeric()).any(has_day)
}
