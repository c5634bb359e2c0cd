//! The answer for a few providers, merged from the starts of each.

use super::super::instant::Instant;
use super::presence::Page;
use super::query::Index;
use super::runs::Walk;
use super::slot_query::{RankedStart, SlotQuery};

impl Index<'_> {
    /// The first starts of these providers, of whom there are at most [`WINDOW`](super::order::WINDOW).
    pub(crate) fn merge(&self, ranks: &[u32], query: &SlotQuery<'_>) -> Vec<RankedStart> {
        let mut page = Page::new(self.order, query);
        let Ok(until) = u32::try_from(query.until - self.origin) else { return page.found };
        let from = self.first_start(query.now);
        let mut walks: Vec<(u32, Walk<'_>)> = Vec::with_capacity(ranks.len());
        for &rank in ranks.iter().filter(|&&rank| self.eligibility.mask(query.state).contains(rank)) {
            let starts = self.providers.get(rank).starts(from);
            let starts = starts.filter(|(set, _)| self.eligibility.answers(*set, query.state, query.wanted));
            walks.extend(starts.map(|(_, walk)| (rank, walk)));
        }
        let mut present = Vec::with_capacity(walks.len());
        // With a dozen walks, comparing all of them at each start is faster than a heap.
        while let Some(start) = walks.iter().filter_map(|(_, walk)| walk.peek()).min()
            && start < until
        {
            present.clear();
            for (rank, walk) in &mut walks {
                if walk.next_if(start) {
                    present.push(*rank);
                }
            }
            // A provider has a walk for each set of types. They are neighbours, so `dedup` removes the repetition.
            present.dedup();
            let at = self.origin + i64::from(start);
            let rotation = self.order.rotation(at);
            let before = present.partition_point(|&rank| rank < rotation.first);
            present.rotate_left(before);
            if page.list_window(at, &present, rotation).is_break() {
                break;
            }
        }
        page.found
    }

    /// The first start that keeps the shortest notice, in seconds since the origin.
    fn first_start(&self, now: Instant) -> u32 {
        let earliest = now.plus_seconds(self.order.shortest_notice()).unix();
        u32::try_from((earliest - self.origin).max(0)).unwrap_or(u32::MAX)
    }
}
