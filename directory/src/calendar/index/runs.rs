//! A provider's starts as runs of even spacing: what weekly hours look like, and small whatever they are.
//!
//! A start is a number of seconds since the calendar's origin. Two starts share a run at the least, so even
//! starts at random seconds cost four bytes each, and a day of regular hours costs eight.

use std::sync::Arc;

/// Starts at `first`, `first + step` and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    first: u32,
    /// Zero when there is one start alone.
    step: u16,
    count: u16,
}

impl Run {
    fn single(first: u32) -> Self {
        Self { first, step: 0, count: 1 }
    }

    fn nth(self, nth: u16) -> u32 {
        self.first + u32::from(self.step) * u32::from(nth)
    }

    fn last(self) -> u32 {
        self.nth(self.count - 1)
    }

    /// The place of the first start at or after a moment that is not behind the last one.
    fn place(self, from: u32) -> u16 {
        match from.checked_sub(self.first) {
            None | Some(0) => 0,
            // Not behind the last start, so the quotient is smaller than the count.
            Some(ahead) => {
                u16::try_from(ahead.div_ceil(u32::from(self.step.max(1)))).unwrap_or(self.count - 1)
            }
        }
    }
}

/// Starts in ascending order, each once. A copy shares them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::calendar) struct Runs(Arc<[Run]>);

impl Runs {
    /// The runs of starts that ascend and do not repeat.
    pub(in crate::calendar) fn of(starts: impl IntoIterator<Item = u32>) -> Self {
        // A day's hours are a run or two, and there are mostly some weeks of them.
        let mut runs: Vec<Run> = Vec::with_capacity(64);
        for start in starts {
            if let Some(run) = runs.last_mut()
                && let Ok(gap) = u16::try_from(start - run.last())
                && (run.count == 1 || (run.step == gap && run.count < u16::MAX))
            {
                debug_assert!(gap > 0, "starts ascend");
                (run.step, run.count) = (gap, run.count + 1);
            } else {
                runs.push(Run::single(start));
            }
        }
        Self(runs.into())
    }

    pub(in crate::calendar) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every start from a moment on.
    pub(in crate::calendar) fn from(&self, from: u32) -> Walk<'_> {
        let at = self.0.partition_point(|run| run.last() < from);
        let runs = &self.0[at..];
        let nth = runs.first().map_or(0, |run| run.place(from));
        Walk { runs, nth }
    }

    /// How many bytes it has on the heap.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        16 + self.0.len() * size_of::<Run>()
    }
}

/// Starts one after another.
#[derive(Debug, Clone, Default)]
pub(in crate::calendar) struct Walk<'a> {
    runs: &'a [Run],
    nth: u16,
}

impl Walk<'_> {
    /// The next start, which stays the next one.
    #[inline]
    pub(in crate::calendar) fn peek(&self) -> Option<u32> {
        self.runs.first().map(|run| run.nth(self.nth))
    }
}

impl Iterator for Walk<'_> {
    type Item = u32;

    #[inline]
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
    fn regular_hours_are_one_run_for_each_window() {
        let runs = Runs::of([0, 30, 60, 90, 200, 230, 260, 100_000, 200_000]);
        assert_eq!(runs.0.len(), 4);
        assert_eq!(runs.from(61).collect::<Vec<_>>(), [90, 200, 230, 260, 100_000, 200_000]);
    }

    proptest! {
        #[test]
        fn runs_are_the_set_that_they_were_made_of(
            starts in btree_set(0..400_u32, 0..60),
            far in btree_set(0..u32::MAX, 0..4),
            from in 0..450_u32,
        ) {
            let set: BTreeSet<u32> = starts.union(&far).copied().collect();
            let runs = Runs::of(set.iter().copied());
            prop_assert_eq!(runs.is_empty(), set.is_empty());
            prop_assert_eq!(runs.from(0).collect::<Vec<_>>(), set.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(runs.from(from).collect::<Vec<_>>(), set.range(from..).copied().collect::<Vec<_>>());
        }
    }
}
