//! Pages of a list of slots: a page is cut at its limit, and a cursor goes on behind its last slot.
//! A cursor holds values, not positions, so content, feed and time may change between two pages: a slot that stays open is
//! listed exactly once. At its start S all providers have a fixed order, by the hashes of their ids, no matter who is present:
//! cyclic from the one who enters, and the window that S [rotates](super::index::order) as it was on the first page.

use std::collections::HashSet;

use super::index::order::{WINDOW, hash};
use super::index::slot_query::{RankedStart, SlotQuery};
use super::instant::Instant;
use super::open::{Calendar, SlotFilter};
use crate::model::Directory;

/// The last slot of a page, and the order of its start. The numbers are hashes of ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub(crate) at: Instant,
    pub(crate) order: StartOrder,
    /// The provider of the last slot.
    pub(crate) last: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StartOrder {
    /// Where the cycle of all providers is entered.
    pub(crate) first: u64,
    /// The provider who leads the window, and the one who closes it.
    pub(crate) lead: u64,
    pub(crate) end: u64,
}

impl StartOrder {
    /// The place of a provider: the window from its lead on, then the part of the window before it, then the others.
    fn place(self, provider: u64) -> (u8, u64) {
        let [at, lead, end] = [provider, self.lead, self.end].map(|hash| hash.wrapping_sub(self.first));
        (if at > end { 2 } else { u8::from(at < lead) }, at)
    }
}

pub(crate) type Cut<'a> = (Vec<(Instant, &'a str)>, Option<Cursor>);

impl Calendar {
    /// The first slots of these periods, in the order of time, behind the cursor if there is one; and the cursor of the
    /// next page if there are more than the filter's limit. The periods take the place of the filter's own.
    pub(crate) fn page(
        &self,
        directory: &Directory,
        filter: &SlotFilter,
        periods: &[(Instant, Instant)],
        after: Option<Cursor>,
    ) -> Cut<'_> {
        let one_more = filter.limit + 1;
        let mut found = match after {
            None => self.first_of(directory, &SlotFilter { limit: one_more, ..*filter }, periods),
            Some(cursor) => {
                self.behind(directory, &SlotFilter { limit: one_more, ..*filter }, periods, cursor)
            }
        };
        let is_cut = found.len() == one_more;
        found.truncate(filter.limit);
        let next = found.last().filter(|_| is_cut).map(|&RankedStart { at, rank }| {
            let at = Instant::from_unix(at);
            // The keys stay while pages go through one start.
            let known = after.filter(|cursor| cursor.at == at).map(|cursor| cursor.order);
            let order = known.unwrap_or_else(|| self.order_at(directory, filter, at));
            Cursor { at, order, last: self.hash(directory, rank) }
        });
        let slug = |found: RankedStart| (Instant::from_unix(found.at), self.order.slug(found.rank));
        (found.into_iter().map(slug).collect(), next)
    }

    fn first_of(
        &self,
        directory: &Directory,
        filter: &SlotFilter,
        periods: &[(Instant, Instant)],
    ) -> Vec<RankedStart> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        for &(from, until) in periods {
            let left = filter.limit - found.len();
            let limit = if filter.one_per_provider { filter.limit } else { left };
            let horizon_seconds = until.unix() - filter.now.unix();
            let of_period = SlotFilter { from: Some(from), horizon_seconds, limit, ..*filter };
            let more = self.find(directory, &of_period).into_iter();
            if let [_] = periods {
                return more.collect();
            }
            let is_new = |slot: &RankedStart| !filter.one_per_provider || seen.insert(slot.rank);
            found.extend(more.filter(is_new).take(left));
            if found.len() == filter.limit {
                break;
            }
        }
        found
    }

    fn behind(
        &self,
        directory: &Directory,
        filter: &SlotFilter,
        periods: &[(Instant, Instant)],
        cursor: Cursor,
    ) -> Vec<RankedStart> {
        let place = |slot: &RankedStart| cursor.order.place(self.hash(directory, slot.rank));
        let last = cursor.order.place(cursor.last);
        let (at, all) = (cursor.at.unix(), SlotFilter { limit: self.order.len() + 1, ..*filter });
        let mut found = if filter.one_per_provider {
            // A provider's first slot is that of the whole time, wherever the page begins.
            self.first_of(directory, &all, periods)
        } else {
            let next = cursor.at.plus_seconds(1);
            self.first_of(directory, &all, &clipped(periods, cursor.at, next))
        };
        found.retain(|slot| slot.at > at || slot.at == at && place(slot) > last);
        let together = found.partition_point(|slot| slot.at == at);
        found[..together].sort_by_cached_key(place);
        if !filter.one_per_provider && together < filter.limit {
            let rest = SlotFilter { limit: filter.limit - together, ..*filter };
            let later = clipped(periods, cursor.at.plus_seconds(1), Instant::MAX);
            found.extend(self.first_of(directory, &rest, &later));
        }
        found.truncate(filter.limit);
        found
    }

    /// The order of a start among all who have it: also of those whose notice has passed or whose feed has expired.
    fn order_at(&self, directory: &Directory, filter: &SlotFilter, at: Instant) -> StartOrder {
        let first = self.hash(directory, self.order.rotation(at.unix()).first);
        let window = self.window_at(directory, filter, at);
        let lead = window.first().copied().unwrap_or(first);
        let end = window.into_iter().max_by_key(|hash| hash.wrapping_sub(first)).unwrap_or(first);
        StartOrder { first, lead, end }
    }

    fn window_at(&self, directory: &Directory, filter: &SlotFilter, at: Instant) -> Vec<u64> {
        let Some((wanted, pair)) = self.pair(filter) else { return Vec::new() };
        let (now, until) = (at.plus_seconds(-self.order.longest_notice), at.unix() + 1);
        let query = SlotQuery {
            state: filter.state,
            wanted,
            pair,
            now,
            from: Some(at),
            until,
            limit: WINDOW,
            one_per_provider: false,
            is_counted: false,
            expired: None,
        };
        let found = if self.covers(at.unix(), until) {
            self.answer(filter, &query)
        } else {
            self.covering(directory, filter.provider, at, until).answer(filter, &query)
        };
        found.into_iter().map(|slot| self.hash(directory, slot.rank)).collect()
    }

    fn hash(&self, directory: &Directory, rank: u32) -> u64 {
        hash(&directory.provider(self.order.number(rank)).id)
    }
}

fn clipped(periods: &[(Instant, Instant)], from: Instant, until: Instant) -> Vec<(Instant, Instant)> {
    let both = periods.iter().map(|&(start, end)| (start.max(from), end.min(until)));
    both.filter(|(start, end)| start < end).collect()
}
