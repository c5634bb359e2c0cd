//! Makes a calendar, and changes it when a feed's entries arrive and when time passes. A provider's starts depend only
//! on the content's hours and the provider's entries, so a changed calendar equals a new one. If few providers change,
//! their rows are updated; if many do, all rows are filled again.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::MAX_HORIZON_DAYS;
use super::feed::{FeedMode, Freshness, ProviderFeed};
use super::index::blocks::Blocks;
use super::index::chunk::{CHUNK, Chunk, Holder, chunk_of};
use super::index::eligibility::Eligibility;
use super::index::fill::fill;
use super::index::order::Order;
use super::index::packed_feed::PackedFeed;
use super::index::provider_starts::{self, List, Period, ProviderStarts, RunsByTypes};
use super::index::query::Limits;
use super::index::runs::Runs;
use super::instant::Instant;
use super::open::{Calendar, FeedState};
use crate::bits::Mask;
use crate::model::{Directory, ProviderNumber, Slug};

const DAY: i64 = 86_400;
/// The farthest horizon of a request, and a margin for a late roll.
const AHEAD: i64 = (MAX_HORIZON_DAYS + 2) * DAY;
/// All rows are filled again if more than this number of providers change, and more than one in [`SHARE`].
const MANY: usize = 50;
const SHARE: usize = 16;

impl Calendar {
    /// A calendar that covers no time: every query computes its own starts.
    pub fn unrolled(directory: &Directory) -> Self {
        let order = Order::build(directory);
        let eligibility = Eligibility::build(directory, &order);
        let providers = order.ranks().map(|rank| ProviderStarts::new(directory.provider(order.number(rank))));
        let providers = Blocks::new(providers.collect());
        Self {
            order: Arc::new(order),
            eligibility,
            providers,
            first: 0,
            chunks: Vec::new(),
            origin: 0,
            feed: None,
            limits: Limits::default(),
        }
    }

    pub fn from_hours(directory: &Directory, now: Instant) -> Self {
        Self::unrolled(directory).roll(directory, now)
    }

    /// The feed counts as expired until [`Calendar::with_freshness`] sets something else.
    pub fn with_feed(directory: &Directory, mode: FeedMode, now: Instant) -> Self {
        Self { feed: Some(FeedState::unread(mode)), ..Self::unrolled(directory) }.roll(directory, now)
    }

    /// The same period with a feed that has not been read, for a service that finds a feed while it runs.
    #[must_use]
    pub fn awaiting_feed(&self, directory: &Directory, mode: FeedMode) -> Self {
        let mut other = Self { feed: Some(FeedState::unread(mode)), ..Self::unrolled(directory) };
        other.cover(directory, self.first, self.end_chunk(), None);
        other
    }

    /// The calendar of another directory with this one's feed data. A service uses it when the content changes.
    #[must_use]
    pub fn for_directory(&self, directory: &Directory, now: Instant) -> Self {
        let mut other = Self::unrolled(directory);
        if let Some(feed) = &self.feed {
            let matched = self.providers.iter().filter_map(|provider| provider.feed.clone());
            let packed = feed.unmatched.values().cloned().chain(matched);
            let expired = feed.expired.iter().flat_map(|expired| expired.numbers());
            let expired: Vec<Slug> = expired.filter_map(|rank| self.order.slug(rank).parse().ok()).collect();
            other.feed = Some(FeedState { expired: None, unmatched: Arc::default(), ..feed.clone() });
            other.apply_packed(directory, packed.map(|feed| (feed.provider.clone(), feed)).collect());
            other = other.with_freshness(directory, feed.freshness, &expired);
        }
        other.roll(directory, now)
    }

    #[must_use]
    pub fn apply(&self, directory: &Directory, feeds: &[ProviderFeed]) -> Self {
        let pack = |feed: &ProviderFeed| (feed.provider.clone(), Arc::new(PackedFeed::pack(feed)));
        let packed: Vec<_> = feeds.par_iter().with_min_len(16).map(pack).collect();
        let mut changed = self.clone();
        changed.apply_packed(directory, packed.into_iter().collect());
        changed
    }

