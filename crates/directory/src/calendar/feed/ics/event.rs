//! Events as a calendar writes them: when they are, what repeats them, and whether they take time.

use std::collections::BTreeSet;
use std::iter::successors;
use std::ops::Range;

use chrono::{DateTime, NaiveDate};

use super::lex::{Component, ContentLine, duration, halves};
use super::reading::{DAY, LeftOut, Notes, Unplaced, UnplacedReason};
use super::rule::Rule;
use super::zones::{DATE, Time, ZoneId, Zones};

/// No zone's clock is as far from UTC.
pub(super) const FAR: i64 = 2 * DAY;
const MOST_EVENTS: usize = 20_000;

/// From a start to its end, in seconds: first on the clock of a zone, as days are, and then those that elapse.
#[derive(Clone, Copy)]
pub(super) struct Length {
    pub(super) from: ZoneId,
    pub(super) to: ZoneId,
    pub(super) by_clock: i64,
    pub(super) elapsed: i64,
}

impl Length {
    fn between(start: Time, end: Time) -> Self {
        Self { from: start.zone, to: end.zone, by_clock: end.local - start.local, elapsed: 0 }
    }

    fn lasting(start: Time, (by_clock, elapsed): (i64, i64)) -> Self {
        Self { from: start.zone, to: start.zone, by_clock, elapsed }
    }

    /// As if all of it were on the clock.
    pub(super) fn wall(&self) -> i64 {
        self.by_clock + self.elapsed
    }

    fn is_backward(&self) -> bool {
        self.from == self.to && self.wall() < 0
    }
}

/// The instance that an event replaces.
#[derive(Clone, Copy)]
pub(super) struct Replaced {
    pub(super) time: Time,
    pub(super) and_later: bool,
    /// Told if it can't be read as a change of its series.
    pub(super) fault: Unplaced,
}

#[derive(Default)]
pub(super) struct Series {
    pub(super) rules: Vec<Rule>,
    /// Each with the message if it can't be placed.
    pub(super) dates: Vec<(Time, Option<Length>, Unplaced)>,
    pub(super) exceptions: Vec<Time>,
    /// Told only if a part of the series is taken.
    pub(super) faults: Vec<Unplaced>,
}

pub(super) struct Event<'a> {
    pub(super) line: u32,
    pub(super) uid: Option<&'a [u8]>,
    pub(super) start: Time,
    pub(super) length: Length,
    pub(super) replaced: Option<Replaced>,
    pub(super) series: Series,
    /// Neither free nor canceled.
    pub(super) is_taken: bool,
}

pub(super) struct Events<'a, 'b> {
    pub(super) zones: Zones<'a>,
    pub(super) window: &'b Range<i64>,
    pub(super) left_out: LeftOut,
    pub(super) free_days: BTreeSet<NaiveDate>,
    pub(super) notes: Notes,
    pub(super) all: Vec<Event<'a>>,
    /// All, also past, free and canceled ones.
    pub(super) count: usize,
    pub(super) last: Option<Time>,
}

impl<'a> Events<'a, '_> {
    pub(super) fn read(mut self, components: &[Component<'a>]) -> Self {
        for component in components {
            let is_event = component.name == "VEVENT";
            self.count += usize::from(is_event || component.value("FREEBUSY").is_some());
            if is_event && self.count > MOST_EVENTS {
                self.notes.add(component.begin.fault(UnplacedReason::Bound));
            } else if is_event {
                self.event(component);
            } else {
                self.free_busy(component);
            }
        }
        self
    }

    fn event(&mut self, component: &Component<'a>) {
        let all_say = |words: &[(&str, &str)]| {
            let word = |line: &ContentLine<'_>| words.iter().find(|(property, _)| *property == line.property);
            let mut said = component.lines.iter().filter_map(|line| Some(line.is(word(line)?.1)));
            said.next() == Some(true) && said.all(|is_said| is_said)
        };
        let is_canceled = all_say(&[("STATUS", "CANCELLED")]);
        let is_free = all_say(&[("TRANSP", "TRANSPARENT"), ("X-MICROSOFT-CDO-BUSYSTATUS", "FREE")]);
        let is_taken = !is_free && !is_canceled;
        self.left_out.canceled += usize::from(is_canceled);
        self.left_out.free += usize::from(is_free && !is_canceled);
        // What is unclear about an event that takes no time isn't told.
        let mut untold = Notes::default();
        let notes = if is_taken { &mut self.notes } else { &mut untold };
        let mut once = |property| {
            let mut known = None;
            for line in component.all(property) {
                let time = self.zones.time(line, line.value());
                match time {
                    None => notes.add(line.fault(UnplacedReason::Unreadable)),
                    Some(_) if known.is_none() || known == time => known = time,
                    Some(_) => notes.add(line.fault(UnplacedReason::Twice)),
                }
            }
            known
        };
        let (start, end, replaced) = (once("DTSTART"), once("DTEND"), once("RECURRENCE-ID"));
        let line = component.begin.number;
        if component.value("DTSTART").is_none() {
            notes.add(Unplaced { line, property: "DTSTART", reason: UnplacedReason::Missing });
        }
        let replaced = replaced.zip(component.all("RECURRENCE-ID").next_back()).map(|(time, line)| {
            let and_later = line.parameter("RANGE").map(|range| range.eq_ignore_ascii_case(b"THISANDFUTURE"));
            let fault = line.fault(UnplacedReason::Unreadable);
            if and_later == Some(false) {
                notes.add(fault);
            }
            Replaced { time, and_later: and_later == Some(true), fault }
        });
        // What replaces an instance by nothing needs no start.
        let instead = replaced.filter(|_| !is_taken).map(|replaced| replaced.time);
        let Some(start) = start.or(instead) else { return };
        let length = length(component, start, end, notes);
        let uid = component.all("UID").next_back().map(ContentLine::value).filter(|uid| !uid.is_empty());
        let series = Series::of(component, &mut self.zones, &mut self.left_out);
        // Birthdays and holidays repeat, and are meant to be free.
        if is_free && !is_canceled && start.zone == DATE && series.is_empty() {
            let first = start.local.max(self.window.start - self.window.start.rem_euclid(DAY));
            let end = (start.local + length.wall().max(DAY)).min(self.window.end);
            let days = successors(Some(first), |at| Some(at + DAY)).take_while(|at| *at < end);
            self.free_days.extend(days.filter_map(|at| Some(DateTime::from_timestamp(at, 0)?.date_naive())));
        }
        self.add(Event { line, uid, start, length, replaced, series, is_taken });
    }

    fn free_busy(&mut self, component: &Component<'a>) {
        for line in component.all("FREEBUSY") {
            if line.parameter("FBTYPE").is_some_and(|kind| kind.eq_ignore_ascii_case(b"FREE")) {
                self.left_out.free += 1;
                continue;
            }
            for item in line.items() {
                if let Some((start, Some(length))) = period(line, item, &mut self.zones) {
                    let (line, uid, replaced, series) = (line.number, None, None, Series::default());
                    self.add(Event { line, uid, start, length, replaced, series, is_taken: true });
                } else {
                    self.notes.add(line.fault(UnplacedReason::Unreadable));
                }
            }
        }
    }

    fn add(&mut self, event: Event<'a>) {
        self.last = self.last.filter(|last| last.local >= event.start.local).or(Some(event.start));
        if !event.is_far(self.window) {
            self.all.push(event);
        }
    }
}

