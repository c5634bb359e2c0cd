//! The answer for a few providers, merged from the starts of each.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::ops::ControlFlow::{self, Continue};

use super::order::WINDOW;
use super::presence::Page;
use super::query::Index;
use super::runs::Walk;

impl Index<'_> {
    /// Their ranks ascend, and they are all who may be present.
    pub(super) fn merge(
        &self,
        ranks: &[u32],
        (from, until): (i64, i64),
        page: &mut Page<'_, '_>,
    ) -> ControlFlow<()> {
        let Ok(until) = u32::try_from(until - self.origin) else { return Continue(()) };
        let from = self.since_origin(from);
        let mut walks: Vec<(u32, Walk<'_>)> = Vec::with_capacity(ranks.len());
        for &rank in ranks {
            let starts = self.providers.get(rank).starts(from);
            let starts =
                starts.filter(|(set, _)| self.eligibility.answers(*set, page.query.state, page.query.wanted));
            walks.extend(starts.map(|(_, walk)| (rank, walk)));
        }
        let mut walks = Walks::new(walks);
        let mut present = Vec::with_capacity(ranks.len());
        while let Some(start) = walks.peek()
            && start < until
        {
            present.clear();
            walks.take(start, &mut present);
            // A provider has a walk for each set of types. They are neighbors, so `dedup` removes the repetition.
            present.dedup();
            page.list_all(self.origin + i64::from(start), &mut present)?;
        }
        Continue(())
    }
}

struct Walks<'a> {
    /// By rank.
    walks: Vec<(u32, Walk<'a>)>,
    /// The next start of each walk, and the walk's position. None for a few walks: comparing all of them at each start is
    /// faster.
    heads: Option<BinaryHeap<Reverse<(u32, usize)>>>,
}

impl<'a> Walks<'a> {
    fn new(walks: Vec<(u32, Walk<'a>)>) -> Self {
        let head = |(at, (_, walk)): (usize, &(u32, Walk<'a>))| Some(Reverse((walk.peek()?, at)));
        let heads = (walks.len() > WINDOW).then(|| walks.iter().enumerate().filter_map(head).collect());
        Self { walks, heads }
    }

    fn peek(&self) -> Option<u32> {
        match &self.heads {
            None => self.walks.iter().filter_map(|(_, walk)| walk.peek()).min(),
            Some(heads) => heads.peek().map(|Reverse((start, _))| *start),
        }
    }

    /// Goes past the next start of all, and adds the ranks of those who have it.
    fn take(&mut self, start: u32, present: &mut Vec<u32>) {
        let Some(heads) = &mut self.heads else {
            for (rank, walk) in &mut self.walks {
                if walk.next_if(start) {
                    present.push(*rank);
                }
            }
            return;
        };
        // Walks of one start come in the order of their positions, and so of their ranks.
        while let Some(mut head) = heads.peek_mut()
            && head.0.0 == start
        {
            let (rank, walk) = &mut self.walks[head.0.1];
            present.push(*rank);
            walk.next();
            match walk.peek() {
                Some(next) => head.0.0 = next,
                None => _ = PeekMut::pop(head),
            }
        }
    }
}
