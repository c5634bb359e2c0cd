//! Reads a calendar of kind iCalendar (RFC 5545) as busy time. See `docs/FEED.md` for what is busy.
//!
//! 1. [`lex`] keeps the few lines that say when, and skips the rest as bytes.
//! 2. [`components`] makes events and zones of them, and leaves out what is far from the window.
//! 3. [`event`] expands series, once under each reading of their zones.
//!
//! Wherever a text has two meanings, time that is busy in either is busy. An event without a clear place in time is told as
//! [`Unplaced`], and the caller must not trust the gaps. Nothing of a text leaves this module but times, counts, line
//! numbers, names of properties and zones of the tz database.

use chrono_tz::Tz;

use super::super::hours::Busy;
use super::super::instant::Instant;

mod components;
mod event;
mod lex;
mod rule;
mod zone;
mod zones;

#[cfg(test)]
mod tests;

const DAY: i64 = 86_400;
/// The most entries of [`IcsReading::unplaced`].
const TOLD: usize = 20;

/// What is read of a text at most. Steps bound the time, since this crate has no clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IcsLimits {
    pub(crate) bytes: usize,
    pub(crate) events: usize,
    pub(crate) line: usize,
    pub(crate) zones: usize,
    pub(crate) observances: usize,
    pub(crate) series_steps: usize,
    pub(crate) instances: usize,
    /// Of all series together.
    pub(crate) steps: usize,
}

impl Default for IcsLimits {
    fn default() -> Self {
        Self {
            bytes: 8 << 20,
            events: 20_000,
            line: 64 << 10,
            zones: 64,
            observances: 32,
            series_steps: 100_000,
            instances: 10_000,
            steps: 20_000_000,
        }
    }
}

/// A text that is no whole calendar says nothing, not even that its clinician is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IcsError {
    #[error("This isn't a calendar: it doesn't begin with BEGIN:VCALENDAR, or has lines outside of one.")]
    NotCalendar,
    #[error("The calendar is cut off: it doesn't end with END:VCALENDAR.")]
    CutOff,
    #[error("The calendar is too large.")]
    TooLarge,
}

/// What a calendar says about the time from a day before now to 33 days after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IcsReading {
    /// Sorted and merged; cut to the window.
    pub busy: Vec<Busy>,
    /// What may be anywhere. The first 20; while there is one, the calendar is in doubt.
    pub unplaced: Vec<Unplaced>,
    pub unplaced_count: usize,
    /// Past, free and canceled ones too. A calendar without any is in doubt.
    pub events: usize,
    /// The latest start of an event, or of a series' instance in the window.
    pub last_entry: Option<Instant>,
    pub zones: Vec<ZoneRead>,
    pub left_out: LeftOut,
}

/// A line whose meaning isn't clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {property} {reason}")]
pub struct Unplaced {
    pub line: u32,
    pub property: &'static str,
    pub reason: UnplacedReason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnplacedReason {
    #[error("is missing")]
    Missing,
    #[error("can't be read")]
    Unreadable,
    #[error("is written twice with two meanings")]
    Twice,
    #[error("is before the event's start")]
    EndFirst,
    #[error("has a part that isn't supported")]
    Rule,
    #[error("is in an unknown time zone")]
    Zone,
    #[error("is more than a calendar may have")]
    Bound,
    #[error("doesn't match another BEGIN or END")]
    Structure,
}

/// How a time zone of a calendar is read. Its name isn't told, since a calendar may write anything there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneRead {
    /// Where the calendar names it first.
    pub line: u32,
    pub by_name: Option<Tz>,
    /// The calendar's VTIMEZONE describes it.
    pub by_file: bool,
}

/// What takes no time, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    pub free: usize,
    pub canceled: usize,
    /// To-dos, journals and all others that aren't events.
    pub components: usize,
    /// EXRULE, and an EXDATE that can't be read.
    pub exceptions: usize,
}

/// Reads the whole text of one calendar address. `zone` is the clinician's.
pub(crate) fn read(text: &[u8], zone: Tz, now: Instant, limits: &IcsLimits) -> Result<IcsReading, IcsError> {
    if text.len() > limits.bytes {
        return Err(IcsError::TooLarge);
    }
    let window = now.plus_seconds(-DAY).unix()..now.plus_seconds(33 * DAY).unix();
    let kept = lex::Kept::of(text, limits.line)?;
    let calendar = components::Components::of(&kept, &window, limits);
    Ok(event::expand(calendar, zone, &window, limits))
}

/// Reads a calendar's text under each of these zones; busy in one of them is busy.
pub fn read_calendar(text: &[u8], zones: &[Tz], now: Instant) -> Result<IcsReading, IcsError> {
    let limits = IcsLimits::default();
    let mut readings = zones.iter().map(|zone| read(text, *zone, now, &limits));
    let mut reading = readings.next().unwrap_or_else(|| read(text, Tz::UTC, now, &limits))?;
    for other in readings {
        reading.busy.extend(other?.busy);
    }
    Ok(reading)
}

impl IcsReading {
    /// Its busy time as lines of a feed. A calendar that has only free or past events has an entry in the past, since it was
    /// read and takes nothing.
    #[must_use]
    pub fn lines(&self, slug: &str, now: Instant) -> String {
        let past = Busy { start: now.plus_seconds(-DAY), end: now.plus_seconds(60 - DAY) };
        let all = if self.busy.is_empty() { std::slice::from_ref(&past) } else { &self.busy };
        let line = |Busy { start, end }: &Busy| {
            format!(
                "{{\"provider\":\"{slug}\",\"start\":\"{start}\",\"end\":\"{end}\",\"status\":\"busy\"}}\n"
            )
        };
        all.iter().map(line).collect()
    }

    /// Why what is free in it may be taken, and what to do.
    #[must_use]
    pub fn doubt(&self) -> Option<String> {
        if self.events == 0 {
            return Some(
                "it has no event, so it may be empty by mistake: put one event into it, even a past one"
                    .to_owned(),
            );
        }
        let first: Vec<String> = self.unplaced.iter().take(3).map(ToString::to_string).collect();
        let more = self.unplaced_count - first.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let what = first.join("; ");
        (!first.is_empty())
            .then(|| format!("{what}{more}: what is free in it may be taken; correct these events"))
    }
}

/// What is unclear so far.
#[derive(Default)]
struct Notes {
    told: Vec<Unplaced>,
    count: usize,
}

impl Notes {
    fn add(&mut self, line: u32, property: lex::Property, reason: UnplacedReason) {
        let unplaced = Unplaced { line, property: property.name(), reason };
        // An event is expanded under several readings.
        if !self.told.contains(&unplaced) {
            self.count += 1;
            if self.told.len() < TOLD {
                self.told.push(unplaced);
            }
        }
    }
}

/// A bound was reached.
struct Exhausted;

/// The steps that are left.
#[derive(Default)]
struct Budget {
    all: usize,
    series: usize,
}

impl Budget {
    fn spend(&mut self, steps: usize) -> Result<(), Exhausted> {
        self.all = self.all.checked_sub(steps).ok_or(Exhausted)?;
        self.series = self.series.checked_sub(steps).ok_or(Exhausted)?;
        Ok(())
    }
}
