//! The zones of a text's times: by name, without one, or with a VTIMEZONE of the same calendar; and the readings of each.
//! A local time that the clock leaves out has the offset before; of two equal ones the first counts (RFC 5545).

use std::ops::Range;

use chrono::{DateTime, Offset as _, TimeZone as _};
use chrono_tz::{TZ_VARIANTS, Tz};

use super::lex::{Component, Components, ContentLine, Form, local_time, number, sign_of};
use super::reading::{DAY, ZoneRead};
use super::rule::{Budget, Rule};

pub(super) type ZoneId = usize;
pub(super) const UTC: ZoneId = 0;
/// Days of the clinician's zone.
pub(super) const DATE: ZoneId = 1;
const TOO_MANY: ZoneId = 2;
const MOST_ZONES: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Time {
    pub(super) zone: ZoneId,
    pub(super) local: i64,
}

struct Zone {
    /// How the report describes it. `None` if the zone has no name.
    told: Option<ZoneRead>,
    /// Those that differ near the window.
    readings: Vec<Offsets>,
    /// It has a name that says nothing.
    is_unclear: bool,
}

pub(super) struct Zones<'a> {
    clinician: Tz,
    near: Range<i64>,
    /// The calendar, name and offsets of each VTIMEZONE.
    described: Vec<(u32, String, Offsets)>,
    defaults: Vec<&'a ContentLine<'a>>,
    /// The calendars and names of the zones after [`TOO_MANY`].
    keys: Vec<(u32, Option<&'a [u8]>)>,
    all: Vec<Zone>,
}

impl<'a> Zones<'a> {
    pub(super) fn of(
        found: &Components<'a>,
        clinician: Tz,
        window: &Range<i64>,
        budget: &mut Budget,
    ) -> Self {
        let near = window.start - 19 * DAY..window.end + 3 * DAY;
        let described = found.zones.iter().take(MOST_ZONES).filter_map(|(zone, observances)| {
            let name = plain(zone.all("TZID").next_back()?.value());
            Some((zone.begin.calendar, name, Offsets::of(observances, window.end + 4 * DAY, budget)?))
        });
        let (described, keys, defaults) = (described.collect(), Vec::new(), found.default_zones.clone());
        let fixed = [vec![Offsets::Known(Tz::UTC)], vec![Offsets::Known(clinician)], Vec::new()];
        let fixed = fixed.map(|readings| Zone { told: None, is_unclear: readings.is_empty(), readings });
        Self { clinician, near, described, defaults, keys, all: fixed.into() }
    }

    pub(super) fn told(&self) -> Vec<ZoneRead> {
        self.all.iter().filter_map(|zone| zone.told).collect()
    }

    pub(super) fn is_unclear(&self, zone: ZoneId) -> bool {
        self.all[zone].is_unclear
    }

    pub(super) fn readings(&self, zone: ZoneId) -> usize {
        self.all[zone].readings.len()
    }

    /// The instant of a time; a zone with fewer readings has its last one.
    pub(super) fn utc(&self, time: Time, reading: usize) -> Option<i64> {
        let readings = &self.all[time.zone].readings;
        Some(readings.get(reading).or(readings.last())?.utc(time.local))
    }

    pub(super) fn time(&mut self, line: &'a ContentLine<'a>, text: &[u8]) -> Option<Time> {
        let (local, form) = local_time(text)?;
        let zone = match form {
            Form::Utc => UTC,
            Form::Date => DATE,
            Form::Floating => self.id(line),
        };
        Some(Time { zone, local })
    }

    fn id(&mut self, line: &'a ContentLine<'a>) -> ZoneId {
        let key = (line.calendar, line.parameter("TZID").filter(|name| !name.is_empty()));
        if let Some(known) = self.keys.iter().position(|other| *other == key) {
            if let Some(told) = &mut self.all[TOO_MANY + 1 + known].told {
                told.line = told.line.min(line.number);
            }
            return TOO_MANY + 1 + known;
        }
        if self.keys.len() >= MOST_ZONES {
            return TOO_MANY;
        }
        self.keys.push(key);
        let zone = self.zone(line, key.1);
        self.all.push(zone);
        self.all.len() - 1
    }

    fn zone(&self, line: &ContentLine<'_>, name: Option<&[u8]>) -> Zone {
        let of_calendar = self.defaults.iter().filter(|other| other.calendar == line.calendar);
        let defaults = of_calendar.map(|line| line.value()).filter(|name| !name.is_empty());
        let mut zone = Zone { told: None, readings: Vec::new(), is_unclear: false };
        if name.is_none() {
            zone.readings.push(Offsets::Known(self.clinician));
        }
        for text in name.into_iter().chain(defaults.filter(|_| name.is_none())) {
            let (by_name, by_file) = (by_name(text), self.described(line.calendar, text));
            zone.is_unclear |= by_name.is_none() && by_file.is_empty();
            zone.told = name.map(|_| ZoneRead { line: line.number, by_name, by_file: !by_file.is_empty() });
            for reading in by_name.map(Offsets::Known).into_iter().chain(by_file) {
                if zone.readings.first().is_none_or(|first| !first.agrees(&reading, &self.near)) {
                    zone.readings.push(reading);
                }
            }
        }
        zone
    }

