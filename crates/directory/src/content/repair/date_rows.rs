//! What is tried for several dates: those of an exception, and those of a list of holidays.

use std::collections::BTreeSet;
use std::ops::Range;

use chrono::{Datelike, Months, NaiveDate, TimeDelta, Weekday};
use toml::de::DeTable;

use super::super::check::holiday_named;
use super::super::lines::{each_line, line_number};
use super::super::mistakes::{dates_meant, has_key, span_meant};
use super::super::shape::{Atom, Shape, plain_key};
use super::super::statement::{Statement, begins_table, table_above, without_comment};
use super::atoms;
use super::candidate::{Candidate, Effect};
use super::here::Here;
use super::lists::inner;
use super::values::{listed, rewritten};

/// The longest line in which a date is looked for beside words, in bytes.
const LONGEST: usize = 100;
/// What people write before the last of several days.
const LAST: [&str; 4] = ["to", "until", "end", "through"];

/// The most days that an exception, a leave or a time of hours usually lasts.
const USUAL: [(&str, &str, i64); 3] =
    [("exception", "to", 60), ("leave", "until", 183), ("effective", "until", 366)];

impl Here<'_> {
    /// Two dates in the wrong order: the end in the year that fits, or both swapped.
    pub(super) fn swapped(&self, statement: &Statement, today: NaiveDate) -> Vec<Candidate> {
        let place = (table_above(self.text, statement.key.start), statement.key(self.text));
        let usual = USUAL.iter().find(|(table, key, _)| (*table, *key) == place).map(|(.., days)| *days);
        let Some((first, usual)) = self.in_table("from").zip(usual) else { return Vec::new() };
        let (low, high) = (first.value(self.text), statement.value(self.text));
        let Some((date, days, swapped)) = later_year(low, high) else { return Vec::new() };
        let (is_usual, is_one_year) = (days <= usual, inner(low).get(..4) == inner(high).get(..4));
        let may_swap = swapped <= usual && (is_one_year || !is_usual);
        let soon = today..=today + TimeDelta::days(2 * 366);
        let earlier = earlier_year(low, high, usual).filter(|(_, last)| soon.contains(last));
        let earlier = earlier.map(|(date, _)| self.edit("order", first.value.clone(), date.to_string()));
        let edits = vec![self.write(first.value, high), self.write(statement.value.clone(), low)];
        let effect = if is_usual { Effect::Removes } else { Effect::Nothing };
        let swap = Candidate::of("order", edits).titled("Swap the two dates").with(effect);
        let later = self.edit("order", statement.value.clone(), date.to_string());
        let later = (is_usual || !may_swap).then_some(later);
        // Within one month, the last day is perhaps in the next.
        let is_one_month = inner(low).get(..7) == inner(high).get(..7);
        let next = || inner(high).parse::<NaiveDate>().ok()?.checked_add_months(Months::new(1));
        let next = (is_one_month && later.is_none()).then(next).flatten();
        let next = next.map(|next| self.edit("order", statement.value.clone(), next.to_string()));
        // The day that is nearer to today is more likely right.
        let (one, other) = if swapped > 0 { (earlier, later) } else { (later, earlier) };
        one.into_iter().chain(other).chain(may_swap.then_some(swap)).chain(next).collect()
    }

    /// Dates of several days off in one entry: an entry for each of them, or the first and the last day.
    pub(super) fn entries_of_dates(&self, statement: &Statement, today: NaiveDate) -> Vec<Candidate> {
        self.all_and_weekly(statement, today).unwrap_or_default()
    }

    fn all_and_weekly(&self, statement: &Statement, today: NaiveDate) -> Option<Vec<Candidate>> {
        let key = statement.key(self.text);
        let is_of_dates =
            ["from", "date", "dates", "day", "days", "on"].contains(&key) || LAST.contains(&key);
        if !is_of_dates || table_above(self.text, statement.key.start) != "exception" {
            return None;
        }
        let table = self.table()?;
        let raw = statement.value(self.text);
        let text = &self.text[table.clone()];
        let is_off = !["replace", "extra"].iter().any(|kind| text.contains(&format!("\"{kind}\"")));
        // Only days off have a first and a last day.
        let first = self.in_table("from").or_else(|| self.in_table("date"));
        let last = LAST.into_iter().find_map(|key| self.in_table(key));
        let span = first.zip(last).filter(|_| !is_off);
        let raw = span.as_ref().map_or(raw.to_owned(), |(from, to)| {
            format!("{} - {}", inner(from.value(self.text)), inner(to.value(self.text)))
        });
        let raw = days_ahead(inner(&raw), today).filter(|_| is_off).unwrap_or(raw);
        let written = rewritten(&Shape::List(Atom::Date), &raw).into_iter().next()?.text;
        let all: BTreeSet<NaiveDate> =
            listed(&written).iter().map(|date| date.parse().ok()).collect::<Option<_>>()?;
        // Other hours on a day without weekly hours would open it.
        let is_weekly = |date: &NaiveDate| self.days_of_weeks().contains(&date.weekday());
        let weekly: BTreeSet<NaiveDate> = all.iter().copied().filter(is_weekly).collect();
        let is_part =
            span.is_some() && text.contains("\"replace\"") && !weekly.is_empty() && weekly.len() < all.len();
        let place = (statement, &table, span.is_some());
        let note = ": the other days have no weekly hours";
        let weekly = is_part.then(|| self.entries_on(&weekly, is_off, place, note)).flatten();
        Some(weekly.into_iter().chain(self.entries_on(&all, is_off, place, "")).collect())
    }

    fn entries_on(
        &self,
        dates: &BTreeSet<NaiveDate>,
        is_off: bool,
        (statement, table, is_span): (&Statement, &Range<usize>, bool),
        note: &str,
    ) -> Option<Candidate> {
        let (text, key) = (&self.text[table.clone()], statement.key(self.text));
        let mut runs: Vec<(NaiveDate, NaiveDate)> = Vec::new();
        for &date in dates {
            match runs.last_mut() {
                Some((_, last)) if is_off && last.succ_opt() == Some(date) => *last = date,
                _ => runs.push((date, date)),
            }
        }
        if let [(first, last)] = runs[..]
            && first == last
            && key != "dates"
            && !is_span
        {
            return None;
        }
        let (mut lines, mut end, mut has_note) = (Vec::new(), table.start, false);
        for (at, line) in each_line(text) {
            let content = line.trim();
            has_note |= content.starts_with('#');
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            // A note within the entry belongs to one of its days alone.
            if has_note {
                return None;
            }
            end = table.start + at + line.len();
            let mut keys = LAST.iter().chain(&["from", "date"]);
            let is_date = !is_off && keys.any(|key| has_key(content, key));
            if !statement.whole.contains(&(table.start + at)) && !is_date {
                lines.push(content);
            }
        }
        let write = |&(first, last): &(NaiveDate, NaiveDate)| {
            let days = match is_off {
                true if first == last => format!("from = {first}"),
                true => format!("from = {first}\nto = {last}"),
                false => format!("date = {first}"),
            };
            format!("{}\n{days}", lines.join("\n"))
        };
        let shown = |&(first, last): &(NaiveDate, NaiveDate)| {
            if first == last { first.to_string() } else { format!("{first} to {last}") }
        };
        let title = match runs[..] {
            [(first, last)] if first < last => format!("Write from = {first}, and below it to = {last}"),
            [(date, _)] if is_span => format!("Write date = {date} instead of `from` and `to`{note}"),
            _ => {
                let days: Vec<String> = runs.iter().map(shown).collect();
                format!("Write an entry [[exception]] for each: {}{note}", days.join(", "))
            }
        };
        let entries: Vec<String> = runs.iter().map(write).collect();
        Some(self.edit("header", table.start..end, entries.join("\n\n")).titled(title))
    }

    /// Days off, or a leave, at a key of their own: "vacation = 12/24 thru 1/2", "leave from = 2/1/2027". Elsewhere, a
    /// date among others.
    pub(super) fn days_at_key(&self, today: NaiveDate) -> Vec<Candidate> {
        let Some(found) = Statement::on_line(self.text, self.line().start, |key| !key.is_empty()) else {
            return self.date_among_others(today);
        };
        let (key, raw) = (plain_key(found.key(self.text)), inner(found.value(self.text)));
        let dates = dates_meant(raw);
        let moved = |keys: String| {
            let title = format!("Write at the end of the file, each on a line: {}", keys.replace('\n', ", "));
            self.moved_to_end(&found, &format!("{keys}\n")).titled(title)
        };
        if ["leavefrom", "leavestart", "leavestarts", "leavebegins"].contains(&&*key) {
            return dates.iter().map(|date| moved(format!("[[leave]]\nfrom = {date}"))).collect();
        }
        let kinds = self.form.table("exception").and_then(|keys| keys.get("kind"));
        let is_off = |kinds: &Atom| atoms::read(kinds, &key).iter().any(|kind| inner(&kind.text) == "off");
        if !matches!(kinds, Some(Shape::One(kinds)) if is_off(kinds)) {
            return self.date_among_others(today);
        }
        let raw = raw.trim_end_matches(['!', '.', '?']);
        let days = days_ahead(raw, today).unwrap_or_else(|| raw.to_owned());
        let off = "[[exception]]\nkind = \"off\"\nfrom = ";
        match (span_meant(&days), &dates[..]) {
            (Some((from, to)), _) => vec![moved(format!("{off}{from}\nto = {to}"))],
            (None, dates) => dates.iter().map(|date| moved(format!("{off}{date}"))).collect(),
        }
    }

    pub(super) fn days_of_weeks(&self) -> Vec<Weekday> {
        let (table, _) = DeTable::parse_recoverable(self.text);
        let entries = table.get_ref().get("weekly").and_then(|weekly| weekly.get_ref().as_array());
        let entries = entries.into_iter().flatten();
        let lists = entries.filter_map(|entry| entry.get_ref().get("days")?.as_ref().as_array());
        lists.flatten().filter_map(|day| day.get_ref().as_str()?.parse().ok()).collect()
    }

    /// A holiday's name, or a date without its year: in a list of holidays the date that fits between those around it, in
    /// an exception the next one.
    fn date_among_others(&self, today: NaiveDate) -> Vec<Candidate> {
        let rest = &self.text[self.span.start..];
        let end = if rest.starts_with('"') {
            self.span.len()
        } else {
            rest.find([',', ']', '#', '\n']).unwrap_or(rest.len())
        };
        let raw = rest[..end].trim_end();
        let is_list = self.path.starts_with("holidays/");
        let is_exception = || table_above(self.text, self.span.start) == "exception";
        if !is_list && !is_exception() || raw.parse::<NaiveDate>().is_ok() {
            return Vec::new();
        }
        let dates = |text: &str| -> Vec<NaiveDate> {
            text.split(|sign: char| !sign.is_ascii_digit() && sign != '-')
                .filter_map(|date| date.parse().ok())
                .collect()
        };
        let before = dates(&self.text[..self.span.start]).last().copied().filter(|_| is_list);
        let after = dates(&rest[end..]).first().copied().filter(|_| is_list);
        let mut years: BTreeSet<i32> = before.iter().chain(&after).map(NaiveDate::year).collect();
        if !is_list {
            years.extend([today.year(), today.year() + 1]);
        }
        let meant = |year: &i32| {
            let text = inner(raw);
            let written = [format!("{text}, {year}"), format!("{text}/{year}")];
            let mut dates = holiday_named(text, *year);
            dates.extend(written.iter().flat_map(|text| dates_meant(text)));
            dates
        };
        let mut found: Vec<NaiveDate> = years.iter().flat_map(meant).collect();
        found.retain(|date| {
            before.is_none_or(|before| before < *date) && after.is_none_or(|after| *date < after)
        });
        if !is_list {
            found.retain(|date| *date >= today);
            found.truncate(1);
        }
        let span = self.span.start..self.span.start + raw.len();
        found.iter().map(|date| self.edit("value", span.clone(), date.to_string())).collect()
    }

    /// A line of dates below the end of their list.
    pub(super) fn moved_into_list(&self) -> Option<Candidate> {
        let line = self.line();
        let end = self.text[..line.start].trim_end().strip_suffix(']')?.len();
        let dates = without_comment(&self.text[line.clone()]).trim().trim_end_matches([',', ' ']);
        let are_dates = dates.split(',').all(|date| date.trim().parse::<NaiveDate>().is_ok());
        let mut edits = self.without_lines("dates", &line).edits;
        edits.push(self.write(end..end, format!("    {dates},\n")));
        let title = format!("Move {dates} above the ] on line {}", line_number(self.text, end));
        are_dates.then(|| Candidate::of("dates", edits).titled(title))
    }

    /// The name beside a date of a list, where no other date has one.
    fn date_without_name(&self) -> Option<Candidate> {
        let named = |text: &str| text.split([',', '\n']).filter(|part| date_and_name(part).is_some()).count();
        let line = self.line();
        let mut at = line.start;
        let part = self.text[line].split(',').find_map(|part| {
            let start = at;
            at += part.len() + 1;
            date_and_name(part).map(|found| (start + part.len() - part.trim_start().len(), found))
        });
        let (start, (date, name)) = part.filter(|_| named(self.text) == 1)?;
        let end = start + date.len();
        let rest = self.text[end..].find(name)? + name.len();
        let title = format!("Write {date}, without \"{}\"", name.trim_matches(['(', ')']));
        Some(self.edit("dates", end..end + rest, "").titled(title))
    }

    /// A file of dates whose lines have names, or dates in another form.
    pub(super) fn all_dates(&self) -> Option<Candidate> {
        if !self.path.starts_with("holidays/") {
            return None;
        }
        if let Some(one) = self.date_without_name() {
            return Some(one);
        }
        let (mut lines, mut all) = (Vec::new(), Vec::new());
        // What is said of all dates stays above their list.
        let is_note = |line: &&str| line.trim().is_empty() || line.trim().starts_with('#');
        let above: usize = self.text.split_inclusive('\n').take_while(is_note).map(str::len).sum();
        for line in self.text[above..].lines().map(str::trim) {
            let content = without_comment(line).trim();
            let note = line[content.len()..].trim_start_matches(['#', ' ']);
            let content = content.trim_start_matches("dates").trim_start_matches([' ', '=', ':', '[']);
            let content = content.trim_end_matches([']', ',', ' ', ';']);
            if content.is_empty() || begins_table(line) {
                lines.extend((!note.is_empty()).then(|| format!("    # {note}")));
                continue;
            }
            let (dates, name) = dates_of(content).unwrap_or_default();
            let notes: Vec<&str> =
                [name.as_str(), note].into_iter().filter(|note| !note.is_empty()).collect();
            let note = if notes.is_empty() { String::new() } else { format!("# {}", notes.join(", ")) };
            // Only the name of a holiday whose date is at another key, or a year, may become a note.
            let is_year = content.len() == 4 && content.parse::<u16>().is_ok();
            let is_name =
                content.contains(['=', ':']) && !content.contains(|sign: char| sign.is_ascii_digit());
            if dates.is_empty() && !is_year && !is_name {
                return None;
            }
            let name = content.rsplit(['=', ':']).next().unwrap_or(content);
            let note = if dates.is_empty() { format!("# {}", inner(name)) } else { note };
            let dates: Vec<String> = dates.iter().map(ToString::to_string).collect();
            let end = if dates.is_empty() { "" } else { ", " };
            lines.push(format!("    {}{end}{note}", dates.join(", ")).trim_end().to_owned());
            all.extend(dates);
        }
        let title = format!("Write dates = [{}], with the names as notes (#)", all.join(", "));
        let text = format!("dates = [\n{}\n]\n", lines.join("\n"));
        (!all.is_empty()).then(|| self.edit("dates", above..self.text.len(), text).titled(title))
    }
}

