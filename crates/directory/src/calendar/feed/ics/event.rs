//! Expands events to busy time, once under each reading of their zones.

use std::collections::HashMap;
use std::ops::Range;

use chrono_tz::Tz;

use super::super::super::hours::Busy;
use super::super::super::instant::Instant;
use super::components::{Components, Event, FAR, Length, Time, moment};
use super::lex::{Line, Property};
use super::rule::{Rule, Until};
use super::zone::Zone;
use super::zones::{DATE, Key, UTC, ZoneId};
use super::{Budget, DAY, Exhausted, IcsLimits, IcsReading, LeftOut, Notes, UnplacedReason, ZoneRead};

/// What an event without a length takes.
const LEAST: i64 = 60;

/// Reads the zones of a calendar and expands its events.
pub(super) fn expand(
    found: Components<'_>,
    clinician: Tz,
    window: &Range<i64>,
    limits: &IcsLimits,
) -> IcsReading {
    let Components { zones: named, mut events, series, count, last, left_out, notes } = found;
    let mut budget = Budget { all: limits.steps, series: 0 };
    let zones = &named.read(clinician, window, limits, &mut budget)[..];
    let mut expansion = Expansion { zones, window, limits, budget, busy: Vec::new(), notes, left_out };
    // The events that replace instances come first, in the order of the series that they are of.
    events.sort_by_key(|event| (event.replaced.is_none(), event.uid));
    let (changes, masters) = events.split_at(events.partition_point(|event| event.replaced.is_some()));
    let mut masters_of: HashMap<Option<u64>, usize> = HashMap::new();
    for event in masters.iter().filter(|_| !changes.is_empty()) {
        *masters_of.entry(event.uid).or_default() += 1;
    }
    for event in masters {
        let from = changes.partition_point(|change| change.uid < event.uid);
        let is_own = |change: &&Event| event.uid.is_some() && change.uid == event.uid;
        let own = &changes[from..from + changes[from..].iter().take_while(is_own).count()];
        expansion.event(event, own, &series);
        if !own.is_empty() && masters_of.get(&event.uid).is_some_and(|&masters| masters > 1) {
            // Which of the series is changed isn't known.
            expansion.event(event, &[], &series);
        }
    }
    for change in changes {
        expansion.event(change, &[], &series);
    }
    let Expansion { mut busy, notes, left_out, .. } = expansion;
    merge(&mut busy);
    let last = last.and_then(|last| utc(zones, last, 0)).map(Instant::from_unix);
    let read = |((key, line), zone): (&(Key<'_>, u32), &Zone)| {
        let is_named = matches!(key, Key::Named(..));
        is_named.then_some(ZoneRead { line: *line, by_name: zone.name, by_file: zone.by_file })
    };
    IcsReading {
        last_entry: last.max(busy.last().map(|busy| busy.start)),
        busy,
        unplaced: notes.told,
        unplaced_count: notes.count,
        events: count,
        zones: named.keys.iter().zip(zones).filter_map(read).collect(),
        left_out,
    }
}

/// How long an instance of a zone is: its end by the clock, and by elapsed time.
#[derive(Clone, Copy)]
struct Span {
    zone: ZoneId,
    length: Length,
    elapsed: i64,
}

/// All instances from an instant on begin this much later; without a span, they are free.
struct Move {
    from: i64,
    later: i64,
    span: Option<Span>,
}

/// The lines of an event's series, read.
#[derive(Default)]
struct Series {
    rules: Vec<Rule>,
    dates: Vec<(Time, Option<Length>, u32)>,
    exceptions: Vec<Time>,
}

struct Expansion<'a> {
    zones: &'a [Zone],
    window: &'a Range<i64>,
    limits: &'a IcsLimits,
    budget: Budget,
    busy: Vec<Busy>,
    notes: Notes,
    left_out: LeftOut,
}

/// The instant of a time under a reading.
fn utc(zones: &[Zone], time: Time, reading: usize) -> Option<i64> {
    if time.zone == UTC { Some(time.local) } else { zones[time.zone].utc(time.local, reading) }
}

