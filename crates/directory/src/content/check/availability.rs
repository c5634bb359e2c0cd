//! `availability/<slug>.toml`: weekly hours and exceptions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::super::mistakes::is_closed;
use super::super::parse::given;
use super::super::problem::{Advice, FileSpan, Problem, sentence};
use super::super::raw::{AvailabilityFile, DateValue, List, Located, Text, WeeklyTable};
use super::catalog::Catalog;
use super::collect::Input;
use super::days::{DAYS, read_days};
use super::fields::{File, LETTERS, codes, given_date};
use super::provider::Draft;
use super::unlikely;
use super::visit_type::USUAL_VISIT;
use crate::calendar::{
    Class, DEFAULT_NOTICE, Hours, Schedule, ScheduleParts, Weekly, Window, WindowError, Written, overlapping,
};
use crate::model::{Modality, Slug, StateSet, VisitType, VisitTypeId};

/// A longer notice is probably mistyped, in minutes.
const LONG: u32 = 14 * 24 * 60;
/// The longest notice and the longest buffer, in minutes.
const LONGEST_NOTICE: u32 = 60 * 24 * 60;
const LONGEST_BUFFER: u32 = 1440;
/// The longest buffer without a warning, in minutes.
const USUAL_BUFFER: u32 = 120;

/// Without `provider`, visit types are not checked.
pub(super) fn read(
    input: Input<'_>,
    provider: Option<&Draft>,
    catalog: &Catalog,
    today: NaiveDate,
) -> Option<Schedule> {
    let Input { path, text, slug, problems } = input;
    let (file, raw) = File::read::<AvailabilityFile>(path, text, problems);
    let mut reader = Reader {
        file,
        slug,
        provider,
        catalog,
        today,
        all_windows: Vec::new(),
        replacements: BTreeMap::new(),
        off_places: Vec::new(),
        extra_places: Vec::new(),
    };
    let is_empty = raw.weekly.is_empty() && raw.exception.is_empty();
    let zone = reader.zone(raw.timezone);
    let mut parts = ScheduleParts::new(zone.unwrap_or(Tz::UTC));
    parts.notice = reader.minutes(raw.notice, DEFAULT_NOTICE, LONGEST_NOTICE);
    if let Some(buffer) = raw.buffer {
        parts.buffer_before = reader.buffer(buffer.value.before, "before");
        parts.buffer_after = reader.buffer(buffer.value.after, "after");
    }
    let holidays = given(raw.holidays).map(|name| catalog.holidays.dates(&mut reader.file, &name));
    let knows_holidays = holidays != Some(None);
    parts.holidays = holidays.flatten().unwrap_or_default();
    if let Some(effective) = raw.effective {
        let from = reader.date(effective.value.from);
        let until = reader.date(effective.value.until);
        if reader.check_order(("from", from.as_ref()), ("until", until.as_ref())) {
            let is_accepting = provider.is_some_and(|draft| !draft.accepting.is_empty());
            parts.effective_from = from.as_ref().map(|date| date.value);
            if let Some(from) = &from {
                unlikely::warn_of_beginning(&mut reader.file, from, is_accepting, today);
            }
            if let Some(until) = &until {
                unlikely::warn_of_end(&mut reader.file, parts.effective_from, until, is_accepting, today);
            }
            parts.effective_until = until.map(|date| date.value);
        }
    }
    let mut places = Vec::new();
    for table in raw.weekly {
        if let Some((weekly, spans)) = reader.weekly(table) {
            parts.weekly.push(weekly);
            places.push(spans);
        }
    }
    reader.report_overlaps(&parts.weekly, &places);
    for table in raw.exception {
        reader.exception(table, &mut parts);
    }
    reader.warn_of_extra_hours(&parts, knows_holidays);
    reader.warn_of_contradicting_replacements(&parts);
    unlikely::warn(&mut reader.file, &reader.all_windows);
    if !parts.weekly.is_empty() {
        reader.warn_if_never_shown();
    } else if is_empty {
        reader.warn_if_nothing_is_offered();
    }
    zone.and_then(|_| reader.schedule(parts))
}

