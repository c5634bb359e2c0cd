//! What a calendar says, and what is unclear in it.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::super::super::hours::{Busy, merge};
use super::super::super::instant::Instant;

pub(super) const DAY: i64 = 86_400;
const TOLD: usize = 20;

/// A text that isn't a whole calendar says nothing, not even that its clinician is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IcsError {
    #[error("This isn't a calendar: it doesn't begin with BEGIN:VCALENDAR, or it has lines outside one.")]
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
    /// The days of all-day events that are marked free and don't repeat: a day off may be marked so by mistake.
    pub free_days: BTreeSet<NaiveDate>,
}

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
    #[error("appears twice with different values")]
    Twice,
    #[error("is before the event's start")]
    EndFirst,
    #[error("has a part that isn't supported")]
    Rule,
    #[error("is in an unknown time zone")]
    Zone,
    #[error("is more than a calendar can have")]
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

impl IcsReading {
    /// A calendar with only free or past events gets an entry in the past: it was read, and takes nothing.
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
    pub fn doubt(&self) -> Option<String> {
        if self.events == 0 {
            return Some(
                "it has no events, so it may be empty by mistake: add one event, even a past one".to_owned(),
            );
        }
        let first: Vec<String> = self.unplaced.iter().take(3).map(ToString::to_string).collect();
        let more = match self.unplaced_count - first.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let what = first.join("; ");
        (!first.is_empty())
            .then(|| format!("{what}{more}: openings in it may be taken; correct these events"))
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.busy.extend(other.busy);
        merge(&mut self.busy);
        let mut notes = Notes { told: std::mem::take(&mut self.unplaced), count: self.unplaced_count };
        other.unplaced.into_iter().for_each(|unplaced| notes.add(unplaced));
        (self.unplaced, self.unplaced_count) = (notes.told, notes.count.max(other.unplaced_count));
        self.last_entry = self.last_entry.max(other.last_entry);
    }
}

#[derive(Default)]
pub(super) struct Notes {
    pub(super) told: Vec<Unplaced>,
    pub(super) count: usize,
}

impl Notes {
    pub(super) fn add(&mut self, unplaced: Unplaced) {
        // An event is expanded under several readings.
        if !self.told.contains(&unplaced) {
            self.count += 1;
            if self.told.len() < TOLD {
                self.told.push(unplaced);
            }
        }
    }
}