impl Event<'_> {
    pub(super) fn fault(&self, property: &'static str, reason: UnplacedReason) -> Unplaced {
        Unplaced { line: self.line, property, reason }
    }

    /// Whether it takes nothing of a window, which is clear without a zone's help.
    pub(super) fn is_far(&self, window: &Range<i64>) -> bool {
        let (start, end) = (self.start.local, self.start.local + self.length.wall());
        let is_clear = self.length.from == self.length.to || end > start + FAR;
        let is_far = end < window.start - FAR || start > window.end + FAR;
        self.series.is_empty() && self.replaced.is_none() && (!self.is_taken || is_clear && is_far)
    }
}

impl Series {
    fn of<'a>(component: &Component<'a>, zones: &mut Zones<'a>, left_out: &mut LeftOut) -> Self {
        let mut series = Self::default();
        for line in component.all("RRULE") {
            match Rule::parse(line.value()) {
                Some(rule) => series.rules.push(rule),
                None => series.faults.push(line.fault(UnplacedReason::Rule)),
            }
        }
        for (line, item) in component.items("RDATE") {
            let fault = line.fault(UnplacedReason::Unreadable);
            match period(line, item, zones) {
                Some((start, length)) => series.dates.push((start, length, fault)),
                None => series.faults.push(fault),
            }
        }
        // An exception that can't be read takes nothing, so more stays taken.
        let exceptions: Vec<_> =
            component.items("EXDATE").map(|(line, item)| zones.time(line, item)).collect();
        left_out.exceptions += exceptions.iter().filter(|time| time.is_none()).count();
        series.exceptions = exceptions.into_iter().flatten().collect();
        left_out.exceptions += component.all("EXRULE").count();
        series
    }

    fn is_empty(&self) -> bool {
        let Self { rules, dates, exceptions, faults } = self;
        rules.is_empty() && dates.is_empty() && exceptions.is_empty() && faults.is_empty()
    }
}

/// Without a readable end it is the least.
fn length(component: &Component<'_>, start: Time, end: Option<Time>, notes: &mut Notes) -> Length {
    let mut lasting = None;
    for line in component.all("DURATION") {
        let read = duration(line.value());
        if read.is_none() || lasting.is_some() && lasting != read {
            notes.add(line.fault(UnplacedReason::Unreadable));
        }
        lasting = lasting.max(read);
    }
    let end = end.map(|end| Length::between(start, end));
    let lasting = lasting.map(|lasting| Length::lasting(start, lasting));
    let mut length = match (end, lasting) {
        (Some(end), Some(lasting)) if end.wall() < lasting.wall() => lasting,
        _ => end.or(lasting).unwrap_or(Length::lasting(start, (0, 0))),
    };
    if length.is_backward() {
        let line = component.begin.number;
        notes.add(Unplaced { line, property: "DTEND", reason: UnplacedReason::EndFirst });
        length = Length::lasting(start, (0, 0));
    }
    if start.zone == DATE && length.wall() == 0 {
        length.by_clock = DAY;
    }
    length
}

/// A time, or a period of two, of RDATE, EXDATE and FREEBUSY.
fn period<'a>(
    line: &'a ContentLine<'a>,
    item: &[u8],
    zones: &mut Zones<'a>,
) -> Option<(Time, Option<Length>)> {
    let Some((start, end)) = halves(item, b'/') else { return Some((zones.time(line, item)?, None)) };
    let start = zones.time(line, start)?;
    let length = if let Some(end) = zones.time(line, end) {
        Length::between(start, end)
    } else {
        Length::lasting(start, duration(end)?)
    };
    (!length.is_backward()).then_some((start, Some(length)))
}
