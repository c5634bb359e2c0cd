//! Which zones the times of a text have: by name, without one, or with a VTIMEZONE of the same calendar.

use std::ops::Range;

use chrono_tz::Tz;

use super::components::Component;
use super::lex::{ContentLine, Form, local_time};
use super::reading::{DAY, ZoneRead};
use super::rule::Budget;
use super::zone::{Offsets, by_name, plain};

/// A position in [`Zones::all`].
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
    /// Where readings are compared.
    near: Range<i64>,
    /// The calendar, name and offsets of each VTIMEZONE.
    described: Vec<(u32, String, Offsets)>,
    /// X-WR-TIMEZONE of each calendar.
    defaults: Vec<&'a ContentLine<'a>>,
    /// The calendars and names of the zones after [`TOO_MANY`].
    keys: Vec<(u32, Option<&'a [u8]>)>,
    all: Vec<Zone>,
}

impl<'a> Zones<'a> {
    pub(super) fn of(
        described: &[(Component<'_>, Vec<Component<'_>>)],
        defaults: Vec<&'a ContentLine<'a>>,
        clinician: Tz,
        window: &Range<i64>,
        budget: &mut Budget,
    ) -> Self {
        let near = window.start - 19 * DAY..window.end + 3 * DAY;
        let described = described.iter().take(MOST_ZONES).filter_map(|(zone, observances)| {
            let name = plain(zone.all("TZID").next_back()?.value());
            Some((zone.begin.calendar, name, Offsets::of(observances, window.end + 4 * DAY, budget)?))
        });
        let (described, keys) = (described.collect(), Vec::new());
        let fixed = [vec![Offsets::Known(Tz::UTC)], vec![Offsets::Known(clinician)], Vec::new()];
        let fixed = fixed.map(|readings| Zone { told: None, is_unclear: readings.is_empty(), readings });
        Self { clinician, near, described, defaults, keys, all: fixed.into() }
    }

    /// The zones with names, as they are first named.
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

    /// A time of a line.
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
