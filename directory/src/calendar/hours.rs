//! From local hours to the instants at which visits can start.
//!
//! 1. Each window that starts on a local date becomes a stretch of instants by the
//!    [time rule](super::boundary). On a date that the zone's clock never shows, nothing is held.
//! 2. In it, visits start at its first instant and every step of elapsed time after that, while the whole visit
//!    fits. The grid is never anchored anew: neither at the query, nor after time off or a booking.
//! 3. A start is dropped when its visit meets time off.
//! 4. A start is dropped when its visit, with the buffers around it, meets busy time.
//!
//! Notice is not applied here: it depends on now, and what is made here is kept while now moves on.

use std::ops::RangeInclusive;

use super::boundary::{Clock, date, day_number};
use super::instant::Instant;
use super::schedule::{Hours, Schedule, Window};

/// The longest stretch that one question is answered for, in minutes: a leap year. Months are asked for; a
/// larger number is a mistake that must not fill the memory.
const LONGEST: u32 = 366 * 24 * 60;

/// A start that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Start {
    /// When the visit starts.
    pub at: Instant,
    /// What it is: a place in [`Schedule::classes`].
    pub class: usize,
}

/// Time that is taken, half-open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Busy {
    /// The first second of it.
    pub start: Instant,
    /// The first second after it.
    pub end: Instant,
}

impl Schedule {
    /// Every open start with `from <= start < to`, by time and then class, each once.
    ///
    /// Notice is the caller's to add to `from`. Busy time is taken in any order; it counts when
    /// `start - buffer before < busy end` and `busy start < start + duration + buffer after`, so it must be
    /// looked up that much more widely than the starts. Whatever lies more than 366 days after `from` is left
    /// out.
    #[must_use]
    pub fn starts(&self, from: Instant, to: Instant, busy: &[Busy]) -> Vec<Start> {
        let to = to.min(from.plus_minutes(LONGEST));
        let mut starts = Vec::new();
        if from >= to {
            return starts;
        }
        let mut clock = Clock::new(self.parts().zone);
        // A window of the day before may last into `from`; and a clock that was put back over midnight has
        // shown the date after that of `to` already. The last visit may end, in time off, on one day more.
        let days = clock.day_at(from) - 1..=clock.day_at(to) + 1;
        let off = self.off(&mut clock, *days.start(), days.end() + 1);
        let busy = Taken::new(busy.iter().map(|busy| (busy.start.unix(), busy.end.unix())).collect());
        let (from, to) = (from.unix(), to.unix());
        let stretches = self.stretches(&mut clock, days, from, to);

        let (before, after) = (seconds(self.parts().buffer_before), seconds(self.parts().buffer_after));
        // One class after another: each is in order by itself, which makes the sorting a mere merge.
        for (index, class) in self.classes().iter().enumerate() {
            let (duration, step) = (seconds(class.duration()), seconds(class.step()));
            for stretch in stretches.iter().filter(|stretch| stretch.hours.classes().contains(class)) {
                let steps_missed = ((from - stretch.open).max(0) + step - 1) / step;
                let mut at = stretch.open + steps_missed * step;
                let end = to.min(stretch.close - duration + 1);
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

    /// The windows that are held on these days, as far as they meet `from..to`.
    fn stretches(
        &self,
        clock: &mut Clock,
        days: RangeInclusive<i64>,
        from: i64,
        to: i64,
    ) -> Vec<Stretch<'_>> {
        let mut stretches = Vec::new();
        for day in days {
            for hours in date(day).into_iter().flat_map(|date| self.held(date)) {
                let spans = hours.windows().iter().filter_map(|&window| span(clock, day, window));
                let inside = spans.filter(|&(open, close)| open < to && from < close);
                stretches.extend(inside.map(|(open, close)| Stretch { open, close, hours }));
            }
        }
        stretches
    }

    /// The time off in these days.
    fn off(&self, clock: &mut Clock, first: i64, last: i64) -> Taken {
        let mut taken = Vec::new();
        for off in &self.parts().off {
            let (first, last) = (first.max(day_number(off.from)), last.min(day_number(off.to)));
            match &off.hours {
                Some(windows) => {
                    for day in first..=last {
                        taken.extend(windows.iter().filter_map(|&window| span(clock, day, window)));
                    }
                }
                None if first <= last => taken.push((clock.first(first, 0), clock.first(last + 1, 0))),
                None => {}
            }
        }
        Taken::new(taken)
    }
}

/// A window that is held, in instants, and the hours it belongs to.
struct Stretch<'a> {
    open: i64,
    close: i64,
    hours: &'a Hours,
}

/// The instants of a window that starts on a day, unless there are none.
fn span(clock: &mut Clock, day: i64, window: Window) -> Option<(i64, i64)> {
    let end_day = day + i64::from(window.ends_next_day());
    let open = clock.first(day, window.start().minutes());
    let close = clock.first(end_day, window.end().minutes());
    (open < close && clock.has_day(day)).then_some((open, close))
}

/// Stretches of time that no visit may meet.
struct Taken(Vec<(i64, i64)>);

impl Taken {
    fn new(mut stretches: Vec<(i64, i64)>) -> Self {
        stretches.sort_unstable();
        // Each end becomes the last one so far, so that the ends are in order as the starts are.
        let mut last_end = i64::MIN;
        for (_, end) in &mut stretches {
            last_end = last_end.max(*end);
            *end = last_end;
        }
        Self(stretches)
    }

    /// Whether one of the stretches starts before `end` and ends after `start`.
    fn meets(&self, start: i64, end: i64) -> bool {
        let begun = self.0.partition_point(|stretch| stretch.0 < end);
        self.0[..begun].last().is_some_and(|stretch| stretch.1 > start)
    }
}

fn seconds(minutes: u32) -> i64 {
    i64::from(minutes) * 60
}
