//! What is tried for hours: exceptions that add nothing, visits without hours, and buffers.

use std::collections::BTreeSet;
use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::super::lines::{each_line, line_at, line_number};
use super::super::mistakes::has_key;
use super::super::problem::{FileSpan, Problem};
use super::super::shape::Atom;
use super::super::statement::name_of;
use super::atoms;
use super::candidate::{Candidate, Effect};
use super::here::Here;
use super::instead::name_of_type;
use super::trial::{Changes, SmallFolder};
use super::used::{TYPES, ids_of, values_of};

impl Here<'_> {
    /// Extra hours within the weekly ones: perhaps the only hours of that day.
    pub(super) fn only_these_hours(&self, problem: &Problem) -> Vec<Candidate> {
        let is_within = problem.what().contains(" already in the weekly hours");
        let entry = self.exception_at(self.span.start).filter(|_| is_within);
        let Some((kind, entry)) = self.in_table("kind").zip(entry) else { return Vec::new() };
        let title = "Write kind = \"replace\", if these are the only hours on that day";
        let delete = self.edit("contradiction", entry, "").titled("Delete this entry");
        vec![self.edit("kind", kind.value, "\"replace\"").titled(title), delete.with(Effect::Removes)]
    }

    /// Days off of which one has extra hours: the only ones of that day.
    pub(super) fn off_around(&self, other: &FileSpan) -> Option<Candidate> {
        let other = other.start().filter(|_| other.path == self.path).and_then(|at| self.exception_at(at))?;
        let this = self.exception_at(self.span.start)?;
        let read = |entry: &Range<usize>| {
            let table: toml::Table = self.text[entry.clone()].parse().ok()?;
            table.get("exception")?.as_array()?.first()?.as_table().cloned()
        };
        let date = |entry: &toml::Table, key: &str| {
            let value = entry.get(key)?;
            let written =
                value.as_datetime().map(ToString::to_string).or_else(|| value.as_str().map(str::to_owned))?;
            written.parse::<NaiveDate>().ok()
        };
        let is_of =
            |entry: &toml::Table, kind: &str| entry.get("kind").and_then(|it| it.as_str()) == Some(kind);
        let (off, extra) =
            [(this.clone(), other.clone()), (other, this)].into_iter().find(|(off, extra)| {
                read(off).is_some_and(|it| is_of(&it, "off"))
                    && read(extra).is_some_and(|it| is_of(&it, "extra"))
            })?;
        let (days, hours) = (read(&off)?, read(&extra)?);
        let (from, day) = (date(&days, "from")?, date(&hours, "date")?);
        let to = date(&days, "to").unwrap_or(from);
        // Another key is about all of the days.
        let is_plain = days.keys().all(|key| ["kind", "from", "to"].contains(&key.as_str()));
        let kind = self.text[extra.clone()].find("\"extra\"").filter(|_| is_plain)? + extra.start;
        let (before, after) = ((from, day.pred_opt()?), (day.succ_opt()?, to));
        let runs = || [before, after].into_iter().filter(|(from, to)| from <= to);
        let entries =
            runs().map(|(from, to)| format!("[[exception]]\nkind = \"off\"\nfrom = {from}\nto = {to}\n"));
        let entries = entries.collect::<Vec<_>>().join("\n");
        let mut title = if from == to {
            "Delete the day off".to_owned()
        } else {
            let shown = |(from, to)| if from == to { format!("{from}") } else { format!("{from} to {to}") };
            let runs: Vec<String> = runs().map(shown).collect();
            format!("Take {day} out of the days off: they are then {}", runs.join(" and "))
        };
        let mut edits = vec![self.write(off, entries)];
        if self.days_of_weeks().contains(&day.weekday()) {
            title.push_str(", and write kind = \"replace\": only these hours are open that day");
            edits.push(self.write(kind..kind + "\"extra\"".len(), "\"replace\""));
        }
        Some(Candidate::of("contradiction", edits).titled(title))
    }

    /// A header that another entry was pasted below: its lines stand after that entry.
    pub(super) fn header_moved_down(&self) -> Option<Candidate> {
        let tables = self.tables();
        let header_of = |table: &Range<usize>| self.text[line_at(self.text, table.start)].trim();
        let is_alone = |table: &Range<usize>| self.text[table.clone()].trim() == header_of(table);
        let is_here = |table: &Range<usize>| table.contains(&self.span.start);
        let is_pair = |pair: &&[Range<usize>]| is_alone(&pair[0]) && (is_here(&pair[0]) || is_here(&pair[1]));
        let [table, next] = tables.windows(2).find(is_pair)? else { return None };
        let header = header_of(table);
        let keys = self.form.table(name_of(header))?;
        let own = self.form.table(name_of(header_of(next)))?;
        let is_lost = |(_, line): &(usize, &str)| {
            let key = line.split('=').next().unwrap_or_default().trim();
            line.contains('=') && own.get(key).is_none() && keys.get(key).is_some()
        };
        let (at, _) = each_line(&self.text[next.clone()]).find(is_lost)?;
        let line = line_number(self.text, next.start + at);
        let mut edits = self.without_lines("place", &line_at(self.text, table.start)).edits;
        edits.push(self.write(next.start + at..next.start + at, format!("{header}\n")));
        let title = format!("Move {header} down, above line {line}");
        Some(Candidate::of("place", edits).titled(title))
    }

    /// A key that is missing, and stands in its table behind a number sign.
    pub(super) fn behind_sign(&self, problem: &Problem) -> Option<Candidate> {
        let key = problem.what().strip_prefix('`')?.strip_suffix("` is missing.")?;
        let table = self.table()?;
        let sign = each_line(&self.text[table.clone()]).find_map(|(at, line)| {
            let statement = line.trim_start().strip_prefix('#')?;
            has_key(statement, key).then(|| table.start + at + line.find('#').unwrap_or_default())
        })?;
        let number = line_number(self.text, sign);
        let title = format!("Delete the # on line {number}, which holds the {key}");
        let gap = usize::from(self.text[sign + 1..].starts_with(' '));
        Some(self.edit("sign", sign..sign + 1 + gap, "").titled(title))
    }
}

