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
pub(crate) enum IcsError {
    #[error("This isn't a calendar: it doesn't begin with BEGIN:VCALENDAR, or has lines outside of one.")]
    NotCalendar,
    #[error("The calendar is cut off: it doesn't end with END:VCALENDAR.")]
    CutOff,
    #[error("The calendar is too large.")]
    TooLarge,
}

/// What a calendar says about the time from a day before now to 33 days after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IcsReading {
    /// Sorted and merged; cut to the window.
    pub(crate) busy: Vec<Busy>,
    /// What may be anywhere. The first 20; while there is one, the calendar is in doubt.
    pub(crate) unplaced: Vec<Unplaced>,
    pub(crate) unplaced_count: usize,
    /// Past, free and canceled ones too. A calendar without any is in doubt.
    pub(crate) events: usize,
    /// The latest start of an event, or of a series' instance in the window.
    pub(crate) last_entry: Option<Instant>,
    pub(crate) zones: Vec<ZoneRead>,
    pub(crate) left_out: LeftOut,
}

/// A line whose meaning isn't clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {property} {reason}")]
pub(crate) struct Unplaced {
    pub(crate) line: u32,
    pub(crate) property: &'static str,
    pub(crate) reason: UnplacedReason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UnplacedReason {
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
pub(crate) struct ZoneRead {
    /// Where the calendar names it first.
    pub(crate) line: u32,
    pub(crate) by_name: Option<Tz>,
    /// The calendar's VTIMEZONE describes it.
    pub(crate) by_file: bool,
}

/// What takes no time, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct LeftOut {
    pub(crate) free: usize,
    pub(crate) canceled: usize,
    /// To-dos, journals and all others that aren't events.
    pub(crate) components: usize,
    /// EXRULE, and an EXDATE that can't be read.
    pub(crate) exceptions: usize,
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
