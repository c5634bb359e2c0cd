//! Expands events to busy time, once under each reading of their zones.

use std::collections::HashMap;
use std::ops::Range;

use chrono_tz::Tz;

use super::super::super::hours::Busy;
use super::super::super::instant::Instant;
use super::components::{Components, DATE, Event, FAR, Key, Length, Time, UTC, Zone, ZoneId, moment};
use super::lex::{Line, Property};
use super::rule::{Rule, Until};
use super::{Budget, DAY, Exhausted, IcsLimits, IcsReading, Notes, UnplacedReason, ZoneRead};

/// What an event without a length takes.
const LEAST: i64 = 60;

/// Reads the zones of a calendar and expands its events.
pub(super) fn expand(
    components: Components<'_>,
    clinician: Tz,
    window: &Range<i64>,
    limits: &IcsLimits,
) -> IcsReading {
    let Components { zones, mut events, series, count, last, left_out, notes } = components;
    let mut budget = Budget { all: limits.steps, series: 0 };
    let read = zones.read(clinician, window, limits, &mut budget);
    let mut expansion = Expansion {
        zones: &read,
        window,
        limits,
        budget,
        busy: Vec::new(),
        notes,
        unreadable_exceptions: 0,
        scratch: Series::default(),
    };
    // The events that replace instances, by the series that they are of.
    events.sort_by_key(|event| (event.replaced.is_none(), event.uid));
    let (changes, masters) = events.split_at(events.partition_point(|event| event.replaced.is_some()));
    let mut of_uid: HashMap<u64, usize> = HashMap::new();
    for uid in masters.iter().filter(|_| !changes.is_empty()).filter_map(|event| event.uid) {
        *of_uid.entry(uid).or_default() += 1;
    }
    for event in masters {
        let same = |change: &Event| event.uid.is_some() && change.uid == event.uid;
        let from = changes.partition_point(|change| change.uid < event.uid);
        let own = &changes[from..from + changes[from..].iter().take_while(|change| same(change)).count()];
        expansion.event(event, own, &series);
        if !own.is_empty() && of_uid.get(&event.uid.unwrap_or_default()).is_some_and(|&count| count > 1) {
            // Nobody knows which of the series is changed.
            expansion.event(event, &[], &series);
        }
    }
    for change in changes {
        expansion.event(change, &[], &series);
    }
    let Expansion { mut busy, notes, unreadable_exceptions, .. } = expansion;
    merge(&mut busy);
    let latest = last
        .and_then(|last| utc(&read, last, 0))
        .into_iter()
        .chain(busy.last().map(|(start, _)| *start))
        .max();
    let mut left_out = left_out;
    left_out.exceptions += unreadable_exceptions;
    IcsReading {
        busy: busy
            .into_iter()
            .map(|(start, end)| Busy { start: Instant::from_unix(start), end: Instant::from_unix(end) })
            .collect(),
        unplaced: notes.told,
        unplaced_count: notes.count,
        events: count,
        last_entry: latest.map(Instant::from_unix),
        zones: zones
            .keys
            .iter()
            .zip(&read)
            .filter_map(|((key, line), zone)| match key {
                Key::Named(..) => {
                    Some(ZoneRead { line: *line, by_name: zone.readings.name, by_file: zone.by_file })
                }
                _ => None,
            })
            .collect(),
        left_out,
    }
}

/// The lines of an event's series, read.
#[derive(Default)]
struct Series {
    rules: Vec<(Rule, u32)>,
    dates: Vec<(Time, Option<Length>, u32)>,
    exceptions: Vec<Time>,
}

/// An instance before any change: its start, and its length if it has one of its own.
type Instance = (Time, Option<Length>);

/// All later instances begin this much later and are as long as the change.
struct Move<'a> {
    from: i64,
    later: i64,
    change: &'a Event,
    elapsed: i64,
}

struct Expansion<'a> {
    zones: &'a [Zone],
    window: &'a Range<i64>,
    limits: &'a IcsLimits,
    budget: Budget,
    busy: Vec<(i64, i64)>,
    notes: Notes,
    unreadable_exceptions: usize,
    scratch: Series,
}

/// The instant of a time under a reading; a zone with fewer readings has its last one.
fn utc(zones: &[Zone], time: Time, reading: usize) -> Option<i64> {
    if time.zone == UTC {
        return Some(time.local);
    }
    let readings = &zones[time.zone].readings;
    Some(readings.all.get(reading.min(readings.differing.checked_sub(1)?))?.utc(time.local))
}