/// The only video visit that a clinician offers and no hours are for, in place of one that isn't offered.
pub(super) fn type_without_hours(
    folder: &SmallFolder<'_>,
    changes: &Changes,
    here: &Here<'_>,
    profile: &str,
) -> Option<Candidate> {
    let catalog = folder.text(changes, TYPES)?;
    // Hours without `types` are for every visit.
    if here.text.matches("[[weekly]]").count() > values_of(here.text, "types").count() {
        return None;
    }
    let named: BTreeSet<u32> = ids_of(here.text, "types").collect();
    let is_video = |id: &u32| {
        let (_, place) = values_of(catalog, "id").find(|(known, _)| *known == id.to_string())?;
        Some(values_of(catalog, "modality").find(|(_, kind)| kind.start > place.start)?.0 == "video")
    };
    let is_free = |id: &u32| !named.contains(id) && is_video(id) == Some(true);
    let mut free = ids_of(profile, "appointment-types").filter(is_free);
    let only = free.next().filter(|_| free.next().is_none())?.to_string();
    let name = name_of_type(folder, changes, &only)?;
    let title = format!("Write {only} here, if {name} ({only}) is meant: no hours are for it yet");
    Some(here.edit("type", here.span.clone(), only).titled(title))
}

/// The tables that a buffer of one length of time can mean. Without a word, which side it is for has to be asked.
pub(super) fn buffers(written: &str) -> Vec<String> {
    let text = written.to_lowercase();
    let time = text.split(" before").next().and_then(|text| text.split(" after").next());
    // A number alone means minutes.
    let times = atoms::read(&Atom::Duration, time.unwrap_or_default()).into_iter().map(|time| time.text);
    let Some(time) = times.min_by_key(|time| !time.ends_with("m\"")) else { return Vec::new() };
    let (before, after) = (format!("before = {time}"), format!("after = {time}"));
    let both = format!("{before}, {after}");
    let sides = match ["before", "after"].map(|side| text.contains(side)) {
        [true, false] => vec![before],
        [false, true] => vec![after],
        [true, true] => vec![both],
        [false, false] => vec![after, before, both],
    };
    sides.into_iter().map(|side| format!("{{ {side} }}")).collect()
}
