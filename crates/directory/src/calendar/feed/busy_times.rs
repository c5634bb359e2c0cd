//! The busy time that an open feed lists. A free slot of the same owner at such a time is not offered.

use std::collections::HashSet;

use super::super::hours::{Busy, merge};
use super::super::instant::Instant;
use super::line::SlotState;

/// The busy time of one provider or Schedule.
#[derive(Debug, Default)]
pub(super) struct Times {
    /// Sorted, without overlaps.
    busy: Vec<Busy>,
    /// The periods of entries that were entered in error.
    in_error: HashSet<(Instant, Instant)>,
}

impl Times {
    /// Adds an entry that is not free. The caller [merges](Self::merge) once all are added.
    pub(super) fn add(&mut self, state: SlotState, start: Instant, end: Instant) {
        match state {
            SlotState::Free => {}
            SlotState::Busy => self.busy.push(Busy { start, end }),
            SlotState::EnteredInError => _ = self.in_error.insert((start, end)),
        }
    }

    /// Whether a free slot overlaps busy time or was entered in error.
    pub(super) fn has(&self, start: Instant, end: Instant) -> bool {
        let next = self.busy.partition_point(|busy| busy.end <= start);
        let is_busy = self.busy.get(next).is_some_and(|busy| busy.start < end);
        // Free slots were rounded inwards and other entries outwards. So the start and the end of the same period can
        // each differ by one second.
        let mut same = [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter();
        is_busy
            || same.any(|(before, after)| {
                self.in_error.contains(&(start.plus_seconds(-before), end.plus_seconds(after)))
            })
    }

    pub(super) fn merge(&mut self) {
        merge(&mut self.busy);
    }
}
