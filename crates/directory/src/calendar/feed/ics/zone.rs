//! The zones of a calendar. A name is read in up to two ways: as we know it, and as the calendar's VTIMEZONE describes it.
//!
//! A local time that the clock leaves out has the offset before; of two equal ones the first counts (RFC 5545).

use std::ops::Range;

use chrono::{DateTime, Offset as _, TimeZone as _};
use chrono_tz::{TZ_VARIANTS, Tz};

use super::lex::{Form, Line, Property, local_time, number, sign_of};
use super::rule::{Rule, Until};
use super::{Budget, DAY, IcsLimits};

/// Windows' names, our names, and how Outlook shows them: CLDR's windowsZones, territory 001.
pub(super) const WINDOWS: &str = include_str!("windows_zones.tsv");

/// Transitions of a zone are further apart, as tests of the time rule verify.
const STEP: i64 = 4 * DAY;

/// One reading of a zone: what its clock is ahead of UTC.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Offsets {
    /// Before the first step.
    first: i64,
    /// From which local time on which offset counts.
    steps: Vec<(i64, i64)>,
    /// Knows the times outside of the window.
    zone: Option<Tz>,
    window: (i64, i64),
}

impl Offsets {
    /// A zone that we know, with its offsets near the window at hand.
    pub(super) fn of(zone: Tz, window: &Range<i64>) -> Self {
        let (from, to) = (window.start - 20 * DAY, window.end + 4 * DAY);
        let mut offsets = Self {
            first: offset(zone, from),
            steps: Vec::new(),
            zone: Some(zone),
            window: (from + DAY, to - DAY),
        };
        let mut before = offsets.first;
        let mut at = from;
        while at < to {
            let after = offset(zone, at + STEP);
            if after != before {
                let (mut last, mut first) = (at, at + STEP);
                while first - last > 1 {
                    let middle = i64::midpoint(last, first);
                    if offset(zone, middle) == before { last = middle } else { first = middle }
                }
                offsets.push(first, before, after);
                before = after;
            }
            at += STEP;
        }
        offsets
    }

    /// At a transition, the clock shows one of two times; the new offset counts from the later one on.
    fn push(&mut self, at: i64, before: i64, after: i64) {
        self.steps.push((at + before.max(after), after));
    }

    pub(super) fn utc(&self, local: i64) -> i64 {
        match self.zone {
            Some(zone) if !self.is_near(local) => local - local_offset(zone, local),
            _ => {
                let passed = self.steps.partition_point(|(from, _)| *from <= local);
                local - passed.checked_sub(1).map_or(self.first, |last| self.steps[last].1)
            }
        }
    }

    fn is_near(&self, local: i64) -> bool {
        (self.window.0..self.window.1).contains(&local)
    }

    /// Whether another reading says the same near this one's window.
    fn agrees(&self, other: &Self) -> bool {
        let (from, to) = self.window;
        let starts = self.steps.iter().chain(&other.steps).map(|(start, _)| *start);
        // Between two steps nothing changes, so looking at each start and a second before it is enough.
        let times = starts.flat_map(|start| [start - 1, start]).chain([from, to - 1]);
        times.filter(|time| self.is_near(*time)).all(|time| self.utc(time) == other.utc(time))
    }
}

fn offset(zone: Tz, unix: i64) -> i64 {
    let moment = DateTime::from_timestamp(unix, 0).unwrap_or_default().naive_utc();
    i64::from(zone.offset_from_utc_datetime(&moment).fix().local_minus_utc())
}

fn local_offset(zone: Tz, local: i64) -> i64 {
    let time = DateTime::from_timestamp(local, 0).unwrap_or_default().naive_utc();
    let earliest = zone.offset_from_local_datetime(&time).earliest();
    earliest.map_or_else(|| offset(zone, local - DAY), |offset| i64::from(offset.fix().local_minus_utc()))
}

/// The readings of a zone. Those that differ near the window come first.
pub(super) struct Zone {
    pub(super) name: Option<Tz>,
    pub(super) by_file: bool,
    pub(super) all: Vec<Offsets>,
    pub(super) differing: usize,
    /// It has a name that says nothing.
    pub(super) is_unclear: bool,
}

impl Zone {
    pub(super) fn of(name: Option<Tz>, others: Vec<Offsets>, window: &Range<i64>) -> Self {
        let (by_file, is_unclear) = (!others.is_empty(), name.is_none() && others.is_empty());
        let mut all: Vec<Offsets> = name.map(|zone| Offsets::of(zone, window)).into_iter().collect();
        let first = all.first().cloned();
        let agrees = |other: &Offsets| first.as_ref().is_some_and(|first| first.agrees(other));
        let (mut agreeing, mut others): (Vec<_>, Vec<_>) = others.into_iter().partition(agrees);
        all.append(&mut others);
        let differing = all.len();
        all.append(&mut agreeing);
        Self { name, by_file, all, differing, is_unclear }
    }

    /// The instant of a local time under a reading; a zone with fewer readings has its last one.
    pub(super) fn utc(&self, local: i64, reading: usize) -> Option<i64> {
        Some(self.all.get(reading.min(self.differing.checked_sub(1)?))?.utc(local))
    }
}