    /// The VTIMEZONEs of a name: the calendar's own, or those of others.
    fn described(&self, calendar: u32, name: &[u8]) -> Vec<Offsets> {
        let name = plain(name);
        let of = |is_own: bool| -> Vec<Offsets> {
            let named = self.described.iter().filter(|(_, other, _)| *other == name);
            let of = named.filter(|(of, ..)| (*of == calendar) == is_own);
            of.map(|(.., offsets)| offsets.clone()).collect()
        };
        let own = of(true);
        if own.is_empty() { of(false) } else { own }
    }
}

/// Windows' names, our names, and how Outlook shows them: CLDR's windowsZones, territory 001.
pub(super) const WINDOWS: &str = include_str!("windows_zones.tsv");
const MOST_OBSERVANCES: usize = 32;

/// What a zone's clock is ahead of UTC.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Offsets {
    Known(Tz),
    /// The offset before the first step, and from which local time on which offset counts.
    Described(i64, Vec<(i64, i64)>),
}

impl Offsets {
    /// None without an observance, and with one that can't be read.
    pub(super) fn of(observances: &[Component<'_>], end: i64, budget: &mut Budget) -> Option<Self> {
        if observances.len() > MOST_OBSERVANCES {
            return None;
        }
        // When, and the offsets before and after.
        let mut onsets: Vec<(i64, i64, i64)> = Vec::new();
        for observance in observances {
            let before = seconds(observance.value("TZOFFSETFROM")?)?;
            let after = seconds(observance.value("TZOFFSETTO")?)?;
            let (start, _) = local_time(observance.value("DTSTART")?)?;
            let mut add = |local: i64| onsets.push((local - before, before, after));
            add(start);
            for (_, item) in observance.items("RDATE") {
                let (local, form) = local_time(item)?;
                add(if form == Form::Utc { local + before } else { local });
            }
            budget.begin_series();
            for line in observance.all("RRULE") {
                let mut rule = Rule::parse(line.value())?;
                if rule.is_until_utc {
                    (rule.until, rule.is_until_utc) = (rule.until + before, false);
                }
                rule.expand(start, &(start..end), budget, &mut add).ok()?;
            }
        }
        onsets.sort_unstable();
        let first = onsets.first()?.1;
        let (mut before, mut steps) = (first, Vec::new());
        for (at, _, after) in onsets {
            if after != before {
                // The clock shows one of two times then; the new offset counts from the later one on.
                steps.push((at + before.max(after), after));
                before = after;
            }
        }
        Some(Self::Described(first, steps))
    }

    pub(super) fn utc(&self, local: i64) -> i64 {
        match self {
            Self::Known(zone) => local - known_offset(*zone, local),
            Self::Described(first, steps) => {
                let passed = steps.partition_point(|(from, _)| *from <= local);
                local - passed.checked_sub(1).map_or(*first, |last| steps[last].1)
            }
        }
    }

    pub(super) fn agrees(&self, other: &Self, window: &Range<i64>) -> bool {
        let (Self::Known(_), Self::Described(_, steps)) = (self, other) else { return self == other };
        // A known zone has days between its steps, so one that isn't the other's shows within a day.
        let starts = steps.iter().flat_map(|(start, _)| [start - 1, *start]);
        let each_day = (window.start..window.end).step_by(86_400);
        let mut times = starts.filter(|start| window.contains(start)).chain(each_day);
        times.all(|time| self.utc(time) == other.utc(time))
    }
}

fn known_offset(zone: Tz, local: i64) -> i64 {
    let time = |seconds: i64| DateTime::from_timestamp(seconds, 0).unwrap_or_default().naive_utc();
    let offset = zone.offset_from_local_datetime(&time(local)).earliest();
    let offset = offset.unwrap_or_else(|| zone.offset_from_utc_datetime(&time(local - DAY)));
    i64::from(offset.fix().local_minus_utc())
}

/// An offset, as in `-0800`, in seconds.
fn seconds(text: &[u8]) -> Option<i64> {
    let (sign, digits) = sign_of(text);
    let part = |at: usize| digits.get(at..at + 2).and_then(number).map(i64::from);
    let rest = if digits.len() == 6 { part(4)? } else { 0 };
    let is_offset = matches!(digits.len(), 4 | 6) && part(0)? < 24 && part(2)? < 60 && rest < 60;
    is_offset.then(|| Some(sign * (part(0)? * 3_600 + part(2)? * 60 + rest)))?
}

/// The zone of a name: of the tz database, also at the end of a path; Windows' name, also with a digit behind it; or as
/// Outlook shows it.
pub(super) fn by_name(name: &[u8]) -> Option<Tz> {
    // No known name is nearly as long, and each of a path's tails is looked up.
    let name = plain(Some(name).filter(|name| name.len() < 256)?);
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
    TZ_VARIANTS.into_iter().find(|zone| zone.name().eq_ignore_ascii_case(name))
}

fn windows(name: &str) -> Option<Tz> {
    let and = |text: &str| text.replace(" and ", " & ");
    let is_it = |text: &&str| and(text).eq_ignore_ascii_case(&and(name));
    WINDOWS.lines().find_map(|line| {
        let mut columns = line.split('\t');
        let (windows, zone, shown) = (columns.next()?, columns.next()?, columns.next()?);
        [windows, shown].iter().any(is_it).then(|| zone.parse().ok())?
    })
}

/// A name without the backslashes that a text value has before its commas.
pub(super) fn plain(name: &[u8]) -> String {
    String::from_utf8_lossy(name).trim().replace('\\', "")
}