    /// Without a feed it is unchanged.
    #[must_use]
    pub fn with_freshness(&self, directory: &Directory, freshness: Freshness, expired: &[Slug]) -> Self {
        let mut changed = self.clone();
        if let Some(feed) = &mut changed.feed {
            let ranks = expired.iter().filter_map(|slug| directory.find(slug.as_str()));
            let ranks = ranks.map(|found| self.order.rank(found.provider()));
            let expired = Mask::new(ranks, self.order.len());
            feed.freshness = freshness;
            // A reading without entries changes no provider, so `apply` is not called for it.
            feed.was_read |= freshness != Freshness::Expired;
            feed.expired = (!expired.is_empty()).then(|| Arc::new(expired));
        }
        changed
    }

    /// Whether it covers the time around now, so that [`Calendar::roll`] has nothing to do.
    pub fn is_around(&self, now: Instant) -> bool {
        let (first, last) = around(now);
        !self.chunks.is_empty() && self.first == first && self.end_chunk() > last
    }

    /// Adds the chunks ahead of now, and drops past ones. It is a cheap copy if there is nothing to do.
    #[must_use]
    pub fn roll(&self, directory: &Directory, now: Instant) -> Self {
        if self.is_around(now) {
            return self.clone();
        }
        let (first, last) = around(now);
        let from = self.end_chunk();
        let mut rolled = self.clone();
        let is_disjoint = first < self.first || first >= from;
        if is_disjoint || u32::try_from((last + 1) * CHUNK - self.origin).is_err() {
            rolled.cover(directory, first, last + 1, None);
            return rolled;
        }
        let to = (last + 1).max(from);
        let period = Period { from: from * CHUNK, to: to * CHUNK, origin: self.origin };
        let since = u32::try_from(first * CHUNK - self.origin).unwrap_or_default();
        let added = rolled.starts_in(directory, period, None);
        let providers = self.providers.iter().zip(added).map(|(provider, added)| {
            let known = provider.starts(since).map(|(set, starts)| (set, starts.collect()));
            let mut lists: BTreeMap<u32, Vec<u32>> = known.collect();
            for (types, starts) in added {
                let set = rolled.eligibility.set_number(&types);
                lists.entry(set).or_default().extend(starts.from(0));
            }
            let lists = lists.into_iter().map(|(set, starts)| List { set, runs: Runs::from_starts(starts) });
            provider.with(lists, provider.feed.clone())
        });
        rolled.providers = Blocks::new(providers.collect());
        let past = usize::try_from(first - self.first).unwrap_or_default();
        rolled.chunks = self.chunks[past..].to_vec();
        rolled.first = first;
        let added = rolled.fill(from, to);
        rolled.chunks.extend(added);
        rolled
    }

    /// A calendar for one query outside the time that this one covers.
    pub(super) fn covering(
        &self,
        directory: &Directory,
        only: Option<ProviderNumber>,
        from: Instant,
        until: i64,
    ) -> Self {
        let mut other = self.clone();
        other.cover(directory, chunk_of(from.unix()), chunk_of(until) + 1, only);
        other
    }

    /// Covers the chunks `first..to` and no others. All starts are computed again; with `only`, those of one provider.
    fn cover(&mut self, directory: &Directory, first: i64, to: i64, only: Option<ProviderNumber>) {
        self.first = first;
        self.origin = first * CHUNK;
        let period = Period { from: self.origin, to: to * CHUNK, origin: self.origin };
        let starts = self.starts_in(directory, period, only);
        let providers = starts.into_iter().zip(self.providers.iter());
        let providers = providers.map(|(starts, provider)| {
            with_starts(provider, &mut self.eligibility, starts, provider.feed.clone())
        });
        self.providers = Blocks::new(providers.collect());
        self.chunks = self.fill(first, to);
    }

    fn starts_in(
        &self,
        directory: &Directory,
        period: Period,
        only: Option<ProviderNumber>,
    ) -> Vec<RunsByTypes> {
        let mode = self.feed_mode();
        let starts = self.order.ranks().into_par_iter().with_min_len(16).map(|rank| {
            let number = self.order.number(rank);
            if only.is_some_and(|only| only != number) {
                return RunsByTypes::new();
            }
            let entries = self.providers.get(rank).feed.as_ref().map(|packed| &packed.entries);
            provider_starts::starts(directory, number, mode, entries, period)
        });
        starts.collect()
    }