/// The zone of a name: of the tz database, also at the end of a path; Windows' name, also with a digit behind it; or as
/// Outlook shows it.
pub(super) fn by_name(name: &[u8]) -> Option<Tz> {
    // No name that we know is nearly as long, and each of a path's tails is looked up.
    let name = plain(std::str::from_utf8(name).ok().filter(|name| name.len() < 256)?);
    let shown = name.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(_, rest)| rest.trim());
    let numbered =
        name.rsplit_once(' ').filter(|(_, digit)| digit.len() == 1 && number(digit.as_bytes()).is_some());
    let spellings = [Some(name.as_str()), shown, numbered.map(|(name, _)| name)];
    spellings.into_iter().flatten().find_map(|name| {
        let tails = name.match_indices('/').map(|(at, _)| &name[at + 1..]);
        std::iter::once(name).chain(tails).find_map(tz_database).or_else(|| windows(name))
    })
}

fn tz_database(name: &str) -> Option<Tz> {
    let exact = name.parse().ok();
    exact.or_else(|| TZ_VARIANTS.into_iter().find(|zone| zone.name().eq_ignore_ascii_case(name)))
}

fn windows(name: &str) -> Option<Tz> {
    let and = |text: &str| text.replace(" and ", " & ");
    let name = and(name);
    WINDOWS.lines().find_map(|line| {
        let (windows, rest) = line.split_once('\t')?;
        let (zone, shown) = rest.split_once('\t')?;
        let is_it = windows.eq_ignore_ascii_case(&name) || and(shown).eq_ignore_ascii_case(&name);
        if is_it { zone.parse().ok() } else { None }
    })
}

/// A name without the backslashes that a text value has before its commas.
pub(super) fn plain(name: &str) -> String {
    name.trim().replace('\\', "")
}

/// Collects the lines of a VTIMEZONE.
#[derive(Default)]
pub(super) struct Described<'a> {
    pub(super) name: Option<&'a [u8]>,
    observances: Vec<Vec<Line<'a>>>,
}

impl<'a> Described<'a> {
    pub(super) fn begin_observance(&mut self) {
        self.observances.push(Vec::new());
    }

    pub(super) fn add(&mut self, line: Line<'a>) {
        if let Some(observance) = self.observances.last_mut() {
            observance.push(line);
        }
    }

    /// None if it has no observance, or one that can't be read.
    pub(super) fn read(
        &self,
        window: &Range<i64>,
        limits: &IcsLimits,
        budget: &mut Budget,
    ) -> Option<Offsets> {
        if self.observances.is_empty() || self.observances.len() > limits.observances {
            return None;
        }
        let mut onsets = Vec::new();
        for lines in &self.observances {
            add_onsets(lines, window, limits, budget, &mut onsets)?;
        }
        onsets.sort_unstable();
        let mut offsets = Offsets { first: onsets.first()?.1, steps: Vec::new(), zone: None, window: (0, 0) };
        let mut before = offsets.first;
        for (at, _, after) in onsets {
            if after != before {
                offsets.push(at, before, after);
                before = after;
            }
        }
        Some(offsets)
    }
}

/// Adds the onsets of an observance: when, and the offsets before and after.
fn add_onsets(
    lines: &[Line<'_>],
    window: &Range<i64>,
    limits: &IcsLimits,
    budget: &mut Budget,
    onsets: &mut Vec<(i64, i64, i64)>,
) -> Option<()> {
    let value =
        |wanted: Property| lines.iter().find(|line| line.property == wanted).and_then(|line| line.value);
    let (before, after) = (seconds(value(Property::OffsetFrom)?)?, seconds(value(Property::OffsetTo)?)?);
    let (start, _) = local_time(value(Property::Start)?)?;
    let mut add = |local: i64| onsets.push((local - before, before, after));
    add(start);
    budget.series = limits.series_steps;
    for line in lines {
        match line.property {
            Property::Rule => {
                let mut rule = Rule::parse(line.value?)?;
                if let Some(Until::Utc(time)) = rule.until {
                    rule.until = Some(Until::Local(time + before));
                }
                let mut left = limits.instances;
                let told = rule.expand(start, &(start..window.end + STEP), budget, |local| {
                    left = left.checked_sub(1).ok_or(super::Exhausted)?;
                    add(local);
                    Ok(())
                });
                told.ok()?;
            }
            Property::Dates => {
                for date in line.value?.split(|&byte| byte == b',') {
                    add(match local_time(date.trim_ascii())? {
                        (utc, Form::Utc) => utc + before,
                        (local, _) => local,
                    });
                }
            }
            _ => {}
        }
    }
    Some(())
}

/// An offset, as in `-0800`, in seconds.
fn seconds(text: &[u8]) -> Option<i64> {
    let (sign, digits) = sign_of(text);
    let part = |at: usize| digits.get(at..at + 2).and_then(number).map(i64::from);
    let rest = if digits.len() == 6 { part(4)? } else { 0 };
    let is_offset = matches!(digits.len(), 4 | 6) && part(0)? < 24 && part(2)? < 60 && rest < 60;
    is_offset.then(|| Some(sign * (part(0)? * 3_600 + part(2)? * 60 + rest)))?
}