impl Expansion<'_> {
    fn event(&mut self, event: &Event, changes: &[Event], lines: &[(Line<'_>, ZoneId)]) {
        let is_taken = event.is_taken || changes.iter().any(|change| change.is_taken && is_range(change));
        if !is_taken {
            return;
        }
        self.budget.series = self.limits.series_steps;
        let mut series = std::mem::take(&mut self.scratch);
        self.read_lines(&lines[event.series.clone()], &mut series);
        let zones = [event.start.zone, event.length.zone].into_iter();
        let zones = zones.chain(series.dates.iter().map(|(time, ..)| time.zone));
        let zones = zones.chain(series.exceptions.iter().map(|time| time.zone));
        let zones = zones
            .chain(changes.iter().filter_map(|change| change.replaced).map(|replaced| replaced.time.zone));
        let readings = zones.map(|zone| self.zones[zone].readings.differing).max().unwrap_or(0).max(1);
        for reading in 0..readings {
            if self.reading(event, changes, &series, reading).is_err() {
                let property = if series.rules.is_empty() { Property::Start } else { Property::Rule };
                self.notes.add(event.line, property, UnplacedReason::Bound);
            }
        }
        series.rules.clear();
        series.dates.clear();
        series.exceptions.clear();
        self.scratch = series;
    }

    fn read_lines(&mut self, lines: &[(Line<'_>, ZoneId)], series: &mut Series) {
        for (line, zone) in lines {
            let items = || line.value.into_iter().flat_map(|value| value.split(|&byte| byte == b','));
            match line.property {
                Property::Rule => match line.value.and_then(Rule::parse) {
                    Some(rule) => series.rules.push((rule, line.number)),
                    None => self.notes.add(line.number, line.property, UnplacedReason::Rule),
                },
                Property::Dates => {
                    for date in items().map(|item| moment(item, *zone)) {
                        match date {
                            Some((time, length)) => series.dates.push((time, length, line.number)),
                            None => self.notes.add(line.number, line.property, UnplacedReason::Unreadable),
                        }
                    }
                    if line.value.is_none() {
                        self.notes.add(line.number, line.property, UnplacedReason::Unreadable);
                    }
                }
                _ => {
                    for exception in items().map(|item| moment(item, *zone)) {
                        match exception {
                            Some((time, None)) => series.exceptions.push(time),
                            // It takes nothing, so more stays taken.
                            _ => self.unreadable_exceptions += 1,
                        }
                    }
                }
            }
        }
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
        let elapsed = self.elapsed(event, reading);
        let mut reach = elapsed.max(event.length.wall()).max(DAY);
        let (mut gone, mut moves) = (Vec::new(), Vec::new());
        gone.extend(series.exceptions.iter().filter_map(|time| utc(*time)));
        for change in changes {
            let Some(replaced) = change.replaced else { continue };
            let Some(from) = utc(replaced.time) else {
                self.notes.add(replaced.line, Property::Replaced, UnplacedReason::Zone);
                continue;
            };
            gone.push(from);
            if replaced.and_later {
                let is_same_clock = change.start.zone == replaced.time.zone;
                let later = if is_same_clock {
                    Some(change.start.local - replaced.time.local)
                } else {
                    utc(change.start).map(|start| start - from)
                };
                if later.is_none()
                    || change.is_taken && (change.start.zone == DATE) != (event.start.zone == DATE)
                {
                    self.notes.add(replaced.line, Property::Replaced, UnplacedReason::Unreadable);
                }
                let change =
                    Move { from, later: later.unwrap_or(0), change, elapsed: self.elapsed(change, reading) };
                reach = reach.max(change.elapsed.max(change.change.length.wall()) + change.later.abs());
                moves.push(change);
            }
        }
        gone.sort_unstable();
        moves.sort_by_key(|change| change.from);
        let range = self.window.start - FAR - reach
            ..self.window.end + FAR + moves.iter().map(|change| change.later.abs()).max().unwrap_or(0);
        let mut left = self.limits.instances;
        let mut tell = |expansion: &mut Self, (time, own): Instance, line: u32, property: Property| {
            if !range.contains(&time.local) {
                return Ok(());
            }
            let end_zone = own.map_or(event.length.zone, |own| own.zone);
            if zones[time.zone].is_unclear || zones[end_zone].is_unclear {
                expansion.notes.add(line, property, UnplacedReason::Zone);
            }
            let Some(at) = utc(time) else { return Ok(()) };
            if gone.binary_search(&at).is_ok() {
                return Ok(());
            }
            left = left.checked_sub(1).ok_or(Exhausted)?;
            match moves.iter().rev().find(|change| change.from <= at) {
                Some(Move { later, change, elapsed, .. }) => {
                    let time = Time { local: time.local + later, ..time };
                    if change.is_taken {
                        expansion.take(time, change.start.zone, &change.length, *elapsed, reading);
                    }
                }
                None if event.is_taken => match own {
                    Some(length) => {
                        let elapsed = length_elapsed(zones, time, &length, reading);
                        if elapsed.is_none_or(|elapsed| elapsed < 0) {
                            expansion.notes.add(line, property, UnplacedReason::EndFirst);
                        }
                        expansion.take(time, time.zone, &length, elapsed.unwrap_or(0), reading);
                    }
                    None => expansion.take(time, event.start.zone, &event.length, elapsed, reading),
                },
                None => {}
            }
            Ok(())
        };
        tell(self, (event.start, None), event.line, Property::Start)?;
        for (time, length, line) in &series.dates {
            tell(self, (*time, *length), *line, Property::Dates)?;
        }
        for (rule, _) in &series.rules {
            // The rule spends steps, and telling adds busy time.
            let mut budget = std::mem::take(&mut self.budget);
            let told = rule.expand(event.start.local, &range, &mut budget, |local| {
                let time = Time { local, ..event.start };
                match rule.until {
                    Some(Until::Utc(until)) if !is_until(time, utc(time), until) => Ok(()),
                    _ => tell(self, (time, None), event.line, Property::Start),
                }
            });
            self.budget = budget;
            told?;
        }
        Ok(())
    }

    /// The elapsed time from an event's start to its end, of which its first instance decides.
    fn elapsed(&mut self, event: &Event, reading: usize) -> i64 {
        if event.start.zone == DATE {
            return 0;
        }
        let elapsed = length_elapsed(self.zones, event.start, &event.length, reading).unwrap_or(0);
        if elapsed < 0 && event.length.zone != event.start.zone && event.is_taken {
            self.notes.add(event.line, Property::End, UnplacedReason::EndFirst);
        }
        // In the hour that the clock leaves out, an end may seem to be before its start.
        if elapsed <= 0 { event.length.wall().max(0) } else { elapsed }
    }

    /// Takes an instance up to the later of its two ends. `zone` is that of the start that the length is from.
    fn take(&mut self, start: Time, zone: ZoneId, length: &Length, elapsed: i64, reading: usize) {
        let Some(at) = utc(self.zones, start, reading) else { return };
        let end_zone = if length.zone == zone { start.zone } else { length.zone };
        let wall = if start.zone == DATE { length.wall().max(DAY) } else { length.wall() };
        let by_clock = if start.zone == zone || length.zone == zone {
            utc(self.zones, Time { zone: end_zone, local: start.local + wall }, reading)
        } else {
            None
        };
        let end = by_clock.unwrap_or(at).max(at + elapsed);
        let end = if end > at { end } else { at + LEAST };
        let (from, to) = (at.max(self.window.start), end.min(self.window.end));
        if from < to {
            if self.busy.len() == self.busy.capacity() && self.busy.len() >= 1 << 16 {
                merge(&mut self.busy);
            }
            self.busy.push((from, to));
        }
    }
}

/// Whether an instance begins by an UNTIL of UTC. A day's may also be meant as a date.
fn is_until(time: Time, at: Option<i64>, until: i64) -> bool {
    at.is_none_or(|at| at <= until) || time.zone == DATE && time.local <= until
}

fn is_range(change: &Event) -> bool {
    change.replaced.is_some_and(|replaced| replaced.and_later)
}

fn length_elapsed(zones: &[Zone], start: Time, length: &Length, reading: usize) -> Option<i64> {
    let end = Time { zone: length.zone, local: start.local + length.days };
    Some(utc(zones, end, reading)? + length.seconds - utc(zones, start, reading)?)
}

/// Sorts, and joins what overlaps or adjoins.
fn merge(busy: &mut Vec<(i64, i64)>) {
    busy.sort_unstable();
    busy.dedup_by(|next, kept| {
        let is_joined = next.0 <= kept.1;
        if is_joined {
            kept.1 = kept.1.max(next.1);
        }
        is_joined
    });
}
