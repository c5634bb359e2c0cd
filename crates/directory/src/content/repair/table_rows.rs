//! What is tried for tables, and for two entries that contradict each other.

use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::super::lines::{each_line, line_number};
use super::super::mistakes::{dates_meant, days_beside, is_end_of_month};
use super::super::offer::{Class, Edit};
use super::super::problem::{FileSpan, Problem};
use super::super::shape::Shape;
use super::super::statement::{Statement, begins_table, name_of, table_above};
use super::candidate::{Candidate, Effect};
use super::here::Here;
use super::lists::inner;
use super::trial::{Changes, SmallFolder};
use super::used::values_of;
use super::written::{list, quoted};
use crate::model::StateCode;

/// In how many days an exception can be that was written with the last year.
const SOON: i64 = 90;
const MOST_YEARS: i32 = 3;

/// When hours begin and end, and where they stand.
type Hours<'a> = (&'a str, &'a str, Range<usize>);

impl Here<'_> {
    /// A table that was pasted above keys of the file moves to its end, with the keys that are its own.
    pub(super) fn table_at_end(&self) -> Option<Candidate> {
        let (text, table) = (self.text, self.table()?);
        let (own, top) = (self.form.table(table_above(text, self.span.start))?, self.form.top()?);
        let is_of_file = |key: &str| own.get(key).is_none() && top.get(key).is_some();
        let mut below = each_line(&text[table.clone()])
            .filter(|(at, _)| Statement::on_line(text, table.start + at, is_of_file).is_some());
        let end = table.start + below.next()?.0;
        below.next()?;
        let moved = text[table.start..end].trim();
        let title = match moved.lines().collect::<Vec<_>>()[..] {
            [header, _] => format!("Move {header} and the line below it to the end of the file"),
            [header, .., _] => {
                let lines = moved.lines().count() - 1;
                format!("Move {header} and the {lines} lines below it to the end of the file")
            }
            _ => return None,
        };
        let gap = if text.ends_with('\n') { "" } else { "\n" };
        let edits = vec![
            self.write(table.start..end, ""),
            self.write(text.len()..text.len(), format!("{gap}\n{moved}\n")),
        ];
        Some(Candidate::of("place", edits).class(Class::Certain).titled(title))
    }

    /// A leave among the hours, moved to the clinician's file; or hours in that file, moved to the others.
    pub(super) fn to_other_file(&self, folder: &SmallFolder<'_>, changes: &Changes) -> Option<Candidate> {
        let (home, file) = self.path.split_once('/')?;
        let name_of = |table: &Range<usize>| self.text[table.clone()].lines().next().map(name_of);
        let name = name_of(&self.table()?)?;
        let home = match (home, name) {
            ("availability", "leave") => "providers",
            ("providers", "weekly" | "exception") => "availability",
            _ => return None,
        };
        let path = format!("{home}/{file}");
        let other = folder.text(changes, &path)?;
        let tables = self.tables().into_iter().filter(|table| name_of(table) == Some(name));
        let (mut entries, mut edits) = (Vec::new(), Vec::new());
        for table in tables {
            entries.push(format!("[[{name}]]\n{}", self.text[table.clone()].trim().split_once('\n')?.1));
            edits.push(self.write(table, ""));
        }
        let lines = entries.join("\n\n");
        let title = format!("Move these lines to the end of {path}:\n{lines}");
        let gap = if other.ends_with('\n') { "\n" } else { "\n\n" };
        edits.push(Edit { path, span: other.len()..other.len(), text: format!("{gap}{lines}\n") });
        Some(Candidate::of("place", edits).titled(title))
    }

    /// Plans below another table, in place of those of the same states, or beside the others.
    pub(super) fn among_plans(&self, statement: &Statement) -> Option<Candidate> {
        let (text, key) = (self.text, statement.key(self.text));
        let is_of_plans =
            self.path.starts_with("providers/") && (key == "all" || key.parse::<StateCode>().is_ok());
        let is_header =
            |table: &Range<usize>| text[table.clone()].lines().next().map(name_of) == Some("insurance");
        let table = self.tables().into_iter().find(is_header).filter(|_| is_of_plans)?;
        let moved = text[statement.whole.clone()].trim();
        let known = each_line(&text[table.clone()])
            .find_map(|(at, _)| Statement::on_line(text, table.start + at, |known| known == key));
        let end = table.start + text[table.clone()].trim_end().len();
        let (span, line) = match known {
            Some(known) => (known.key.start..known.value.end, moved.to_owned()),
            None => (end..end, format!("\n{moved}")),
        };
        let number = line_number(text, span.start);
        let title = if span.is_empty() { "below" } else { "in place of" };
        let mut edits = self.without_lines("place", &statement.whole).edits;
        edits.push(self.write(span, line));
        Some(Candidate::of("place", edits).titled(format!("Move {moved}: write it {title} line {number}")))
    }

    /// The lost header of the only table that has a key.
    pub(super) fn header_above(&self, statement: &Statement) -> Option<Candidate> {
        let name = table_above(self.text, statement.key.start);
        let (above, key) = (self.form.table(name)?, statement.key(self.text));
        // In an exception, `until` is `to`.
        if above.get(key).is_some() || name == "exception" && above.near(key).is_some() {
            return None;
        }
        let mut tables = self.form.tables_with(key);
        let table = tables.next().filter(|_| tables.next().is_none())?;
        let header = match self.form.top()?.get(table)? {
            Shape::Table => format!("[{table}]"),
            Shape::Tables => format!("[[{table}]]"),
            _ => return None,
        };
        let start = statement.whole.start;
        let title = format!("Write {header} above this line");
        Some(self.edit("header", start..start, format!("{header}\n")).titled(title))
    }

    /// `to` where the first day belongs.
    pub(super) fn first_day(&self, statement: &Statement) -> Option<Candidate> {
        let table = table_above(self.text, statement.key.start);
        let is_days = ["leave", "effective"].contains(&table) && statement.key(self.text) == "to";
        if !is_days || self.in_table("from").is_some() {
            return None;
        }
        if self.in_table("until").is_some() {
            return Some(self.edit("key", statement.key.clone(), "from"));
        }
        let title = format!("Write from = {}, if that is the first day away", statement.value(self.text));
        (table == "leave").then(|| self.edit("leave", statement.key.clone(), "from").titled(title))
    }

    /// The last day of days off that end like a leave, whose `until` is the first day back.
    pub(super) fn last_day_off(&self, statement: &Statement) -> Vec<Candidate> {
        let is_exception = table_above(self.text, statement.key.start) == "exception";
        let [written] = dates_meant(inner(statement.value(self.text)))[..] else { return Vec::new() };
        let Some(before) = written.pred_opt().filter(|_| is_exception && statement.key(self.text) == "until")
        else {
            return Vec::new();
        };
        let write = |to: NaiveDate, when: &str| {
            let edit = self.edit("key", statement.key.start..statement.value.end, format!("to = {to}"));
            edit.titled(format!("Write to = {to}, if {written} is {when}"))
        };
        vec![write(before, "the first day back"), write(written, "the last day off")]
    }

    /// The last day of a leave, in place of the first day back.
    pub(super) fn last_day_of_leave(&self, statement: &Statement) -> Vec<Candidate> {
        let (key, text) = (statement.key(self.text), inner(statement.value(self.text)));
        let is_last = ["to", "end", "through"].contains(&key);
        let is_back = ["return", "returns", "back"].contains(&key);
        let dates = match key {
            "until" if is_end_of_month(text) || days_beside(text).is_some() => dates_meant(text),
            "until" => dates_meant(&format!("end of {text}")),
            _ if is_last || is_back => dates_meant(text),
            _ => return Vec::new(),
        };
        let ([last, ..], "leave") = (&dates[..], table_above(self.text, statement.key.start)) else {
            return Vec::new();
        };
        let write = |until: NaiveDate, what: &str| {
            let edit = match key {
                "until" => self.edit("leave", statement.value.clone(), until.to_string()),
                _ => self.edit("leave", statement.key.start..statement.value.end, format!("until = {until}")),
            };
            let instead =
                if key == "until" || is_back { String::new() } else { format!(" in place of `{key}`") };
            edit.titled(format!("Write until = {until}{instead}{what}"))
        };
        let Some(next) = last.succ_opt() else { return Vec::new() };
        if is_end_of_month(text) || is_back {
            return vec![write(if is_back { *last } else { next }, "    # the first day back")];
        }
        let away = write(next, &format!(", if {last} is the last day away"));
        vec![away, write(*last, ", if that is the first day back")]
    }

    /// Hours that overlap others: one of the two ends where the other begins.
    pub(super) fn overlapping(&self, other: &FileSpan) -> Vec<Candidate> {
        let Some((start, end)) = other.span.filter(|_| other.path == self.path) else { return Vec::new() };
        let window = |span: Range<usize>| {
            let (from, to) = inner(self.text.get(span.clone())?).split_once('-')?;
            Some((from, to, span))
        };
        let (Some(one), Some(two)) = (window(start..end), window(self.span.clone())) else {
            return Vec::new();
        };
        let (first, last) = if one.0 <= two.0 { (one, two) } else { (two, one) };
        // What is cut at noon was perhaps a lunch.
        let is_lunch = last.0 >= "11:00" && first.1 <= "14:00";
        // "12:00-04:30": its end is wrong.
        if first.1 < first.0 {
            return Vec::new();
        }
        let write = |span, from: &str, to: &str| {
            let hours = quoted(&format!("{from}-{to}"));
            let title = format!("Write {hours} in place of {}", &self.text[Range::clone(&span)]);
            (from < to).then(|| self.edit("order", span, hours).titled(title))
        };
        let later = |first: &Hours<'_>, last: &Hours<'_>| write(last.2.clone(), first.1, last.1);
        let earlier = |first: &Hours<'_>, last: &Hours<'_>| write(first.2.clone(), first.0, last.0);
        // Hours that are cut are cut on each day of their entry.
        let days = |at: usize| {
            let days = self.above(at, "days")?;
            let entries = days.value(self.text).trim_matches(['[', ']']).split(',').map(inner);
            Some(entries.filter(|day| !day.is_empty()).collect::<Vec<_>>())
        };
        if let (Some(one), Some(two)) = (days(first.2.start), days(last.2.start)) {
            let is_last = one.len() > two.len();
            let (at, wide, narrow) =
                if is_last { (first.2.start, one, two) } else { (last.2.start, two, one) };
            if !narrow.iter().all(|day| wide.contains(day)) {
                return Vec::new();
            }
            // An entry that was copied has hours within the other's on the same days.
            if wide.len() == narrow.len() && last.1 <= first.1 {
                return Vec::new();
            }
            // New hours for the same days and visits, with the old ones left.
            let entry = |at: usize| self.entry_at(at, &["weekly"]);
            let types = |entry: &Range<usize>| Some(values_of(&self.text[entry.clone()], "types").next()?.0);
            let both = entry(start).zip(entry(self.span.start));
            let mut replaced = None;
            if let Some((old, new)) = both.filter(|(old, new)| old != new && types(old) == types(new)) {
                let delete = |span: Range<usize>, why: &str, effect| {
                    let lines = [span.start, span.end - 1].map(|at| line_number(self.text, at));
                    let title = format!("Delete the [[weekly]] on lines {}–{}: {why}", lines[0], lines[1]);
                    self.edit("contradiction", span, "").titled(title).with(effect)
                };
                let has_fewer_days = old.contains(if is_last { &last.2.start } else { &first.2.start });
                let old = delete(old, "the new hours replace it", Effect::Removes);
                if narrow.len() == wide.len() {
                    return vec![old, delete(new, "the old hours stay", Effect::RemovesOther)];
                }
                // Other new hours are for some of the days alone.
                replaced = has_fewer_days.then_some(old);
            }
            let kept: Vec<&str> = wide.into_iter().filter(|day| !narrow.contains(day)).collect();
            if let Some(days) = self.above(at, "days").filter(|_| !kept.is_empty()) {
                let kept = format!("[{}]", list(kept.into_iter()));
                let line = line_number(self.text, days.key.start);
                // Longer hours on one of the days, or other hours.
                let longer = if is_last { later(&first, &last) } else { earlier(&first, &last) };
                let (hours, narrow) = (if is_last { &last } else { &first }, list(narrow.into_iter()));
                let hours = &self.text[hours.2.clone()];
                let title = format!(
                    "Write days = {kept} in line {line}: then the hours on {narrow} are only {hours}"
                );
                let only = self.edit("order", days.value, kept).titled(title).with(Effect::RemovesOther);
                let longer = longer.filter(|_| !is_lunch).map(|longer| longer.with(Effect::Removes));
                return longer.into_iter().chain([only]).chain(replaced).collect();
            }
        }
        if is_lunch {
            return Vec::new();
        }
        later(&first, &last).into_iter().chain(earlier(&first, &last)).collect()
    }

    /// A city and a state, each at the other's key.
    pub(super) fn city_and_state(&self, statement: &Statement) -> Option<Candidate> {
        let city = self.in_table("city").filter(|_| statement.key(self.text) == "state")?;
        let (name, code) = (statement.value(self.text), city.value(self.text));
        inner(code).parse::<StateCode>().ok()?;
        let title = format!("Exchange the two: write city = {name} and state = {code}");
        let edits = vec![self.write(city.value, name), self.write(statement.value.clone(), code)];
        Some(Candidate::of("order", edits).titled(title))
    }

    /// A visit type for too few states: whether it's for all or only for some more has to be asked.
    pub(super) fn every_state(&self, problem: &Problem) -> Option<Candidate> {
        let is_narrow = problem.what().contains(" of the clinicians who offer it ");
        is_narrow.then(|| self.edit("value", self.span.clone(), "\"all\""))
    }

    /// Hours of one visit type. Without `types`, they would be for all visits. A visit by message has no hours, so its
    /// line may have been added to those of the others.
    pub(super) fn without_hours(&self, problem: &Problem) -> Vec<Candidate> {
        let is_by_message = problem.what().contains(" is by message");
        let is_of_type = is_by_message || problem.what().contains(" doesn't offer visit type ");
        let types = Statement::on_line(self.text, self.span.start, |key| key == "types");
        let types = types.filter(|types| is_of_type && !types.value(self.text).contains(','));
        let Some((types, entry)) = types.zip(self.entry_at(self.span.start, &["weekly", "exception"])) else {
            return Vec::new();
        };
        let are_all = self.text.matches("[[weekly]]").count() < 2;
        let line = self.without_lines("contradiction", &types.whole);
        let line = line.with(if are_all { Effect::Nothing } else { Effect::RemovesOther });
        let line = line.titled("Delete the types line: these hours are then for every video visit");
        let hours = self.edit("contradiction", entry, "").with(Effect::Removes).titled("Delete these hours");
        vec![hours, line]
    }

    pub(super) fn exception_at(&self, at: usize) -> Option<Range<usize>> {
        self.entry_at(at, &["exception"])
    }

    /// The lines of an entry, without what follows it.
    fn entry_at(&self, at: usize, names: &[&str]) -> Option<Range<usize>> {
        let table = self.tables().into_iter().find(|table| table.contains(&at))?;
        let text = &self.text[table.clone()];
        let lines = || each_line(text).map(|(at, line)| (at, line.trim()));
        // A note above the next table belongs to that.
        let is_own = |(_, line): &(usize, &str)| !line.is_empty() && !line.starts_with('#');
        let (last, line) = lines().filter(is_own).last()?;
        let is_one = names.contains(&name_of(lines().next()?.1)) && !begins_table(line);
        let end = text[last..].find('\n').map_or(text.len(), |length| last + length + 1);
        is_one.then(|| table.start..table.start + end)
    }

    /// An exception that is past, in the next year, if that is soon.
    pub(super) fn a_year_later(&self, today: NaiveDate) -> Option<Candidate> {
        let is_ended = table_above(self.text, self.span.start) == "effective";
        let entry = if is_ended { self.line() } else { self.exception_at(self.span.start)? };
        let is_key = |key: &str| ["date", "from", "to", "until"].contains(&key);
        let lines = each_line(&self.text[entry.clone()]);
        let dates = lines.filter_map(|(at, _)| Statement::on_line(self.text, entry.start + at, is_key));
        let read = |found: Statement| Some((inner(found.value(self.text)).parse().ok()?, found.value));
        let dates: Vec<(NaiveDate, Range<usize>)> = dates.map(read).collect::<Option<_>>()?;
        let moved = |years: i32| -> Option<Vec<NaiveDate>> {
            dates.iter().map(|(date, _)| date.with_year(date.year() + years)).collect()
        };
        let is_ahead = |dates: &Vec<NaiveDate>| dates.iter().max().is_some_and(|last| *last >= today);
        let moved = (1..=MOST_YEARS).chain([100]).filter_map(moved).find(is_ahead)?;
        let (first, last) = (moved.iter().min()?, moved.iter().max()?);
        let title = if first.year() == last.year() {
            format!("Change the year to {}", last.year())
        } else {
            format!("Write {first} for the first day, and {last} for the last")
        };
        let is_soon = (last.signed_duration_since(today)).num_days() <= SOON;
        let edits =
            dates.into_iter().zip(&moved).map(|((_, place), date)| self.write(place, date.to_string()));
        is_soon.then(|| Candidate::of("order", edits.collect()).titled(title))
    }

    /// Two exceptions of which one is not right.
    pub(super) fn one_exception(&self, other: &FileSpan) -> Vec<Candidate> {
        let other = other.start().filter(|_| other.path == self.path).and_then(|at| self.exception_at(at));
        let (Some(this), Some(other)) = (self.exception_at(self.span.start), other) else {
            return Vec::new();
        };
        if this == other {
            return Vec::new();
        }
        let delete = |span: Range<usize>, title: &str, effect| {
            self.edit("contradiction", span, "").titled(title).with(effect)
        };
        vec![
            delete(this, "Delete this entry", Effect::Removes),
            delete(other, "Delete the other entry", Effect::RemovesOther),
        ]
    }
}