/// "2027-11-25 Thanksgiving"
fn date_and_name(text: &str) -> Option<(&str, &str)> {
    let (date, name) = without_comment(text).trim().split_once(' ')?;
    let is_name = name.starts_with(|sign: char| sign.is_alphabetic() || sign == '(')
        && !name.contains(|sign: char| sign.is_ascii_digit());
    (is_name && date.parse::<NaiveDate>().is_ok()).then_some((date, name))
}

/// The dates in a part of a line, and what else it says.
fn dates_of(text: &str) -> Option<(Vec<NaiveDate>, String)> {
    let read = |text: &str| -> Option<Vec<NaiveDate>> {
        let written = atoms::read(&Atom::Date, inner(text)).into_iter().next()?.text;
        written.split(", ").map(|date| date.parse().ok()).collect()
    };
    if let Some(dates) = read(text) {
        return Some((dates, String::new()));
    }
    // "Thanksgiving: 11/26/2026", "2026-11-26 (Thanksgiving)"
    let gaps = text.match_indices([' ', '=', ':', '(', '-', '–']).filter(|_| text.len() <= LONGEST);
    for (at, _) in gaps {
        let trim = |text: &str| text.trim_matches([' ', '=', ':', '(', ')', '-', '–', '"', '\'']).to_owned();
        let (before, after) = (trim(&text[..at]), trim(&text[at..]));
        if before.is_empty() || after.is_empty() {
            continue;
        }
        let is_words = |text: &str| !text.contains(|sign: char| sign.is_ascii_digit());
        if let Some(dates) = read(&after).filter(|_| is_words(&before)) {
            return Some((dates, if before == "date" { String::new() } else { before }));
        }
        if let Some(dates) = read(&before).filter(|_| is_words(&after)) {
            return Some((dates, after));
        }
    }
    let parts: Vec<_> = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()).collect();
    if parts.len() < 2 {
        return None;
    }
    let parts: Vec<_> = parts.into_iter().map(dates_of).collect::<Option<_>>()?;
    let names: Vec<String> =
        parts.iter().map(|(_, name)| name.clone()).filter(|name| !name.is_empty()).collect();
    Some((parts.into_iter().flat_map(|(dates, _)| dates).collect(), names.join(", ")))
}