impl Expansion<'_> {
    fn event(&mut self, event: &Event, changes: &[Event], lines: &[(Line<'_>, ZoneId)]) {
        let is_later = |change: &Event| change.replaced.is_some_and(|replaced| replaced.and_later);
        if !event.is_taken && !changes.iter().any(|change| change.is_taken && is_later(change)) {
            return;
        }
        self.budget.series = self.limits.series_steps;
        let series = self.series(&lines[event.series.clone()]);
        let zones = [event.start.zone, event.length.zone].into_iter();
        let zones = zones.chain(series.dates.iter().map(|(time, ..)| time.zone));
        let zones = zones.chain(series.exceptions.iter().map(|time| time.zone));
        let zones = zones.chain(changes.iter().filter_map(|change| Some(change.replaced?.time.zone)));
        let readings = zones.map(|zone| self.zones[zone].differing).max().unwrap_or(0).max(1);
        for reading in 0..readings {
            if self.reading(event, changes, &series, reading).is_err() {
                let property = if series.rules.is_empty() { Property::Start } else { Property::Rule };
                self.notes.add(event.line, property, UnplacedReason::Bound);
            }
        }
    }

    fn series(&mut self, lines: &[(Line<'_>, ZoneId)]) -> Series {
        let mut series = Series::default();
        for (line, zone) in lines {
            let moments =
                line.value.unwrap_or_default().split(|&byte| byte == b',').map(|item| moment(item, *zone));
            match line.property {
                Property::Rule => match line.value.and_then(Rule::parse) {
                    Some(rule) => series.rules.push(rule),
                    None => self.notes.add(line.number, line.property, UnplacedReason::Rule),
                },
                Property::Dates => moments.for_each(|date| match date {
                    Some((time, length)) => series.dates.push((time, length, line.number)),
                    None => self.notes.add(line.number, line.property, UnplacedReason::Unreadable),
                }),
                _ => moments.for_each(|exception| match exception {
                    Some((time, None)) => series.exceptions.push(time),
                    // It takes nothing, so more stays taken.
                    _ => self.left_out.exceptions += 1,
                }),
            }
        }
        series
    }

    fn reading(
        &mut self,
        event: &Event,
        changes: &[Event],
        series: &Series,
        reading: usize,
    ) -> Result<(), Exhausted> {
        let zones = self.zones;
        let utc = |time: Time| utc(zones, time, reading);
        self.budget.spend(1 + changes.len() + series.exceptions.len() + series.dates.len())?;
        let span = self.span(event, reading);
        let (mut reach, mut shift) = (span.elapsed.max(span.length.wall()).max(DAY), 0);
        let mut gone: Vec<i64> = series.exceptions.iter().filter_map(|time| utc(*time)).collect();
        let mut moves: Vec<Move> = Vec::new();
        for (change, replaced) in changes.iter().filter_map(|change| Some((change, change.replaced?))) {
            let from = utc(replaced.time);
            gone.extend(from);
            if !replaced.and_later {
                continue;
            }
            let is_one_clock = change.start.zone == replaced.time.zone;
            let by_clock = is_one_clock.then_some(change.start.local - replaced.time.local);
            let later = by_clock.or_else(|| Some(utc(change.start)? - from?));
            let is_unlike = (change.start.zone == DATE) != (event.start.zone == DATE);
            if change.is_taken && (is_unlike || from.is_none() || later.is_none()) {
                self.notes.add(replaced.line, Property::Replaced, UnplacedReason::Unreadable);
            }
            if let (Some(from), Some(later)) = (from, later) {
                let span = self.span(change, reading);
                reach = reach.max(span.elapsed.max(span.length.wall()));
                shift = shift.max(later.abs());
                moves.push(Move { from, later, span: change.is_taken.then_some(span) });
            }
        }
        gone.sort_unstable();
        moves.sort_by_key(|change| change.from);
        let range = self.window.start - FAR - reach - shift..self.window.end + FAR + shift;
        let mut left = self.limits.instances;
        let mut tell = |expansion: &mut Self, mut time: Time, span: Span, line: u32, property: Property| {
            if !range.contains(&time.local) {
                return Ok(());
            }
            if zones[time.zone].is_unclear || zones[span.length.zone].is_unclear {
                expansion.notes.add(line, property, UnplacedReason::Zone);
            }
            let Some(at) = utc(time).filter(|at| gone.binary_search(at).is_err()) else { return Ok(()) };
            left = left.checked_sub(1).ok_or(Exhausted)?;
            let mut span = event.is_taken.then_some(span);
            if let Some(moved) = moves[..moves.partition_point(|moved| moved.from <= at)].last() {
                time.local += moved.later;
                span = moved.span;
            }
            if let Some(span) = span {
                expansion.take(time, span, reading);
            }
            Ok(())
        };
        tell(self, event.start, span, event.line, Property::Start)?;
        for &(start, length, line) in &series.dates {
            let own = length.map(|length| self.span_of(start, length, line, Property::Dates, reading));
            tell(self, start, own.unwrap_or(span), line, Property::Dates)?;
        }
        for rule in &series.rules {
            // The rule spends steps, and telling adds busy time.
            let mut budget = std::mem::take(&mut self.budget);
            let told = rule.expand(event.start.local, &range, &mut budget, |local| {
                let time = Time { local, ..event.start };
                match rule.until {
                    Some(Until::Utc(until)) if !is_until(time, utc(time), until) => Ok(()),
                    _ => tell(self, time, span, event.line, Property::Start),
                }
            });
            self.budget = budget;
            told?;
        }
        Ok(())
    }

    fn span(&mut self, event: &Event, reading: usize) -> Span {
        self.span_of(event.start, event.length, event.line, Property::End, reading)
    }

    /// The elapsed time is that of a series' first instance.
    fn span_of(
        &mut self,
        start: Time,
        length: Length,
        line: u32,
        property: Property,
        reading: usize,
    ) -> Span {
        let end = Time { zone: length.zone, local: start.local + length.days };
        let ends = (utc(self.zones, start, reading), utc(self.zones, end, reading));
        let mut elapsed = if let (Some(start), Some(end)) = ends { end + length.seconds - start } else { 0 };
        if elapsed < 0 && length.zone != start.zone {
            self.notes.add(line, property, UnplacedReason::EndFirst);
        }
        if start.zone == DATE {
            elapsed = 0;
        } else if elapsed <= 0 {
            // In the hour that the clock leaves out, an end may seem to be before its start.
            elapsed = length.wall().max(0);
        }
        Span { zone: start.zone, length, elapsed }
    }

    /// Takes an instance up to the later of its two ends.
    fn take(&mut self, start: Time, Span { zone, length, elapsed }: Span, reading: usize) {
        let Some(at) = utc(self.zones, start, reading) else { return };
        // An instance that is written in another zone than its series has its own clock's end.
        let end_zone = if length.zone == zone { start.zone } else { length.zone };
        let wall = if start.zone == DATE { length.wall().max(DAY) } else { length.wall() };
        let by_clock = utc(self.zones, Time { zone: end_zone, local: start.local + wall }, reading);
        let by_clock = by_clock.filter(|_| start.zone == zone || length.zone == zone);
        let end = by_clock.unwrap_or(at).max(at + elapsed);
        let end = if end > at { end } else { at + LEAST };
        let (from, to) = (at.max(self.window.start), end.min(self.window.end));
        if from < to {
            if self.busy.len() == self.busy.capacity() && self.busy.len() >= 1 << 16 {
                merge(&mut self.busy);
            }
            self.busy.push(Busy { start: Instant::from_unix(from), end: Instant::from_unix(to) });
        }
    }
}

/// Whether an instance begins by an UNTIL of UTC. A day's may also be meant as a date.
fn is_until(time: Time, at: Option<i64>, until: i64) -> bool {
    at.is_none_or(|at| at <= until) || time.zone == DATE && time.local <= until
}

/// Sorts, and joins what overlaps or adjoins.
fn merge(busy: &mut Vec<Busy>) {
    busy.sort_unstable();
    busy.dedup_by(|next, kept| {
        let is_joined = next.start <= kept.end;
        kept.end = if is_joined { kept.end.max(next.end) } else { kept.end };
        is_joined
    });
}
