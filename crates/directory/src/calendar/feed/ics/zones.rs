//! Which zones the times of a text have: by name, without one, or with a VTIMEZONE of the same calendar.

use std::ops::Range;

use chrono_tz::Tz;

use super::lex::{Form, Line};
use super::zone::{Described, Offsets, Zone, by_name, plain};
use super::{Budget, IcsLimits};

/// A position in [`Zones::keys`].
pub(super) type ZoneId = usize;
pub(super) const UTC: ZoneId = 0;
/// Days of the clinician's zone.
pub(super) const DATE: ZoneId = 1;
const TOO_MANY: ZoneId = 2;

/// What a calendar says about the zone of a time; the number is that of the calendar in its text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Key<'a> {
    Utc,
    Date,
    TooMany,
    Floating(usize),
    Named(usize, &'a [u8]),
}

pub(super) struct Zones<'a> {
    /// And the line where it is first.
    pub(super) keys: Vec<(Key<'a>, u32)>,
    /// The VTIMEZONEs of each calendar.
    pub(super) described: Vec<(usize, Described<'a>)>,
    /// X-WR-TIMEZONE of each calendar.
    pub(super) defaults: Vec<(usize, &'a [u8])>,
}

impl<'a> Zones<'a> {
    pub(super) fn new() -> Self {
        let keys = vec![(Key::Utc, 0), (Key::Date, 0), (Key::TooMany, 0)];
        Self { keys, described: Vec::new(), defaults: Vec::new() }
    }

    /// The zone of a time of a line.
    pub(super) fn id(&mut self, calendar: usize, line: Line<'a>, form: Form, limits: &IcsLimits) -> ZoneId {
        let name = line.parameter("TZID").filter(|name| !name.is_empty());
        let key = match form {
            Form::Utc => return UTC,
            Form::Date => return DATE,
            Form::Floating => name.map_or(Key::Floating(calendar), |name| Key::Named(calendar, name)),
        };
        if let Some(id) = self.keys.iter().position(|(other, _)| *other == key) {
            return id;
        }
        if self.keys.len() > limits.zones + TOO_MANY {
            return TOO_MANY;
        }
        self.keys.push((key, line.number));
        self.keys.len() - 1
    }

    pub(super) fn read(
        &self,
        clinician: Tz,
        window: &Range<i64>,
        limits: &IcsLimits,
        budget: &mut Budget,
    ) -> Vec<Zone> {
        let mut described = |calendar: usize, name: &[u8]| -> Vec<Offsets> {
            let text = |name: &[u8]| plain(&String::from_utf8_lossy(name));
            let is_named = |zone: &Described| zone.name.is_some_and(|other| text(other) == text(name));
            let named = self.described.iter().take(limits.zones).filter(|(_, zone)| is_named(zone));
            let read = named.filter_map(|(of, zone)| Some((*of, zone.read(window, limits, budget)?)));
            let (own, others): (Vec<_>, Vec<_>) = read.partition(|(of, _)| *of == calendar);
            let found = if own.is_empty() { others } else { own };
            found.into_iter().map(|(_, offsets)| offsets).collect()
        };
        let of = |(key, _): &(Key<'a>, u32)| match *key {
            Key::Utc => Zone::of(Some(Tz::UTC), Vec::new(), window),
            Key::Date => Zone::of(Some(clinician), Vec::new(), window),
            Key::TooMany => Zone::of(None, Vec::new(), window),
            Key::Named(calendar, name) => Zone::of(by_name(name), described(calendar, name), window),
            Key::Floating(calendar) => {
                let (mut others, mut is_unclear) = (Vec::new(), false);
                let defaults = self.defaults.iter().filter(|(of, name)| *of == calendar && !name.is_empty());
                for (_, name) in defaults {
                    let before = others.len();
                    others.extend(by_name(name).map(|zone| Offsets::of(zone, window)));
                    others.append(&mut described(calendar, name));
                    is_unclear |= others.len() == before;
                }
                Zone { is_unclear, ..Zone::of(Some(clinician), others, window) }
            }
        };
        self.keys.iter().map(of).collect()
    }
}
