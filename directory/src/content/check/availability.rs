//! `availability/<slug>.toml`: weekly hours and exceptions.

use std::collections::BTreeMap;
use std::ops::Range;

use chrono::{NaiveDate, Weekday, WeekdaySet};
use chrono_tz::Tz;

use super::super::parse::{given, parse};
use super::super::raw::{AvailabilityFile, ExceptionTable, Located, Text, Texts, WeeklyTable};
use super::super::report::Problem;
use super::super::words::nearest;
use super::catalogue::Catalogue;
use super::fields::File;
use super::provider::Draft;
use crate::calendar::{
    Class, Dated, Hours, Off, Schedule, ScheduleParts, Weekly, Window, Written, overlapping,
};
use crate::model::{Modality, Slug, VisitTypeId};

/// Minutes from now to the earliest start, where a file says nothing.
const DEFAULT_NOTICE: u32 = 60;
/// The longest notice and the longest buffer.
const LONGEST_NOTICE: u32 = 60 * 24 * 60;
const LONGEST_BUFFER: u32 = 1440;

const DAYS: [(&str, Weekday); 7] = [
    ("mon", Weekday::Mon),
    ("tue", Weekday::Tue),
    ("wed", Weekday::Wed),
    ("thu", Weekday::Thu),
    ("fri", Weekday::Fri),
    ("sat", Weekday::Sat),
    ("sun", Weekday::Sun),
];

/// Reads one provider's hours. Without the provider's file, its types cannot be looked at.
pub(super) fn read(
    path: &str,
    text: &str,
    slug: &Slug,
    provider: Option<&Draft>,
    catalogue: &Catalogue,
    today: NaiveDate,
    problems: &mut Vec<Problem>,
) -> Option<Schedule> {
    let mut parsed = parse::<AvailabilityFile>(path, text, problems);
    let raw = std::mem::take(&mut parsed.raw);
    let may_miss_zone = parsed.may_miss("timezone");
    let mut reader = Reader { file: File { path, problems }, slug, provider, catalogue, today };
    let zone = reader.zone(raw.timezone, may_miss_zone);
    let mut parts = ScheduleParts::new(zone.unwrap_or(Tz::UTC));
    parts.notice = reader.minutes(raw.notice, DEFAULT_NOTICE, LONGEST_NOTICE);
    if let Some(buffer) = raw.buffer {
        parts.buffer_before = reader.minutes(buffer.value.before, 0, LONGEST_BUFFER);
        parts.buffer_after = reader.minutes(buffer.value.after, 0, LONGEST_BUFFER);
    }
    if let Some(name) = given(raw.holidays) {
        parts.holidays = catalogue.holidays(&mut reader.file, &name).unwrap_or_default();
    }
    if let Some(effective) = raw.effective {
        let from = effective.value.from.as_ref().and_then(|date| reader.file.date(date));
        let until = effective.value.until.as_ref().and_then(|date| reader.file.date(date));
        if reader.in_order(from, until, &effective.span) {
            (parts.effective_from, parts.effective_until) = (from, until);
        }
    }
    let may_miss = parsed.may_miss("weekly");
    let mut places = Vec::new();
    for table in raw.weekly {
        if let Some((weekly, spans)) = reader.weekly(table, may_miss) {
            parts.weekly.push(weekly);
            places.push(spans);
        }
    }
    reader.overlaps(&parts.weekly, &places);
    let may_miss = parsed.may_miss("exception");
    for table in raw.exception {
        reader.exception(table, may_miss, &mut parts);
    }
    zone?;
    Schedule::new(parts).ok()
}

struct Reader<'a> {
    file: File<'a>,
    slug: &'a Slug,
    provider: Option<&'a Draft>,
    catalogue: &'a Catalogue,
    today: NaiveDate,
}