/// "12/24 - 1/2": the next days that are written so.
fn days_ahead(text: &str, today: NaiveDate) -> Option<String> {
    let (first, last) =
        ["-", "–", " to ", " thru ", " through "].iter().find_map(|sign| text.split_once(sign))?;
    // "Dec 24-26"
    let month = first.trim().split_once(' ').map(|(month, _)| month).filter(|month| !month.contains('/'));
    let last = month
        .filter(|_| last.trim().len() < 3)
        .map_or(last.to_owned(), |month| format!("{month} {}", last.trim()));
    let next = |day: &str, since: NaiveDate| {
        let in_year = |more: i32| {
            let year = since.year() + more;
            match day.trim().split_once('/') {
                Some((month, day)) => NaiveDate::from_ymd_opt(year, month.parse().ok()?, day.parse().ok()?),
                None => dates_meant(&format!("{}, {year}", day.trim())).first().copied(),
            }
        };
        (0..2).filter_map(in_year).find(|date| *date >= since)
    };
    let first = next(first, today)?;
    Some(format!("{first} - {}", next(&last, first)?))
}

/// The first date in another year, which is before the second one by at most that many days, and the second one.
fn earlier_year(first: &str, last: &str, most: i64) -> Option<(NaiveDate, NaiveDate)> {
    let (first, last): (NaiveDate, NaiveDate) = (inner(first).parse().ok()?, inner(last).parse().ok()?);
    let dates = [0, 1].into_iter().filter_map(|years| first.with_year(last.year() - years));
    let is_near = |date: &NaiveDate| (0..=most).contains(&(last - *date).num_days());
    Some((dates.into_iter().find(is_near)?, last))
}

/// The second date in the first year in which it is not before the first one, the days between these two, and those if
/// both are swapped.
fn later_year(first: &str, last: &str) -> Option<(NaiveDate, i64, i64)> {
    let (first, last): (NaiveDate, NaiveDate) = (inner(first).parse().ok()?, inner(last).parse().ok()?);
    let same = last.with_year(first.year())?;
    let date = if same < first { same.with_year(first.year() + 1)? } else { same };
    Some((date, (date - first).num_days(), (first - last).num_days()))
}
