//! A provider's starts as runs of even spacing: what weekly hours look like, and small whatever they are.
//!
//! A start is a number of seconds since the calendar's origin. Two starts share a run at the least, so even
//! starts at random seconds cost four bytes each, and a day of regular hours costs eight.

use std::sync::Arc;

use super::taken::Taken;

/// Room for a few bookings, each of which cuts a run in two.
const ROOM: usize = 8;

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

    fn new(first: u32, step: u16, count: u16) -> Self {
        Self { first, step: if count == 1 { 0 } else { step }, count }
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
        Walk { runs, nth, taken: None }
    }

    /// Takes starts away; those that are not there do no harm.
    pub(in crate::calendar) fn remove(&mut self, starts: impl IntoIterator<Item = u32>) {
        let mut runs = Vec::with_capacity(self.0.len() + ROOM);
        runs.extend_from_slice(&self.0);
        for start in starts {
            cut(&mut runs, start);
        }
        self.0 = runs.into();
    }

    /// How many bytes it has on the heap.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        16 + self.0.len() * size_of::<Run>()
    }
}

/// Takes a start out of its run.
fn cut(runs: &mut Vec<Run>, start: u32) {
    let Some(at) = runs.partition_point(|run| run.first <= start).checked_sub(1) else { return };
    let run = runs[at];
    if start > run.last() {
        return;
    }
    let nth = run.place(start);
    if run.nth(nth) != start {
        return;
    }
    let before = nth;
    let after = run.count - nth - 1;
    match (before > 0, after > 0) {
        (false, false) => {
            runs.remove(at);
        }
        (true, false) => runs[at] = Run::new(run.first, run.step, before),
        (false, true) => runs[at] = Run::new(run.nth(nth + 1), run.step, after),
        (true, true) => {
            runs[at] = Run::new(run.first, run.step, before);
            runs.insert(at + 1, Run::new(run.nth(nth + 1), run.step, after));
        }
    }
}

/// Starts one after another.
#[derive(Debug, Clone, Default)]
pub(in crate::calendar) struct Walk<'a> {
    runs: &'a [Run],
    nth: u16,
    /// What is passed over, where there is such a thing: it is never the next start.
    taken: Option<&'a Taken>,
}

impl<'a> Walk<'a> {
    /// The same without those that are taken.
    #[inline]
    pub(in crate::calendar) fn without(self, taken: &'a Taken) -> Self {
        if taken.is_empty() {
            return self;
        }
        let mut walk = Self { taken: Some(taken), ..self };
        walk.pass_over(taken);
        walk
    }

    /// The next start, which stays the next one.
    #[inline]
    pub(in crate::calendar) fn peek(&self) -> Option<u32> {
        self.runs.first().map(|run| run.nth(self.nth))
    }

    #[inline]
    fn step(&mut self) -> Option<u32> {
        let (run, rest) = self.runs.split_first()?;
        let start = run.nth(self.nth);
        self.nth += 1;
        if self.nth == run.count {
            (self.runs, self.nth) = (rest, 0);
        }
        Some(start)
    }

    fn pass_over(&mut self, taken: &Taken) {
        while self.peek().is_some_and(|start| taken.has(start)) {
            self.step();
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let start = self.step();
        if let Some(taken) = self.taken {
            self.pass_over(taken);
        }
        start
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::{btree_set, vec};
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
            taken in vec(0..400_u32, 0..40),
            from in 0..450_u32,
        ) {
            let mut set: BTreeSet<u32> = starts.union(&far).copied().collect();
            let mut runs = Runs::of(set.iter().copied());
            for taken in taken.chunks(3) {
                set.retain(|start| !taken.contains(start));
                runs.remove(taken.iter().copied());
                prop_assert_eq!(runs.from(0).collect::<Vec<_>>(), set.iter().copied().collect::<Vec<_>>());
            }
            prop_assert_eq!(runs.is_empty(), set.is_empty());
            prop_assert_eq!(runs.from(0).collect::<Vec<_>>(), set.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(runs.from(from).collect::<Vec<_>>(), set.range(from..).copied().collect::<Vec<_>>());
        }
    }
}
