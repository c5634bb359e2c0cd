//! Makes events and zones of a calendar's lines.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

use super::lex::{Form, Kept, Line, Property, duration, local_time};
use super::zone::Described;
use super::zones::{DATE, UTC, ZoneId, Zones};
use super::{DAY, IcsLimits, LeftOut, Notes, UnplacedReason};

/// Components in components; VALARM is the third.
const DEEPEST: usize = 16;
/// No zone's clock is as far from UTC.
pub(super) const FAR: i64 = 2 * DAY;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Time {
    pub(super) zone: ZoneId,
    pub(super) local: i64,
}

/// From a start to its end: an end is `days` later on its zone's clock, and then these elapsed seconds.
#[derive(Clone, Copy)]
pub(super) struct Length {
    pub(super) zone: ZoneId,
    pub(super) days: i64,
    pub(super) seconds: i64,
}

impl Length {
    /// On the clock.
    pub(super) fn wall(&self) -> i64 {
        self.days + self.seconds
    }
}

/// The instance that an event replaces.
#[derive(Clone, Copy)]
pub(super) struct Replaced {
    pub(super) time: Time,
    pub(super) and_later: bool,
    pub(super) line: u32,
}

pub(super) struct Event {
    pub(super) line: u32,
    pub(super) uid: Option<u64>,
    pub(super) start: Time,
    pub(super) length: Length,
    pub(super) replaced: Option<Replaced>,
    /// Its lines in [`Components::series`].
    pub(super) series: Range<usize>,
    /// Neither free nor canceled.
    pub(super) is_taken: bool,
}

/// All that a text has near the window.
pub(super) struct Components<'a> {
    pub(super) zones: Zones<'a>,
    pub(super) events: Vec<Event>,
    /// The lines of RRULE, RDATE and EXDATE, and the zones of their times.
    pub(super) series: Vec<(Line<'a>, ZoneId)>,
    pub(super) count: usize,
    pub(super) last: Option<Time>,
    pub(super) left_out: LeftOut,
    pub(super) notes: Notes,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Calendar,
    Event,
    FreeBusy,
    Zone,
    Observance,
    Other,
}

/// The components that matter, and in which they stand.
const KINDS: [(&[u8], Kind, Option<Kind>); 6] = [
    (b"VEVENT", Kind::Event, Some(Kind::Calendar)),
    (b"VCALENDAR", Kind::Calendar, None),
    (b"VFREEBUSY", Kind::FreeBusy, Some(Kind::Calendar)),
    (b"VTIMEZONE", Kind::Zone, Some(Kind::Calendar)),
    (b"STANDARD", Kind::Observance, Some(Kind::Zone)),
    (b"DAYLIGHT", Kind::Observance, Some(Kind::Zone)),
];

/// An event whose END is still to come.
#[derive(Default)]
struct Draft {
    line: u32,
    uid: Option<u64>,
    start: Option<Time>,
    end: Option<Time>,
    length: Option<(i64, i64)>,
    replaced: Option<Replaced>,
    /// Whether all lines that say so say free, and canceled.
    is_free: Option<bool>,
    is_canceled: Option<bool>,
    series: usize,
    has_periods: bool,
    /// Told only if it takes time.
    faults: Vec<(u32, Property, UnplacedReason)>,
}

struct Walk<'a, 'b> {
    found: Components<'a>,
    window: &'b Range<i64>,
    limits: &'b IcsLimits,
    calendar: usize,
    open: Vec<(Kind, &'a [u8])>,
    draft: Draft,
    described: Described<'a>,
}

impl<'a> Components<'a> {
    pub(super) fn of(kept: &'a Kept, window: &Range<i64>, limits: &IcsLimits) -> Self {
        let found = Self {
            zones: Zones::new(),
            events: Vec::new(),
            series: Vec::new(),
            count: 0,
            last: None,
            left_out: LeftOut::default(),
            notes: Notes::default(),
        };
        let (draft, described) = (Draft::default(), Described::default());
        let mut walk = Walk { found, window, limits, calendar: 0, open: Vec::new(), draft, described };
        for line in kept.lines() {
            match line.property {
                Property::Opening => walk.open(line),
                Property::Closing => walk.close(line),
                _ => walk.property(line),
            }
        }
        walk.found
    }
}

impl<'a> Walk<'a, '_> {
    fn kind(&self) -> Option<Kind> {
        self.open.last().map(|(kind, _)| *kind)
    }

