//! Reads a calendar of kind iCalendar (RFC 5545) as busy time; `docs/FEED.md` says what is busy. [`lex`] keeps the few
//! lines that say when, and skips the rest as bytes. [`event`] makes events of them, [`zones`] reads their zones, and
//! [`expand`] expands series, once under each reading of their zones. Wherever a text has two meanings, time that is
//! busy in either is busy. An event without a clear place in time is [`unplaced`](IcsReading::unplaced), and the caller
//! must not trust the gaps. Nothing of a text leaves this module but times, counts, line numbers, names of properties
//! and zones of the tz database.

use std::collections::BTreeSet;

use chrono_tz::Tz;

use self::event::Events;
use self::expand::Expansion;
use self::lex::Components;
use self::reading::{DAY, LeftOut};
use self::rule::Budget;
use self::zones::Zones;
use super::super::instant::Instant;

mod event;
mod expand;
mod lex;
mod reading;
mod rule;
mod zones;

#[cfg(test)]
mod tests;

pub use self::reading::{IcsError, IcsReading};

const MOST_BYTES: usize = 8 << 20;
/// The most steps of all series together. They bound the time, since this crate has no clock.
const STEPS: usize = 20_000_000;

/// Reads the whole text of one calendar address. `zone` is the clinician's.
fn read(text: &[u8], zone: Tz, now: Instant, steps: usize) -> Result<IcsReading, IcsError> {
    if text.len() > MOST_BYTES {
        return Err(IcsError::TooLarge);
    }
    let window = now.plus_seconds(-DAY).unix()..now.plus_seconds(33 * DAY).unix();
    let mut budget = Budget { all: steps, series: 0, instances: 0 };
    let lines = lex::lines(text)?;
    let found = Components::of(&lines);
    let zones = Zones::of(&found, zone, &window, &mut budget);
    let left_out = LeftOut { components: found.others, ..LeftOut::default() };
    let (window, notes, all) = (&window, found.notes, Vec::new());
    let free_days = BTreeSet::new();
    let events = Events { zones, window, left_out, free_days, notes, all, count: 0, last: None };
    let Events { zones, left_out, free_days, mut notes, all, count, last, .. } = events.read(&found.events);
    let expansion = Expansion { zones: &zones, window, notes: &mut notes, busy: Vec::new(), reading: 0 };
    let busy = expansion.expand(all, &mut budget);
    let last = last.and_then(|last| zones.utc(last, 0)).map(Instant::from_unix);
    Ok(IcsReading {
        last_entry: last.max(busy.last().map(|busy| busy.start)),
        busy,
        unplaced: notes.told,
        unplaced_count: notes.count,
        events: count,
        zones: zones.told(),
        left_out,
        free_days,
    })
}

/// Reads a calendar's text under each of these zones; busy in one of them is busy.
pub fn read_calendar(text: &[u8], zones: &[Tz], now: Instant) -> Result<IcsReading, IcsError> {
    let mut readings = zones.iter().map(|zone| read(text, *zone, now, STEPS));
    let mut reading = readings.next().unwrap_or_else(|| read(text, Tz::UTC, now, STEPS))?;
    for other in readings {
        reading.merge(other?);
    }
    Ok(reading)
}