    pub(super) fn fill(&self, first: i64, to: i64) -> Vec<Arc<Chunk>> {
        let count = usize::try_from(to - first).unwrap_or_default();
        fill(&self.providers, &self.eligibility, first * CHUNK - self.origin, count)
    }

    fn apply_packed(&mut self, directory: &Directory, feeds: BTreeMap<Slug, Arc<PackedFeed>>) {
        let mode = self.feed_mode();
        let mut changed: BTreeMap<u32, Arc<PackedFeed>> = BTreeMap::new();
        for (slug, packed) in feeds {
            let Some(found) = directory.find(slug.as_str()) else {
                if let Some(feed) = &mut self.feed {
                    Arc::make_mut(&mut feed.unmatched).insert(slug, packed);
                }
                continue;
            };
            let rank = self.order.rank(found.provider());
            if self.providers.get(rank).feed.as_ref() != Some(&packed) {
                changed.insert(rank, packed);
            }
        }
        let period = Period { from: self.first * CHUNK, to: self.end(), origin: self.origin };
        let changed: Vec<_> = changed.into_iter().collect();
        let expand = |(rank, packed): (u32, Arc<PackedFeed>)| {
            let number = self.order.number(rank);
            let starts = provider_starts::starts(directory, number, mode, Some(&packed.entries), period);
            (rank, packed, starts)
        };
        let changed: Vec<_> = changed.into_par_iter().with_min_len(16).map(expand).collect();
        let is_many = changed.len() * SHARE > self.order.len() && changed.len() > MANY;
        for (rank, packed, starts) in changed {
            let new = with_starts(self.providers.get(rank), &mut self.eligibility, starts, Some(packed));
            if !is_many {
                self.update_rows(rank, &new);
            }
            *self.providers.change(rank) = new;
        }
        if is_many {
            self.chunks = self.fill(self.first, self.end_chunk());
        }
    }

    fn update_rows(&mut self, rank: u32, new: &ProviderStarts) {
        let Self { providers, eligibility, chunks, order, origin, first, .. } = self;
        let old = providers.get(rank);
        let holder = Holder { rank, states: old.states };
        let mut sets: Vec<u32> = old.sets().chain(new.sets()).collect();
        sets.sort_unstable();
        sets.dedup();
        for set in sets {
            let mut before = old.starts_of(set, 0);
            let mut after = new.starts_of(set, 0);
            while let Some(start) = before.peek().into_iter().chain(after.peek()).min() {
                let was_open = before.next_if(start);
                let is_open = after.next_if(start);
                if was_open == is_open {
                    continue;
                }
                if let Some((chunk, second)) = chunk_at(chunks, *origin, *first, start) {
                    if is_open {
                        chunk.insert(second, set, holder, eligibility, order.len());
                    } else {
                        chunk.remove(second, set, holder, eligibility);
                    }
                }
            }
        }
        for (number, chunk) in (*first..).zip(chunks) {
            let begin = u32::try_from(number * CHUNK - *origin).unwrap_or_default();
            let mut nexts = new.starts(begin).filter_map(|(_, walk)| walk.peek());
            let has_start = nexts.any(|start| *origin + i64::from(start) < (number + 1) * CHUNK);
            if chunk.has_holder(rank) != has_start {
                Arc::make_mut(chunk).set_holder(rank, has_start);
            }
        }
    }
}

/// The chunk before the current one is kept, because the clock may be set back a little.
fn around(now: Instant) -> (i64, i64) {
    (chunk_of(now.unix()) - 1, chunk_of(now.unix() + AHEAD))
}

fn with_starts(
    provider: &ProviderStarts,
    eligibility: &mut Eligibility,
    starts: RunsByTypes,
    feed: Option<Arc<PackedFeed>>,
) -> ProviderStarts {
    let list = |(types, runs): (Vec<_>, Runs)| List { set: eligibility.set_number(&types), runs };
    provider.with(starts.into_iter().map(list), feed)
}

fn chunk_at(chunks: &mut [Arc<Chunk>], origin: i64, first: i64, start: u32) -> Option<(&mut Chunk, u16)> {
    let at = origin + i64::from(start);
    let number = chunk_of(at);
    let chunk = chunks.get_mut(usize::try_from(number - first).ok()?)?;
    let second = u16::try_from(at - number * CHUNK).ok()?;
    Some((Arc::make_mut(chunk), second))
}