    fn open(&mut self, line: Line<'a>) {
        let name = line.value.unwrap_or_default();
        let known = KINDS.iter().find(|(known, kind, _)| {
            name.eq_ignore_ascii_case(known) && (*kind != Kind::Observance || self.kind() == Some(Kind::Zone))
        });
        let (kind, parent) = known.map_or((Kind::Other, self.kind()), |(_, kind, parent)| (*kind, *parent));
        if self.kind() != parent || self.open.len() >= DEEPEST {
            self.found.notes.add(line.number, line.property, UnplacedReason::Structure);
            if kind == Kind::Other {
                return;
            }
            // What was open has no END; this belongs to the calendar.
            while !self.open.is_empty() && self.kind() != parent {
                self.finish();
            }
        }
        match kind {
            Kind::Calendar => self.calendar += 1,
            Kind::Event | Kind::FreeBusy => {
                self.draft = Draft { line: line.number, series: self.found.series.len(), ..Draft::default() };
            }
            Kind::Zone => self.described = Described::default(),
            Kind::Observance => self.described.begin_observance(),
            Kind::Other => self.found.left_out.components += usize::from(parent == Some(Kind::Calendar)),
        }
        self.open.push((kind, name));
    }

    fn close(&mut self, line: Line<'a>) {
        let name = line.value.unwrap_or_default();
        let depth = self.open.iter().rposition(|(_, open)| open.eq_ignore_ascii_case(name));
        if depth.is_none_or(|depth| depth + 1 < self.open.len()) {
            self.found.notes.add(line.number, line.property, UnplacedReason::Structure);
        }
        if let Some(depth) = depth {
            while self.open.len() > depth {
                self.finish();
            }
        }
    }

    fn finish(&mut self) {
        match self.open.pop() {
            Some((Kind::Event, _)) => self.finish_event(),
            Some((Kind::FreeBusy, _)) => self.found.count += usize::from(self.draft.has_periods),
            Some((Kind::Zone, _)) => {
                self.found.zones.described.push((self.calendar, std::mem::take(&mut self.described)));
            }
            _ => {}
        }
    }

    fn property(&mut self, line: Line<'a>) {
        match self.kind() {
            Some(Kind::Event) => self.event_property(line),
            Some(Kind::FreeBusy) if line.property == Property::FreeBusy => self.free_busy(line),
            Some(Kind::Zone) if line.property == Property::ZoneName => self.described.name = line.value,
            Some(Kind::Observance) => self.described.add(line),
            Some(Kind::Calendar) if line.property == Property::DefaultZone => {
                self.found.zones.defaults.push((self.calendar, line.value.unwrap_or_default()));
            }
            _ => {}
        }
    }

    fn event_property(&mut self, line: Line<'a>) {
        let is = |word: &str| line.value.is_some_and(|value| value.eq_ignore_ascii_case(word.as_bytes()));
        let both = |said: Option<bool>, says: bool| Some(said.unwrap_or(true) && says);
        match line.property {
            Property::Uid => {
                let mut hasher = DefaultHasher::new();
                line.value.hash(&mut hasher);
                self.draft.uid = line.value.map(|_| hasher.finish());
            }
            Property::Transparency => self.draft.is_free = both(self.draft.is_free, is("TRANSPARENT")),
            Property::ShownAs => self.draft.is_free = both(self.draft.is_free, is("FREE")),
            Property::Status => self.draft.is_canceled = both(self.draft.is_canceled, is("CANCELLED")),
            Property::Start => self.draft.start = self.once(line, self.draft.start),
            Property::End => self.draft.end = self.once(line, self.draft.end),
            Property::Replaced => {
                let time = self.once(line, self.draft.replaced.map(|replaced| replaced.time));
                let range = line.parameter("RANGE");
                let and_later = range.is_some_and(|range| range.eq_ignore_ascii_case(b"THISANDFUTURE"));
                if range.is_some() && !and_later {
                    self.draft.fault(line, UnplacedReason::Unreadable);
                }
                self.draft.replaced = time.map(|time| Replaced { time, and_later, line: line.number });
            }
            Property::Length => {
                let length = line.value.and_then(duration);
                if length.is_none() || self.draft.length.is_some_and(|other| Some(other) != length) {
                    self.draft.fault(line, UnplacedReason::Unreadable);
                }
                self.draft.length = length.max(self.draft.length);
            }
            Property::Rule | Property::Dates | Property::Except => {
                let zone = self.found.zones.id(self.calendar, line, Form::Floating, self.limits);
                self.found.series.push((line, zone));
            }
            Property::ExceptRule => self.found.left_out.exceptions += 1,
            _ => {}
        }
    }

    /// A time that an event has once.
    fn once(&mut self, line: Line<'a>, other: Option<Time>) -> Option<Time> {
        let time = line.value.and_then(|value| self.time(line, value));
        match (time, other) {
            (None, _) => self.draft.fault(line, UnplacedReason::Unreadable),
            (time, Some(_)) if time != other => self.draft.fault(line, UnplacedReason::Twice),
            _ => {}
        }
        other.or(time)
    }

    fn time(&mut self, line: Line<'a>, value: &[u8]) -> Option<Time> {
        let (local, form) = local_time(value)?;
        Some(Time { zone: self.found.zones.id(self.calendar, line, form, self.limits), local })
    }

