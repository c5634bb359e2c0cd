//! Expands local hours to the instants at which visits can start.
//! 1. Each window that starts on a local date becomes a period of instants by the [time rule](super::boundary). A date that
//!    the zone's clock never shows has no windows.
//! 2. Visits start at the first instant of the period and every step of elapsed time after it, while the whole visit fits.
//!    The grid depends on the window alone: not on the query, time off or bookings.
//! 3. A start is dropped if its visit overlaps time off.
//! 4. A start is dropped if its visit, with the buffers around it, overlaps busy time.
//!
//! Notice is not applied here: it depends on now, and the starts are kept while now advances.

use std::ops::RangeInclusive;

use super::boundary::{Clock, date, day_number};
use super::instant::Instant;
use crate::model::{Hours, Schedule, Window};

/// The longest period of one call, in minutes: a leap year. It bounds memory; callers need a month.
const LONGEST: u32 = 366 * 24 * 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Start {
    pub at: Instant,
    /// Its class: a position in [`Schedule::classes`].
    pub class: usize,
}

/// Busy time, half-open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Busy {
    pub start: Instant,
    pub end: Instant,
}

/// Sorts, and joins what overlaps or adjoins.
pub(super) fn merge(busy: &mut Vec<Busy>) {
    busy.sort_unstable();
    busy.dedup_by(|next, kept| {
        let is_joined = next.start <= kept.end;
        kept.end = if is_joined { kept.end.max(next.end) } else { kept.end };
        is_joined
    });
}

impl Schedule {
    /// Every open start with `from <= start < to`, by time and then class, each once.
    /// Callers add the notice to `from`. Busy time may come in any order. A start is dropped if
    /// `start - buffer before < busy end` and `busy start < start + duration + buffer after`, so busy time before `from` and
    /// after `to` counts too. Starts more than 366 days after `from` are left out.
    pub fn starts(&self, from: Instant, to: Instant, busy: &[Busy]) -> Vec<Start> {
        let to = to.min(from.plus_minutes(LONGEST));
        let mut starts = Vec::new();
        if from >= to {
            return starts;
        }
        let mut clock = Clock::new(self.parts().zone);
        // A window of the day before may last into `from`, and a clock that is set back over midnight has already shown
        // the date after that of `to`. Time off is needed for one day more: the last visit may end there.
        let days = clock.day_at(from) - 1..=clock.day_at(to) + 1;
        let off = self.off(&mut clock, *days.start(), days.end() + 1);
        let busy =
            BlockedPeriods::new(busy.iter().map(|busy| (busy.start.unix(), busy.end.unix())).collect());
        let (from, to) = (from.unix(), to.unix());
        let windows = self.windows_within(&mut clock, days, from, to);

        let (before, after) = (seconds(self.parts().buffer_before), seconds(self.parts().buffer_after));
        // Each class is in order by itself, so the sort below is a merge.
        for (index, class) in self.classes().iter().enumerate() {
            let (duration, step) = (seconds(class.duration()), seconds(class.step()));
            for window in windows.iter().filter(|window| window.hours.classes().contains(class)) {
                let steps_missed = ((from - window.open).max(0) + step - 1) / step;
                let mut at = window.open + steps_missed * step;
                let end = to.min(window.close - duration + 1);
                while at < end {
                    if !off.meets(at, at + duration) && !busy.meets(at - before, at + duration + after) {
                        starts.push(Start { at: Instant::from_unix(at), class: index });
                    }
                    at += step;
                }
            }
        }
        starts.sort();
        starts.dedup();
        starts
    }

    fn windows_within(
        &self,
        clock: &mut Clock,
        days: RangeInclusive<i64>,
        from: i64,
        to: i64,
    ) -> Vec<OpenPeriod<'_>> {
        let mut windows = Vec::new();
        for day in days {
            for hours in date(day).into_iter().flat_map(|date| self.hours_on(date)) {
                let spans = hours.windows().iter().filter_map(|&window| span(clock, day, window));
                let inside = spans.filter(|&(open, close)| open < to && from < close);
                windows.extend(inside.map(|(open, close)| OpenPeriod { open, close, hours }));
            }
        }
        windows
    }

    fn off(&self, clock: &mut Clock, first: i64, last: i64) -> BlockedPeriods {
        let mut periods = Vec::new();
        for off in &self.parts().off {
            let (first, last) = (first.max(day_number(off.from)), last.min(day_number(off.to)));
            match &off.hours {
                Some(windows) => {
                    for day in first..=last {
                        periods.extend(windows.iter().filter_map(|&window| span(clock, day, window)));
                    }
                }
                None if first <= last => periods.push((clock.first(first, 0), clock.first(last + 1, 0))),
                None => {}
            }
        }
        BlockedPeriods::new(periods)
    }
}

struct OpenPeriod<'a> {
    open: i64,
    close: i64,
    hours: &'a Hours,
}

/// Half-open. `None` if the clock skips the whole window or the whole day.
fn span(clock: &mut Clock, day: i64, window: Window) -> Option<(i64, i64)> {
    let end_day = day + i64::from(window.ends_next_day());
    let open = clock.first(day, window.start().minutes());
    let close = clock.first(end_day, window.end().minutes());
    (open < close && clock.has_day(day)).then_some((open, close))
}

/// Time off, busy time or leaves, as half-open periods that no visit may overlap.
pub(super) struct BlockedPeriods(Vec<(i64, i64)>);

impl BlockedPeriods {
    pub(super) fn new(mut periods: Vec<(i64, i64)>) -> Self {
        periods.sort_unstable();
        // Each end becomes the latest so far. Then both starts and ends ascend, and `meets` looks at one period only.
        let mut last_end = i64::MIN;
        for (_, end) in &mut periods {
            last_end = last_end.max(*end);
            *end = last_end;
        }
        Self(periods)
    }

    pub(super) fn meets(&self, start: i64, end: i64) -> bool {
        let begun = self.0.partition_point(|period| period.0 < end);
        self.0[..begun].last().is_some_and(|period| period.1 > start)
    }
}

fn seconds(minutes: u32) -> i64 {
    i64::from(minutes) * 60
}