pub(super) struct Reader<'a> {
    pub(super) file: File<'a>,
    pub(super) slug: Slug,
    pub(super) provider: Option<&'a Draft>,
    pub(super) catalog: &'a Catalog,
    pub(super) today: NaiveDate,
    pub(super) all_windows: Vec<(Window, Range<usize>)>,
    pub(super) replacements: BTreeMap<NaiveDate, Vec<Replacement>>,
    /// The time off, without a window for whole days; and the dates with extra hours.
    pub(super) off_places: Vec<(RangeInclusive<NaiveDate>, Option<Window>, Range<usize>)>,
    pub(super) extra_places: Vec<(NaiveDate, Range<usize>)>,
}

pub(super) struct Replacement {
    /// Its hours, as those of a week are compared.
    pub(super) weekly: Weekly,
    pub(super) place: Range<usize>,
    /// Whether it is written to close the day.
    pub(super) closes: bool,
}

impl Reader<'_> {
    fn minutes(&mut self, text: Text, default: u32, longest: u32) -> u32 {
        let Some(text) = given(text) else { return default };
        match self.file.minutes(&text) {
            Some(minutes) if minutes > longest => {
                let longest =
                    if longest > 1440 { format!("{} days", longest / 1440) } else { "1 day".to_owned() };
                let what = format!("\"{}\" is too long: the limit is {longest}.", text.value);
                self.file.error(&text.span, what, "Shorten it.");
                default
            }
            Some(minutes) => {
                unlikely::warn_of_minutes(&mut self.file, &text);
                if minutes > LONG {
                    let what = format!("Nothing can be booked within the next {} days.", minutes / 1440);
                    self.file.warn(
                        &text.span,
                        what,
                        "Check the letter: m is minutes, h is hours, d is days.",
                    );
                }
                minutes
            }
            None => default,
        }
    }

    /// The time that is kept free on a side of a visit.
    fn buffer(&mut self, text: Text, side: &str) -> u32 {
        let span = text.as_ref().map(|text| text.span.clone());
        let minutes = self.minutes(text, 0, LONGEST_BUFFER);
        if let Some(span) = span.filter(|_| minutes > USUAL_BUFFER) {
            let (number, unit) =
                if minutes.is_multiple_of(60) { (minutes / 60, "hours") } else { (minutes, "minutes") };
            let what = format!("{number} {unit} are kept free {side} each visit.");
            self.file.warn(&span, what, "Check the number and its letter: m is minutes, h is hours.");
        }
        minutes
    }

    pub(super) fn date(&mut self, date: Option<Located<DateValue>>) -> Option<Located<NaiveDate>> {
        let date = given_date(date)?;
        Some(Located { value: self.file.date(&date)?, span: date.span })
    }

    fn weekly(&mut self, table: Located<WeeklyTable>) -> Option<(Weekly, Vec<Range<usize>>)> {
        let Located { value: raw, span } = table;
        let days = read_days(&mut self.file, raw.days, &span);
        match &raw.hours {
            None => self.file.missing(Some(&span), "hours", "[\"09:00-12:00\", \"13:00-17:00\"]"),
            Some(hours) if self.file.is_written_empty(hours) => {
                self.file.report_empty_list(&hours.span, "hours");
            }
            _ => {}
        }
        let closed = "Delete this [[weekly]] entry: a day without hours is closed.";
        let (windows, spans) = self.windows(raw.hours, closed);
        let classes = self.classes(raw.types, raw.step, &span)?;
        self.warn_of_short_windows(&windows, &spans, &classes);
        Some((Weekly { days: days?, hours: Hours::new(windows, classes) }, spans))
    }

    pub(super) fn warn_of_short_windows(
        &mut self,
        windows: &[Window],
        spans: &[Range<usize>],
        classes: &[Class],
    ) {
        // A visit that takes longer is reported where its duration is written.
        let usual = classes.iter().filter(|class| class.duration() <= USUAL_VISIT);
        let Some(shortest) = usual.min_by_key(|class| class.duration()) else { return };
        for (window, span) in windows.iter().zip(spans) {
            if u32::from(window.clock_minutes()) < shortest.duration()
                && let Some(id) = shortest.types().first()
            {
                let what =
                    format!("No visit fits in these hours: {id} takes {} minutes.", shortest.duration());
                self.file.warn(span, what, "Write a later end, or delete these hours.");
            }
        }
    }

    /// `closed` is the advice for a word such as "closed".
    pub(super) fn windows(&mut self, hours: List<String>, closed: &str) -> (Vec<Window>, Vec<Range<usize>>) {
        let mut windows = Vec::new();
        let mut spans = Vec::new();
        for text in self.file.lines(hours.map(|hours| hours.value)) {
            match text.value.parse::<Window>() {
                Ok(window) => {
                    windows.push(window);
                    self.all_windows.push((window, text.span.clone()));
                    spans.push(text.span);
                }
                Err(rule) => {
                    let hint: Advice = match rule {
                        _ if is_closed(&text.value) => closed.into(),
                        WindowError::Time(_) => {
                            format!("{} Write it like \"09:00-17:00\".", sentence(rule)).into()
                        }
                        _ => sentence(rule).into(),
                    };
                    let padded: Vec<_> = text.value.split('-').map(|time| format!("{time:0>5}")).collect();
                    let is_short = padded.join("-").parse::<Window>().is_ok();
                    let why = if is_short { ": hours need two digits, on a 24-hour clock" } else { "" };
                    let what = format!("\"{}\" isn't a valid range of hours{why}.", text.value);
                    self.file.error(&text.span, what, hint);
                }
            }
        }
        (windows, spans)
    }

    /// By duration, because types of equal duration have the same starts. `None` if the types are unknown.
    pub(super) fn classes(&mut self, ids: List<i64>, step: Text, table: &Range<usize>) -> Option<Vec<Class>> {
        let step = given(step).and_then(|text| {
            let minutes = self.file.minutes(&text)?;
            if !(1..=1440).contains(&minutes) {
                let what = "A step must be between one minute and one day.";
                return self.file.refuse(&text.span, what, LETTERS);
            }
            if minutes < 5 {
                let hint = "Write how far apart they begin, such as \"15m\" or \"30m\".";
                self.file.warn(&text.span, "Visits could begin every few minutes.", hint);
            }
            Some(minutes)
        });
        let types = self.types(ids, table)?;
        let mut by_duration: BTreeMap<u32, Vec<VisitTypeId>> = BTreeMap::new();
        for id in types {
            let checked = self.catalog.types.get(&id).filter(|checked| checked.is_enabled);
            if let Some(duration) = checked.and_then(|checked| checked.visit_type.duration_minutes) {
                by_duration.entry(duration).or_default().push(id);
            }
        }
        let class = |(duration, types)| Class::new(types, duration, step.unwrap_or(duration)).ok();
        Some(by_duration.into_iter().filter_map(class).collect())
    }

    /// The visit types of an entry: those that it lists, or every video type that the provider offers.
    fn types(&mut self, ids: List<i64>, table: &Range<usize>) -> Option<Vec<VisitTypeId>> {
        let Some(ids) = ids else {
            let offered = &self.provider?.visit_types;
            let is_video = |id: &&VisitTypeId| {
                let checked = self.catalog.types.get(id);
                checked.is_some_and(|checked| checked.visit_type.modality == Modality::Video)
            };
            let video: Vec<_> = offered.iter().filter(is_video).copied().collect();
            let is_known = self.catalog.all_types_read && self.provider?.is_whole;
            if video.is_empty() && is_known {
                let what =
                    "No visit can be booked in these hours: this clinician offers no enabled video visit.";
                let problem = Problem::warning(self.file.place(table), what);
                let provider = format!("providers/{}.toml", self.slug);
                self.file.add(
                    problem
                        .hint(format!("Add one to appointment-types in {provider}, or delete these hours.")),
                );
            }
            return Some(video);
        };
        if self.file.is_written_empty(&ids) {
            self.file.report_empty_list(&ids.span, "types");
        }
        let mut types = Vec::new();
        let (named, mut enabled) = (ids.value.len(), 0);
        for id in ids.value {
            let Some(checked) = self.catalog.visit_type(&mut self.file, &id) else { continue };
            let visit_type = &checked.visit_type;
            if visit_type.modality == Modality::Async {
                let what = format!("Visit type {} is by message, so it has no hours.", id.value);
                self.file.error(&id.span, what, "Remove it: only video visits have hours.");
            } else if checked.is_enabled && !self.may_offer(visit_type.id) {
                let what = format!("{} doesn't offer visit type {}.", self.slug, id.value);
                let hint = format!("Add it to appointment-types in providers/{}.toml.", self.slug);
                self.file.error(&id.span, what, hint);
            } else {
                if checked.is_enabled && checked.is_sound {
                    self.warn_if_type_never_shown(&id, visit_type);
                }
                enabled += usize::from(checked.is_enabled);
                types.push(visit_type.id);
            }
        }
        if enabled == 0 && !types.is_empty() && types.len() == named {
            let what = match types.as_slice() {
                [id] => format!("No visit can be booked in these hours: visit type {id} isn't enabled."),
                _ => {
                    "No visit can be booked in these hours: none of these visit types is enabled.".to_owned()
                }
            };
            let hint = "Add an enabled visit type, or delete `enabled = false` in appointment-types.toml. If the type is \
                        only closed for a while, leave these hours.";
            self.file.warn(&ids.span, what, hint);
        }
        Some(types)
    }

    pub(super) fn whole_provider(&self) -> Option<&Draft> {
        self.provider.filter(|draft| draft.is_whole)
    }

    /// New patients are accepted nowhere, and no visit is for current ones.
    fn warn_if_never_shown(&mut self) {
        let is_shown = |draft: &Draft| {
            let types = draft.visit_types.iter().filter_map(|id| self.catalog.types.get(id));
            let mut video = types.map(|it| &it.visit_type).filter(|it| it.modality == Modality::Video);
            draft.is_paused || !draft.accepting.is_empty() || video.any(|it| !draft.states_for(it).is_empty())
        };
        if self.whole_provider().is_some_and(|draft| !is_shown(draft)) {
            let what = "No opening in these hours is shown: this clinician isn't accepting new patients \
                        and offers no visit for current patients.";
            let hint = format!(
                "Add a state to `accepting` or such a visit to `appointment-types` in providers/{}.toml, \
                 or delete this file until then.",
                self.slug
            );
            self.file.add(Problem::warning(FileSpan::file(self.file.path), what).hint(hint));
        }
    }

    fn warn_if_type_never_shown(&mut self, id: &Located<i64>, visit_type: &VisitType) {
        let accepting = self.whole_provider().map_or(StateSet::EMPTY, |draft| draft.accepting);
        let is_for_new = visit_type.new_patient_eligible;
        if is_for_new && !accepting.is_empty() && accepting.intersection(visit_type.states).is_empty() {
            let what = format!(
                "No opening for visit type {} is shown: this clinician accepts new patients in {}, where \
                 it isn't offered.",
                id.value,
                codes(accepting)
            );
            let hint = format!(
                "Remove {} here, or add a state to its `states` in appointment-types.toml or to \
                 `accepting` in providers/{}.toml.",
                id.value, self.slug
            );
            self.file.warn(&id.span, what, hint);
        }
    }

    /// Warns if the file has no hours, although the provider accepts new patients. A note can say that this is meant.
    fn warn_if_nothing_is_offered(&mut self) {
        let is_missed = self.whole_provider().is_some_and(|draft| draft.needs_hours(self.catalog))
            && self.file.is_whole()
            && !self.catalog.has_open_feed
            && !self.file.has_note(&["no hours", "no weekly hours"]);
        if is_missed {
            let what =
                "No visit can be booked: this clinician accepts new patients, but this file has no hours.";
            let hint =
                "Add a [[weekly]] entry with days and hours, or, if that is intended, a note: # no hours yet";
            self.file.add(Problem::warning(FileSpan::file(self.file.path), what).hint(hint));
        }
    }

    /// Whether the provider offers a type, or may do so because their file was not read whole.
    fn may_offer(&self, id: VisitTypeId) -> bool {
        self.provider.is_none_or(|draft| !draft.is_whole || draft.visit_types.contains(&id))
    }

    pub(super) fn report_overlaps(&mut self, weekly: &[Weekly], places: &[Vec<Range<usize>>]) {
        let mut reported = BTreeSet::new();
        for overlap in overlapping(weekly) {
            // Each window is reported once: further overlaps are reported after this one is corrected.
            let (this, other) = if reported.insert(overlap.second) {
                (overlap.second, overlap.first)
            } else if reported.insert(overlap.first) {
                (overlap.first, overlap.second)
            } else {
                continue;
            };
            let place = |written: Written| self.file.place(&places[written.entry][written.window]);
            let day = DAYS.iter().find(|(.., day)| *day == overlap.day).map_or("", |(_, name, _)| name);
            let what =
                format!("On {day}, these hours overlap other hours for visit type {}.", overlap.visit_type);
            let problem = Problem::error(place(this), what).also(place(other), "these");
            self.file.add(problem.hint(unlikely::OVERLAP));
        }
    }
}
