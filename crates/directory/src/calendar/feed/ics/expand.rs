//! Expands events to busy time, once under each reading of their zones.

use std::ops::Range;

use super::super::super::hours::{Busy, merge};
use super::super::super::instant::Instant;
use super::event::{Event, FAR, Length, Replaced};
use super::reading::{DAY, Notes, Unplaced, UnplacedReason};
use super::rule::{Budget, Exhausted};
use super::zones::{DATE, Time, Zones};

/// What an event without a length takes.
const LEAST: i64 = 60;

/// How long an instance is: its end by the clock, and by elapsed time.
#[derive(Clone, Copy)]
struct Span {
    length: Length,
    elapsed: i64,
}

/// All instances from an instant on begin this much later; without a span, they are free.
struct Move {
    from: i64,
    later: i64,
    span: Option<Span>,
}

pub(super) struct Expansion<'a> {
    pub(super) zones: &'a Zones<'a>,
    pub(super) window: &'a Range<i64>,
    pub(super) notes: &'a mut Notes,
    pub(super) busy: Vec<Busy>,
    pub(super) reading: usize,
}

impl Expansion<'_> {
    pub(super) fn expand(mut self, mut events: Vec<Event<'_>>, budget: &mut Budget) -> Vec<Busy> {
        // The events that replace instances come before the series that they are of.
        events.sort_by_key(|event| (event.uid, event.replaced.is_none()));
        for group in events.chunk_by(|one, other| one.uid == other.uid) {
            let (changes, series) = group.split_at(group.partition_point(|event| event.replaced.is_some()));
            for event in series {
                let own = if event.uid.is_some() { changes } else { &[] };
                self.event(event, own, budget);
                if !own.is_empty() && series.len() > 1 {
                    // Which of the series is changed isn't known.
                    self.event(event, &[], budget);
                }
            }
            for change in changes {
                self.event(change, &[], budget);
            }
        }
        merge(&mut self.busy);
        self.busy
    }

    fn event(&mut self, event: &Event<'_>, changes: &[Event<'_>], budget: &mut Budget) {
        let is_later = |change: &Event<'_>| change.replaced.is_some_and(|replaced| replaced.and_later);
        if !event.is_taken && !changes.iter().any(|change| change.is_taken && is_later(change)) {
            return;
        }
        budget.begin_series();
        let series = &event.series;
        series.faults.iter().for_each(|fault| self.notes.add(*fault));
        let replaced = changes.iter().filter_map(|change| Some(change.replaced?.time));
        let times = series.dates.iter().map(|(time, ..)| *time).chain(series.exceptions.iter().copied());
        let zones = times.chain(replaced).map(|time| time.zone).chain([event.length.from, event.length.to]);
        let readings = zones.map(|zone| self.zones.readings(zone)).max().unwrap_or(0).max(1);
        for reading in 0..readings {
            self.reading = reading;
            if self.read(event, changes, budget).is_err() {
                let property = if series.rules.is_empty() { "DTSTART" } else { "RRULE" };
                self.notes.add(event.fault(property, UnplacedReason::Bound));
            }
        }
    }

    fn read(
        &mut self,
        event: &Event<'_>,
        changes: &[Event<'_>],
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let (zones, reading, series) = (self.zones, self.reading, &event.series);
        let utc = |time: Time| zones.utc(time, reading);
        budget.spend(1 + changes.len() + series.exceptions.len() + series.dates.len())?;
        let span = self.span(event);
        let mut gone: Vec<i64> = series.exceptions.iter().filter_map(|time| utc(*time)).collect();
        let mut moves = Vec::new();
        for (change, replaced) in changes.iter().filter_map(|change| Some((change, change.replaced?))) {
            gone.extend(utc(replaced.time));
            if replaced.and_later {
                moves.extend(self.moved(event, change, replaced));
            }
        }
        gone.sort_unstable();
        moves.sort_by_key(|moved| moved.from);
        let mut date = |&(start, length, fault): &(Time, Option<Length>, Unplaced)| {
            let own = length.map(|length| Span { length, elapsed: self.elapsed(start, length, fault) });
            (start, own.unwrap_or(span), fault)
        };
        let dates: Vec<_> = series.dates.iter().map(&mut date).collect();
        let shift = moves.iter().map(|moved| moved.later.abs()).max().unwrap_or(0);
        let spans = moves.iter().filter_map(|moved| moved.span).chain(dates.iter().map(|(_, span, _)| *span));
        let reach = spans.chain([span]).map(|span| span.elapsed.max(span.length.wall())).max();
        let range =
            self.window.start - FAR - reach.unwrap_or(0).max(DAY) - shift..self.window.end + FAR + shift;
        let mut take = |time: Time, span: Span, fault: Unplaced| {
            if !range.contains(&time.local) {
                return;
            }
            if zones.is_unclear(time.zone) || zones.is_unclear(span.length.to) {
                self.notes.add(Unplaced { reason: UnplacedReason::Zone, ..fault });
            }
            let Some(at) = utc(time).filter(|at| gone.binary_search(at).is_err()) else { return };
            let last = moves[..moves.partition_point(|moved| moved.from <= at)].last();
            let (later, span) =
                last.map_or((0, event.is_taken.then_some(span)), |moved| (moved.later, moved.span));
            if let Some(span) = span {
                self.take(Time { local: time.local + later, ..time }, span);
            }
        };
        let fault = event.fault("DTSTART", UnplacedReason::Zone);
        take(event.start, span, fault);
        for (start, span, fault) in dates {
            take(start, span, fault);
        }
        for rule in &series.rules {
            rule.expand(event.start.local, &range, budget, |local| {
                let time = Time { local, ..event.start };
                // Of a day, an UNTIL of UTC may also be meant as a date.
                let is_date = time.zone == DATE && local <= rule.until;
                if !rule.is_until_utc || is_date || utc(time).is_none_or(|at| at <= rule.until) {
                    take(time, span, fault);
                }
            })?;
        }
        Ok(())
    }

    fn moved(&mut self, event: &Event<'_>, change: &Event<'_>, replaced: Replaced) -> Option<Move> {
        let (from, to) = (self.utc(replaced.time), self.utc(change.start));
        let is_one_clock = change.start.zone == replaced.time.zone;
        let by_clock = is_one_clock.then_some(change.start.local - replaced.time.local);
        let later = by_clock.or_else(|| Some(to? - from?));
        let is_unlike = (change.start.zone == DATE) != (event.start.zone == DATE);
        if change.is_taken && (is_unlike || from.is_none() || later.is_none()) {
            self.notes.add(replaced.fault);
        }
        let (from, later, span) = (from?, later?, self.span(change));
        Some(Move { from, later, span: change.is_taken.then_some(span) })
    }

    fn utc(&self, time: Time) -> Option<i64> {
        self.zones.utc(time, self.reading)
    }

    fn span(&mut self, event: &Event<'_>) -> Span {
        let fault = event.fault("DTEND", UnplacedReason::EndFirst);
        Span { length: event.length, elapsed: self.elapsed(event.start, event.length, fault) }
    }

    /// The elapsed time of a series' first instance.
    fn elapsed(&mut self, start: Time, length: Length, fault: Unplaced) -> i64 {
        let end = Time { zone: length.to, local: start.local + length.by_clock };
        let ends = self.utc(start).zip(self.utc(end));
        let elapsed = ends.map_or(0, |(start, end)| end + length.elapsed - start);
        if elapsed < 0 && length.to != length.from {
            self.notes.add(Unplaced { reason: UnplacedReason::EndFirst, ..fault });
        }
        match elapsed {
            _ if start.zone == DATE => 0,
            // In the hour that the clock leaves out, an end may seem to be before its start.
            ..=0 => length.wall().max(0),
            _ => elapsed,
        }
    }

    /// Takes an instance up to the later of its two ends.
    fn take(&mut self, start: Time, Span { length, elapsed }: Span) {
        let Some(at) = self.utc(start) else { return };
        // An instance that is written in another zone than its series has its own clock's end.
        let zone = if length.to == length.from { start.zone } else { length.to };
        let wall = if start.zone == DATE { length.wall().max(DAY) } else { length.wall() };
        let by_clock = self.utc(Time { zone, local: start.local + wall });
        let is_meant = length.to == length.from || start.zone == length.from;
        let end = by_clock.filter(|_| is_meant).unwrap_or(at).max(at + elapsed);
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