impl Reader<'_> {
    fn zone(&mut self, text: Text, may_miss: bool) -> Option<Tz> {
        let text = self.file.required_line(text, may_miss, None, "timezone", "\"America/Chicago\"")?;
        if let Ok(zone) = text.value.parse() {
            return Some(zone);
        }
        let hint = match nearest(&text.value, chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name())) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => "write it like \"America/Chicago\"".to_owned(),
        };
        self.file.error(&text.span, format!("there is no time zone \"{}\"", text.value), hint);
        None
    }

    fn minutes(&mut self, text: Text, default: u32, longest: u32) -> u32 {
        let Some(text) = given(text) else { return default };
        match self.file.minutes(&text) {
            Some(minutes) if minutes > longest => {
                let what = format!("\"{}\" is too long: at most {} hours", text.value, longest / 60);
                self.file.error(&text.span, what, "shorten it");
                default
            }
            Some(minutes) => minutes,
            None => default,
        }
    }

    fn in_order(&mut self, from: Option<NaiveDate>, until: Option<NaiveDate>, span: &Range<usize>) -> bool {
        match (from, until) {
            (Some(from), Some(until)) if from > until => {
                let what = format!("{from} is after {until}");
                self.file.error(span, what, "write the earlier date first");
                false
            }
            _ => true,
        }
    }

    /// An entry of weekly hours, and where each of its windows stands.
    fn weekly(&mut self, table: Located<WeeklyTable>, may_miss: bool) -> Option<(Weekly, Vec<Range<usize>>)> {
        let Located { value: raw, span } = table;
        let days = self.days(raw.days, may_miss, &span);
        if raw.hours.is_none() && may_miss {
            self.file.missing(Some(&span), "hours", "[\"09:00-12:00\", \"13:00-17:00\"]");
        }
        let (windows, spans) = self.windows(raw.hours);
        let classes = self.classes(raw.types, raw.step, &span)?;
        Some((Weekly { days: days?, hours: Hours::new(windows, classes) }, spans))
    }

    fn days(&mut self, days: Texts, may_miss: bool, table: &Range<usize>) -> Option<WeekdaySet> {
        let Some(days) = days else {
            if may_miss {
                self.file.missing(Some(table), "days", "[\"mon\", \"tue\"]");
            }
            return None;
        };
        let mut set = WeekdaySet::EMPTY;
        for text in self.file.lines(Some(days)) {
            let found = DAYS.iter().find(|(name, _)| text.value.eq_ignore_ascii_case(name));
            let Some((_, day)) = found else {
                let names = DAYS.map(|(name, _)| name).join(", ");
                let what = format!("\"{}\" is not a day of the week", text.value);
                self.file.error(&text.span, what, format!("write one of {names}"));
                continue;
            };
            if !set.insert(*day) {
                let what = format!("{} stands in this list twice", text.value);
                self.file.error(&text.span, what, "keep one of the two");
            }
        }
        Some(set)
    }

    fn windows(&mut self, hours: Texts) -> (Vec<Window>, Vec<Range<usize>>) {
        let mut windows = Vec::new();
        let mut spans = Vec::new();
        for text in self.file.lines(hours) {
            match text.value.parse::<Window>() {
                Ok(window) => {
                    windows.push(window);
                    spans.push(text.span);
                }
                Err(rule) => {
                    self.file.error(&text.span, format!("\"{}\" are no hours", text.value), rule.to_string());
                }
            }
        }
        (windows, spans)
    }

    /// The classes of some hours: types of one duration start together. `None` without the provider.
    fn classes(
        &mut self,
        ids: Option<Vec<Located<i64>>>,
        step: Text,
        table: &Range<usize>,
    ) -> Option<Vec<Class>> {
        let step = given(step).and_then(|text| {
            let minutes = self.file.minutes(&text)?;
            if !(1..=1440).contains(&minutes) {
                self.file.error(&text.span, "a step is from one minute to one day", "write \"30m\"");
                return None;
            }
            Some(minutes)
        });
        let types = self.types(ids, table)?;
        let mut by_duration: BTreeMap<u32, Vec<VisitTypeId>> = BTreeMap::new();
        for id in types {
            let checked = self.catalogue.types.get(&id).filter(|checked| checked.is_enabled);
            if let Some(duration) = checked.and_then(|checked| checked.visit_type.duration_minutes) {
                by_duration.entry(duration).or_default().push(id);
            }
        }
        let class = |(duration, types)| Class::new(types, duration, step.unwrap_or(duration)).ok();
        Some(by_duration.into_iter().filter_map(class).collect())
    }

    /// The visit types that some hours are for: the named ones, or every video type that the provider offers.
    fn types(&mut self, ids: Option<Vec<Located<i64>>>, table: &Range<usize>) -> Option<Vec<VisitTypeId>> {
        let Some(ids) = ids else {
            let offered = &self.provider?.visit_types;
            let is_video = |id: &&VisitTypeId| {
                let checked = self.catalogue.types.get(id);
                checked.is_some_and(|checked| checked.visit_type.modality == Modality::Video)
            };
            let video: Vec<_> = offered.iter().filter(is_video).copied().collect();
            if video.is_empty() && !offered.is_empty() {
                let what = "these hours are for no visit: the provider offers no video type";
                let problem = Problem::warning(self.file.place(table), what);
                let provider = format!("providers/{}.toml", self.slug);
                self.file.add(problem.hint(format!("add one to appointment-types in {provider}")));
            }
            return Some(video);
        };
        let mut types = Vec::new();
        for id in ids {
            let Some(checked) = self.catalogue.visit_type(&mut self.file, &id) else {
                continue;
            };
            let visit_type = &checked.visit_type;
            if visit_type.modality == Modality::Async {
                let what = format!("the visit type {} happens by message, at no time", id.value);
                self.file.error(&id.span, what, "hours are for video types: take it out");
            } else if checked.is_enabled && !self.may_offer(visit_type.id) {
                let what = format!("{} does not offer the visit type {}", self.slug, id.value);
                let hint = format!("add it to appointment-types in providers/{}.toml", self.slug);
                self.file.error(&id.span, what, hint);
            } else {
                types.push(visit_type.id);
            }
        }
        Some(types)
    }

    /// Whether the provider offers a type, or could, for all that could be read.
    fn may_offer(&self, id: VisitTypeId) -> bool {
        self.provider.is_none_or(|draft| !draft.knows_visit_types || draft.visit_types.contains(&id))
    }

    fn overlaps(&mut self, weekly: &[Weekly], places: &[Vec<Range<usize>>]) {
        for overlap in overlapping(weekly) {
            let place = |written: Written| self.file.place(&places[written.entry][written.window]);
            let what = format!(
                "these hours overlap others of the visit type {} on {}",
                overlap.visit_type, overlap.day
            );
            let problem = Problem::error(place(overlap.second), what).also(place(overlap.first), "these");
            self.file.add(problem.hint("let one end where the other begins"));
        }
    }

    fn exception(&mut self, table: Located<ExceptionTable>, may_miss: bool, parts: &mut ScheduleParts) {
        let Located { value: raw, span } = table;
        let kind = self.file.required_line(raw.kind.clone(), may_miss, Some(&span), "kind", "\"off\"");
        let Some(kind) = kind else { return };
        match kind.value.as_str() {
            "off" => {
                self.strangers(&[("date", raw.date.map(|date| date.span))], "off", "from");
                self.strangers(&[("types", raw.types.and_then(|types| spans_of(&types)))], "off", "nothing");
                let from = raw.from.as_ref().and_then(|date| self.file.date(date));
                if raw.from.is_none() && may_miss {
                    self.file.missing(Some(&span), "from", "2026-11-26");
                }
                let to = raw.to.as_ref().and_then(|date| self.file.date(date)).or(from);
                if raw.hours.as_ref().is_some_and(Vec::is_empty) {
                    let hint = "delete `hours` for the whole day, or write the part that is off";
                    self.file.error(&span, "this exception is off for no hours at all", hint);
                }
                let hours = raw.hours.map(|hours| self.windows(Some(hours)).0);
                if let (Some(from), Some(to)) = (from, to)
                    && self.in_order(Some(from), Some(to), &span)
                {
                    self.past(to, &span);
                    parts.off.push(Off { from, to, hours: hours.filter(|hours| !hours.is_empty()) });
                }
            }
            kind @ ("replace" | "extra") => {
                let strangers =
                    [("from", raw.from.map(|date| date.span)), ("to", raw.to.map(|date| date.span))];
                self.strangers(&strangers, kind, "date");
                let date = raw.date.as_ref().and_then(|date| self.file.date(date));
                if raw.date.is_none() && may_miss {
                    self.file.missing(Some(&span), "date", "2026-12-24");
                }
                if raw.hours.is_none() && may_miss {
                    self.file.missing(Some(&span), "hours", "[\"09:00-12:00\"]");
                }
                let windows = self.windows(raw.hours).0;
                let classes = self.classes(raw.types, raw.step, &span);
                let (Some(date), Some(classes)) = (date, classes) else {
                    return;
                };
                self.past(date, &span);
                let dated = Dated { date, hours: Hours::new(windows, classes) };
                if kind == "replace" { parts.replace.push(dated) } else { parts.extra.push(dated) }
            }
            other => {
                let hint = "write one of off, replace, extra";
                self.file.error(&kind.span, format!("\"{other}\" is not a kind of exception"), hint);
            }
        }
    }

    /// Keys that another kind of exception has.
    fn strangers(&mut self, keys: &[(&str, Option<Range<usize>>)], kind: &str, instead: &str) {
        for (key, span) in keys {
            if let Some(span) = span {
                let hint =
                    if instead == "nothing" { "delete it".to_owned() } else { format!("use `{instead}`") };
                self.file.error(span, format!("an exception of the kind {kind} has no `{key}`"), hint);
            }
        }
    }

    fn past(&mut self, last: NaiveDate, span: &Range<usize>) {
        // A day's grace: somewhere it is still yesterday.
        if last.succ_opt().is_some_and(|next| next < self.today) {
            let warning = Problem::warning(self.file.place(span), "this exception is past");
            self.file.add(warning.hint("delete it whenever you like"));
        }
    }
}

/// From the first to the last of some values.
fn spans_of<T>(values: &[Located<T>]) -> Option<Range<usize>> {
    Some(values.first()?.span.start..values.last()?.span.end)
}
