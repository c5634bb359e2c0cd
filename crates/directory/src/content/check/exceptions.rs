//! The exceptions in `availability/<slug>.toml`.

use std::ops::Range;

use chrono::{Datelike, NaiveDate, WeekdaySet};

use super::super::mistakes::{entries_of_days_off, is_closed};
use super::super::problem::{Advice, Problem};
use super::super::raw::{DateValue, ExceptionTable, Located};
use super::super::statement::DATE;
use super::availability::{Reader, Replacement};
use super::days::DAYS;
use super::fields::given_date;
use super::unlikely;
use crate::calendar::{Dated, Hours, Off, Schedule, ScheduleParts, Weekly, Window, overlapping};

/// The longest `off` without a warning, in days. A longer one probably has a mistyped year.
const LONGEST_OFF: i64 = 366;
const NOT_EXTRA: &str =
    "Delete this exception. To close the day, write kind = \"off\", and `from` instead of `date`.";
/// How many times off before a date are looked through.
pub(super) const COMPARED: usize = 100;

impl Reader<'_> {
    /// Whether two dates are in order, or one is missing. Reports a second date that is before the first.
    pub(super) fn check_order(
        &mut self,
        (first_key, first): (&str, Option<&Located<NaiveDate>>),
        (last_key, last): (&str, Option<&Located<NaiveDate>>),
    ) -> bool {
        let (Some(first), Some(last)) = (first, last) else { return true };
        let (from, to) = (first.value, last.value);
        if from <= to {
            return true;
        }
        let what = format!("`{first_key}` ({from}) is after `{last_key}` ({to}).");
        let hint = "Check the years. If they are right, write the earlier date first.";
        self.file.error(&last.span, what, hint);
        false
    }

    pub(super) fn exception(&mut self, table: Located<ExceptionTable>, parts: &mut ScheduleParts) {
        let Located { value: raw, span } = table;
        let kinds = if raw.date.is_some() { "one of \"replace\", \"extra\"" } else { "\"off\"" };
        let kind = self.file.required_line(raw.kind.clone(), Some(&span), "kind", kinds);
        let Some(kind) = kind else { return };
        if kind.value == "extra" && raw.date.is_none() && raw.hours.is_none() && raw.from.is_some() {
            let what = "Extra hours have `date` and `hours`, not `from`.";
            self.file.error(&kind.span, what, Advice::meant("\"off\""));
            return;
        }
        match kind.value.as_str() {
            "off" => self.off(raw, &span, parts),
            "replace" => {
                // Hours that cannot be read close nothing.
                let closes = match &raw.hours {
                    Some(hours) => self.file.is_written_empty(hours),
                    None => self.file.is_missing(Some(&span), "hours"),
                };
                if let Some((dated, spans)) = self.dated(raw, "replace", &span) {
                    if parts.holidays.contains(&dated.date) && !spans.is_empty() {
                        let what = format!("{} is a holiday, which closes these hours.", dated.date);
                        let advice = Advice::write("\"extra\"").and(" to open on a holiday.");
                        self.file.warn(&kind.span, what, advice);
                    } else if !spans.is_empty() {
                        self.warn_if_on_leave(dated.date, &span);
                    }
                    let weekly = as_weekly(&dated);
                    self.report_overlaps(std::slice::from_ref(&weekly), &[spans]);
                    let replacement = Replacement { weekly, place: span, closes };
                    self.replacements.entry(dated.date).or_default().push(replacement);
                    parts.replace.push(dated);
                }
            }
            "extra" => {
                if let Some((dated, _)) = self.dated(raw, "extra", &span) {
                    self.extra_places.push((dated.date, span));
                    parts.extra.push(dated);
                }
            }
            other => {
                let hint = if is_closed(other) || ["holiday", "vacation", "pto"].contains(&other) {
                    "Write kind = \"off\", with from = YYYY-MM-DD for the first day and to = YYYY-MM-DD \
                     for the last, and delete `date`."
                } else {
                    "Write one of off, replace, extra."
                };
                self.file.error(&kind.span, format!("\"{other}\" isn't a kind of exception."), hint);
                for date in [raw.from, raw.to, raw.date] {
                    self.date(given_date(date));
                }
            }
        }
    }

    fn off(&mut self, raw: ExceptionTable, span: &Range<usize>, parts: &mut ScheduleParts) {
        let instead = if raw.from.is_some() {
            "Write this date at `from`, and delete this line."
        } else {
            "Use `from`."
        };
        let has_date = self.report_foreign_key("date", raw.date.as_ref(), "off", instead);
        self.report_foreign_key("types", raw.types.as_ref(), "off", "Delete it.");
        self.report_foreign_key("step", raw.step.as_ref(), "off", "Delete it.");
        let from = given_date(raw.from);
        if from.is_none() && !has_date {
            self.file.missing(Some(span), "from", DATE);
        }
        if raw.hours.is_none() && self.begins_or_ends_within_a_day(from.as_ref(), raw.to.as_ref()) {
            return;
        }
        let from = self.date(from);
        let to = self.date(raw.to);
        if let Some(hours) = raw.hours.as_ref().filter(|hours| self.file.is_written_empty(hours)) {
            let hint = "Delete `hours` for the whole day, or write the part that is off.";
            self.file.error(&hours.span, "`hours` is empty, so this exception closes nothing.", hint);
        }
        let closed = "Delete this line: without hours, the whole day is off.";
        let (hours, spans) = match raw.hours {
            Some(hours) => self.windows(Some(hours), closed),
            None => (Vec::new(), Vec::new()),
        };
        if let Some(first) = &from
            && self.check_order(("from", Some(first)), ("to", to.as_ref()))
        {
            let last = to.as_ref().unwrap_or(first).value;
            self.file.warn_if_far_ahead(first, self.today);
            self.warn_if_past(last, span);
            let days = (last - first.value).num_days() + 1;
            if days > LONGEST_OFF {
                let what = format!("This closes this clinician's hours for {days} days.");
                let hint = "Check the years of `from` and `to`.";
                self.file.warn(&to.as_ref().unwrap_or(first).span, what, hint);
            }
            if let ([window], [place]) = (hours.as_slice(), spans.as_slice()) {
                self.is_off_each_day(*window, place, first.value, last);
            }
            let whole = hours.is_empty().then(|| (None, span.clone()));
            let places = hours.iter().map(|window| Some(*window)).zip(spans).chain(whole);
            self.off_places.extend(places.map(|(window, place)| (first.value..=last, window, place)));
            parts.off.push(Off {
                from: first.value,
                to: last,
                hours: Some(hours).filter(|hours| !hours.is_empty()),
            });
        }
    }

    /// Reports days off that begin or end within a day: an entry closes whole days, or the same hours of each day.
    fn begins_or_ends_within_a_day(
        &mut self,
        from: Option<&Located<DateValue>>,
        to: Option<&Located<DateValue>>,
    ) -> bool {
        let (Some(from), Some(to)) = (from, to) else { return false };
        let Some(entries) = entries_of_days_off(&from.value.0, &to.value.0) else { return false };
        let is_date = from.value.0.trim().parse::<NaiveDate>().is_ok();
        let place = if is_date { to } else { from };
        let what = format!("\"{}\" is more than a date.", place.value.0.trim());
        let hint = format!("Replace this entry with these:\n{entries}");
        self.file.error(&place.span, what, hint);
        true
    }

    /// Warns of one stretch of hours over several days: perhaps a vacation that begins or ends within a day. Two evenings
    /// off are usual.
    fn is_off_each_day(&mut self, window: Window, span: &Range<usize>, first: NaiveDate, last: NaiveDate) {
        let (start, end) = (window.start(), window.end());
        let days = (last - first).num_days() + 1;
        let meets_midnight = start.minutes() == 0 || end.minutes() == 24 * 60;
        if days == 1 || days == 2 && !meets_midnight {
            return;
        }
        let what = format!("From {first} to {last}, only the hours {start}-{end} of each day are off.");
        let hint = "If that is intended, leave it. If the other days are off as a whole, keep only the day \
                    that is partly off here (as `from`, without `to`), and add an [[exception]] with kind \
                    = \"off\", from and to for the other days, and no hours.";
        self.file.warn(span, what, hint);
    }

    fn dated(
        &mut self,
        raw: ExceptionTable,
        kind: &str,
        span: &Range<usize>,
    ) -> Option<(Dated, Vec<Range<usize>>)> {
        let has_from = self.report_foreign_key("from", raw.from.as_ref(), kind, "Use `date`.");
        let hint = format!("Write a separate {kind} exception for each date.");
        self.report_foreign_key("to", raw.to.as_ref(), kind, &hint);
        let date = given_date(raw.date);
        if date.is_none() && !has_from {
            self.file.missing(Some(span), "date", DATE);
        }
        let date = self.date(date);
        // A `replace` without hours closes the day: a form leaves an empty list out.
        let is_extra = kind == "extra";
        if is_extra && raw.hours.is_none() {
            self.file.missing(Some(span), "hours", "[\"09:00-12:00\"]");
        }
        if let Some(hours) = raw.hours.as_ref().filter(|hours| is_extra && self.file.is_written_empty(hours))
        {
            self.file.error(&hours.span, "This exception adds no hours.", NOT_EXTRA);
        }
        let closed = if is_extra { NOT_EXTRA } else { "Write hours = [] to close the day." };
        let (windows, spans) = self.windows(raw.hours, closed);
        let classes = self.classes(raw.types, raw.step, span);
        let (date, classes) = (date?, classes?);
        self.file.warn_if_far_ahead(&date, self.today);
        let date = date.value;
        self.warn_of_short_windows(&windows, &spans, &classes);
        self.warn_if_past(date, span);
        Some((Dated { date, hours: Hours::new(windows, classes) }, spans))
    }

    /// Warns of `replace` exceptions of one date of which one closes the day, or whose hours overlap: the hours of all
    /// count. On a date that is closed, none does.
    pub(super) fn warn_of_contradicting_replacements(&mut self, parts: &ScheduleParts) {
        let mut by_date = std::mem::take(&mut self.replacements);
        for (days, _, off) in self.off_places.clone().iter().filter(|(_, window, _)| window.is_none()) {
            let closed: Vec<_> = by_date.range(days.clone()).map(|(date, _)| *date).collect();
            for date in closed {
                let entries = by_date.remove(&date).into_iter().flatten();
                for entry in entries.filter(|entry| !entry.weekly.hours.windows().is_empty()) {
                    self.warn_of_hours_on_day_off(date, &entry.place, off);
                }
            }
        }
        for (date, entries) in by_date {
            if parts.holidays.contains(&date) {
                continue;
            }
            self.warn_of_opened_day(date, &entries, parts);
            let closed = entries.iter().find(|entry| entry.closes);
            let open = entries.iter().find(|entry| !entry.weekly.hours.windows().is_empty());
            if let (Some(closed), Some(open)) = (closed, open) {
                let what = format!("This entry closes nothing, because another one opens hours on {date}.");
                let problem = Problem::warning(self.file.place(&closed.place), what);
                let problem = problem.also(self.file.place(&open.place), "the other");
                self.file.add(problem.hint("Delete the wrong one."));
            }
            if let ([one, other], None) = (&entries[..], closed)
                && one.weekly.hours.classes() == other.weekly.hours.classes()
                && overlapping(&[one.weekly.clone(), other.weekly.clone()]).is_empty()
            {
                let line = self.file.line_number(&one.place);
                let what = format!("The entry on line {line} has other hours for {date}. Both count.");
                let hint = "Correct the date of the one for another day, or write all hours in one entry.";
                self.file.warn(&other.place, what, hint);
            }
            let (weekly, places): (Vec<Weekly>, Vec<Range<usize>>) =
                entries.into_iter().map(|entry| (entry.weekly, entry.place)).unzip();
            let mut overlaps = overlapping(&weekly).into_iter();
            if let Some(overlap) = overlaps.find(|overlap| overlap.first.entry != overlap.second.entry) {
                let visit_type = overlap.visit_type;
                let what = format!(
                    "Another entry for {date} has hours of visit type {visit_type} that overlap these. \
                     Both count."
                );
                let problem = Problem::warning(self.file.place(&places[overlap.second.entry]), what);
                let problem = problem.also(self.file.place(&places[overlap.first.entry]), "the other");
                let hint = "Delete the wrong one, or end one where the other begins.";
                self.file.add(problem.hint(hint));
            }
        }
    }

    /// The schedule of the file. Warns of time off that meets none of its hours: those that were meant stay bookable.
    pub(super) fn schedule(mut self, parts: ScheduleParts) -> Option<Schedule> {
        let schedule = Schedule::new(parts).ok()?;
        // Hours of a night belong to two dates.
        let is_by_day = !self.all_windows.iter().any(|(window, _)| window.ends_next_day());
        let is_read = is_by_day && self.file.problems.total.errors == 0 && self.whole_provider().is_some();
        for (days, off, place) in std::mem::take(&mut self.off_places) {
            let place = self.file.place(&place);
            let is_known = self.file.problems.iter().any(|known| known.place == place);
            if !is_read || is_known || *days.end() < self.today {
                continue;
            }
            let dates = || days.start().iter_days().take_while(|date| days.contains(date)).take(COMPARED);
            let hours_on = |date| schedule.hours_on(date).flat_map(Hours::windows);
            let meets = |off: Window| {
                let met = |window: &Window| window.start() < off.end() && off.start() < window.end();
                dates().any(|date| schedule.parts().holidays.contains(&date) || hours_on(date).any(met))
            };
            let is_open_on =
                |date| schedule.parts().holidays.contains(&date) || hours_on(date).next().is_some();
            // A vacation of several days may begin on any of them.
            let whole = || days.start() != days.end() || is_open_on(*days.start());
            let is_needed = off.map_or_else(whole, meets);
            if is_needed {
                continue;
            }
            let date = dates().find(|date| hours_on(*date).next().is_some()).unwrap_or(*days.start());
            let day = DAYS.iter().find(|(.., day)| *day == date.weekday()).map_or("", |(_, name, _)| name);
            let hours: Vec<_> = hours_on(date).map(Window::to_string).collect();
            let hours = if hours.is_empty() {
                "there are no hours".to_owned()
            } else {
                format!("the hours are {}", hours.join(" and "))
            };
            let later = off.and_then(|off| unlikely::shifted(off, unlikely::HALF, unlikely::HALF));
            let later = later.filter(|text| text.trim_matches('"').parse().is_ok_and(meets));
            let wrong = if off.is_some() { "the hours or the date" } else { "the date" };
            let hint = || format!("Correct {wrong}, or delete this exception.").into();
            let warning = Problem::warning(place, format!("This closes nothing: on {day}, {date}, {hours}."));
            self.file.add(warning.hint(later.map_or_else(hint, Advice::meant)));
        }
        Some(schedule)
    }

    pub(super) fn warn_if_on_leave(&mut self, date: NaiveDate, hours: &Range<usize>) {
        let provider = self.provider.and_then(|draft| draft.provider.as_ref());
        let mut leaves = provider.into_iter().flat_map(|provider| &provider.leave);
        if date >= self.today
            && leaves.any(|leave| leave.from <= date && leave.until.is_some_and(|back| date < back))
        {
            let what = format!("These hours can't be booked: this clinician is on leave on {date}.");
            let hint = format!("Delete this entry, or correct the leave in providers/{}.toml.", self.slug);
            self.file.warn(hours, what, hint);
        }
    }

    fn warn_if_past(&mut self, last: NaiveDate, span: &Range<usize>) {
        // One day later than the date, because it is still yesterday in some time zones.
        if last.succ_opt().is_some_and(|next| next < self.today) {
            let hint = "Correct the date if its year is wrong. If not, you can delete this exception.";
            self.file.warn(span, "This exception is in the past.", hint);
        }
    }

    fn report_foreign_key<T>(
        &mut self,
        key: &str,
        value: Option<&Located<T>>,
        kind: &str,
        hint: &str,
    ) -> bool {
        if let Some(Located { span, .. }) = value {
            self.file.error(span, format!("An exception with kind = \"{kind}\" can't have `{key}`."), hint);
        }
        value.is_some()
    }
}

/// The hours of one date as those of its weekday, among which overlaps are looked for.
fn as_weekly(dated: &Dated) -> Weekly {
    Weekly { days: WeekdaySet::single(dated.date.weekday()), hours: dated.hours.clone() }
}
