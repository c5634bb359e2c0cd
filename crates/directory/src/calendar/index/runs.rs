//! A provider's starts as runs of even spacing.
//! A start is a number of seconds since the calendar's origin. Regular hours take eight bytes per window and day;
//! irregular starts take four bytes each, because any two can form a run.

use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    first: u32,
    /// Zero for a single start.
    step: u16,
    count: u16,
}

impl Run {
    fn nth(self, nth: u16) -> u32 {
        self.first + u32::from(self.step) * u32::from(nth)
    }

    fn last(self) -> u32 {
        self.nth(self.count - 1)
    }
}

/// Starts in ascending order, each once. Copies share them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Runs(Arc<[Run]>);

impl Runs {
    pub(crate) fn from_starts(starts: impl IntoIterator<Item = u32>) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for start in starts {
            if let Some(run) = runs.last_mut()
                && let Ok(gap) = u16::try_from(start - run.last())
                && (run.count == 1 || (run.step == gap && run.count < u16::MAX))
            {
                debug_assert!(gap > 0, "starts ascend");
                (run.step, run.count) = (gap, run.count + 1);
            } else {
                runs.push(Run { first: start, step: 0, count: 1 });
            }
        }
        Self(runs.into())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn from(&self, from: u32) -> Walk<'_> {
        let runs = &self.0[self.0.partition_point(|run| run.last() < from)..];
        let nth = runs.first().map_or(0, |run| {
            let steps = from.saturating_sub(run.first).div_ceil(u32::from(run.step.max(1)));
            // `from` is not after the last start, so this fits.
            u16::try_from(steps).unwrap_or(u16::MAX)
        });
        Walk { runs, nth }
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Walk<'a> {
    runs: &'a [Run],
    nth: u16,
}

impl Walk<'_> {
    pub(crate) fn peek(&self) -> Option<u32> {
        self.runs.first().map(|run| run.nth(self.nth))
    }

    pub(crate) fn next_if(&mut self, start: u32) -> bool {
        self.peek() == Some(start) && self.next().is_some()
    }
}

impl Iterator for Walk<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (run, rest) = self.runs.split_first()?;
        let start = run.nth(self.nth);
        self.nth += 1;
        if self.nth == run.count {
            (self.runs, self.nth) = (rest, 0);
        }
        Some(start)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_window_of_regular_hours_is_one_run() {
        let runs = Runs::from_starts([0, 30, 60, 90, 200, 230, 260, 100_000, 200_000]);
        assert_eq!(runs.0.len(), 4);
        assert_eq!(runs.from(61).collect::<Vec<_>>(), [90, 200, 230, 260, 100_000, 200_000]);
    }

    proptest! {
        #[test]
        fn runs_hold_the_starts_that_they_were_made_of(
            starts in btree_set(0..400_u32, 0..60),
            far in btree_set(0..u32::MAX, 0..4),
            from in 0..450_u32,
        ) {
            let set: BTreeSet<u32> = starts.union(&far).copied().collect();
            let runs = Runs::from_starts(set.iter().copied());
            prop_assert_eq!(runs.is_empty(), set.is_empty());
            prop_assert_eq!(runs.from(0).collect::<Vec<_>>(), set.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(runs.from(from).collect::<Vec<_>>(), set.range(from..).copied().collect::<Vec<_>>());
            prop_assert_eq!(runs.from(from).peek(), set.range(from..).next().copied());
        }
    }
}
