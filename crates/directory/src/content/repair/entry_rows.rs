//! What is tried for the entries of a table, and for tables as a whole.

use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::super::check::holiday_named;
use super::super::lines::{each_line, line_number};
use super::super::mistakes::{days_meant, is_closed, is_of_computer, nearest};
use super::super::offer::Class;
use super::super::shape::{Atom, Shape};
use super::super::statement::{Statement, begins_table, name_of, table_above};
use super::atoms;
use super::candidate::{Candidate, Effect};
use super::here::Here;
use super::lists::{inner, value_at_top};
use super::trial::SmallFolder;
use super::values::{listed, rewritten};
use super::written::quoted;
use crate::statements::{is_menopause_society, society_letters};

/// Keys that people write for the begin and the end of hours.
const ENDS: [(&str, &str); 6] = [
    ("start", "end"),
    ("from", "to"),
    ("from", "until"),
    ("open", "close"),
    ("opens", "closes"),
    ("begin", "end"),
];

impl Here<'_> {
    /// Weekly hours with the days as keys or within the hours, or with begin and end as keys.
    pub(super) fn weekly_entries(&self, statement: &Statement) -> Option<Candidate> {
        let is_at_top = match table_above(self.text, statement.key.start) {
            "weekly" => false,
            "" => self.form.table("weekly").is_some() && days_meant(statement.key(self.text)).is_some(),
            _ => return None,
        };
        let tables = self.tables();
        let top = || 0..tables.first().map_or(self.text.len(), |first| first.start);
        let table = tables.iter().find(|table| table.contains(&statement.key.start)).cloned();
        let table = if is_at_top { top() } else { table? };
        // Days and hours at their keys need no other entry.
        let mut is_other = is_at_top;
        let (mut removed, mut notes, mut above) = (Vec::new(), Vec::new(), Vec::new());
        let (mut entries, mut others) = (Vec::<(Vec<&str>, Vec<String>)>::new(), Vec::new());
        let mut add = |days: Vec<&'static str>, hours: Vec<String>| match entries
            .iter_mut()
            .find(|(known, _)| *known == days)
        {
            Some((_, known)) => known.extend(hours),
            None => entries.push((days, hours)),
        };
        let (mut days, mut ends, mut end) = (None, [None, None], table.start);
        let is_key = |key: &str| !key.is_empty();
        for (at, line) in each_line(&self.text[table.clone()]) {
            // A note above the next table belongs to that.
            above.extend(Some(line.trim()).filter(|line| line.starts_with('#') && !is_at_top));
            if line.trim().is_empty() || line.trim().starts_with('#') || begins_table(line.trim()) {
                continue;
            }
            let found = Statement::on_line(self.text, table.start + at, is_key)?;
            let is_day = days_meant(found.key(self.text)).is_some();
            if is_at_top && !is_day {
                continue;
            }
            removed.extend(self.without_lines("header", &found.whole).edits);
            end = found.whole.end;
            notes.append(&mut above);
            let note = self.text[found.value.end..found.whole.end].trim();
            notes.extend(Some(note).filter(|note| note.starts_with('#')));
            let (key, raw) = (found.key(self.text).to_lowercase(), found.value(self.text));
            let hours = || Some(listed(&rewritten(&Shape::List(Atom::Hours), raw).into_iter().next()?.text));
            if key == "days" {
                let written = rewritten(&Shape::List(Atom::Day), raw).into_iter().next()?.text;
                let known = listed(&written);
                days = days_meant(&known.join(","));
            } else if let Some(side) =
                [0, 1].into_iter().find(|&side| ENDS.iter().any(|&(from, to)| [from, to][side] == key))
            {
                is_other = true;
                ends[side] = Some(inner(raw).to_owned());
            } else if let Some(of_key) = days_meant(&key) {
                is_other = true;
                if !is_closed(inner(raw)) {
                    add(of_key, hours()?);
                }
            } else if key == "hours" {
                let mut words = String::new();
                for part in inner(raw.trim_matches(['[', ']'])).split(['"', ',', ';']) {
                    let digit = part.find(|sign: char| sign.is_ascii_digit()).unwrap_or(part.len());
                    words = format!("{words}{},", part[..digit].trim().trim_end_matches(':'));
                    if digit == part.len() {
                        continue;
                    }
                    let written = atoms::read(&Atom::Hours, &part[digit..]).into_iter().next()?.text;
                    let of_part = std::mem::take(&mut words).trim_matches([',', ' ']).to_owned();
                    if !of_part.is_empty() {
                        (days, is_other) = (Some(days_meant(&of_part)?), true);
                    }
                    add(days.clone()?, listed(&written));
                }
            } else {
                others.push(&self.text[found.whole.clone()]);
            }
        }
        if let [Some(from), Some(to)] = &ends {
            let hours = atoms::read(&Atom::Hours, &format!("{from}-{to}")).into_iter().next()?.text;
            add(days?, listed(&hours));
        }
        let shown = |texts: Vec<String>| texts.join("\", \"");
        let write = |(days, hours): (Vec<&str>, Vec<String>)| {
            let days = shown(days.into_iter().map(str::to_owned).collect());
            let lines = [format!("days = [\"{days}\"]"), format!("hours = [\"{}\"]", shown(hours))];
            let lines: Vec<&str> = lines.iter().map(String::as_str).chain(others.iter().copied()).collect();
            format!("[[weekly]]\n{}", lines.join("\n"))
        };
        let written: Vec<String> = entries.into_iter().map(write).collect();
        if !is_other || written.is_empty() {
            return None;
        }
        let written = written.join("\n\n");
        let text = notes.into_iter().chain([written.as_str()]).collect::<Vec<_>>().join("\n");
        let title = format!("Write:\n{text}");
        if is_at_top {
            let end = self.text.len();
            removed.push(self.write(end..end, format!("\n{text}\n")));
            return Some(Candidate::of("header", removed).titled(title));
        }
        Some(self.edit("header", table.start..end, text).titled(title))
    }

    /// The kind of an exception, by its other keys.
    pub(super) fn with_kind(&self) -> Vec<Candidate> {
        let line = self.line();
        let Some(table) = self.table().filter(|table| table.start == line.start) else { return Vec::new() };
        let has = |key: &str| self.in_table(key).is_some();
        if name_of(self.text[table].lines().next().unwrap_or_default()) != "exception" || has("kind") {
            return Vec::new();
        }
        if let Some(date) = self.in_table("date").filter(|_| !has("hours")) {
            let kind = self.write(line.end..line.end, "\nkind = \"off\"");
            let title = "Write kind = \"off\" below this line, and from in place of date, for a day off";
            return vec![Candidate::of("kind", vec![kind, self.write(date.key, "from")]).titled(title)];
        }
        let kinds: &[&str] = if has("date") { &["replace", "extra"] } else { &["off"] };
        let write = |kind: &&str| self.edit("kind", line.end..line.end, format!("\nkind = \"{kind}\""));
        kinds.iter().map(write).collect()
    }

    /// A day off with the keys of other exceptions: `off` has `from` in place of `date`.
    pub(super) fn day_off(&self, today: NaiveDate) -> Option<Candidate> {
        let Some(Shape::One(kinds)) = self.form.table("exception")?.get("kind") else { return None };
        let (kind, date) = self.in_table("kind").zip(self.in_table("date"))?;
        let off = atoms::read(kinds, inner(kind.value(self.text))).into_iter().next()?.text;
        let written = inner(date.value(self.text));
        let read = atoms::read(&Atom::Date, written).into_iter().next().map(|date| date.text);
        // "Christmas Eve"
        let named = || [0, 1].into_iter().flat_map(|more| holiday_named(written, today.year() + more));
        let day = read.or_else(|| Some(named().find(|date| *date >= today)?.to_string()))?;
        let title = format!("Write kind = {off}, and from = {day} instead of `date`");
        let edits = vec![
            self.write(kind.value, &*off),
            self.write(date.key.start..date.value.end, format!("from = {day}")),
        ];
        (inner(&off) == "off").then(|| Candidate::of("key", edits).titled(title))
    }

    /// The header of an exception that says its kind, such as `[[vacation]]`.
    pub(super) fn header_of_kind(&self, name: &str) -> Option<Candidate> {
        let Some(Shape::One(kind)) = self.form.table("exception")?.get("kind") else { return None };
        // A leave belongs to the clinician's file, and says the first day back.
        if name.contains("leave") {
            return None;
        }
        let kind = atoms::read(kind, name).into_iter().next()?.text;
        let text = format!("[[exception]]\nkind = {kind}");
        Some(self.edit("table", self.line(), text))
    }

    /// Headers that are days of the week: an entry of weekly hours for each.
    pub(super) fn headers_of_days(&self, name: &str) -> Option<Candidate> {
        self.form.table("weekly")?;
        let days = |name: &str| days_meant(name.trim_start_matches("weekly."));
        days(name)?;
        let edits = self.tables().into_iter().filter_map(|table| {
            let line = self.text[table.clone()].lines().next()?;
            let text = format!("[[weekly]]\ndays = [\"{}\"]", days(name_of(line))?.join("\", \""));
            Some(self.write(table.start..table.start + line.trim_end().len(), text))
        });
        let title = "Write [[weekly]], and days = [\"…\"] below it, in place of each header that is a day";
        Some(Candidate::of("header", edits.collect()).titled(title.replace('…', "mon")))
    }

    /// The keys of a file in a table of their own, as people write it in other formats.
    pub(super) fn unwrapped(&self) -> Option<Candidate> {
        let line = self.line();
        let name = Some(self.text[line.clone()].trim()).filter(|line| begins_table(line)).map(name_of)?;
        if name.contains('.') || self.form.top()?.get(name).is_some() {
            return None;
        }
        let mut edits = self.without_lines("table", &line).edits;
        let inner = format!("[{name}.");
        for (at, found) in self.text.match_indices(&inner) {
            edits.push(self.write(at..at + found.len(), "["));
        }
        let title = format!("Delete the line [{name}]: the keys below it need no header");
        Some(Candidate::of("table", edits).titled(title))
    }

    /// A table that a file has once, in several parts: all of its lines below the first header.
    pub(super) fn joined_tables(&self, name: &str) -> Option<Candidate> {
        let named = |table: &Range<usize>| {
            name_of(self.text[table.clone()].lines().next().unwrap_or_default()) == name
        };
        let parts: Vec<_> = self.tables().into_iter().filter(named).collect();
        let [first, others @ ..] = &parts[..] else { return None };
        let body = |table: &Range<usize>| {
            self.text[table.clone()].split_once('\n').map_or("", |(_, body)| body).trim_end()
        };
        // Two lists of one key become one.
        let list_of = |line: &str| {
            let (key, value) = line.split_once('=')?;
            let entries = value.trim().strip_prefix('[')?.strip_suffix(']')?;
            Some((key.trim().to_owned(), entries.trim().trim_end_matches(',').to_owned()))
        };
        let (mut lines, mut joined): (Vec<String>, Vec<String>) = Default::default();
        for line in parts.iter().flat_map(|table| body(table).lines()) {
            let is_of = |key: &str, line: &String| list_of(line).is_some_and(|(other, _)| other == key);
            let list = list_of(line);
            let same = list.as_ref().and_then(|(key, _)| lines.iter().position(|line| is_of(key, line)));
            if let Some((at, (key, more))) = same.zip(list)
                && let Some((_, entries)) = list_of(&lines[at])
            {
                lines[at] = format!("{key} = [{}]", format!("{entries}, {more}").trim_matches([',', ' ']));
                joined.push(lines[at].clone());
            } else {
                lines.push(line.to_owned());
            }
        }
        let all = self.write(first.clone(), format!("[{name}]\n{}\n\n", lines.join("\n")));
        let edits = others.iter().map(|other| self.write(other.clone(), ""));
        let edits = [all].into_iter().chain(edits).collect();
        let title = match &joined[..] {
            [] => format!("Write all lines of [{name}] below one header"),
            joined => format!(
                "Write {} below [{name}] on line {}, and delete the other [{name}]",
                joined.join(" and "),
                line_number(self.text, first.start)
            ),
        };
        (!others.is_empty()).then(|| Candidate::of("header", edits).titled(title))
    }

    /// What the other wrong entries of a list mean, too.
    pub(super) fn together(&self, folder: &SmallFolder<'_>) -> Option<Candidate> {
        let statement =
            self.statements(false).into_iter().find(|found| found.value.contains(&self.span.start))?;
        // In a text that another repair changed, the known places are not those of its problems.
        let is_unchanged = folder.texts.get(self.path).is_some_and(|text| text == self.text);
        let of_list = folder.before.iter().filter(|other| is_unchanged && other.path() == self.path);
        let edits = of_list.filter_map(|other| {
            let (start, end) = other.place.span.filter(|(start, _)| statement.value.contains(start))?;
            if let Some(text) = other.hint.as_ref()?.replacement.clone() {
                return Some(self.write(start..end, text));
            }
            Here { span: start..end, ..*self }.entry().into_iter().next()?.edits.pop()
        });
        let (edits, same): (Vec<_>, Vec<_>) = edits.partition(|one| self.text[one.span.clone()] != one.text);
        (edits.len() + same.len() > 1).then(|| Candidate::of("meant", edits))
    }

    /// A certificate of the Menopause Society that expired, with all else that claims it: flag and letters must go with it.
    pub(super) fn without_ended_badge(&self, statement: &Statement) -> Option<Candidate> {
        let issuer = self.in_table("issuer").filter(|_| statement.key(self.text) == "expires");
        let is_of_society = |issuer: &Statement| is_menopause_society(inner(issuer.value(self.text)));
        let table = issuer.filter(is_of_society).and_then(|_| self.table())?;
        let (mut claims, mut words) = (Vec::new(), Vec::new());
        let is_true = |flag: &Range<usize>| &self.text[flag.clone()] == "true";
        if let Some(flag) = value_at_top(self.text, "menopause-society-certified").filter(is_true) {
            claims.extend(self.edit("", flag, "false").edits);
            words.push("write menopause-society-certified = false".to_owned());
        }
        if let Some(place) = value_at_top(self.text, "credentials") {
            let written = inner(&self.text[place.clone()]);
            let mut kept: Vec<&str> = written.split(',').map(str::trim).collect();
            for letters in society_letters(written) {
                kept.retain(|word| *word != letters);
                words.push(format!("remove {letters} from `credentials`"));
            }
            claims.extend(self.edit("", place, quoted(&kept.join(", "))).edits);
        }
        let edits = self.edit("", table.clone(), "").edits.into_iter().chain(claims).collect();
        let [first, last] = [table.start, table.start + self.text[table.clone()].trim_end().len()]
            .map(|at| line_number(self.text, at));
        let renewed = format!(
            "If it was renewed, or the year is mistyped, correct the date. Otherwise delete the certificate (lines {first} to {last})"
        );
        let deleted =
            Candidate::of("contradiction", edits).titled(format!("{renewed}, {}", words.join(", and ")));
        (!words.is_empty()).then(|| deleted.with(Effect::Removes))
    }

    /// A text without the signs of a web page.
    pub(super) fn without_markup(&self, statement: &Statement) -> Option<Candidate> {
        let mut edits = Vec::new();
        let (mut at, end) = (statement.value.start, statement.value.end);
        while let Some(open) = self.text[at..end].find('<').map(|open| at + open) {
            let close = open + self.text[open..end].find('>')? + 1;
            let tag = &self.text[open..close];
            if tag.len() < 24 && !tag.contains(' ') {
                edits.push(self.write(open..close, ""));
            }
            at = close;
        }
        // "<<name>>" is a placeholder.
        let is_markup = !edits.is_empty() && !self.text[statement.value.clone()].contains("<<");
        is_markup.then(|| Candidate::of("markup", edits).titled("Delete the HTML tags"))
    }

    /// A web or mail address without what stands around it, and with its beginning.
    pub(super) fn address(&self, statement: &Statement) -> Option<Candidate> {
        let table = table_above(self.text, statement.key.start);
        let is_address =
            statement.key(self.text).ends_with("url") || ["notices", "security"].contains(&table);
        let written = inner(statement.value(self.text)).trim();
        let link = written.rsplit_once("](").map_or(written, |(_, link)| link);
        let text = link.trim_matches(['<', '>', '(', ')', ' ']).replace(". ", ".");
        if statement.key(self.text) == "phone" {
            let is_before = |sign: char| !sign.is_ascii_digit() && !['+', '('].contains(&sign);
            // The letter O between digits.
            let digits = written.replace(['O', 'o'], "0");
            let written = if digits.contains(char::is_alphabetic) { written } else { &digits };
            let number = written.trim_start_matches(is_before);
            // Of two numbers, the first.
            let first =
                number.split([',', ';', '/']).flat_map(|part| part.split(" or ")).next().unwrap_or(number);
            let first = first.split(" and ").next().unwrap_or(first).split('&').next().unwrap_or(first);
            let is_whole = first.bytes().filter(u8::is_ascii_digit).count() >= 10;
            let number = if is_whole { first.trim() } else { number };
            // Words alone have no number to keep.
            return (!number.is_empty()).then(|| self.edit("value", statement.value.clone(), quoted(number)));
        }
        if !is_address || !text.contains(['.', ',']) || text.contains(' ') || is_of_computer(&text) {
            return None;
        }
        // "https:\\clinic.example", "https//clinic.example"
        let text = text.replace('\\', "/");
        let text = match text.split_once(':').or_else(|| text.split_once("//")) {
            Some((scheme, rest)) if nearest(scheme, ["https", "http"].into_iter()).is_some() => {
                // "https://www.https://clinic.example": what was pasted behind it is whole.
                let rest = rest.rsplit_once("://").map_or(rest, |(_, rest)| rest).trim_start_matches('/');
                let host = rest.strip_suffix('/').filter(|host| !host.contains('/'));
                let rest = host.unwrap_or(rest);
                let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
                format!("https://{}{path}", host.replace(',', "."))
            }
            Some(_) => text.clone(),
            None if text.contains('@') => format!("mailto:{text}"),
            None => format!("https://{}", text.trim_start_matches('/')),
        };
        Some(self.edit("value", statement.value.clone(), quoted(&text)))
    }

    /// The portrait that has the name without its ending or in other letters, or else the clinician's own.
    pub(super) fn picture(&self, folder: &SmallFolder<'_>, statement: &Statement) -> Option<Candidate> {
        let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_lowercase();
        let written = stem(inner(statement.value(self.text)));
        if statement.key(self.text) != "headshot" {
            return None;
        }
        let own = stem(self.path.rsplit('/').next()?);
        let names = || folder.pictures().filter_map(|path| path.strip_prefix("headshots/"));
        let of_stem = |wanted: &str| names().find(|name| stem(name) == wanted);
        // Another picture was meant by an address.
        let is_name = !written.contains('/');
        let name = of_stem(&written).or_else(|| of_stem(&own).filter(|_| is_name))?;
        Some(self.edit("value", statement.value.clone(), quoted(name)).class(Class::Likely))
    }
}