    fn free_busy(&mut self, line: Line<'a>) {
        self.draft.has_periods = true;
        if line.parameter("FBTYPE").is_some_and(|kind| kind.eq_ignore_ascii_case(b"FREE")) {
            self.found.left_out.free += 1;
            return;
        }
        let zone = self.found.zones.id(self.calendar, line, Form::Floating, self.limits);
        for text in line.value.unwrap_or_default().split(|&byte| byte == b',') {
            if let Some((start, Some(length))) = moment(text, zone) {
                let (uid, replaced, series) = (None, None, 0..0);
                self.add(Event { line: line.number, uid, start, length, replaced, series, is_taken: true });
            } else {
                self.found.notes.add(line.number, line.property, UnplacedReason::Unreadable);
            }
        }
    }

    fn finish_event(&mut self) {
        let mut draft = std::mem::take(&mut self.draft);
        self.found.count += 1;
        if self.found.count > self.limits.events {
            if self.found.count == self.limits.events + 1 {
                self.found.notes.add(draft.line, Property::Opening, UnplacedReason::Bound);
            }
            return;
        }
        let (is_free, is_canceled) = (draft.is_free == Some(true), draft.is_canceled == Some(true));
        self.found.left_out.canceled += usize::from(is_canceled);
        self.found.left_out.free += usize::from(is_free && !is_canceled);
        let is_taken = !is_free && !is_canceled;
        // What replaces an instance by nothing needs no start.
        let start = draft.start.or(draft.replaced.filter(|_| !is_taken).map(|replaced| replaced.time));
        let length = start.map(|start| draft.length_from(start));
        if is_taken {
            if start.is_none() && !draft.faults.iter().any(|(_, property, _)| *property == Property::Start) {
                draft.faults.push((draft.line, Property::Start, UnplacedReason::Missing));
            }
            for (line, property, reason) in draft.faults {
                self.found.notes.add(line, property, reason);
            }
        }
        if let (Some(start), Some(length)) = (start, length) {
            let series = draft.series..self.found.series.len();
            let Draft { line, uid, replaced, .. } = draft;
            self.add(Event { line, uid, start, length, replaced, series, is_taken });
        }
    }

    fn add(&mut self, event: Event) {
        self.found.last =
            self.found.last.filter(|last| last.local >= event.start.local).or(Some(event.start));
        if event.series.is_empty() && event.replaced.is_none() {
            let (start, end) = (event.start.local, event.start.local + event.length.wall());
            // Without a zone's help: the end isn't before the start, and both are far from the window.
            let is_clear = event.length.zone == event.start.zone || end > start + FAR;
            let is_far = end < self.window.start - FAR || start > self.window.end + FAR;
            if !event.is_taken || is_clear && is_far {
                return;
            }
        }
        self.found.events.push(event);
    }
}

impl Draft {
    fn fault(&mut self, line: Line<'_>, reason: UnplacedReason) {
        self.faults.push((line.number, line.property, reason));
    }

    /// Without a readable end it has the least length.
    fn length_from(&mut self, start: Time) -> Length {
        let by_end = self.end.map(|end| Length { zone: end.zone, days: end.local - start.local, seconds: 0 });
        let by_length = self.length.map(|(days, seconds)| Length { zone: start.zone, days, seconds });
        let length = match (by_end, by_length) {
            (Some(end), Some(length)) if end.wall() < length.wall() => Some(length),
            (end, length) => end.or(length),
        };
        let mut length = length.unwrap_or(Length { zone: start.zone, days: 0, seconds: 0 });
        if length.zone == start.zone && length.wall() < 0 {
            self.faults.push((self.line, Property::End, UnplacedReason::EndFirst));
            length = Length { days: 0, seconds: 0, ..length };
        }
        if start.zone == DATE && length.wall() == 0 {
            length.days = DAY;
        }
        length
    }
}

/// A time, or a period of two, of RDATE, EXDATE and FREEBUSY. The zone is that of times without a `Z`.
pub(super) fn moment(text: &[u8], zone: ZoneId) -> Option<(Time, Option<Length>)> {
    let time = |text: &[u8]| {
        let (local, form) = local_time(text.trim_ascii())?;
        let zone = match form {
            Form::Utc => UTC,
            Form::Date => DATE,
            Form::Floating => zone,
        };
        Some(Time { zone, local })
    };
    let Some(slash) = text.iter().position(|&byte| byte == b'/') else {
        return Some((time(text)?, None));
    };
    let (start, end) = (time(&text[..slash])?, text[slash + 1..].trim_ascii());
    let length = if let Some(end) = time(end) {
        Length { zone: end.zone, days: end.local - start.local, seconds: 0 }
    } else {
        let (days, seconds) = duration(end)?;
        Length { zone: start.zone, days, seconds }
    };
    (length.wall() >= 0 || length.zone != start.zone).then_some((start, Some(length)))
}
